"""Counts that are cut small, and drivers that die: the same cuts on any machine."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from sqlite3 import Connection
from types import SimpleNamespace

import pytest

from e2.cluster import run, tree_plan, tree_slice
from e2.cluster.executor import Executor
from e2.cluster.inline import InlineExecutor
from e2.cluster.observer import Silent
from e2.cluster.run import RunSummary
from e2.cluster.slice import Outcome
from e2.cluster.study import run_settings
from e2.store import ledger
from e2.store.documents import Problem


def _without_waiting(path: Path, connect: Callable[[Path], Connection] = ledger._connect) -> Connection:
    connection = connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    return connection


@contextlib.contextmanager
def cutting(bite: int) -> Iterator[None]:
    """Bites of so many nodes, that take a few thousandths of a second by a clock that counts; and many given away.

    Files do not wait for the disk.
    """
    ticks = itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_plan, "_STOCK", 12)
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(ledger, "_connect", _without_waiting)
        patch.setattr(tree_slice, "bite_nodes", lambda *_: bite)
        patch.setattr(tree_slice, "time", SimpleNamespace(perf_counter=lambda: next(ticks) / 1000))
        yield


def counted(problem: Problem, path: Path, executor: Executor | None = None, **settings: object) -> RunSummary:
    """Count in this process, in slices of a hundredth of a second."""
    values = {"kind": "count", "executor": "inline", "slice_seconds": 0.01, **settings}
    return run.solve(run_settings(values), problem, path, Silent(), executor=executor)


class Killed(Exception):
    """The driver is gone, wherever it was."""


class Dying(InlineExecutor):
    """Takes the driver with it after so many slices."""

    def __init__(self, slices: int) -> None:
        super().__init__()
        self._slices = slices

    def collect(self, seconds: float) -> list[Outcome]:
        if not self._slices:
            raise Killed
        self._slices -= 1
        return super().collect(seconds)


def dying_again_and_again(problem: Problem, path: Path, **settings: object) -> tuple[RunSummary, int]:
    """Count with a driver that dies, resumed until the count is done: its summary, and how often the driver died."""
    deaths = 0
    with pytest.raises(Killed):
        counted(problem, path, Dying(0), **settings)
    while True:
        deaths += 1
        try:
            return run.resume(path, Silent(), executor=Dying(7)), deaths
        except Killed:
            continue
