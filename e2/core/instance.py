"""What a solver is given: a board size, a set of pieces, and hints; and everything that can be wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from e2.core.grid import MAX_SIDE, Grid
from e2.core.pieces import CORNER, FRAME, PieceSet
from e2.core.quad import BORDER, SIDE_NAMES, turned
from e2.errors import PuzzleError


@dataclass(frozen=True, order=True)
class Hint:
    """A pinned placement: `piece` lies on `cell` after `rot` clockwise quarter turns. Never moved."""

    cell: int
    piece: int
    rot: int


@dataclass(frozen=True)
class Instance:
    """A checked puzzle. Make one with `Instance.checked`; hints are sorted by cell."""

    name: str
    width: int
    height: int
    pieces: PieceSet
    hints: tuple[Hint, ...] = ()

    @classmethod
    def checked(cls, name: str, width: int, height: int, pieces: PieceSet, hints: tuple[Hint, ...] = ()) -> Instance:
        """The instance, or a PuzzleError that lists all its faults at once."""
        instance = cls(name, width, height, pieces, tuple(sorted(hints)))
        faults = tuple(instance.faults())
        if faults:
            raise PuzzleError(name, faults)
        return instance

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.width, self.height)

    @property
    def pinned(self) -> dict[int, Hint]:
        """Cell -> hint."""
        return {hint.cell: hint for hint in self.hints}

    def faults(self) -> Iterator[str]:
        """Everything that makes this no puzzle: sizes, counts, colours, hints. Empty for a sound one."""
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            yield f"size {self.width}x{self.height}: each side must be 1 to {MAX_SIDE}"
            return
        if len(self.pieces) != self.grid.cells:
            yield f"{len(self.pieces)} pieces for {self.width}x{self.height} = {self.grid.cells} cells"
        yield from self._piece_faults()
        yield from self._hint_faults()

    def _piece_faults(self) -> Iterator[str]:
        for piece, quad in enumerate(self.pieces.quads):
            if len(quad) != 4 or any(not 0 <= colour < 65535 for colour in quad):
                yield f"piece {piece}: {list(quad)} is not four colours of 0 to 65534"
                return
        if self.width > 1 and self.height > 1:
            for kind, name, due in (
                (CORNER, "corner", 4),
                (FRAME, "frame", 2 * (self.width + self.height) - 8),
            ):
                found = sum(self.pieces.kind(piece) == kind for piece in range(len(self.pieces)))
                if len(self.pieces) == self.grid.cells and found != due:
                    yield f"{found} {name} pieces, a {self.width}x{self.height} board has {due}"
            for piece, quad in enumerate(self.pieces.quads):
                if quad.count(BORDER) == CORNER and quad[0] == quad[2]:
                    yield f"piece {piece}: its two grey sides face each other, so it is no corner"
                elif quad.count(BORDER) > CORNER:
                    yield f"piece {piece}: {quad.count(BORDER)} grey sides fit no cell"
        if len(self.pieces) == self.grid.cells:
            for colour, count in sorted(self.pieces.half_seams.items()):
                if colour != BORDER and count % 2:
                    yield f"colour {colour} stands on {count} sides: an odd count can never be matched in full"

    def _hint_faults(self) -> Iterator[str]:
        cells: set[int] = set()
        pieces: set[int] = set()
        for hint in self.hints:
            name = f"hint at {hint.cell}"
            if not 0 <= hint.cell < self.grid.cells:
                yield f"{name}: cells are 0 to {self.grid.cells - 1}"
                continue
            if not 0 <= hint.piece < len(self.pieces):
                yield f"{name}: piece {hint.piece} is not in the set (0 to {len(self.pieces) - 1})"
                continue
            if not 0 <= hint.rot < 4:
                yield f"{name}: rot {hint.rot} is not 0 to 3"
                continue
            if hint.cell in cells:
                yield f"{name}: the cell is pinned twice"
            if hint.piece in pieces:
                yield f"{name}: piece {hint.piece} is pinned twice"
            cells.add(hint.cell)
            pieces.add(hint.piece)
            quad = turned(self.pieces.quads[hint.piece], hint.rot)
            rim = self.grid.rim_sides(hint.cell)
            for side in range(4):
                if (quad[side] == BORDER) != (side in rim):
                    where = "the rim" if side in rim else "the inside"
                    colour = "grey" if quad[side] == BORDER else f"colour {quad[side]}"
                    yield f"{name}: piece {hint.piece} at rot {hint.rot} turns {colour} {SIDE_NAMES[side]}, to {where}"
