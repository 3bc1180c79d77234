"""The beam's layers: two generations of states in turn, and who descends from whom."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from e2.core.board import EMPTY, Board
from e2.core.instance import Instance
from e2.errors import SettingsError
from e2.kernels import beam as kernels
from e2.kernels.ancestry import Line, codes_along, packed_lines, unpacked_lines
from e2.kernels.beam_tables import ANY, CELL, BeamTables
from e2.kernels.tables import Array

_SEAM_WORTH = math.log(60)
"""One matched seam more divides the number of boards by about 60; see kernels/beam.py."""

_CHILDREN = 3  # buffered children for each state of the beam: below 2 the selections between cost more than they save
_CHILD_BYTES = 4 + 4 + 2
_WORTH_ENTRIES = 1 << 20
_MOST_WORTH = 1 << 30  # beyond all keys: a heavier concentration decides alone, and must not wrap
_KEPT = 4 + 2  # bytes of ancestry of one state and layer
_TRIM_EVERY = 8  # layers
_LAYERS_KEPT = _TRIM_EVERY + 3 + 7
"""Full layers of ancestry at the peak: those since the last trim, what is left of all before, since lines come together
within three layers, and room to trim, save and restore them. Beams of 100,000 and 1,000,000 states took 345 and 356
bytes a state on the official puzzle, where this makes 358."""


def beam_bytes(tables: BeamTables, width: int) -> int:
    """The memory that a beam of `width` takes at its peak."""
    return width * (2 * tables.state_bytes + _CHILDREN * _CHILD_BYTES + _KEPT * _LAYERS_KEPT)


@dataclass
class _Generation:
    """The states of one layer, as columns."""

    opened: Array  # as wide as BeamTables.placed, [width, slots]: colours that open sides show
    used: Array  # uint64[width, words]: a bit for each piece on the board
    counts: Array  # uint16[width, colours]: sides of each inner colour on unused pieces
    spread: Array  # int64[width]: the sum of their squares
    score: Array  # int32[width]: seams matched

    @classmethod
    def empty(cls, tables: BeamTables, width: int) -> _Generation:
        words = -(-len(tables.spread_kinds) // 64)
        return cls(
            np.zeros((width, tables.slots), tables.placed.dtype),
            np.zeros((width, words), np.uint64),
            np.zeros((width, len(tables.supply)), np.uint16),
            np.zeros(width, np.int64),
            np.zeros(width, np.int32),
        )

    @property
    def columns(self) -> tuple[Array, ...]:
        return self.opened, self.used, self.counts, self.spread, self.score


class Layers:
    """A beam in progress. `advance` fills one cell in all states; at the end `boards` are the best of them."""

    def __init__(
        self, instance: Instance, tables: BeamTables, width: int, concentration: float, mismatching: int
    ) -> None:
        self.instance, self.tables = instance, tables
        self.width, self.concentration, self.mismatching = width, concentration, mismatching
        self.layer = 0
        self.live = 1
        self.now, self.next = _Generation.empty(tables, width), _Generation.empty(tables, width)
        for hint in instance.hints:
            self.now.used[0, hint.piece >> 6] |= np.uint64(1) << np.uint64(hint.piece & 63)
        self.now.counts[0] = tables.supply
        self.now.spread[0] = np.square(tables.supply.astype(np.int64)).sum()
        self.now.score[0] = tables.base_score
        self.ancestry: list[Line] = []
        self.trimmed = 0  # how many layers there were when the childless were last dropped
        room = _CHILDREN * width + 64
        self.keys = np.zeros(room, np.int32)
        self.parents, self.codes = np.zeros(room, np.uint32), np.zeros(room, np.uint16)
        self.histogram = np.zeros(kernels.BUCKETS, np.int64)
        self.threshold, self.result, self.colours = np.zeros(1, np.int64), np.zeros(2, np.int64), np.zeros(4, np.int64)
        most = int(self.now.spread[0])
        self.worth_shift = max(0, most.bit_length() - _WORTH_ENTRIES.bit_length() + 1)
        spreads = (np.arange((most >> self.worth_shift) + 1) << self.worth_shift) + ((1 << self.worth_shift) >> 1)
        self.log_spread = np.log(np.maximum(spreads, 1))

    @property
    def finished(self) -> bool:
        return self.layer == self.tables.layers

    def advance(self, seed: int) -> int:
        """Fill the next cell in all states; returns the nodes made."""
        tables, now = self.tables, self.now
        weight = kernels.SCALE * self.concentration * int(tables.open_seams[self.layer]) / _SEAM_WORTH
        top = self.log_spread[int(now.spread[: self.live].max()) >> self.worth_shift]
        kernels.expand(
            tables.plan[self.layer],
            tables.bits,
            tables.starts,
            tables.codes,
            tables.placed,
            *self._spread,
            np.rint(np.clip(weight * (self.log_spread - top), -_MOST_WORTH, _MOST_WORTH)).astype(np.int32),
            self.worth_shift,
            *now.columns,
            self.live,
            self.width,
            self.mismatching,
            np.uint64((seed * 0x9E3779B97F4A7C15 + self.layer * 0xD1B54A32D192ED03) % (1 << 64)),
            self.keys,
            self.parents,
            self.codes,
            self.histogram,
            self.threshold,
            self.result,
            self.colours,
        )
        children = int(self.result[kernels.CHILDREN])
        self._lay((self.parents[:children].copy(), self.codes[:children].copy()))
        if self.layer % _TRIM_EVERY == 0:
            self._forget_the_childless()
        return int(self.result[kernels.NODES])

    @property
    def _spread(self) -> tuple[Array, Array, Array]:
        return self.tables.spread_colours, self.tables.spread_counts, self.tables.spread_kinds

    def _lay(self, line: Line) -> None:
        """Make the states of the next layer."""
        row, states = self.tables.plan[self.layer], len(line[0])
        kernels.advance(row, self.tables.placed, *self._spread, *self.now.columns, *self.next.columns, *line, states)
        self.now, self.next, self.live = self.next, self.now, states
        self.ancestry.append(line)
        self.layer += 1

    def arrays(self) -> dict[str, Array]:
        """The beam in progress, for `restore`: the lines of descent of its states, as kernels/ancestry.py packs them.

        On the official puzzle 6 to 10 bytes for each state of a full layer, whether 20,000 or 400,000 wide: lines come
        together within two or three layers.
        """
        self._forget_the_childless()
        return packed_lines(self.ancestry, self.tables.layers)

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Bring a beam that has not begun to where another of the same task stood, by laying its lines again.

        The arrays may come from anywhere: SettingsError where they are not such a beam's. The beam is then of no use.
        """
        assert self.layer == 0
        for line in unpacked_lines(arrays):
            self._check(line)
            self._lay(line)
        self.trimmed = self.layer

    def _check(self, line: Line) -> None:
        """SettingsError where a placement cannot be: not of the cell's class, or of a piece that lies already."""
        parents, codes = line
        row, starts = self.tables.plan[self.layer], self.tables.starts
        if len(parents) > self.width:
            raise SettingsError(f"a saved beam has a layer of {len(parents)} states, wider than {self.width}")
        fitting = np.zeros(len(self.tables.placed), np.bool_)
        fitting[self.tables.codes[starts[row[ANY]] : starts[row[ANY] + 1]]] = True
        if codes.max() >= len(fitting) or not fitting[codes].all():
            raise SettingsError(f"a saved beam lays a piece on cell {row[CELL]} that cannot lie there")
        pieces = codes >> 2
        if (self.now.used[parents, pieces >> 6] >> (pieces & 63).astype(np.uint64) & np.uint64(1)).any():
            raise SettingsError(f"a saved beam lays a piece on cell {row[CELL]} that lies elsewhere already")

    def _forget_the_childless(self) -> None:
        """Drop ancestors without a living descendant. Lines come together soon, so a few layers stay wide."""
        for layer in range(len(self.ancestry) - 1, 0, -1):
            parents, codes = self.ancestry[layer]
            before_parents, before_codes = self.ancestry[layer - 1]
            has_child = np.zeros(len(before_parents), np.bool_)
            has_child[parents] = True
            if has_child.all():
                if layer <= self.trimmed:
                    break
                continue
            ranks = np.cumsum(has_child, dtype=np.uint32) - np.uint32(1)
            self.ancestry[layer] = (ranks[parents], codes)
            self.ancestry[layer - 1] = (before_parents[has_child], before_codes[has_child])
        self.trimmed = len(self.ancestry)

    def boards(self, most: int) -> list[tuple[int, Board]]:
        """The best `most` states as boards with their scores, best first, ties by their place in the beam."""
        scores = self.now.score[: self.live].astype(np.int64)
        best = np.argsort(-scores, kind="stable")[:most]
        width, height = self.instance.width, self.instance.height
        return [
            (int(scores[state]), Board(width, height, tuple(row)))
            for state, row in zip(best, self.codes_of(best).tolist(), strict=True)
        ]

    def ranked(self) -> Array:
        """int64[live]: the states from the highest key to the lowest, by the key that they were selected by."""
        seams = int(self.tables.open_seams[self.layer - 1]) if self.layer else 0
        spread = np.maximum(self.now.spread[: self.live], 1)
        keys = self.now.score[: self.live] + self.concentration * seams / _SEAM_WORTH * np.log(spread)
        return np.argsort(-keys, kind="stable")

    def codes_of(self, states: Array) -> Array:
        """int64[n, cells]: the boards of some states as placement codes, EMPTY where nothing lies yet."""
        codes = np.full((len(states), self.instance.grid.cells), EMPTY, np.int64)
        for hint in self.instance.hints:
            codes[:, hint.cell] = 4 * hint.piece + hint.rot
        codes[:, self.tables.plan[: self.layer, CELL]] = codes_along(self.ancestry, states)
        return codes
