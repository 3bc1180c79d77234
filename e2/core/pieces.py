"""A set of pieces, as their catalogue lists them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from e2.core.quad import BORDER, Quad, shape, turned, turns_alike

INNER, FRAME, CORNER = 0, 1, 2
"""Kinds of a piece, by its number of grey sides."""


@dataclass(frozen=True)
class PieceSet:
    """`quads[piece]` is the catalogue quad of a piece: what is placed at rot 0. Pieces count from 0."""

    quads: tuple[Quad, ...]

    def __len__(self) -> int:
        return len(self.quads)

    def placed(self, piece: int, rot: int) -> Quad:
        """The quad that `piece` shows after `rot` clockwise quarter turns."""
        return turned(self.quads[piece], rot)

    def kind(self, piece: int) -> int:
        """INNER, FRAME or CORNER: how many of its sides are grey."""
        return self.quads[piece].count(BORDER)

    @cached_property
    def colours(self) -> int:
        """The largest colour in use, so colours are 1..colours; grey is not counted."""
        return max((colour for quad in self.quads for colour in quad), default=0)

    @cached_property
    def half_seams(self) -> Counter[int]:
        """How often each colour stands on a side of a piece, grey included."""
        return Counter(colour for quad in self.quads for colour in quad)

    @cached_property
    def placements(self) -> dict[Quad, tuple[tuple[int, int], ...]]:
        """Quad as placed -> every (piece, rot) that shows it, by piece and then rot."""
        found: dict[Quad, list[tuple[int, int]]] = {}
        for piece, quad in enumerate(self.quads):
            for rot in range(4):
                found.setdefault(turned(quad, rot), []).append((piece, rot))
        return {quad: tuple(ways) for quad, ways in found.items()}

    @cached_property
    def shapes(self) -> dict[Quad, tuple[int, ...]]:
        """Shape (smallest turn) -> the pieces that have it."""
        found: dict[Quad, list[int]] = {}
        for piece, quad in enumerate(self.quads):
            found.setdefault(shape(quad), []).append(piece)
        return {quad: tuple(pieces) for quad, pieces in found.items()}

    @property
    def sharing_a_shape(self) -> int:
        """How many pieces have at least one other piece of the same shape."""
        return sum(len(pieces) for pieces in self.shapes.values() if len(pieces) > 1)

    @property
    def symmetric_pieces(self) -> tuple[int, ...]:
        """The pieces that some turn other than the full one leaves as they are."""
        return tuple(piece for piece, quad in enumerate(self.quads) if turns_alike(quad) > 1)

    @cached_property
    def is_distinct(self) -> bool:
        """Whether a quad on a board always tells its piece and rot: no copies, no symmetric pieces."""
        return all(len(ways) == 1 for ways in self.placements.values())
