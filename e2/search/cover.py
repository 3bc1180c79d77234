"""`cover`: edge matching as exact cover with colours, on small boards."""

from __future__ import annotations

from collections.abc import Mapping

from e2.core.instance import Instance
from e2.search.orders import ORDER
from e2.search.parameters import checked_parameters
from e2.search.strategy import Parameter, Search, Value


class Cover:
    """Solves and counts small boards by the cell or the piece with the fewest placements left."""

    name = "cover"
    summary = "exact cover: the cell or piece with the fewest placements left; solves and counts small boards"
    parameters: tuple[Parameter, ...] = (
        ORDER,
        Parameter("exhaustive", False, "go on after a solution, until the whole tree is searched"),
    )
    default_nodes = 100_000_000
    patience = 0.0

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        from e2.search.cover_search import CoverSearch  # brings numba

        return CoverSearch(instance, checked_parameters(self.name, self.parameters, parameters), seed)
