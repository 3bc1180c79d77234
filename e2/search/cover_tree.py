"""Trees of exact cover as values: of any problem, and of a board."""

from __future__ import annotations

import hashlib
import zlib
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


@dataclass(frozen=True)
class CoverTree:
    """All solutions of a problem whose options share secondary items as `crossing` says, of crossing.CROSSINGS.

    A path is options by number. The names of items and colours make no difference. `packed` are the options: a large
    problem is sent with every slice, and laid out only where it is not known yet.
    """

    id: str
    primary: int
    items: int
    codes: int
    depths: int
    packed: bytes  # zlib of int32: starts, items and colours of kernels.cover_tables.Options
    crossing: str = ANY
    is_whole = False
    merged = frozenset[str]()
    apart = 1

    @classmethod
    def of(cls, problem: CoverProblem, crossing: str = ANY) -> CoverTree:
        options = laid_out(problem)
        primary, items, codes = options.primary, options.items, len(options)
        numbers = np.concatenate((options.starts, options.item, options.colour)).astype("<i4").tobytes()
        # The name is that of the options, not of their compressed form, which may differ between machines.
        digest = hashlib.sha256(f"cover {primary} {items} {codes} {crossing}\n".encode() + numbers)
        return cls(digest.hexdigest()[:16], primary, items, codes, options.depths, zlib.compress(numbers, 1), crossing)

    def path_of(self, codes: Sequence[int]) -> Path:
        raise AssertionError("a cover of a problem is no board")

    def search(self) -> CoverUnits:
        from e2.search.cover_units import CoverUnits

        numbers = np.frombuffer(zlib.decompress(self.packed), "<i4").astype(np.int64)
        starts = numbers[: self.codes + 1]
        item, colour = numbers[self.codes + 1 :].reshape(2, -1)
        return CoverUnits(build_cover(Options(self.primary, self.items, starts, item, colour)), crossing=self.crossing)


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
