"""`strict`: depth-first, and every placement fits all its neighbours."""

from __future__ import annotations

from collections.abc import Mapping

from e2.core.instance import Instance
from e2.search.orders import FILL_ORDER, ORDER, TURN
from e2.search.parameters import checked_parameters
from e2.search.strategy import Parameter, Search, Value


class Strict:
    """Solves, counts, and proves that there is no solution."""

    name = "strict"
    summary = "depth-first, every placement fits: solves, counts, and proves that there is no solution"
    parameters: tuple[Parameter, ...] = (
        FILL_ORDER,
        TURN,
        ORDER,
        Parameter("restart", 0, "nodes until the search starts again, shuffled anew; 0: never"),
        Parameter("exhaustive", False, "go on after a solution, until the whole tree is searched"),
    )
    default_nodes = 1_000_000_000
    patience = 0.0

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        from e2.search.depth_first import StrictSearch  # brings numba

        return StrictSearch(instance, checked_parameters(self.name, self.parameters, parameters), seed)
