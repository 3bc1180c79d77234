"""What a pencil-puzzle link says of a board: its givens, before anybody has drawn on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from e2.core.grid import Grid
from e2.errors import FormatError

BLANK, UNKNOWN, MARK, UNREADABLE = -1, -2, -3, -4
"""Values of a cell beside its number: nothing, a given without a number (`?`, or a plain wall), yajilin's special mark,
and a number that the link spoils. The last one is written as a blank."""

MOST_SIDE = 256
"""The longest side of a board that is believed."""


@dataclass(frozen=True)
class PencilBoard:
    """The givens of a puzzle. Everything is row-major; parts that a puzzle does not have are empty.

    `cells` holds `cols * rows` numbers, `directions` as many (0 none, 1 up, 2 down, 3 left, 4 right). `upright` are the
    `(cols - 1) * rows` inner borders between neighbours in a row, `level` the `cols * (rows - 1)` between neighbours in
    a column. `crosses` are the `(cols + 1) * (rows + 1)` corners, `outside` the numbers above the columns and then
    those to the left of the rows.
    """

    cols: int
    rows: int
    cells: tuple[int, ...]
    directions: tuple[int, ...] = ()
    upright: tuple[int, ...] = ()
    level: tuple[int, ...] = ()
    crosses: tuple[int, ...] = ()
    outside: tuple[int, ...] = ()

    @classmethod
    def blank(cls, cols: int, rows: int) -> PencilBoard:
        """A board of this size with nothing on it."""
        return cls(cols, rows, (BLANK,) * (cols * rows))

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.cols, self.rows)

    @cached_property
    def rooms(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each room, ascending; the rooms in the order of their first cells."""
        room: dict[int, int] = {}
        found: list[list[int]] = []
        for start in range(len(self.cells)):
            if start in room:
                continue
            room[start] = len(found)
            members = [start]
            for cell in members:
                for other in self._joined(cell):
                    if other not in room:
                        room[other] = len(found)
                        members.append(other)
            found.append(sorted(members))
        return tuple(map(tuple, found))

    def _joined(self, cell: int) -> list[int]:
        """The neighbours of a cell without a border between."""
        row, column = self.grid.row_column(cell)
        joined = []
        if column and not self.upright[row * (self.cols - 1) + column - 1]:
            joined.append(cell - 1)
        if column < self.cols - 1 and not self.upright[row * (self.cols - 1) + column]:
            joined.append(cell + 1)
        if row and not self.level[cell - self.cols]:
            joined.append(cell - self.cols)
        if row < self.rows - 1 and not self.level[cell]:
            joined.append(cell + self.cols)
        return joined

    def number_cell(self, room: tuple[int, ...]) -> int:
        """The cell of a room that holds its number: the leftmost one, and of several the topmost."""
        return min(room, key=lambda cell: (cell % self.cols, cell))

    def with_rooms(self, labels: list[int]) -> PencilBoard:
        """The board with a border wherever two neighbours have different labels; `labels` are by cell."""
        cols, cells = self.cols, range(len(self.cells))
        return replace(
            self,
            upright=tuple(int(labels[cell] != labels[cell + 1]) for cell in cells if (cell + 1) % cols),
            level=tuple(int(labels[cell] != labels[cell + cols]) for cell in cells[: len(cells) - cols]),
        )


def checked_size(format: str, cols: float, rows: float) -> tuple[int, int]:
    """The size of a board, or the FormatError that it deserves, before anything of that size is made."""
    for side, place in ((cols, "columns"), (rows, "rows")):
        if not 1 <= side <= MOST_SIDE or side != int(side):
            raise FormatError(
                format, f"{side:g} {place}", place=place, expected=f"a whole number from 1 to {MOST_SIDE}"
            )
    return int(cols), int(rows)
