"""The search of one unit of a tree: all that lies below a path, less what is given away on the way."""

from __future__ import annotations

import numpy as np

from e2.core.board import EMPTY
from e2.errors import SettingsError
from e2.kernels import descend as kernels
from e2.kernels import tables as layout
from e2.kernels.path import branches, lay_path
from e2.kernels.tables import Alike, Array, build_tables
from e2.search.descent import Descent
from e2.search.tree import PIECES, TURNS, Tree
from e2.search.units import (
    Path,
    Place,
    Stretch,
    checked_place,
    foreign,
    part_below,
    part_left,
    shallowest_untried,
)


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
        descent = self._descent
        descent.clear()
        codes, floor = checked_place(path, place, self.depths)
        self._lay(descent, codes, place is not None, floor)
        descent.control[kernels.CEILING] = self.depths if ceiling is None else min(ceiling, self.depths)

    def run(self, nodes: int, boards: int = 0, first: bool = False) -> Stretch:
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
        descent = self._descent
        if descent.status == kernels.FRESH or descent.finished:
            return None
        mask, start = (int(number) for number in descent.rows[descent.depth, [layout.MASK, layout.START]])
        comes_next = int(descent.memory[start + (mask & -mask).bit_length() - 1]) >> self._code_shift
        return Place(int(descent.control[kernels.FLOOR]), (*self._laid(descent.depth), comes_next))

    def give(self) -> Stretch:
        place = self.place()
        nothing = Stretch((0,) * self.depths, 0, (), ())
        if place is None:
            return nothing
        fit, before = self._look_at(place.codes, True, place.floor)
        depth = shallowest_untried(fit, before, place.floor)
        if depth is None:
            return nothing
        self._look_at(place.codes[:depth], False, 0)
        words = np.zeros(int(fit[depth] - before[depth]) - 1, np.uint64)
        live, total = branches(self._scratch.memory, depth, self._words[place.codes[depth]], words, self._tables.places)
        self._descent.control[kernels.FLOOR] = depth + 1
        counts = [0] * self.depths
        counts[depth] = total
        given = tuple((*place.codes[:depth], int(word) >> self._code_shift) for word in words[:live])
        return Stretch(tuple(counts), 0, (), given)

    def share(self, path: Path) -> float:
        fit, _ = self._look_at(path, False, 0)
        return part_below(fit)

    def share_left(self) -> float:
        place = self.place()
        return 0.0 if place is None else part_left(*self._look_at(place.codes, True, place.floor), place.floor)

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
            raise foreign(codes)
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
