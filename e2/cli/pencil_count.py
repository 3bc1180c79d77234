"""Counts of covers: what words, rectangle and cover share. A small one is done at once, any other can be a run."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from e2.cli.output import DONE, INTERNAL, INTERRUPTED, NO, note, say, say_json
from e2.cli.solve import Watcher, default_path
from e2.core.cover import CoverProblem
from e2.errors import SettingsError
from e2.views.terminal import printable

Count = Annotated[bool, typer.Option("--count", help="Only say how many there are.")]
CountOut = Annotated[
    Path | None,
    typer.Option("--out", metavar="RUN", help="Make the count a run in this new folder, which e2 resume goes on with."),
]
CountExecutor = Annotated[
    str | None,
    typer.Option("--executor", help="Where --count is done: inline (default), local (processes) or ray."),
]
CountWorkers = Annotated[int | None, typer.Option("--workers", min=1, help="Worker processes; default: one a core.")]


@dataclass(frozen=True)
class Where:
    """What the options say about where a count is done, for how long, and what is kept of it."""

    out: Path | None
    executor: str | None
    workers: int | None
    address: str | None
    seconds: float | None

    @property
    def is_run(self) -> bool:
        """Whether the count is a run, with a folder of its own."""
        return self.out is not None or self.executor not in (None, "inline")

    def check(self, count: bool) -> None:
        """Raise the SettingsError that these options deserve where nothing is counted, or one process counts."""
        placed = self.workers is not None or self.address is not None
        if not count and (placed or self.is_run or self.executor is not None or self.seconds is not None):
            raise SettingsError("--out, --executor, --workers, --address and --seconds are for --count")
        if placed and self.executor in (None, "inline"):
            raise SettingsError("--workers and --address are for --executor local or ray")
        if self.seconds is not None and not self.is_run:
            raise SettingsError("--seconds needs --out: a count that is not kept cannot go on")


def say_count(
    problem: CoverProblem, name: str, texts: tuple[str, str], where: Where, json: bool, crossing: str | None = None
) -> int:
    """Count the covers of a problem and tell it, as one of `texts` (for one, for several) after the number.

    Exit code 1 for none. Where another executor than this process or a folder is asked for, the count is a run, called
    `name` where it is given no folder. `crossing` is as RunSettings has it.
    """
    if not where.is_run:
        return _said(_counted_here(problem, crossing, json), texts, json)
    from e2.cluster import run as runs
    from e2.cluster.study import COVER, run_settings

    values = {
        "kind": "count",
        "strategy": COVER,
        "puzzle": name,
        "crossing": crossing,
        "keep": 0,
        "executor": where.executor or "inline",
        "workers": where.workers,
        "address": where.address,
        "seconds": where.seconds,
    }
    path = default_path(name, "count") if where.out is None else where.out
    with Watcher(json) as watcher:
        summary = runs.solve(run_settings(values), problem, path, watcher, numbered=where.out is None)
    for failure in summary.failures:
        note(f"failed: {printable(failure)}")
    if summary.complete:
        return _said(summary.solutions, texts, json)
    note(f"to go on: e2 resume {summary.run}")
    if json:
        say_json({"solutions": summary.solutions, "complete": False, "run": summary.run})
    else:
        say(f"{summary.solutions:,} {texts[summary.solutions != 1]} so far")
    if summary.interrupted:
        return INTERRUPTED
    return INTERNAL if summary.failures else DONE


def _counted_here(problem: CoverProblem, crossing: str | None, json: bool) -> int:
    """Count in this process and keep nothing; on a terminal a line says how far it is."""
    from e2.cluster.observer import Progress
    from e2.cluster.slice import bite_nodes
    from e2.search.cover_tree import CoverTree
    from e2.search.crossing import ANY

    search = CoverTree.of(problem, crossing or ANY).search()
    search.open(())
    began = now = time.perf_counter()
    nodes, solutions, rate = 0, 0, 0.0
    with Watcher(json) as watcher:
        try:
            while not search.finished:
                bite = search.run(bite_nodes(rate, 1.0, 1.0, None))
                before, now = now, time.perf_counter()
                made = sum(bite.nodes)
                nodes, solutions, rate = nodes + made, solutions + bite.solutions, made / max(now - before, 1e-6)
                seconds, left = max(now - began, 1e-9), search.share_left()
                to_go = seconds * left / (1 - left) if left < 1 else None
                watcher.progress(Progress(nodes, nodes / seconds, 1, None, seconds, to_go, 0, None, left, solutions))
        except KeyboardInterrupt:
            note(f"stopped at {solutions:,}; with --out RUN a count can go on later")
            raise
    return solutions


def _said(number: int, texts: tuple[str, str], json: bool) -> int:
    if json:
        say_json({"solutions": number})
    else:
        say(f"{number:,} {texts[number != 1]}")
    return DONE if number else NO
