"""Which unit goes next, with how much budget; what to do with what comes back.

The manager holds the plan and nothing that the ledger does not have: it may be killed at any moment. Units are handed
out in order, one slice of each at a time. A slice that fails is tried again; one that does not come back is given up
after its own deadline, since a cluster may take minutes to notice that a host is gone.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from e2.cluster.executor import Executor
from e2.cluster.observer import Observer, Progress
from e2.cluster.slice import SliceFailure, SliceJob, SliceResult
from e2.cluster.study import COUNT, RunSettings, nth_task
from e2.core.audit import board_faults
from e2.core.fingerprint import board_hash
from e2.core.instance import Instance
from e2.errors import RunError
from e2.search import strategy
from e2.search.stats import SearchStats
from e2.search.task import Task
from e2.store.archive import Archive
from e2.store.ledger import Best, Entry, Ledger, Unit

_GRACE = 60.0  # seconds that a worker may take to start, import and compile before its first slice
_TICK = 0.25  # seconds between looks at the clock
_REPORT = 0.5  # seconds between progress reports
_LAST_WAIT = 1.5  # seconds that a stopped run waits for slices in flight
_ELITE = 12  # boards that take turns as the start of a task
_FAILURES, _LOSSES = 3, 10  # of one unit without a result between them, until it is marked as failed


@dataclass(frozen=True)
class _Flight:
    job: SliceJob
    deadline: float  # time.monotonic()


class Manager:
    """Drives one sitting of a run. `stopping` is asked every quarter of a second."""

    def __init__(
        self,
        settings: RunSettings,
        instance: Instance,
        ledger: Ledger,
        archive: Archive,
        executor: Executor,
        observer: Observer,
        *,
        stop: Path,
        stopping: Callable[[], bool],
        grace: float = _GRACE,
    ) -> None:
        self._settings = settings
        self._instance = instance
        self._ledger = ledger
        self._archive = archive
        self._executor = executor
        self._observer = observer
        self._stop = stop
        self._stopping = stopping
        self._grace = grace
        self._patience = strategy(settings.strategy, settings.source).patience
        totals = ledger.totals()
        self._units = {unit.number: unit for unit in ledger.open_units()}
        self._known = totals.units
        self._done = totals.done
        self._best = max((best.score for _, best in ledger.bests()), default=None)
        self._flights: dict[int, _Flight] = {}
        self._errors: dict[int, Counter[str]] = {}
        self._noted: set[str] = set()
        self._nodes = 0
        self._began = self._reported = time.monotonic()

    def run(self) -> None:
        """Work until everything is done, the target is reached, time is over or a stop is asked for."""
        while not self._over():
            self._submit()
            if not self._flights:
                break
            self._collect(_TICK)
            self._give_up_the_overdue()
            self._report()
        try:
            self._stop.touch()
        except OSError as error:
            raise RunError(f"{self._stop.parent} cannot be written any more: {error.strerror}") from error
        last = time.monotonic() + _LAST_WAIT
        while self._flights and time.monotonic() < last:
            self._collect(min(_TICK, max(0.0, last - time.monotonic())))
        self._report(now=True)

    def _over(self) -> bool:
        if self._stopping():
            return True
        target = self._settings.target
        if target is not None and self._best is not None and self._best >= target:
            return True
        left = self._seconds_left()
        return left is not None and left <= 0

    def _seconds_left(self) -> float | None:
        if self._settings.seconds is None:
            return None
        return self._settings.seconds - (time.monotonic() - self._began)

    def _submit(self) -> None:
        settings = self._settings
        # A spare slice saves a worker the wait for the driver; where steps are long, it keeps another task waiting.
        wanted = self._executor.workers if self._patience else self._executor.in_flight
        if settings.workers is not None:
            wanted = min(wanted, settings.workers)
        while len(self._flights) < wanted:
            unit = self._next_unit()
            if unit is None:
                return
            left = self._seconds_left()
            if settings.task_seconds is not None:
                budget = settings.task_seconds - unit.seconds
                left = budget if left is None else min(left, budget)
            seconds = settings.slice_seconds if left is None else min(settings.slice_seconds, max(left, 0.01))
            nodes = None if unit.budget is None else unit.budget - unit.nodes
            task = self._task(unit)
            job = SliceJob(unit.number, unit.lease, task, unit.state, nodes, seconds, str(self._stop))
            deadline = time.monotonic() + 3 * (settings.slice_seconds + self._patience) + self._grace
            self._flights[unit.number] = _Flight(job, deadline)
            self._executor.submit(job)

    def _next_unit(self) -> Unit | None:
        """The first open unit that nobody works on; the next task of an endless list where there is none."""
        for number, unit in self._units.items():
            if number not in self._flights:
                return unit
        settings = self._settings
        if settings.kind == COUNT or settings.tasks is not None:
            return None
        seed = nth_task(settings, self._instance, self._known).seed
        unit = Unit(self._known, seed, settings.nodes, start=self._elite(self._known))
        self._ledger.add_units([unit], SearchStats())
        self._units[unit.number] = unit
        self._known += 1
        return unit

    def _collect(self, seconds: float) -> None:
        for outcome in self._executor.collect(seconds):
            flight = self._flights.get(outcome.unit)
            if flight is not None and flight.job.lease == outcome.lease:
                del self._flights[outcome.unit]
            if isinstance(outcome, SliceFailure):
                self._failed(outcome)
            else:
                self._settle(outcome)

    def _settle(self, result: SliceResult) -> None:
        unit = self._units.get(result.unit)
        if unit is None or unit.lease != result.lease:
            self._ledger.enter(result.unit, result.lease, _entry(result, None, announced=False))
            return
        limit = self._settings.task_seconds
        if limit is not None and unit.seconds + result.seconds >= limit:
            result = replace(result, finished=True)
        best = self._improvement(unit, result)
        if best is not None:
            faults = list(board_faults(best.codes, best.score, self._instance))
            if faults:
                self._ledger.reject(unit.number, result.host, result.pid)
                error = f"task {self._task(unit).id}: a board was rejected: {'; '.join(faults[:3])}"
                self._failed(SliceFailure(unit.number, unit.lease, error, lost=False))
                return
        told = best if best is not None and (self._best is None or best.score > self._best) else None
        last = best or unit.best
        if result.finished and last is not None and not self._ledger.was_announced(last.board_hash):
            best = told = last
        found = None if best is None else self._archive.write(best.codes, best.score)
        entered = self._ledger.enter(unit.number, unit.lease, _entry(result, best, announced=told is not None))
        assert entered, "the ledger of a locked run changed under its driver"
        self._retire_the_surpassed(unit, best)
        self._follow(unit, result, best)
        if told is not None and found is not None:
            self._observer.board(found)

    def _improvement(self, unit: Unit, result: SliceResult) -> Best | None:
        """The board of a result, if it is the unit's best so far. A count keeps only solutions."""
        if result.best is None or (unit.best is not None and result.best_score <= unit.best.score):
            return None
        if self._settings.kind == COUNT and result.best_score < self._instance.grid.max_score:
            return None
        return Best(result.best_score, board_hash(result.best), result.best)

    def _retire_the_surpassed(self, unit: Unit, best: Best | None) -> None:
        before = unit.best
        if best is not None and before is not None and not self._ledger.is_best(before.board_hash):
            announced = self._ledger.was_announced(before.board_hash)
            self._archive.retire(before.score, before.board_hash, announced=announced)

    def _follow(self, unit: Unit, result: SliceResult, best: Best | None) -> None:
        """Bring the plan in step with what the ledger has just entered."""
        self._errors.pop(unit.number, None)
        self._nodes += result.stats.nodes
        if best is not None:
            self._best = max(best.score, self._best or 0)
        if result.finished:
            self._done += 1
            del self._units[unit.number]
        else:
            self._units[unit.number] = replace(
                unit,
                state=result.state,
                lease=unit.lease + 1,
                nodes=unit.nodes + result.stats.nodes,
                seconds=unit.seconds + result.seconds,
                best=best or unit.best,
            )

    def _failed(self, failure: SliceFailure) -> None:
        unit = self._units.get(failure.unit)
        if unit is None or unit.lease != failure.lease:
            return
        errors = self._errors.setdefault(unit.number, Counter())
        errors[failure.error] += 1
        if failure.error not in self._noted:
            self._noted.add(failure.error)
            self._observer.note(failure.error)
        if errors[failure.error] < (_LOSSES if failure.lost else _FAILURES):
            self._ledger.give_up(unit.number, unit.lease)
            self._units[unit.number] = replace(unit, lease=unit.lease + 1)
        else:
            self._ledger.give_up(unit.number, unit.lease, failed=failure.error)
            del self._units[unit.number]

    def _give_up_the_overdue(self) -> None:
        now = time.monotonic()
        for number, flight in list(self._flights.items()):
            if now < flight.deadline:
                continue
            del self._flights[number]
            self._executor.abandon(flight.job)
            error = f"task {flight.job.task.id}: a slice did not come back in time"
            self._failed(SliceFailure(number, flight.job.lease, error, lost=True))

    def _elite(self, number: int) -> tuple[int, ...] | None:
        """One of the best boards so far, for a task that is to begin with one; they take turns."""
        every = self._settings.elite_every
        if every is None or (number + 1) % every:
            return None
        elite = self._ledger.elite(_ELITE)
        return elite[number // every % len(elite)].codes if elite else None

    def _task(self, unit: Unit) -> Task:
        return nth_task(self._settings, self._instance, unit.number, unit.start)

    def _report(self, *, now: bool = False) -> None:
        clock = time.monotonic()
        if not now and clock - self._reported < _REPORT:
            return
        self._reported = clock
        seconds = clock - self._began
        left = self._seconds_left()
        endless = self._settings.kind != COUNT and self._settings.tasks is None
        self._observer.progress(
            Progress(
                self._nodes,
                self._nodes / max(seconds, 1e-9),
                self._executor.workers,
                self._best,
                seconds,
                None if left is None else max(0.0, left),
                self._done,
                None if endless else self._known,
            )
        )


def _entry(result: SliceResult, best: Best | None, *, announced: bool) -> Entry:
    return Entry(result.stats, result.state, result.finished, best, announced, result.seconds, result.host, result.pid)
