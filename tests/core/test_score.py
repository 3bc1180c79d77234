"""The one scorer against its definition."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from oracles.slow_score import slow_score

from e2.core.grid import Grid
from e2.core.score import score_quads

QUAD = st.none() | st.tuples(*[st.integers(0, 2)] * 4).filter(any)


@st.composite
def shown(draw: st.DrawFn) -> tuple[Grid, list[tuple[int, int, int, int] | None]]:
    grid = Grid(draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    return grid, draw(st.lists(QUAD, min_size=grid.cells, max_size=grid.cells))


@given(shown())
def test_the_score_is_that_of_the_definition(
    board: tuple[Grid, list[tuple[int, int, int, int] | None]],
) -> None:
    grid, quads = board
    letters = "".join(chr(97 + colour) for quad in quads for colour in quad or (0, 0, 0, 0))
    score = score_quads(grid, quads)
    assert score.matched == slow_score(letters, grid.width, grid.height)
    assert score.breaks == grid.max_score - score.matched
    untouched = sum(quads[seam.cell] is None or quads[seam.neighbour] is None for seam in grid.seams)
    assert score.matched + len(score.mismatched) + untouched == grid.max_score


def test_two_greys_never_match() -> None:
    score = score_quads(Grid(2, 1), ((0, 0, 0, 1), (0, 1, 0, 0)))
    assert score.matched == 0
    assert len(score.mismatched) == 1


def test_an_empty_cell_is_a_break_and_no_mismatch() -> None:
    score = score_quads(Grid(2, 1), ((1, 1, 1, 1), None))
    assert (score.breaks, score.mismatched) == (1, ())
