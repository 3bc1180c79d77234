"""Expected size of a search tree with mismatched seams, and the schedule that makes boards cheapest.

Only sums, products and quotients in a fixed order: every machine gets the same schedule.
"""

from __future__ import annotations

import numpy as np

from e2.kernels.compile import kernel
from e2.kernels.tables import Array

_HUGE = 2.0**600
_MARGIN = 1.0 - 2.0**-30  # a round must win by more than rounding could


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
def best_steps(fits: Array, steps: Array, trial: Array, row: Array, worth: Array, ahead: float) -> float:
    """Put into `steps` the schedule with the fewest nodes per board, and return those.

    `steps` holds any schedule to begin with: the nearer it is to the best, the fewer rounds.

    At some price in boards a node, a node is worth the boards expected below it less the price of itself and of all
    nodes below it, and only nodes worth more than nothing are to be visited: the best schedule for that price. With the
    price that this schedule itself pays the next one is as good or better, and the one that stays is the best of all
    (Dinkelbach's method for ratios). `trial` is room like `steps`, `row` and `worth` for len(steps) + 1 numbers.
    """
    depths, most = len(fits), len(steps)
    best: float = nodes_per_board(fits, steps, row, ahead)
    while True:
        price = 1.0 / best
        worth[:] = 1.0 - price
        trial[:] = depths - 1
        for depth in range(depths - 1, 0, -1):
            # From the worth of nodes with `spent` mismatches after `depth` to that of nodes one depth higher.
            exact, one, two = fits[depth, 0], fits[depth, 1], fits[depth, 2]
            for spent in range(most + 1):
                below = worth[spent] * exact
                if spent < most:
                    below += worth[spent + 1] * one
                if spent + 1 < most:
                    below += worth[spent + 2] * two
                worth[spent] = max(0.0, below - price)
            if worth[0] > _HUGE:
                for spent in range(most + 1):
                    worth[spent] /= _HUGE
                price /= _HUGE
            for spent in range(most):
                # Nodes after depth - 1 with spent + 1 mismatches: is the step to so many open by then?
                if worth[spent + 1] > 0.0:
                    trial[spent] = depth - 1
        cost = nodes_per_board(fits, trial, row, ahead)
        if not cost < best * _MARGIN:
            return best
        best = cost
        steps[:] = trial
