"""In which order the cells are filled. A fill order is data: a permutation of the cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from e2.core.grid import Grid
from e2.errors import SettingsError

_EXPECTED = '"rows", "columns", "spiral-in", "blackwood", "comb", "comb:H" with H full rows, or a list of all cells'


SIDES = 8
"""From which a board can be filled: four turns, each of them mirrored too."""


def fill_order(grid: Grid, spec: str | list[int], turn: int = 0) -> tuple[int, ...]:
    """The cells in the order that `spec` names, on the board seen from one of its eight sides.

    The board is turned clockwise by `turn % 4` quarter turns; from turn 4 on, what then is left is right. With turn 2,
    "rows" starts at the bottom right, with turn 6 at the bottom left. A list of cells is seen so too.

    >>> fill_order(Grid(3, 2), "columns")
    (0, 3, 1, 4, 2, 5)
    >>> fill_order(Grid(3, 2), "rows", turn=4)
    (2, 1, 0, 5, 4, 3)
    """
    turned = [grid]
    for _ in range(turn % 4):
        turned.append(turned[-1].turned())
    seen = turned[-1]
    cells = _listed(seen, spec) if isinstance(spec, list) else _named(seen, spec)
    if turn % SIDES >= 4:
        cells = [seen.cell(cell // seen.width, seen.width - 1 - cell % seen.width) for cell in cells]
    for before in reversed(turned[:-1]):
        back = {before.turned_cell(cell): cell for cell in range(before.cells)}
        cells = [back[cell] for cell in cells]
    return tuple(cells)


def _listed(grid: Grid, cells: list[int]) -> list[int]:
    wrong = [cell for cell in cells if not 0 <= cell < grid.cells]
    if wrong:
        raise SettingsError(f"fill_order: {wrong[0]} is no cell; expected 0 to {grid.cells - 1}")
    if len(set(cells)) != len(cells):
        twice = next(cell for at, cell in enumerate(cells) if cell in cells[:at])
        raise SettingsError(f"fill_order: cell {twice} stands there twice; expected each cell once")
    if len(cells) != grid.cells:
        missing = min(set(range(grid.cells)) - set(cells))
        raise SettingsError(f"fill_order: cell {missing} is missing; expected all {grid.cells} cells")
    return list(cells)


def _named(grid: Grid, name: str) -> list[int]:
    word, _, height = name.partition(":")
    if word == "comb" and height.isascii() and height.isdecimal():
        full_rows = int(height.lstrip("0")[:9] or 0)
        if full_rows > grid.height:
            raise SettingsError(f"fill_order: {name[:40]} has more full rows than the board's {grid.height}")
        return list(_comb(grid, full_rows))
    if name not in _NAMED:
        raise SettingsError(f"fill_order: {name[:40]!r} is unknown; expected {_EXPECTED}")
    return list(_NAMED[name](grid))


def _rows(grid: Grid) -> Iterator[int]:
    yield from range(grid.cells)


def _columns(grid: Grid) -> Iterator[int]:
    yield from _comb(grid, 0)


def _comb(grid: Grid, full_rows: int) -> Iterator[int]:
    """`full_rows` rows first, then the rest of each column from the top down."""
    yield from range(full_rows * grid.width)
    for column in range(grid.width):
        for row in range(full_rows, grid.height):
            yield grid.cell(row, column)


def _spiral(grid: Grid) -> Iterator[int]:
    """Ring after ring from the frame inwards, each clockwise from its top left."""
    top, left, bottom, right = 0, 0, grid.height - 1, grid.width - 1
    while top <= bottom and left <= right:
        yield from (grid.cell(top, column) for column in range(left, right + 1))
        yield from (grid.cell(row, right) for row in range(top + 1, bottom + 1))
        if top < bottom:
            yield from (grid.cell(bottom, column) for column in range(right - 1, left - 1, -1))
        if left < right:
            yield from (grid.cell(row, left) for row in range(bottom - 1, top, -1))
        top, left, bottom, right = top + 1, left + 1, bottom - 1, right - 1


def _usual_comb(grid: Grid) -> Iterator[int]:
    """11 full rows of 16, which several searches found to be best, and as many in proportion on other boards."""
    yield from _comb(grid, round(grid.height * 11 / 16))


def _blackwood(grid: Grid) -> Iterator[int]:
    """11 full rows of 16, a block of 5x5 by rows, seven teeth of five cells, and an L around the last 4x5 cells.

    Joshua Blackwood's order on a board that is filled from the top left; his own begins at the bottom.
    """
    if (grid.width, grid.height) != (16, 16):
        raise SettingsError(f"fill_order: 'blackwood' is for 16x16 cells, not {grid.width}x{grid.height}")
    yield from range(11 * 16)
    for row in range(11, 16):
        yield from (grid.cell(row, column) for column in range(5))
    for column in range(5, 12):
        yield from (grid.cell(row, column) for row in range(11, 16))
    for row in range(11, 14):
        yield from (grid.cell(row, column) for column in range(row + 1, 16))
        if row < 13:
            yield from (grid.cell(below, row + 1) for below in range(row + 1, 16))
    yield from (grid.cell(row, column) for row in range(14, 16) for column in range(14, 16))


_NAMED: dict[str, Callable[[Grid], Iterator[int]]] = {
    "rows": _rows,
    "columns": _columns,
    "spiral-in": _spiral,
    "blackwood": _blackwood,
    "comb": _usual_comb,
}
