"""Cells of a w x h board: row-major indices, neighbours, seams, rings and people's names for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from e2.core.quad import DOWN, LEFT, RIGHT, UP

MAX_SIDE = 64
"""The longest side that any input may claim; checked before a claimed size is believed."""


@dataclass(frozen=True, order=True)
class Seam:
    """The boundary between two neighbouring cells: `side` is the side of `cell` that touches `neighbour`."""

    cell: int
    side: int
    neighbour: int


@dataclass(frozen=True)
class Grid:
    """A board of `width` x `height` cells. Cell 0 is the top left, indices run along the rows."""

    width: int
    height: int

    @property
    def cells(self) -> int:
        return self.width * self.height

    @property
    def max_score(self) -> int:
        """The number of seams: 480 for 16x16."""
        return 2 * self.width * self.height - self.width - self.height

    def cell(self, row: int, column: int) -> int:
        return row * self.width + column

    def row_column(self, cell: int) -> tuple[int, int]:
        return divmod(cell, self.width)

    def neighbour(self, cell: int, side: int) -> int | None:
        """The cell across `side`, or None where that side lies on the rim."""
        row, column = divmod(cell, self.width)
        if side == UP:
            return cell - self.width if row > 0 else None
        if side == RIGHT:
            return cell + 1 if column < self.width - 1 else None
        if side == DOWN:
            return cell + self.width if row < self.height - 1 else None
        assert side == LEFT
        return cell - 1 if column > 0 else None

    def rim_sides(self, cell: int) -> tuple[int, ...]:
        """The sides of the cell that lie on the rim of the board."""
        return tuple(side for side in range(4) if self.neighbour(cell, side) is None)

    def is_frame_cell(self, cell: int) -> bool:
        return bool(self.rim_sides(cell))

    def ring(self, cell: int) -> int:
        """How far the cell lies from the rim: 0 on the frame."""
        row, column = divmod(cell, self.width)
        return min(row, column, self.height - 1 - row, self.width - 1 - column)

    @cached_property
    def seams(self) -> tuple[Seam, ...]:
        """All inner boundaries, each once, by cell, the right one before the lower one."""
        return tuple(self._seams())

    def _seams(self) -> Iterator[Seam]:
        for cell in range(self.cells):
            for side in (RIGHT, DOWN):
                neighbour = self.neighbour(cell, side)
                if neighbour is not None:
                    yield Seam(cell, side, neighbour)

    def turned(self) -> Grid:
        """The grid after a quarter turn of the whole board."""
        return Grid(self.height, self.width)

    def turned_cell(self, cell: int) -> int:
        """Where the cell lies after a clockwise quarter turn of the whole board.

        >>> Grid(3, 2).turned_cell(0)
        1
        """
        row, column = divmod(cell, self.width)
        return column * self.height + (self.height - 1 - row)

    def name(self, cell: int) -> str:
        """The cell as people write it: row letters from the top, column number from the left.

        >>> Grid(16, 16).name(135)
        'I8'
        """
        row, column = divmod(cell, self.width)
        letters = ""
        row += 1
        while row:
            row, letter = divmod(row - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return f"{letters}{column + 1}"
