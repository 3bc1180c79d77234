"""Edge matching by exact cover: as many solutions as the depth-first search, and states that are checked."""

import pytest

from e2.core.generate import generated
from e2.core.instance import Hint, Instance
from e2.core.pieces import PieceSet
from e2.core.score import score_board
from e2.errors import SettingsError
from e2.formats.cover_text import read_cover, write_cover
from e2.search import open_search
from e2.search.cover_search import cover_problem
from e2.search.cover_tree import count_covers
from e2.search.state import packed, unpacked
from e2.search.task import Task

ALL = {"exhaustive": True}


def whole(instance, strategy, **parameters):
    """The last bite of a search through the whole tree, and how many solutions it met."""
    search, solutions = open_search(Task(instance, strategy, {**ALL, **parameters}, seed=1)), 0
    while True:
        bite = search.step(1_000_000)
        solutions += bite.stats.solutions
        if bite.finished:
            return bite, solutions


@pytest.mark.parametrize(
    ("width", "height", "colours", "seed", "framed", "pins"),
    [
        *((4, 4, colours, seed, framed, 0) for colours in (5, 6) for seed in (1, 2) for framed in (False, True)),
        *((5, 5, colours, seed, True, 0) for colours in (7, 8) for seed in (1, 2)),
        (5, 5, 5, 3, False, 6),
        (5, 4, 4, 1, False, 3),
        (3, 3, 3, 1, False, 9),
    ],
)
def test_cover_and_depth_first_count_the_same(width, height, colours, seed, framed, pins):
    instance = generated(width, height, colours, seed, framed=framed, pins=pins).instance
    bite, solutions = whole(instance, "cover")
    assert solutions == whole(instance, "strict")[1] >= 1
    assert bite.best_score == instance.grid.max_score
    assert bite.best.placed == instance.grid.cells


def test_a_board_of_one_row_and_a_board_of_one_cell_are_boards_too():
    row = Instance.checked("4x1", 4, 1, PieceSet(((0, 0, 0, 1), (0, 1, 0, 1), (1, 0, 1, 0), (0, 1, 0, 0))))
    cell = Instance.checked("1x1", 1, 1, PieceSet(((0, 0, 0, 0),)))
    for instance in (row, cell):
        assert whole(instance, "cover")[1] == whole(instance, "strict")[1] > 0


@pytest.mark.parametrize("seed", range(6))
def test_every_best_board_has_the_score_that_is_said(seed):
    instance = generated(6, 5, 5, seed).instance
    search, last = open_search(Task(instance, "cover", {}, seed)), -1
    for _ in range(400):
        bite = search.step(1)
        if bite.best_score > last:
            last = bite.best_score
            assert score_board(bite.best, instance.pieces).matched == last
    assert last > 20


@pytest.mark.parametrize("pins", [0, 3])
def test_a_puzzle_by_names_has_the_same_solutions(pins):
    instance = generated(4, 4, 5, 1, framed=True, pins=pins).instance
    problem = cover_problem(instance)
    assert count_covers(problem) == whole(instance, "strict")[1]
    assert read_cover(write_cover(problem)) == problem
    assert problem.items[0] == "p1"
    assert problem.items[16] == "A1"
    assert problem.items[32] == "A1-A2"


def test_the_order_of_the_options_leaves_the_nodes_as_they_are():
    instance = generated(4, 4, 5, seed=5).instance
    made = [
        open_search(Task(instance, "cover", {**ALL, "order": order}, seed)).step(1 << 40).stats
        for order, seed in (("piece", 1), ("piece", 2), ("shuffled", 1), ("shuffled", 2))
    ]
    assert len(set(made)) == 1


def test_without_exhaustive_it_ends_with_the_first_solution():
    instance = generated(5, 5, 7, seed=1, framed=True).instance
    bite = open_search(Task(instance, "cover", {}, seed=1)).step(10_000_000)
    assert (bite.finished, bite.stats.solutions, bite.best_score) == (True, 1, 40)


def test_copies_of_a_piece_and_turns_of_a_symmetric_one_count_apart():
    board = Instance.checked("2x2", 2, 2, PieceSet(((0, 1, 1, 0),) * 4))
    assert whole(board, "cover")[1] == whole(board, "strict")[1] == 24
    line = Instance.checked("3x3", 3, 3, PieceSet(((0, 1, 1, 0),) * 4 + ((0, 1, 1, 1),) * 4 + ((1, 1, 1, 1),)))
    assert whole(line, "cover")[1] == whole(line, "strict")[1] == 24 * 24 * 4


def test_hints_that_exclude_each_other_and_boards_too_large_are_refused():
    pieces = PieceSet(((0, 1, 2, 0), (0, 1, 2, 0), (0, 1, 2, 0), (0, 1, 2, 0)))
    clash = Instance.checked("2x2", 2, 2, pieces, (Hint(0, 0, 0), Hint(1, 1, 1)))
    for strategy in ("cover", "strict"):
        with pytest.raises(SettingsError, match="two hints side by side show different colours"):
            open_search(Task(clash, strategy, {}))
    large = generated(20, 20, 20, seed=1, framed=True).instance
    with pytest.raises(SettingsError, match=r"cover: \d+ placements on 20x20; expected a board with at most 200000"):
        open_search(Task(large, "cover", {}))


def test_a_state_is_small_and_a_wrong_one_is_refused():
    instance = generated(5, 5, 7, seed=1, framed=True).instance
    search = open_search(Task(instance, "cover", ALL, seed=1))
    search.step(1000)
    state = search.state()
    assert len(state) < 2500
    like = unpacked(state, search._arrays())
    spoilt = {
        "a path that leads nowhere": ("path", 0, like["path"][1]),
        "an option that is none": ("path", 0, 1 << 40),
        "a hole in the path": ("path", 0, -1),
        "a best board with another score": ("search", 2, 5),
        "a depth below the ground": ("search", 3, -1),
        "an end that is no end": ("search", 0, 2),
        "a piece laid twice": ("best", 0, like["best"][1]),
    }
    for what, (name, at, value) in spoilt.items():
        arrays = {key: array.copy() for key, array in like.items()}
        arrays[name][at] = value
        with pytest.raises(SettingsError, match="this state does not belong to the task"):
            search.restore(packed(arrays))
        assert search.state() == state, what
