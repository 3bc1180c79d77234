"""The loop kernel against all loops of small boards, and against itself in other bites."""

import random
from itertools import product

import numpy as np
import pytest
from oracles.loop_oracle import all_loops, counts_of, loops_by_counts

from e2.core.grid import Grid
from e2.kernels import loop as kernels
from e2.pencil.loop import LoopPuzzle, LoopSearch, solve_loop


def puzzle(rows, columns, clues, full=False):
    return LoopPuzzle(Grid(columns, rows), tuple(clues), full)


def drawn(loop):
    """The lines of a loop as the oracle names them."""
    level = {
        ((row, column), (row, column + 1))
        for row, lines in enumerate(loop.level)
        for column, line in enumerate(lines)
        if line
    }
    upright = {
        ((row, column), (row + 1, column))
        for row, lines in enumerate(loop.upright)
        for column, line in enumerate(lines)
        if line
    }
    return level | upright


# loops with clues up to 3, distinct full boards, those with one solution, with two: published in the sources
COUNTS = {
    (2, 2): (9, 7, 5, 2),
    (2, 3): (34, 34, 34, 0),
    (3, 3): (204, 201, 198, 3),
    (3, 4): (1037, 1037, 1037, 0),
    (2, 8): (4024, 4022, 4020, 2),
    (4, 4): (9333, 9305, 9277, 28),
}


@pytest.mark.parametrize("size", COUNTS, ids=str)
def test_every_full_board_of_a_size_has_as_many_loops_as_the_oracle_says(size):
    known = {counts: loops for counts, loops in loops_by_counts(*size).items() if max(counts) < 4}
    found = {counts: len(solve_loop(puzzle(*size, counts)).loops) for counts in known}
    assert found == known
    numbers = list(found.values())
    assert (sum(numbers), len(numbers), numbers.count(1), numbers.count(2)) == COUNTS[size]


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 4), (3, 1), (2, 2), (2, 3)])
def test_every_board_of_the_smallest_sizes_with_blanks_or_without_has_just_its_loops(rows, columns):
    loops = [(counts_of(rows, columns, lines), lines) for _, lines in all_loops(rows, columns)]
    for clues in product((None, 0, 1, 2, 3), repeat=rows * columns):
        solved = solve_loop(puzzle(rows, columns, clues), most=50)
        expected = [
            lines
            for counts, lines in loops
            if all(clue in (None, count) for clue, count in zip(clues, counts, strict=True))
        ]
        assert sorted(map(sorted, map(drawn, solved.loops))) == sorted(map(sorted, expected)), clues


@pytest.mark.parametrize("full", [False, True])
def test_boards_with_some_clues_have_the_loops_of_the_oracle(full):
    rows, columns = 3, 4
    chance = random.Random(6)
    loops = [(counts_of(rows, columns, lines), lines) for _, lines in all_loops(rows, columns)]
    if full:
        vertices = (rows + 1) * (columns + 1)
        loops = [(counts, lines) for counts, lines in loops if len(lines) == vertices]
    assert loops
    numbers = set()
    for _ in range(400):
        counts, _ = chance.choice(loops)
        clues = [count if chance.random() < 0.4 else None for count in counts]
        if chance.random() < 0.5:
            clues[chance.randrange(len(clues))] = chance.randrange(4)
        expected = [
            lines
            for counts, lines in loops
            if all(clue in (None, count) for clue, count in zip(clues, counts, strict=True))
        ]
        solved = solve_loop(puzzle(rows, columns, clues, full), most=1000)
        assert sorted(map(sorted, map(drawn, solved.loops))) == sorted(map(sorted, expected)), clues
        numbers.add(min(len(expected), 2))
    assert numbers == {0, 1, 2}


def test_a_loop_round_two_cells_is_found_wherever_it_lies():
    """The hand rule that adjacent 3s have lines beyond them is false here: it would contradict itself."""
    rows, columns = 4, 5
    pairs = 0
    for inside in (
        {cell, (cell[0] + down, cell[1] + 1 - down)} for cell in np.ndindex(rows, columns) for down in (0, 1)
    ):
        if any(row >= rows or column >= columns for row, column in inside):
            continue
        pairs += 1
        clues = []
        for row, column in np.ndindex(rows, columns):
            around = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            clues.append(sum(((row, column) in inside) != (cell in inside) for cell in around))
        (loop,) = solve_loop(puzzle(rows, columns, clues)).loops
        assert {divmod(cell, columns) for cell, within in enumerate(loop.inside) if within} == inside
    assert pairs == rows * (columns - 1) + columns * (rows - 1)


def test_a_search_is_the_same_in_any_bites():
    board = puzzle(6, 6, [None] * 36)
    whole = solve_loop(board, most=40)
    assert len(whole.loops) == 40
    assert whole.nodes > 40
    for bite in (1, 7):
        search = LoopSearch(board, most=40)
        steps = 1
        while not search.step(bite):
            assert search.solved.nodes == steps * bite
            steps += 1
        assert search.solved == whole


def test_undoing_a_search_leaves_nothing_behind():
    grid, clues = Grid(5, 4), (None,) * 20
    rules, state = kernels.loop_rules(grid, clues, False), kernels.fresh_loop_state(grid, clues)
    fresh = kernels.fresh_loop_state(grid, clues)
    work = kernels.loop_work(grid, rules)
    kernels.search_loops(30, rules, state, work, np.zeros((2, 21), np.int64))
    assert state.control[kernels.MERGES] > 0
    kernels._undo(0, state)
    for name in ("root", "parity", "following", "weight", "degree"):
        assert (getattr(state, name) == getattr(fresh, name)).all(), name
    free = state.degree == 0
    assert (state.far[free] == fresh.far[free]).all()
    assert [int(state.control[place]) for place in (kernels.PATHS, kernels.CLOSED, kernels.OWED)] == [0, 0, 0]
