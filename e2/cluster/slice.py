"""The unit of remote work: a search's state goes in, the state and what was found come out. Pure but for the clock.

The clock only decides where a slice ends, never what a search does: a task that has made the same number of nodes is
in the same state however they were cut.
"""

from __future__ import annotations

import os
import socket
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Protocol

from e2.search import open_search
from e2.search.own import RAISED, told
from e2.search.stats import SearchStats
from e2.search.strategy import Search
from e2.search.task import Task

_FIRST_BITE = 256  # nodes: some strategies take a millisecond for each
_BITE = 0.1  # seconds: how late a stop may be seen
_BITES = 10  # a slice, so that it overshoots its seconds by a tenth at most
_PREPARED = 4  # searches that a process keeps: tables may take some MB each


class Outcome(Protocol):
    """What a worker hands in. `job` is the number of its job."""

    @property
    def job(self) -> int: ...


class Job(Protocol):
    """What a worker gets. `number` tells it from all others of a sitting, `name` is for people."""

    @property
    def number(self) -> int: ...

    @property
    def name(self) -> str: ...

    def run(self) -> Outcome:
        """Search for one slice."""

    def again(self, number: int) -> Job:
        """The same under another number."""

    def told(self, error: BaseException) -> str:
        """What `run` has raised, in one line; whatever it has kept of the job is let go."""


@dataclass(frozen=True)
class SliceFailure:
    """A slice without a result. `lost` means that nobody knows why: its worker is gone."""

    job: int
    error: str
    lost: bool


def attempt(job: Job) -> Outcome:
    """`job.run` for the outermost loop of a worker: whatever a strategy raises becomes a SliceFailure."""
    try:
        return job.run()
    except RAISED as error:
        return SliceFailure(job.number, f"{job.name}: {job.told(error)}", lost=False)


@dataclass(frozen=True)
class SliceJob:
    """A slice of a task. `lease` is the number that the ledger asks back; `nodes` is what is left of the budget.

    The slice ends when the search does, after `nodes`, after about `seconds`, or soon after a file named `stop` exists.
    The file stops workers that share the driver's disk; others end with their seconds.
    """

    number: int
    unit: int
    lease: int
    task: Task
    state: bytes | None
    nodes: int | None
    seconds: float
    stop: str

    @property
    def name(self) -> str:
        return f"task {self.task.id}"

    def run(self) -> SliceResult:
        return run_slice(self)

    def again(self, number: int) -> SliceJob:
        return replace(self, number=number)

    def told(self, error: BaseException) -> str:
        _prepared.pop(self.task.id, None)
        return told(error, self.task.strategy, self.task.source)


@dataclass(frozen=True)
class SliceResult:
    """What became of a SliceJob. `best` holds the codes of the best board of the search so far, if there is one."""

    job: int
    unit: int
    lease: int
    state: bytes
    stats: SearchStats
    best: tuple[int, ...] | None
    best_score: int
    finished: bool
    seconds: float
    host: str
    pid: int


@dataclass
class _Prepared:
    """A search whose tables are built. `state` is where it stands; `rate` is in nodes a second, 0 before a bite."""

    search: Search
    start: bytes
    state: bytes
    rate: float = field(default=0.0)


_prepared: OrderedDict[str, _Prepared] = OrderedDict()


def run_slice(job: SliceJob) -> SliceResult:
    """Search for one slice."""
    began = time.perf_counter()
    prepared = _prepare(job.task)
    search = prepared.search
    wanted = prepared.start if job.state is None else job.state
    if prepared.state != wanted:
        search.restore(wanted)
    stats = SearchStats()
    while True:
        left = None if job.nodes is None else job.nodes - stats.nodes
        nodes = bite_nodes(prepared.rate, job.seconds, job.seconds - (time.perf_counter() - began), left)
        bite_began = time.perf_counter()
        bite = search.step(nodes, lambda: os.path.exists(job.stop))
        now = time.perf_counter()
        prepared.rate = bite.stats.nodes / max(now - bite_began, 1e-6)
        stats += bite.stats
        through = bite.finished or (job.nodes is not None and stats.nodes >= job.nodes)
        if through or now - began >= job.seconds or os.path.exists(job.stop):
            break
    prepared.state = search.state()
    return SliceResult(
        job.number,
        job.unit,
        job.lease,
        prepared.state,
        stats,
        None if bite.best is None else bite.best.codes,
        bite.best_score,
        through,
        now - began,
        socket.gethostname(),
        os.getpid(),
    )


def _prepare(task: Task) -> _Prepared:
    prepared = _prepared.get(task.id)
    if prepared is None:
        search = open_search(task)
        start = search.state()
        prepared = _prepared[task.id] = _Prepared(search, start, start)
        if len(_prepared) > _PREPARED:
            _prepared.popitem(last=False)
    _prepared.move_to_end(task.id)
    return prepared


def bite_nodes(rate: float, slice_seconds: float, seconds_left: float, nodes_left: int | None) -> int:
    """How many nodes to make before the next look at the clock, for a search of `rate` nodes a second."""
    seconds = max(0.0, min(_BITE, slice_seconds / _BITES, seconds_left))
    nodes = max(_FIRST_BITE, int(rate * seconds))
    return nodes if nodes_left is None else min(nodes, nodes_left)
