"""Expected size of a search tree with mismatched seams, and the schedule that makes boards cheapest.

Only sums, products and quotients in a fixed order: every machine gets the same schedule.
"""

from __future__ import annotations

import numpy as np

from e2.kernels.compile import kernel
from e2.kernels.tables import Array

_HUGE = 2.0**600
_MARGIN = 1.0 - 2.0**-30  # a change must win by more than rounding could


@kernel
def nodes_per_board(fits: Array, steps: Array, row: Array, ahead: float) -> float:
    """Expected nodes for one full board, where it costs `ahead` nodes to come to the first depth.

    `fits[k, c]` is the expected number of words at depth k with c = 0, 1, 2 mismatched seams. Before depth `steps[j]`
    (ascending) at most j mismatches are allowed. `row` is room for len(steps) + 1 numbers. Infinite where no board is
    expected at all.
    """
    for spent in range(len(row)):
        row[spent] = 0.0
    row[0] = 1.0
    total, open_steps = ahead, 0
    for depth in range(len(fits)):
        while open_steps < len(steps) and steps[open_steps] <= depth:
            open_steps += 1
        exact, one, two = fits[depth, 0], fits[depth, 1], fits[depth, 2]
        level = 0.0
        for spent in range(open_steps, -1, -1):
            here = row[spent] * exact
            if spent > 0:
                here += row[spent - 1] * one
            if spent > 1:
                here += row[spent - 2] * two
            row[spent] = here
            level += here
        total += level
        if level > _HUGE:
            # Only the ratio counts; a power of two changes no digit.
            for spent in range(len(row)):
                row[spent] /= _HUGE
            total /= _HUGE
    boards = 0.0
    for spent in range(len(row)):
        boards += row[spent]
    if boards <= 0.0:
        return np.inf
    return total / boards


@kernel
def optimise_steps(fits: Array, steps: Array, trial: Array, row: Array, ahead: float, evaluations: int) -> float:
    """Move single steps and whole tails of `steps` in place until no move is cheaper; returns the nodes per board.

    Coordinate descent, coarse moves first. It ends after `evaluations` schedules at the latest, which only very large
    boards reach. `trial` is a copy of `steps`, `row` room for one number more.
    """
    depths, count = len(fits), len(steps)
    best: float = nodes_per_board(fits, steps, row, ahead)
    shift = max(1, depths // 8)
    while shift > 0 and count > 0:
        better = False
        for sign in (-1, 1):
            for whole_tail in (True, False):
                for at in range(count):
                    end = count if whole_tail else at + 1
                    for step in range(at, end):
                        trial[step] = min(max(steps[step] + sign * shift, 0), depths - 1)
                    ordered = (at == 0 or trial[at - 1] <= trial[at]) and (end == count or trial[end - 1] <= trial[end])
                    if ordered and evaluations > 0:
                        evaluations -= 1
                        cost = nodes_per_board(fits, trial, row, ahead)
                        if cost < best * _MARGIN:
                            best = cost
                            better = True
                            for step in range(at, end):
                                steps[step] = trial[step]
                    for step in range(at, end):
                        trial[step] = steps[step]
        if not better:
            shift //= 2
    return best
