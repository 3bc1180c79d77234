"""Trees of exact cover as values: of any problem, and of a board."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from e2.core.cover import CoverProblem
from e2.core.fingerprint import instance_hash
from e2.core.instance import Instance
from e2.kernels.cover_tables import Options, build_cover, laid_out
from e2.search.crossing import ANY
from e2.search.units import Path

if TYPE_CHECKING:
    from e2.search.cover_units import CoverUnits

_BITE = 2_000_000  # nodes between two looks at the keyboard: a second or less on small problems


@dataclass(frozen=True, eq=False)
class CoverTree:
    """All solutions of a problem whose options share secondary items as `crossing` says, of crossing.CROSSINGS.

    A path is options by number. The names of items and colours make no difference.
    """

    options: Options
    crossing: str = ANY
    is_whole = False
    merged = frozenset[str]()
    apart = 1

    @classmethod
    def of(cls, problem: CoverProblem, crossing: str = ANY) -> CoverTree:
        return cls(laid_out(problem), crossing)

    @cached_property
    def id(self) -> str:
        options = self.options
        digest = hashlib.sha256(f"cover {options.primary} {options.items} {self.crossing}".encode())
        for numbers in (options.starts, options.item, options.colour):
            digest.update(numbers.astype("<i8").tobytes())
        return digest.hexdigest()[:16]

    @property
    def depths(self) -> int:
        return self.options.depths

    @property
    def codes(self) -> int:
        return len(self.options)

    def path_of(self, codes: Sequence[int]) -> Path:
        raise AssertionError("a cover of a problem is no board")

    def search(self) -> CoverUnits:
        from e2.search.cover_units import CoverUnits

        given = self.options
        # Where the tree came from another process its arrays may be read-only, for which kernels are not compiled.
        arrays = (np.array(numbers) for numbers in (given.starts, given.item, given.colour))
        return CoverUnits(build_cover(Options(given.primary, given.items, *arrays)), crossing=self.crossing)


@dataclass(frozen=True)
class BoardCover:
    """All ways to fill a board, by exact cover: the cell or the piece with the fewest placements left comes first.

    A path is placements by number. Pins are no nodes.
    """

    instance: Instance
    is_whole = True
    merged = frozenset[str]()
    apart = 1

    @cached_property
    def id(self) -> str:
        return hashlib.sha256(f"cover {instance_hash(self.instance)}".encode()).hexdigest()[:16]

    @property
    def depths(self) -> int:
        return self.instance.grid.cells - len(self.instance.hints)

    @cached_property
    def codes(self) -> int:
        from e2.search.cover_search import cover_layout

        return len(cover_layout(self.instance).codes)

    def path_of(self, codes: Sequence[int]) -> Path:
        """The codes: which board comes first in the tree is nothing that anybody asks of a count by cover."""
        return tuple(codes)

    def search(self) -> CoverUnits:
        from e2.search.cover_search import cover_layout, hints_that_match
        from e2.search.cover_units import CoverUnits

        layout = cover_layout(self.instance)
        with hints_that_match():
            return CoverUnits(layout.tables, layout.pins(self.instance), board=layout.board)


def count_covers(problem: CoverProblem, crossing: str = ANY) -> int:
    """How many solutions a problem has whose options share secondary items as `crossing` says."""
    search, solutions = CoverTree.of(problem, crossing).search(), 0
    search.open(())
    while not search.finished:
        solutions += search.run(_BITE).solutions
    return solutions
