"""A board as lines of text: piece numbers in a grid, with every seam that is not matched marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from e2.core.grid import Grid
from e2.core.quad import BORDER, DOWN, RIGHT, Quad, opposite

MATCHED, MISMATCHED, OPEN = range(3)
"""State of a seam: matched, both cells filled but not matched, or beside an empty cell."""


@dataclass(frozen=True)
class Marks:
    """What stands on a seam, by state, for seams between columns and between rows."""

    upright: tuple[str, str, str]
    level: tuple[str, str, str]
    empty: str


UNICODE = Marks(
    (" ", "\N{BOX DRAWINGS HEAVY VERTICAL}", "\N{BOX DRAWINGS LIGHT TRIPLE DASH VERTICAL}"),
    (" ", "\N{BOX DRAWINGS HEAVY HORIZONTAL}", "\N{BOX DRAWINGS LIGHT TRIPLE DASH HORIZONTAL}"),
    "\N{MIDDLE DOT}",
)
ASCII = Marks((" ", "|", ":"), (" ", "-", "."), ".")


def board_lines(grid: Grid, labels: Sequence[str], quads: Sequence[Quad | None], marks: Marks = UNICODE) -> list[str]:
    """The board as lines; `labels` and `quads` are row-major.

    A heavy bar is a mismatched seam, a dashed one lies beside an empty cell. The rim carries row letters and column
    numbers as people write cells.
    """
    size = max(3, max(map(len, labels), default=0))
    left = max(len(grid.name(cell).rstrip("0123456789")) for cell in range(grid.cells))
    lines = [" " * left + "".join(f" {column + 1:>{size}}" for column in range(grid.width))]
    for row in range(grid.height):
        cells = range(row * grid.width, (row + 1) * grid.width)
        name = grid.name(cells[0]).rstrip("0123456789")
        line = f"{name:<{left}} "
        for cell in cells:
            label = labels[cell] if quads[cell] is not None else marks.empty
            line += f"{label:>{size}}"
            if cell + 1 in cells:
                line += marks.upright[seam_state(grid, quads, cell, RIGHT)]
        lines.append(line.rstrip())
        if row + 1 < grid.height:
            states = [seam_state(grid, quads, cell, DOWN) for cell in cells]
            bars = "".join(
                " " + (marks.level[state] * (size if state == MISMATCHED else 1)).rjust(size) for state in states
            )
            lines.append((" " * left + bars).rstrip())
    return lines


def seam_state(grid: Grid, quads: Sequence[Quad | None], cell: int, side: int) -> int:
    """MATCHED, MISMATCHED or OPEN for the seam at `side` of `cell`; two empty cells count as matched, with no mark."""
    neighbour = grid.neighbour(cell, side)
    assert neighbour is not None
    here, there = quads[cell], quads[neighbour]
    if here is None and there is None:
        return MATCHED
    if here is None or there is None:
        return OPEN
    matched = here[side] == there[opposite(side)] and here[side] != BORDER
    return MATCHED if matched else MISMATCHED
