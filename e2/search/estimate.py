"""How large a strict tree is, and how its branches compare, from random probes and from what pieces are left."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from e2.core.quad import BORDER
from e2.errors import SettingsError
from e2.kernels import tables as layout
from e2.kernels.probe import probe
from e2.kernels.rehearse import warm_up
from e2.kernels.tables import Alike, Array, build_tables
from e2.search.shuffle import ranks
from e2.search.tree import PIECES, TURNS, Tree

UNIT_WIDTH, UNIT_PROBES = 16, 4  # for one branch of many
_MOST = 1e150  # nodes of a layer: the spread of larger numbers cannot be told
WIDTH = 1000  # nodes that stand for a layer: the upper layers, which have fewer, are exact


@dataclass(frozen=True)
class Probed:
    """What probes said: nodes with 1, 2, ... pieces on the board, on the average, and the total of each probe."""

    nodes: tuple[float, ...]
    totals: tuple[float, ...]
    solutions: tuple[float, ...]


class Probes:
    """Random probes of one tree. SettingsError where they meet a tree too large for numbers."""

    def __init__(self, tree: Tree, width: int = WIDTH) -> None:
        warm_up("probe")
        self.tree = tree
        alike = Alike(PIECES in tree.merged, TURNS in tree.merged)
        self._tables = build_tables(tree.searched, tree.order, alike=alike)
        self._memory = self._tables.fresh_memory()
        self._code_shift = np.uint64(self._tables.places[layout.CODE_SHIFT])
        depths = max(1, self._tables.depths)
        self._paths, self._drawn = np.zeros((width, depths), np.uint64), np.zeros((width, depths), np.uint64)

    @property
    def depths(self) -> int:
        return self._tables.depths

    def total(self, path: Sequence[int] = (), runs: int = 1, seed: int = 0) -> Probed:
        """The nodes below `path`, by `runs` probes. The same seed gives the same estimate everywhere."""
        rows = np.zeros((runs, self.depths))
        for run in range(runs):
            self._probe(path, self.depths, self._random(seed, run), rows[run])
        solutions = rows[:, -1] if self.depths else np.ones(runs)
        return Probed(tuple(rows.mean(axis=0).tolist()), tuple(rows.sum(axis=1).tolist()), tuple(solutions.tolist()))

    def sample(self, depth: int, seed: int = 0) -> tuple[list[tuple[int, ...]], float]:
        """Paths of up to `width` nodes with `depth` pieces, drawn at random, and how many such nodes there may be.

        Where there are no more than `width` of them, and of all layers above, these are all.
        """
        counts = np.zeros(self.depths)
        standing = self._probe((), depth, self._random(seed, 0), counts)
        paths = (self._paths[:standing, :depth] >> self._code_shift).tolist()
        return [tuple(path) for path in paths], float(counts[depth - 1])

    @staticmethod
    def _random(seed: int, run: int) -> Array:
        return ranks(seed, run, 1) | np.uint64(1)

    def _probe(self, path: Sequence[int], end: int, random: Array, counts: Array) -> int:
        self._paths[0, : len(path)] = self._tables.words[list(path)] if path else 0
        standing = probe(self._memory, self._paths, self._drawn, len(path), end, random, self._tables.places, counts)
        if counts.max(initial=0.0) > _MOST:
            raise SettingsError(
                f"{self.tree.instance.name}: its tree has more than {_MOST:.0e} nodes, too many to tell"
            )
        return int(standing)


@dataclass(frozen=True)
class Branch:
    """A node of the tree as a unit of work: how many nodes are thought to lie below it, with the error of the guess.

    `solutions` is `expected_solutions`, as a logarithm above the best of all branches that it was compared with.
    """

    path: tuple[int, ...]
    nodes: float
    error: float
    solutions: float


@dataclass(frozen=True)
class Cut:
    """The nodes of one depth as units. `is_whole` says that `branches` are all of them, and `count` is exact.

    `count` leaves out nodes after which nothing fits.
    """

    depth: int
    count: float
    is_whole: bool
    branches: tuple[Branch, ...]


def cut_at(tree: Tree, depth: int, most: int, seed: int = 0) -> Cut:
    """The units at `depth`, if there are at most `most`, else a random sample of so many; each judged by probes."""
    if not 1 <= depth < max(2, len(tree.order)):
        raise SettingsError(f"depth {depth}: expected 1 to {len(tree.order) - 1}, the cells that are filled less one")
    paths, standing = Probes(tree, most).sample(depth, seed)
    probes = Probes(tree, UNIT_WIDTH)
    judged = []
    for path in paths:
        totals = np.array(probes.total(path, UNIT_PROBES, seed).totals)
        if totals.any():
            error = float(totals.std(ddof=1)) / math.sqrt(UNIT_PROBES)
            judged.append(Branch(path, float(totals.mean()), error, expected_solutions(tree, path)))
    best = max((branch.solutions for branch in judged), default=0.0)
    branches = tuple(replace(branch, solutions=branch.solutions - best) for branch in judged)
    is_whole = standing == len(paths)
    return Cut(depth, standing * len(judged) / max(1, len(paths)), is_whole, branches)


def expected_solutions(tree: Tree, path: Sequence[int]) -> float:
    """The logarithm of how many solutions lie below `path`, up to what all paths of one length have in common.

    Of all ways to pair the half-seams that are left, those in which every pair agrees: the product of (n - 1)!! over
    the colours, n being how many sides of free pieces and open sides of laid ones show it.
    """
    instance, grid = tree.searched, tree.instance.grid
    laid = {hint.cell: 4 * hint.piece + hint.rot for hint in instance.hints}
    laid |= dict(zip(tree.order, path, strict=False))
    used = {code >> 2 for code in laid.values()}
    free = (quad for piece, quad in enumerate(instance.pieces.quads) if piece not in used)
    sides = Counter(colour for quad in free for colour in quad if colour != BORDER)
    for cell, code in laid.items():
        quad = instance.pieces.placed(code >> 2, code & 3)
        sides.update(
            quad[side] for side in range(4) if (there := grid.neighbour(cell, side)) is not None and there not in laid
        )
    return math.fsum(_log_pairings(count) for count in sides.values())


def _log_pairings(count: int) -> float:
    """The logarithm of (count - 1)!! = (2k)! / (2^k k!) for count = 2k; odd counts lie between."""
    half = count / 2
    return math.lgamma(count + 1) - half * math.log(2) - math.lgamma(half + 1)
