"""`openings`: a beam makes the first rows, a depth-first search with mismatches looks below each of its best states."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from e2.core.instance import Instance
from e2.search.beam import COMB, CONCENTRATION, MISMATCHING
from e2.search.orders import TURN
from e2.search.parameters import checked_parameters
from e2.search.strategy import Parameter, Search, Value


def opening_length(order: Sequence[int], pinned: Collection[int], depth: int = 0) -> int:
    """Free cells among the first `depth` of a fill order; 0 stands for eleven sixteenths of the board."""
    return sum(cell not in pinned for cell in order[: depth or round(len(order) * 11 / 16)])


class Openings:
    """A depth-first search spends the colours of its first rows blindly; a beam keeps those of the last rows few."""

    name = "openings"
    summary = "a beam makes the first rows, depth-first with mismatches below each of its best states"
    parameters: tuple[Parameter, ...] = (
        Parameter("width", 100_000, "width of the beam that makes the openings", least=1),
        Parameter("depth", 0, "cells of an opening, pins included; 0: eleven sixteenths of the board"),
        COMB,
        TURN,
        CONCENTRATION,
        MISMATCHING,
        Parameter("probe", 10_000_000, "nodes after which an opening without a new board is left; 0: never"),
        Parameter("target", 0, "score that ends the search; 0: only a perfect board does"),
    )
    default_nodes = 1_000_000_000
    patience = 600.0

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        from e2.search.openings_search import OpeningsSearch  # brings numba

        return OpeningsSearch(instance, checked_parameters(self.name, self.parameters, parameters), seed)
