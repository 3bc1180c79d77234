"""e2pieces.txt: one line a piece, four colours from the top clockwise, 0 for grey.

A first line of two numbers is the size, width before height. In the wild the file is a catalogue: the line is the piece
number. The public page calls it "filled cells as placed". Both are here: `e2pieces` is the catalogue, and
`e2pieces_placed`, which has to be asked for, is a board whose lines are all its cells in row-major order.

    0 0 1 3
    0 0 1 4

The catalogue carries the set, the board what lies on it. Both lose the name and the hints; without a header the size is
taken for a square. The column order top, bottom, left, right is recognised where the file holds the official set, or
where the greys of every corner would lie opposite each other. A file with another number for grey is refused: 0 is a
real colour in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from e2.core.grid import MAX_SIDE
from e2.core.quad import BORDER, Quad
from e2.errors import FormatError
from e2.formats.format import (
    BOARD,
    CATALOGUE,
    MAX_COLOUR,
    Asked,
    Document,
    Format,
    Reading,
    checked_size,
    square_side,
)
from e2.formats.known_set import is_official_at_heart, remarks

NAME = "e2pieces"
PLACED = "e2pieces_placed"


def looks_right(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 + MAX_SIDE * MAX_SIDE:
        return False
    if len(lines) > 1 and re.fullmatch(r"\s*\d+\s+\d+\s*", lines[0]):
        lines = lines[1:]
    return bool(lines) and all(re.fullmatch(r"\s*\d+(\s+\d+){3}\s*", line) for line in lines)


def read(text: str, asked: Asked) -> Reading:
    """Read a catalogue."""
    size, quads = _lines(NAME, text)
    width, height = _size(NAME, size, len(quads), asked)
    quads, warnings = _in_order(quads)
    _refuse_other_grey(NAME, quads, width, height)
    note = (f"read as a catalogue: line = piece number ({PLACED} reads the lines as a board)",)
    return Reading(NAME, width, height, catalogue=quads, warnings=note + warnings + remarks(quads))


def read_placed(text: str, asked: Asked) -> Reading:
    """Read a full board: one line a cell."""
    size, quads = _lines(PLACED, text)
    width, height = _size(PLACED, size, len(quads), asked)
    _refuse_other_grey(PLACED, quads, width, height)
    return Reading(PLACED, width, height, quads=tuple(None if not any(quad) else quad for quad in quads))


def _lines(format: str, text: str) -> tuple[tuple[int, int] | None, tuple[Quad, ...]]:
    """The size of the header, if there is one, and the four numbers of every other line as they stand."""
    size = None
    quads: list[Quad] = []
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split()
        if not fields:
            continue
        for column, field in enumerate(fields, 1):
            if not re.fullmatch(r"[0-9]{1,5}", field) or int(field) > MAX_COLOUR:
                raise FormatError(
                    format,
                    f"{field[:40]!r} is no colour",
                    place=f"line {number}, column {column}",
                    expected=f"0 to {MAX_COLOUR}",
                )
        if len(fields) == 2 and size is None and not quads:
            size = checked_size(format, int(fields[0]), int(fields[1]), f"line {number}")
        elif len(fields) == 4:
            up, right, down, left = map(int, fields)
            quads.append((up, right, down, left))
            if len(quads) > MAX_SIDE * MAX_SIDE:
                raise FormatError(format, "too many lines", place=f"line {number}", expected=f"{MAX_SIDE}x{MAX_SIDE}")
        else:
            raise FormatError(format, f"{len(fields)} numbers", place=f"line {number}", expected="4 colours")
    return size, tuple(quads)


def _size(format: str, header: tuple[int, int] | None, lines: int, asked: Asked) -> tuple[int, int]:
    size = header or asked.size
    if size is None:
        side = square_side(format, lines, "lines")
        return side, side
    width, height = checked_size(format, *size)
    if width * height != lines:
        raise FormatError(
            format, f"{lines} pieces for {width}x{height}", place="line 1", expected=f"{width * height} pieces"
        )
    return width, height


def _in_order(quads: Sequence[Quad]) -> tuple[tuple[Quad, ...], tuple[str, ...]]:
    """The pieces clockwise from the top, where it shows that the columns have another order.

    It shows in two ways: the official set is itself in one order only, and the two greys of a corner lie side by side.
    """
    clockwise = tuple(quads)
    across = tuple((top, right, bottom, left) for top, bottom, left, right in quads)
    corners = [place for place, quad in enumerate(quads) if quad.count(BORDER) == 2]
    torn = bool(corners) and not any(_greys_touch(clockwise[place]) for place in corners)
    mended = torn and all(_greys_touch(across[place]) for place in corners)
    if mended or (not is_official_at_heart(clockwise) and is_official_at_heart(across)):
        return across, ("column order: top bottom left right (N S W E), put in clockwise order",)
    return clockwise, ()


def _greys_touch(quad: Quad) -> bool:
    return any(quad[side] == quad[(side + 1) % 4] == BORDER for side in range(4))


def _refuse_other_grey(format: str, quads: Sequence[Quad], width: int, height: int) -> None:
    """Refuse a set in which another number than 0 stands exactly where grey belongs."""
    rim = 2 * (width + height)
    if sum(quad.count(BORDER) for quad in quads) == rim or min(width, height) < 2:
        return
    for colour in sorted({colour for quad in quads for colour in quad} - {BORDER}):
        counts = [quad.count(colour) for quad in quads]
        if counts.count(2) == 4 and counts.count(1) == rim - 8 and not any(count > 2 for count in counts):
            raise FormatError(
                format,
                f"grey is {colour} in this file, and 0 is a real colour",
                place="the set",
                expected="0 for grey and colours from 1",
            )


def write(document: Document) -> str:
    """The catalogue; a rectangle gets a size line."""
    if document.catalogue is None:
        raise FormatError(NAME, "the piece set is not known", expected="a puzzle, or a board of a known set")
    return _text(document, document.catalogue)


def write_placed(document: Document) -> str:
    """The board, one line a cell. A board with empty cells has no such form."""
    assert document.quads is not None
    filled = [quad for quad in document.quads if quad is not None]
    if len(filled) != len(document.quads):
        empty = len(document.quads) - len(filled)
        raise FormatError(PLACED, f"{empty} cells are empty", expected="a full board: a line names no cell")
    return _text(document, filled)


def _text(document: Document, quads: Sequence[Quad]) -> str:
    header = [] if document.is_square else [f"{document.width} {document.height}"]
    return "\n".join([*header, *("{} {} {} {}".format(*quad) for quad in quads)]) + "\n"


def _never(text: str) -> bool:
    return False


FORMAT = Format(NAME, "e2pieces.txt, the catalogue", frozenset({CATALOGUE}), looks_right, read, write, key=NAME)
PLACED_FORMAT = Format(PLACED, "e2pieces.txt as placed", frozenset({BOARD}), _never, read_placed, write_placed)
