"""The search of one unit of a tree: all that lies below a path, less what is given away on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from e2.core.board import EMPTY
from e2.errors import SettingsError
from e2.kernels import descend as kernels
from e2.kernels import tables as layout
from e2.kernels.path import branches, lay_path
from e2.kernels.tables import Alike, Array, build_tables
from e2.search.descent import Descent
from e2.search.tree import PIECES, TURNS, Tree

Path = tuple[int, ...]
"""Placement codes on the first cells of a tree."""


@dataclass(frozen=True)
class Place:
    """Where the search of a unit stands: codes from the first cell on, the last of which is tried next.

    Above depth `floor` nothing is left to try: it has had its turn, or was given away.
    """

    floor: int
    codes: Path


@dataclass(frozen=True)
class Stretch:
    """What a stretch of a unit's search did.

    `nodes[k]` are nodes with k + 1 pieces on the board, those given away too: what lies below those is theirs.
    `boards` are full boards among the solutions, codes by cell.
    """

    nodes: tuple[int, ...]
    solutions: int
    boards: tuple[Path, ...]
    given: tuple[Path, ...]


class TreeSearch:
    """Searches one unit of `tree` at a time. Raises SettingsError for a tree that cannot be laid out."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        alike = Alike(PIECES in tree.merged, TURNS in tree.merged)
        self._tables = build_tables(tree.searched, tree.order, alike=alike)
        if self._tables.lost:
            raise SettingsError("strict: two hints side by side show different colours; expected hints that match")
        self._words = self._tables.words
        self._code_shift = int(self._tables.places[layout.CODE_SHIFT])
        self._descent = Descent(tree.searched, self._tables)
        self._scratch = Descent(tree.searched, self._tables)  # to look at other places

    @property
    def depths(self) -> int:
        """How many cells there are to fill."""
        return self._tables.depths

    @property
    def finished(self) -> bool:
        return self._descent.finished

    def open(self, path: Path, place: Place | None = None, ceiling: int | None = None) -> None:
        """Begin the unit below `path`, or go on at `place`; at depth `ceiling` every node with a future is given away.

        SettingsError where path or place are not of this tree.
        """
        descent = self._descent
        descent.clear()
        codes, floor = (path, len(path)) if place is None else (place.codes, place.floor)
        deepest = len(codes) if place is None else len(codes) - 1
        if not len(path) <= floor <= deepest <= max(0, self.depths - 1) or codes[: len(path)] != path:
            raise _foreign(codes)
        self._lay(descent, codes, place is not None, floor)
        descent.control[kernels.CEILING] = self.depths if ceiling is None else min(ceiling, self.depths)

    def run(self, nodes: int, boards: int = 0, first: bool = False) -> Stretch:
        """Make at most `nodes` nodes more; of the solutions that it meets the first `boards` are handed out.

        With `first` it ends at a solution.
        """
        descent = self._descent
        found: list[Path] = []
        given: list[Path] = []
        descent.rows[:, layout.COUNT] = 0
        solutions = 0
        while not descent.finished and not (first and solutions):
            wanted = first or len(found) < boards
            made, met = descent.run(nodes, *(1,) if wanted else ())
            nodes -= made
            solutions += met
            if descent.status == kernels.AT_BOARD or (met and not self.depths):
                found += [self._board()][: boards - len(found)]
            elif descent.status == kernels.AT_CEILING:
                given.append(self._laid(descent.depth))
                descent.skip()
            elif nodes == 0 or descent.settled:
                break
        if descent.status == kernels.AT_BOARD:
            descent.run(0)  # to what comes next
        counts = descent.rows[: self.depths, layout.COUNT].tolist()
        return Stretch(tuple(counts), solutions, tuple(found), tuple(given))

    def place(self) -> Place | None:
        """Where the search stands; None where it has not begun or has finished."""
        descent = self._descent
        if descent.status == kernels.FRESH or descent.finished:
            return None
        mask, start = (int(number) for number in descent.rows[descent.depth, [layout.MASK, layout.START]])
        comes_next = int(descent.memory[start + (mask & -mask).bit_length() - 1]) >> self._code_shift
        return Place(int(descent.control[kernels.FLOOR]), (*self._laid(descent.depth), comes_next))

    def give(self) -> Stretch:
        """Give away the shallowest branches that are untried; those that end at once are counted as done.

        The current depth is kept, so a search that has begun still has something to do.
        """
        place = self.place()
        nothing = Stretch((0,) * self.depths, 0, (), ())
        if place is None:
            return nothing
        fit, before = self._look_at(place.codes, True, place.floor)
        untried = fit[place.floor : -1] - before[place.floor : -1] - 1
        if not untried.any():
            return nothing
        depth = place.floor + int(np.flatnonzero(untried)[0])
        self._look_at(place.codes[:depth], False, 0)
        words = np.zeros(int(untried[depth - place.floor]), np.uint64)
        live, total = branches(self._scratch.memory, depth, self._words[place.codes[depth]], words, self._tables.places)
        self._descent.control[kernels.FLOOR] = depth + 1
        counts = [0] * self.depths
        counts[depth] = total
        given = tuple((*place.codes[:depth], int(word) >> self._code_shift) for word in words[:live])
        return Stretch(tuple(counts), 0, (), given)

    def share(self, path: Path) -> float:
        """The part of the tree below `path`, where every branch of a node is taken for equally large."""
        fit, _ = self._look_at(path, False, 0)
        return float(np.prod(1.0 / fit))

    def share_left(self) -> float:
        """The part of the tree that is left of this unit, measured likewise."""
        place = self.place()
        if place is None:
            return 0.0
        fit, before = self._look_at(place.codes, True, place.floor)
        above = np.cumprod(np.concatenate([[1.0], 1.0 / fit[:-1]]))
        left = fit - before - 1.0
        left[-1] += 1.0
        return float((above * left / fit)[place.floor :].sum())

    def _look_at(self, codes: Path, begun: bool, floor: int) -> tuple[Array, Array]:
        """Lay codes where the search itself is not disturbed."""
        self._scratch.clear()
        return self._lay(self._scratch, codes, begun, floor)

    def _lay(self, descent: Descent, codes: Path, begun: bool, floor: int) -> tuple[Array, Array]:
        """Lay codes on fresh memory; how many words fit at each depth, and how many came before."""
        fit, before = np.zeros(len(codes), np.int64), np.zeros(len(codes), np.int64)
        in_range = all(0 <= code < len(self._words) for code in codes)
        words = self._words[list(codes)] if in_range and codes else np.zeros(0, np.uint64)
        laid = lay_path(descent.control, descent.memory, words, begun, floor, self._tables.places, fit, before)
        if not in_range or laid < len(codes):
            raise _foreign(codes)
        return fit, before

    def _laid(self, depth: int) -> Path:
        words = self._descent.rows[:depth, layout.WORD]
        return tuple((words >> np.uint64(self._code_shift)).tolist())

    def _board(self) -> Path:
        codes = [EMPTY] * self.tree.instance.grid.cells
        for hint in self.tree.searched.hints:
            codes[hint.cell] = 4 * hint.piece + hint.rot
        for cell, code in zip(self.tree.order, self._laid(self.depths), strict=True):
            codes[cell] = code
        return tuple(codes)


def added(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """Nodes by depth of two stretches together."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _foreign(codes: Path) -> SettingsError:
    shown = " ".join(map(str, codes[:8])) + (" ..." if len(codes) > 8 else "")
    return SettingsError(f"the path {shown or '(empty)'} is not one of this tree")
