import math
import random
from dataclasses import replace
from pathlib import Path

import pytest
from cutting import Dying, Killed, counted, cutting, dying_again_and_again
from oracles.depth_first_oracle import whole_tree
from test_manager import Unreliable, Watcher

from e2.cluster import run, tree_plan
from e2.cluster.manager import Manager
from e2.cluster.observer import Silent
from e2.cluster.slice import SliceFailure, attempt
from e2.cluster.study import run_settings, tree_of
from e2.cluster.tree_plan import TreePlan
from e2.core.fingerprint import board_hash
from e2.core.generate import generated
from e2.core.instance import Instance
from e2.core.pieces import PieceSet
from e2.errors import SettingsError
from e2.search.fill_order import fill_order
from e2.store.archive import Archive
from e2.store.inputs import the_puzzle
from e2.store.layout import RunFolder
from e2.store.ledger import DONE, OPEN
from e2.store.tree_ledger import ELSEWHERE, Branch, TreeLedger

INSTANCE = generated(5, 5, 4, seed=1).instance
RICH = generated(5, 4, 3, seed=1).instance
"""A puzzle with 154 solutions."""


def unsolvable():
    """A puzzle without a solution, though every colour stands on an even number of sides."""
    sound = generated(5, 5, 5, seed=1).instance
    quads = [list(quad) for quad in sound.pieces.quads]
    quads[0][0], quads[4][0] = quads[4][0], quads[0][0]
    return Instance.checked("unsolvable", 5, 5, PieceSet(tuple(map(tuple, quads))))


@pytest.fixture(scope="module")
def tomy():
    """A published puzzle of 2560 solutions, with equal pieces."""
    return the_puzzle("tests/counts/tomy_4x4.json")


def by_definition(instance, cells):
    """Nodes by depth, solutions, and full boards, as the slow search has them."""
    found = whole_tree(instance, cells)
    codes = [tuple(board.get(cell, -1) for cell in range(instance.grid.cells)) for board in found.boards]
    return tuple(found.counts), len(codes), sorted((board_hash(board), board) for board in codes if -1 not in board)


@pytest.fixture(scope="module")
def truth():
    return by_definition(INSTANCE, fill_order(INSTANCE.grid, "rows"))


def kept(path):
    """Boards of a run in its ledger, and the names of the files that it has of them."""
    ledger = TreeLedger.open(path / "ledger.sqlite")
    boards = ledger.boards()
    ledger.close()
    return boards, sorted(file.name for file in (path / "boards").glob("*.json"))


def come_to(summary):
    boards, _ = kept(Path(summary.run))
    return summary.tree.nodes_by_depth, summary.solutions, boards


@pytest.mark.parametrize("instance", [generated(5, 5, 6, seed=1, pins=1).instance, generated(5, 4, 4, seed=1).instance])
@pytest.mark.parametrize("order", ["rows", "columns", "comb"])
@pytest.mark.parametrize("more", [{}, {"prefix_depth": 2}], ids=str)
def test_a_count_is_what_the_definition_says(tmp_path, instance, order, more):
    with cutting(20):
        summary = counted(instance, tmp_path / "run", parameters={"fill_order": order}, **more)
    assert come_to(summary) == by_definition(instance, fill_order(instance.grid, order))
    assert summary.complete
    assert summary.tree.left == 0
    assert summary.nodes == sum(summary.tree.nodes_by_depth)
    boards, files = kept(tmp_path / "run")
    assert files == sorted(f"{instance.grid.max_score}_{name}.json" for name, _ in boards)
    assert summary.boards == len(boards) == summary.solutions


@pytest.mark.parametrize("rank", ["probes", "model"])
def test_the_order_of_units_changes_nothing_in_the_end(tmp_path, rank, truth):
    with cutting(30):
        summary = counted(INSTANCE, tmp_path / "run", prefix_depth=4, rank=rank)
    assert come_to(summary) == truth


@pytest.mark.parametrize("region", [[0, 0, 3, 2], [1, 1, 3, 2], [3, 0, 1, 4], [2, 2, 1, 1]], ids=str)
@pytest.mark.parametrize("order", ["rows", "columns"])
def test_a_region_is_a_tree_of_its_own(tmp_path, tomy, region, order):
    left, top, width, height = region
    cells = [
        cell
        for cell in fill_order(tomy.grid, order)
        if left <= cell % 4 < left + width and top <= cell // 4 < top + height
    ]
    with cutting(100):
        summary = counted(tomy, tmp_path / "run", region=region, parameters={"fill_order": order})
    nodes, solutions, _ = by_definition(tomy, cells)
    assert (summary.tree.nodes_by_depth, summary.solutions, summary.boards) == (nodes, solutions, 0)
    assert (summary.complete, summary.best) == (True, None)


@pytest.mark.parametrize("region", [[0, 0, 3, 2], [1, 1, 3, 2]], ids=str)
def test_with_equal_pieces_and_turns_merged_every_look_is_one_node(tmp_path, tomy, region):
    left, top, width, height = region
    cells = [
        cell
        for cell in fill_order(tomy.grid, "rows")
        if left <= cell % 4 < left + width and top <= cell // 4 < top + height
    ]
    looks = []
    for depth in range(1, len(cells) + 1):
        boards = whole_tree(tomy, cells[:depth]).boards
        shown = {tuple(tomy.pieces.placed(code >> 2, code & 3) for code in board.values()) for board in boards}
        looks.append(len(shown))
    with cutting(100):
        summary = counted(tomy, tmp_path / "run", region=region, merge=["pieces", "turns"], prefix_depth=2)
    assert summary.tree.nodes_by_depth == tuple(looks)
    assert summary.solutions == looks[-1]
    assert summary.tree.apart is None


@pytest.mark.parametrize(
    ("merge", "apart"), [([], 1), (["pieces"], 2), (["board"], 4), (["turns"], 1), (["pieces", "turns", "board"], 8)]
)
def test_what_counts_once_is_known_apart(tmp_path, tomy, merge, apart):
    summary = counted(tomy, tmp_path / "run", merge=merge, keep=3, slice_seconds=1.0)
    assert summary.solutions == 2560 // apart
    assert summary.tree.apart == 2560
    assert summary.tree.merged == tuple(sorted(merge))


def test_a_count_that_is_interrupted_again_and_again_comes_to_the_same(tmp_path, truth):
    with cutting(60):
        summary, sittings = counted(INSTANCE, tmp_path / "run", seconds=0.001), 1
        left = [summary.tree.left]
        while not summary.complete:
            assert (tmp_path / "run" / "ledger.txt").exists()
            summary, sittings = run.resume(tmp_path / "run", Silent()), sittings + 1
            left.append(summary.tree.left)
    assert sittings > 3
    assert come_to(summary) == truth
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0


@pytest.mark.parametrize("more", [{}, {"prefix_depth": 3}], ids=str)
def test_a_driver_that_dies_again_and_again_loses_no_node(tmp_path, truth, more):
    with cutting(30):
        summary, deaths = dying_again_and_again(INSTANCE, tmp_path / "run", **more)
    assert deaths > 5
    assert come_to(summary) == truth


def test_a_whole_count_that_is_resumed_only_says_so(tmp_path, truth):
    counted(INSTANCE, tmp_path / "run", slice_seconds=1.0)
    summary = run.resume(tmp_path / "run", Silent(), executor=Dying(0))
    assert (summary.complete, come_to(summary)) == (True, truth)


class Fickle:
    """Workers of which slices come back late, twice, as lost, or never, on a clock that only waiting moves."""

    def __init__(self, seed, workers=3):
        self.chance, self.workers, self.in_flight = random.Random(seed), workers, workers + 1
        self.now, self.coming, self.did = (
            0,
            [],
            dict.fromkeys(("soon", "late", "twice", "lost", "never", "given up"), 0),
        )

    def clock(self):
        return float(self.now)

    def submit(self, job):
        outcome = attempt(job)
        (what,) = self.chance.choices(("soon", "late", "twice", "lost", "never"), (50, 10, 20, 10, 10))
        self.did[what] += 1
        if what == "lost":
            self.coming.append((self.now + 1, SliceFailure(job.number, "worker died", lost=True)))
        elif what != "never":
            self.coming.append((self.now + self.chance.randrange(3), outcome))
        if what in ("twice", "late"):
            # Long after the lease has run out, whatever it is by then.
            self.coming.append((self.now + self.chance.choice((1, 4, 400)), outcome))
        if what == "late":
            del self.coming[-2]

    def collect(self, seconds):
        self.now += 1
        self.chance.shuffle(self.coming)
        came = [outcome for due, outcome in self.coming if due <= self.now]
        self.coming = [one for one in self.coming if one[0] > self.now]
        return came

    def abandon(self, job):
        self.did["given up"] += 1

    def rest(self):
        """What would still come."""
        return [outcome for _, outcome in self.coming]


class Bench:
    """A run folder with the ledger of a tree, and a manager to drive it. `instance` may be a cover problem too."""

    def __init__(self, path, instance, **settings):
        self.settings = run_settings({"kind": "count", "slice_seconds": 0.01, **settings})
        self.instance, self.folder, self.watcher = instance, RunFolder.create(path), Watcher()
        self.ledger = TreeLedger.create(self.folder.ledger)
        self.ledger.add_branches([Branch((), 1.0)], [OPEN])

    def plan(self):
        tree = tree_of(self.settings, self.instance)
        archive = Archive(self.folder, self.instance) if tree.is_whole else None
        return TreePlan(self.settings, tree, self.ledger, archive, str(self.folder.stop))

    def run(self, executor, plan=None, **how):
        how = {
            "stopping": lambda: False,
            "grace": 0.0,
            **({"clock": executor.clock} if hasattr(executor, "clock") else {}),
        } | how
        plan = plan or self.plan()
        Manager(self.settings, plan, self.ledger, executor, self.watcher, stop=self.folder.stop, **how).run()
        return self

    @property
    def came_to(self):
        depths = tree_of(self.settings, self.instance).depths
        return self.ledger.nodes_by_depth(depths), self.ledger.totals().solutions, self.ledger.boards()


@pytest.fixture
def bench(tmp_path):
    """Makes benches of trees that are cut small."""
    made = []

    def make(name="run", instance=INSTANCE, **settings):
        made.append(Bench(tmp_path / name, instance, **settings))
        return made[-1]

    with cutting(30):
        yield make
    for one in made:
        one.ledger.close()


@pytest.mark.parametrize("more", [{}, {"prefix_depth": 4}], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_workers_do_every_node_counts_once(bench, truth, seed, more):
    executor = Fickle(seed)
    one = bench(**more).run(executor)
    assert one.came_to == truth
    assert one.ledger.failures() == []
    assert all(executor.did.values())
    assert one.ledger.totals().late > 0
    assert one.ledger.open_share() == (0, 0.0)


def test_results_that_come_twice_count_once(bench, truth):
    one = bench(prefix_depth=3).run(Unreliable(lambda job, outcome: [outcome, outcome]))
    assert one.came_to == truth
    assert one.ledger.totals().late > 20


def test_a_slice_that_is_lost_is_searched_again(bench, truth):
    lost = set()

    def lose_the_first_of_each(job, outcome):
        new = {unit.number for unit in job.units} - lost
        lost.update(new)
        return [SliceFailure(job.number, "worker died", lost=True)] if new else [outcome]

    one = bench().run(Unreliable(lose_the_first_of_each))
    assert one.came_to == truth
    assert len(lost) > 5
    assert one.watcher.notes == ["worker died"]


class Holding(Unreliable):
    """Holds the outcome of some jobs until they have been given up, on a clock that only waiting moves."""

    def __init__(self, which):
        super().__init__()
        self.which, self.held, self.now = which, [], 0.0

    def clock(self):
        return self.now

    def submit(self, job):
        self.jobs.append(job)
        (self.held if self.which(job) else self.waiting).append(attempt(job))

    def collect(self, seconds):
        self.now += 0.3
        return super().collect(seconds)

    def abandon(self, job):
        super().abandon(job)
        self.waiting += [outcome for outcome in self.held if outcome.job == job.number]


def test_the_late_results_of_a_job_that_was_given_up_change_nothing(bench, truth):
    executor = Holding(lambda job: job.number % 4 == 2)
    one = bench(prefix_depth=3).run(executor)
    assert one.came_to == truth
    assert len(executor.abandoned) == len(executor.held) > 3
    assert one.ledger.totals().late == sum(len(outcome.entries) for outcome in executor.held)
    assert one.watcher.notes == [f"tree {tree_of(one.settings, INSTANCE).id}: a slice did not come back in time"]


def test_a_late_result_after_the_end_changes_nothing(bench, truth):
    executor = Holding(lambda job: job.number == 1)
    one = bench().run(executor)
    plan = one.plan()
    settled = tree_plan.Settled()
    for outcome in executor.held:
        plan.settle(outcome, (), settled)
    assert one.came_to == truth
    assert (settled.nodes, settled.boards, settled.returned) == (0, [], set())


def test_three_equal_failures_end_a_unit_and_the_run_tells_so(tmp_path, truth):
    def break_one(job, outcome):
        broken = any(unit.number == 5 for unit in job.units)
        return [SliceFailure(job.number, "it broke", lost=False)] if broken else [outcome]

    executor = Unreliable(break_one)
    with cutting(30):
        summary = counted(INSTANCE, tmp_path / "run", executor)
        assert summary.failures == ("unit 5: it broke",)
        assert not summary.complete
        assert summary.nodes < sum(truth[0])
        assert 0 < summary.tree.left < 1
        assert sum(any(unit.number == 5 for unit in job.units) for job in executor.jobs) == 3
        again = run.resume(tmp_path / "run", Silent())
    assert (again.failures, again.complete) == ((), True)
    assert come_to(again) == truth


def test_a_unit_that_is_none_of_the_tree_fails_with_the_reason(bench):
    one = bench()
    one.ledger.add_branches([Branch((0, 0), 0.1)], [OPEN])
    one.run(Unreliable())
    ((number, reason),) = one.ledger.failures()
    assert number == 1
    assert "SettingsError: the path 0 0 is not one of this tree" in reason
    assert one.ledger.totals().done == one.ledger.totals().units - 1


@pytest.mark.parametrize(("keep", "workers"), [(0, 1), (3, 8), (10, 1), (10, 8), (154, 2), (1000, 1)])
def test_no_more_boards_are_kept_than_asked_for(bench, keep, workers):
    one = bench(instance=RICH, keep=keep)
    executor = Unreliable()
    executor.workers = executor.in_flight = workers
    with cutting(500):
        one.run(executor)
    assert one.ledger.totals().solutions == 154
    assert len(one.ledger.boards()) == min(keep, 154)
    assert sorted(path.name for path in one.folder.boards.glob("*.json")) == sorted(
        f"{RICH.grid.max_score}_{name}.json" for name, _ in one.ledger.boards()
    )


def test_boards_are_bounded_over_all_sittings_together(tmp_path):
    sittings = 0
    with cutting(500):
        with pytest.raises(Killed):
            counted(RICH, tmp_path / "run", Dying(0), keep=40)
        while True:
            sittings += 1
            try:
                summary = run.resume(tmp_path / "run", Silent(), executor=Dying(3))
                break
            except Killed:
                boards, _ = kept(tmp_path / "run")
                assert len(boards) <= 40
    assert sittings > 2
    assert (summary.solutions, summary.boards) == (154, 40)
    assert len(kept(tmp_path / "run")[1]) == 40


def test_only_the_first_solution_is_announced(bench):
    one = bench().run(Unreliable())
    assert one.ledger.totals().boards == 4
    assert len(one.watcher.boards) == 1
    assert one.watcher.boards[0].score == INSTANCE.grid.max_score


def with_a_board_spoilt(outcome):
    """The outcome with two pieces of its first board in each other's place."""
    entries = []
    for number, lease, entry in outcome.entries:
        boards = entry.boards
        if boards:
            (_, (one, other, *rest)), *others = boards
            spoilt = (other, one, *rest)
            boards = ((board_hash(spoilt), spoilt), *others)
        entries.append((number, lease, replace(entry, boards=boards)))
    return replace(outcome, entries=tuple(entries))


def test_a_board_spoilt_on_its_way_is_rejected_and_fetched_again(bench, truth):
    spoilt = []

    def spoil_the_first(job, outcome):
        changed = with_a_board_spoilt(outcome)
        if changed != outcome and not spoilt:
            spoilt.append(changed)
            return [changed]
        return [outcome]

    one = bench().run(Unreliable(spoil_the_first))
    assert len(spoilt) == one.ledger.totals().rejected == 1
    assert one.came_to == truth
    assert len(list(one.folder.boards.glob("*.json"))) == truth[1]


def test_a_worker_whose_boards_are_never_right_is_never_believed(bench):
    one = bench().run(Unreliable(lambda job, outcome: [with_a_board_spoilt(outcome)]))
    failures = one.ledger.failures()
    assert failures
    assert all("a board was rejected: cell 0 turns grey inside" in reason for _, reason in failures)
    assert one.ledger.totals().rejected == 3 * len(failures)
    assert (one.ledger.totals().solutions, one.ledger.boards(), one.watcher.boards) == (0, [], [])
    assert list(one.folder.boards.glob("*.json")) == []


@pytest.mark.parametrize("in_flight", [1, 3])
def test_the_stock_in_memory_is_bounded_and_nothing_is_forgotten(bench, truth, monkeypatch, in_flight):
    monkeypatch.setattr(tree_plan, "_WINDOW", 10)
    monkeypatch.setattr(tree_plan, "_WINDOWS", 1, raising=False)
    monkeypatch.setattr(tree_plan, "_MOST", 4)
    one = bench(prefix_depth=7)
    plan, held = one.plan(), []

    class Weighing(Unreliable):
        def submit(self, job):
            super().submit(job)
            held.append(len(plan._units))

    executor = Weighing()
    executor.workers = executor.in_flight = in_flight
    one.run(executor, plan)
    assert one.came_to == truth
    assert one.ledger.totals().units > 200
    # A window that is filled anew below its half, and what is at work.
    assert max(held) <= 10 + 5 + 4 * in_flight


def test_units_beyond_the_window_are_fetched_after_a_death_too(tmp_path, truth, monkeypatch):
    monkeypatch.setattr(tree_plan, "_WINDOW", 6)
    with cutting(30):
        with pytest.raises(Killed):
            counted(INSTANCE, tmp_path / "run", Dying(20), prefix_depth=6)
        summary = run.resume(tmp_path / "run", Silent())
    assert come_to(summary) == truth


def test_a_target_ends_the_count_at_its_first_solution(tmp_path, truth):
    most = INSTANCE.grid.max_score
    with cutting(30):
        summary = counted(INSTANCE, tmp_path / "run", target=most)
    assert summary.complete
    assert 1 <= summary.solutions <= truth[1]
    assert summary.nodes < sum(truth[0])
    assert summary.best.score == most
    assert summary.tree.left > 0
    again = run.resume(tmp_path / "run", Silent(), executor=Dying(0))
    assert (again.nodes, again.complete) == (summary.nodes, True)


class DyingBackwards(Dying):
    """Has several slices in flight, answers the one that was handed out last, and takes the driver with it."""

    workers = in_flight = 5

    def collect(self, seconds):
        self._queue.rotate(1)
        return super().collect(seconds)


def test_the_first_solution_is_named_by_a_resumed_count_too(tmp_path):
    (first, *_) = whole_tree(INSTANCE, fill_order(INSTANCE.grid, "rows")).boards
    first_hash = board_hash(tuple(first[cell] for cell in range(INSTANCE.grid.cells)))
    others = 0
    for slices in (20, 36, 44, 52):
        path = tmp_path / str(slices)
        with cutting(15):
            with pytest.raises(Killed):
                counted(INSTANCE, path, DyingBackwards(slices), target=INSTANCE.grid.max_score)
            others += first_hash not in [name for name, _ in kept(path)[0]] != []
            summary = run.resume(path, Silent(), {"executor": "inline"})
        assert summary.complete
        assert summary.best.board_hash == first_hash
    assert others > 0


def test_what_comes_in_later_never_takes_the_place_of_the_first_solution(bench):
    one, executor = bench(target=INSTANCE.grid.max_score), Unreliable()
    executor.workers = executor.in_flight = 16
    plan, tree = one.plan(), tree_of(one.settings, INSTANCE)
    with cutting(60):
        one.run(executor, plan)
    paths = [tree.path_of(codes) for _, codes in one.ledger.boards()]
    assert len(paths) > 1
    assert plan._first == min(paths)


@pytest.mark.parametrize("target", [1, INSTANCE.grid.max_score - 1, INSTANCE.grid.max_score + 1])
def test_a_target_that_is_no_solution_is_refused(tmp_path, target):
    with pytest.raises(
        SettingsError, match=f"target = {target}: a count stops at its first solution with 40, or never"
    ):
        counted(INSTANCE, tmp_path / "run", target=target)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", [None, 40])
def test_that_there_is_no_solution_is_proved(tmp_path, target):
    instance = unsolvable()
    nodes, solutions, _ = by_definition(instance, fill_order(instance.grid, "rows"))
    assert solutions == 0
    with cutting(30):
        summary = counted(instance, tmp_path / "run", target=target)
    assert (summary.tree.nodes_by_depth, summary.solutions, summary.best) == (nodes, 0, None)
    assert (summary.complete, summary.tree.left) == (True, 0)


def test_a_part_leaves_the_units_of_the_others_to_them(bench):
    one = bench(prefix_depth=3, part="2/3").run(Unreliable())
    statuses = {account.status for account in one.ledger.accounts()}
    assert statuses == {DONE, ELSEWHERE}
    assert all(len(account.path) == 3 for account in one.ledger.accounts() if account.status == ELSEWHERE)


def test_no_unit_is_elsewhere_without_a_part(bench):
    one = bench(prefix_depth=3).run(Unreliable())
    assert {account.status for account in one.ledger.accounts()} == {DONE}


def test_one_part_of_one_is_the_whole(bench, truth):
    assert bench(prefix_depth=3, part="1/1").run(Unreliable()).came_to == truth


def test_busy_workers_give_branches_away_until_all_have_work(bench, monkeypatch):
    monkeypatch.setattr(tree_plan, "_STOCK", 1)
    executor = Unreliable()
    executor.workers = executor.in_flight = 4
    bench().run(executor)
    assert executor.jobs[0].give
    assert len({unit.number for job in executor.jobs for unit in job.units}) > 8
    assert {job.give for job in executor.jobs} == {True, False}


def test_the_progress_tells_how_much_of_the_tree_is_left(bench):
    one = bench()
    one.run(Unreliable(), stopping=lambda: one.ledger.totals().done >= 10)
    part = one.plan().standing()
    assert 0 < part.part_left < 1
    assert part.part_left == pytest.approx(one.ledger.open_share()[1])
    assert (part.done, part.known) == (one.ledger.totals().done, one.ledger.totals().units)
    one.run(Unreliable())
    last = one.watcher.reports[-1]
    assert math.isclose(last.part_left, 0, abs_tol=1e-9)
    assert (last.tasks_done, last.tasks_total) == (one.ledger.totals().units, one.ledger.totals().units)
    assert last.best_score == INSTANCE.grid.max_score
