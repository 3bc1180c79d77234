"""An instance and a fill order laid out for the beam: one row of the plan a layer, candidate lists by known colours.

A state of the beam does not hold its board. Of the cells that are filled it keeps only the colours that their open
sides show, each in a *slot*: a slot is taken when a cell shows a side to an empty neighbour, and free again once that
neighbour is filled. So a state of a row-like order on a 16x16 board has about 20 slots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from e2.core.instance import Instance
from e2.core.quad import BORDER, opposite
from e2.kernels.tables import Array, check_table_bytes

# Columns of `BeamTables.plan`. SIDE, SLOT and COLOUR have an entry for each known side of the cell (at most 4): where
# its colour comes from, a slot, or the constant COLOUR where SLOT is -1 (the neighbour is pinned).
CELL, KNOWN, OPENED, LISTS = 0, 1, 2, 3
SIDE, SLOT, COLOUR = 4, 8, 12
OPEN_SIDE, OPEN_SLOT = 16, 20
ANY = 24  # list of all pieces of the cell's class
# List 0 holds the words that match all known sides; each other one drops a side that may mismatch.
LIST, FIRST, SECOND, DROPPED = (
    25,
    30,
    35,
    40,
)  # offset in `starts`; the two known sides that key it (-1: none); the dropped
PLAN_WIDTH = 45


@dataclass(frozen=True)
class BeamTables:
    """What the beam's kernels read. A list's codes for a key: `codes[starts[list + key] : starts[list + key + 1]]`."""

    plan: Array  # int64[layers, PLAN_WIDTH]
    starts: Array  # int32
    codes: Array  # uint16 placement codes: boards end at 64x64
    placed: Array  # uint8[codes, 4], uint16 for more than 255 colours: colours as placed, dense; 0 is grey
    spread_colours: Array  # as wide, [pieces, 4]: the inner colours of a piece, each once
    spread_counts: Array  # int32[pieces, 4]: how often each stands on it
    spread_kinds: Array  # int32[pieces]: how many there are
    supply: Array  # uint16[colours]: sides of each inner colour on the pieces that are not pinned
    open_seams: Array  # int64[layers]: seams with an empty cell once the layer's cell is filled
    slots: int
    bits: int
    base_score: int  # seams matched between pins

    @property
    def layers(self) -> int:
        return len(self.plan)

    @property
    def state_bytes(self) -> int:
        """Memory of one state in one generation."""
        words = -(-len(self.spread_kinds) // 64)
        return self.slots * self.placed.itemsize + 8 * words + 2 * len(self.supply) + 8 + 4


def build_beam_tables(instance: Instance, fill_order: Sequence[int]) -> BeamTables:
    """Lay out `instance` for `fill_order` (a permutation of all cells; pins are skipped)."""
    return _Builder(instance, fill_order).build()


class _Builder:
    def __init__(self, instance: Instance, fill_order: Sequence[int]) -> None:
        self.instance, self.grid = instance, instance.grid
        self.pinned = instance.pinned
        self.order = [cell for cell in fill_order if cell not in self.pinned]
        self.depth = {cell: depth for depth, cell in enumerate(self.order)} | dict.fromkeys(self.pinned, -1)
        catalogue = np.array(instance.pieces.quads, np.int64).reshape(-1, 4)
        palette = np.unique(np.append(catalogue, BORDER))
        self.bits = max(1, int(len(palette) - 1).bit_length())
        self.colour_type = np.uint8 if self.bits <= 8 else np.uint16
        self.catalogue = np.searchsorted(palette, catalogue)
        turns = [np.roll(self.catalogue, rot, axis=1) for rot in range(4)]
        self.sides = np.stack(turns, axis=1).reshape(-1, 4)
        self.free = np.ones(len(instance.pieces), bool)
        self.free[[hint.piece for hint in instance.hints]] = False
        self.free_codes = np.flatnonzero(np.repeat(self.free, 4))
        self.lists: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self.starts: list[Array] = []
        self.codes: list[Array] = []
        self.start_count = self.code_count = 0

    def build(self) -> BeamTables:
        colours, counts, kinds, supply = self._spread()
        plan, slots = self._plan()
        if not self.order:
            self._list((), ())
        return BeamTables(
            plan=plan,
            starts=np.concatenate(self.starts).astype(np.int32),
            codes=np.concatenate(self.codes).astype(np.uint16),
            placed=self.sides.astype(self.colour_type),
            spread_colours=colours,
            spread_counts=counts,
            spread_kinds=kinds,
            supply=supply,
            open_seams=self._open_seams(),
            slots=slots,
            bits=self.bits,
            base_score=self._base_score(),
        )

    def _plan(self) -> tuple[Array, int]:
        plan = np.full((len(self.order), PLAN_WIDTH), -1, np.int64)
        free_slots: list[int] = []
        slots = 0
        slot_of: dict[tuple[int, int], int] = {}
        for depth, cell in enumerate(self.order):
            row = plan[depth]
            neighbours = {side: self.grid.neighbour(cell, side) for side in range(4)}
            known = [side for side, there in neighbours.items() if there is not None and self.depth[there] < depth]
            opened = [side for side, there in neighbours.items() if there is not None and self.depth[there] > depth]
            row[CELL], row[KNOWN], row[OPENED] = cell, len(known), len(opened)
            for position, side in enumerate(known):
                there = neighbours[side]
                assert there is not None
                row[SIDE + position] = side
                if there in self.pinned:
                    hint = self.pinned[there]
                    row[COLOUR + position] = self.sides[4 * hint.piece + hint.rot, opposite(side)]
                else:
                    row[SLOT + position] = slot_of.pop((cell, side))
                    free_slots.append(int(row[SLOT + position]))
            for position, side in enumerate(opened):
                if not free_slots:
                    free_slots.append(slots)
                    slots += 1
                there = neighbours[side]
                assert there is not None
                row[OPEN_SIDE + position], row[OPEN_SLOT + position] = side, free_slots.pop()
                slot_of[there, opposite(side)] = int(row[OPEN_SLOT + position])
            self._lists_of(row, cell, known)
        return plan, max(1, slots)

    def _lists_of(self, row: Array, cell: int, known: list[int]) -> None:
        rim = self.grid.rim_sides(cell)
        row[ANY] = self._list(rim, ())
        row[LISTS] = 0
        for dropped in (-1, *range(len(known))):
            if dropped >= 0 and not self._may_mismatch(cell, known[dropped]):
                continue
            keys = [position for position in range(len(known)) if position != dropped][:2]
            number = int(row[LISTS])
            row[LIST + number] = self._list(rim, tuple(known[position] for position in keys))
            for column, position in zip((FIRST, SECOND), keys, strict=False):
                row[column + number] = position
            row[DROPPED + number] = dropped
            row[LISTS] += 1

    def _may_mismatch(self, cell: int, side: int) -> bool:
        """A seam between two frame cells is never given up: frame colours are too few to come back."""
        there = self.grid.neighbour(cell, side)
        assert there is not None
        return not (self.grid.is_frame_cell(cell) and self.grid.is_frame_cell(there))

    def _list(self, rim: tuple[int, ...], keys: tuple[int, ...]) -> int:
        """Where the list of a cell class (its rim sides) by the colours of some sides begins in `starts`."""
        if (rim, keys) not in self.lists:
            on_rim = np.isin(np.arange(4), rim)
            codes = self.free_codes[((self.sides[self.free_codes] == BORDER) == on_rim).all(axis=1)]
            colours = np.zeros(len(codes), np.int64)
            for position, side in enumerate(keys):
                colours += self.sides[codes, side] << (self.bits * position)
            size = 1 << (self.bits * len(keys))
            check_table_bytes(self.instance, 8 * (self.start_count + size), "lists")
            starts = np.concatenate(([0], np.cumsum(np.bincount(colours, minlength=size)))) + self.code_count
            self.lists[rim, keys] = self.start_count
            self.starts.append(starts)
            self.codes.append(codes[np.argsort(colours, kind="stable")])
            self.start_count += len(starts)
            self.code_count += len(codes)
        return self.lists[rim, keys]

    def _spread(self) -> tuple[Array, Array, Array, Array]:
        """The inner colours: those that stand on pieces without grey. Frame colours are spent on the frame."""
        pieces = len(self.catalogue)
        inner = np.unique(self.catalogue[(self.catalogue != BORDER).all(axis=1)])
        colours = np.zeros((pieces, 4), self.colour_type)
        counts = np.zeros((pieces, 4), np.int32)
        kinds = np.zeros(pieces, np.int32)
        for piece, quad in enumerate(self.catalogue):
            found, often = np.unique(quad[np.isin(quad, inner)], return_counts=True)
            kinds[piece] = len(found)
            colours[piece, : len(found)], counts[piece, : len(found)] = found, often
        sides = self.catalogue[self.free].ravel()
        supply = np.bincount(sides[np.isin(sides, inner)], minlength=int(self.catalogue.max(initial=0)) + 1)
        return colours, counts, kinds, supply.astype(np.uint16)

    def _open_seams(self) -> Array:
        """A seam is open until both its cells are filled."""
        closed_at = [max(self.depth[seam.cell], self.depth[seam.neighbour]) for seam in self.grid.seams]
        return np.array([sum(at > depth for at in closed_at) for depth in range(len(self.order))], np.int64)

    def _base_score(self) -> int:
        score = 0
        for seam in self.grid.seams:
            if seam.cell in self.pinned and seam.neighbour in self.pinned:
                here, there = self.pinned[seam.cell], self.pinned[seam.neighbour]
                colour = self.sides[4 * here.piece + here.rot, seam.side]
                score += int(colour == self.sides[4 * there.piece + there.rot, opposite(seam.side)])
        return score
