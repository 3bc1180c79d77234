"""An exact cover search in progress: the arrays that the kernel works on, and where it stands as a path of options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from e2.core.cover import CoverProblem
from e2.errors import SettingsError
from e2.kernels import cover as kernels
from e2.kernels.cover_tables import CoverTables, build_cover, laid_out
from e2.kernels.rehearse import warm_up
from e2.kernels.tables import Array
from e2.search.state import foreign_state

_BITE = 2_000_000  # nodes between two looks at the keyboard: a second or less
_BLOCK = 4096  # solutions


@dataclass(frozen=True, eq=False)
class Made:
    """What a run has made. `found` has one row a solution: its options in the order of their choice, then -1."""

    nodes: int
    solutions: int
    found: Array


class ExactCover:
    """One search for all covers that contain the options `forced`, which are no nodes.

    `most` is how many agreements a cover can have, if the path with the most is wanted. SettingsError where forced
    options exclude each other.
    """

    def __init__(self, tables: CoverTables, forced: Sequence[int] = (), most: int = 0) -> None:
        warm_up("cover")
        self.tables = tables
        self._forced = np.array(forced, np.int64)
        self._masks = kernels.masks_of(tables)
        self._best = np.zeros(tables.depths, np.int64)
        self._control = np.zeros(kernels.CONTROL_WIDTH, np.int64)
        self._control[kernels.BEST_SCORE], self._control[kernels.MOST] = -1, most
        self._begin()

    def _begin(self) -> None:
        self._state = kernels.fresh_state(self.tables)
        laid = kernels.lay(self._forced, self._control, self._state, self._masks)
        if laid < len(self._forced):
            raise SettingsError(f"cover: option {self._forced[laid]} does not go with those forced before it")
        self.run(0)  # to what comes first, so that the search is finished or an option is waiting

    @property
    def finished(self) -> bool:
        return bool(self._control[kernels.STATUS] == kernels.FINISHED)

    @property
    def deepest(self) -> int:
        """The most options chosen so far, the forced ones not counted."""
        return int(self._control[kernels.MAX_DEPTH])

    @property
    def best(self) -> tuple[int, ...] | None:
        """The path with the most agreements, the first of several, forced options first; None before the first node."""
        if self._control[kernels.BEST_SCORE] < 0:
            return None
        return tuple(self._best[: self._control[kernels.BEST_DEPTH]].tolist())

    @property
    def agreements(self) -> int:
        """Of the best path; 0 before the first node."""
        return max(0, int(self._control[kernels.BEST_SCORE]))

    def run(self, nodes: int, wanted: int = 0) -> Made:
        """Make at most `nodes` nodes; with `wanted`, hand out the solutions met and end with the last of so many."""
        control, found = self._control, np.zeros((wanted, self.tables.depths), np.int64)
        if control[kernels.STATUS] == kernels.AT_ROOT:
            # The forced options are the one solution, and no node leads to it.
            if nodes:
                control[kernels.STATUS] = kernels.FINISHED
            row = np.full((min(1, wanted), self.tables.depths), -1, np.int64)
            row[:, : len(self._forced)] = self._forced
            return Made(0, int(nodes > 0), row)
        if self.finished:
            return Made(0, 0, found[:0])
        kernels.advance(control, self._best, found, nodes, self._state, self._masks)
        made, solutions, kept = control[[kernels.NODES, kernels.SOLUTIONS, kernels.FOUND]].tolist()
        return Made(made, solutions, found[:kept])

    def choices(self) -> list[int]:
        """The options that a search which has made no node will try first below the forced ones."""
        if self._control[kernels.STATUS] != kernels.RUNNING:
            return []
        live, tables = self._state[0], self.tables
        item = int(self._state[3][self._control[kernels.FLOOR], kernels.ITEM])
        found = []
        for at in range(int(tables.item_at[item]), int(tables.item_at[item + 1])):
            word = int(tables.words[at])
            mask = int(live[word] & tables.masks[at])
            found += [64 * word + bit for bit in range(64) if mask >> bit & 1]
        return found

    def path(self) -> tuple[int, ...]:
        """The options below the forced ones, the last of which is waiting to be tried; empty if none is."""
        if self._control[kernels.STATUS] != kernels.RUNNING:
            return ()
        left, frames = self._state[1], self._state[3]
        floor, depth = self._control[[kernels.FLOOR, kernels.DEPTH]].tolist()
        rest = int(left[depth])
        word = int(self.tables.words[frames[depth, kernels.AT]])
        waiting = 64 * word + (rest & -rest).bit_length() - 1
        return (*frames[floor:depth, kernels.OPTION].tolist(), waiting)

    def restore(self, path: Sequence[int], best: Sequence[int] | None, agreements: int, deepest: int) -> None:
        """Go on where `path` stands, or be finished where it is empty. SettingsError where no search can stand so.

        Options are 0 or more. `best`, `agreements` and `deepest` are believed.
        """
        before = self._control.copy(), self._state
        self._begin()
        if path:
            stands = self._control[kernels.STATUS] == kernels.RUNNING and max(path) < len(self.tables.options)
            if not stands or not kernels.retrace(np.array(path, np.int64), self._control, self._state, self._masks):
                self._control, self._state = before
                raise foreign_state("no search of the task stands there")
        elif self._control[kernels.STATUS] != kernels.AT_ROOT:
            self._control[kernels.STATUS] = kernels.FINISHED
        chosen = () if best is None else tuple(best)
        self._best[: len(chosen)] = chosen
        self._control[kernels.BEST_SCORE] = -1 if best is None else agreements
        self._control[kernels.BEST_DEPTH] = len(chosen)
        self._control[kernels.MAX_DEPTH] = deepest


Prefix = tuple[int, ...]
"""Options that a part of the search begins with: all covers that contain them are below it."""

WHOLE: tuple[Prefix, ...] = ((),)


def prefixes(problem: CoverProblem, wanted: int) -> list[Prefix]:
    """The search cut into disjoint parts that are all of it: `wanted` or more, unless the whole tree has fewer.

    They follow from the problem and `wanted` alone.
    """
    tables = build_cover(laid_out(problem))
    parts: list[Prefix] = [()]
    while len(parts) < wanted:
        below = [_branches(tables, prefix) for prefix in parts]
        if below == [[prefix] for prefix in parts]:
            break
        parts = [prefix for branches in below for prefix in branches]
    return parts


def _branches(tables: CoverTables, prefix: Prefix) -> list[Prefix]:
    """The parts one option below `prefix`: itself where it is a cover, none where it leads to none."""
    search = ExactCover(tables, prefix)
    options = search.choices()
    return [(*prefix, option) for option in options] if options or search.finished else [prefix]


def count_covers(problem: CoverProblem, parts: Sequence[Prefix] = WHOLE) -> int:
    """How many solutions a problem has, all or those below some prefixes."""
    tables = build_cover(laid_out(problem))
    solutions = 0
    for prefix in parts:
        search = ExactCover(tables, prefix)
        while not search.finished:
            solutions += search.run(_BITE).solutions
    return solutions


def covers(problem: CoverProblem, block: int = _BLOCK, parts: Sequence[Prefix] = WHOLE) -> Iterator[Array]:
    """All solutions in the order of the search, in blocks of at most so many, one row each as in `Made`."""
    tables = build_cover(laid_out(problem))
    for prefix in parts:
        search = ExactCover(tables, prefix)
        while not search.finished:
            found = search.run(_BITE, block).found
            if len(found):
                yield found
