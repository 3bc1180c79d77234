"""What resumable bites and the cluster cost, against the bare kernel; and what a second worker gives."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from e2.bench.report import Report
from e2.cluster.executor import Executor
from e2.cluster.local import LocalExecutor
from e2.cluster.observer import Silent
from e2.cluster.ray_pool import RayExecutor
from e2.cluster.run import solve
from e2.cluster.study import run_settings
from e2.core.instance import Instance
from e2.core.official import official_instance
from e2.search import open_search
from e2.search.task import Task

_SLICES, _BITES = 2, 10  # a slice of a second has ten bites
_LOOK = 2_000_000  # nodes between looks at the clock
_STRATEGY = "breaks"


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
    """Nodes a second of a run on one Ray worker, against the bare search in this process, in turn."""
    instance = official_instance()
    with RayExecutor(None, 1) as executor, TemporaryDirectory(prefix="e2-bench-") as folder:
        run_rate(instance, executor, 1, 2.0, Path(folder, "warm"))
        ratios = []
        for number in range(rounds):
            bare = _bare_rate(instance, seconds)
            ratios.append(run_rate(instance, executor, 1, seconds, Path(folder, str(number))) / bare)
    cost = 1.0 - median(ratios)
    line = f"slices, ledger and Ray cost {cost:+.1%} of the bare kernel's nodes"
    return Report(
        "cost of the cluster",
        (line,),
        ({"cost": cost, "seconds": seconds},),
        "%",
        (("Ray", 100 * cost),),
        (("floor", 2.0),),
    )


def scale_report(seconds: float = 10.0, rounds: int = 3) -> Report:
    """Nodes a second of two local workers against one, in turn."""
    instance = official_instance()
    with LocalExecutor(2) as executor, TemporaryDirectory(prefix="e2-bench-") as folder:
        run_rate(instance, executor, 2, 4.0, Path(folder, "warm"))
        ratios = []
        for number in range(rounds):
            one = run_rate(instance, executor, 1, seconds, Path(folder, f"{number}-1"))
            ratios.append(run_rate(instance, executor, 2, seconds, Path(folder, f"{number}-2")) / one)
    scale = median(ratios)
    line = f"two workers make {scale:.2f} times the nodes of one"
    record = {"scale": scale, "seconds": seconds}
    return Report("a second worker", (line,), (record,), "times one", (("two workers", scale),), (("floor", 1.9),))


def run_rate(instance: Instance, executor: Executor, workers: int, seconds: float, path: Path) -> float:
    """Nodes a second of an ordinary run."""
    settings = run_settings(
        {"strategy": _STRATEGY, "seconds": seconds, "executor": "local", "workers": workers, "nodes": 1 << 50}
    )
    summary = solve(settings, instance, path, Silent(), executor=executor)
    return summary.nodes / summary.seconds


def _bare_rate(instance: Instance, seconds: float) -> float:
    search = open_search(Task(instance, _STRATEGY))
    nodes, begin = 0, time.monotonic()
    while time.monotonic() - begin < seconds:
        nodes += search.step(_LOOK).stats.nodes
    return nodes / (time.monotonic() - begin)
