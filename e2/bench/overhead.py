"""What resumable bites and the cluster cost, against the bare kernel; and what a second worker gives."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from e2.bench.report import Report
from e2.cluster.executor import Executor
from e2.cluster.inline import InlineExecutor
from e2.cluster.local import LocalExecutor
from e2.cluster.observer import Silent
from e2.cluster.ray_pool import RayExecutor
from e2.cluster.run import solve
from e2.cluster.study import RunSettings, run_settings, strict_tree
from e2.core.instance import Instance
from e2.core.official import official_instance
from e2.search import open_search
from e2.search.task import Task
from e2.search.tree_search import TreeSearch
from e2.store.inputs import the_puzzle
from e2.store.layout import RunFolder
from e2.store.ledger import Ledger

_SLICES, _BITES = 2, 10  # a slice of a second has ten bites
_WORK_SECONDS, _WORK_ROUNDS = 2.0, 11  # short ones in turn: a machine's speed drifts by more than what is looked for
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


@dataclass(frozen=True)
class Timed:
    """An ordinary run: its nodes, its seconds by the clock, the CPU seconds of this process, and the share of its
    workers' time that went into slices.
    """

    nodes: int
    seconds: float
    cpu: float
    busy: float


def ray_report(seconds: float = 10.0, rounds: int = 3) -> Report:
    """What a run of tasks, and of a tree, adds to the bare kernel: work, in CPU time, and its one Ray worker's waiting.

    Whole runs differ by more than three per cent by the clock alone, so the two are measured each where it is steady:
    the CPU time of a whole run in this process against that of the bare search, the same nodes in turn; and how much
    of a Ray worker's time was outside its slices. Their sum is the cost, which counts what the driver does beside the
    worker as if it held it up.
    """
    tasks, tree = _task_settings(seconds), _tree_settings()
    official, plain = official_instance(), the_puzzle("eternity2_no_hint")
    extra: dict[str, list[float]] = {"tasks": [], "tree": []}
    idle: dict[str, list[float]] = {"tasks": [], "tree": []}
    rates = []
    with (
        RayExecutor(None, 1) as remote,
        InlineExecutor() as here,
        TemporaryDirectory(prefix="e2-bench-") as folder,
    ):
        timed_run(_task_settings(2.0), official, remote, 1, Path(folder, "warm"))
        for number in range(_WORK_ROUNDS):
            run = timed_run(_task_settings(_WORK_SECONDS), official, here, 1, Path(folder, f"here-{number}"))
            extra["tasks"].append(run.cpu / _cpu(_bare, official, run.nodes) - 1.0)
        for number in range(rounds):
            run = timed_run(tasks, official, remote, 1, Path(folder, f"ray-{number}"))
            idle["tasks"].append(1.0 - run.busy)
            begin = time.monotonic()
            _bare(official, run.nodes)
            rates.append((time.monotonic() - begin) / run.seconds)
            run = timed_run(tree, plain, here, 1, Path(folder, f"tree-here-{number}"))
            extra["tree"].append(run.cpu / _cpu(_bare_tree, plain) - 1.0)
            idle["tree"].append(1.0 - timed_run(tree, plain, remote, 1, Path(folder, f"tree-ray-{number}")).busy)
    costs = {name: (median(extra[name]), median(idle[name])) for name in extra}
    lines = [
        f"{name}: {work:+.1%} of the bare kernel's CPU time, and the Ray worker waits {wait:.1%} of its time: "
        f"{work + wait:+.1%} in all"
        for name, (work, wait) in costs.items()
    ]
    lines.append(f"nodes a second of a Ray worker against the bare kernel: {min(rates):.2f} to {max(rates):.2f}")
    record: dict[str, object] = {"cost": sum(costs["tasks"]), "tree_cost": sum(costs["tree"]), "seconds": seconds}
    bars = tuple((name, 100 * sum(cost)) for name, cost in costs.items())
    return Report("cost of the cluster", tuple(lines), (record,), "%", bars, (("ceiling", 3.0),))


def scale_report(seconds: float = 5.0, rounds: int = 5) -> Report:
    """Nodes a second of two local workers against one, and in turn what two bare processes make of the machine."""
    official, plain = official_instance(), the_puzzle("eternity2_no_hint")
    tasks, tree = _task_settings(seconds), _tree_settings()
    ratios: dict[str, list[float]] = {"tasks": [], "tree": [], "bare": []}
    busy = []
    spawn = multiprocessing.get_context("spawn")
    with (
        LocalExecutor(2) as executor,
        ProcessPoolExecutor(2, spawn) as pool,
        TemporaryDirectory(prefix="e2-bench-") as folder,
    ):
        timed_run(_task_settings(4.0), official, executor, 2, Path(folder, "warm"))
        for number in range(-1, rounds):
            bare = [sum(pool.map(_bare_rate, [seconds] * workers)) for workers in (1, 2)]
            if number < 0:
                continue  # that has warmed the two processes
            ratios["bare"].append(bare[1] / bare[0])
            runs = [timed_run(tasks, official, executor, n, Path(folder, f"tasks-{number}-{n}")) for n in (1, 2)]
            ratios["tasks"].append(runs[1].nodes / runs[1].seconds / (runs[0].nodes / runs[0].seconds))
            runs += [timed_run(tree, plain, executor, n, Path(folder, f"tree-{number}-{n}")) for n in (1, 2)]
            ratios["tree"].append(runs[2].seconds / runs[3].seconds)
            busy += [runs[1].busy, runs[3].busy]
    scale, tree_scale, machine = (median(ratios[name]) for name in ("tasks", "tree", "bare"))
    lines = (
        f"two workers make {scale:.2f} times the nodes of one",
        f"two workers search a whole tree {tree_scale:.2f} times as fast as one",
        f"two bare kernels make {machine:.2f} times the nodes of one: more this machine does not give",
        f"the two workers are in their slices {median(busy):.1%} of the time",
    )
    record = {"scale": scale, "tree_scale": tree_scale, "bare": machine, "busy": median(busy), "seconds": seconds}
    bars = (("tasks", scale), ("a whole tree", tree_scale), ("bare kernels", machine))
    return Report("a second worker", lines, (record,), "times one", bars, (("floor", 1.85),))


def timed_run(settings: RunSettings, instance: Instance, executor: Executor, workers: int, path: Path) -> Timed:
    """Do an ordinary run to its end."""
    begin = time.process_time()
    settings = settings.model_copy(update={"workers": workers})
    summary = solve(settings, instance, path, Silent(), executor=executor)
    cpu = time.process_time() - begin
    ledger = Ledger.open(RunFolder(path).ledger)
    in_slices = sum(worker.seconds for worker in ledger.workers())
    ledger.close()
    return Timed(summary.nodes, summary.seconds, cpu, in_slices / (workers * summary.seconds))


def _task_settings(seconds: float) -> RunSettings:
    return run_settings({"strategy": _STRATEGY, "seconds": seconds, "executor": "local", "nodes": 1 << 50})


def _tree_settings() -> RunSettings:
    return run_settings({"kind": "count", "region": list(_BLOCK), "executor": "local"})


def _cpu(work: Callable[..., None], *arguments: object) -> float:
    begin = time.process_time()
    work(*arguments)
    return time.process_time() - begin


def _bare(instance: Instance, nodes: int) -> None:
    open_search(Task(instance, _STRATEGY)).step(nodes)


def _bare_tree(instance: Instance) -> None:
    search = TreeSearch(strict_tree(_tree_settings(), instance))
    search.open(())
    search.run(1 << 62)


def _bare_rate(seconds: float) -> float:
    search = open_search(Task(official_instance(), _STRATEGY))
    nodes, begin = 0, time.monotonic()
    while time.monotonic() - begin < seconds:
        nodes += search.step(_LOOK).stats.nodes
    return nodes / (time.monotonic() - begin)
