"""Break schedules: how many seams may be mismatched after each depth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from e2.core.instance import Instance
from e2.core.quad import BORDER, Quad, opposite
from e2.errors import SettingsError
from e2.kernels.expect import best_steps
from e2.kernels.tables import NEVER, Array

_FIRST_BOARD_NODES = 10_000.0
"""A model schedule starts with the fewest mismatches for which a board is expected within so many nodes."""

_FIRST_BOARD_TREES = 10
"""And, where each tree has its price, within so many trees."""

_NEARLY = 2.0
"""Or within so many times the nodes of a first board where any seam may be mismatched: small boards take many."""


def listed_schedule(instance: Instance, fill_order: Sequence[int], depths: Sequence[int]) -> Array:
    """`allowed` of a schedule as people write it: one more mismatch from each listed depth on.

    Depths count the cells of the fill order from 1, pins included. SettingsError for a list that is not ascending,
    lists a depth that no cell has, or allows so little beside the pins that no board can ever be full.
    """
    cells = instance.grid.cells
    for before, depth in pairwise([0, *depths]):
        if not 1 <= depth <= cells:
            raise SettingsError(f"breaks: schedule lists depth {depth}; expected 1 to {cells}")
        if depth < before:
            raise SettingsError(f"breaks: schedule falls from depth {before} to {depth}; expected ascending depths")
    allowed = np.searchsorted(np.array(depths, np.int64), [*_places(instance, fill_order), cells], side="right")
    due = 0
    for place, cell, mismatches in _mismatches_at_pins(instance, fill_order):
        due += mismatches
        if due > np.searchsorted(depths, place, side="right"):
            raise SettingsError(
                f"breaks: schedule can never finish a board: whatever lies on cell {cell} (depth {place}), the pins "
                f"cost {due if due < NEVER else 'more than any number of'} mismatches by then"
            )
    return np.minimum(allowed, instance.grid.max_score).astype(np.int64)


def _places(instance: Instance, fill_order: Sequence[int]) -> list[int]:
    """The depths of the free cells, counted from 1 with pins."""
    return [at for at, cell in enumerate(fill_order, 1) if cell not in instance.pinned]


def _mismatches_at_pins(instance: Instance, fill_order: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """For each free cell beside a pin its depth, itself, and how many pins the best piece there does not match."""
    grid, pinned = instance.grid, instance.pinned
    taken = {hint.piece for hint in instance.hints}
    shown = {hint.cell: instance.pieces.placed(hint.piece, hint.rot) for hint in instance.hints}
    beside = {cell for pin in pinned for side in range(4) if (cell := grid.neighbour(pin, side)) is not None} - set(
        shown
    )
    free = [piece for piece in range(len(instance.pieces)) if piece not in taken] if beside else []
    quads = [instance.pieces.placed(piece, rot) for piece in free for rot in range(4)]
    for place, cell in enumerate(fill_order, 1):
        if cell not in beside:
            continue
        rim = grid.rim_sides(cell)
        asked = [
            (side, shown[there][opposite(side)], NEVER if rim and grid.is_frame_cell(there) else 1)
            for side in range(4)
            if (there := grid.neighbour(cell, side)) in shown and there is not None
        ]
        costs = (
            sum(cost for side, colour, cost in asked if quad[side] != colour)
            for quad in quads
            if all((quad[side] == BORDER) == (side in rim) for side in range(4))
        )
        yield place, cell, min(costs, default=NEVER)


@dataclass(frozen=True)
class Schedule:
    """A schedule with what the model expects of it: what a search is given, and what people look at."""

    depths: tuple[int, ...]  # from each of them on one more seam may be mismatched; counted from 1, pins included
    allowed: tuple[int, ...]  # mismatched seams that there may be, by depth; a depth is a cell of the fill order
    nodes: tuple[float, ...]  # expected nodes for one full board, by depth; 0 at pins

    @property
    def mismatches(self) -> int:
        return len(self.depths)

    @property
    def nodes_per_board(self) -> float:
        return sum(self.nodes)


class ModelSchedule:
    """Schedules from the expected number of words that fit at each depth.

    Two colours that meet on an inner seam agree with the chance that two random half-seams do, likewise on the
    frame; so the pieces left tell how many words with 0, 1 and 2 mismatches a cell will find. The model takes seams
    for independent, which real boards are not: it ranks schedules well, and is off by an order of magnitude
    in what they cost.
    """

    def __init__(
        self,
        instance: Instance,
        fill_order: Sequence[int],
        agreement: tuple[float, float] | None = None,
        ahead: float = 0.0,
    ) -> None:
        """`agreement` is the chance that two colours agree, on inner seams and on the frame; of all pieces if None.

        A search that begins at the same pins only once has paid for them; `ahead` nodes are the price where each tree
        begins at pins of its own.
        """
        self.ahead = ahead
        self.fits = _expected_fits(instance, fill_order, agreement or agreement_among(instance.pieces.quads))
        self.places = np.array(_places(instance, fill_order), np.int64)
        self.cells = instance.grid.cells

    def steps(self, mismatches: int) -> tuple[Array, float]:
        """The best depths (0-based, pins not counted) for `mismatches` steps, and the expected nodes per board."""
        depths = len(self.fits)
        if not depths:
            return np.zeros(mismatches, np.int64), self.ahead
        steps = np.floor(np.linspace(0.7 * depths, depths - 1, mismatches)).astype(np.int64)
        row, worth = np.zeros(mismatches + 1), np.zeros(mismatches + 1)
        return steps, float(best_steps(self.fits, steps, steps.copy(), row, worth, self.ahead))

    def allowed(self, mismatches: int) -> Array:
        """Per depth (and once more for the end) how many of the `mismatches` seams may be spent by then."""
        steps, _ = self.steps(mismatches)
        return np.searchsorted(steps, np.arange(len(self.fits) + 1), side="right").astype(np.int64)

    def schedule(self, mismatches: int) -> Schedule:
        """The best schedule for so many mismatches."""
        steps, _ = self.steps(mismatches)
        return self.judged(self.places[steps].tolist() if len(self.places) else [])

    def judged(self, depths: Sequence[int]) -> Schedule:
        """A schedule of `depths`, with what the model expects of it."""
        nodes = np.zeros(self.cells)
        nodes[self.places - 1] = self._nodes(np.searchsorted(self.places, depths))
        allowed = np.searchsorted(np.array(depths, np.int64), np.arange(1, self.cells + 1), side="right")
        return Schedule(tuple(depths), tuple(allowed.tolist()), tuple(nodes.tolist()))

    def _nodes(self, steps: Array) -> Array:
        """Expected nodes for one full board at each free cell; the recurrence of kernels/expect.py, in logarithms."""
        here = np.zeros(len(steps) + 1)
        here[0] = 1.0
        logs, log = np.zeros(len(self.fits)), 0.0
        for depth, (exact, one, two) in enumerate(self.fits):
            before, here = here, here * exact
            here[1:] += before[:-1] * one
            here[2:] += before[:-2] * two
            here[np.searchsorted(steps, depth, side="right") + 1 :] = 0.0
            level = float(here.sum())
            if level <= 0.0:
                return np.full(len(self.fits), np.inf)
            here /= level
            log += float(np.log(level))
            logs[depth] = log
        return np.exp(np.minimum(logs - log, 700.0))

    def first_mismatches(self) -> int:
        """The fewest mismatches for which a board is expected soon, or nearly as soon as if any number might be."""
        low, high = 0, 2 * len(self.fits)
        soon = _FIRST_BOARD_NODES + _FIRST_BOARD_TREES * self.ahead
        soon = max(soon, _NEARLY * self.steps(high)[1])
        while low < high:
            middle = (low + high) // 2
            if self.steps(middle)[1] > soon:
                low = middle + 1
            else:
                high = middle
        return low


def agreement_among(quads: Iterable[Quad]) -> tuple[float, float]:
    """The chance that two random half-seams of some pieces agree: on inner seams, and between frame cells."""
    inner: dict[int, int] = {}
    frame: dict[int, int] = {}
    for quad in quads:
        for side, colour in enumerate(quad):
            if colour != BORDER:
                along = BORDER in (quad[side - 1], quad[(side + 1) % 4])
                counts = frame if along else inner
                counts[colour] = counts.get(colour, 0) + 1
    return _chance(inner), _chance(frame)


def _chance(counts: dict[int, int]) -> float:
    total = sum(counts.values())
    return sum(count * count for count in counts.values()) / (total * total) if total else 1.0


def _expected_fits(instance: Instance, fill_order: Sequence[int], agreement: tuple[float, float]) -> Array:
    grid, pinned = instance.grid, instance.pinned
    inner, frame = agreement
    order = [cell for cell in fill_order if cell not in pinned]
    left: dict[int, int] = {}
    for cell in order:
        kind = len(grid.rim_sides(cell))
        left[kind] = left.get(kind, 0) + 1
    filled = set(pinned)
    fits = np.zeros((len(order), 3))
    for depth, cell in enumerate(order):
        rim = grid.rim_sides(cell)
        words = float(left[len(rim)] * (1 if rim else 4))
        seams = 0
        for side in range(4):
            neighbour = grid.neighbour(cell, side)
            if neighbour in filled:
                if rim and grid.is_frame_cell(neighbour):
                    words *= frame
                else:
                    seams += 1
        agree = [1.0, inner, inner * inner, inner * inner * inner, inner * inner * inner * inner]
        miss = 1.0 - inner
        fits[depth, 0] = words * agree[seams]
        if seams > 0:
            fits[depth, 1] = words * seams * agree[seams - 1] * miss
        if seams > 1:
            fits[depth, 2] = words * (seams * (seams - 1) // 2) * agree[seams - 2] * miss * miss
        left[len(rim)] -= 1
        filled.add(cell)
    return fits
