"""What holds of counts of every kind of tree: strict ones, boards by exact cover, covers of any problem, words."""

import contextlib
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cutting import Dying, counted, cutting, dying_again_and_again
from test_manager import Unreliable
from test_tree_plan import Bench, Fickle

from e2.cluster import run
from e2.cluster.books import begin_run, merged, read_book, verified
from e2.cluster.local import LocalExecutor
from e2.cluster.observer import Silent
from e2.cluster.study import run_settings, tree_of
from e2.core.generate import generated
from e2.errors import FormatError, RunError, SettingsError
from e2.formats.cover_text import read_cover, write_cover
from e2.pencil.word_search import WordSearch
from e2.store.documents import Problem
from e2.store.tree_ledger import TreeLedger

XCC = Path(__file__).parents[1] / "cases" / "xcc"
BOARD = generated(5, 5, 4, seed=1).instance
SEAMS = read_cover((XCC / "em5_4_3_2.dlx").read_text())
WORDS = WordSearch.checked(("ABEL", "GAUSS", "EULER"), 5, 5).cover


@dataclass(frozen=True)
class Kind:
    """A problem with the settings that make a tree of it, how many solutions it has, and a bite that cuts it small."""

    problem: Problem
    bite: int
    solutions: int
    settings: dict[str, object] = field(default_factory=dict)

    def truth(self):
        """Nodes by depth and solutions of the whole tree, searched in one piece."""
        search = tree_of(run_settings({"kind": "count", **self.settings}), self.problem).search()
        search.open(())
        whole = search.run(1 << 40)
        assert whole.solutions == self.solutions
        return whole.nodes, whole.solutions


KINDS = {
    "strict": Kind(BOARD, 30, 4),
    "board": Kind(BOARD, 15, 4, {"strategy": "cover"}),
    "cover": Kind(SEAMS, 15, 37, {"strategy": "cover"}),
    "crossing": Kind(WORDS, 8, 264, {"strategy": "cover", "crossing": "some"}),
}


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def bench(tmp_path, kind):
    """A bench whose tree is cut small."""
    with cutting(kind.bite):
        one = Bench(tmp_path / "bench", kind.problem, **kind.settings)
        yield one
    one.ledger.close()


def come_to(summary):
    return summary.tree.nodes_by_depth, summary.solutions


@pytest.mark.parametrize("bite", [1, 1000])
@pytest.mark.parametrize("more", [{}, {"prefix_depth": 2}], ids=str)
def test_any_bite_comes_to_the_same(tmp_path, kind, bite, more):
    with cutting(kind.bite * bite):
        summary = counted(kind.problem, tmp_path / "run", **kind.settings, **more)
    assert come_to(summary) == kind.truth()
    assert (summary.complete, summary.tree.whole, summary.tree.left) == (True, True, 0)
    assert summary.boards == (4 if kind.problem is BOARD else 0)


def test_a_count_that_is_interrupted_again_and_again_comes_to_the_same(tmp_path, kind):
    with cutting(kind.bite):
        summary, sittings = counted(kind.problem, tmp_path / "run", seconds=0.001, **kind.settings), 1
        while not summary.complete:
            summary, sittings = run.resume(tmp_path / "run", Silent()), sittings + 1
    assert sittings > 3
    assert come_to(summary) == kind.truth()


def test_a_driver_that_dies_again_and_again_loses_no_node(tmp_path, kind):
    with cutting(kind.bite):
        summary, deaths = dying_again_and_again(kind.problem, tmp_path / "run", **kind.settings)
    assert deaths > 3
    assert come_to(summary) == kind.truth()


@pytest.mark.parametrize("seed", range(2))
def test_whatever_workers_do_every_node_counts_once(bench, kind, seed):
    executor = Fickle(seed)
    one = bench.run(executor)
    assert one.came_to[:2] == kind.truth()
    assert one.ledger.failures() == []
    assert one.ledger.totals().late > 0


def test_busy_workers_give_branches_away_until_all_have_work(bench, kind):
    executor = Unreliable()
    executor.workers = executor.in_flight = 4
    bench.run(executor)
    assert executor.jobs[0].give
    assert len({unit.number for job in executor.jobs for unit in job.units}) > 8
    assert bench.came_to[:2] == kind.truth()


WHERE = [("strict", 2), ("board", 2), ("cover", 1), ("cover", 2), ("cover", None), ("crossing", None)]


@pytest.mark.parametrize(("name", "workers"), WHERE)
def test_workers_elsewhere_come_to_the_same(tmp_path, name, workers, request, monkeypatch):
    kind = KINDS[name]
    executor = {"executor": "local", "workers": workers}
    if workers is None:
        shared = request.getfixturevalue("ray_executor")
        monkeypatch.setattr(run, "executor_of", lambda settings: contextlib.nullcontext(shared))
        executor = {"executor": "ray"}
    values = {"kind": "count", "slice_seconds": 0.02, **executor, **kind.settings}
    summary = run.solve(run_settings(values), kind.problem, tmp_path / "run", Silent())
    assert come_to(summary) == kind.truth()
    assert summary.complete


class Losing(LocalExecutor):
    """Two workers, one of which is killed when the fourth job goes out."""

    sent = 0

    def submit(self, job):
        super().submit(job)
        self.sent += 1
        if self.sent == 4:
            os.kill(self.pids[0], signal.SIGKILL)


def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    kind = KINDS["cover"]
    with Losing(2) as executor, cutting(kind.bite):
        first = set(executor.pids)
        summary = counted(kind.problem, tmp_path / "run", executor, prefix_depth=3, **kind.settings)
        assert set(executor.pids) != first
    assert come_to(summary) == kind.truth()


def test_parts_by_several_people_are_joined_checked_and_resumed(tmp_path, kind):
    paths = [tmp_path / "one", tmp_path / "two"]
    with cutting(kind.bite):
        for number, path in enumerate(paths, 1):
            mine = counted(kind.problem, path, prefix_depth=2, part=f"{number}/2", **kind.settings)
            assert (mine.complete, mine.tree.whole) == (True, False)
        # One as a folder, one as the text beside it.
        book = merged([read_book(paths[0]), read_book(paths[1] / "ledger.txt")])
        assert (book.is_whole, book.nodes_by_depth()[-1] > 0) == (True, True)
        begin_run(book, tmp_path / "joined")
        summary = run.resume(tmp_path / "joined", Silent(), executor=Dying(0))
    assert (summary.complete, come_to(summary)) == (True, kind.truth())
    verdict = verified(read_book(tmp_path / "joined"), 10**6, 1, lambda done, of: None)
    assert (verdict.wrong, verdict.checked, verdict.nodes) == ((), verdict.units, sum(kind.truth()[0]))


def test_a_ledger_with_a_unit_that_did_less_is_found_out(tmp_path, kind):
    with cutting(kind.bite):
        counted(kind.problem, tmp_path / "run", prefix_depth=2, **kind.settings)
    ledger = TreeLedger.open(tmp_path / "run" / "ledger.sqlite")
    ledger._connection.execute("UPDATE units SET solutions = solutions + 1 WHERE number = 3")
    ledger.close()
    verdict = verified(read_book(tmp_path / "run"), 10**6, 1, lambda done, of: None)
    assert len(verdict.wrong) == 1


@pytest.mark.parametrize("name", ["strict", "cover"])
def test_the_problem_of_another_run_is_refused(tmp_path, name):
    kind = KINDS[name]
    with cutting(kind.bite):
        counted(kind.problem, tmp_path / "run", seconds=0.001, **kind.settings)
        counted(generated(5, 5, 4, seed=2).instance, tmp_path / "other", seconds=0.001)
    if name == "cover":
        (tmp_path / "run" / "cover.txt").write_text(write_cover(WORDS))
        said = "run/cover.txt is not the problem that this run began with"
    else:
        (tmp_path / "run" / "puzzle.json").write_bytes((tmp_path / "other" / "puzzle.json").read_bytes())
        said = "run/puzzle.json is not the puzzle that this run began with"
    with pytest.raises(RunError, match=said):
        run.resume(tmp_path / "run", Silent())


def test_ledgers_of_several_kinds_are_not_joined(tmp_path):
    for name, kind in KINDS.items():
        counted(kind.problem, tmp_path / name, slice_seconds=1.0, **kind.settings)
    books = {name: read_book(tmp_path / name) for name in KINDS}
    for one, other in (("strict", "board"), ("cover", "crossing"), ("cover", "board")):
        with pytest.raises(FormatError, match=f"tree {books[other].header.tree} is not tree {books[one].header.tree}"):
            merged([books[one], books[other]])


@pytest.mark.parametrize(
    ("problem", "settings", "said"),
    [
        (SEAMS, {"strategy": "strict"}, "strategy 'strict' counts no covers; expected cover"),
        (SEAMS, {"strategy": "cover", "target": 40}, "target = 40: solutions of a cover problem have no score"),
        (SEAMS, {"strategy": "cover", "prefix_depth": 25}, "expected less than the 25 options of a solution"),
        (BOARD, {"strategy": "cover", "prefix_depth": 25}, "expected less than the 25 cells that are filled"),
        (BOARD, {"strategy": "cover", "crossing": "some"}, "crossing has no meaning for a board"),
        (BOARD, {"crossing": "some"}, "crossing has no meaning for strategy 'strict'"),
        (BOARD, {"strategy": "cover", "merge": ["board"]}, "merge has no meaning for a count by cover"),
        (BOARD, {"strategy": "cover", "rank": "model"}, "rank has no meaning for a count by cover"),
        (BOARD, {"strategy": "cover", "region": [0, 0, 1, 1]}, "region has no meaning for a count by cover"),
        (BOARD, {"strategy": "cover", "parameters": {"turn": 1}}, "parameters has no meaning for a count by cover"),
        (SEAMS, {"kind": "solve", "strategy": "cover", "tasks": 1}, "covers of a problem are counted, not solved"),
    ],
    ids=str,
)
def test_what_has_no_meaning_for_a_tree_is_refused_before_anything_is_written(tmp_path, problem, settings, said):
    with pytest.raises(SettingsError, match=said):
        counted(problem, tmp_path / "run", **settings)
    assert list(tmp_path.iterdir()) == []


def test_by_cover_any_solution_ends_a_count_with_a_target(tmp_path):
    with cutting(30):
        summary = counted(BOARD, tmp_path / "run", strategy="cover", target=BOARD.grid.max_score)
    assert (summary.complete, summary.best.score) == (True, 40)
    assert summary.solutions == 1
    assert summary.tree.left > 0
