"""What resumable bites and the cluster cost, against the bare kernel; and what a second worker gives."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from e2.bench.report import Report
from e2.cluster.executor import Executor
from e2.cluster.local import LocalExecutor
from e2.cluster.observer import Silent
from e2.cluster.ray_pool import RayExecutor
from e2.cluster.run import solve
from e2.cluster.study import RunSettings, run_settings, tree_of
from e2.core.instance import Instance
from e2.core.official import official_instance
from e2.search import open_search
from e2.search.task import Task
from e2.search.tree_search import TreeSearch
from e2.store.inputs import the_puzzle

_SLICES, _BITES = 2, 10  # a slice of a second has ten bites
_LOOK = 2_000_000  # nodes between looks at the clock
_STRATEGY = "breaks"
_BLOCK = (7, 0, 3, 3)  # of the official board, without hints: 923,038,284 nodes row by row


def bites_report(nodes: int = 40_000_000, rounds: int = 11) -> Report:
    """One call, against two slices of ten bites with the state written and read again after each slice, in CPU time."""
    task = Task(official_instance(), _STRATEGY)
    bite = max(1, nodes // (_SLICES * _BITES))
    ratios = []
    same = True
    for _ in range(rounds):
        whole, bitten = open_search(task), open_search(task)
        begin = time.process_time()
        whole.step(_SLICES * _BITES * bite)
        middle = time.process_time()
        for _ in range(_SLICES):
            for _ in range(_BITES):
                bitten.step(bite)
            bitten.restore(bitten.state())
        ratios.append((time.process_time() - middle) / (middle - begin))
        same = same and whole.state() == bitten.state()
    cost = median(ratios) - 1.0
    ending = "the same" if same else "ANOTHER"
    line = f"{_SLICES} slices of {_BITES} bites of {bite} nodes cost {cost:+.1%}, and end in {ending} state"
    record = {"cost": cost, "slices": _SLICES, "bites": _BITES, "nodes": bite, "same_state": same}
    return Report("resumable bites", (line,), (record,), "%", (("bites", 100 * cost),), (("floor", 2.0),))


def ray_report(seconds: float = 10.0, rounds: int = 3) -> Report:
    """A run on one Ray worker against the bare search in this process, in turn: nodes a second of tasks, and a tree."""
    instance = official_instance()
    with RayExecutor(None, 1) as executor, TemporaryDirectory(prefix="e2-bench-") as folder:
        run_rate(instance, executor, 1, 2.0, Path(folder, "warm"))
        ratios, tree_ratios = [], []
        for number in range(rounds):
            bare = _bare_rate(instance, seconds)
            ratios.append(run_rate(instance, executor, 1, seconds, Path(folder, str(number))) / bare)
            run_seconds = tree_seconds(executor, 1, Path(folder, f"tree-{number}"))
            tree_ratios.append(_bare_tree_seconds() / run_seconds)
    cost, tree_cost = 1.0 - median(ratios), 1.0 - median(tree_ratios)
    lines = (
        f"slices, ledger and Ray cost {cost:+.1%} of the bare kernel's nodes",
        f"a whole tree costs {tree_cost:+.1%}, its plan and its end included",
    )
    return Report(
        "cost of the cluster",
        lines,
        ({"cost": cost, "tree_cost": tree_cost, "seconds": seconds},),
        "%",
        (("tasks", 100 * cost), ("a whole tree", 100 * tree_cost)),
        (("floor", 3.0),),
    )


def scale_report(seconds: float = 10.0, rounds: int = 3) -> Report:
    """Nodes a second of two local workers against one, in turn."""
    instance = official_instance()
    with LocalExecutor(2) as executor, TemporaryDirectory(prefix="e2-bench-") as folder:
        run_rate(instance, executor, 2, 4.0, Path(folder, "warm"))
        ratios, tree_ratios = [], []
        for number in range(rounds):
            one = run_rate(instance, executor, 1, seconds, Path(folder, f"{number}-1"))
            ratios.append(run_rate(instance, executor, 2, seconds, Path(folder, f"{number}-2")) / one)
            alone = tree_seconds(executor, 1, Path(folder, f"tree-{number}-1"))
            tree_ratios.append(alone / tree_seconds(executor, 2, Path(folder, f"tree-{number}-2")))
    scale, tree_scale = median(ratios), median(tree_ratios)
    lines = (
        f"two workers make {scale:.2f} times the nodes of one",
        f"two workers search a whole tree {tree_scale:.2f} times as fast as one",
    )
    record = {"scale": scale, "tree_scale": tree_scale, "seconds": seconds}
    bars = (("two workers", scale), ("two workers, a whole tree", tree_scale))
    return Report("a second worker", lines, (record,), "times one", bars, (("floor", 1.85),))


def run_rate(instance: Instance, executor: Executor, workers: int, seconds: float, path: Path) -> float:
    """Nodes a second of an ordinary run."""
    settings = run_settings(
        {"strategy": _STRATEGY, "seconds": seconds, "executor": "local", "workers": workers, "nodes": 1 << 50}
    )
    summary = solve(settings, instance, path, Silent(), executor=executor)
    return summary.nodes / summary.seconds


def tree_seconds(executor: Executor, workers: int, path: Path, region: Sequence[int] = _BLOCK) -> float:
    """How long an ordinary count of a block takes."""
    settings = _block_settings(region).model_copy(update={"workers": workers})
    summary = solve(settings, the_puzzle("eternity2_no_hint"), path, Silent(), executor=executor)
    assert summary.complete
    return summary.seconds


def _bare_tree_seconds() -> float:
    search = TreeSearch(tree_of(_block_settings(_BLOCK), the_puzzle("eternity2_no_hint")))
    begin = time.monotonic()
    search.open(())
    search.run(1 << 62)
    return time.monotonic() - begin


def _block_settings(region: Sequence[int]) -> RunSettings:
    return run_settings({"kind": "count", "region": list(region), "executor": "local"})


def _bare_rate(instance: Instance, seconds: float) -> float:
    search = open_search(Task(instance, _STRATEGY))
    nodes, begin = 0, time.monotonic()
    while time.monotonic() - begin < seconds:
        nodes += search.step(_LOOK).stats.nodes
    return nodes / (time.monotonic() - begin)
