import itertools
import time
from dataclasses import replace

import pytest

from e2.cluster import task_plan
from e2.cluster.manager import Manager
from e2.cluster.slice import SliceFailure, attempt
from e2.cluster.study import run_settings
from e2.cluster.task_plan import TaskPlan
from e2.store.archive import Archive
from e2.store.layout import RunFolder
from e2.store.ledger import Ledger, Unit


class Watcher:
    """Notes what it is told."""

    def __init__(self):
        self.reports, self.boards, self.notes = [], [], []

    def progress(self, progress):
        self.reports.append(progress)

    def board(self, found):
        assert found.path.exists()
        self.boards.append(found)

    def note(self, text):
        self.notes.append(text)


class Unreliable:
    """Runs slices at once and passes what comes back through `spoil(job, outcome) -> list of outcomes`."""

    workers = in_flight = 2

    def __init__(self, spoil=lambda job, outcome: [outcome]):
        self.spoil, self.waiting, self.jobs, self.abandoned = spoil, [], [], []

    def submit(self, job):
        self.jobs.append(job)
        self.waiting += self.spoil(job, attempt(job))

    def collect(self, seconds):
        waiting, self.waiting = self.waiting, []
        return waiting

    def abandon(self, job):
        self.abandoned.append(job)


class Distant:
    """Slices come back after `seconds(job)`, which is None for never, on a clock that only waiting moves."""

    def __init__(self, seconds, workers=lambda now: 1):
        self.now, self.seconds, self.count = 0.0, seconds, workers
        self.coming, self.abandoned = [], []

    @property
    def workers(self):
        return self.count(self.now)

    @property
    def in_flight(self):
        return self.workers + 2

    def clock(self):
        return self.now

    def submit(self, job):
        seconds = self.seconds(job)
        if seconds is not None:
            self.coming.append((self.now + seconds, job, attempt(job)))

    def collect(self, seconds):
        self.now = max(self.now, min([self.now + seconds, *(due for due, _, _ in self.coming)]))
        came = [outcome for due, _, outcome in self.coming if due <= self.now]
        self.coming = [one for one in self.coming if one[0] > self.now]
        return came

    def abandon(self, job):
        self.coming = [one for one in self.coming if one[1] != job]
        self.abandoned.append((self.now, job.unit))


class Bench:
    """A run folder with a ledger, and a manager to drive it."""

    def __init__(self, path, instance, **settings):
        self.settings = run_settings({"strategy": "toy", "nodes": 600, "slice_seconds": 0.01, **settings})
        self.instance = instance
        self.folder = RunFolder.create(path)
        self.ledger = Ledger.create(self.folder.ledger)
        self.watcher = Watcher()
        tasks = self.settings.tasks or 0
        self.ledger.add_units([Unit(n, self.settings.seed + n, self.settings.nodes) for n in range(tasks)])

    def run(self, executor, *, stopping=lambda: False, grace=60.0, clock=time.monotonic):
        archive = Archive(self.folder, self.instance)
        plan = TaskPlan(self.settings, self.instance, self.ledger, archive, str(self.folder.stop))
        Manager(
            self.settings,
            plan,
            self.ledger,
            executor,
            self.watcher,
            stop=self.folder.stop,
            stopping=stopping,
            grace=grace,
            clock=clock,
        ).run()
        return self

    @property
    def bests(self):
        return [(number, best.score, best.board_hash) for number, best in self.ledger.bests()]

    @property
    def files(self):
        return sorted(path.name for path in self.folder.boards.glob("*.json"))


@pytest.fixture
def bench(tmp_path, small, toy):
    made = []

    def make(name="run", **settings):
        made.append(Bench(tmp_path / name, small, **settings))
        return made[-1]

    yield make
    for one in made:
        one.ledger.close()


def test_every_task_ends_exactly_at_its_budget(bench):
    run = bench(tasks=3, nodes=777).run(Unreliable())
    totals = run.ledger.totals()
    assert (totals.nodes, totals.done, totals.late) == (3 * 777, 3, 0)
    assert len(run.bests) == 3


def test_boards_holds_exactly_the_best_board_of_each_task(bench):
    run = bench(tasks=4).run(Unreliable())
    assert run.files == sorted({f"{score}_{name}.json" for _, score, name in run.bests})


def test_every_announced_board_is_still_there_at_the_end(bench):
    run = bench(tasks=4).run(Unreliable())
    announced = {found.path.name for found in run.watcher.boards}
    kept = {path.name for path in run.folder.boards.rglob("*.json")}
    assert announced == kept
    assert set(run.files) <= announced
    assert len(announced) == len(run.watcher.boards)


def test_results_that_come_twice_count_once(bench):
    once = bench("once", tasks=2).run(Unreliable())
    twice = bench("twice", tasks=2).run(Unreliable(lambda job, outcome: [outcome, outcome]))
    assert twice.bests == once.bests
    assert twice.ledger.totals().nodes == once.ledger.totals().nodes
    assert twice.ledger.totals().late > 0


def test_a_lost_slice_is_searched_again(bench):
    lost = set()

    def lose_the_first_of_each(job, outcome):
        if job.unit in lost:
            return [outcome]
        lost.add(job.unit)
        return [SliceFailure(job.number, "worker died", lost=True)]

    sound = bench("sound", tasks=2).run(Unreliable())
    run = bench("lost", tasks=2).run(Unreliable(lose_the_first_of_each))
    assert run.bests == sound.bests
    assert run.ledger.totals().nodes == 1200
    assert run.watcher.notes == ["worker died"]  # the same words are said once


def test_a_slice_that_does_not_come_back_is_given_up_and_its_late_result_is_rejected(bench):
    held = []

    def hold_the_first(job, outcome):
        if job.unit == 0 and not held:
            held.append(outcome)
            return []
        return [outcome, *(held.pop() for _ in held[1:])]

    executor = Unreliable(hold_the_first)
    run = bench(tasks=1)
    run.run(executor, grace=0.0)
    assert run.ledger.totals().nodes == 600
    assert [job.unit for job in executor.abandoned] == [0]
    assert not run.ledger.enter(0, held[0].lease, _entry(held[0]))
    assert (run.ledger.totals().nodes, run.ledger.totals().late) == (600, 1)


def test_a_dead_host_is_given_up_when_its_lease_runs_out(bench):
    sent = []
    distant = Distant(lambda job: None if job.unit == 0 and not sent.append(job) and len(sent) == 1 else 0.01)
    run = bench(tasks=2).run(distant, clock=distant.clock)
    ((when, unit),) = distant.abandoned
    assert unit == 0
    assert 60.0 <= when <= 3 * run.settings.slice_seconds + 60.0 + 2 * 0.25
    assert run.ledger.totals().done == 2


def test_a_host_that_is_far_slower_than_it_should_be_loses_no_task(bench):
    sound = bench("sound", tasks=3).run(Unreliable())
    slow = Distant(lambda job: 1000.0)
    run = bench("slow", tasks=3).run(slow, clock=slow.clock)
    assert run.bests == sound.bests
    assert run.ledger.failures() == []
    # The lease doubles until the first slice is back; from then on it is long enough for all.
    assert len(slow.abandoned) <= 5 * 3
    assert max(when for when, _ in slow.abandoned) < 3000


def test_a_cold_start_makes_no_lease_longer(bench):
    sent = []

    def seconds(job):
        sent.append(job)
        return 50.0 if len(sent) == 1 else None if len(sent) == 5 else 0.01

    cold = Distant(seconds)
    bench(tasks=4).run(cold, clock=cold.clock)
    ((when, _),) = cold.abandoned
    assert when < 50.0 + 61.0


def test_no_lease_runs_out_while_there_is_no_host(bench):
    empty = Distant(lambda job: 901.0 if not empty.workers else 0.01, workers=lambda now: int(now > 900))
    run = bench(tasks=2).run(empty, clock=empty.clock)
    assert empty.abandoned == []
    assert run.ledger.totals().done == 2
    assert run.watcher.notes == ["the cluster has no cores: waiting for a host"]


def ticking(step):
    """A clock that goes on by so many seconds whenever somebody looks at it."""
    ticks = itertools.count()
    return lambda: next(ticks) * step


def test_a_worker_with_nothing_to_do_repeats_a_slice_that_does_not_come_back(bench):
    held = []

    def hold_one(job, outcome):
        if not held:
            held.append(outcome)
            return []
        return [outcome]

    executor = Unreliable(hold_one)
    run = bench(tasks=1).run(executor, grace=1e9, clock=ticking(0.1))
    first, second, *_ = executor.jobs
    assert second == replace(first, number=second.number)
    assert second.number != first.number
    assert (run.ledger.totals().nodes, run.ledger.totals().done) == (600, 1)
    assert executor.abandoned == [first], "a run leaves nothing in flight, for the next has the same numbers"
    assert run.watcher.notes == []
    assert run.bests == bench("sound", tasks=1).run(Unreliable()).bests


def test_whichever_of_two_results_comes_first_counts(bench):
    held = []

    def answer_the_first_after_the_second(job, outcome):
        held.append(outcome)
        return [] if len(held) == 1 else [outcome, held[0]] if len(held) == 2 else [outcome]

    run = bench(tasks=1).run(Unreliable(answer_the_first_after_the_second), grace=1e9, clock=ticking(0.1))
    assert (run.ledger.totals().nodes, run.ledger.totals().late) == (600, 1)


def test_nothing_is_repeated_while_there_is_other_work(bench):
    executor = Unreliable(lambda job, outcome: [] if job.unit == 0 and job.state is None else [outcome])
    run = bench(nodes=300)
    run.run(executor, stopping=lambda: run.ledger.totals().done >= 40, grace=1e9, clock=ticking(0.1))
    assert sum(job.unit == 0 for job in executor.jobs) == 1


def _entry(result):
    return task_plan._entry(result, None, announced=False)


def test_three_equal_failures_end_a_task_and_the_others_go_on(bench):
    def break_task_1(job, outcome):
        return [SliceFailure(job.number, "it broke", lost=False)] if job.unit == 1 else [outcome]

    executor = Unreliable(break_task_1)
    run = bench(tasks=3).run(executor)
    assert run.ledger.failures() == [(1, "it broke")]
    assert sum(job.unit == 1 for job in executor.jobs) == 3
    assert run.ledger.totals().done == 2


def test_a_task_that_always_raises_fails_with_its_reason(bench):
    run = bench(tasks=1, parameters={"fails_at": 5}).run(Unreliable())
    ((number, reason),) = run.ledger.failures()
    assert number == 0
    assert "RuntimeError: the toy broke" in reason


@pytest.mark.parametrize(
    ("parameters", "reason"), [({"lies": True}, "the engine claims"), ({"moves_a_pin": True}, "was moved")]
)
def test_a_board_that_is_not_what_the_engine_says_is_rejected_and_reported(bench, parameters, reason):
    run = bench(tasks=1, parameters=parameters).run(Unreliable())
    assert run.files == []
    assert run.watcher.boards == []
    assert run.ledger.totals().rejected == 3
    assert reason in run.ledger.failures()[0][1]
    assert all(reason in note for note in run.watcher.notes)


def test_a_board_spoilt_on_its_way_is_fetched_again(bench):
    spoilt = []

    def spoil_one(job, outcome):
        if not spoilt and outcome.best:
            spoilt.append(job)
            return [replace(outcome, best=(outcome.best[1], *outcome.best[1:]))]
        return [outcome]

    sound = bench("sound", tasks=2).run(Unreliable())
    run = bench("spoilt", tasks=2).run(Unreliable(spoil_one))
    assert run.bests == sound.bests
    assert run.ledger.totals().rejected == 1


def test_the_run_stops_when_the_target_is_reached(bench):
    run = bench(nodes=10_000, target=5).run(Unreliable())
    assert max(score for _, score, _ in run.bests) >= 5


def test_an_endless_list_makes_its_tasks_as_they_are_needed(bench):
    run = bench(nodes=300)
    run.run(Unreliable(), stopping=lambda: run.ledger.totals().done > 2)
    totals = run.ledger.totals()
    assert totals.done > 2
    assert totals.units <= totals.done + 2
    assert run.watcher.reports[-1].tasks_total is None


def test_an_endless_list_ends_with_its_time(bench):
    run = bench(nodes=300, seconds=0.5).run(Unreliable())
    assert run.watcher.reports[-1].seconds >= 0.5
    assert run.watcher.reports[-1].seconds_left == 0


def test_the_plan_goes_on_where_it_was_stopped(bench, monkeypatch):
    whole = bench("whole", tasks=3).run(Unreliable())
    run = bench("parts", tasks=3)
    for _ in range(50):
        executor = Unreliable()
        run.run(executor, stopping=lambda executor=executor: len(executor.jobs) >= 2)
    run.run(Unreliable())
    assert run.bests == whole.bests
    assert run.files == whole.files
    assert run.ledger.totals().nodes == whole.ledger.totals().nodes


def test_a_full_disk_ends_the_run_and_it_can_be_resumed(bench, monkeypatch):
    from e2.errors import RunError
    from e2.store import archive

    whole = bench("whole", tasks=2).run(Unreliable())
    run = bench("full", tasks=2)
    writes = []

    def full_after_three(path, data, write=archive.write_durably):
        if len(writes) == 3:
            raise RunError(f"{path} cannot be written: No space left on device")
        writes.append(path)
        write(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(archive, "write_durably", full_after_three)
        with pytest.raises(RunError, match="No space left"):
            run.run(Unreliable())
    assert {f"{score}_{name}.json" for _, score, name in run.bests} <= set(run.files)
    Archive(run.folder, run.instance).settle({(score, name) for _, score, name in run.bests})
    run.run(Unreliable())
    assert run.bests == whole.bests
    assert run.files == whole.files


def test_progress_tells_nodes_workers_best_and_tasks(bench):
    run = bench(tasks=2).run(Unreliable())
    last = run.watcher.reports[-1]
    assert (last.nodes, last.workers, last.tasks_done, last.tasks_total, last.seconds_left) == (1200, 2, 2, 2, None)
    assert last.best_score == max(score for _, score, _ in run.bests)


def test_every_third_task_begins_with_one_of_the_best_boards_so_far(bench):
    one = bench(elite_every=3)
    executor = Unreliable()
    one.run(executor, stopping=lambda: one.ledger.totals().done >= 9)
    starts = {job.unit: job.task.parameters.get("start") for job in executor.jobs}
    assert [unit for unit, start in starts.items() if start is not None] == [2, 5, 8]
    known = {best.codes for _, best in one.ledger.bests()}
    assert all(tuple(starts[unit]) in known for unit in (2, 5, 8))
    assert starts[5] != starts[8]


def test_a_task_that_goes_on_keeps_the_board_that_it_began_with(bench):
    one = bench(elite_every=3)
    one.run(Unreliable(), stopping=lambda: one.ledger.totals().units >= 3)
    resumed = Unreliable()
    one.run(resumed, stopping=lambda: one.ledger.totals().done >= 3)
    begun = {unit.number: unit.start for unit in one.ledger.open_units()}
    third = [job.task for job in resumed.jobs if job.unit == 2]
    assert third or begun.get(2) is not None
    assert all(tuple(task.parameters["start"]) in {best.codes for _, best in one.ledger.bests()} for task in third)
