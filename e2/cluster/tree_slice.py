"""A slice of a whole tree's search: units go in, their accounts and what they gave away come out."""

from __future__ import annotations

import os
import socket
import time
from collections import OrderedDict
from dataclasses import dataclass, replace

from e2.cluster.slice import bite_nodes
from e2.core.fingerprint import board_hash
from e2.search.estimate import UNIT_PROBES, UNIT_WIDTH, Probes, expected_solutions
from e2.search.tree import Tree
from e2.search.units import Path, Place, Stretch, UnitSearch, UnitTree, added
from e2.store.tree_ledger import Branch, TreeEntry

_TREES = 4  # laid-out trees that a process keeps
_CUT = 1000  # branches that a cut hands in at a time: more would only wait


@dataclass(frozen=True)
class UnitWork:
    """A unit that a worker is to search. `lease` is the number that the ledger asks back."""

    number: int
    lease: int
    path: Path
    place: Path | None  # as TreeUnit.place


@dataclass(frozen=True)
class TreeJob:
    """Units to search one after the other, until about `seconds` are over or a file named `stop` exists.

    A unit above depth `cut` is searched down to that depth only, and all below is given away. With `give` a unit that
    is not done in its time gives away its shallowest branches. The first `boards` solutions of each unit are handed in;
    with `first` it ends at the first. Branches are ranked as RunSettings.rank says.
    """

    number: int
    tree: UnitTree
    units: tuple[UnitWork, ...]
    seconds: float
    cut: int
    give: bool
    boards: int
    stop: str
    rank: str = "none"
    first: bool = False

    @property
    def name(self) -> str:
        return f"tree {self.tree.id}"

    def run(self) -> TreeResult:
        return run_tree_slice(self)

    def again(self, number: int) -> TreeJob:
        return replace(self, number=number)

    def told(self, error: BaseException) -> str:
        _searches.pop(self.tree.id, None)
        return f"{type(error).__name__}: {error}"


@dataclass(frozen=True)
class TreeResult:
    """What became of the units of a TreeJob that were begun: number, lease and entry of each.

    `broken` is the unit whose search raised, with what it raised; those behind it were not begun.
    """

    job: int
    entries: tuple[tuple[int, int, TreeEntry], ...]
    broken: tuple[int, int, str] | None = None


_searches: OrderedDict[str, tuple[UnitSearch, list[float]]] = OrderedDict()
_probes: dict[str, Probes] = {}


def run_tree_slice(job: TreeJob) -> TreeResult:
    """Search units for one slice."""
    began = time.perf_counter()
    search, rate = _search(job.tree)
    entries: list[tuple[int, int, TreeEntry]] = []
    for unit in job.units:
        try:
            entry = _searched(job, unit, search, rate, began)
        except Exception as error:
            # What the units before it have come to is not lost with it.
            return TreeResult(job.number, tuple(entries), (unit.number, unit.lease, f"{job.name}: {job.told(error)}"))
        entries.append((unit.number, unit.lease, entry))
        if not entry.done or (job.first and entry.solutions) or time.perf_counter() - began >= job.seconds:
            break
    return TreeResult(job.number, tuple(entries))


def _searched(job: TreeJob, unit: UnitWork, search: UnitSearch, rate: list[float], began: float) -> TreeEntry:
    """Search one unit in what is left of the slice."""
    start = time.perf_counter()
    ceiling = job.cut if len(unit.path) < job.cut else None
    search.open(unit.path, None if unit.place is None else Place(unit.place[0], unit.place[1:]), ceiling)
    done = Stretch((0,) * search.depths, 0, (), ())
    while not search.finished:
        now = time.perf_counter()
        nodes = bite_nodes(rate[0], job.seconds, job.seconds - (now - began), None)
        bite = search.run(nodes, job.boards - len(done.boards), job.first)
        done = _joined(done, bite)
        after = time.perf_counter()
        rate[0] = sum(bite.nodes) / max(after - now, 1e-6)
        ended = job.first and done.solutions > 0
        if ended or after - began >= job.seconds or len(done.given) >= _CUT or os.path.exists(job.stop):
            break
    if job.give and not search.finished:
        done = _joined(done, search.give())
    place = search.place()
    return TreeEntry(
        done.nodes,
        done.solutions,
        tuple((board_hash(board), board) for board in done.boards),
        tuple(Branch(path, search.share(path), _rank(job, path)) for path in done.given),
        None if place is None else (place.floor, *place.codes),
        search.share_left(),
        search.finished,
        time.perf_counter() - start,
        socket.gethostname(),
        os.getpid(),
    )


def _joined(one: Stretch, other: Stretch) -> Stretch:
    return Stretch(
        added(one.nodes, other.nodes),
        one.solutions + other.solutions,
        one.boards + other.boards,
        one.given + other.given,
    )


def _rank(job: TreeJob, path: Path) -> float:
    """What a branch is ordered by, least first."""
    if job.rank == "none":
        return 0.0
    assert isinstance(job.tree, Tree), "only branches of strict trees are ranked"
    if job.rank == "model":
        return -expected_solutions(job.tree, path)
    if job.tree.id not in _probes:
        _probes.clear()
        _probes[job.tree.id] = Probes(job.tree, UNIT_WIDTH)
    totals = _probes[job.tree.id].total(path, UNIT_PROBES).totals
    return -sum(totals) / len(totals)


def _search(tree: UnitTree) -> tuple[UnitSearch, list[float]]:
    """The search of a tree, laid out once a process, and its last rate in nodes a second."""
    if tree.id not in _searches:
        _searches[tree.id] = tree.search(), [0.0]
        if len(_searches) > _TREES:
            _searches.popitem(last=False)
    _searches.move_to_end(tree.id)
    return _searches[tree.id]
