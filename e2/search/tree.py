"""A strict search tree as a value: what decides which nodes and solutions it has, and nothing else."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from e2.core.fingerprint import instance_hash
from e2.core.instance import Hint, Instance
from e2.core.quad import BORDER, shape, turns_alike
from e2.errors import SettingsError

if TYPE_CHECKING:
    from e2.search.tree_search import TreeSearch

PIECES, TURNS, BOARD = "pieces", "turns", "board"
MERGES = (PIECES, TURNS, BOARD)
"""What may count once: equal pieces in each other's place, turns of a piece that look the same, turns of the board."""


@dataclass(frozen=True)
class Tree:
    """All ways to fill `cells` one after the other with pieces that match. Pins are skipped.

    `merged` names what counts once, of MERGES.
    """

    instance: Instance
    cells: tuple[int, ...]
    merged: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if BOARD in self.merged:
            self._corner()

    @cached_property
    def id(self) -> str:
        """SHA-256 (16 hex digits) of puzzle, cells and what is merged: trees with the same id are the same."""
        parts = [instance_hash(self.instance), " ".join(map(str, self.order)), " ".join(sorted(self.merged))]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The cells that are filled, in order, without pins."""
        return tuple(cell for cell in self.cells if cell not in self.searched.pinned)

    @property
    def depths(self) -> int:
        """How many cells there are to fill."""
        return len(self.order)

    @property
    def codes(self) -> int:
        """How many placement codes there are."""
        return 4 * len(self.instance.pieces)

    def search(self) -> TreeSearch:
        from e2.search.tree_search import TreeSearch  # brings numba

        return TreeSearch(self)

    def path_of(self, codes: Sequence[int]) -> tuple[int, ...]:
        """The path to a board that is given by cell. Depth-first, boards are met in the order of their paths."""
        return tuple(codes[cell] for cell in self.order)

    @property
    def is_whole(self) -> bool:
        """Whether a solution fills the board."""
        return len(self.order) + len(self.searched.hints) == self.instance.grid.cells

    @cached_property
    def searched(self) -> Instance:
        """The instance with a corner pinned, where turns of the board count once."""
        if BOARD not in self.merged:
            return self.instance
        pin = Hint(0, *self._corner())
        return Instance(self.instance.name, self.instance.width, self.instance.height, self.instance.pieces, (pin,))

    @cached_property
    def apart(self) -> int | None:
        """How many solutions counted apart each one stands for; None where not all stand for as many."""
        factor = 1
        if self.merged & {PIECES, TURNS}:
            if not self.is_whole:
                return 1 if self.instance.pieces.is_distinct else None
            pinned = {hint.piece for hint in self.searched.hints}
            free = [quad for piece, quad in enumerate(self.instance.pieces.quads) if piece not in pinned]
            if PIECES in self.merged:
                factor *= math.prod(math.factorial(copies) for copies in Counter(map(shape, free)).values())
            if TURNS in self.merged:
                factor *= math.prod(map(turns_alike, free))
        return 4 * factor if BOARD in self.merged else factor

    def _corner(self) -> tuple[int, int]:
        """Piece and rot of the corner that stays in the top left: the least of those that there is only one of."""
        grid = self.instance.grid
        if grid.width != grid.height or self.instance.hints or set(self.cells) != set(range(grid.cells)):
            raise SettingsError("turns of the board count once on whole square boards without hints")
        corners = [
            (self.instance.pieces.placed(piece, rot), piece, rot)
            for piece in range(len(self.instance.pieces))
            for rot in range(4)
            if self._grey_sides(piece, rot) == grid.rim_sides(0)
        ]
        kinds = Counter(quad for quad, _, _ in corners)
        # Where equal pieces count apart, any corner is the only one of its name.
        for quad, piece, rot in sorted(corners):
            if kinds[quad] == 1 or PIECES not in self.merged:
                return piece, rot
        raise SettingsError(
            "turns of the board count once where a corner piece is unlike the others; here each has a copy"
        )

    def _grey_sides(self, piece: int, rot: int) -> Sequence[int]:
        quad = self.instance.pieces.placed(piece, rot)
        return tuple(side for side in range(4) if quad[side] == BORDER)
