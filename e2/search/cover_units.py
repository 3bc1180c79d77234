"""The search of one unit of a cover tree: all that lies below a path of options, less what is given away on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from e2.kernels.cover_tables import CoverTables
from e2.kernels.tables import Array
from e2.search.crossing import ANY, block_size, crossed, taken
from e2.search.exact_cover import ExactCover, Made
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

_BOARDS = 256  # that are handed out of one call
_WHOLE = 1 << 62  # nodes


class CoverUnits:
    """Searches one unit at a time of all covers with the options `forced`, which are no part of a path.

    Solutions count that share items as `crossing` says. `board` makes the codes of a board of all options of a
    solution. SettingsError where forced options exclude each other.
    """

    def __init__(
        self,
        tables: CoverTables,
        forced: Sequence[int] = (),
        *,
        crossing: str = ANY,
        board: Callable[[Sequence[int]], Path] | None = None,
    ) -> None:
        self.depths = tables.options.depths - len(forced)
        self._crossing, self._board, self._forced = crossing, board, len(forced)
        self._ceiling: int | None = None
        self._search = ExactCover(tables, forced)
        self._scratch = ExactCover(tables, forced)  # to look at other places
        if crossing != ANY:
            self._taken = taken(tables.options)
            self._block = block_size(tables.options.depths, self._taken)

    @property
    def finished(self) -> bool:
        return self._search.finished

    def open(self, path: Path, place: Place | None = None, ceiling: int | None = None) -> None:
        codes, floor = checked_place(path, place, self.depths)
        if self._search.go_to(codes, place is not None, floor) is None:
            raise foreign(codes)
        self._ceiling = ceiling

    def run(self, nodes: int, boards: int = 0, first: bool = False) -> Stretch:
        return self._run(self._search, self._ceiling, nodes, boards, first)

    def place(self) -> Place | None:
        codes = self._search.path()
        return Place(self._search.floor, codes) if codes else None

    def give(self) -> Stretch:
        place, nothing = self.place(), Stretch((0,) * self.depths, 0, (), ())
        if place is None:
            return nothing
        depth = shallowest_untried(*self._look_at(place.codes, True, place.floor), place.floor)
        if depth is None:
            return nothing
        # A short option may be a solution so high up, so the branches are tried, not only listed.
        self._look_at(place.codes[: depth + 1], True, depth)
        self._scratch.skip()
        self._search.raise_floor(depth + 1)
        return self._run(self._scratch, depth + 1, _WHOLE)

    def share(self, path: Path) -> float:
        return part_below(self._look_at(path, False, len(path))[0])

    def share_left(self) -> float:
        place = self.place()
        return 0.0 if place is None else part_left(*self._look_at(place.codes, True, place.floor), place.floor)

    def _look_at(self, codes: Path, begun: bool, floor: int) -> tuple[Array, Array]:
        """Go to a place where the search itself is not disturbed."""
        found = self._scratch.go_to(codes, begun, floor)
        if found is None:
            raise foreign(codes)
        return found

    def _run(
        self, search: ExactCover, ceiling: int | None, nodes: int, boards: int = 0, first: bool = False
    ) -> Stretch:
        solutions, found, given = 0, list[Path](), list[Path]()
        while nodes and not search.finished and not (first and solutions):
            made = search.run(nodes, self._wanted(boards - len(found), first), ceiling)
            nodes -= made.nodes
            solutions += self._counted(made)
            if self._board is not None and len(found) < boards:
                found += [self._board(row) for row in made.found.tolist()][: boards - len(found)]
            given += [tuple(row[self._forced :]) for row in made.given.tolist()]
        return Stretch(tuple(search.take_counts().tolist()), solutions, tuple(found), tuple(given))

    def _wanted(self, boards: int, first: bool) -> int:
        """How many solutions the engine has to hand out."""
        if self._crossing != ANY:
            return 1 if first else self._block
        return int(first) or (0 if self._board is None else min(boards, _BOARDS))

    def _counted(self, made: Made) -> int:
        if self._crossing == ANY:
            return made.solutions
        return int(crossed(made.found, self._taken, self._crossing).sum())
