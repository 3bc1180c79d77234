"""The plan of a solve: a list of tasks, one slice of each at a time, the first open one first."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace

from e2.cluster.plan import Leased, Leases, Settled, Standing
from e2.cluster.slice import Outcome, SliceJob, SliceResult
from e2.cluster.study import RunSettings, nth_task
from e2.core.audit import board_faults
from e2.core.fingerprint import board_hash
from e2.core.instance import Instance
from e2.search import strategy
from e2.search.task import Task
from e2.store.archive import Archive
from e2.store.ledger import Best, Entry, Ledger, Unit

_ELITE = 12  # boards that take turns as the start of a task


class TaskPlan:
    """The tasks of a run; an endless list where the settings name no number."""

    def __init__(self, settings: RunSettings, instance: Instance, ledger: Ledger, archive: Archive, stop: str) -> None:
        self._settings = settings
        self._instance = instance
        self._ledger = ledger
        self._archive = archive
        self._stop = stop
        self.patience = strategy(settings.strategy, settings.source).patience
        totals = ledger.totals()
        self._leases = Leases[Unit](ledger)
        self._units = self._leases.units
        self._units |= {unit.number: unit for unit in ledger.open_units()}
        self._ready = sorted(self._units)  # a heap
        self._known = totals.units
        self._done = totals.done
        best = ledger.best()
        self._best = None if best is None else best.score

    @property
    def is_done(self) -> bool:
        return self._settings.tasks is not None and not self._units

    def next_job(self, number: int, seconds: float | None, workers: int) -> tuple[SliceJob, Sequence[Leased]] | None:
        unit = self._units[heapq.heappop(self._ready)] if self._ready else self._one_more()
        if unit is None:
            return None
        settings, left = self._settings, seconds
        if settings.task_seconds is not None:
            budget = settings.task_seconds - unit.seconds
            left = budget if left is None else min(left, budget)
        slice_seconds = settings.slice_seconds if left is None else min(settings.slice_seconds, max(left, 0.01))
        nodes = None if unit.budget is None else unit.budget - unit.nodes
        task = self._task(unit)
        job = SliceJob(number, unit.number, unit.lease, task, unit.state, nodes, slice_seconds, self._stop)
        return job, ((unit.number, unit.lease),)

    def _one_more(self) -> Unit | None:
        """The next task of an endless list."""
        settings = self._settings
        if settings.tasks is not None:
            return None
        seed = nth_task(settings, self._instance, self._known).seed
        unit = Unit(self._known, seed, settings.nodes, start=self._elite(self._known))
        self._ledger.add_units([unit])
        self._units[unit.number] = unit
        self._known += 1
        return unit

    def settle(self, outcome: Outcome, units: Sequence[Leased], settled: Settled) -> None:
        assert isinstance(outcome, SliceResult)
        result = outcome
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
                reason = f"task {self._task(unit).id}: a board was rejected: {'; '.join(faults[:3])}"
                settled.refused.append(((unit.number, unit.lease), reason))
                return
        told = best if best is not None and (self._best is None or best.score > self._best) else None
        last = best or unit.best
        if result.finished and last is not None and not self._ledger.was_announced(last.board_hash):
            best = told = last
        found = None if best is None else self._archive.write(best.codes, best.score)
        entered = self._ledger.enter(unit.number, unit.lease, _entry(result, best, announced=told is not None))
        assert entered, "the ledger of a locked run changed under its driver"
        if best is not None and unit.best is not None:
            settled.later.append(lambda before=unit.best: self._retire_the_surpassed(before))  # type: ignore[misc]
        if told is not None and found is not None:
            settled.boards.append(found)
        settled.nodes += result.stats.nodes
        settled.returned.add(unit.number)
        self._follow(unit, result, best)

    def _improvement(self, unit: Unit, result: SliceResult) -> Best | None:
        """The board of a result, if it is the unit's best so far."""
        if result.best is None or (unit.best is not None and result.best_score <= unit.best.score):
            return None
        return Best(result.best_score, board_hash(result.best), result.best)

    def _retire_the_surpassed(self, before: Best) -> None:
        if not self._ledger.is_best(before.board_hash):
            announced = self._ledger.was_announced(before.board_hash)
            self._archive.retire(before.score, before.board_hash, announced=announced)

    def _follow(self, unit: Unit, result: SliceResult, best: Best | None) -> None:
        """Bring the plan in step with what the ledger has just entered."""
        if best is not None:
            self._best = max(best.score, self._best or 0)
        if result.finished:
            self._done += 1
            del self._units[unit.number]
        else:
            self._hold(
                replace(
                    unit,
                    state=result.state,
                    lease=unit.lease + 1,
                    nodes=unit.nodes + result.stats.nodes,
                    seconds=unit.seconds + result.seconds,
                    best=best or unit.best,
                )
            )

    def again(self, leased: Leased) -> bool:
        unit = self._leases.void(leased)
        if unit is not None:
            self._hold(unit)
        return unit is not None

    def drop(self, leased: Leased, reason: str) -> bool:
        return self._leases.drop(leased, reason)

    def standing(self) -> Standing:
        return Standing(self._best, 0, self._done, None if self._settings.tasks is None else self._known, None)

    def _hold(self, unit: Unit) -> None:
        self._units[unit.number] = unit
        heapq.heappush(self._ready, unit.number)

    def _elite(self, number: int) -> tuple[int, ...] | None:
        """One of the best boards so far, for a task that is to begin with one; they take turns."""
        every = self._settings.elite_every
        if every is None or (number + 1) % every:
            return None
        elite = self._ledger.elite(_ELITE)
        return elite[number // every % len(elite)].codes if elite else None

    def _task(self, unit: Unit) -> Task:
        return nth_task(self._settings, self._instance, unit.number, unit.start)


def _entry(result: SliceResult, best: Best | None, *, announced: bool) -> Entry:
    return Entry(result.stats, result.state, result.finished, best, announced, result.seconds, result.host, result.pid)
