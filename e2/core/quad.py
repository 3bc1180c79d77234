"""The four colours of a square piece, and how they turn."""

from __future__ import annotations

Quad = tuple[int, int, int, int]
"""Colours clockwise from the top: (up, right, down, left)."""

UP, RIGHT, DOWN, LEFT = range(4)
SIDE_NAMES = ("up", "right", "down", "left")

BORDER = 0
"""The grey rim colour. It never matches inside a board."""


def turned(quad: Quad, rot: int) -> Quad:
    """The quad after `rot` clockwise quarter turns.

    >>> turned((1, 2, 3, 4), 1)
    (4, 1, 2, 3)
    """
    rot %= 4
    return quad[4 - rot :] + quad[: 4 - rot]  # type: ignore[return-value]


def opposite(side: int) -> int:
    """The side that a neighbour shows across `side`."""
    return (side + 2) % 4


def turns_alike(quad: Quad) -> int:
    """How many of the four turns leave the quad as it is: 1 for most pieces, 2 or 4 for symmetric ones."""
    return sum(turned(quad, rot) == quad for rot in range(4))


def shape(quad: Quad) -> Quad:
    """The lexicographically smallest turn: equal for two quads exactly if one is a turn of the other."""
    return min(turned(quad, rot) for rot in range(4))
