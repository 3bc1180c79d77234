"""A great part of a full board filled again by one beam: what came last in some fill order, the rest as it was.

Small regions cannot mend a board whose first rows spent the wrong colours. The beam that keeps colours concentrated
can: it takes the rest of the board as pins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from e2.core.board import Board
from e2.core.instance import Hint, Instance
from e2.kernels.beam_tables import build_beam_tables
from e2.kernels.layers import Layers
from e2.search.fill_order import fill_order
from e2.search.shuffle import ranks

_LEAST, _MOST = 0.35, 0.78  # share of the cells that are freed; below it the small regions do better
_FLATTEST, _TALLEST = 0.55, 0.82  # full rows of the comb, as a share of the height
_CONCENTRATION, _MISMATCHING = 0.4, 32  # the beam's own defaults


def great_refill(
    instance: Instance, codes: Sequence[int], width: int, seed: int, number: int, stopping: Callable[[], bool]
) -> tuple[int, Board | None]:
    """Refill `number` of a search with this seed: nodes made, and the new board, better or worse; None if stopped."""
    draws = [int(word >> 11) / (1 << 53) for word in ranks(seed, number, 5).tolist()]
    turn = int(4 * draws[0])
    height = instance.width if turn % 2 else instance.height
    rows = int(height * _between(_FLATTEST, _TALLEST, draws[1]))
    order = fill_order(instance.grid, f"comb:{rows}", turn)
    freed = max(1, round(instance.grid.cells * _between(_LEAST, _MOST, draws[2])))
    hints = {cell: Hint(cell, codes[cell] >> 2, codes[cell] & 3) for cell in order[:-freed]} | instance.pinned
    kept = Instance(instance.name, instance.width, instance.height, instance.pieces, tuple(sorted(hints.values())))
    layers = Layers(kept, build_beam_tables(kept, order), width, _CONCENTRATION, _MISMATCHING)
    nodes = 0
    while not layers.finished:
        if stopping():
            return nodes, None
        nodes += layers.advance(int(draws[3] * (1 << 30)))
    ((_, board),) = layers.boards(1)
    return nodes, board


def _between(low: float, high: float, share: float) -> float:
    return low + (high - low) * share
