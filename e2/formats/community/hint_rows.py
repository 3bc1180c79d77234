"""Hint files: one placement a line, `piece row column rot` or `piece column row rot`, `#` before comments.

The piece number is 1-based, rows and columns count from 0. Which of the two orders is meant shows when the pieces are
the official five; otherwise the row is taken first, and the reader says so. Turns are clockwise in the frame of the
community's piece files: rot here = rot + 2.

    139 8 7 2

Carries cell, piece and turn of each hint.
"""

from __future__ import annotations

import re
from math import isqrt

from e2.core.official import OFFICIAL_HINTS
from e2.errors import FormatError
from e2.formats.format import Asked, Format, ReadHint, Reading

NAME = "hint_rows"
_ROW = re.compile(r"\s*(\d{1,5})\s+(\d{1,2})\s+(\d{1,2})\s+([0-3])\s*")
COMMUNITY_TURN = 2
_SIDE = 16
_MOST_LINES = 1000


def looks_right(text: str) -> bool:
    rows = _payload(text)
    return bool(rows) and len(rows) <= 64 and all(_ROW.fullmatch(line) for _, line in rows) and not _is_catalogue(rows)


def _payload(text: str) -> list[tuple[int, str]]:
    lines = ((number, line.split("#", 1)[0]) for number, line in enumerate(text.split("\n", _MOST_LINES), 1))
    return [(number, line) for number, line in lines if line.strip()]


def _is_catalogue(rows: list[tuple[int, str]]) -> bool:
    """Four numbers a line are a piece list too; there the greys give it away: a full rim of zeros."""
    side = isqrt(len(rows))
    zeros = sum(line.split().count("0") for _, line in rows)
    return side * side == len(rows) and zeros == 4 * side


def read(text: str, asked: Asked) -> Reading:
    """Read the hints of a 16x16 board, or of `asked.size`."""
    width, height = asked.size or (_SIDE, _SIDE)
    rows = []
    for number, line in _payload(text):
        match = _ROW.fullmatch(line)
        if match is None or int(match[1]) < 1:
            raise FormatError(NAME, f"{line.strip()[:40]!r}", place=f"line {number}", expected="piece row column rot")
        piece, first, second, rot = map(int, match.groups())
        rows.append((number, line.strip(), piece, first, second, rot))
    if not rows:
        raise FormatError(NAME, "there is no hint in it", expected="piece row column rot")
    by_row = [ReadHint(first * width + second, piece - 1, rot) for _, _, piece, first, second, rot in rows]
    by_column = [ReadHint(second * width + first, piece - 1, rot) for _, _, piece, first, second, rot in rows]
    column_first = official_matches(by_column) > official_matches(by_row)
    hints = by_column if column_first else by_row
    for number, line, piece, first, second, _ in rows:
        row, column = (second, first) if column_first else (first, second)
        if row >= height or column >= width or piece > width * height:
            raise FormatError(NAME, f"{line!r} is off the board", place=f"line {number}", expected=f"{width}x{height}")
    if len({hint.cell for hint in hints}) != len(hints):
        raise FormatError(NAME, "a cell is pinned twice", expected="each cell once")
    order = "piece column row rot" if column_first else "piece row column rot"
    hints, note = in_official_frame(hints, COMMUNITY_TURN)
    return Reading(NAME, width, height, hints=tuple(hints), warnings=(f"columns: {order}", note))


def official_matches(hints: list[ReadHint]) -> int:
    """How many of the hints pin an official hint's piece on its cell."""
    official = {(hint.cell, hint.piece) for hint in OFFICIAL_HINTS}
    return sum((hint.cell, hint.piece) in official for hint in hints)


def in_official_frame(hints: list[ReadHint], otherwise: int) -> tuple[list[ReadHint], str]:
    """The hints with turns of the published catalogue, and what was taken.

    Where official hints are among them and agree, the added turn follows from them; else it is `otherwise`.
    """
    official: dict[tuple[int, int | None], int] = {(hint.cell, hint.piece): hint.rot for hint in OFFICIAL_HINTS}
    known = [(official.get((hint.cell, hint.piece)), hint.rot) for hint in hints]
    added = {(here - rot) % 4 for here, rot in known if here is not None}
    turn = added.pop() if len(added) == 1 else otherwise
    moved = [ReadHint(hint.cell, hint.piece, (hint.rot + turn) % 4) for hint in hints]
    return moved, f"rotation convention: rot here = rot + {turn}"


FORMAT = Format(NAME, "hint file, piece row column rot", frozenset(), looks_right, read)
