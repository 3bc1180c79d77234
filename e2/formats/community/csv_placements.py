"""Placements in CSV, `row,column,id,turns`: a board where every cell has a line, hints where only some have.

Rows and columns count from 0, ids from 1, turns are clockwise from the author's own catalogue; -1 stands for a turn
that is not known. Without that catalogue the turns say nothing, except for the five official hints, where they show by
how much the two frames differ.

    8,7,139,3

Carries which piece lies where, mostly with its turn; loses the colours and the name.
"""

from __future__ import annotations

import re

from e2.core.board import EMPTY
from e2.core.grid import MAX_SIDE
from e2.errors import FormatError
from e2.formats.community.hint_rows import in_official_frame
from e2.formats.format import Asked, Format, ReadHint, Reading, checked_size

NAME = "placements_csv"
_ROW = re.compile(r"\s*(\d{1,5})\s*,\s*(\d{1,5})\s*,\s*(\d{1,5})\s*,\s*(-1|\d)\s*")


def looks_right(text: str) -> bool:
    return all(_ROW.fullmatch(line) for line in text.strip().split("\n"))


def read(text: str, asked: Asked) -> Reading:
    """Read a board or hints."""
    rows: list[tuple[int, int, int, int]] = []
    for number, line in enumerate(text.strip().split("\n"), 1):
        match = _ROW.fullmatch(line)
        if match is None or int(match[4]) > 3:
            raise FormatError(NAME, f"{line[:40]!r}", place=f"line {number}", expected="row,column,id,turns")
        row, column, piece, turns = map(int, match.groups())
        if row >= MAX_SIDE or column >= MAX_SIDE or piece < 1:
            raise FormatError(
                NAME, f"{line[:40]!r} is off the board", place=f"line {number}", expected="row, column < 64"
            )
        rows.append((row, column, piece - 1, turns))
    width, height = checked_size(NAME, 1 + max(row[1] for row in rows), 1 + max(row[0] for row in rows))
    if len({row[:2] for row in rows}) != len(rows):
        raise FormatError(NAME, "a cell comes twice", expected="each cell once")
    if len(rows) == width * height:
        return _board(width, height, rows)
    if any(turns < 0 for *_, turns in rows):
        raise FormatError(NAME, "a hint without a turn", expected="turns of 0 to 3")
    width, height = asked.size or (16, 16)
    if any(row >= height or column >= width for row, column, _, _ in rows):
        raise FormatError(NAME, "a hint is off the board", expected=f"a cell of {width}x{height}")
    hints = [ReadHint(row * width + column, piece, turns) for row, column, piece, turns in rows]
    hints, note = in_official_frame(hints, 0)
    return Reading(NAME, width, height, hints=tuple(hints), warnings=(note,))


def _board(width: int, height: int, rows: list[tuple[int, int, int, int]]) -> Reading:
    codes = [EMPTY] * len(rows)
    for row, column, piece, turns in rows:
        if piece >= len(rows):
            raise FormatError(NAME, f"piece id {piece + 1} is out of range", expected=f"1 to {len(rows)}")
        codes[row * width + column] = 4 * piece + max(turns, 0)
    unknown = sum(turns < 0 for *_, turns in rows)
    if unknown:
        note = f"{unknown} of {len(rows)} turns are not known (-1)"
        return Reading(NAME, width, height, numbers=tuple(code >> 2 for code in codes), warnings=(note,))
    return Reading(NAME, width, height, codes=tuple(codes), turns_unsure=True)


FORMAT = Format(NAME, "placements CSV row,column,id,turns", frozenset(), looks_right, read)
