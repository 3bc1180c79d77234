"""e2 solve --start: a run that begins with somebody's board."""

from pathlib import Path

import pytest

BOARDS = Path(__file__).parent.parent / "boards"
LIGHT = ("--strategy", "repair", "--executor", "inline", "--tasks", "1", "--json")


def test_a_board_from_a_file_is_the_start_of_the_run(e2):
    board = BOARDS / "scb__verhaard__v03.json"
    ran = e2("solve", *LIGHT, "--puzzle", "variant_03", "--start", board, "--nodes", "20000", "--set", "width=50")
    assert ran.code == 0
    assert ran.records[-1]["best"]["score"] >= 451


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--puzzle", "clue_1", "--start", BOARDS / "scb__verhaard__v03.json"), "clue_1"),
        (("--start", BOARDS / "scb__verhaard__v03.json", "--strategy", "strict"), "strict has no parameter 'start'"),
    ],
    ids=["another puzzle", "a strategy without a start"],
)
def test_a_start_that_cannot_be_is_refused(e2, arguments, said):
    ran = e2("solve", *LIGHT, *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert not Path("runs").exists()
