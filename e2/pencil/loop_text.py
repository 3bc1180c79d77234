"""A loop along the sides of cells, as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from e2.core.grid import Grid


def loop_lines(
    grid: Grid,
    labels: Sequence[str],
    is_drawn: Callable[[int, int], bool],
    *,
    mark: Callable[[int, int], str] = lambda x, y: "",
    point: str = " ",
    size: int = 3,
) -> list[str]:
    """The board as 2 * height + 1 lines of width * (size + 1) + 1 characters, in the way of the Slink contest.

    `labels` are what stands in the cells, row-major, `size` is the room for one; `is_drawn` tells of a side, by its
    half-cell coordinates, whether the loop runs there, `mark` what else stands on it. A corner is `-` or `|` where the
    loop goes straight on, `+` where it turns or ends, and `point` where it does not pass.

    >>> loop_lines(Grid(2, 1), ["3", "2"], lambda x, y: x <= 2 and (x, y) != (2, 1))
    ['+---+    ', '| 3   2  ', '+---+    ']
    """

    def corner(x: int, y: int) -> str:
        across = [is_drawn(at, y) for at in (x - 1, x + 1) if 0 < at < 2 * grid.width]
        along = [is_drawn(x, at) for at in (y - 1, y + 1) if 0 < at < 2 * grid.height]
        if not any(across) and not any(along):
            return point
        if sum(across) == 2 and not any(along):
            return "-"
        return "|" if sum(along) == 2 and not any(across) else "+"

    def at(x: int, y: int) -> str:
        if x % 2 == y % 2:
            return f"{labels[grid.cell(y // 2, x // 2)]:^{size}}" if x % 2 else corner(x, y)
        room = size if x % 2 else 1
        return ("-" * room if x % 2 else "|") if is_drawn(x, y) else f"{mark(x, y):^{room}}"

    return ["".join(at(x, y) for x in range(2 * grid.width + 1)) for y in range(2 * grid.height + 1)]
