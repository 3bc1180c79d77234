"""Puzzle CSV: a set of pieces in 16-bit words, with pinned placements.

The first line is the side of the square board. Then one line a piece, `top,right,bottom,left,x,y,rotation`: the
colours as 16 binary digits, grey as sixteen ones; `x` is the column, `y` the row of a hint. `0,0,0` means no hint, and
the three may be left out.

    16
    1111111111111111,1111111111111111,0000000000000001,0000000000000011,0,0,3

Carries the set and the hints. Loses the name, and a hint at cell 0 with rot 0, which cannot be told from none. The word
0 is no colour. There is no form for rectangles.
"""

from __future__ import annotations

import re
from dataclasses import replace

from e2.core.grid import MAX_SIDE
from e2.core.quad import BORDER, SIDE_NAMES, Quad
from e2.errors import FormatError
from e2.formats.format import CATALOGUE, HINTS, MAX_COLOUR, Asked, Document, Format, ReadHint, Reading

NAME = "puzzle_csv"
GREY_WORD = "1" * 16


def looks_right(text: str) -> bool:
    lines = text.split(None, 2)[:2]
    return any(re.search(r"[01]{14,},|,[01]{14,}", line) is not None for line in lines) or (
        re.match(r"\s*[0-9]+\s+([01]{14,}|65535)\s*,", text) is not None
    )


def read(text: str, asked: Asked) -> Reading:
    """Read one puzzle. Blank lines and blanks around the commas are skipped."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines or not re.fullmatch(r"[0-9]{1,6}", lines[0][1]):
        shown = lines[0][1][:60] if lines else ""
        raise FormatError(
            NAME, f"the size line is missing: {shown!r}", place="line 1", expected="the side of the board, a number"
        )
    side = int(lines[0][1])
    rows = lines[1:]
    if not 1 <= side <= MAX_SIDE or len(rows) != side * side:
        raise FormatError(
            NAME,
            f"{len(rows)} pieces for a board of side {side}",
            place="line 1",
            expected=f"{side * side} pieces, and a side of 1 to {MAX_SIDE}",
        )
    catalogue: list[Quad] = []
    hints: list[ReadHint] = []
    for piece, (number, line) in enumerate(rows):
        fields = [field.strip() for field in line.split(",")]
        if len(fields) not in (4, 7):
            raise FormatError(
                NAME,
                f"{len(fields)} columns"
                + (": ten-column files use the word 0 as a colour, which is grey here" if len(fields) == 10 else ""),
                place=f"line {number}",
                expected="top,right,bottom,left[,x,y,rotation]",
            )
        up, right, down, left = (colour_of(NAME, fields[side], number, side) for side in range(4))
        catalogue.append((up, right, down, left))
        if len(fields) == 7 and fields[4:] != ["0", "0", "0"]:
            hints.append(_hint(fields[4:], piece, side, number))
    cells = [hint.cell for hint in hints]
    if len(set(cells)) != len(cells):
        raise FormatError(NAME, "a cell is pinned twice", expected="each cell once")
    return Reading(NAME, side, side, hints=tuple(hints), catalogue=tuple(catalogue))


def colour_of(format: str, word: str, line: int, column: int, zero_is_a_colour: bool = False) -> int:
    """The colour of a 16-bit word. With `zero_is_a_colour` every colour moves up by one, to keep 0 for grey."""
    place = f"line {line}, column {column + 1}"
    if not re.fullmatch(r"[01]{16}", word):
        raise FormatError(
            format, f"{word[:40]!r} is no 16-bit word ({SIDE_NAMES[column]})", place=place, expected="16 binary digits"
        )
    if word == GREY_WORD:
        return BORDER
    if zero_is_a_colour:
        return int(word, 2) + 1
    if int(word, 2) == 0:
        raise FormatError(
            format, f"the word 0 is no colour ({SIDE_NAMES[column]})", place=place, expected=f"grey as {GREY_WORD}"
        )
    return int(word, 2)


def _hint(fields: list[str], piece: int, side: int, line: int) -> ReadHint:
    for field, column, end in zip(fields, "567", (side, side, 4), strict=True):
        if not re.fullmatch(r"[0-9]{1,4}", field) or int(field) >= end:
            raise FormatError(
                NAME, f"{field[:40]!r} in a hint", place=f"line {line}, column {column}", expected=f"0 to {end - 1}"
            )
    x, y, rot = map(int, fields)
    return ReadHint(y * side + x, piece, rot)


def strip(document: Document) -> tuple[Document, tuple[str, ...]]:
    """Take out the hint that the text cannot tell from none."""
    kept = tuple(hint for hint in document.hints if (hint.cell, hint.rot) != (0, 0))
    if kept == document.hints:
        return document, ()
    return replace(document, hints=kept), ("the hint at cell 0 with rot 0: 0,0,0 means no hint",)


def write(document: Document) -> str:
    """The puzzle, one line a piece."""
    if document.catalogue is None:
        raise FormatError(NAME, "the piece set is not known", expected="a puzzle, or a board of a known set")
    if not document.is_square:
        raise FormatError(NAME, f"{document.width}x{document.height} is no square", expected="a square board")
    assert document.width is not None
    pinned = {hint.piece: hint for hint in document.hints}
    if None in pinned:
        raise FormatError(NAME, f"the hint at {pinned[None].cell} names no piece", expected="a hint with its piece")
    if len(pinned) != len(document.hints):
        raise FormatError(NAME, "a piece is pinned twice", expected="each piece once: its line holds one hint")
    lines = [str(document.width)]
    for piece, quad in enumerate(document.catalogue):
        x = y = rot = 0
        if piece in pinned:
            y, x = divmod(pinned[piece].cell, document.width)
            rot = pinned[piece].rot
        lines.append(",".join([*map(_word, quad), str(x), str(y), str(rot)]))
    return "\n".join(lines) + "\n"


def _word(colour: int) -> str:
    assert 0 <= colour <= MAX_COLOUR
    return GREY_WORD if colour == BORDER else f"{colour:016b}"


FORMAT = Format(NAME, "Puzzle CSV", frozenset({CATALOGUE, HINTS}), looks_right, read, write, strip, key=NAME)
