"""Who works on what, and for how long: jobs go out, results come in, whatever is lost is done again.

The manager holds nothing that the ledger does not have: it may be killed at any moment. A slice that fails is tried
again; one that does not come back is given up after its own deadline, since a cluster may take minutes to notice that
a host is gone. What comes in at the same time is entered together, with one wait for the disk; where thousands come at
once, those that are entered get their next slice before the others have their turn.

A deadline must outlast a slow host and end soon after a dead one, and nothing tells them apart. So it follows the
longest slice that came back; a unit that is given up gets twice the time when it is handed out again; and no time
passes while there is nobody to work. At the end of a run, where workers have nothing else to do, nobody waits for a
deadline: what has been out for long is handed out once more, and the first result counts.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from e2.cluster.executor import Executor
from e2.cluster.observer import Observer, Progress
from e2.cluster.plan import Leased, Plan, Settled
from e2.cluster.slice import Job, Outcome, SliceFailure
from e2.cluster.study import RunSettings
from e2.errors import RunError
from e2.store.ledger import Ledger

_GRACE = 60.0  # seconds that a worker may take to start, import and compile before its first slice
_TICK = 0.25  # seconds between looks at the clock
_REPORT = 0.5  # seconds between progress reports
_TOGETHER = 256  # outcomes that are entered together, at most
_PATIENT = 5.0  # seconds beyond two slices, after which a worker that has nothing to do repeats another's slice
_LAST_WAIT = 1.0  # seconds that a stopped run waits for slices in flight: all of it is over in two
_FAILURES, _LOSSES = 3, 10  # of one unit without a result between them, until it is marked as failed


@dataclass
class _Flight:
    job: Job
    units: Sequence[Leased]
    sent: float
    deadline: float
    repeated: bool = False


class Manager:
    """Drives one sitting of a run. `stopping` is asked every quarter of a second; `clock` tells seconds."""

    def __init__(
        self,
        settings: RunSettings,
        plan: Plan,
        ledger: Ledger,
        executor: Executor,
        observer: Observer,
        *,
        stop: Path,
        stopping: Callable[[], bool],
        grace: float = _GRACE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._plan = plan
        self._ledger = ledger
        self._executor = executor
        self._observer = observer
        self._stop = stop
        self._stopping = stopping
        self._grace = grace
        self._clock = clock
        self._numbers = 0
        self._flights: dict[int, _Flight] = {}
        self._arrived: deque[Outcome] = deque()  # and not yet entered
        self._errors: dict[int, Counter[str]] = {}
        self._overdue: Counter[int] = Counter()  # how often each unit was given up since it last came back
        self._longest = 0.0  # seconds that a slice took to come back, beyond the grace
        self._noted: set[str] = set()
        self._nodes = 0
        self._part_left = plan.standing().part_left
        self._began = self._reported = self._looked = clock()

    def run(self) -> None:
        """Work until everything is done, the target is reached, time is over or a stop is asked for."""
        while not self._over():
            self._submit()
            if not self._flights or self._plan.is_done:
                break
            self._collect(_TICK)
            self._give_up_the_overdue()
            self._report()
        try:
            self._stop.touch()
        except OSError as error:
            raise RunError(f"{self._stop.parent} cannot be written any more: {error.strerror}") from error
        last = self._clock() + _LAST_WAIT
        while self._flights and not self._plan.is_done and (self._arrived or self._clock() < last):
            self._collect(min(_TICK, max(0.0, last - self._clock())))
        if not self._stopping():
            # The next run on this executor gives its jobs the same numbers.
            for flight in self._flights.values():
                self._executor.abandon(flight.job)
        self._report(now=True)

    def _over(self) -> bool:
        if self._stopping():
            return True
        target, best = self._settings.target, self._plan.standing().best_score
        if target is not None and best is not None and best >= target:
            return True
        left = self._seconds_left()
        return left is not None and left <= 0

    def _seconds_left(self) -> float | None:
        if self._settings.seconds is None:
            return None
        return self._settings.seconds - (self._clock() - self._began)

    def _submit(self) -> None:
        settings, workers = self._settings, self._executor.workers
        # A spare slice saves a worker the wait for the driver; where steps are long, it keeps another task waiting.
        wanted = workers if self._plan.patience else self._executor.in_flight
        if settings.workers is not None:
            wanted, workers = min(wanted, settings.workers), min(workers, settings.workers)
        if not workers:
            # One slice waits, which tells an autoscaler that a host is wanted.
            wanted = workers = 1
            self._note("the cluster has no cores: waiting for a host")
        while len(self._flights) < wanted:
            found = self._plan.next_job(self._numbers, self._seconds_left(), workers)
            if found is None:
                if len(self._flights) < workers:
                    self._repeat(workers - len(self._flights))
                return
            self._send(*found)

    def _send(self, job: Job, units: Sequence[Leased]) -> None:
        now = self._clock()
        self._flights[job.number] = _Flight(job, units, now, now + self._lease(units))
        self._numbers += 1
        self._executor.submit(job)

    def _repeat(self, most: int) -> None:
        """Hand slices out once more that have been out for long. Their units are still the first flight's to lose."""
        late = self._clock() - _PATIENT - 2 * (self._settings.slice_seconds + self._plan.patience)
        for flight in sorted(self._flights.values(), key=lambda flight: flight.sent)[:most]:
            if flight.units and not flight.repeated and flight.sent < late:
                flight.repeated = True
                self._send(flight.job.again(self._numbers), ())

    def _lease(self, units: Sequence[Leased]) -> float:
        """Seconds until a slice of these units is given up."""
        usual = max(self._settings.slice_seconds + self._plan.patience, self._longest)
        given_up = max((self._overdue[number] for number, _ in units), default=0)
        return float((3 * usual + self._grace) * 2**given_up)

    def _collect(self, seconds: float) -> None:
        if not self._arrived:
            self._arrived.extend(self._executor.collect(seconds))
        outcomes = [self._arrived.popleft() for _ in range(min(_TOGETHER, len(self._arrived)))]
        if not outcomes:
            return
        settled, failures = Settled(), []
        with self._ledger.together():
            for outcome in outcomes:
                flight = self._flights.pop(outcome.job, None)
                if not isinstance(outcome, SliceFailure):
                    self._plan.settle(outcome, flight.units if flight else (), settled)
                    if flight is not None:
                        self._longest = max(self._longest, self._clock() - flight.sent - self._grace)
                elif flight is not None:
                    failures.append((outcome, flight))
            for failure, flight in failures:
                for unit in flight.units:
                    self._failed(unit, failure.error, lost=failure.lost)
            for unit, reason in settled.refused:
                self._failed(unit, reason, lost=False)
        self._nodes += settled.nodes
        for number in settled.returned:
            self._errors.pop(number, None)
            self._overdue.pop(number, None)
        for action in settled.later:
            action()
        for board in settled.boards:
            self._observer.board(board)

    def _failed(self, unit: Leased, error: str, *, lost: bool) -> None:
        errors = self._errors.setdefault(unit[0], Counter())
        errors[error] += 1
        if errors[error] < (_LOSSES if lost else _FAILURES):
            known = self._plan.again(unit)
        else:
            known = self._plan.drop(unit, error)
        if known:
            self._note(error)

    def _note(self, text: str) -> None:
        """Say it, once."""
        if text not in self._noted:
            self._noted.add(text)
            self._observer.note(text)

    def _give_up_the_overdue(self) -> None:
        now = self._clock()
        if now - self._looked < _TICK:
            return
        if not self._executor.workers:
            for flight in self._flights.values():
                flight.sent += now - self._looked
                flight.deadline += now - self._looked
        self._looked = now
        for number, flight in list(self._flights.items()):
            if now < flight.deadline:
                continue
            del self._flights[number]
            self._executor.abandon(flight.job)
            with self._ledger.together():
                for unit in flight.units:
                    self._overdue[unit[0]] += 1
                    self._failed(unit, f"{flight.job.name}: a slice did not come back in time", lost=True)

    def _report(self, *, now: bool = False) -> None:
        clock = self._clock()
        if not now and clock - self._reported < _REPORT:
            return
        self._reported = clock
        seconds, left, standing = clock - self._began, self._seconds_left(), self._plan.standing()
        if left is None and standing.part_left is not None and self._part_left is not None:
            searched = self._part_left - standing.part_left
            left = seconds * standing.part_left / searched if searched > 0 else None
        self._observer.progress(
            Progress(
                self._nodes,
                self._nodes / max(seconds, 1e-9),
                self._executor.workers,
                standing.best_score,
                seconds,
                None if left is None else max(0.0, left),
                standing.done,
                standing.known,
                standing.part_left,
                standing.solutions,
            )
        )
