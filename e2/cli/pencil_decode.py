"""e2 pencil decode: what is in a puzzle link."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.options import Json
from e2.cli.output import BAD_INPUT, DONE, error_record, note, say, say_json
from e2.errors import E2Error, FormatError, SettingsError
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.pencil.pzpr.decode import Decoded


def decode(
    link: Annotated[str, typer.Argument(metavar="URL", help="A link, a pzprv3 file, or - for a link a line.")],
    strict: Annotated[bool, typer.Option("--strict", help="Refuse what pzprjs skips, and say where it is.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture as SVG.")] = None,
    json: Json = False,
) -> int:
    """Draw the puzzle in a link, and write its canonical form: byte for byte what pzprjs writes.

    \b
    Example:
      e2 pencil decode 'https://puzz.link/p?slither/6/6/h712221dh7137158dh872d'
    """
    from e2.pencil.pzpr.decode import decode as decoded

    texts = split_links(argument_text(link))
    if svg is not None and len(texts) != 1:
        raise SettingsError(f"--svg is for one link; there are {len(texts)}")
    code = DONE
    for text in texts:
        try:
            found = decoded(text, strict=strict)
        except E2Error as error:
            if len(texts) == 1:
                raise
            code = BAD_INPUT
            if json:
                say_json({"input": printable(text, 200), "error": error_record(error)})
            else:
                note(f"error: {printable(text, 60)}: {printable(str(error), 2000)}")
            continue
        if svg is not None:
            _draw(found, svg)
        _tell(found, json)
    if svg is not None and not json:
        say(f"wrote {printable(str(svg))}")
    return code


def argument_text(argument: str) -> str:
    """The text of a file or of standard input, or else the argument itself."""
    from e2.store.source import read_file, read_source

    if argument == "-":
        return read_source("-").text
    if len(argument) < 4096 and "\0" not in argument and os.path.isfile(argument):
        return read_file(Path(argument)).text
    try:
        argument.encode()
    except UnicodeEncodeError as error:
        place = f"character {error.start + 1}"
        raise FormatError("input", "the argument is no text", place=place, expected="UTF-8") from error
    return argument


def split_links(text: str) -> list[str]:
    """The links of a text, one a line; a pzprv3 file is one."""
    if text.startswith("pzprv3"):
        return [text]
    return [line for line in text.splitlines() if line.strip()]


def _tell(found: Decoded, json: bool) -> None:
    """The board, its canonical link, and what is odd about the one that was read."""
    from e2.pencil.pzpr.document import decoded_record
    from e2.views.pencil_text import pencil_lines

    if json:
        say_json(decoded_record(found))
        return
    for warning in found.warnings:
        note(f"note: {printable(warning)}")
    say(f"{found.puzzle.urlid} {found.board.cols}x{found.board.rows}")
    for letter, meaning in found.puzzle.flags:
        if letter in found.flags:
            say(meaning)
    for line in pencil_lines(found.puzzle, found.board):
        say(line)
    if found.canonical is not None:
        say(printable(found.canonical, 200_000))


def _draw(found: Decoded, path: Path) -> None:
    from e2.store.layout import write_durably
    from e2.views.pencil_svg import pencil_svg

    write_durably(path, pencil_svg(found.puzzle, found.board).encode())
