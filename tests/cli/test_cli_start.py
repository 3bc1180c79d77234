"""What a run begins with: somebody's board, a file of settings, parameters."""

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
    ("text", "said"),
    [
        ("puzzle = 5", "puzzle is no text"),
        ("parameters = 5", "parameters is no table"),
        ('parameters = "ab"', "parameters is no table"),
        ("seed = " + "9" * 5000, "no TOML"),
        ("seed = " + "[" * 50_000, "no TOML"),
    ],
    ids=lambda text: text[:20],
)
def test_settings_that_cannot_be_are_refused(e2, text, said):
    Path("wrong.toml").write_text(text)
    ran = e2("solve", "--config", "wrong.toml", "--tasks", "1", "--executor", "inline")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert not Path("runs").exists()


def test_settings_that_are_missing_are_no_fault_of_toml(e2):
    ran = e2("solve", "--config", "missing.toml")
    assert (ran.code, ran.err) == (2, "error: input: no such file: missing.toml; expected a file\n")


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 50_000], ids=["digits", "brackets"])
def test_a_parameter_beyond_reading_is_a_text(e2, value):
    ran = e2("schedule", "--set", f"turn={value}")
    assert ran.code == 2
    assert "expected an integer" in ran.err


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
