"""Which piece lies where: the quads seen on a board, held against a set of pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from e2.core.board import EMPTY, Board
from e2.core.grid import Grid
from e2.core.pieces import PieceSet
from e2.core.quad import Quad


@dataclass(frozen=True)
class Identified:
    """The board that the quads show, with what did not add up.

    A cell of `outside` shows a quad that no piece of the set has; `board` holds EMPTY there. On a cell of
    `disagreeing` the text claims another placement than its quads show; the quads won.
    """

    board: Board
    outside: tuple[int, ...]
    disagreeing: tuple[int, ...]


def identify(
    grid: Grid,
    pieces: PieceSet,
    quads: Sequence[Quad | None],
    codes: Sequence[int] | None = None,
    numbers: Sequence[int] | None = None,
) -> Identified:
    """Find the placement of every filled cell.

    `codes` (4 * piece + rot) and `numbers` (0-based pieces, no turn) are claims, EMPTY for an empty cell. Where a quad
    belongs to several placements a claim that shows it decides, codes before numbers; the cells without such a claim
    then take the lowest piece that is still unused. Pieces of one shape are interchangeable, so this never uses a
    piece twice that it could have avoided.
    """
    found = [EMPTY] * grid.cells
    outside, disagreeing, open_cells = [], [], []
    used: set[int] = set()
    for cell, quad in enumerate(quads):
        claimed_code = EMPTY if codes is None else codes[cell]
        claimed_piece = EMPTY if numbers is None else numbers[cell]
        ways = () if quad is None else pieces.placements.get(quad, ())
        by_code = [way for way in ways if 4 * way[0] + way[1] == claimed_code]
        by_number = [way for way in ways if way[0] == claimed_piece]
        if quad is not None and not ways:
            outside.append(cell)
        else:
            silent = quad is not None and claimed_code == EMPTY and claimed_piece == EMPTY
            code_fits = codes is None or (claimed_code == EMPTY if quad is None else bool(by_code))
            number_fits = numbers is None or (claimed_piece == EMPTY if quad is None else bool(by_number))
            if not (code_fits and number_fits) and not silent:
                disagreeing.append(cell)
        chosen = by_code or by_number or (ways if len(ways) == 1 else ())
        if chosen:
            piece, rot = chosen[0]
            found[cell] = 4 * piece + rot
            used.add(piece)
        elif ways:
            open_cells.append(cell)
    for cell in open_cells:
        quad = quads[cell]
        assert quad is not None
        ways = pieces.placements[quad]
        piece, rot = next((way for way in ways if way[0] not in used), ways[0])
        found[cell] = 4 * piece + rot
        used.add(piece)
    return Identified(Board(grid.width, grid.height, tuple(found)), tuple(outside), tuple(disagreeing))
