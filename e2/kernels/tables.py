"""An instance and a fill order laid out for the depth-first kernels, in one array.

A **word** (uint64) is one oriented piece: its four colours in `bits` bits each, then its placement code. So the colour
that a placed piece shows to a neighbour is one shift and one mask, and lands where the neighbour's key wants it:
vertical seams at `bits`, horizontal ones at 0. Lowest come the two sides that the fill order mostly looks at, right and
down for rows from the top left: those need no shift.

A **list** holds the words that may come to a cell: those with grey exactly on the cell's rim sides (its *class*)
that show the colours asked for on at most one vertical and one horizontal side (its *key*). At `list + 2 * key` lies a
mask with a bit for each word whose piece is still unused, lowest first; behind it the place of the first word. Lists
of more than 64 words go on in the next *chunk*, `plane` further. A placed piece is taken out of its lists by a few XORs
(`toggles`).

Sides beyond the two of the key (cells next to a pin, or in the mouth of a spiral) are *checks*: the few words that the
key leaves are held against them one by one. That needs no third dimension in any table.

All of this and the state of a search lies in one array, and what is an address here is an index into it: a kernel
over a handful of arrays keeps so many pointers that it runs out of registers, which costs a tenth of its speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from e2.core.instance import Instance
from e2.core.quad import BORDER, DOWN, LEFT, RIGHT, UP, opposite
from e2.errors import SettingsError

Array = npt.NDArray[Any]

# A depth's row: two cache lines. First what the search writes,
MASK = 0  # words of the current chunk still to try
START = 1  # where the current chunk's words begin
REST = 2  # address of the next depth's list at its key, but for the part that this depth's word decides
WORD = 3  # the word on this depth's cell
COUNT = 4  # nodes made here
EXACT = 5  # address of the list of words that fit, at its key
LIST = 6  # which list is tried: 8 * chunk + stage
SPENT = 7  # mismatch kernel: mismatched seams before this depth's word
# then what stays: how `rest` follows from the words above, and the rest of the way from the word here.
NEXT_BASE = 8  # address of the next depth's list; what pins ask for is in it
SOURCE, SHIFT, FIELD = 9, 10, 11  # + 2 * (memory[source] >> shift & field); field 0: nothing
LINK_SHIFT, LINK_FIELD = 12, 13  # + 2 * (word >> shift & field)
NOTES = 14
ALLOWED = 15  # mismatch kernel: how many mismatched seams there may be after this depth's word
ROW = 16
WRITTEN = 8  # columns of a row that a search writes

# Bits of NOTES.
NEXT_CHECKED = 1  # the next depth has checks or several chunks: its mask alone does not say that a word fits
NEXT_SECOND = 2  # the next depth's key has a second source, in its details
CHUNKED = 4  # this depth's list has several chunks
CHECKED = 8  # this depth has checks
NEXT_CHUNKED = 16

# A depth's details, read seldom. First, for each of its four lists (both key sides fit, only the vertical, only the
# horizontal, none), address, chunks, plane, and cost in mismatched seams; then the key sides of the cell.
STAGE_LIST, STAGE_CHUNKS, STAGE_PLANE, STAGE_COST = range(4)
STAGE_FIELDS = 4
V_FIELD, H_FIELD, OWN_V_SHIFT, OWN_H_SHIFT = range(4 * STAGE_FIELDS, 4 * STAGE_FIELDS + 4)
CHECKS_AT, CHECKS_END = 20, 21
SECOND_SOURCE, SECOND_SHIFT, SECOND_FIELD = 22, 23, 24
DETAILS = 25

# A check: the neighbour's word, where it shows its colour, where the word shows its own, and the mask for both.
CHECK_SOURCE, CHECK_SHIFT, CHECK_OWN_SHIFT, CHECK_FIELD, CHECK_MAY_MISMATCH = range(5)
CHECK = 5

# `Tables.sides`: where a word shows the colour of one of its sides; the address of the neighbour's word, 0 if it comes
# later or there is none; and where that one shows the colour of its side.
SIDE_OWN_SHIFT, SIDE_SOURCE, SIDE_SHIFT = range(3)

# `Tables.places`: addresses and widths that a kernel reads once. Rows begin at 0.
LISTS_AT, ENTRIES_AT, DETAILS_AT, TOGGLES_AT, TOGGLE_WIDTH, STAGE_TOGGLES_AT, STAGE_TOGGLE_WIDTH = range(7)
CODE_SHIFT, ROOT = 7, 8
"""ROOT is the address of the first depth's list at its key, which only pins decide."""

NEVER = 255
"""The cost of a stage that a cell does not have."""

_MAX_TABLE_BYTES = 1 << 30

_NEVER_KNOWN = 1 << 30  # the depth from which a cell that is not filled is known


def check_table_bytes(instance: Instance, needed: int, what: str) -> None:
    """SettingsError where the puzzle's colours need candidate `what` of more bytes than any search takes."""
    if needed > _MAX_TABLE_BYTES:
        raise SettingsError(
            f"{instance.name}: {instance.pieces.colours} colours need candidate {what} of more than "
            f"{_MAX_TABLE_BYTES >> 20} MiB; expected fewer colours"
        )


@dataclass(frozen=True)
class Tables:
    """What a kernel works on. Pinned pieces are in no list."""

    order: Array  # int64[depths]: the free cells, first filled first
    memory: Array  # uint64: a search that has not begun; the row after the last is a stop
    places: Array  # int64: see DETAILS_AT
    seams: Array  # int64[depths + 1]: score with k cells filled (and the pins) if none of them mismatches a seam
    words: Array  # uint64[codes]
    sides: Array  # uint64[depths, 4, 3]: see SIDE_OWN_SHIFT
    balance: Array  # int64[colours]: sides of each colour on free pieces, less those that pins leave open; 0 for grey
    lost: int  # seams between two pins that do not match: in no score
    is_merged: bool  # copies wait for the piece before them: `descend_merged`
    is_plain: bool  # no shift, no second source, no chunks, four toggles a piece: `descend_plain` will do

    @property
    def depths(self) -> int:
        return len(self.order)

    def details(self, depth: int) -> Array:
        """A depth's details, to look at."""
        at = int(self.places[DETAILS_AT]) + DETAILS * depth
        return self.memory[at : at + DETAILS]

    def fresh_memory(self) -> Array:
        """A copy to search in; it begins at a cache line, so that rows do."""
        room = np.empty(len(self.memory) + 8, np.uint64)
        skipped = -room.ctypes.data // 8 % 8
        memory = room[skipped : skipped + len(self.memory)]
        memory[:] = self.memory
        return memory


ListKey = tuple[int, tuple[int, ...], int | None, int | None]
"""0 for words that fit, 1 for lists with mismatches; rim sides, vertical and horizontal key side."""


@dataclass(frozen=True)
class Alike:
    """Which words a search takes for one and the same: of these only the first is tried."""

    pieces: bool = False  # equal pieces: the copy with the least number that is left
    turns: bool = False  # turns of a piece that look the same


ALL_APART = Alike()


def build_tables(
    instance: Instance,
    fill_order: Sequence[int],
    ranks: Array | None = None,
    mismatches: bool = False,
    alike: Alike = ALL_APART,
) -> Tables:
    """Lay out `instance` for `fill_order` (each cell at most once; pins are skipped).

    Cells that are left out stay empty: a full board of such tables is a filling of the block that the order names.

    `ranks[code]` orders the words within a list; by piece and turn if None. With `mismatches`, cells also get the
    lists for one and two mismatched seams. SettingsError if the tables would not fit into memory.
    """
    return _Builder(instance, fill_order, ranks, mismatches, alike).build()


class _Builder:
    def __init__(
        self, instance: Instance, fill_order: Sequence[int], ranks: Array | None, mismatches: bool, alike: Alike
    ) -> None:
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
        self.codes = np.flatnonzero(np.repeat(free, 4) & (self._new_turns() if alike.turns else True))
        # A copy that follows another is in its lists only while that one is on the board: laying a piece takes it out
        # of its lists and puts the next copy in.
        self.next_copy = self._copies() if alike.pieces else {}
        self.ranks = np.arange(4 * len(instance.pieces)) if ranks is None else ranks
        self.pins_at = ROW * (len(self.order) + 1)
        self.pin_address = {hint.cell: self.pins_at + at for at, hint in enumerate(instance.hints)}
        self.lists: dict[ListKey, tuple[int, int, int]] = {}
        self.lists_at = self.pins_at + len(instance.hints)
        # Slot 0 stays empty, slot 1 takes the toggles that a piece with few words has left over.
        self.lists_end = self.lists_at + 4
        self.entries: list[Array] = []
        self.entry_count = 0
        self.members: list[tuple[Array, Array, Array]] = []  # piece, 64 * mask's address + bit, place among the entries

    def _lay_out_words(self) -> None:
        catalogue = np.array(self.instance.pieces.quads, np.int64).reshape(-1, 4)
        palette = np.unique(np.append(catalogue, BORDER))
        dense = np.searchsorted(palette, catalogue)
        self.bits = max(1, int(len(palette) - 1).bit_length())
        turns = [np.roll(dense, rot, axis=1) for rot in range(4)]
        self.sides = np.stack(turns, axis=1).reshape(-1, 4)  # [code, side]
        known = [side for depth, cell in enumerate(self.order) for side in self._known(depth, cell)]
        v_near = UP if known.count(UP) >= known.count(DOWN) else DOWN
        h_near = LEFT if known.count(LEFT) >= known.count(RIGHT) else RIGHT
        self.near = (v_near, h_near)
        self.word = np.arange(len(self.sides), dtype=np.uint64)
        for side in (v_near, h_near, opposite(v_near), opposite(h_near)):
            self.word = self.word << np.uint64(self.bits) | self.sides[:, side].astype(np.uint64)

    def _new_turns(self) -> Array:
        """A flag for each code: no lesser turn of its piece shows the same four colours."""
        turns = self.sides.reshape(-1, 4, 4)
        seen = [(turns[:, rot, None] == turns[:, :rot]).all(axis=2).any(axis=1) for rot in range(4)]
        return ~np.stack(seen, axis=1).ravel()

    def _copies(self) -> dict[int, int]:
        """Each free piece that has an equal free one behind it, and that one."""
        free = set((self.codes >> 2).tolist())
        shared = self.instance.pieces.shapes.values()
        return dict(pair for pieces in shared for pair in pairwise(piece for piece in pieces if piece in free))

    def build(self) -> Tables:
        depths = len(self.order)
        rows = np.zeros((depths + 1, ROW), np.uint64)
        details = np.zeros((depths + 1, DETAILS), np.uint64)
        checks: list[list[int]] = []
        root = 0
        for depth, cell in enumerate(self.order):
            known = self._known(depth, cell)
            key_sides = self._key_sides(known)
            own_checks = self._checks(cell, known, key_sides)
            details[depth, : 4 * STAGE_FIELDS] = self._stages(cell, *key_sides, known)
            details[depth, CHECKS_AT : CHECKS_END + 1] = len(checks), len(checks) + len(own_checks)
            checks += own_checks
            chunked = bool(details[depth, STAGE_CHUNKS] > 1)
            rows[depth, NOTES] |= np.uint64(chunked * CHUNKED | bool(own_checks) * CHECKED)
            base = self._key(depth, known, key_sides, rows[depth - 1], details[depth])
            if depth:
                rows[depth - 1, NEXT_BASE] = base
                flags = (chunked or bool(own_checks)) * NEXT_CHECKED | chunked * NEXT_CHUNKED
                rows[depth - 1, NOTES] |= np.uint64(flags | bool(details[depth, SECOND_FIELD]) * NEXT_SECOND)
            else:
                root = rows[0, EXACT] = base
        rows[depths, :] = 0
        return self._assembled(rows, details, np.array([*checks, [0] * CHECK], np.uint64), root)

    def _assembled(self, rows: Array, details: Array, checks: Array, root: int) -> Tables:
        """All sections in one array, with their addresses filled in."""
        if not self.order:
            self._list((0, (), None, None))
        pieces, bits, entries = (np.concatenate(column) for column in zip(*self.members, strict=True))
        entries_at = self.lists_end
        lists = np.zeros(self.lists_end - self.lists_at, np.uint64)
        masks = bits // 64 - self.lists_at
        begins = ~np.isin(pieces, list(self.next_copy.values()))
        np.bitwise_or.at(lists, masks[begins], np.uint64(1) << (bits[begins] % 64).astype(np.uint64))
        opens = bits % 64 == 0
        lists[masks[opens] + 1] = (entries_at + entries[opens]).astype(np.uint64)
        stages = np.zeros(len(lists), np.int64)
        for (stage, *_), (address, chunks, plane) in self.lists.items():
            stages[address - self.lists_at : address - self.lists_at + chunks * plane] = stage
        fits = stages[masks] == 0
        toggles, width = self._toggles(pieces[fits], bits[fits])
        stage_toggles, stage_width = self._toggles(pieces[~fits], bits[~fits])
        pins = np.array([self.word[4 * hint.piece + hint.rot] for hint in self.instance.hints], np.uint64)
        sections = [rows, pins, lists, *self.entries, details, checks, toggles, stage_toggles]
        ends = np.cumsum([section.size for section in sections])
        details_at, checks_at, toggles_at, stage_toggles_at = ends[-5:-1].tolist()
        details[:, CHECKS_AT : CHECKS_END + 1] *= np.uint64(CHECK)
        details[:, CHECKS_AT : CHECKS_END + 1] += np.uint64(checks_at)
        places = [self.lists_at, entries_at, details_at, toggles_at, width, stage_toggles_at, stage_width]
        places += [4 * self.bits, root]
        seams, lost = self._seams()
        return Tables(
            order=np.array(self.order, np.int64),
            memory=np.concatenate([section.ravel() for section in sections]),
            places=np.array(places, np.int64),
            seams=seams,
            words=self.word,
            sides=self._all_sides(),
            balance=self._balance(),
            lost=lost,
            is_merged=bool(self.next_copy),
            is_plain=not self.next_copy and self._is_plain(rows, width),
        )

    @staticmethod
    def _is_plain(rows: Array, toggle_width: int) -> bool:
        notes = int(np.bitwise_or.reduce(rows[:, NOTES]))
        return toggle_width == 4 and not rows[:, [SHIFT, LINK_SHIFT]].any() and not notes & (NEXT_SECOND | CHUNKED)

    def _known(self, depth: int, cell: int) -> dict[int, int]:
        """Side -> neighbour, for neighbours that are filled before this depth."""
        neighbours = {side: self.grid.neighbour(cell, side) for side in range(4)}
        return {
            side: neighbour
            for side, neighbour in neighbours.items()
            if neighbour is not None and self.known_from[neighbour] < depth
        }

    def _key_sides(self, known: dict[int, int]) -> tuple[int | None, int | None]:
        """The near sides where they are known: few pairs of sides are few lists, and few toggles a piece."""
        v_near, h_near = self.near
        v_side = next((side for side in (v_near, opposite(v_near)) if side in known), None)
        return v_side, next((side for side in (h_near, opposite(h_near)) if side in known), None)

    def _address(self, cell: int) -> int:
        """Where the word of a filled cell lies."""
        depth = self.known_from[cell]
        return self.pin_address[cell] if depth < 0 else ROW * depth + WORD

    def _key(
        self,
        depth: int,
        known: dict[int, int],
        key_sides: tuple[int | None, int | None],
        before: Array,
        details: Array,
    ) -> int:
        """Write how the key of a depth comes about, into the row before and its own details.

        Returns the address of its list with all that pins ask for.
        """
        base = int(details[STAGE_LIST])
        sources: list[tuple[int, int, int]] = []
        for side, field, own in zip(key_sides, (V_FIELD, H_FIELD), (OWN_V_SHIFT, OWN_H_SHIFT), strict=True):
            if side is None:
                continue
            shift, details[own], mask = self._field(side)
            details[field] = mask
            neighbour = known[side]
            if neighbour in self.pin_address:
                hint = self.instance.pinned[neighbour]
                base += 2 * (int(self.word[4 * hint.piece + hint.rot]) >> shift & mask)
            elif self.known_from[neighbour] == depth - 1:
                before[LINK_SHIFT], before[LINK_FIELD] = shift, mask
            else:
                sources.append((self._address(neighbour), shift, mask))
        if sources:
            before[SOURCE : FIELD + 1] = sources[0]
        if len(sources) > 1:
            details[SECOND_SOURCE : SECOND_FIELD + 1] = sources[1]
        return base

    def _checks(self, cell: int, known: dict[int, int], key_sides: tuple[int | None, int | None]) -> list[list[int]]:
        return [
            [self._address(known[side]), *self._field(side), int(self._may_mismatch(cell, known[side]))]
            for side in known
            if side not in key_sides
        ]

    def _field(self, side: int) -> tuple[int, int, int]:
        """Where a neighbour across `side` keeps the colour it shows, where the cell its own, and the mask for both."""
        mask = (1 << self.bits) - 1
        near, far = 0, 2 * self.bits
        if side in (UP, DOWN):
            mask <<= self.bits
        return (near, far, mask) if side in self.near else (far, near, mask)

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
        """Address, chunks and plane of a list; laid out when it is first asked for."""
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
        address = self.lists_end
        self.lists_end += 2 * chunks * plane
        check_table_bytes(self.instance, self.lists_end * 8, "tables")
        masks = address + 2 * (places // 64 * plane + keys)
        self.members.append((codes >> 2, 64 * masks + places % 64, self.entry_count + np.arange(len(codes))))
        self.entries.append(self.word[codes])
        self.entry_count += len(codes)
        return address, chunks, 2 * plane

    def _toggles(self, pieces: Array, places: Array) -> tuple[Array, int]:
        """Per piece 64 * address + bit of the bits to turn in some lists, padded with a bit that is in no list."""
        places = np.concatenate([places, *(places[pieces == copy] for copy in self.next_copy.values())])
        shares = [np.full(np.count_nonzero(pieces == copy), before) for before, copy in self.next_copy.items()]
        pieces = np.concatenate([pieces, *shares])
        counts = np.bincount(pieces, minlength=len(self.instance.pieces))
        width = 4 * -(-int(counts.max(initial=1)) // 4)  # the kernels toggle four at a time
        by_piece = np.argsort(pieces, kind="stable")
        column = np.arange(len(pieces)) - np.repeat(np.cumsum(counts) - counts, counts)
        toggles = np.full((len(counts), width), 64 * (self.lists_at + 2), np.uint64)
        toggles[pieces[by_piece], column] = places[by_piece]
        return toggles, width

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

    def _all_sides(self) -> Array:
        v_near, h_near = self.near
        shown_at = {opposite(h_near): 0, opposite(v_near): self.bits, h_near: 2 * self.bits, v_near: 3 * self.bits}
        sides = np.zeros((len(self.order), 4, 3), np.uint64)
        for depth, cell in enumerate(self.order):
            known = self._known(depth, cell)
            for side in range(4):
                source = self._address(known[side]) if side in known else 0
                sides[depth, side] = shown_at[side], source, shown_at[opposite(side)]
        return sides

    def _balance(self) -> Array:
        balance = np.bincount(self.sides[self.codes[::4]].ravel(), minlength=int(self.sides.max(initial=0)) + 1)
        for hint in self.instance.hints:
            for side in range(4):
                neighbour = self.grid.neighbour(hint.cell, side)
                if neighbour is not None and neighbour not in self.pin_address:
                    balance[self.sides[4 * hint.piece + hint.rot, side]] -= 1
        balance[0] = 0
        return balance.astype(np.int64)
