"""From a text to a Reading: which format it is, and what it says."""

from __future__ import annotations

from dataclasses import replace

from e2.errors import FormatError
from e2.formats import FORMATS, bucas_url, viewer_url
from e2.formats.format import MAX_TEXT, Asked, Format, Reading
from e2.formats.pasted import links, plain

LINK_FORMATS = (viewer_url.NAME, bucas_url.NAME)


def format_named(name: str) -> Format:
    """The format of that name, or a FormatError that lists them all."""
    for format in FORMATS:
        if format.name == name:
            return format
    raise FormatError(name[:40], "no such format", expected=" or ".join(format.name for format in FORMATS))


def read(
    text: str, *, format: str | None = None, lenient: bool = False, size: tuple[int, int] | None = None
) -> Reading:
    """What the text says. Of several links the first is read, with a warning; `read_all` reads each.

    `format` overrules detection. `lenient` takes what decodes and warns of the rest. `size` (width, height) is used by
    texts that do not say theirs. Raises FormatError.
    """
    text = _checked(text)
    chosen = format_named(format) if format is not None else detected(text)
    reading = chosen.read(text, Asked(lenient, size))
    if chosen.name in LINK_FORMATS and len(links(text)) > 1:
        note = f"{len(links(text))} links here; this is the first"
        reading = replace(reading, warnings=(note, *reading.warnings))
    return reading


def read_all(
    text: str, *, format: str | None = None, lenient: bool = False, size: tuple[int, int] | None = None
) -> tuple[Reading, ...]:
    """What each board of the text says: a log or a mail may hold several links. Raises FormatError."""
    plain_text = _checked(text)
    chosen = format_named(format) if format is not None else detected(plain_text)
    found = links(plain_text) if chosen.name in LINK_FORMATS else ()
    if len(found) < 2:
        return (read(text, format=format, lenient=lenient, size=size),)
    return tuple(
        viewer_url.read_link(
            viewer_url.NAME if viewer_url.is_viewer_link(link) else bucas_url.NAME, link, Asked(lenient, size)
        )
        for link in found
    )


def detected(text: str) -> Format:
    """The first format that thinks the plain text looks right, or a FormatError."""
    for format in FORMATS:
        if format.looks_right(text):
            return format
    shown = text.strip()[:40]
    raise FormatError(
        "unknown", f"no format recognised: {shown!r}", place="the start", expected="a board, a puzzle or a link"
    )


def _checked(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise FormatError("unknown", f"{len(text)} characters", expected=f"at most {MAX_TEXT}")
    text = plain(text)
    if not text.strip():
        raise FormatError("unknown", "the input is empty", expected="a board, a puzzle or a link")
    return text
