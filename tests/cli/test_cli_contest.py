"""e2 compare on runs: whether the seeds show a difference, and who found a board first."""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
import statistics
from pathlib import Path

import pytest
from cli.conftest import Run

import e2 as house
from e2.core.generate import generated

TASKS, NODES = 40, 1000


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two strategies on the same 40 seeds, and one of them again."""
    folder = tmp_path_factory.mktemp("contest")
    puzzle = generated(8, 8, 9, seed=1).instance
    for name in ("strict", "breaks", "again"):
        strategy = "strict" if name == "strict" else "breaks"
        house.solve(puzzle, strategy=strategy, tasks=TASKS, nodes=NODES, executor="inline", out=folder / name)
    return folder


def scores_of(run: Path) -> list[int]:
    """What the tasks of a run came to, by seed: read from its ledger without a line of ours."""
    raw = sqlite3.connect(run / "ledger.sqlite")
    rows = raw.execute("SELECT seed, best_score FROM units ORDER BY seed").fetchall()
    raw.close()
    assert [seed for seed, _ in rows] == list(range(TASKS))
    return [score for _, score in rows]


def exact_sign_flip(gains: list[int]) -> float:
    """The share of all ways to flip signs whose sum is at least as far from zero: counted by sums, not by ways."""
    ways = {0: 1}
    for gain in gains:
        after: dict[int, int] = {}
        for total, count in ways.items():
            for step in (gain, -gain):
                after[total + step] = after.get(total + step, 0) + count
        ways = after
    return sum(count for total, count in ways.items() if abs(total) >= abs(sum(gains))) / 2 ** len(gains)


def test_the_same_seeds_of_one_strategy_show_no_difference(e2: Run, runs: Path) -> None:
    ran = e2("compare", runs / "breaks", runs / "again")
    assert ran.code == 0
    assert f"{runs / 'again'}: no difference shown: all 40 pairs are equal" in ran.out.splitlines()
    assert "the same boards" in ran.out.splitlines()
    assert "WARNING" not in ran.out


def test_strict_against_breaks_shows_the_difference_with_these_figures(e2: Run, runs: Path) -> None:
    ran = e2("compare", runs / "strict", runs / "breaks", "--json")
    assert ran.code == 1
    (record,) = ran.records
    (difference,) = record["differences"]
    strict, breaks = scores_of(runs / "strict"), scores_of(runs / "breaks")
    gains = [more - less for less, more in zip(strict, breaks, strict=True)]
    mean, sd = sum(gains) / TASKS, statistics.stdev(gains)
    half = 2.0226909 * sd / math.sqrt(TASKS)  # Student's quantile for 39 degrees of freedom, as tables have it
    assert difference["pairs"] == TASKS
    assert difference["difference"] == pytest.approx(mean)
    assert [difference["low"], difference["high"]] == pytest.approx([mean - half, mean + half], abs=1e-5)
    assert mean - half > 0
    counts = [sum(gain > 0 for gain in gains), gains.count(0), sum(gain < 0 for gain in gains)]
    assert [difference["better"], difference["equal"], difference["worse"]] == counts
    exact = exact_sign_flip(gains)
    assert exact < 0.01
    # Five standard deviations of a share among 100,000 random ways, and the one way that is always counted.
    assert abs(difference["p"] - exact) < 5 * math.sqrt(exact / 100_000) + 2e-5
    assert difference["verdict"] == "better"
    for standing, scores in zip(record["runs"], (strict, breaks), strict=True):
        assert standing["tasks"] == TASKS
        assert (standing["best"], standing["worst"]) == (max(scores), min(scores))
        assert standing["mean"] == pytest.approx(sum(scores) / TASKS)
        assert standing["median"] == statistics.median(scores)
        assert standing["sd"] == pytest.approx(statistics.stdev(scores))


def test_the_terminal_says_which_is_better_and_by_how_much(e2: Run, runs: Path) -> None:
    ran = e2("compare", runs / "strict", runs / "breaks")
    strict, breaks = scores_of(runs / "strict"), scores_of(runs / "breaks")
    by = statistics.fmean(more - less for less, more in zip(strict, breaks, strict=True))
    assert f"{runs / 'breaks'}: better than {runs / 'strict'} by {by:.2f} seams a task" in ran.out.splitlines()


def test_who_found_the_boards_first_is_told_by_the_clock(e2: Run, runs: Path, tmp_path: Path) -> None:
    ran = e2("compare", runs / "breaks", runs / "again", "--json")
    met = ran.records[0]["met"]
    assert len(met) == len(ran.records[0]["common_turned"]) > 10
    assert {meeting["first"] for meeting in met} == {0}
    assert all(meeting["clocks"][0] < meeting["clocks"][1] for meeting in met)
    later = tmp_path / "later"
    shutil.copytree(runs / "breaks", later)
    raw = sqlite3.connect(later / "ledger.sqlite")
    raw.execute("UPDATE improvements SET clock = clock + 3600")
    raw.commit()
    raw.close()
    ran = e2("compare", runs / "again", later)
    assert f"first by {runs / 'again'} {len(met)}, {later} 0" in ran.out


def test_unequal_budgets_are_said_before_all_else(e2: Run, runs: Path) -> None:
    puzzle = runs / "breaks" / "puzzle.json"
    e2("solve", "--puzzle", puzzle, "--strategy", "breaks", "--tasks", "3", "--nodes", "900", "--executor", "inline",
       "--out", "short")  # fmt: skip
    ran = e2("compare", runs / "breaks", "short")
    said = [line for line in ran.out.splitlines() if line.startswith("WARNING: unequal budgets")]
    assert len(said) == 1
    assert "1000 nodes a task" in said[0]
    assert "900 nodes a task" in said[0]
    assert ran.out.index("WARNING") < ran.out.index("task scores")


def test_counts_are_compared_by_nodes_and_solutions(e2: Run) -> None:
    assert e2("generate", "--size", "4", "--colours", "4", "--seed", "1", "--out", ".").code == 0
    for name in ("one", "two"):
        e2("count", "--puzzle", "planted_4x4_c4_s1.json", "--executor", "inline", "--out", name)
    ran = e2("compare", "one", "two", "--json")
    first, second = ran.records[0]["runs"]
    assert (ran.code, ran.records[0]["warnings"], ran.records[0]["differences"]) == (0, [], [])
    assert first["whole"]
    assert (first["nodes"], first["solutions"]) == (second["nodes"], second["solutions"])
    assert first["solutions"] > 0


def test_a_run_without_a_board_can_be_compared(e2: Run, runs: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    shutil.copytree(runs / "breaks", empty)
    for path in (empty / "boards").iterdir():
        path.unlink()
    ran = e2("compare", runs / "breaks", empty)
    assert ran.code == 1
    assert "  0 boards" in ran.out.splitlines()


@pytest.mark.parametrize("part", ["settings.toml", "ledger.sqlite"])
def test_a_broken_run_is_an_error_that_names_the_part(e2: Run, runs: Path, tmp_path: Path, part: str) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(runs / "breaks", broken)
    (broken / part).write_bytes(b"\0\1 torn")
    ran = e2("compare", runs / "breaks", broken, "--json")
    assert ran.code == 2
    assert part in json.loads(ran.out)["error"]["message"]
