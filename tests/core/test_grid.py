"""Cells, neighbours and seams of a board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from e2.core.grid import Grid
from e2.core.quad import DOWN, LEFT, RIGHT, UP, opposite

GRIDS = st.builds(Grid, st.integers(1, 9), st.integers(1, 9))


@pytest.mark.parametrize(("size", "most"), [((16, 16), 480), ((6, 6), 60), ((12, 6), 126), ((4, 4), 24), ((1, 1), 0)])
def test_the_largest_score_is_the_number_of_seams(size: tuple[int, int], most: int) -> None:
    assert Grid(*size).max_score == most == len(Grid(*size).seams)


@given(GRIDS)
def test_each_seam_joins_two_neighbours_and_comes_once(grid: Grid) -> None:
    assert all(grid.neighbour(seam.cell, seam.side) == seam.neighbour for seam in grid.seams)
    assert all(grid.neighbour(seam.neighbour, opposite(seam.side)) == seam.cell for seam in grid.seams)
    assert len({frozenset((seam.cell, seam.neighbour)) for seam in grid.seams}) == len(grid.seams)


@given(GRIDS)
def test_four_turns_bring_every_cell_back(grid: Grid) -> None:
    for cell in range(grid.cells):
        there, frame = cell, grid
        for _ in range(4):
            there, frame = frame.turned_cell(there), frame.turned()
        assert (there, frame) == (cell, grid)


def test_a_corner_has_two_rim_sides_and_an_inner_cell_none() -> None:
    grid = Grid(4, 3)
    assert grid.rim_sides(0) == (UP, LEFT)
    assert grid.rim_sides(11) == (RIGHT, DOWN)
    assert grid.rim_sides(5) == ()
    assert grid.rim_sides(1) == (UP,)
    assert Grid(1, 1).rim_sides(0) == (0, 1, 2, 3)


def test_rings_count_from_the_rim() -> None:
    assert [Grid(5, 5).ring(cell) for cell in (0, 2, 6, 12)] == [0, 0, 1, 2]
    assert [cell for cell in range(9) if not Grid(3, 3).is_frame_cell(cell)] == [4]


@pytest.mark.parametrize(
    ("cell", "name"), [(135, "I8"), (34, "C3"), (45, "C14"), (210, "N3"), (221, "N14"), (0, "A1"), (255, "P16")]
)
def test_cells_have_the_names_that_people_use(cell: int, name: str) -> None:
    grid = Grid(16, 16)
    assert grid.name(cell) == name
    assert grid.cell(*grid.row_column(cell)) == cell


def test_a_row_beyond_z_has_two_letters() -> None:
    assert Grid(1, 28).name(26) == "AA1"
