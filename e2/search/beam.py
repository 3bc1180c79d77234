"""`beam`: the best states of every layer go on, whatever they cost before; one pass, no way back."""

from __future__ import annotations

from collections.abc import Mapping

from e2.core.instance import Instance
from e2.search.fill_order import fill_order
from e2.search.orders import TURN
from e2.search.parameters import checked_parameters
from e2.search.strategy import Budget, Parameter, Search, Value

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
NODES_A_STATE = 4.5  # children made of one state, with the default of mismatching ones
_NARROWEST, _WIDEST = 100, 1_200_000
"""Beyond the widest, two beams from different sides give more than one of twice the width."""
_WORKER_BYTES = 200_000_000  # a worker without a beam: 150 to 190 MB


def beam_memory(instance: Instance, width: int, spec: Value, turn: int) -> int:
    """Bytes that a worker takes at the peak of a beam of this width and fill order."""
    from e2.kernels.beam_tables import build_beam_tables  # brings numba
    from e2.kernels.layers import beam_bytes

    assert isinstance(spec, str | list)
    return _WORKER_BYTES + beam_bytes(build_beam_tables(instance, fill_order(instance.grid, spec, turn)), width)


def width_for(
    instance: Instance, share: float, budget: Budget, spec: Value = COMB.default, turn: int = 0
) -> int | None:
    """The width of a beam that takes about `share` of the budget's time and nodes, and fits into its memory.

    None where nothing is limited. Of time only a guess, made once: the width decides the result, not the time it took.
    Memory alone is taken to be meant: the width is then what fits, however long that takes.
    """
    layers = max(1, instance.grid.cells - len(instance.hints))
    states = []  # a layer
    if budget.seconds is not None:
        states.append(share * budget.seconds * _STATES_A_SECOND / layers)
    if budget.nodes is not None:
        states.append(share * budget.nodes / (NODES_A_STATE * layers))
    widths = [min(max(int(min(states)), _NARROWEST), _WIDEST)] if states else []
    if budget.memory is not None:
        none, one = (beam_memory(instance, width, spec, turn) for width in (0, 1))
        widths.append(max(1, (budget.memory - none) // (one - none)))
    return min(widths, default=None)


class Beam:
    """Good boards in one pass."""

    name = "beam"
    summary = "layer by layer, the best states go on: very good boards in one pass, memory as wide as the beam"
    parameters: tuple[Parameter, ...] = (WIDTH, COMB, TURN, CONCENTRATION, MISMATCHING)
    default_nodes = 1 << 60  # it ends by itself
    patience = 3600.0

    def suited(self, parameters: Mapping[str, Value], instance: Instance, budget: Budget) -> dict[str, Value]:
        _, spec, turn = self._shape(parameters)
        width = width_for(instance, 0.8, budget, spec, turn)
        return dict(parameters) if width is None else {"width": width, **parameters}

    def memory(self, parameters: Mapping[str, Value], instance: Instance) -> int:
        return beam_memory(instance, *self._shape(parameters))

    def _shape(self, parameters: Mapping[str, Value]) -> tuple[int, Value, int]:
        """The width, the fill order and its turn."""
        checked = checked_parameters(self.name, self.parameters, parameters)
        width, turn = checked["width"], checked["turn"]
        assert isinstance(width, int)
        assert isinstance(turn, int)
        return width, checked["fill_order"], turn

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        from e2.search.beam_search import BeamSearch  # brings numba

        return BeamSearch(instance, checked_parameters(self.name, self.parameters, parameters), seed)
