"""Edge matching as exact cover: cells and pieces are covered once, a seam has one colour.

An option is a placement: a cell, a piece, and a colour for each seam of the cell. Grey decides which placements there
are, so it needs no items. A path of options is a partial board, and its agreements are the board's matched seams.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from e2.core.board import EMPTY, Board
from e2.core.cover import CoverProblem
from e2.core.instance import Instance
from e2.core.quad import BORDER, opposite
from e2.core.score import score_board
from e2.errors import SettingsError
from e2.kernels.cover_tables import CoverTables, Options, build_cover
from e2.kernels.tables import Array
from e2.search.exact_cover import ExactCover
from e2.search.orders import SHUFFLED
from e2.search.parameters import check_bite
from e2.search.shuffle import ranks
from e2.search.state import fingerprint, foreign_state, packed, unpacked
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Value, never

MAX_PLACEMENTS = 200_000
"""Of all pieces on all cells in all turns. A framed board of 16x16 has 156,816."""


def placements(instance: Instance, order: Array) -> tuple[Array, Array]:
    """All (cell, code) that grey allows, by cell and then by `order[code]`, as two int64 arrays.

    SettingsError for more than MAX_PLACEMENTS.
    """
    grid = instance.grid
    grey = [_sides(np.flatnonzero(np.array(quad) == BORDER)) for quad in _turned_quads(instance).tolist()]
    codes_of: dict[int, list[int]] = {}
    for code in np.argsort(order, kind="stable").tolist():
        codes_of.setdefault(grey[code], []).append(code)
    lists = [codes_of.get(_sides(grid.rim_sides(cell)), []) for cell in range(grid.cells)]
    total = sum(map(len, lists))
    if total > MAX_PLACEMENTS:
        raise SettingsError(
            f"cover: {total} placements on {grid.width}x{grid.height}; expected a board with at most {MAX_PLACEMENTS}"
        )
    cells = np.repeat(np.arange(grid.cells), [len(codes) for codes in lists])
    return cells, np.array([code for codes in lists for code in codes], np.int64)


def edge_matching(instance: Instance, cells: Array, codes: Array) -> Options:
    """The options of placements: items are pieces, then cells, then seams."""
    grid = instance.grid
    seam_at = np.full((grid.cells, 4), EMPTY)
    for number, seam in enumerate(grid.seams):
        seam_at[seam.cell, seam.side] = seam_at[seam.neighbour, opposite(seam.side)] = 2 * grid.cells + number
    item = np.column_stack((codes >> 2, grid.cells + cells, seam_at[cells]))
    colour = np.column_stack((np.zeros((len(codes), 2), np.int64), _turned_quads(instance)[codes]))
    has = item != EMPTY
    starts = np.concatenate(([0], np.cumsum(has.sum(axis=1))))
    return Options(2 * grid.cells, 2 * grid.cells + len(grid.seams), starts, item[has], colour[has])


def cover_problem(instance: Instance) -> CoverProblem:
    """The puzzle as an exact cover problem by names: p1 is the first piece, A1 a cell, A1-A2 a seam.

    A pinned cell and a pinned piece have the one option of their hint. SettingsError for a board that is too large.
    """
    grid = instance.grid
    cells, codes = placements(instance, np.arange(4 * len(instance.pieces)))
    pinned = {(hint.cell, 4 * hint.piece + hint.rot) for hint in instance.hints}
    pinned_cells, pinned_pieces = {cell for cell, _ in pinned}, {code >> 2 for _, code in pinned}
    kept = [
        (cell, code) in pinned or (cell not in pinned_cells and code >> 2 not in pinned_pieces)
        for cell, code in zip(cells.tolist(), codes.tolist(), strict=True)
    ]
    options = edge_matching(instance, cells[kept], codes[kept])
    parts = [
        (item, str(colour) if colour else "")
        for item, colour in zip(options.item.tolist(), options.colour.tolist(), strict=True)
    ]
    bounds = options.starts.tolist()
    return CoverProblem(
        tuple(f"p{piece + 1}" for piece in range(len(instance.pieces))) + tuple(map(grid.name, range(grid.cells))),
        tuple(f"{grid.name(seam.cell)}-{grid.name(seam.neighbour)}" for seam in grid.seams),
        tuple(tuple(parts[first:last]) for first, last in pairwise(bounds)),
    )


def _turned_quads(instance: Instance) -> Array:
    """What each code shows: int64, 4 x sides."""
    pieces = instance.pieces
    return np.array([pieces.placed(piece, rot) for piece in range(len(pieces)) for rot in range(4)], np.int64)


def _sides(sides: Sequence[int] | Array) -> int:
    return sum(1 << int(side) for side in sides)


@dataclass(frozen=True, eq=False)
class CoverLayout:
    """All placements of a puzzle as options: `cells` and `codes` by option, as int64 arrays, and the masks."""

    cells: Array
    codes: Array
    tables: CoverTables

    def pins(self, instance: Instance) -> list[int]:
        """The options of the hints."""
        option_at = {
            place: option for option, place in enumerate(zip(self.cells.tolist(), self.codes.tolist(), strict=True))
        }
        return [option_at[hint.cell, 4 * hint.piece + hint.rot] for hint in instance.hints]

    def board(self, options: Sequence[int]) -> tuple[int, ...]:
        """The codes by cell of the board on which these placements are."""
        codes = [EMPTY] * (self.tables.options.primary // 2)
        for option in options:
            codes[int(self.cells[option])] = int(self.codes[option])
        return tuple(codes)


@lru_cache(maxsize=2)
def cover_layout(instance: Instance, seed: int | None = None) -> CoverLayout:
    """The layout of a puzzle, which nobody changes; without a seed in the order of the codes."""
    count = 4 * len(instance.pieces)
    cells, codes = placements(instance, np.arange(count) if seed is None else ranks(seed, 0, count))
    return CoverLayout(cells, codes, build_cover(edge_matching(instance, cells, codes)))


@contextlib.contextmanager
def hints_that_match() -> Iterator[None]:
    """While the options of hints are forced: SettingsError, in words of the puzzle, where they exclude each other."""
    try:
        yield
    except SettingsError as error:
        raise SettingsError(
            "cover: two hints side by side show different colours; expected hints that match"
        ) from error


class CoverSearch:
    """A search of `e2.search.cover.Cover`."""

    def __init__(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        self.instance = instance
        self.exhaustive = bool(parameters["exhaustive"])
        self.fingerprint = fingerprint("cover", instance, parameters, seed)
        shuffled = parameters["order"] == SHUFFLED
        self._layout = cover_layout(instance, seed if shuffled else None)
        self._pins = self._layout.pins(instance)
        with hints_that_match():
            self._search = ExactCover(self._layout.tables, self._pins, instance.grid.max_score)
        self._ended = self._search.finished

    def step(self, nodes: int, stopping: Callable[[], bool] = never) -> Bite:
        check_bite(nodes)
        stats = SearchStats()
        if not self._ended:
            made = self._search.run(nodes, 0 if self.exhaustive else 1)
            self._ended = self._search.finished or (made.solutions > 0 and not self.exhaustive)
            stats = SearchStats(made.nodes, made.solutions, 0, self._search.deepest)
        board = self._board()
        return Bite(stats, board, 0 if board is None else self._score(), self._ended)

    def _board(self) -> Board | None:
        best = self._search.best
        if best is None:
            if len(self._pins) < self.instance.grid.cells:
                return None
            best = tuple(self._pins)
        return self._laid(best)

    def _score(self) -> int:
        pinned = len(self._pins) == self.instance.grid.cells
        return self.instance.grid.max_score if pinned else self._search.agreements

    def _laid(self, options: Sequence[int]) -> Board:
        return Board(self.instance.width, self.instance.height, self._layout.board(options))

    def _arrays(self) -> dict[str, Array]:
        depths = self.instance.grid.cells
        path, best = np.full(depths, -1), np.full(depths, -1)
        stands, found = self._search.path(), self._search.best or ()
        path[: len(stands)], best[: len(found)] = stands, found
        numbers = [self._ended, self._search.best is not None, self._search.agreements, self._search.deepest]
        return {
            "task": self.fingerprint,
            "search": np.array(numbers, np.int64),
            "path": path.astype(np.int64),
            "best": best.astype(np.int64),
        }

    def state(self) -> bytes:
        return packed(self._arrays())

    def restore(self, state: bytes) -> None:
        arrays = unpacked(state, self._arrays())
        ended, has_best, agreements, deepest = arrays["search"].tolist()
        path, best = (self._options(arrays[name]) for name in ("path", "best"))
        board = self._laid(best)
        sound = (
            ended in (0, 1)
            and has_best == bool(best)
            and 0 <= deepest <= self.instance.grid.cells
            and board.placed == len(best)
            and not board.pieces_used_twice()
            and agreements == score_board(board, self.instance.pieces).matched * has_best
            and (ended or path or len(self._pins) == self.instance.grid.cells)
        )
        if not sound:
            raise foreign_state("its counters or its best board are out of range")
        self._search.restore(path, best if has_best else None, agreements, deepest)
        self._ended = bool(ended)

    def _options(self, padded: Array) -> list[int]:
        """The options before the first -1; a foreign state where anything else is in the array."""
        length = int((padded >= 0).argmin()) if (padded < 0).any() else len(padded)
        if (padded[length:] != -1).any() or (padded >= len(self._layout.codes)).any():
            raise foreign_state("its options are out of range")
        return [int(option) for option in padded[:length]]
