"""`breaks`: depth-first with a schedule of how many seams may be mismatched at each depth."""

from __future__ import annotations

from collections.abc import Mapping

from e2.core.instance import Instance
from e2.search.ladders import BLACKWOOD, BLACKWOOD_OLD, LADDERS, NO_QUOTA
from e2.search.orders import FILL_ORDER, ORDER, TURN
from e2.search.parameters import checked_parameters
from e2.search.strategy import Parameter, Search, Value

MODEL = "model"


class Breaks:
    """Looks for high scores where no perfect board is in reach."""

    name = "breaks"
    summary = "depth-first with a schedule of mismatched seams: high scores where no perfect board is in reach"
    parameters: tuple[Parameter, ...] = (
        FILL_ORDER,
        TURN,
        ORDER,
        Parameter(
            "schedule",
            MODEL,
            "model: the cheapest by expected nodes, tightened after every board; the name of a published one; or the "
            "depths (counted from 1, pins included) from which one more seam may be mismatched",
            choices=(MODEL, *LADDERS),
            or_list=True,
        ),
        Parameter(
            "favoured", [], "colours to use up first: pieces that show them are tried first; 5,7,20 by Blackwood"
        ),
        Parameter(
            "quota",
            NO_QUOTA,
            "sides of favoured colours that the pieces so far must show: none, blackwood, blackwood-old (for 16x16), "
            "or pairs of a depth (from 1, pins included) and the sides due from there on",
            choices=(NO_QUOTA, BLACKWOOD, BLACKWOOD_OLD),
            or_list=True,
        ),
        Parameter("prune", 0, "depth from which the colours left are held against the open sides; 0: never"),
        Parameter("probe", 2_500_000, "nodes after which an opening that hangs is dropped; 0: never"),
        Parameter("restart", 50_000_000, "nodes until the search starts again, shuffled anew; 0: never"),
        Parameter("target", 0, "score that ends the search; 0: only a perfect board does"),
    )
    default_nodes = 1_000_000_000
    patience = 0.0

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        from e2.search.depth_first import BreaksSearch  # brings numba

        return BreaksSearch(instance, checked_parameters(self.name, self.parameters, parameters), seed)
