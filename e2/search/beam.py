"""`beam`: the best states of every layer go on, whatever they cost before; one pass, no way back."""

from __future__ import annotations

from collections.abc import Mapping

from e2.core.instance import Instance
from e2.search.backtrack import TURN
from e2.search.parameters import checked_parameters
from e2.search.strategy import Parameter, Search, Value

WIDTH = Parameter("width", 20_000, "states that go on from each layer: twice as many take twice as long", least=1)
CONCENTRATION = Parameter("concentration", 0.4, "weight of keeping the colours of the unused pieces few; 0: score only")
MISMATCHING = Parameter("mismatching", 32, "children with a mismatch of one state, at most", least=0)
COMB = Parameter(
    "fill_order",
    "comb",
    "rows, columns, spiral-in, comb or comb:H (H full rows, then columns), or a list of all cells",
    or_list=True,
)


_STATES_A_SECOND = 3_000_000  # states extended by one cell, on one core of an ordinary machine
_NODES_A_STATE = 4.5  # children made of one state, with the default of mismatching ones
_NARROWEST, _WIDEST = 100, 1_200_000
"""Beyond the widest, two beams from different sides give more than one of twice the width."""


def width_for(instance: Instance, share: float, seconds: float | None, nodes: int | None) -> int | None:
    """The width of a beam that takes about `share` of the time and of the nodes there are on one core.

    None where neither is limited. Only a guess, made once: the width decides the result, not the time it took.
    """
    layers = max(1, instance.grid.cells - len(instance.hints))
    widths = []
    if seconds is not None:
        widths.append(share * seconds * _STATES_A_SECOND / layers)
    if nodes is not None:
        widths.append(share * nodes / (_NODES_A_STATE * layers))
    return min(max(int(min(widths)), _NARROWEST), _WIDEST) if widths else None


class Beam:
    """Good boards in one pass."""

    name = "beam"
    summary = "layer by layer, the best states go on: very good boards in one pass, memory as wide as the beam"
    parameters: tuple[Parameter, ...] = (WIDTH, COMB, TURN, CONCENTRATION, MISMATCHING)
    default_nodes = 1 << 60  # it ends by itself
    patience = 3600.0

    def suited(
        self, parameters: Mapping[str, Value], instance: Instance, seconds: float | None, nodes: int | None
    ) -> dict[str, Value]:
        width = width_for(instance, 0.8, seconds, nodes)
        return dict(parameters) if width is None else {"width": width, **parameters}

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        from e2.search.beam_search import BeamSearch  # brings numba

        return BeamSearch(instance, checked_parameters(self.name, self.parameters, parameters), seed)
