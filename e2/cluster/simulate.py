"""How busy a manager keeps workers that are not there: a count replayed with measured times, on a clock of its own.

Manager, plan and ledger are the real ones, with every transaction and every wait for the disk; only the workers are
made up (see virtual.py). The manager is one server for all of them, so the CPU time that it takes moves their clock
too. Not in it are the network, and what a cluster's own machinery costs the driver for each slice.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from e2.cluster.manager import Manager
from e2.cluster.observer import Progress, Silent
from e2.cluster.study import COUNT, run_settings, settings_from_toml, tree_of
from e2.cluster.tree_plan import TreePlan
from e2.cluster.virtual import PREFIX, TICKS, Array, Faults, VirtualExecutor
from e2.errors import RunError, SettingsError
from e2.store.archive import Archive
from e2.store.inputs import DEFAULT_PUZZLE, the_puzzle
from e2.store.layout import RunFolder, read_text
from e2.store.ledger import DONE, OPEN
from e2.store.look import ledger_looked_at, named
from e2.store.tree_ledger import Branch, TreeLedger

_MOST_UNITS = 20_000_000
_DISK = 0.005  # seconds that a transaction waits for the disk
_RAMP = 0.05  # part of the work that the middle leaves out at either end
_DRAWN = 4096  # units at a time


@dataclass(frozen=True)
class UnitTimes:
    """How long units take: a part `parts[k]` of them takes less than `seconds[k]`. Straight lines between."""

    parts: tuple[float, ...]
    seconds: tuple[float, ...]

    @property
    def mean(self) -> float:
        return float(np.trapezoid(self.seconds, self.parts))

    def stretched(self, mean: float) -> UnitTimes:
        """The same shape with another mean."""
        factor = mean / self.mean
        return UnitTimes(self.parts, tuple(factor * one for one in self.seconds))

    def draw(self, total: float, seed: int) -> Array:
        """Ticks of units that make about `total` seconds together, each at least one tick."""
        if total / self.mean > _MOST_UNITS:
            raise SettingsError(
                f"{total:.3g} s of work in units of {self.mean:.3g} s: expected at most {_MOST_UNITS} units;"
                " a greater mean makes fewer"
            )
        rng = np.random.default_rng(seed)
        drawn, left = [], int(total * TICKS)
        while left > 0:
            seconds = np.interp(rng.random(_DRAWN), self.parts, self.seconds)
            ticks = np.maximum(1, (seconds * TICKS).astype(np.int64))
            ticks = ticks[: int(np.searchsorted(np.cumsum(ticks), left)) + 1]
            drawn.append(ticks)
            left -= int(ticks.sum())
        return np.concatenate(drawn)


MEASURED = UnitTimes(
    (0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 1),
    (
        *(6.48e-5, 1.57e-4, 2.55e-4, 3.31e-4, 4.36e-4, 5.05e-4, 5.81e-4, 6.57e-4, 7.58e-4, 9.07e-4),
        *(1.27e-3, 1.96e-3, 4.70e-3, 7.95e-3, 1.28e-2, 3.26e-2, 5.14e-2, 8.83e-2, 1.17e-1),
    ),
)
"""Of the 2,076 units of `e2 count --puzzle tests/counts/brendan_06x06.json --prefix-depth 5 --executor local`, two
cores. One in a hundred takes fifty times as long as the one in the middle, or longer."""


@dataclass(frozen=True)
class Simulation:
    """What came of a number of workers. Seconds are virtual but for `manager`, which is CPU time.

    `units` were handed out, one as often as it was; `made` is how many there were. `middle` is the efficiency without
    the first and the last twentieth of the work. `busy` is the part of the time in which a worker was searching,
    while it lived. `lost` are seconds of search that the ledger did not take; `held` is the greatest number of units
    in memory. `exact`: every prefix has come to precisely the work that was drawn for it.
    """

    workers: int
    units: int
    slices: int
    made: int
    work: float
    span: float
    manager: float
    middle: float
    busy: float
    deaths: int
    late: int
    lost: float
    held: int
    exact: bool

    @property
    def efficiency(self) -> float:
        """The part of all worker-seconds that became work in the ledger."""
        return self.work / (self.workers * self.span)

    @property
    def units_a_second(self) -> float:
        """Units handed out, and entered, in a second of the manager's CPU time."""
        return self.units / max(self.manager, 1e-9)


def simulate(
    workers: int,
    minutes: float,
    times: UnitTimes,
    faults: Faults,
    *,
    seed: int = 0,
    slice_seconds: float = 10.0,
    cost: Callable[[], float] = time.process_time,
) -> Simulation:
    """Replay a count with so many minutes of work for each worker. Another `cost` than CPU time makes it repeatable."""
    work = times.draw(60 * minutes * workers, seed)
    instance = the_puzzle(DEFAULT_PUZZLE)
    settings = run_settings({"kind": COUNT, "prefix_depth": PREFIX, "slice_seconds": slice_seconds, "keep": 0})
    executor = VirtualExecutor(workers, work, faults, seed, cost)
    with tempfile.TemporaryDirectory(prefix="e2-") as parent:
        folder = RunFolder.create(Path(parent) / "run")
        with contextlib.closing(_Ledger.create(folder.ledger)) as ledger:
            ledger.executor = executor
            ledger.add_branches([Branch((), 1.0)], [OPEN])
            archive = Archive(folder, instance)
            plan = TreePlan(settings, tree_of(settings, instance), ledger, archive, str(folder.stop))
            watch = _Watch(plan, executor)
            Manager(
                settings,
                plan,
                ledger,
                executor,
                watch,
                stop=folder.stop,
                stopping=lambda: False,
                clock=executor.clock,
            ).run()
            totals, exact = ledger.totals(), _is_exact(ledger, work)
    return _summary(workers, float(work.sum()) / TICKS, executor, watch, totals.units, totals.late, exact)


def _summary(
    workers: int, work: float, executor: VirtualExecutor, watch: _Watch, made: int, late: int, exact: bool
) -> Simulation:
    tally, span = executor.tally, watch.seconds[-1]
    alive = workers * span - tally.absent - (workers - executor.workers) * span
    begin, end = watch.when(_RAMP), watch.when(1 - _RAMP)
    middle = (watch.busy_by(end) - watch.busy_by(begin)) / (workers * (end - begin))
    return Simulation(
        workers,
        tally.units,
        tally.slices,
        made,
        work,
        span,
        tally.manager,
        middle * work / tally.busy,
        tally.busy / alive,
        tally.deaths,
        late,
        tally.searched / TICKS - work,
        watch.held,
        exact,
    )


class _Ledger(TreeLedger):
    """The real one; each time that it waits for the disk the workers wait too."""

    executor: VirtualExecutor

    def together(self) -> contextlib.AbstractContextManager[None]:
        self.executor.manager_waits(_DISK)
        return super().together()


class _Watch(Silent):
    """Notes how much was done by when, and how many units the plan held."""

    def __init__(self, plan: TreePlan, executor: VirtualExecutor) -> None:
        self._plan = plan
        self._executor = executor
        self.held = 0
        self.seconds = [0.0]
        self.ticks = [0]
        self.busy = [0.0]

    def progress(self, progress: Progress) -> None:
        self.held = max(self.held, self._plan.held)
        self.seconds.append(progress.seconds)
        self.ticks.append(progress.nodes)
        self.busy.append(self._executor.busy)

    def when(self, part: float) -> float:
        """The second by which a part of all work was done."""
        return float(np.interp(part * self.ticks[-1], self.ticks, self.seconds))

    def busy_by(self, second: float) -> float:
        """Seconds that workers had searched by then."""
        return float(np.interp(second, self.seconds, self.busy))


def _is_exact(ledger: TreeLedger, work: Array) -> bool:
    """Whether each prefix, with all that was given away below it, has come to the work that was drawn for it."""
    done = np.zeros_like(work)
    for account in ledger.accounts():
        if account.status != DONE:
            return False
        if len(account.path) >= PREFIX:
            done[account.path[0]] += sum(account.nodes)
    return bool((done == work).all())


def measured_times(path: Path) -> UnitTimes:
    """The unit times of a finished count, each with all that it gave away. RunError where there are none."""
    folder = RunFolder.open(path)
    settings = settings_from_toml(read_text(folder.settings))
    if settings.kind != COUNT:
        raise RunError(f"{path} is a run of tasks; expected a count")
    depth = settings.prefix_depth or 0
    seconds: dict[tuple[int, ...], float] = {}
    with named(path), ledger_looked_at(folder.ledger, TreeLedger, None) as ledger:
        if ledger.open_share()[0]:
            raise RunError("it is not finished; expected a count whose units have all been searched")
        for codes, took in ledger.seconds_by_path():
            if len(codes) >= depth:
                unit = codes[:depth] if depth else codes
                seconds[unit] = seconds.get(unit, 0.0) + took
    if len(seconds) < 2:
        raise RunError(f"{path} has {len(seconds)} units; expected a count with --prefix-depth, for more of them")
    if not any(seconds.values()):
        raise RunError(f"{path} has units that took no time; expected a count that was searched")
    return UnitTimes(tuple(np.linspace(0, 1, len(seconds)).tolist()), tuple(sorted(seconds.values())))
