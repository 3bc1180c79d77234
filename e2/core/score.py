"""The one scorer. Every board is scored here before it is believed, whatever an engine or a document says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from e2.core.board import Board
from e2.core.grid import Grid, Seam
from e2.core.pieces import PieceSet
from e2.core.quad import BORDER, Quad, opposite


@dataclass(frozen=True)
class Score:
    """Seams of a board, each in exactly one of three groups.

    Matched: both sides show the same colour and it is not grey. Mismatched: both cells hold a piece but the seam is
    not matched. Unmatched seams are the rest of `max_score - matched`: those that touch an empty cell.
    """

    matched: int
    mismatched: tuple[Seam, ...]
    max_score: int

    @property
    def breaks(self) -> int:
        """BoardDoc's word: all seams that are not matched, empty neighbours included."""
        return self.max_score - self.matched


def score_quads(grid: Grid, quads: Sequence[Quad | None]) -> Score:
    """Score what the cells show; `quads` is row-major with None for an empty cell."""
    matched = 0
    mismatched = []
    for seam in grid.seams:
        here, there = quads[seam.cell], quads[seam.neighbour]
        if here is None or there is None:
            continue
        colour = here[seam.side]
        if colour == there[opposite(seam.side)] and colour != BORDER:
            matched += 1
        else:
            mismatched.append(seam)
    return Score(matched, tuple(mismatched), grid.max_score)


def score_board(board: Board, pieces: PieceSet) -> Score:
    """Score a board of placements."""
    return score_quads(board.grid, board.quads(pieces))
