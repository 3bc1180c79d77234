"""Boards in 16-bit words: `top,right,bottom,left,index,rot`, one line a cell, row-major.

The sibling of Puzzle CSV that a solver writes its boards in; a link may stand where the size would. The word 0 is a
real colour in it, so all colours move up by one where it occurs.

Carries what lies on each cell and which piece; loses the name, the hints and the set.
"""

from __future__ import annotations

import re

from e2.core.quad import Quad
from e2.errors import FormatError
from e2.formats.format import Asked, Format, Reading, square_side
from e2.formats.puzzle_csv import colour_of

NAME = "placed_csv"
_ROW = re.compile(r"[01]{16}(,[01]{16}){3},[0-9]{1,5},[0-9]")


def looks_right(text: str) -> bool:
    lines = text.strip().split("\n", 2)[:2]
    return any(_ROW.fullmatch(line.strip()) is not None for line in lines)


def read(text: str, asked: Asked) -> Reading:
    """Read one board; it must be square."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    notes: tuple[str, ...] = ("a board, not a puzzle",)
    if lines[0][1].startswith("http"):
        lines = lines[1:]
        notes += ("the link in the first line is not read: it writes grey and the word 0 as one letter",)
    side = square_side(NAME, len(lines), "cells")
    moved = any("0" * 16 in line.split(",")[:4] for _, line in lines)
    quads: list[Quad | None] = []
    codes = []
    for number, line in lines:
        fields = line.split(",")
        if not _ROW.fullmatch(line) or int(fields[4]) >= len(lines) or int(fields[5]) > 3:
            raise FormatError(
                NAME, f"{line[:80]!r} is no cell", place=f"line {number}", expected="top,right,bottom,left,index,rot"
            )
        up, right, down, left = (colour_of(NAME, fields[column], number, column, moved) for column in range(4))
        quads.append((up, right, down, left))
        codes.append(4 * int(fields[4]) + int(fields[5]))
    if moved:
        notes += ("the word 0 is a real colour here: every colour has moved up by one",)
    return Reading(NAME, side, side, quads=tuple(quads), numbers=tuple(code >> 2 for code in codes), warnings=notes)


FORMAT = Format(NAME, "board in 16-bit words", frozenset(), looks_right, read)
