"""Contest text in, contest text out, byte for byte; and what is no contest text."""

import json
from pathlib import Path

import pytest

from e2.core.grid import Grid
from e2.errors import FormatError
from e2.pencil.loop import LoopPuzzle, solve_loop
from e2.pencil.slink import drawn_lines, read_slink, write_slink

CASES = json.loads((Path(__file__).parent / "data" / "slink_cases.json").read_text("utf-8"))
NO_UNIQUE = [*CASES["nonunique"], *CASES["other"]]


def contest_text(boards):
    """The boards as a contest gives them."""
    lines = []
    for board in boards:
        lines.append(f"{board['rows']} {board['cols']}")
        lines += [" ".join(map(str, row)) for row in board["clues"]]
    return "\n".join([*lines, "0 0", ""])


def outputs(puzzle, number=1):
    """The output text of every solution, without number and last line end, as the cases have it."""
    texts = [write_slink(number, puzzle, loop) for loop in solve_loop(puzzle, most=3).loops]
    assert all(text.startswith(f"{number}\n") and text.endswith("#\n") for text in texts)
    return [text.removeprefix(f"{number}\n").removesuffix("\n") for text in texts]


def test_every_unique_case_is_solved_proved_and_drawn_byte_for_byte():
    puzzles = read_slink(contest_text(CASES["generated"]))
    assert len(puzzles) == 54
    for case, puzzle in zip(CASES["generated"], puzzles, strict=True):
        assert outputs(puzzle) == [case["text"]]


@pytest.mark.parametrize("case", NO_UNIQUE, ids=lambda case: f"{case['rows']}x{case['cols']}")
def test_none_and_several_solutions_are_told_apart(case):
    (puzzle,) = read_slink(contest_text([case]))
    texts = outputs(puzzle)
    assert len(texts) == case["solutions"]
    expected = case.get("text", [])
    assert sorted(texts) == sorted([expected] if isinstance(expected, str) else expected)


def test_a_strip_of_one_row_or_column_is_read_and_drawn():
    row, column = read_slink("1 3\n3 2 3\n3 1\n3\n2\n3\n0 0\n")
    assert [line.strip("# ") for line in outputs(row)[0].splitlines()] == [
        *("", "", "+-----------+", "| 3   2   3 |", "+-----------+", "", "")
    ]
    assert [line.strip("# ") for line in outputs(column)[0].splitlines()] == [
        *("", "", "+---+", "| 3 |", "|   |", "| 2 |", "|   |", "| 3 |", "+---+", "", "")
    ]


def test_no_boards_are_no_boards_and_blank_lines_and_returns_are_free():
    assert read_slink("0 0") == ()
    assert read_slink("\r\n 2  2\r\n\r\n2 2 \r\n2\t2\r\n0 0\r\n\n") == read_slink("2 2\n2 2\n2 2\n0 0\n")


def test_a_board_without_a_loop_and_with_blank_cells_is_drawn_too():
    puzzle = LoopPuzzle(Grid(2, 1), (3, None))
    assert drawn_lines(puzzle, None) == [" " * 9, "  3      ", " " * 9]
    one = LoopPuzzle(Grid(2, 1), (4, None))
    assert drawn_lines(one, solve_loop(one).loops[0])[1] == "| 4 |    "


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", "", "the text ends after 0 boards; expected 0 0 at the end"),
        ("2 2\n2 2\n2 2\n", "", "the text ends after 1 board; expected 0 0"),
        ("2 2\n2 2\n", "", "the text ends before row 2 of a board"),
        ("2 2\n2 2 2\n2 2\n0 0\n", "line 2", "3 numbers in a row"),
        ("2 2\n2 2\n2\n0 0\n", "line 3", "1 number in a row"),
        ("2 2\n2 2\n2 4\n0 0\n", "line 3, number 2", "the clue 4 (at line 3, number 2); expected 0 to 3"),
        ("2 2\n2 2\n-1 2\n0 0\n", "line 3, number 1", "'-1' is no number"),
        ("2 2\n2 x\n2 2\n0 0\n", "line 2, number 2", "'x' is no number"),
        ("2 2\n2 ²\n2 2\n0 0\n", "line 2, number 2", "'²' is no number"),
        ("2\n", "line 1", "1 number (at line 1); expected rows and columns, or 0 0"),
        ("0 2\n0 0\n", "line 1", "0 rows and 2 columns"),
        ("257 2\n0 0\n", "line 1", "257 rows and 2 columns (at line 1); expected 1 to 256 rows and columns"),
        ("999999999 999999999\n", "line 1", "999999999 rows"),
        ("9" * 5000 + " 1\n", "line 1, number 1", "'99999999999999999999...' is no number"),
        ("0 0\n1 1\n3\n", "line 2", "text after the end"),
    ],
)
def test_what_is_no_contest_text_is_refused_with_its_place(text, place, said):
    with pytest.raises(FormatError) as caught:
        read_slink(text)
    assert caught.value.format == "slink"
    assert caught.value.place == place
    assert said in str(caught.value)
