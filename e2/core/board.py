"""A board: one placement code per cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from e2.core.grid import Grid
from e2.core.pieces import PieceSet
from e2.core.quad import Quad

EMPTY = -1
"""The code of a cell without a piece."""


@dataclass(frozen=True)
class Board:
    """`codes[cell]` is `4 * piece + rot`, or EMPTY. Row-major, `width * height` long."""

    width: int
    height: int
    codes: tuple[int, ...]

    def __post_init__(self) -> None:
        assert len(self.codes) == self.width * self.height

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.width, self.height)

    @property
    def placed(self) -> int:
        """How many cells hold a piece."""
        return sum(code != EMPTY for code in self.codes)

    def quads(self, pieces: PieceSet) -> tuple[Quad | None, ...]:
        """What each cell shows; None where it is empty."""
        return tuple(None if code == EMPTY else pieces.placed(code >> 2, code & 3) for code in self.codes)

    def turned(self) -> Board:
        """The whole board after a clockwise quarter turn: same score, other placements."""
        codes = [EMPTY] * len(self.codes)
        for cell, code in enumerate(self.codes):
            codes[self.grid.turned_cell(cell)] = code if code == EMPTY else (code & ~3) | (code + 1) & 3
        return Board(self.height, self.width, tuple(codes))

    def pieces_used_twice(self) -> tuple[int, ...]:
        """The pieces (0-based) that lie on more than one cell, sorted."""
        seen: set[int] = set()
        twice: set[int] = set()
        for code in self.codes:
            if code != EMPTY:
                (twice if code >> 2 in seen else seen).add(code >> 2)
        return tuple(sorted(twice))
