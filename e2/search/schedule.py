"""Break schedules: how many seams may be mismatched after each depth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from e2.core.instance import Instance
from e2.core.pieces import PieceSet
from e2.core.quad import BORDER
from e2.errors import SettingsError
from e2.kernels.expect import optimise_steps
from e2.kernels.tables import Array

_FIRST_BOARD_NODES = 10_000.0
"""A model schedule starts with the fewest mismatches for which a board is expected within so many nodes."""

_MODEL_WORK = 300_000_000
"""Limit of one optimisation, in cells of its dynamic program: some tenths of a second."""


def listed_schedule(instance: Instance, fill_order: Sequence[int], depths: list[int]) -> Array:
    """`allowed` of a schedule as people write it: one more mismatch from each listed depth on.

    Depths count the cells of the fill order from 1, pins included. SettingsError for a list that is not ascending or
    lists a depth that no cell has.
    """
    cells = instance.grid.cells
    for before, depth in pairwise([0, *depths]):
        if not 1 <= depth <= cells:
            raise SettingsError(f"breaks: schedule lists depth {depth}; expected 1 to {cells}")
        if depth < before:
            raise SettingsError(f"breaks: schedule falls from depth {before} to {depth}; expected ascending depths")
    free = [at for at, cell in enumerate(fill_order, 1) if cell not in instance.pinned]
    return np.searchsorted(np.array(depths, np.int64), np.array([*free, cells]), side="right").astype(np.int64)


class ModelSchedule:
    """Schedules from the expected number of words that fit at each depth.

    Two colours that meet on an inner seam agree with the chance that two random half-seams do, likewise on the
    frame; so the pieces left tell how many words with 0, 1 and 2 mismatches a cell will find. The model takes seams
    for independent, which real boards are not: it ranks schedules well, and is off by an order of magnitude
    in what they cost.
    """

    def __init__(self, instance: Instance, fill_order: Sequence[int]) -> None:
        self.fits = _expected_fits(instance, fill_order)

    def steps(self, mismatches: int) -> tuple[Array, float]:
        """The best depths (0-based, pins not counted) for `mismatches` steps, and the expected nodes per board."""
        depths = len(self.fits)
        late = np.linspace(0.6 * depths, depths - 1, mismatches + 2)[1:-1] if mismatches else np.zeros(0)
        steps = np.floor(late).astype(np.int64)
        row = np.zeros(mismatches + 1)
        evaluations = max(100, _MODEL_WORK // (depths * (mismatches + 1)))
        return steps, float(optimise_steps(self.fits, steps, steps.copy(), row, evaluations))

    def allowed(self, mismatches: int) -> Array:
        """Per depth (and once more for the end) how many of the `mismatches` seams may be spent by then."""
        steps, _ = self.steps(mismatches)
        return np.searchsorted(steps, np.arange(len(self.fits) + 1), side="right").astype(np.int64)

    def first_mismatches(self) -> int:
        """The fewest mismatches for which a board is expected soon."""
        low, high = 0, 1
        while self.steps(high)[1] > _FIRST_BOARD_NODES and high < 2 * len(self.fits):
            low, high = high, 2 * high
        while low < high:
            middle = (low + high) // 2
            if self.steps(middle)[1] > _FIRST_BOARD_NODES:
                low = middle + 1
            else:
                high = middle
        return low


def _agreement(pieces: PieceSet) -> tuple[float, float]:
    """The chance that two random half-seams agree: on inner seams, and between frame cells."""
    inner: dict[int, int] = {}
    frame: dict[int, int] = {}
    for quad in pieces.quads:
        for side, colour in enumerate(quad):
            if colour != BORDER:
                along = BORDER in (quad[side - 1], quad[(side + 1) % 4])
                counts = frame if along else inner
                counts[colour] = counts.get(colour, 0) + 1
    return _chance(inner), _chance(frame)


def _chance(counts: dict[int, int]) -> float:
    total = sum(counts.values())
    return sum(count * count for count in counts.values()) / (total * total) if total else 1.0


def _expected_fits(instance: Instance, fill_order: Sequence[int]) -> Array:
    grid, pinned = instance.grid, instance.pinned
    inner, frame = _agreement(instance.pieces)
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
