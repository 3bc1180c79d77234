"""The search of `openings`: a beam, then depth-first below its states, best first; then the next beam."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from e2.core.instance import Hint, Instance
from e2.core.quad import BORDER, opposite
from e2.errors import SettingsError
from e2.kernels import descend as kernels
from e2.kernels.ancestry import VARYING, codes_along, lines_to, packed_lines, unpacked_lines
from e2.kernels.beam_tables import build_beam_tables
from e2.kernels.layers import Layers, beam_bytes
from e2.kernels.rehearse import warm_up
from e2.kernels.tables import Array, build_tables
from e2.search.beam import NODES_A_STATE
from e2.search.descent import Descent
from e2.search.fill_order import fill_order
from e2.search.memory import check_memory
from e2.search.openings import opening_length
from e2.search.parameters import check_bite
from e2.search.schedule import ModelSchedule, agreement_among
from e2.search.shuffle import draws, ranks
from e2.search.state import fingerprint, foreign_state, packed, unpacked
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Value, never

_KEPT = 30_000
"""Openings of one beam at most, in memory with two bytes for each of their cells.

The more there are, the less each has to yield for its share of the beam, and the tighter a schedule is the cheapest:
most trees die young, and a few rich ones bear all boards. From 30,000 of 100,000 states boards of 459 and more came at
54 openings in 10^9 nodes, from 1,000 at 15 (five hints, comb:11, seed 1).
"""
_WEIGHT_RANGE = 0.05
"""By up to so much the concentration of later beams differs: with that of the first they would find its openings."""

_AGREEMENT = 1.08
"""How much more often than two sides of all pieces those agree that meet below an opening.

A beam leaves colours that are easy to join. By the numbers of the pieces left their sides would agree 1.23 to 1.4 times
as often, but those numbers do not tell how large trees become: with this factor they are of a like size from all eight
sides of the official puzzle, and bear the most boards a node.
"""
_FOREVER = 1 << 62


class OpeningsSearch:
    """Rests after each beam, and between beams after every node.

    Each full board lowers the number of mismatched seams that the next may have, for all openings that follow.
    """

    def __init__(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        width, depth, spec, turn = (parameters[name] for name in ("width", "depth", "fill_order", "turn"))
        concentration, mismatching = parameters["concentration"], parameters["mismatching"]
        probe, target = parameters["probe"], parameters["target"]
        assert isinstance(width, int)
        assert isinstance(depth, int)
        assert isinstance(spec, str | list)
        assert isinstance(turn, int)
        assert isinstance(concentration, float)
        assert isinstance(mismatching, int)
        assert isinstance(probe, int)
        assert isinstance(target, int)
        most = instance.grid.max_score
        if target > most:
            raise SettingsError(f"openings: target = {target}; expected at most {most}")
        self.instance, self.seed = instance, seed
        self.width, self.concentration, self.mismatching = width, concentration, mismatching
        self.probe_nodes, self.target = probe or _FOREVER, target or most
        order = fill_order(instance.grid, spec, turn)
        pinned = instance.pinned
        self.order = [cell for cell in order if cell not in pinned]
        self.length = opening_length(order, pinned, depth)
        if not 0 < self.length < len(self.order):
            raise SettingsError(
                f"openings: depth = {depth} takes {self.length} of {len(self.order)} free cells; "
                "expected some, and some left"
            )
        warm_up("beam")
        self.beam_tables = build_beam_tables(instance, order)
        check_memory("openings: width", width, beam_bytes(self.beam_tables, 1))
        tables = build_tables(instance, order, ranks(seed, 0, 4 * len(instance.pieces)), mismatches=True)
        self.descent = Descent(instance, tables, np.zeros(tables.depths + 1, np.int64))
        self.fingerprint = fingerprint("openings", instance, parameters, seed)
        self.quads = np.array([instance.pieces.placed(code >> 2, code & 3) for code in range(4 * len(instance.pieces))])
        self.beams = 0
        self.lines = packed_lines([], self.length)  # of the openings
        self.openings = np.zeros((0, self.length), np.uint16)  # their placement codes, best first
        self.taken = 0  # openings that were looked below; the last of them may still be searched
        self.run_nodes = 0  # nodes below it since it was taken, or since its last board
        self.mismatches = -1  # that the next board may have; -1 before the first beam
        self.finished = False

    def step(self, nodes: int, stopping: Callable[[], bool] = never) -> Bite:
        check_bite(nodes)
        stats = SearchStats()
        while not self.finished:
            if self._is_through():
                if nodes <= 0:
                    break
                if self.taken < len(self.openings):
                    self._take_next()
                    continue
                made = self._make_openings(stopping)
                if made is None:
                    break
                nodes -= made
                stats += SearchStats(made, restarts=int(self.beams > 1), max_depth=self.length)
                continue
            made, boards = self.descent.run(min(nodes, self.probe_nodes - self.run_nodes))
            nodes -= made
            self.run_nodes += made
            if boards:
                self._tighten()
            solved = boards and self.descent.best_score == self.instance.grid.max_score
            stats += SearchStats(made, int(solved), 0, self.descent.deepest)
            # Going on after a board even without nodes left makes the end known in the bite of the last node.
            if nodes == 0 and self.descent.settled:
                break
        best, score = self.descent.best_board()
        return Bite(stats, best, score, self.finished)

    def _is_through(self) -> bool:
        """Whether there is nothing more to do below the opening that was taken last."""
        return self.descent.status in (kernels.FRESH, kernels.FINISHED) or self.run_nodes >= self.probe_nodes

    def _make_openings(self, stopping: Callable[[], bool]) -> int | None:
        """Make the next beam; returns its nodes, or None, with nothing changed, if told to stop."""
        seed, made = int(ranks(self.seed, self.beams, 1)[0]), 0
        concentration = self.concentration
        if self.beams:
            (weight,) = draws(self.seed, self.beams, 1)
            concentration += _WEIGHT_RANGE * (2 * weight - 1)
        layers = Layers(self.instance, self.beam_tables, self.width, concentration, self.mismatching)
        while layers.layer < self.length:
            if stopping():
                return None
            made += layers.advance(seed)
        lines = lines_to(layers.ancestry, layers.ranked()[:_KEPT])
        self.lines = packed_lines(lines, self.length)
        self.openings = codes_along(lines, np.arange(len(lines[-1][0])))
        self.taken, self.run_nodes = 0, 0
        self.beams += 1
        self.descent.clear()
        self._look_at_openings()
        self.descent.offer(self.openings[0], int(self.descent.tables.seams[self.length] - self.lost[0]))
        if self.mismatches < 0:
            self.mismatches = int(self.lost[0]) + self.model.first_mismatches()
        return made

    def _look_at_openings(self) -> None:
        """What follows from the openings: the mismatched seams of each, and the model for what is below them."""
        self.lost = self._lost(self.openings)
        opening = self.openings[len(self.openings) // 2].tolist()
        pins = [Hint(cell, code >> 2, code & 3) for cell, code in zip(self.order, opening, strict=False)]
        pieces = self.instance.pieces
        below = Instance("below", self.instance.width, self.instance.height, pieces, (*self.instance.hints, *pins))
        inner, frame = agreement_among(pieces.quads)
        # A node costs about the same in the beam and here.
        price = NODES_A_STATE * self.width * self.length / len(self.openings)
        self.model = ModelSchedule(below, self.order, (_AGREEMENT * inner, frame), price)
        self.tails: dict[int, Array] = {}

    def _lost(self, openings: Array) -> Array:
        """int64[n]: mismatched seams of each opening, those between pins left out."""
        at = {cell: column for column, cell in enumerate(self.order[: self.length])}
        pins = {hint.cell: 4 * hint.piece + hint.rot for hint in self.instance.hints}
        lost = np.zeros(len(openings), np.int64)
        for seam in self.instance.grid.seams:
            ends = (seam.cell, seam.neighbour)
            if all(cell in pins or cell in at for cell in ends) and not all(cell in pins for cell in ends):
                here, there = (openings[:, at[cell]] if cell in at else pins[cell] for cell in ends)
                lost += self.quads[here, seam.side] != self.quads[there, opposite(seam.side)]
        return lost

    def _take_next(self) -> None:
        self.descent.lay_opening(self.openings[self.taken], int(self.lost[self.taken]))
        self.taken += 1
        self.run_nodes = 0
        self._allow()

    def _allow(self) -> None:
        """Spread what the next board may have over the depths below the opening; nothing where that has it already."""
        allowed, lost = self.descent.allowed, int(self.lost[self.taken - 1])
        assert allowed is not None
        left = max(0, self.mismatches - lost)
        if left not in self.tails:
            self.tails[left] = self.model.allowed(left)
        allowed[: self.length] = lost
        allowed[self.length :] = np.minimum(self.tails[left] + lost, self.mismatches)

    def _tighten(self) -> None:
        self.mismatches = self.descent.fewest_mismatches - 1
        self.run_nodes = 0
        self.finished = self.mismatches < 0 or self.descent.best_score >= self.target
        if not self.finished:
            self._allow()

    def _arrays(self) -> dict[str, Array]:
        numbers = [self.beams, self.taken, self.run_nodes, self.mismatches, int(self.finished)]
        return {
            "task": self.fingerprint,
            "search": np.array(numbers, np.int64),
            **self.lines,
            **self.descent.arrays(),
        }

    def state(self) -> bytes:
        return packed(self._arrays())

    def restore(self, state: bytes) -> None:
        arrays = unpacked(state, self._arrays(), VARYING)
        beams, taken, run_nodes, mismatches, finished = arrays["search"].tolist()
        most = self.instance.grid.max_score
        lines = {name: arrays[name] for name in self.lines}
        count = int(lines["kept"].max())
        if not (
            0 <= taken <= count <= _KEPT
            and min(beams, run_nodes) >= 0
            and -1 <= mismatches <= most
            and finished in (0, 1)
            and (beams > 0) == (count > 0)
            and (taken > 0) == (arrays["control"][kernels.STATUS] != kernels.FRESH)
        ):
            raise foreign_state("its counters are out of range")
        openings = self._openings_of(lines)
        self._check_openings(openings)
        opening = None
        if taken:
            opening = openings[taken - 1], int(self._lost(openings[taken - 1 : taken])[0])
        self.descent.restore(arrays, opening)
        self.lines, self.openings, self.beams, self.taken = lines, openings, beams, taken
        self.run_nodes, self.mismatches, self.finished = run_nodes, mismatches, bool(finished)
        if count:
            self._look_at_openings()
        if taken:
            self._allow()

    def _openings_of(self, lines: Mapping[str, Array]) -> Array:
        """The openings that some packed lines lead to."""
        ancestry = list(unpacked_lines(lines))
        if len(ancestry) not in (0, self.length):
            raise foreign_state("its openings end too soon")
        return codes_along(ancestry, np.arange(len(ancestry[-1][0]))) if ancestry else self.openings[:0]

    def _check_openings(self, openings: Array) -> None:
        """Refuse pieces that do not exist, lie twice or are pinned, and grey where there is no rim."""
        grid = self.instance.grid
        on_rim = np.array([[side in grid.rim_sides(cell) for side in range(4)] for cell in self.order[: self.length]])
        pinned = [hint.piece for hint in self.instance.hints]
        if (openings >= len(self.quads)).any():
            raise foreign_state("an opening has a piece that does not exist")
        pieces = np.sort(openings >> 2, axis=1)
        if (pieces[:, 1:] == pieces[:, :-1]).any() or np.isin(pieces, pinned).any():
            raise foreign_state("an opening has a piece twice")
        if ((self.quads[openings] == BORDER) != on_rim).any():
            raise foreign_state("an opening has grey where there is no rim")
