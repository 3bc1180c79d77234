"""The plan of a count: one tree, cut where work is wanted, each part of it in one unit at a time.

A count begins with one unit, the whole tree. While workers wait, those at work give their shallowest branches away,
so the list of units stays short however large the tree is. With `prefix_depth` all nodes of one depth become units, a
few thousand at a time.
"""

from __future__ import annotations

import hashlib
import heapq
import math
from collections.abc import Sequence
from dataclasses import replace

from e2.cluster.plan import Leased, Leases, Settled, Standing
from e2.cluster.slice import Outcome
from e2.cluster.study import RunSettings
from e2.cluster.tree_slice import TreeJob, TreeResult, UnitWork
from e2.core.audit import board_faults
from e2.search.units import UnitTree
from e2.store.archive import Archive, Found
from e2.store.ledger import OPEN
from e2.store.tree_ledger import ELSEWHERE, Branch, TreeEntry, TreeLedger, TreeUnit

_WINDOW = 4096  # units in memory that nobody works on: the rest waits in the ledger
_WINDOWS = 16  # so many times as much at most, where many workers take many units each
_HUNGRY_SECONDS = 0.1  # of a slice where workers wait for units, at least
_SLICES_A_SECOND = 2000  # that the driver is asked to enter: such slices of many workers are longer
_STOCK = 2  # units in stock for each worker: fewer, and those at work give branches away
_AMPLE = 2.0  # times the mean number of units that fill a slice
_MOST = 256  # units of one job


_Turn = tuple[float, tuple[int, ...], int]
"""When a unit's turn comes: its rank, where it stands if the first solution is wanted, its number."""


class TreePlan:
    """The units of a tree that are in memory, and what is left of it.

    `archive` takes the solutions that are boards; a tree of other solutions needs none.
    """

    patience = 0.0

    def __init__(
        self,
        settings: RunSettings,
        tree: UnitTree,
        ledger: TreeLedger,
        archive: Archive | None,
        stop: str,
    ) -> None:
        self._settings = settings
        self._tree = tree
        self._ledger = ledger
        self._archive = archive
        self._stop = stop
        totals = ledger.totals()
        self._solutions = totals.solutions
        self._done = totals.done
        self._known = totals.units
        self._open, self._share_left = ledger.open_share()
        self._cut = settings.prefix_depth or 0
        self._part = part_of(settings)
        self._keep = max(0, (settings.keep or 0) - totals.boards) if tree.is_whole and archive is not None else 0
        self._leases = Leases[TreeUnit](ledger)
        self._units = self._leases.units
        self._ready: list[_Turn] = []  # heaps
        self._cutters: list[_Turn] = []
        # Which solution comes first must not depend on who was quicker.
        self._wants_first = settings.wants_first
        self._first = min((tree.path_of(codes) for _, codes in ledger.boards()), default=None)
        self._window = _WINDOW
        self._seconds_a_unit = _Pace()

    @property
    def held(self) -> int:
        """How many units are in memory."""
        return len(self._units)

    @property
    def is_done(self) -> bool:
        return self._open == 0

    def next_job(self, number: int, seconds: float | None, workers: int) -> tuple[TreeJob, Sequence[Leased]] | None:
        self._refill(workers)
        stock = self._stock
        if self._first is not None and self._wants_first:
            self._ready = [turn for turn in self._ready if turn[1] < self._first]
            self._cutters = [turn for turn in self._cutters if turn[1] < self._first]
            heapq.heapify(self._ready)
            heapq.heapify(self._cutters)
        cutting = bool(self._cutters) and (not self._ready or stock - len(self._cutters) < _STOCK * workers + 1)
        if not cutting and not self._ready:
            return None
        slice_seconds = self._slice_seconds(stock / (_STOCK * workers), min(workers, self._open))
        if seconds is not None:
            slice_seconds = min(slice_seconds, max(seconds, 0.01))
        most = 1 if cutting else self._batch(slice_seconds, stock / (2 * workers))
        taken = self._take(most, self._cutters if cutting else self._ready)
        job = TreeJob(
            number,
            self._tree,
            tuple([UnitWork(unit.number, unit.lease, unit.path, unit.place) for unit in taken]),
            slice_seconds,
            self._cut,
            stock < _STOCK * workers,
            self._keep,
            self._stop,
            self._settings.rank,
            self._settings.target is not None,
        )
        return job, [(unit.number, unit.lease) for unit in taken]

    def _slice_seconds(self, fullness: float, slices: int) -> float:
        """Shorter ones the fewer units are in stock, since only at its end a slice gives branches away.

        `slices` run at a time, each of which the driver has to enter.
        """
        seconds = self._settings.slice_seconds
        return min(seconds, max(_HUNGRY_SECONDS, slices / _SLICES_A_SECOND, fullness * seconds))

    @property
    def _stock(self) -> int:
        """How many open units nobody works on, those included that wait in the ledger."""
        return self._open - self.held + len(self._ready) + len(self._cutters)

    def _take(self, most: int, heap: list[_Turn]) -> list[TreeUnit]:
        return [self._units[heapq.heappop(heap)[2]] for _ in range(min(most, len(heap)))]

    def _batch(self, seconds: float, share: float) -> int:
        """Enough units for a slice, but no more than a fair share of the stock."""
        return 1 if share <= 1 else min(self._filling(seconds), math.ceil(share))

    def _filling(self, seconds: float) -> int:
        """Enough units for a slice. Most are lighter than the mean; those that are not begun cost next to nothing."""
        return max(1, min(_MOST, math.ceil(_AMPLE * seconds / max(self._seconds_a_unit.mean, 1e-6))))

    def _refill(self, workers: int) -> None:
        """Fetch open units from the ledger where few in memory are left to hand out."""
        waiting = len(self._ready) + len(self._cutters)
        if waiting < min(self._stock, self._window // 2):
            slices = _STOCK * workers
            self._window = min(_WINDOWS * _WINDOW, max(_WINDOW, slices * self._filling(self._settings.slice_seconds)))
            for unit in self._ledger.waiting(self._window - waiting, self._units.keys()):
                self._hold(unit)

    def _hold(self, unit: TreeUnit) -> None:
        self._units[unit.number] = unit
        heap = self._cutters if len(unit.path) < self._cut else self._ready
        heapq.heappush(
            heap,
            (unit.rank, (unit.place or unit.path)[unit.place is not None :] if self._wants_first else (), unit.number),
        )

    def settle(self, outcome: Outcome, units: Sequence[Leased], settled: Settled) -> None:
        assert isinstance(outcome, TreeResult)
        for number, lease, entry in outcome.entries:
            unit = self._leases.find((number, lease))
            if unit is None:
                self._ledger.settle(number, lease, entry)
                continue
            fault = next((fault for _, codes in entry.boards for fault in self._faults(codes)), None)
            if fault is not None:
                self._ledger.reject(number, entry.host, entry.pid)
                settled.refused.append(((number, lease), f"tree {self._tree.id}: a board was rejected: {fault}"))
                continue
            self._enter(unit, entry, settled)
        begun = {number for number, _, _ in outcome.entries}
        if outcome.broken is not None:
            number, lease, error = outcome.broken
            begun.add(number)
            settled.refused.append(((number, lease), error))
        for number, lease in units:
            unit = self._leases.find((number, lease))
            if unit is not None and number not in begun:
                self._hold(unit)

    def _faults(self, codes: tuple[int, ...]) -> list[str]:
        assert self._archive is not None, f"tree {self._tree.id}: a board of a tree that has none"
        return list(board_faults(codes, self._archive.max_score, self._archive.instance))

    def _written(self, codes: tuple[int, ...]) -> Found:
        assert self._archive is not None
        return self._archive.write(codes, self._archive.max_score)

    def _enter(self, unit: TreeUnit, entry: TreeEntry, settled: Settled) -> None:
        kept = entry.boards[: self._keep]
        found = [self._written(codes) for _, codes in kept]
        settled.boards += found[: int(self._solutions == 0)]
        entered = self._ledger.settle(
            unit.number, unit.lease, entry if kept == entry.boards else replace(entry, boards=kept)
        )
        assert entered, "the ledger of a locked run changed under its driver"
        branches: list[TreeUnit] = []
        if entry.given:
            statuses = [OPEN if self._is_ours(branch) else ELSEWHERE for branch in entry.given]
            branches = self._ledger.add_branches(entry.given, statuses)
        self._keep -= len(kept)
        self._solutions += entry.solutions
        self._known += len(entry.given)
        self._open += len(branches)
        self._share_left += entry.share + sum(branch.share for branch in branches) - unit.share
        known = () if self._first is None else (self._first,)
        self._first = min((*known, *(self._tree.path_of(codes) for _, codes in kept)), default=None)
        settled.nodes += sum(entry.nodes)
        settled.returned.add(unit.number)
        if entry.done:
            self._done += 1
            self._open -= 1
            del self._units[unit.number]
            self._seconds_a_unit.add(entry.seconds)
        else:
            self._hold(TreeUnit(unit.number, unit.path, entry.place, unit.lease + 1, entry.share, unit.rank))
        for branch in branches:
            if len(self._ready) < self._window:
                self._hold(branch)

    def _is_ours(self, branch: Branch) -> bool:
        if len(branch.path) != self._cut or self._part is None:
            return True
        this, parts = self._part
        digest = hashlib.sha256(" ".join(map(str, branch.path)).encode()).digest()
        return int.from_bytes(digest[:8], "big") % parts == this - 1

    def again(self, leased: Leased) -> bool:
        unit = self._leases.void(leased)
        if unit is not None:
            self._hold(unit)
        return unit is not None

    def drop(self, leased: Leased, reason: str) -> bool:
        dropped = self._leases.drop(leased, reason)
        self._open -= dropped
        return dropped

    def standing(self) -> Standing:
        found = self._solutions and self._tree.is_whole and not self._wants_first
        best = self._archive.max_score if found and self._archive is not None else None
        return Standing(best, self._solutions, self._done, self._known, max(0.0, self._share_left))


class _Pace:
    """A mean that forgets."""

    def __init__(self) -> None:
        self.mean = 1.0

    def add(self, value: float) -> None:
        self.mean += 0.1 * (value - self.mean)


def part_of(settings: RunSettings) -> tuple[int, int] | None:
    """Which part of how many a run does."""
    if settings.part is None:
        return None
    this, parts = settings.part.split("/")
    return int(this), int(parts)
