"""The best filling of a region by its definition: every order of its pieces at every turn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

from e2.core.instance import Instance


def best_filling(instance: Instance, codes: Sequence[int], cells: Sequence[int]) -> int:
    """The fewest mismatched seams on `cells` when their pieces are laid anew, grey to the rim and only there."""
    grid = instance.grid
    touching = [seam for seam in grid.seams if seam.cell in cells or seam.neighbour in cells]
    ways: dict[tuple[int, int], list[int]] = {}
    for cell in cells:
        for piece in {codes[other] >> 2 for other in cells}:
            quads = [instance.pieces.placed(piece, rot) for rot in range(4)]
            ways[cell, piece] = [
                4 * piece + rot
                for rot in range(4)
                if all((quads[rot][side] == 0) == (grid.neighbour(cell, side) is None) for side in range(4))
            ]
    fewest = len(touching) + 1
    board = dict(enumerate(codes))
    for pieces in permutations([codes[cell] >> 2 for cell in cells]):
        for laid in product(*(ways[cell, piece] for cell, piece in zip(cells, pieces, strict=True))):
            board.update(zip(cells, laid, strict=True))
            lost = 0
            for seam in touching:
                here = instance.pieces.placed(board[seam.cell] >> 2, board[seam.cell] & 3)
                there = instance.pieces.placed(board[seam.neighbour] >> 2, board[seam.neighbour] & 3)
                lost += here[seam.side] != there[(seam.side + 2) % 4]
            fewest = min(fewest, lost)
    return fewest
