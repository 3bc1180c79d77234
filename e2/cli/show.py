"""e2 show: a board in the terminal or as a picture, and how two boards differ."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.options import From, Input, Json, Lenient, Puzzle
from e2.cli.output import DONE, NO, say, say_json
from e2.cli.verify import audit_record
from e2.errors import FormatError, RunError, SettingsError
from e2.store.inputs import Item, items, puzzle_option, readings
from e2.views.audit_text import audit_lines
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.formats.format import Document, Reading
    from e2.formats.judge import Judged

_KINDS = ("same", "turned", "other", "only_first", "only_second", "empty")  # with --json, in the order of WORDS


def show(
    input: Input,
    puzzle: Puzzle = None,
    format: From = None,
    lenient: Lenient = False,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture as SVG.")] = None,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Write a picture as PNG.")] = None,
    style: Annotated[str | None, typer.Option(help="Of a picture: motifs (default), colours or letters.")] = None,
    cell: Annotated[int | None, typer.Option(help="Of a picture: the side of a cell in pixels; default: 40.")] = None,
    against: Annotated[
        str | None, typer.Option(metavar="OTHER", help="Show how the board differs from this one.")
    ] = None,
    json: Json = False,
) -> int:
    """Draw a board: piece numbers, and a bar on every seam that is not matched. With --svg or --png, as a picture.

    A run folder shows its best board, a puzzle its hints. Exit code 1 for an illegal board.

    \b
    Example:
      e2 show tests/cases/edges-465.txt
      e2 show tests/cases/edges-465.txt --svg board.svg
      e2 show tests/cases/edges-465.txt --against tests/cases/edges-464.txt
    """
    from e2.formats.convert import document
    from e2.views.difference_svg import WORDS

    _check_options(svg, png, style, cell, against)
    item, reading, judged = _chosen(input, puzzle, format, lenient)
    legal = judged is None or judged.audit.is_legal
    code = DONE if legal else NO
    if svg is not None or png is not None or against is not None:
        given = _document(item, reading, judged)
        other = None if against is None else _document(*_chosen(against, puzzle, None, lenient))
        _draw(given, other, svg, png, style or "motifs", 40 if cell is None else cell)
        written = [str(path) for path in (svg, png) if path is not None]
        counts = () if other is None else _counts(given, other)
        if json:
            record = {"input": printable(item.label, 200), **dict(zip(_KINDS, counts, strict=False))}
            say_json({**record, "wrote": written, "legal": legal})
            return code
        for word, count in zip(WORDS, counts, strict=False):
            say(f"{word:<20} {count}")
        for name in written:
            say(f"wrote {printable(name)}")
        return code
    lines = picture(document(judged or reading, item.instance)) if legal else []
    if json:
        record = {"input": printable(item.label, 200), "format": reading.format}
        say_json({**(record if judged is None else audit_record(item.label, judged)), "lines": lines})
        return code
    if judged is not None and reading.name:
        say(printable(reading.name, 60))
    for line in lines:
        say(line)
    for word, text in () if judged is None else audit_lines(judged):
        say(f"{word:<14} {text}")
    return code


def _check_options(
    svg: Path | None, png: Path | None, style: str | None, cell: int | None, against: str | None
) -> None:
    """Refuse what would have no effect, and a place where nothing can be written."""
    if svg is None and png is None and (style is not None or cell is not None):
        raise SettingsError("--style and --cell are for a picture: they need --svg or --png")
    if against is not None and style is not None:
        raise SettingsError("--style is not for --against: a difference has one look")
    for path in (svg, png):
        if path is not None and path.is_dir():
            raise RunError(f"{path} cannot be written: it is a folder")
        if path is not None and not path.parent.is_dir():
            raise RunError(f"{path} cannot be written: there is no folder {path.parent}")


def _chosen(
    argument: str, puzzle: str | None, format: str | None, lenient: bool
) -> tuple[Item, Reading, Judged | None]:
    """What is shown of an argument: its best board, or the hints of the puzzle where there is no board in it."""
    from e2.formats.convert import document
    from e2.formats.judge import judge

    found = [
        (item, reading)
        for item in items(argument, puzzle_option(puzzle))
        for reading in readings(item, format, lenient)
    ]
    judged = [(item, reading, judge(reading, item.instance)) for item, reading in found if reading.has_board]
    if judged:
        return max(judged, key=lambda entry: entry[2].audit.score)
    item, reading = found[0]
    if document(reading, item.instance).quads is None:
        raise FormatError(reading.format, "there is no board and no hint in it", expected="placed pieces")
    return item, reading, None


def _document(item: Item, reading: Reading, judged: Judged | None) -> Document:
    """What a picture is drawn from."""
    from e2.formats.convert import document
    from e2.views.shown_board import drawn_document

    return document(reading, item.instance) if judged is None else drawn_document(judged)


def _draw(given: Document, other: Document | None, svg: Path | None, png: Path | None, style: str, cell: int) -> None:
    """Write the pictures that were asked for; all of them are drawn before the first is written."""
    from e2.store.layout import write_durably
    from e2.views.board_svg import board_svg
    from e2.views.difference_svg import difference_svg
    from e2.views.png import png as as_png

    if svg is None and png is None:
        return
    text = board_svg(given, style=style, cell=cell) if other is None else difference_svg(given, other, cell=cell)
    drawn = [] if svg is None else [(svg, text.encode())]
    if png is not None:
        drawn.append((png, as_png(text)))
    for path, data in drawn:
        write_durably(path, data)


def _counts(given: Document, other: Document) -> tuple[int, ...]:
    """How many cells stand in each relation, in the order of WORDS."""
    from e2.views.difference_svg import WORDS, differences

    found = differences(given, other)
    return tuple(found.count(kind) for kind in range(len(WORDS)))


def picture(given: Document) -> list[str]:
    """The board of a document as lines: piece numbers where the set is known, else the letters of each cell."""
    from e2.views.board_text import ASCII, UNICODE, board_lines

    assert given.quads is not None
    if given.codes is not None:
        labels = [str(code // 4 + 1) for code in given.codes]
    else:
        labels = ["".join(chr(ord("a") + colour) for colour in quad or ()) for quad in given.quads]
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    return board_lines(given.grid, labels, given.quads, UNICODE if unicode else ASCII)
