"""A strategy in a file of the user's own, through the whole machinery."""

import contextlib
import shutil
from pathlib import Path

import pytest

from e2.cluster import run
from e2.cluster.observer import Silent
from e2.cluster.study import run_settings, settings_from_toml
from e2.errors import RunError, SettingsError

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
RAISES = (EXAMPLES / "greedy.py").read_text().splitlines().index("        made = boards = deepest = 0") + 1


class Notes(Silent):
    def __init__(self):
        self.notes = []

    def note(self, text):
        self.notes.append(text)


@pytest.fixture
def mine(tmp_path):
    """A copy of the greedy example that breaks for one seed."""
    text = (EXAMPLES / "greedy.py").read_text()
    broken = text.replace(
        "        made = boards = deepest = 0\n", "        made = boards = deepest = 0 // (self.seed != 12)\n"
    )
    assert broken != text
    (tmp_path / "mine.py").write_text(broken)
    return f"{tmp_path / 'mine.py'}:Greedy"


def outcome(instance, path, strategy, **settings):
    values = {"strategy": strategy, "parameters": {"tries": 20}, "tasks": 3, "nodes": 300, "seed": 5, **settings}
    summary = run.solve(run_settings(values), instance, path, Silent())
    return sorted(entry.name for entry in (path / "boards").glob("*.json")), summary.nodes, summary.failures


@pytest.mark.parametrize("executor", ["local", "ray"])
def test_workers_elsewhere_find_the_boards_of_inline(executor, small, mine, tmp_path, request, monkeypatch):
    inline = outcome(small, tmp_path / "inline", mine, executor="inline")
    assert len(inline[0]) == 3
    assert inline[2] == ()
    if executor == "ray":
        shared = request.getfixturevalue("ray_executor")
        monkeypatch.setattr(run, "executor_of", lambda settings: contextlib.nullcontext(shared))
    assert outcome(small, tmp_path / "run", mine, executor=executor, slice_seconds=0.05) == inline


def test_a_task_whose_strategy_raises_fails_with_the_line_and_others_go_on(small, mine, tmp_path):
    notes = Notes()
    values = {"strategy": mine, "tasks": 3, "nodes": 300, "seed": 11, "executor": "local", "workers": 1}
    summary = run.solve(run_settings(values), small, tmp_path / "run", notes)
    assert (summary.tasks, summary.complete) == (2, False)
    (failure,) = summary.failures
    assert failure.startswith("unit 1: task ")
    assert failure.endswith(f": ZeroDivisionError: integer division or modulo by zero (mine.py:{RAISES})")
    assert failure.removeprefix("unit 1: ") in notes.notes


def test_a_strategy_that_raises_at_once_is_refused_before_a_folder_is_made(small, mine, tmp_path):
    with pytest.raises(SettingsError, match=rf"mine\.py:Greedy: ZeroDivisionError: .* \(mine\.py:{RAISES}\)"):
        outcome(small, tmp_path / "run", mine, seed=12, executor="inline")
    assert not (tmp_path / "run").exists()


def test_a_strategy_that_leaves_the_process_is_told_of_as_one_that_raises(small, tmp_path):
    text = (EXAMPLES / "greedy.py").read_text()
    leaves = text.replace(
        "        made = boards = deepest = 0\n",
        "        made = boards = deepest = 0\n        if self.seed == 12:\n            raise SystemExit\n",
    )
    assert leaves != text
    (tmp_path / "mine.py").write_text(leaves)
    mine = f"{tmp_path / 'mine.py'}:Greedy"
    with pytest.raises(SettingsError, match=r"mine\.py:Greedy: SystemExit: .*\(mine\.py:\d+\)"):
        outcome(small, tmp_path / "run", mine, seed=12, executor="inline")
    assert not (tmp_path / "run").exists()
    _, _, (failure,) = outcome(small, tmp_path / "run", mine, seed=11, executor="inline")
    assert failure.startswith("unit 1: task ")
    assert "SystemExit" in failure


def test_a_run_goes_on_with_the_text_it_began_with(small, mine, tmp_path):
    whole = outcome(small, tmp_path / "whole", mine, tasks=4, executor="inline")
    outcome(small, tmp_path / "run", mine, executor="inline")
    (tmp_path / "mine.py").write_text("raise SystemExit")
    summary = run.resume(tmp_path / "run", Silent(), {"tasks": 4})
    assert summary.complete
    assert sorted(entry.name for entry in (tmp_path / "run" / "boards").glob("*.json")) == whole[0]


def test_a_changed_or_missing_text_is_refused_and_never_run(small, mine, tmp_path):
    path = tmp_path / "run"
    outcome(small, path, mine, executor="inline")
    settings = settings_from_toml((path / "settings.toml").read_text())
    assert (settings.strategy, len(settings.strategy_hash), settings.source) == ("mine.py:Greedy", 64, "")
    (path / "strategy.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(RunError, match=r"strategy\.py is not the strategy that this run began with"):
        run.resume(path, Silent(), {"tasks": 9})
    (path / "strategy.py").unlink()
    with pytest.raises(RunError, match=r"strategy\.py cannot be read"):
        run.resume(path, Silent(), {"tasks": 9})
    assert not (tmp_path / "ran").exists()


def test_the_example_with_a_kernel_gives_the_same_boards_in_one_worker_and_two(small, tmp_path):
    shutil.copy(EXAMPLES / "late.py", tmp_path / "late.py")
    found = [
        outcome(
            small, tmp_path / name, f"{tmp_path}/late.py:Late", parameters={"memory": 50}, nodes=100_000, **settings
        )
        for name, settings in (
            ("inline", {"executor": "inline", "slice_seconds": 0.01}),
            ("local", {"executor": "local", "workers": 2, "slice_seconds": 0.02}),
        )
    ]
    assert found[0] == found[1]
    assert found[0][1] == 3 * 100_000


def test_seconds_of_a_core_can_be_the_budget_of_a_task(small, mine, tmp_path):
    values = {"strategy": mine, "tasks": 2, "task_seconds": 0.3, "slice_seconds": 0.1, "seed": 5, "executor": "inline"}
    summary = run.solve(run_settings(values), small, tmp_path / "run", Silent())
    assert (summary.tasks, summary.complete) == (2, True)
    assert summary.seconds >= 0.6
