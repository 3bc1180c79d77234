"""Every executor gives the totals and boards of `inline`, for both kinds of run."""

import contextlib

import pytest

from e2.cluster import run
from e2.cluster.observer import Silent
from e2.cluster.study import run_settings
from e2.core.generate import generated

INSTANCE = generated(6, 6, 8, seed=2, framed=True, pins=1).instance
SOLVE = {"strategy": "breaks", "tasks": 4, "nodes": 300_000, "seed": 7}
COUNT = {"kind": "count", "prefix_depth": 5}
EXECUTORS = [
    ("inline", {}),
    ("local", {"workers": 1}),
    ("local", {"workers": 2, "slice_seconds": 0.02}),
    ("ray", {"workers": 2, "slice_seconds": 0.1}),
]


def outcome(path, values):
    summary = run.solve(run_settings(values), INSTANCE, path, Silent())
    boards = sorted(entry.name for entry in (path / "boards").glob("*.json"))
    # How many units a tree is cut into follows from who waited when.
    tasks = summary.tasks if summary.tree is None else summary.tree.nodes_by_depth
    return boards, summary.nodes, summary.solutions, tasks, summary.complete, summary.failures


@pytest.fixture(scope="module")
def inline(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inline")
    return {
        "solve": outcome(folder / "solve", {"executor": "inline", **SOLVE}),
        "count": outcome(folder / "count", {"executor": "inline", **COUNT}),
    }


@pytest.fixture(params=EXECUTORS, ids=lambda param: "-".join([param[0], *map(str, param[1].values())]))
def executor(request, monkeypatch):
    name, options = request.param
    if name == "ray":
        shared = request.getfixturevalue("ray_executor")
        monkeypatch.setattr(run, "executor_of", lambda settings: contextlib.nullcontext(shared))
    return {"executor": name, **options}


def test_a_solve_has_the_boards_and_nodes_of_inline(executor, inline, tmp_path):
    found = outcome(tmp_path / "run", {**executor, **SOLVE})
    assert found == inline["solve"]
    assert found[1] <= 4 * 300_000
    assert found[3:] == (4, True, ())


def test_a_count_has_the_solutions_and_nodes_of_inline(executor, inline, tmp_path):
    found = outcome(tmp_path / "run", {**executor, **COUNT})
    assert found == inline["count"]
    assert found[2] >= 1
    assert found[4]
