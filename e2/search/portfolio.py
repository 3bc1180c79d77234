"""`portfolio`: a quick beam, a wide one, then repair of the best board until the budget is used."""

from __future__ import annotations

from collections.abc import Mapping

from e2.core.instance import Instance
from e2.search.beam import MISMATCHING, width_for
from e2.search.parameters import checked_parameters
from e2.search.strategy import Parameter, Search, Value

WIDTH = Parameter("width", 200_000, "states that go on in the wide beam: twice as many take twice as long", least=1)


class Portfolio:
    """What to run when nothing else is asked for."""

    name = "portfolio"
    summary = "a quick beam, a wide one, then repair; every seed looks from another side"
    parameters: tuple[Parameter, ...] = (
        WIDTH,
        MISMATCHING,
        Parameter("side", -1, "quarter turns of the board under the fill order, 0 to 3; -1: by seed", least=-1),
    )
    default_nodes = 10_000_000_000
    patience = 3600.0

    def suited(
        self, parameters: Mapping[str, Value], instance: Instance, seconds: float | None, nodes: int | None
    ) -> dict[str, Value]:
        width = width_for(instance, 0.5, seconds, nodes)  # repair has the rest
        return dict(parameters) if width is None else {"width": width, **parameters}

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        from e2.search.stages import StagedSearch  # brings numba

        return StagedSearch(instance, checked_parameters(self.name, self.parameters, parameters), seed)
