"""Slitherlink with blank cells: solved and proved unique, against published solutions."""

import json
import random
import time
from pathlib import Path

import pytest

from e2.core.grid import Grid
from e2.errors import PuzzleError
from e2.kernels.rehearse import warm_up
from e2.pencil.loop import Loop, LoopPuzzle, solve_all, solve_loop

DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "slither_blank_cases.json").read_text("utf-8"))["cases"]
LARGE = json.loads((DATA / "slither_31x45.json").read_text("utf-8"))


def puzzle_of(case):
    return LoopPuzzle(Grid(case["cols"], case["rows"]), tuple(clue for row in case["clues"] for clue in row))


def all_clues_hold(puzzle, loop):
    level, upright = loop.level, loop.upright
    for cell, clue in enumerate(puzzle.clues):
        row, column = puzzle.grid.row_column(cell)
        lines = level[row][column] + level[row + 1][column] + upright[row][column] + upright[row][column + 1]
        if clue not in (None, lines):
            return False
    return True


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_board_with_blanks_is_solved_and_proved_unique(number):
    (loop,) = solve_loop(puzzle_of(CASES[number])).loops
    assert [list(map(int, row)) for row in loop.level] == CASES[number]["h"]
    assert [list(map(int, row)) for row in loop.upright] == CASES[number]["v"]


def test_a_board_of_31x45_is_proved_unique_in_a_second_of_processor_time():
    clues = tuple(None if number < 0 else number for number in LARGE["cells"])
    puzzle = LoopPuzzle(Grid(LARGE["cols"], LARGE["rows"]), clues)
    assert sum(clue is not None for clue in clues) == 455
    warm_up("loop")
    began = time.process_time()
    solved = solve_loop(puzzle)
    seconds = time.process_time() - began
    (loop,) = solved.loops
    assert all_clues_hold(puzzle, loop)
    assert seconds < 1


def test_a_large_board_with_half_of_its_clues_shows_two_loops_soon():
    """Where trials succeed nothing is gained by looking at the whole board before each: that took nine seconds."""
    known = [cell for cell, number in enumerate(LARGE["cells"]) if number >= 0]
    kept = set(random.Random(1).sample(known, len(known) // 2))
    clues = tuple(number if cell in kept else None for cell, number in enumerate(LARGE["cells"]))
    puzzle = LoopPuzzle(Grid(LARGE["cols"], LARGE["rows"]), clues)
    warm_up("loop")
    began = time.process_time()
    one, other = solve_loop(puzzle).loops
    seconds = time.process_time() - began
    assert one != other
    assert all_clues_hold(puzzle, one)
    assert all_clues_hold(puzzle, other)
    assert seconds < 4


def test_a_clue_less_makes_several_loops_and_a_wrong_one_none():
    case = puzzle_of(CASES[0])
    less = LoopPuzzle(case.grid, (None,) * 9)
    assert len(solve_loop(less).loops) == 2
    wrong = LoopPuzzle(case.grid, (*case.clues[:-1], 0))
    assert [len(solved.loops) for solved in solve_all([less, case, wrong])] == [2, 1, 0]


def test_a_loop_round_one_cell_has_four_lines_at_it():
    solved = solve_loop(LoopPuzzle(Grid(3, 3), (None, None, None, None, 4, None, None, None, None)))
    assert solved.loops == (Loop(Grid(3, 3), tuple(cell == 4 for cell in range(9))),)


def test_with_full_the_loop_passes_every_vertex():
    (loop,) = solve_loop(LoopPuzzle(Grid(2, 1), (None, None), full=True)).loops
    assert loop.inside == (True, True)
    # An even cycle through nine vertices does not exist.
    assert solve_loop(LoopPuzzle(Grid(2, 2), (None,) * 4, full=True)).loops == ()
    assert len(solve_loop(LoopPuzzle(Grid(2, 2), (None,) * 4)).loops) == 2


@pytest.mark.parametrize(
    ("grid", "clues", "said"),
    [
        (Grid(2, 2), (1, 5, None, -1), "2 faults: clue 5 at A2; expected 0 to 4; clue -1 at B2"),
        (Grid(2, 2), (1,), "1 clues; expected one for each of 4 cells"),
        (Grid(0, 2), (), "2 rows of 0; expected 1 to 256 of both"),
        (Grid(257, 1), (None,) * 257, "1 rows of 257"),
    ],
)
def test_what_is_no_puzzle_is_refused(grid, clues, said):
    with pytest.raises(PuzzleError, match=said):
        LoopPuzzle(grid, clues)
