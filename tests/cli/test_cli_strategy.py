from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli.conftest import Run

from e2.cli.main import GROUPS
from e2.search import STRATEGIES
from e2.search.contract import PROMISES

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GREEDY = (EXAMPLES / "greedy.py").read_text("utf-8")
TINY = Path(__file__).parents[1] / "counts" / "tomy_4x4.json"


@pytest.mark.parametrize(("group", "verb"), [(name, verb) for name, (_, verbs) in GROUPS.items() for verb in verbs])
def test_the_help_of_each_command_of_a_group_has_an_example_of_it(e2: Run, group: str, verb: str) -> None:
    ran = e2(group, verb, "--help")
    assert ran.code == 0
    assert re.search(rf"Example:\n\s+e2 {group} {verb}", ran.out)


def test_every_strategy_is_listed_with_its_parameters(e2: Run) -> None:
    (*registered, own) = e2("strategy", "list", "--json", f"{EXAMPLES}/greedy.py:Greedy").records
    assert [record["name"] for record in registered] == [known.name for known in STRATEGIES]
    assert own["name"] == "greedy.py:Greedy"
    assert own["parameters"][0]["name"] == "tries"
    shown = e2("strategy", "list").out
    for known in STRATEGIES:
        assert f"{known.name}: {known.summary}" in shown
        assert all(f"  {parameter.name} = " in shown for parameter in known.parameters)


def test_a_strategy_that_keeps_the_contract_is_told_so(e2: Run) -> None:
    ran = e2("strategy", "check", f"{EXAMPLES}/greedy.py:Greedy", "--puzzle", TINY, "--nodes", 60, "--set", "tries=9")
    assert ran.code == 0
    assert ran.out.count("  kept   ") == 2 * len(PROMISES)
    assert ran.out.splitlines()[-1] == "greedy.py:Greedy keeps its promises"


def test_a_strategy_that_breaks_it_is_told_how_and_the_exit_code_is_1(e2: Run, tmp_path: Path) -> None:
    lie = GREEDY.replace("deepest), self.best, self.best_score", "deepest), self.best, self.best_score + 1")
    (tmp_path / "liar.py").write_text(lie, "utf-8")
    ran = e2("strategy", "check", "liar.py:Greedy", "--puzzle", TINY, "--nodes", 60)
    assert ran.code == 1
    assert "  BROKEN keeps the pins and tells the score of its boards" in ran.out
    assert re.search(r"happened: the engine claims \d+ matched seams, the board has \d+", ran.out)
    assert ran.out.splitlines()[-1] == f"liar.py:Greedy breaks 1 of {len(PROMISES)} promises"
    records = e2("strategy", "check", "liar.py:Greedy", "--puzzle", TINY, "--nodes", 60, "--json").records
    assert len(records) == 2 * len(PROMISES)
    assert [record["promise"] for record in records if not record["kept"]] == [PROMISES[-1].text] * 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["strategy", "check", "annealing"], "strategy 'annealing' is unknown; expected strict, "),
        (["strategy", "check", "nothing.py:Mine"], "no such file: nothing.py"),
        (["strategy", "check", "torn.py:Mine"], "error: torn.py, line 2: "),
        (["solve", "--strategy", "torn.py:Mine"], "error: torn.py, line 2: "),
        (["solve", "--strategy", "nothing.py:Mine"], "no such file: nothing.py"),
    ],
)
def test_a_file_that_is_no_strategy_is_bad_input(e2: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "torn.py").write_text("class Mine:\n    def (\n", "utf-8")
    ran = e2(*arguments)
    assert ran.code == 2
    assert said in ran.err
    assert not (tmp_path / "runs").exists()


def test_solve_runs_a_file_and_its_settings_repeat_the_run(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(GREEDY, "utf-8")
    run = ["solve", "--executor", "inline", "--json"]
    budget = ["--puzzle", TINY, "--tasks", 2, "--nodes", 60, "--set", "tries=9", "--out", "first"]
    first = e2(*run, "--strategy", "mine.py:Greedy", *budget).records[-1]
    (tmp_path / "mine.py").unlink()
    second = e2(*run, "--config", "first/settings.toml", "--out", "second").records[-1]
    assert second["best"]["board_hash"] == first["best"]["board_hash"]
    assert second["complete"]
    other = e2(*run, "--config", "first/settings.toml", "--strategy", "strict", "--out", "third")
    assert "no parameter 'tries'" in other.err
