"""Workers that are not there, driven by the real manager, plan and ledger."""

import contextlib
import itertools
import sqlite3

import numpy as np
import pytest

from e2.cluster import manager, simulate, virtual
from e2.cluster.observer import Silent
from e2.cluster.run import solve
from e2.cluster.simulate import MEASURED, UnitTimes, measured_times
from e2.cluster.slice import SliceFailure
from e2.cluster.study import run_settings, tree_of
from e2.cluster.tree_slice import TreeJob, UnitWork
from e2.cluster.virtual import TICKS, Faults, VirtualExecutor
from e2.core.generate import generated
from e2.errors import RunError, SettingsError
from e2.store.inputs import the_puzzle

EVEN = UnitTimes((0.0, 1.0), (1.0, 1.0))
"""Units of one second each."""
INSTANCE = the_puzzle("eternity2")
NONE = Faults()
TREE = tree_of(run_settings({"kind": "count", "prefix_depth": 3}), INSTANCE)


def simulated(workers, minutes, times, faults=NONE, *, slice_seconds=2.0, seed=0, cost=lambda: 0.0):
    """A simulation whose manager takes no time, so that it comes out the same each time."""
    return simulate.simulate(workers, minutes, times, faults, seed=seed, slice_seconds=slice_seconds, cost=cost)


def test_even_units_keep_few_workers_busy_nearly_all_the_time():
    one = simulated(5, 1, EVEN)
    assert one.exact
    assert one.work == pytest.approx(300, abs=1)
    assert 0.96 < one.efficiency <= 1
    assert 0.99 < one.middle < 1.01
    assert (one.deaths, one.late, one.lost) == (0, 0, 0)


def test_one_huge_unit_is_split_until_all_workers_are_busy():
    one = simulated(10, 0.5, UnitTimes((0.0, 1.0), (300.0, 300.0)))
    assert one.exact
    assert one.made > 10
    assert one.efficiency > 0.85
    assert one.middle > 0.95


def test_a_unit_that_gives_nothing_away_keeps_one_worker_busy(monkeypatch):
    monkeypatch.setattr(VirtualExecutor, "_give", lambda self, path, rest: (rest, ()))
    one = simulated(10, 0.05, UnitTimes((0.0, 1.0), (30.0, 30.0)))
    assert one.exact
    assert one.efficiency < 0.12


def test_the_account_is_exact_whatever_dies_or_comes_twice_or_late():
    one = simulated(12, 0.5, MEASURED.stretched(1.0), Faults(deaths=1 - 1e-12, twice=0.1, late=0.05))
    assert one.exact
    assert one.deaths > 2
    assert one.late > 10
    assert one.lost > 0
    assert one.efficiency < one.busy < 1
    assert 0 < one.middle < 1


def test_a_result_that_is_entered_twice_is_found(monkeypatch):
    """The check of the account can fail."""
    draw = VirtualExecutor._entry

    def counted_double(self, depth, ticks, *rest):
        entry = draw(self, depth, ticks, *rest)
        return type(entry)(tuple(2 * count for count in entry.nodes), *list(vars(entry).values())[1:])

    monkeypatch.setattr(VirtualExecutor, "_entry", counted_double)
    assert not simulated(3, 0.1, EVEN).exact


def test_a_seed_gives_the_same_simulation_again():
    faults = Faults(deaths=0.9, twice=0.01, late=0.01)
    one, again, other = (simulated(5, 0.2, MEASURED.stretched(0.5), faults, seed=seed) for seed in (3, 3, 4))
    assert one == again
    assert one != other


def test_a_slow_manager_makes_workers_wait():
    """Its CPU time goes by on the clock of the workers."""
    looks = itertools.count()
    slow = simulated(10, 0.2, EVEN, cost=lambda: 0.05 * next(looks))
    assert slow.exact
    assert slow.manager > 5
    assert slow.efficiency < 0.8
    assert simulated(10, 0.2, EVEN).efficiency > 0.9


def test_where_many_come_at_once_they_are_entered_in_parts(monkeypatch):
    monkeypatch.setattr(manager, "_TOGETHER", 2)
    entered = []
    together = simulate._Ledger.together
    monkeypatch.setattr(simulate._Ledger, "together", lambda self: entered.append(self) or together(self))
    one = simulated(20, 0.1, EVEN)
    assert one.exact
    assert len(entered) >= one.slices / 2


def test_many_workers_are_kept_busy_by_a_window_smaller_than_they_are(monkeypatch):
    from e2.cluster import tree_plan

    monkeypatch.setattr(tree_plan, "_WINDOW", 16)
    one = simulated(30, 0.5, EVEN)
    assert one.exact
    assert one.efficiency > 0.9
    assert one.middle > 0.97


def an_executor(work, faults=NONE, workers=1):
    return VirtualExecutor(workers, np.array(work, np.int64), faults, 0, lambda: 0.0)


def a_job(units, *, number=0, seconds=1.0, give=False):
    return TreeJob(number, TREE, tuple(units), seconds, 3, give, 0, "")


def a_prefix(number, ticks, *, unit=0):
    return UnitWork(unit, 0, (number, *virtual._codes(ticks)), None)


def test_a_slice_ends_with_its_seconds_and_says_where_it_stands():
    executor = an_executor([3 * TICKS])
    executor.submit(a_job([a_prefix(0, 3 * TICKS), a_prefix(1, 5, unit=1)], seconds=2.0))
    assert executor.collect(1.9) == []
    (result,) = executor.collect(1.0)
    assert executor.clock() == pytest.approx(2.0)
    ((number, lease, entry),) = result.entries  # the second was not begun
    assert (number, lease, entry.done, sum(entry.nodes), entry.given) == (0, 0, False, 2 * TICKS, ())
    executor.submit(a_job([UnitWork(0, 1, (0, *virtual._codes(3 * TICKS)), entry.place)], number=1, seconds=2.0))
    (result,) = executor.collect(5.0)
    ((_, _, entry),) = result.entries
    assert (entry.done, sum(entry.nodes), entry.place) == (True, TICKS, None)


def test_what_is_given_away_and_what_is_kept_is_the_rest():
    executor = an_executor([10**12])
    executor.submit(a_job([a_prefix(0, 10**12)], give=True))
    (result,) = executor.collect(2.0)
    ((_, _, entry),) = result.entries
    given = [virtual._ticks(branch.path[-2:]) for branch in entry.given]
    kept = virtual._ticks(entry.place[4:6])
    assert given
    assert sum(given) + kept == 10**12 - TICKS
    assert len({branch.path for branch in entry.given}) == len(given)


def test_slices_of_the_dead_are_told_as_lost_or_never_come_back():
    executor = an_executor([10**10], Faults(deaths=1 - 1e-12), workers=40)
    for number in range(40):
        executor.submit(a_job([a_prefix(0, 10**10)], number=number, seconds=3600.0))
    came = list(itertools.chain.from_iterable(executor.collect(10.0) for _ in range(500)))
    assert executor.tally.deaths > 30
    lost = [one for one in came if isinstance(one, SliceFailure)]
    assert all(failure.lost for failure in lost)
    assert 10 < len(lost) < executor.tally.deaths - 10
    assert executor.workers == 40  # others took their places
    assert executor.tally.busy <= 40 * 3600
    assert executor.tally.absent == pytest.approx(60 * executor.tally.deaths)


def test_a_worker_takes_what_is_queued_when_it_is_free_not_when_the_manager_looks():
    executor = an_executor([TICKS] * 2)
    executor.submit(a_job([a_prefix(0, TICKS)]))
    executor.submit(a_job([a_prefix(1, TICKS)], number=1))
    executor.manager_waits(2.0)
    assert len(executor.collect(0.0)) == 2
    assert executor.clock() == 2.0


def test_the_stretched_times_have_the_mean_and_the_shape():
    times = MEASURED.stretched(5.0)
    assert times.mean == pytest.approx(5.0)
    ratios = {round(one / other, 6) for one, other in zip(times.seconds, MEASURED.seconds, strict=True)}
    assert len(ratios) == 1
    drawn = times.draw(200_000, 1)
    assert drawn.sum() == pytest.approx(200_000 * TICKS, rel=0.01)
    assert drawn.mean() == pytest.approx(5.0 * TICKS, rel=0.05)
    assert (drawn > 0).all()


def test_more_units_than_can_be_held_are_refused():
    with pytest.raises(SettingsError, match="a greater mean makes fewer"):
        simulated(10_000, 60, MEASURED)


def a_count(path, **settings):
    puzzle = generated(4, 4, 3, seed=1).instance
    return solve(run_settings({"kind": "count", "executor": "inline", **settings}), puzzle, path, Silent())


def test_the_times_of_a_run_are_those_of_its_units_with_all_they_gave_away(tmp_path):
    a_count(tmp_path / "run", prefix_depth=2)
    times = measured_times(tmp_path / "run")
    with contextlib.closing(simulate.TreeLedger.open(tmp_path / "run" / "ledger.sqlite")) as ledger:
        took = [(path, seconds) for path, seconds in ledger.seconds_by_path() if len(path) >= 2]
    assert sum(seconds for _, seconds in took) == pytest.approx(sum(times.seconds))
    assert len(times.seconds) == len({path[:2] for path, _ in took})
    assert list(times.seconds) == sorted(times.seconds)


def test_runs_without_unit_times_are_refused(tmp_path):
    a_count(tmp_path / "whole")
    with pytest.raises(RunError, match="has 1 units; expected a count with --prefix-depth"):
        measured_times(tmp_path / "whole")
    a_count(tmp_path / "part", prefix_depth=2, seconds=1e-9)
    with pytest.raises(RunError, match="is not finished"):
        measured_times(tmp_path / "part")
    with pytest.raises(RunError, match="is no run"):
        measured_times(tmp_path / "nothing")
    a_count(tmp_path / "timeless", prefix_depth=2)
    with contextlib.closing(sqlite3.connect(tmp_path / "timeless" / "ledger.sqlite")) as raw, raw:
        raw.execute("UPDATE slices SET seconds = 0")
    with pytest.raises(RunError, match="has units that took no time"):
        measured_times(tmp_path / "timeless")
