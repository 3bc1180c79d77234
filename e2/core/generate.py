"""Seeded solvable instances: colour every seam of a board, cut it into pieces, shuffle and turn them."""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass

from e2.core.grid import MAX_SIDE, Grid, Seam
from e2.core.instance import Hint, Instance
from e2.core.pieces import PieceSet
from e2.core.quad import BORDER, Quad, opposite, shape, turned, turns_alike
from e2.errors import SettingsError

_REPAIRS = 3_000
"""Seam swaps that are tried to make all pieces distinct before copies are accepted."""


class SplitMix64:
    """The SplitMix64 generator: the same numbers on every machine and every Python.

    Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & 0xFFFFFFFFFFFFFFFF

    def below(self, bound: int) -> int:
        """A number of 0..bound-1. The bias is under bound / 2**64."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        return (mixed ^ mixed >> 31) % bound

    def shuffle(self, items: MutableSequence[int]) -> None:
        """Fisher-Yates, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


@dataclass(frozen=True)
class Planted:
    """A generated instance and the board that proves it solvable: `codes` as in `Board.codes`."""

    instance: Instance
    codes: tuple[int, ...]


def generated(width: int, height: int, colours: int, seed: int, *, framed: bool = False, pins: int = 0) -> Planted:
    """A solvable instance of `width` x `height` with `colours` colours, each used as evenly as can be.

    With `framed`, seams between two frame cells have colours of their own, as in the official set; it has 5 of 22, and
    so has any other number in proportion. `pins` placements of the planted board become hints. Pieces are distinct up
    to rotation where a search of seam swaps finds a way; `PieceSet.is_distinct` says whether it did.
    """
    _check(width, height, colours, framed, pins)
    grid = Grid(width, height)
    random = SplitMix64(seed)
    groups = _seam_groups(grid, framed)
    seam_colours = [BORDER] * len(grid.seams)
    first = 1
    for group, count in zip(groups, _palette(colours, framed), strict=True):
        spread = [first + position % count for position in range(len(group))]
        random.shuffle(spread)
        for seam, colour in zip(group, spread, strict=True):
            seam_colours[seam] = colour
        first += count
    colouring = _Colouring(grid, seam_colours)
    _make_distinct(colouring, groups, random)
    return _cut(grid, colouring.quads(), random, _name(grid, colours, seed, framed, pins), pins)


def _check(width: int, height: int, colours: int, framed: bool, pins: int) -> None:
    for name, side in (("width", width), ("height", height)):
        if not 2 <= side <= MAX_SIDE:
            raise SettingsError(f"size: {name} {side} is not 2 to {MAX_SIDE}")
    least = 2 if framed else 1
    if not least <= colours <= 65534:
        raise SettingsError(
            f"colours: {colours} is not {least} to 65534" + (" (framed needs two kinds)" if framed else "")
        )
    if not 0 <= pins <= width * height:
        raise SettingsError(f"pins: {pins} is not 0 to {width * height}, the number of cells")


def _palette(colours: int, framed: bool) -> tuple[int, ...]:
    """How many colours each group of seams has."""
    if not framed:
        return (colours,)
    frame = min(colours - 1, max(1, round(colours * 5 / 22)))
    return frame, colours - frame


def _seam_groups(grid: Grid, framed: bool) -> tuple[list[int], ...]:
    """Indices into `grid.seams`: frame seams and others when framed, else all in one group."""
    if not framed:
        return (list(range(len(grid.seams))),)
    frame = [index for index, seam in enumerate(grid.seams) if _is_frame_seam(grid, seam)]
    return frame, sorted(set(range(len(grid.seams))) - set(frame))


def _is_frame_seam(grid: Grid, seam: Seam) -> bool:
    return grid.is_frame_cell(seam.cell) and grid.is_frame_cell(seam.neighbour)


class _Colouring:
    """A colour for every seam, and what the cells show then; knows its faults: copies and symmetric pieces."""

    def __init__(self, grid: Grid, colours: Sequence[int]) -> None:
        self.grid = grid
        self.colours = list(colours)
        self.seams_of: list[list[int]] = [[] for _ in range(grid.cells)]
        self._sides = [[BORDER] * 4 for _ in range(grid.cells)]
        for index, seam in enumerate(grid.seams):
            self.seams_of[seam.cell].append(index)
            self.seams_of[seam.neighbour].append(index)
            self._paint(index)
        self._shapes = [shape(quad) for quad in self.quads()]
        self._copies = Counter(self._shapes)
        self.faults = len(self.faulty_cells())

    def quads(self) -> list[Quad]:
        """What every cell shows."""
        return [(up, right, down, left) for up, right, down, left in self._sides]

    def faulty_cells(self) -> list[int]:
        """Cells whose piece has a copy or looks the same after a turn."""
        copies = self._copies
        return [cell for cell, shown in enumerate(self._shapes) if copies[shown] > 1 or turns_alike(shown) > 1]

    def swap(self, one: int, other: int) -> None:
        """Swap the colours of two seams; `faults` follows, counted on the cells that change and their copies."""
        cells = {
            cell for index in (one, other) for cell in (self.grid.seams[index].cell, self.grid.seams[index].neighbour)
        }
        self.colours[one], self.colours[other] = self.colours[other], self.colours[one]
        self._paint(one)
        self._paint(other)
        for cell in sorted(cells):
            up, right, down, left = self._sides[cell]
            self.faults -= self._cost(self._shapes[cell])
            self._copies[self._shapes[cell]] -= 1
            self._shapes[cell] = shape((up, right, down, left))
            self._copies[self._shapes[cell]] += 1
            self.faults += self._cost(self._shapes[cell])

    def _paint(self, index: int) -> None:
        seam = self.grid.seams[index]
        self._sides[seam.cell][seam.side] = self.colours[index]
        self._sides[seam.neighbour][opposite(seam.side)] = self.colours[index]

    def _cost(self, smallest: Quad) -> int:
        """Faults that vanish with one piece of this shape: itself, and the last copy left beside it."""
        copies = self._copies[smallest]
        if turns_alike(smallest) > 1:
            return 1
        return {0: 0, 1: 0, 2: 2}.get(copies, 1)


def _make_distinct(colouring: _Colouring, groups: tuple[list[int], ...], random: SplitMix64) -> None:
    """Swap colours between seams until no two pieces share a shape and none is symmetric, or the tries run out.

    A swap within a group keeps how often each colour is used. One is kept if it does not raise the number of faults.
    """
    group_of = {seam: group for group in groups for seam in group}
    for _ in range(_REPAIRS):
        faulty = colouring.faulty_cells()
        if not faulty:
            return
        seams = colouring.seams_of[faulty[random.below(len(faulty))]]
        one = seams[random.below(len(seams))]
        other = group_of[one][random.below(len(group_of[one]))]
        faults = colouring.faults
        colouring.swap(one, other)
        if colouring.faults > faults:
            colouring.swap(one, other)


def _cut(grid: Grid, quads: Sequence[Quad], random: SplitMix64, name: str, pins: int) -> Planted:
    """Shuffle the pieces, turn each, and pin some cells."""
    piece_at = list(range(grid.cells))
    random.shuffle(piece_at)
    rots = [random.below(4) for _ in range(grid.cells)]
    catalogue: list[Quad] = [(0, 0, 0, 0)] * grid.cells
    for cell, quad in enumerate(quads):
        catalogue[piece_at[cell]] = turned(quad, -rots[cell])
    cells = list(range(grid.cells))
    random.shuffle(cells)
    hints = tuple(Hint(cell, piece_at[cell], rots[cell]) for cell in cells[:pins])
    instance = Instance.checked(name, grid.width, grid.height, PieceSet(tuple(catalogue)), hints)
    return Planted(instance, tuple(4 * piece + rot for piece, rot in zip(piece_at, rots, strict=True)))


def _name(grid: Grid, colours: int, seed: int, framed: bool, pins: int) -> str:
    name = f"planted_{grid.width}x{grid.height}_c{colours}_s{seed}"
    return name + ("_framed" if framed else "") + (f"_p{pins}" if pins else "")
