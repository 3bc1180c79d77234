"""An instance as the flat arrays of `e2.kernels.repair`, and the scratch that its kernels work in."""

from __future__ import annotations

import math

import numpy as np

from e2.core.instance import Instance
from e2.core.quad import BORDER
from e2.kernels import repair as kernels
from e2.kernels.repair import MOST, Beam, Puzzle, Region
from e2.kernels.tables import Array

_SEAM_WORTH = math.log(60)
"""One matched seam more divides the number of boards by about 60."""


def dense_sides(instance: Instance) -> Array:
    """int64[codes, 4]: the colours that each placement shows, numbered without gaps; grey is 0."""
    catalogue = np.array(instance.pieces.quads, np.int64).reshape(-1, 4)
    palette = np.unique(np.append(catalogue, BORDER))
    dense = np.searchsorted(palette, catalogue)
    return np.stack([np.roll(dense, rot, axis=1) for rot in range(4)], axis=1).reshape(-1, 4).astype(np.int64)


def rectangles(width: int, height: int, least: int, most: int) -> Array:
    """int64[k, 2]: width and height of all rectangles of `least` to `most` cells, two or more wide where that fits."""
    shapes = [
        (w, h)
        for w in range(min(2, width), width + 1)
        for h in range(min(2, height), height + 1)
        if least <= w * h <= most
    ]
    return np.array(shapes, np.int64).reshape(-1, 2)


def puzzle_arrays(instance: Instance, shapes: Array) -> Puzzle:
    """The instance, and the rectangles to free."""
    grid = instance.grid
    around = [[grid.neighbour(cell, side) for side in range(4)] for cell in range(grid.cells)]
    pinned = np.zeros(grid.cells, np.bool_)
    pinned[list(instance.pinned)] = True
    return Puzzle(
        dense_sides(instance),
        np.array([[-1 if cell is None else cell for cell in cells] for cells in around], np.int64),
        pinned,
        np.array([grid.width, grid.height], np.int64),
        shapes,
    )


def region_arrays(puzzle: Puzzle) -> Region:
    """Room for any region."""
    colours = int(puzzle.shows.max(initial=0)) + 1
    return Region(
        cells=np.zeros(MOST, np.int64),
        place=np.full(len(puzzle.around), -1, np.int64),
        pieces=np.zeros(MOST, np.int64),
        has=np.zeros((4, colours), np.uint64),
        fits=np.zeros((MOST, 4), np.uint64),
        across=np.zeros((MOST, 4), np.int64),
        value=np.zeros((MOST, 4), np.int64),
        rigid=np.zeros((MOST, 4), np.bool_),
    )


def beam_arrays(puzzle: Puzzle, width: int, weight: float) -> Beam:
    """Room for a beam of `width` states; `weight` is that of the ways in its keys."""
    colours = int(puzzle.shows.max(initial=0)) + 1
    children = kernels.CHILDREN_A_STATE * width + 16 * MOST
    return Beam(
        free=np.zeros((2, width), np.uint64),
        opened=np.zeros((2, width, MOST), np.int64),
        lost=np.zeros((2, width), np.int64),
        odd=np.zeros((2, width), np.uint64),
        cost=np.zeros((2, width), np.int64),
        unused=np.zeros((2, width, colours), np.int16),
        waiting=np.zeros((2, width, colours), np.int16),
        ways=ways_table(weight),
        parent=np.zeros((MOST, width), np.int64),
        laid=np.zeros((MOST, width), np.int64),
        child_parent=np.zeros(children, np.int64),
        child_move=np.zeros(children, np.int64),
        child_key=np.zeros(children, np.int64),
        histogram=np.zeros(kernels.KEYS, np.int64),
        hand=np.zeros(6, np.int64),
        changes=np.zeros((4, colours), np.int64),
        sides=np.zeros(4, np.int64),
        asked=np.zeros(4, np.int64),
        odd_sided=np.zeros(4, np.uint64),
    )


def state_bytes(puzzle: Puzzle) -> int:
    """The memory of one state in the arrays of `beam_arrays`."""
    colours = int(puzzle.shows.max(initial=0)) + 1
    generation = 8 * (4 + MOST) + 2 * 2 * colours
    return 2 * generation + 2 * 8 * MOST + 3 * 8 * kernels.CHILDREN_A_STATE


def ways_table(weight: float) -> Array:
    """int64[unused, waiting]: the logarithm of the ways to join the sides of a colour, in key units.

    Each waiting side takes one of the unused, u! / (u - w)! ways; m unused ones that are left pair up, (m - 1)!! ways,
    by a smooth curve through the even m, since the bound counts the odd ones. A waiting side too many costs half a
    seam: the other half is that of another colour.
    """
    size = 4 * MOST + 1
    factorial = [math.lgamma(number + 1) for number in range(size + 1)]
    paired = [factorial[m] - math.lgamma(m / 2 + 1) - m / 2 * math.log(2) for m in range(size + 1)]
    scale = kernels.SCALE * weight / _SEAM_WORTH
    table = np.zeros((size, size), np.int64)
    for unused in range(size):
        for waiting in range(size):
            left = unused - waiting
            if left >= 0:
                table[unused, waiting] = round(scale * (factorial[unused] - factorial[left] + paired[left]))
            else:
                table[unused, waiting] = round(scale * factorial[unused]) + left * kernels.SCALE // 2
    return table
