"""A beam that forgets nothing, by the definition: every state is a whole board, every child is looked at."""

from __future__ import annotations

from e2.core.board import EMPTY
from e2.core.quad import BORDER, opposite


def all_children(instance, order):
    """Nodes made and the scores of the full boards, where every state of every layer goes on.

    A child places an unused piece with grey exactly on the rim; it matches all neighbours that lie already, or all but
    one across a seam that is not between two frame cells. Only a layer in which no state has such a child takes any
    piece that keeps the rim.
    """
    grid, pinned = instance.grid, instance.pinned
    start = [EMPTY] * grid.cells
    for hint in instance.hints:
        start[hint.cell] = 4 * hint.piece + hint.rot
    states = [tuple(start)]
    nodes = 0
    for cell in order:
        if cell in pinned:
            continue
        children = [child for state in states for child, wrong in placements(instance, state, cell) if not wrong]
        children += [
            child
            for state in states
            for child, wrong in placements(instance, state, cell)
            if len(wrong) == 1 and not frame_seam(grid, cell, wrong[0])
        ]
        if not children:
            children = [child for state in states for child, _ in placements(instance, state, cell)]
        nodes += len(children)
        states = children
    return nodes, sorted(matched(instance, state) for state in states)


def frame_seam(grid, cell, side):
    return grid.is_frame_cell(cell) and grid.is_frame_cell(grid.neighbour(cell, side))


def placements(instance, state, cell):
    """Every child of a state at a cell, with the sides on which it does not match."""
    grid = instance.grid
    used = {code >> 2 for code in state if code != EMPTY}
    for piece in range(len(instance.pieces)):
        if piece in used:
            continue
        for rot in range(4):
            quad = instance.pieces.placed(piece, rot)
            if {side for side in range(4) if quad[side] == BORDER} != set(grid.rim_sides(cell)):
                continue
            wrong = []
            for side in range(4):
                neighbour = grid.neighbour(cell, side)
                if neighbour is None or state[neighbour] == EMPTY:
                    continue
                there = instance.pieces.placed(state[neighbour] >> 2, state[neighbour] & 3)
                if there[opposite(side)] != quad[side]:
                    wrong.append(side)
            yield (*state[:cell], 4 * piece + rot, *state[cell + 1 :]), wrong


def matched(instance, state):
    quads = [instance.pieces.placed(code >> 2, code & 3) for code in state]
    return sum(
        quads[seam.cell][seam.side] == quads[seam.neighbour][opposite(seam.side)] for seam in instance.grid.seams
    )
