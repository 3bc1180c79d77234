"""Workers that are not there: an executor on a virtual clock, for a count whose units say how much work they hold.

A prefix of the made-up tree is named by its number and its ticks of work, a branch that one gives away by a serial
number and its ticks besides; what is left of a unit stands in its place, so a slice that is lost is drawn again from
what the ledger has, as a real one is searched again.
"""

from __future__ import annotations

import heapq
import math
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from types import TracebackType
from typing import Any, Self

import numpy as np

from e2.cluster.slice import Job, Outcome, SliceFailure
from e2.cluster.tree_slice import TreeJob, TreeResult, UnitWork
from e2.store.tree_ledger import Branch, TreeEntry

TICKS = 1_000_000
"""Ticks of work in a second. The ledger counts them as nodes."""

PREFIX = 3
"""Codes of a prefix: its number, and its ticks in two, since a code has 32 bits."""

_LOW = 30  # bits of the lower code of ticks
_A_CUT = 1000  # prefixes that a slice hands in at a time, as tree_slice does
_TO_CUT = 50  # ticks that it takes to find one of them
_GIVEN = 6  # branches that a unit gives away at a time, at most
_DEEP = 60  # codes below the path in a place: real ones are as long
_SPARE = 2  # slices in flight beyond one for each worker, as on Ray
_NOTICED, _REPLACED = 5.0, 60.0  # seconds until a death is told, and until another worker is there
_REPEATED, _LATE = 30.0, 120.0  # seconds until a result comes again, and by which one is late: at most

Array = Any


@dataclass(frozen=True)
class Faults:
    """What goes wrong: the chance that a worker dies within an hour, and the parts of results that come twice or late.

    Of the slices of dead workers one half is told to be lost, the other never comes back.
    """

    deaths: float = 0.0
    twice: float = 0.0
    late: float = 0.0


@dataclass
class Tally:
    """What the workers and their manager did. `units` came back, in results that were not lost; the search of those
    that were is in `searched` (ticks) all the same.
    """

    units: int = 0
    slices: int = 0
    searched: int = 0
    deaths: int = 0
    twice: int = 0
    late: int = 0
    busy: float = 0.0  # seconds of workers, up to the last event
    absent: float = 0.0  # seconds of workers between a death and the next one
    manager: float = 0.0  # seconds of CPU


class VirtualExecutor:
    """`workers` that search prefixes with so many ticks of `work`. `cost` tells the CPU time of the manager."""

    def __init__(
        self, workers: int, work: Array, faults: Faults, seed: int, cost: Callable[[], float] = time.process_time
    ) -> None:
        self.workers = workers
        self.tally = Tally()
        self._work = work
        self._before = np.concatenate([[0], np.cumsum(work)])  # ticks of all prefixes before each
        self._all = float(self._before[-1])
        self._faults = faults
        self._deaths_a_second = -math.log1p(-faults.deaths) / 3600
        self._random = random.Random(seed)
        self._depths = 0
        self._serial = 0
        self._idle = list(range(workers - 1, -1, -1))
        self._names = workers
        self._at_work, self._since = 0, 0.0
        self._queue: deque[Job] = deque()
        self._events: list[tuple[float, int, int | None, Outcome | None, int]] = []
        self._back: list[Outcome] = []
        self._now = 0.0
        self._waits = 0.0
        self._cost = cost
        self._mark = cost()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._queue.clear()
        self._events.clear()

    @property
    def in_flight(self) -> int:
        return self.workers + _SPARE

    def clock(self) -> float:
        """Virtual seconds. They go on while the manager works."""
        return self._now + self._waits + self._cost() - self._mark

    @property
    def busy(self) -> float:
        """Seconds that workers have searched, together."""
        return self.tally.busy + self._at_work * (self.clock() - self._since)

    def submit(self, job: Job) -> None:
        self._manager_has_worked()
        self._play(self._now)
        self.tally.slices += 1
        if self._idle:
            self._start(job, self._idle.pop(), self._now)
        else:
            self._queue.append(job)
        self._mark = self._cost()

    def collect(self, seconds: float) -> list[Outcome]:
        self._manager_has_worked()
        until = self._now + seconds
        self._play(self._now)
        while not self._back and self._events and self._events[0][0] <= until:
            self._now = self._events[0][0]
            self._play(self._now)
        if not self._back:
            self._now = until
        back, self._back = self._back, []
        self._mark = self._cost()
        return back

    def manager_waits(self, seconds: float) -> None:
        """Let the manager wait for something that takes no CPU time here."""
        self._waits += seconds

    def abandon(self, job: Job) -> None:
        if job in self._queue:
            self._queue.remove(job)

    def _manager_has_worked(self) -> None:
        worked = self._cost() - self._mark
        self.tally.manager += worked
        self._now += worked + self._waits
        self._waits = 0.0

    def _play(self, until: float) -> None:
        """Let everything happen that happens until then, each at its own time."""
        events = self._events
        while events and events[0][0] <= until:
            now, _, worker, outcome, change = heapq.heappop(events)
            stops_working = change < 0 or (worker is not None and change == 0)
            self._note_busy(now, -1 if stops_working else 0)
            self.workers += change
            self.tally.absent += change * now
            if outcome is not None:
                self._back.append(outcome)
            if worker is not None:
                if self._queue:
                    self._start(self._queue.popleft(), worker, now)
                else:
                    self._idle.append(worker)

    def _note_busy(self, now: float, change: int) -> None:
        self.tally.busy += self._at_work * (now - self._since)
        self._since = now
        self._at_work += change

    def _start(self, job: Job, worker: int, now: float) -> None:
        assert isinstance(job, TreeJob)
        self._note_busy(now, 1)
        result, ticks, searched = self._slice(job, worker)
        seconds, faults, draw = ticks / TICKS, self._faults, self._random
        death = draw.expovariate(self._deaths_a_second) if self._deaths_a_second else math.inf
        if death < seconds:
            self._die(job, now + death)
            self.tally.searched += int(searched * death / seconds)
            return
        self.tally.searched += searched
        self.tally.units += len(result.entries)
        end = now + seconds
        if faults.late and draw.random() < faults.late:
            self.tally.late += 1
            self._happens(end, worker)
            self._happens(end + _LATE * draw.random(), outcome=result)
            return
        if faults.twice and draw.random() < faults.twice:
            self.tally.twice += 1
            self._happens(end + _REPEATED * draw.random(), outcome=result)
        self._happens(end, worker, result)

    def _die(self, job: TreeJob, when: float) -> None:
        self.tally.deaths += 1
        self._happens(when, change=-1)
        if self._random.random() < 0.5:
            self._happens(when + _NOTICED, outcome=SliceFailure(job.number, "a worker died", lost=True))
        self._happens(when + _REPLACED, self._names, change=1)
        self._names += 1

    def _happens(self, when: float, worker: int | None = None, outcome: Outcome | None = None, change: int = 0) -> None:
        self._serial += 1
        heapq.heappush(self._events, (when, self._serial, worker, outcome, change))

    def _slice(self, job: TreeJob, worker: int) -> tuple[TreeResult, int, int]:
        """What run_tree_slice would make of the job, the ticks that it takes, and how many of them are search."""
        most, used, searched = max(1, int(job.seconds * TICKS)), 0, 0
        self._depths = job.tree.depths
        entries = []
        for unit in job.units:
            if len(unit.path) < job.cut:
                ticks, entry = self._cut(job, unit, most - used, worker)
            else:
                ticks, entry = self._search(job, unit, most - used, worker)
                searched += ticks
            used += ticks
            entries.append((unit.number, unit.lease, entry))
            if not entry.done or used >= most:
                break
        return TreeResult(job.number, tuple(entries)), used, searched

    def _search(self, job: TreeJob, unit: UnitWork, most: int, worker: int) -> tuple[int, TreeEntry]:
        path = unit.path
        left = _ticks(path[-2:] if unit.place is None else unit.place[len(path) + 1 : len(path) + 3])
        ticks = min(left, most)
        rest = left - ticks
        given: tuple[Branch, ...] = ()
        if rest > 1 and job.give:
            rest, given = self._give(path, rest)
        place = (len(path), *path, *_codes(rest), *(0,) * _DEEP) if rest else None
        return ticks, self._entry(len(path), ticks, given, place, rest, worker)

    def _give(self, path: tuple[int, ...], rest: int) -> tuple[int, tuple[Branch, ...]]:
        """A random part of the rest, in branches of random sizes; what is kept first."""
        away = self._random.randrange(rest)
        cuts = sorted(self._random.randrange(away + 1) for _ in range(self._random.randrange(_GIVEN)))
        sizes = [end - begin for begin, end in zip([0, *cuts], [*cuts, away], strict=True) if end > begin]
        given = []
        for size in sizes:
            self._serial += 1
            given.append(Branch((*path[:PREFIX], self._serial, *_codes(size)), size / self._all))
        return rest - away, tuple(given)

    def _cut(self, job: TreeJob, unit: UnitWork, most: int, worker: int) -> tuple[int, TreeEntry]:
        """Hand in prefixes from the first on; a unit above them is a range of prefixes."""
        first, end = unit.path or (0, len(self._work))
        if unit.place is not None:
            first, end = unit.place[-2:]
        behind = min(end, first + max(1, min(_A_CUT, most // _TO_CUT)))
        given = [
            Branch((number, *_codes(ticks)), ticks / self._all)
            for number, ticks in enumerate(self._work[first:behind].tolist(), first)
        ]
        used = _TO_CUT * len(given)
        if job.give and end - behind > 1:
            bounds = sorted({behind + (end - behind) * part // (_GIVEN + 1) for part in range(1, _GIVEN + 2)})
            given += [Branch((one, other), self._share(one, other)) for one, other in pairwise(bounds)]
            end = bounds[0]
        place = (len(unit.path), *unit.path, behind, end) if behind < end else None
        left = int(self._before[end] - self._before[behind])
        return used, self._entry(len(unit.path), 0, tuple(given), place, left, worker, used)

    def _share(self, first: int, end: int) -> float:
        return float(self._before[end] - self._before[first]) / self._all

    def _entry(
        self,
        depth: int,
        ticks: int,
        given: tuple[Branch, ...],
        place: tuple[int, ...] | None,
        left: int,
        worker: int,
        cutting: int = 0,
    ) -> TreeEntry:
        most = ticks // 4
        nodes = (0,) * depth + (ticks - 3 * most, most, most, most) + (0,) * (self._depths - depth - 4)
        return TreeEntry(
            nodes,
            0,
            (),
            given,
            place,
            left / self._all,
            place is None,
            (ticks + cutting) / TICKS,
            f"host-{worker // 64}",
            worker,
        )


def _codes(ticks: int) -> tuple[int, int]:
    return ticks >> _LOW, ticks & ((1 << _LOW) - 1)


def _ticks(codes: tuple[int, ...]) -> int:
    return codes[0] << _LOW | codes[1]
