"""An instance and a fill order laid out as flat arrays for the depth-first kernels.

A **word** (uint64) is one oriented piece: from the lowest bit its right, down, left and up colour in `bits` bits each,
then its placement code. So the colour that a placed piece shows to a neighbour is one shift and one mask, and lands
where the neighbour's key wants it: vertical seams at `bits`, horizontal ones at 0.

A **list** holds the words that may come to a cell: those with grey exactly on the cell's rim sides (its *class*)
that show the colours asked for on at most one vertical and one horizontal side (its *key*). `avail[slot]` has a bit for
each word whose piece is still unused, lowest first. Lists of more than 64 words go on in the next *chunk*, one
`plane` of slots further. A placed piece is taken out of its lists by a few XORs (`toggles`).

Sides beyond the two of the key (cells next to a pin, or in the mouth of a spiral) are *checks*: the few words that the
key leaves are held against them one by one. That needs no third dimension in any table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from e2.core.instance import Instance
from e2.core.quad import BORDER, DOWN, LEFT, RIGHT, UP
from e2.errors import SettingsError

Array = npt.NDArray[Any]

# Columns of `Tables.plan`, one row a depth: one cache line, all that the strict kernel reads. Slots are absolute;
# `*_SOURCE` are indices into the words on the board, where index `cells` is a word of zeros: a side not known.
CELL = 0
SLOT, CHUNKS, PLANE = 1, 2, 3  # of the list of words that fit: first slot, chunks, slots a chunk
V_SOURCE, V_SHIFT, H_SOURCE, H_SHIFT = 4, 5, 6, 7  # a key side's colour: words[source] >> shift & mask
REST_V_MASK, REST_H_MASK = 8, 9  # the part of the key that was known before the piece of the depth before
LINK_SHIFT, LINK_MASK = 10, 11  # the part that that piece decides; mask 0: none
SPECIAL = 12  # 1 if the list needs more than one look: checks, or more than one chunk
CHECK_FIRST, CHECK_END = 13, 14  # where its checks lie
PLAN_WIDTH = 16

# Columns of `Tables.stages`, one row a depth: for each of the four lists (both key sides fit, only the vertical, only
# the horizontal, none) its slot, chunks, plane, and cost in mismatched seams; then the key sides of the cell.
STAGE_SLOT, STAGE_CHUNKS, STAGE_PLANE, STAGE_COST = range(4)
STAGE_FIELDS = 4
V_MASK, H_MASK, OWN_V_SHIFT, OWN_H_SHIFT = range(4 * STAGE_FIELDS, 4 * STAGE_FIELDS + 4)
STAGES_WIDTH = 4 * STAGE_FIELDS + 4

# Columns of `Tables.checks`.
CHECK_SOURCE, CHECK_SHIFT, CHECK_OWN_SHIFT, CHECK_MASK, CHECK_MAY_MISMATCH = range(5)
CHECK_WIDTH = 5

NEVER = 255
"""The cost of a stage that a cell does not have."""

MAX_TABLE_BYTES = 1 << 30

_NEVER_KNOWN = 1 << 30  # the depth from which a cell that is not filled is known


@dataclass(frozen=True)
class Tables:
    """What a kernel reads. `n` free cells, `cells` in all; pinned pieces are in no list."""

    order: Array  # int64[n]: the free cells, first filled first
    words: Array  # uint64[cells + 1]: the board before the first node: pins, else 0
    plan: Array  # uint32[(n + 1) * PLAN_WIDTH]: one row a depth; the last row is a stop
    stages: Array  # uint32[(n + 1) * STAGES_WIDTH]
    checks: Array  # uint32[rows * CHECK_WIDTH]
    entries: Array  # uint64: the words of all lists
    first: Array  # uint32[slots]: where a slot's words begin in `entries`
    avail: Array  # uint64[slots]: before the first node; slot 0 is always empty
    toggles: Array  # uint32[pieces * width]: 64 * slot + bit for each word of a piece, in lists of words that fit
    toggle_width: int
    stage_toggles: Array  # the same for the lists with mismatches
    stage_toggle_width: int
    bits: int
    seams: Array  # int64[n + 1]: score with k cells filled (and the pins) if none of them mismatches a seam
    lost: int  # seams between two pins that do not match: in no score

    @property
    def depths(self) -> int:
        return len(self.order)

    @property
    def code_shift(self) -> int:
        """`word >> code_shift` is the placement code."""
        return 4 * self.bits


ListKey = tuple[int, tuple[int, ...], int | None, int | None]
"""0 for words that fit, 1 for lists with mismatches; rim sides, vertical and horizontal key side."""


def build_tables(
    instance: Instance, fill_order: Sequence[int], ranks: Array | None = None, mismatches: bool = False
) -> Tables:
    """Lay out `instance` for `fill_order` (each cell at most once; pins are skipped).

    Cells that are left out stay empty: a full board of such tables is a filling of the block that the order names.

    `ranks[code]` orders the words within a list; by piece and turn if None. With `mismatches`, cells also get the
    lists for one and two mismatched seams. SettingsError if the tables would not fit into memory.
    """
    return _Builder(instance, fill_order, ranks, mismatches).build()


class _Builder:
    def __init__(self, instance: Instance, fill_order: Sequence[int], ranks: Array | None, mismatches: bool) -> None:
        self.instance = instance
        self.grid = instance.grid
        self.mismatches = mismatches
        pinned = instance.pinned
        self.order = [cell for cell in fill_order if cell not in pinned]
        self.known_from = (
            dict.fromkeys(range(self.grid.cells), _NEVER_KNOWN)
            | {cell: depth for depth, cell in enumerate(self.order)}
            | dict.fromkeys(pinned, -1)
        )
        self._lay_out_words()
        pinned_pieces = [hint.piece for hint in instance.hints]
        free = np.ones(len(instance.pieces), bool)
        free[pinned_pieces] = False
        self.codes = np.flatnonzero(np.repeat(free, 4))
        self.ranks = np.arange(4 * len(instance.pieces)) if ranks is None else ranks
        self.lists: dict[ListKey, tuple[int, int, int]] = {}
        self.slots = 2
        self.entries: list[Array] = []
        self.entry_count = 0
        self.members: list[tuple[Array, Array, Array]] = []  # piece, 64 * slot + bit, place among the entries

    def _lay_out_words(self) -> None:
        catalogue = np.array(self.instance.pieces.quads, np.int64).reshape(-1, 4)
        palette = np.unique(np.append(catalogue, BORDER))
        dense = np.searchsorted(palette, catalogue)
        self.bits = max(1, int(len(palette) - 1).bit_length())
        turns = [np.roll(dense, rot, axis=1) for rot in range(4)]
        self.sides = np.stack(turns, axis=1).reshape(-1, 4)  # [code, side]
        up, right, down, left = (self.sides[:, side].astype(np.uint64) for side in (UP, RIGHT, DOWN, LEFT))
        bits = np.uint64(self.bits)
        codes = np.arange(len(self.sides), dtype=np.uint64)
        self.word = ((((codes << bits | up) << bits | left) << bits | down) << bits) | right

    def build(self) -> Tables:
        rows: list[list[int]] = []
        stages: list[list[int]] = []
        checks: list[list[int]] = []
        for depth, cell in enumerate(self.order):
            row, its_stages, its_checks = self._row(depth, cell, len(checks))
            rows.append(row)
            stages.append(its_stages)
            checks.extend(its_checks)
        rows.append([0] * PLAN_WIDTH)
        stages.append([0] * STAGES_WIDTH)
        words = np.zeros(self.grid.cells + 1, np.uint64)
        for hint in self.instance.hints:
            words[hint.cell] = self.word[4 * hint.piece + hint.rot]
        if not self.order:
            self._list((0, (), None, None))
        pieces, places, entries = (np.concatenate(column) for column in zip(*self.members, strict=True))
        first = np.zeros(self.slots, np.uint32)
        opens = places % 64 == 0
        first[places[opens] // 64] = entries[opens]
        avail = np.zeros(self.slots, np.uint64)
        np.bitwise_or.at(avail, places // 64, np.uint64(1) << (places % 64).astype(np.uint64))
        fits = np.zeros(self.slots, bool)
        for (stage, *_), (slot, chunks, plane) in self.lists.items():
            fits[slot : slot + chunks * plane] = stage == 0
        fits = fits[places // 64]
        toggles, width = self._toggles(pieces[fits], places[fits])
        stage_toggles, stage_width = self._toggles(pieces[~fits], places[~fits])
        seams, lost = self._seams()
        return Tables(
            order=np.array(self.order, np.int64),
            words=words,
            plan=np.array(rows, np.uint32).ravel(),
            stages=np.array(stages, np.uint32).ravel(),
            checks=np.array([*checks, [0] * CHECK_WIDTH], np.uint32).ravel(),
            entries=np.concatenate([*self.entries, np.zeros(1, np.uint64)]),
            first=first,
            avail=avail,
            toggles=toggles,
            toggle_width=width,
            stage_toggles=stage_toggles,
            stage_toggle_width=stage_width,
            bits=self.bits,
            seams=seams,
            lost=lost,
        )

    def _row(self, depth: int, cell: int, checks_before: int) -> tuple[list[int], list[int], list[list[int]]]:
        """A depth's rows of `plan` and `stages`, and its checks."""
        grid = self.grid
        known: dict[int, int] = {}
        for side in range(4):
            neighbour = grid.neighbour(cell, side)
            if neighbour is not None and self.known_from[neighbour] < depth:
                known[side] = neighbour
        v_side = next((side for side in (UP, DOWN) if side in known), None)
        h_side = next((side for side in (LEFT, RIGHT) if side in known), None)
        row, stages = [0] * PLAN_WIDTH, [0] * STAGES_WIDTH
        row[CELL] = cell
        before = self.order[depth - 1] if depth else None
        for key_side, source, shift, rest_mask, mask, own_shift in (
            (v_side, V_SOURCE, V_SHIFT, REST_V_MASK, V_MASK, OWN_V_SHIFT),
            (h_side, H_SOURCE, H_SHIFT, REST_H_MASK, H_MASK, OWN_H_SHIFT),
        ):
            row[source] = grid.cells
            if key_side is None:
                continue
            row[source] = known[key_side]
            row[shift], stages[own_shift], stages[mask] = self._field(key_side)
            if known[key_side] == before:
                row[LINK_SHIFT], row[LINK_MASK] = row[shift], stages[mask]
            else:
                row[rest_mask] = stages[mask]
        checks = [
            [known[side], *self._field(side), int(self._may_mismatch(cell, known[side]))]
            for side in known
            if side not in (v_side, h_side)
        ]
        first = checks_before * CHECK_WIDTH
        row[CHECK_FIRST], row[CHECK_END] = first, first + len(checks) * CHECK_WIDTH
        stages[: 4 * STAGE_FIELDS] = self._stages(cell, v_side, h_side, known)
        row[SLOT], row[CHUNKS], row[PLANE] = stages[STAGE_SLOT], stages[STAGE_CHUNKS], stages[STAGE_PLANE]
        row[SPECIAL] = int(bool(checks) or row[CHUNKS] > 1)
        return row, stages, checks

    def _field(self, side: int) -> tuple[int, int, int]:
        """Where a neighbour across `side` keeps the colour it shows, where the cell its own, and the mask for both."""
        mask = (1 << self.bits) - 1
        near, far = 0, 2 * self.bits
        if side in (UP, DOWN):
            mask <<= self.bits
        return (near, far, mask) if side in (UP, LEFT) else (far, near, mask)

    def _may_mismatch(self, cell: int, neighbour: int) -> bool:
        """A seam between two frame cells is never given up: frame colours are too few to come back."""
        return not (self.grid.is_frame_cell(cell) and self.grid.is_frame_cell(neighbour))

    def _stages(self, cell: int, v_side: int | None, h_side: int | None, known: dict[int, int]) -> list[int]:
        """Both key sides fit, only the vertical, only the horizontal, none: each is a list with fewer keys."""
        rim = self.grid.rim_sides(cell)
        v_free = self.mismatches and v_side is not None and self._may_mismatch(cell, known[v_side])
        h_free = self.mismatches and h_side is not None and self._may_mismatch(cell, known[h_side])
        none = [0, 1, 0, NEVER]
        return [
            *self._list((0, rim, v_side, h_side)),
            0,
            *([*self._list((1, rim, v_side, None)), 1] if h_free else none),
            *([*self._list((1, rim, None, h_side)), 1] if v_free else none),
            *([*self._list((1, rim, None, None)), 2] if v_free and h_free else none),
        ]

    def _list(self, key: ListKey) -> tuple[int, int, int]:
        """First slot, chunks and plane of a list; laid out when it is first asked for."""
        if key not in self.lists:
            self.lists[key] = self._lay_out_list(key)
        return self.lists[key]

    def _lay_out_list(self, key: ListKey) -> tuple[int, int, int]:
        _, rim, v_side, h_side = key
        on_rim = np.isin(np.arange(4), rim)
        codes = self.codes[((self.sides[self.codes] == BORDER) == on_rim).all(axis=1)]
        keys = np.zeros(len(codes), np.int64)
        if v_side is not None:
            keys += self.sides[codes, v_side] << self.bits
        if h_side is not None:
            keys += self.sides[codes, h_side]
        plane = 1 << (2 * self.bits if v_side is not None else self.bits if h_side is not None else 0)
        by_key = np.lexsort((self.ranks[codes], keys))
        codes, keys = codes[by_key], keys[by_key]
        opens = np.flatnonzero(np.diff(keys, prepend=-1))
        lengths = np.diff(np.append(opens, len(codes)))
        places = np.arange(len(codes)) - np.repeat(opens, lengths)
        chunks = max(1, -(-int(lengths.max(initial=0)) // 64))
        slot = self.slots
        self.slots += chunks * plane
        if self.slots * 16 > MAX_TABLE_BYTES:
            raise SettingsError(
                f"{self.instance.name}: {self.instance.pieces.colours} colours need candidate tables of more than "
                f"{MAX_TABLE_BYTES >> 20} MiB; expected fewer colours"
            )
        slots = slot + places // 64 * plane + keys
        self.members.append((codes >> 2, 64 * slots + places % 64, self.entry_count + np.arange(len(codes))))
        self.entries.append(self.word[codes])
        self.entry_count += len(codes)
        return slot, chunks, plane

    def _toggles(self, pieces: Array, places: Array) -> tuple[Array, int]:
        """Per piece its bits in some lists, padded with a bit of slot 1, which is no list's."""
        counts = np.bincount(pieces, minlength=len(self.instance.pieces))
        width = 4 * -(-int(counts.max(initial=1)) // 4)  # the kernels toggle four at a time
        by_piece = np.argsort(pieces, kind="stable")
        column = np.arange(len(pieces)) - np.repeat(np.cumsum(counts) - counts, counts)
        toggles = np.full((len(counts), width), 64, np.uint32)
        toggles[pieces[by_piece], column] = places[by_piece]
        return toggles.ravel(), width

    def _seams(self) -> tuple[Array, int]:
        counts = np.zeros(len(self.order) + 1, np.int64)
        lost = 0
        pinned = self.instance.pinned
        for seam in self.grid.seams:
            known_from = max(self.known_from[seam.cell], self.known_from[seam.neighbour])
            if known_from < _NEVER_KNOWN:
                counts[1 + known_from] += 1
            if seam.cell in pinned and seam.neighbour in pinned:
                here, there = pinned[seam.cell], pinned[seam.neighbour]
                colour = self.sides[4 * here.piece + here.rot, seam.side]
                lost += int(colour != self.sides[4 * there.piece + there.rot, (seam.side + 2) % 4])
        return np.cumsum(counts) - lost, lost
