"""Depth-first search from its definition: try every free piece at every turn, and look at the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from e2.core.instance import Instance


@dataclass
class Tree:
    """What a whole search did: pieces laid per depth, and the full boards."""

    counts: list[int]
    boards: list[dict[int, int]] = field(default_factory=list)

    @property
    def nodes(self) -> int:
        return sum(self.counts)


def whole_tree(
    instance: Instance,
    fill_order: Sequence[int],
    allowed: Sequence[int] | None = None,
    cap: int = 2,
    favoured: Sequence[int] = (),
    quota: Sequence[int] = (),
    prune: int = 0,
) -> Tree:
    """Search everything.

    Without `allowed` every seam must match. With it, after the piece at depth k at most allowed[k] seams may be
    mismatched, no piece may bring more than `cap`, and seams between two frame cells and the rim must be right.
    The pieces on the first k cells of the order must show quota[k - 1] sides of favoured colours. From the cell with
    number `prune` on nothing is tried below a board whose pieces left cannot close its open sides.
    """
    grid = instance.grid
    board = {hint.cell: 4 * hint.piece + hint.rot for hint in instance.hints}
    cells = [cell for cell in fill_order if cell not in board]
    shows = [instance.pieces.placed(code >> 2, code & 3) for code in range(4 * len(instance.pieces))]
    around = [[grid.neighbour(cell, side) for side in range(4)] for cell in range(grid.cells)]
    tree = Tree([0] * len(cells))

    def cost(cell: int, code: int) -> int | None:
        """Mismatched seams that the piece would bring; None if it may not lie there."""
        mismatched = 0
        for side, neighbour in enumerate(around[cell]):
            colour = shows[code][side]
            if (neighbour is None) != (colour == 0):
                return None
            if neighbour is not None and neighbour in board and shows[board[neighbour]][(side + 2) % 4] != colour:
                if allowed is None or (grid.is_frame_cell(cell) and grid.is_frame_cell(neighbour)):
                    return None
                mismatched += 1
        return mismatched

    def meets_quota(depth: int) -> bool:
        """Whether the cells up to the next free one show enough."""
        end = fill_order.index(cells[depth + 1]) if depth + 1 < len(cells) else len(fill_order)
        for count in range(fill_order.index(cells[depth]) + 1, end + 1):
            placed = [shows[board[cell]] for cell in fill_order[:count]]
            if sum(colour in favoured for quad in placed for colour in quad) < quota[count - 1]:
                return False
        return True

    def is_hopeless(mismatches: int) -> bool:
        used = {code >> 2 for code in board.values()}
        supply = Counter(
            colour for piece, quad in enumerate(instance.pieces.quads) if piece not in used for colour in quad if colour
        )
        demand = Counter(
            shows[board[cell]][side]
            for cell in board
            for side, neighbour in enumerate(around[cell])
            if neighbour is not None and neighbour not in board
        )
        lacking = demand - supply
        odd = [colour for colour in supply | demand if (supply[colour] - demand[colour]) % 2]
        return lacking.total() > mismatches or len(odd) > 2 * mismatches

    def search(depth: int, spent: int) -> None:
        if depth == len(cells):
            tree.boards.append(dict(board))
            return
        used = {code >> 2 for code in board.values()}
        for code in range(4 * len(instance.pieces)):
            price = None if code >> 2 in used else cost(cells[depth], code)
            if price is None or price > cap or (allowed is not None and spent + price > allowed[depth]):
                continue
            board[cells[depth]] = code
            if not quota or meets_quota(depth):
                tree.counts[depth] += 1
                late = prune and fill_order.index(cells[depth]) + 1 >= prune
                if not (late and is_hopeless(allowed[-1] - spent - price)):
                    search(depth + 1, spent + price)
            del board[cells[depth]]

    search(0, 0)
    return tree
