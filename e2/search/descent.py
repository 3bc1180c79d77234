"""A depth-first search in progress: the arrays that a kernel works on, and how they are saved and checked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from e2.core.board import EMPTY, Board
from e2.core.instance import Instance
from e2.kernels import descend as kernels
from e2.kernels import tables as layout
from e2.kernels.rehearse import warm_up
from e2.kernels.tables import Array, Tables
from e2.search.quota import Guard
from e2.search.state import foreign_state

_NO_LIMIT = 1 << 62
_NOTHING = np.zeros(0, np.int64)


class Descent:
    """One run of a kernel over `tables`. Strict if `allowed` is None, else with that many mismatched seams a depth.

    A search with mismatches may be guarded; the tables' lists then begin with the worthiest words.
    """

    def __init__(
        self, instance: Instance, tables: Tables, allowed: Array | None = None, guard: Guard | None = None
    ) -> None:
        warm_up("merged" if tables.is_merged else "descend" if guard is None else "guarded")
        self.guard = guard
        self.instance = instance
        self.tables = tables
        self.allowed = allowed
        self.control = kernels.fresh_control(tables)
        self.best = np.zeros(tables.depths, np.int64)
        self._lay_out(tables.fresh_memory())
        if allowed is not None:
            self.control[kernels.BEST_SCORE] = -1  # so that a first board of 0 is better
        if tables.depths == 0:
            self.control[kernels.BEST_SCORE] = tables.seams[0]

    def _lay_out(self, memory: Array) -> None:
        self.memory = memory
        self.rows = memory[: layout.ROW * (self.tables.depths + 1)].reshape(-1, layout.ROW)
        self.synced = np.zeros(self.tables.depths, np.uint64)

    @property
    def status(self) -> int:
        return int(self.control[kernels.STATUS])

    @property
    def finished(self) -> bool:
        return self.status == kernels.FINISHED

    @property
    def depth(self) -> int:
        """Cells filled at this moment."""
        return int(self.control[kernels.DEPTH])

    @property
    def settled(self) -> bool:
        """Whether a word is waiting to be tried, so that this is not the end."""
        return self.status == kernels.RUNNING

    @property
    def deepest(self) -> int:
        """The most cells filled so far."""
        return int(self.control[kernels.MAX_DEPTH])

    @property
    def best_score(self) -> int:
        return int(self.control[kernels.BEST_SCORE])

    @property
    def fewest_mismatches(self) -> int:
        """Of the best board, if it is full; seams between pins are not counted."""
        return int(self.tables.seams[-1]) - self.best_score

    def run(self, nodes: int, boards: int = _NO_LIMIT) -> tuple[int, int]:
        """Make at most `nodes` nodes, stopping at the `boards`-th full board; returns nodes and boards made.

        With mismatches a run stops at every full board, whatever `boards` says.
        """
        control = self.control
        if self.finished:
            return 0, 0
        if self.tables.depths == 0:
            control[kernels.STATUS] = kernels.FINISHED
            return 0, 1
        control[kernels.NODES] = control[kernels.SOLUTIONS] = 0
        tables = self.tables
        if self.allowed is None:
            plain, merged = kernels.descend_plain, kernels.descend_merged
            descend = plain if tables.is_plain else merged if tables.is_merged else kernels.descend
            descend(control, self.memory, self.best, nodes, boards, tables.places, tables.seams)
        else:
            self._run_mismatched(nodes, self.allowed)
        return int(control[kernels.NODES]), int(control[kernels.SOLUTIONS])

    def _run_mismatched(self, nodes: int, allowed: Array) -> None:
        tables, guard = self.tables, self.guard or Guard(_NOTHING, _NOTHING, 0)
        descend = kernels.descend_mismatched if self.guard is None else kernels.descend_guarded
        descend(
            self.control,
            self.memory,
            self.best,
            nodes,
            allowed,
            self.synced,
            tables.places,
            tables.seams,
            guard.worth,
            guard.least,
            guard.prune,
            tables.sides,
            tables.balance,
            np.empty_like(tables.balance),
        )

    def clear(self) -> None:
        """Take all pieces off: the search has not begun, and keeps only its best board."""
        self._lay_out(self.tables.fresh_memory())
        self.control[[kernels.DEPTH, kernels.FLOOR]] = 0
        self.control[kernels.STATUS] = kernels.FRESH

    def lay_opening(self, codes: Array, mismatches: int) -> None:
        """Begin anew below pieces that stay: `codes` on the first cells, with so many mismatched seams."""
        self._lay_out(self.tables.fresh_memory())
        kernels.lay_opening(self.control, self.memory, self.tables.words[codes], mismatches, self.tables.places)

    def best_board(self) -> tuple[Board | None, int]:
        """The best board so far with its score, pins included; None before the first node, unless all is pinned."""
        depth = int(self.control[kernels.BEST_DEPTH])
        if depth == 0 and self.tables.depths:
            return None, 0
        codes = [EMPTY] * self.instance.grid.cells
        for hint in self.instance.hints:
            codes[hint.cell] = 4 * hint.piece + hint.rot
        for cell, code in zip(self.tables.order[:depth].tolist(), self.best[:depth].tolist(), strict=True):
            codes[cell] = code
        board = Board(self.instance.width, self.instance.height, tuple(codes))
        return board, self.best_score

    def node_counts(self) -> list[int]:
        """Nodes per depth since the descent began."""
        return [int(count) for count in self.rows[:-1, layout.COUNT]]

    def keep_best_of(self, other: Descent) -> None:
        """Start from the best board of another descent over the same cells: only a better one replaces it."""
        for field in (kernels.BEST_SCORE, kernels.BEST_DEPTH):
            self.control[field] = other.control[field]
        self.best[:] = other.best

    def offer(self, codes: Array, score: int) -> None:
        """Take `codes` on the first cells for the best board, if their score is better."""
        if score > self.best_score:
            self.control[kernels.BEST_SCORE], self.control[kernels.BEST_DEPTH] = score, len(codes)
            self.best[: len(codes)] = codes

    def skip(self) -> None:
        """Try nothing more at the current depth: the next run steps back."""
        row = self.rows[self.depth]
        row[layout.MASK] = 0
        if int(row[layout.NOTES]) & layout.CHUNKED:
            row[layout.LIST] = 8 * int(self.tables.details(self.depth)[layout.STAGE_CHUNKS])

    def arrays(self) -> dict[str, Array]:
        """All that `restore` needs. Blanked are what deeper levels have left behind, and what follows from the rest."""
        frames = self.rows[:, _KEPT].copy()
        frames[self.depth + 1 :] = 0
        frames[self.depth, _KEPT.index(layout.WORD)] = 0
        control = self.control.copy()
        for field in (kernels.NODES, kernels.SOLUTIONS, kernels.SYNC_FROM, kernels.SYNC_TO):
            control[field] = 0
        return {
            "control": control,
            "frames": frames,
            "counts": self.rows[:, layout.COUNT].copy(),
            "best": self.best,
        }

    def restore(self, arrays: Mapping[str, Array], opening: tuple[Array, int] | None = None) -> None:
        """Go on from `arrays` (names and shapes of `arrays()`), after checking that they fit the tables.

        A search below an opening needs that again: its codes, already checked, and its mismatched seams.

        The check walks down the placed words as the kernel would: a state that passes can neither lead the kernel out
        of its tables nor lay a piece twice.
        """
        control, frames = arrays["control"].copy(), arrays["frames"]
        depths = self.tables.depths
        depth, floor = int(control[kernels.DEPTH]), int(control[kernels.FLOOR])
        in_range = (
            0 <= floor <= depth < max(depths, 1)
            and floor < max(int(control[kernels.CEILING]), 1) <= max(depths, 1)
            and kernels.FRESH <= control[kernels.STATUS] <= kernels.FINISHED
            and 0 <= control[kernels.BEST_DEPTH] <= depths
            and 0 <= control[kernels.MAX_DEPTH] <= depths
            and control[kernels.CELL_CAP] == self.control[kernels.CELL_CAP]
            and (arrays["best"] >= 0).all()
            and (arrays["best"] < 4 * len(self.instance.pieces)).all()
        )
        if not in_range:
            raise foreign_state("its counters are out of range")
        control[kernels.SYNC_FROM] = control[kernels.SYNC_TO] = 0
        memory = self.tables.fresh_memory()
        if control[kernels.STATUS] != kernels.FRESH:
            retrace = _Retrace(self.tables, memory, mismatches=self.allowed is not None)
            if opening is not None:
                if floor != len(opening[0]):
                    raise foreign_state(f"it stays below depth {floor}, its opening ends at {len(opening[0])}")
                retrace.lay_opening(*opening)
            for at in range(0 if opening is None else floor, depth + 1):
                retrace.enter(at, frames[at], placed=at < depth)
        elif depth != 0:
            raise foreign_state("it has not begun, yet pieces are placed")
        self._lay_out(memory)
        self.rows[:, layout.COUNT] = arrays["counts"]
        self.control, self.best = control, arrays["best"].copy()


_KEPT = [layout.MASK, layout.WORD, layout.LIST, layout.SPENT]
"""The columns of a row that do not follow from the words above it."""


class _Retrace:
    """Lays the words of a saved search again, one depth after the other, each checked against its list."""

    def __init__(self, tables: Tables, memory: Array, *, mismatches: bool) -> None:
        self.tables, self.memory, self.mismatches = tables, memory, mismatches
        self.code_shift = int(tables.places[layout.CODE_SHIFT])
        self.exact = int(tables.places[layout.ROOT])
        self.used: set[int] = set()

    def lay_opening(self, codes: Array, mismatches: int) -> None:
        """Lay what stays, unchecked."""
        control = kernels.fresh_control(self.tables)
        kernels.lay_opening(control, self.memory, self.tables.words[codes], mismatches, self.tables.places)
        self.exact = int(self.memory[layout.ROW * len(codes) + layout.EXACT])
        self.used = set((codes >> 2).tolist())

    def enter(self, depth: int, frame: Array, *, placed: bool) -> None:
        """Check one depth's frame, write its row, and lay its word."""
        mask, word, chosen, spent = (int(number) for number in frame)
        details = [int(number) for number in self.tables.details(depth)]
        address = self._list(depth, details, chosen, ended=not (placed or mask))
        available, start = int(self.memory[address]), int(self.memory[address + 1])
        if mask & ~available:
            raise foreign_state(f"depth {depth} would lay a piece that is not free")
        row = self.memory[layout.ROW * depth : layout.ROW * (depth + 1)]
        row[layout.MASK], row[layout.START], row[layout.EXACT] = mask, start, self.exact
        row[layout.LIST], row[layout.SPENT] = chosen, spent
        if placed:
            listed = (int(self.memory[start + bit]) for bit in range(64) if available >> bit & 1)
            piece = word >> self.code_shift + 2
            if word not in listed or piece in self.used:
                raise foreign_state(f"cell {self.tables.order[depth]} holds a piece that its neighbours do not allow")
            self.used.add(piece)
            row[layout.WORD] = word
            self._take_out(piece)
        above = [int(number) for number in row]
        row[layout.REST] = above[layout.NEXT_BASE] + 2 * self._shown(above[layout.SOURCE], *above[layout.SHIFT :][:2])
        if above[layout.NOTES] & layout.NEXT_SECOND:
            second = self.tables.details(depth + 1)[layout.SECOND_SOURCE :]
            row[layout.REST] += np.uint64(2 * self._shown(*(int(number) for number in second)))
        linked = word >> above[layout.LINK_SHIFT] & above[layout.LINK_FIELD]
        self.exact = int(row[layout.REST]) + 2 * linked

    def _list(self, depth: int, details: list[int], chosen: int, *, ended: bool) -> int:
        """Address of the chosen list; any empty one where the depth has come to the end of its lists."""
        chunk, stage = chosen >> 3, chosen & 7
        lists = details[layout.STAGE_FIELDS * stage :][: layout.STAGE_FIELDS]
        if stage > (3 if self.mismatches else 0) or chunk >= lists[layout.STAGE_CHUNKS]:
            if not ended:
                raise foreign_state(f"depth {depth} is beyond the end of its lists")
            return self.exact
        asked = self.exact - details[layout.STAGE_LIST]
        v_asked, h_asked = asked & 2 * details[layout.V_FIELD], asked & 2 * details[layout.H_FIELD]
        asked = (asked, v_asked, h_asked, 0)[stage]
        return lists[layout.STAGE_LIST] + asked + chunk * lists[layout.STAGE_PLANE]

    def _shown(self, source: int, shift: int, field: int) -> int:
        return int(self.memory[source]) >> shift & field

    def _take_out(self, piece: int) -> None:
        width = int(self.tables.places[layout.TOGGLE_WIDTH])
        at = int(self.tables.places[layout.TOGGLES_AT]) + piece * width
        for place in self.memory[at : at + width].tolist():
            self.memory[place >> 6] ^= np.uint64(1 << (place & 63))
