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
_ROOM = 1024  # nodes given away in one call


@dataclass(frozen=True, eq=False)
class Made:
    """What a run has made. `found` has one row a solution: its options in the order of their choice, then -1.

    `given` has one row a node that was given away: the options to it.
    """

    nodes: int
    solutions: int
    found: Array
    given: Array


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
        self._best = np.zeros(tables.options.depths, np.int64)
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

    def run(self, nodes: int, wanted: int = 0, ceiling: int | None = None) -> Made:
        """Make at most `nodes` nodes; with `wanted`, hand out the solutions met and end with the last of so many.

        With `ceiling`, all that lies below a node of so many options, the forced ones not counted, is given away.
        """
        control, depths = self._control, self.tables.options.depths
        found = np.zeros((wanted, depths), np.int64)
        given = np.zeros((0 if ceiling is None else _ROOM, len(self._forced) + (ceiling or 0)), np.int64)
        if control[kernels.STATUS] == kernels.AT_ROOT:
            # The forced options are the one solution, and no node leads to it.
            if nodes:
                control[kernels.STATUS] = kernels.FINISHED
            row = np.full((min(1, wanted), depths), -1, np.int64)
            row[:, : len(self._forced)] = self._forced
            return Made(0, int(nodes > 0), row, given[:0])
        if self.finished:
            return Made(0, 0, found[:0], given[:0])
        kernels.advance(control, self._best, found, given, nodes, self._state, self._masks)
        numbers = (kernels.NODES, kernels.SOLUTIONS, kernels.FOUND, kernels.GIVEN)
        made, solutions, kept, handed = (int(control[number]) for number in numbers)
        return Made(made, solutions, found[:kept], given[:handed])

    def take_counts(self) -> Array:
        """Nodes with 1, 2, ... options chosen below the forced ones, since they were taken last: int64, by depth."""
        counts = self._state[3][len(self._forced) : -1, kernels.COUNT]
        nodes = counts.copy()
        counts[:] = 0
        return nodes

    def path(self) -> tuple[int, ...]:
        """The options below the forced ones, the last of which is waiting to be tried; empty if none is."""
        if self._control[kernels.STATUS] != kernels.RUNNING:
            return ()
        left, frames = self._state[1], self._state[3]
        floor, depth = len(self._forced), int(self._control[kernels.DEPTH])
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
            if self._retraced(path, begun=True) is None:
                self._control, self._state = before
                raise foreign_state("no search of the task stands there")
        elif self._control[kernels.STATUS] != kernels.AT_ROOT:
            self._control[kernels.STATUS] = kernels.FINISHED
        chosen = () if best is None else tuple(best)
        self._best[: len(chosen)] = chosen
        self._control[kernels.BEST_SCORE] = -1 if best is None else agreements
        self._control[kernels.BEST_DEPTH] = len(chosen)
        self._control[kernels.MAX_DEPTH] = deepest

    def go_to(self, path: Sequence[int], begun: bool, floor: int) -> tuple[Array, Array] | None:
        """Stand before the last option of `path` if the search has `begun`, else before the first one below it.

        Above depth `floor` nothing is left to try. For each option of the path: how many there were in its place, and
        how many of them come before it, as int64. None where no search can stand so; then only `go_to` may follow.
        """
        self._begin()
        found = self._retraced(path, begun) if path else (np.zeros(0, np.int64),) * 2
        self._control[kernels.FLOOR] = len(self._forced) + floor
        self.take_counts()
        if found is not None and not begun:
            self.run(0)
        return found

    def skip(self) -> None:
        """Pass over the option that is waiting to be tried."""
        left, depth = self._state[1], self._control[kernels.DEPTH]
        left[depth] &= left[depth] - np.uint64(1)

    @property
    def floor(self) -> int:
        """The depth above which nothing is left to try, the forced options not counted."""
        return int(self._control[kernels.FLOOR]) - len(self._forced)

    def raise_floor(self, floor: int) -> None:
        """Leave what is untried above a depth to others."""
        self._control[kernels.FLOOR] = len(self._forced) + floor

    def _retraced(self, path: Sequence[int], begun: bool) -> tuple[Array, Array] | None:
        """Go down a path from the forced options; as `go_to`."""
        options = np.array(path, np.int64)
        known = options.min() >= 0 and options.max() < len(self.tables.options)
        if self._control[kernels.STATUS] != kernels.RUNNING or not known:
            return None
        fit, before = np.zeros(len(path), np.int64), np.zeros(len(path), np.int64)
        laid = kernels.retrace(options, begun, self._control, self._state, self._masks, fit, before)
        return (fit, before) if laid == len(path) else None


def covers(problem: CoverProblem, block: int = _BLOCK) -> Iterator[Array]:
    """All solutions in the order of the search, in blocks of at most so many, one row each as in `Made`."""
    search = ExactCover(build_cover(laid_out(problem)))
    while not search.finished:
        found = search.run(_BITE, block).found
        if len(found):
            yield found
