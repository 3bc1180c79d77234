"""e2 pencil decode: what is in a puzzle link."""

from __future__ import annotations

import os
import re
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

    Of a file of slither, yajilin, akari or shakashaka, what a player has drawn is shown too.

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
    """The text of a file or of standard input, or else the argument itself.

    FormatError for what cannot be read, and for an argument that is no file and can only have been meant as one.
    """
    from e2.store.source import read_stream

    try:
        argument.encode()
    except UnicodeEncodeError as error:
        place = f"character {error.start + 1}"
        raise FormatError("input", "the argument is no text", place=place, expected="UTF-8") from error
    if argument == "-" or (len(argument) < 4096 and "\0" not in argument and os.path.exists(argument)):
        return read_stream(argument).text
    if _must_be_a_file(argument):
        expected = "a file, - or a link to a kind of puzzle that is known here"
        raise FormatError("input", f"no such file: {argument}", expected=expected)
    return argument


def _must_be_a_file(argument: str) -> bool:
    """Whether an argument can be no link: it names no puzzle, and either ends as files do or has no size in it."""
    from e2.pencil.pzpr.decode import names_a_puzzle

    first, *rest = argument.split("/")
    if re.search(r"[?:&=\n]|^pzprv3", argument) or names_a_puzzle(re.sub("_(edit|play)$", "", first)):
        return False
    if first in ("", ".", "..", "~") or re.search(r"\.[A-Za-z][A-Za-z0-9]{0,7}$", argument):
        return True
    return not re.search(r"\s", argument) and not any(part.isdecimal() for part in rest)


def split_links(text: str) -> list[str]:
    """The links of a text, one a line; a pzprv3 file is one. FormatError where there is none."""
    if text.startswith("pzprv3"):
        return [text]
    links = [line for line in text.splitlines() if line.strip()]
    if not links:
        raise FormatError("input", "there is no link", expected="a link, a file or -")
    return links


def _tell(found: Decoded, json: bool) -> None:
    """The board, its canonical link, and what is odd about the one that was read."""
    from e2.pencil.pzpr.document import decoded_record
    from e2.pencil.pzpr.link import MOST_TEXT
    from e2.pencil.pzpr.saved import drawn_session
    from e2.views.pencil_text import pencil_lines, session_lines

    if json:
        say_json(decoded_record(found))
        return
    for warning in found.warnings:
        note(f"note: {printable(warning)}")
    say(f"{found.puzzle.urlid} {found.board.cols}x{found.board.rows}")
    for letter, meaning in found.puzzle.flags:
        if letter in found.flags:
            say(meaning)
    drawn = drawn_session(found)
    for line in pencil_lines(found.puzzle, found.board) if drawn is None else session_lines(drawn):
        say(line)
    if found.canonical is not None:
        say(printable(found.canonical, MOST_TEXT))


def _draw(found: Decoded, path: Path) -> None:
    from e2.pencil.pzpr.saved import drawn_session
    from e2.store.layout import write_durably
    from e2.views.pencil_svg import pencil_svg, session_svg

    drawn = drawn_session(found)
    svg = pencil_svg(found.puzzle, found.board) if drawn is None else session_svg(drawn)
    write_durably(path, svg.encode())
