"""`strict`: depth-first, and every placement fits all its neighbours."""

from __future__ import annotations

from collections.abc import Mapping

from e2.core.instance import Instance
from e2.search.parameters import checked_parameters
from e2.search.strategy import Parameter, Search, Value

PIECE, SHUFFLED = "piece", "shuffled"

FILL_ORDER = Parameter(
    "fill_order",
    "rows",
    "rows, columns, spiral-in, comb or comb:H (H full rows, then columns), blackwood (16x16), or a list of all cells",
    or_list=True,
)
TURN = Parameter(
    "turn", 0, "quarter turns of the board under the fill order: 2 fills from the bottom up; 4 to 7: mirrored"
)
ORDER = Parameter("order", SHUFFLED, "candidates by piece number, or shuffled by the seed", choices=(PIECE, SHUFFLED))


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
