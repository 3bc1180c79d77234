"""A depth-first search in progress: the arrays that a kernel works on, and how they are saved and checked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from e2.core.board import EMPTY, Board
from e2.core.instance import Instance
from e2.kernels import descend as kernels
from e2.kernels import tables as layout
from e2.kernels.compile import warm_up
from e2.kernels.tables import Array, Tables
from e2.search.state import foreign_state

_NO_LIMIT = 1 << 62


class Descent:
    """One run of a kernel over `tables`. Strict if `allowed` is None, else with that many mismatched seams a depth."""

    def __init__(self, instance: Instance, tables: Tables, allowed: Array | None = None) -> None:
        warm_up()
        self.instance = instance
        self.tables = tables
        self.allowed = allowed
        arrays = kernels.state_arrays(tables)
        self.control, self.frames, self.words, self.avail, self.synced, self.counts, self.best = arrays
        self._arguments = kernels.table_arguments(tables)
        if tables.depths == 0:
            self.control[kernels.BEST_SCORE] = tables.seams[0]

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
        state = (control, self.frames, self.words, self.avail, self.synced, self.counts, self.best)
        if self.allowed is None:
            kernels.descend(*state, nodes, boards, *self._arguments)
        else:
            stages = self.tables.stage_toggles, self.tables.stage_toggle_width
            kernels.descend_mismatched(*state, nodes, self.allowed, *stages, *self._arguments)
        return int(control[kernels.NODES]), int(control[kernels.SOLUTIONS])

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
        return [int(count) for count in self.counts[: self.tables.depths]]

    def keep_best_of(self, other: Descent) -> None:
        """Start from the best board of another descent over the same cells: only a better one replaces it."""
        for field in (kernels.BEST_SCORE, kernels.BEST_DEPTH):
            self.control[field] = other.control[field]
        self.best[:] = other.best

    def set_apart(self) -> dict[str, Array]:
        """The arrays of a search that stays below the current depth, and knows nothing of what was before."""
        arrays = self.arrays()
        control = arrays["control"]
        control[kernels.FLOOR], control[kernels.CEILING] = control[kernels.DEPTH], self.tables.depths
        control[kernels.STATUS] = kernels.RUNNING
        for field in (kernels.MAX_DEPTH, kernels.BEST_SCORE, kernels.BEST_DEPTH):
            control[field] = 0
        return arrays | {name: np.zeros_like(arrays[name]) for name in ("counts", "best")}

    def skip(self) -> None:
        """Try nothing more at the current depth: the next run steps back."""
        at = int(self.control[kernels.DEPTH])
        frame = self.frames[at * kernels.FRAME_WIDTH :]
        frame[kernels.F_MASK] = 0
        chunks = self.tables.plan[at * layout.PLAN_WIDTH + layout.CHUNKS]
        if chunks > 1:
            frame[kernels.F_CHUNK] = chunks

    def arrays(self) -> dict[str, Array]:
        """All that `restore` needs. Blanked are what deeper levels have left behind, and what follows from the rest."""
        frames, words = self.frames.copy(), self.tables.words.copy()
        rows = frames.reshape(-1, kernels.FRAME_WIDTH)
        rows[self.depth + 1 :] = 0
        rows[:, [kernels.F_SLOT, kernels.F_FIRST, kernels.F_REST, kernels.F_ASKED]] = 0
        placed = self.tables.order[: self.depth]
        words[placed] = self.words[placed]
        control = self.control.copy()
        for field in (kernels.NODES, kernels.SOLUTIONS, kernels.SYNC_FROM, kernels.SYNC_TO):
            control[field] = 0
        return {
            "control": control,
            "frames": frames,
            "words": words,
            "counts": self.counts,
            "best": self.best,
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from `arrays` (names and shapes of `arrays()`), after checking that they fit the tables.

        The check walks down the placed words as the kernel would: a state that passes can neither lead the kernel out
        of its tables nor lay a piece twice.
        """
        control, frames, words = arrays["control"].copy(), arrays["frames"].copy(), self.tables.words.copy()
        depths = self.tables.depths
        depth, floor = int(control[kernels.DEPTH]), int(control[kernels.FLOOR])
        in_range = (
            0 <= floor <= depth < max(depths, 1)
            and floor < max(int(control[kernels.CEILING]), 1) <= max(depths, 1)
            and kernels.FRESH <= control[kernels.STATUS] <= kernels.FINISHED
            and 0 <= control[kernels.BEST_DEPTH] <= depths
            and control[kernels.CELL_CAP] == self.control[kernels.CELL_CAP]
            and (arrays["best"] >= 0).all()
            and (arrays["best"] < 4 * len(self.instance.pieces)).all()
        )
        if not in_range:
            raise foreign_state("its counters are out of range")
        avail = self.tables.avail.copy()
        control[kernels.SYNC_FROM] = control[kernels.SYNC_TO] = 0
        if control[kernels.STATUS] != kernels.FRESH:
            for at in range(depth + 1):
                self._retrace(at, at < depth, frames[at * kernels.FRAME_WIDTH :], arrays["words"], words, avail)
        elif depth != 0:
            raise foreign_state("it has not begun, yet pieces are placed")
        self.control, self.frames, self.words, self.avail = control, frames, words, avail
        self.synced = np.zeros_like(self.synced)
        self.counts, self.best = arrays["counts"].copy(), arrays["best"].copy()

    def _retrace(self, depth: int, placed: bool, frame: Array, saved: Array, words: Array, avail: Array) -> None:
        """Check one depth's frame, write what follows from the words above it anew, and lay its word."""
        plan = self.tables.plan[depth * layout.PLAN_WIDTH : (depth + 2) * layout.PLAN_WIDTH].astype(np.uint64)
        row, ahead = plan[: layout.PLAN_WIDTH], plan[layout.PLAN_WIDTH :]
        key = self.tables.stages[depth * layout.STAGES_WIDTH : (depth + 1) * layout.STAGES_WIDTH].astype(np.uint64)
        vertical = words[row[layout.V_SOURCE]] >> row[layout.V_SHIFT] & key[layout.V_MASK]
        horizontal = words[row[layout.H_SOURCE]] >> row[layout.H_SHIFT] & key[layout.H_MASK]
        mask, stage, chunk = frame[kernels.F_MASK], int(frame[kernels.F_STAGE]), int(frame[kernels.F_CHUNK])
        slot = np.uint64(0)
        over = stage > (0 if self.allowed is None else 3)
        if not over:
            lists = key[layout.STAGE_FIELDS * stage :]
            nothing = np.uint64(0)
            slot = lists[layout.STAGE_SLOT] + (vertical, vertical, nothing, nothing)[stage]
            slot += (horizontal, nothing, horizontal, nothing)[stage]
            over = chunk >= lists[layout.STAGE_CHUNKS]
        at = 0 if over else int(slot) + chunk * int(lists[layout.STAGE_PLANE])
        if over and (placed or mask):
            raise foreign_state(f"depth {depth} is beyond the end of its lists")
        first = int(self.tables.first[at])
        if mask & ~avail[at]:
            raise foreign_state(f"depth {depth} would lay a piece that is not free")
        frame[kernels.F_SLOT], frame[kernels.F_FIRST] = slot, first
        if self.allowed is not None:
            frame[kernels.F_ASKED] = vertical + horizontal
        cell = int(row[layout.CELL])
        if placed:
            word = saved[cell]
            listed = [
                bit for bit in range(64) if int(avail[at]) >> bit & 1 and self.tables.entries[first + bit] == word
            ]
            before = words[self.tables.order[:depth]] >> np.uint64(self.tables.code_shift + 2)
            if not listed or (before == word >> np.uint64(self.tables.code_shift + 2)).any():
                raise foreign_state(f"cell {cell} holds a piece that its neighbours do not allow")
            words[cell] = word
            kernels.toggle(
                word,
                np.uint64(self.tables.code_shift),
                avail,
                self.tables.toggles,
                np.uint64(self.tables.toggle_width),
            )
        # The part of the next key that this depth's word does not decide.
        rest = ahead[layout.SLOT] + (words[ahead[layout.V_SOURCE]] >> ahead[layout.V_SHIFT] & ahead[layout.REST_V_MASK])
        rest += words[ahead[layout.H_SOURCE]] >> ahead[layout.H_SHIFT] & ahead[layout.REST_H_MASK]
        frame[kernels.F_REST] = rest
