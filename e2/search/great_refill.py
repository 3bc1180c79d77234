"""A great part of a full board filled again by one beam: what came last in some fill order, the rest as it was.

Small regions cannot mend a board whose first rows spent the wrong colours. The beam that keeps colours concentrated
can: it takes the rest of the board as pins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from e2.core.board import Board
from e2.core.grid import Seam
from e2.core.instance import Hint, Instance
from e2.core.score import score_board
from e2.kernels.beam_tables import build_beam_tables
from e2.kernels.layers import Layers, beam_bytes
from e2.search.beam import MISMATCHING
from e2.search.fill_order import SIDES, fill_order
from e2.search.shuffle import draws

_LEAST, _MOST = 0.25, 0.7  # share of the cells that are freed; below it the small regions do better
_FLATTEST, _TALLEST = 0.55, 0.82  # full rows of the comb, as a share of the height
_CONCENTRATION = 0.3, 0.5  # around the best for a whole board; another weight leads to another board
_TRIES = 6  # parts to choose from
_PARDON = 4.0  # mismatched seams that stay: what a chosen part may have of them more than the best, at most
_FINALISTS = 100  # states of the last layer to find a board among that is as good as the best, and new


@dataclass(frozen=True)
class _Part:
    """The first cells of a fill order stay, the others are freed; `lost` counts mismatched seams among the first."""

    order: tuple[int, ...]
    kept: int
    lost: int


def great_refill(
    instance: Instance, codes: Sequence[int], width: int, seed: int, number: int, stopping: Callable[[], bool]
) -> tuple[int, Board | None]:
    """Refill `number` of a search with this seed: nodes made, and the new board, better or worse; None if stopped.

    Mismatched seams that stay cannot be mended, so of a few random parts one that keeps few of them is freed.
    """
    drawn = draws(seed, number, 4 * _TRIES + 3)
    mismatched = score_board(Board(instance.width, instance.height, tuple(codes)), instance.pieces).mismatched
    parts = [_part(instance, mismatched, *drawn[3 + 4 * at : 6 + 4 * at]) for at in range(_TRIES)]
    pardons = [_PARDON * drawn[6 + 4 * at] for at in range(_TRIES)]
    part = min(zip(parts, pardons, strict=True), key=lambda pair: pair[0].lost + pair[1])[0]
    hints = {cell: Hint(cell, codes[cell] >> 2, codes[cell] & 3) for cell in part.order[: part.kept]}
    hints |= instance.pinned
    kept = Instance(instance.name, instance.width, instance.height, instance.pieces, tuple(sorted(hints.values())))
    mismatching = MISMATCHING.default
    assert isinstance(mismatching, int)
    layers = Layers(kept, build_beam_tables(kept, part.order), width, _between(_CONCENTRATION, drawn[0]), mismatching)
    nodes = 0
    while not layers.finished:
        if stopping():
            return nodes, None
        nodes += layers.advance(int(drawn[1] * (1 << 30)))
    found = layers.boards(_FINALISTS)
    best = [board for score, board in found if score == found[0][0] and board.codes != tuple(codes)]
    return nodes, best[int(drawn[2] * len(best))] if best else found[0][1]


def refill_bytes(instance: Instance) -> int:
    """The memory of one state where the whole board is filled again: of a part it is less."""
    return beam_bytes(build_beam_tables(instance, fill_order(instance.grid, "comb")), 1)


def _part(instance: Instance, mismatched: Sequence[Seam], turned: float, flat: float, share: float) -> _Part:
    grid, turn = instance.grid, int(SIDES * turned)
    height = instance.width if turn % 2 else instance.height
    order = fill_order(grid, f"comb:{int(height * _between((_FLATTEST, _TALLEST), flat))}", turn)
    kept = grid.cells - max(1, round(grid.cells * _between((_LEAST, _MOST), share)))
    stays = set(order[:kept])
    lost = sum(seam.cell in stays and seam.neighbour in stays for seam in mismatched)
    return _Part(order, kept, lost)


def _between(ends: tuple[float, float], share: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * share
