"""Counters of a search. They add, so any worker may stop anywhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchStats:
    """What one bite of search did. Bites add up in any order."""

    nodes: int = 0  # pieces placed; pinned hints are not nodes
    solutions: int = 0  # boards with every cell filled and every seam matched that a strict search met
    restarts: int = 0
    max_depth: int = 0  # cells filled by the search at the deepest point

    def __add__(self, other: SearchStats) -> SearchStats:
        return SearchStats(
            self.nodes + other.nodes,
            self.solutions + other.solutions,
            self.restarts + other.restarts,
            max(self.max_depth, other.max_depth),
        )
