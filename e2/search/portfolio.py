"""`portfolio`: a quick beam, openings, a wide beam, then repair of the best board until the budget is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from e2.core.instance import Instance
from e2.search.beam import COMB, MISMATCHING, beam_memory, width_for
from e2.search.fill_order import SIDES
from e2.search.parameters import checked_parameters
from e2.search.repair import STALL, START
from e2.search.strategy import Budget, Parameter, Search, Value

WIDTH = Parameter("width", 200_000, "states that go on in the wide beam: twice as many take twice as long", least=1)

_BEAM_SHARE = 0.25  # of the time, at the pace of width_for; openings take somewhat longer, repair has the rest
_ROUND = 150.0  # seconds of one core, as they would pass in a wide beam of 450,000 and its repair: some 90 pass
_STALL = 400_000_000  # nodes, 40 seconds: where repair has found nothing for so long, another side is worth more


class Portfolio:
    """What to run when nothing else is asked for."""

    name = "portfolio"
    summary = "a quick beam, openings, a wide beam, then repair; every seed looks from another side"
    parameters: tuple[Parameter, ...] = (
        WIDTH,
        MISMATCHING,
        Parameter("side", -1, "turn of the beams' fill order, 0 to 7; -1: by seed", least=-1),
        replace(STALL, meaning="nodes of repair without a better board that end the search; 0: none do"),
        replace(START, meaning="codes of a board to repair in place of what the beams would find; []: none"),
    )
    default_nodes = 10_000_000_000
    patience = 3600.0

    def suited(self, parameters: Mapping[str, Value], instance: Instance, budget: Budget) -> dict[str, Value]:
        suited: dict[str, Value] = {}
        if budget.memory is not None and budget.nodes is None:
            budget = replace(budget, nodes=self.default_nodes)  # memory alone would leave none for repair
        if budget.seconds is not None and budget.seconds >= 2 * _ROUND:
            budget = replace(budget, seconds=_ROUND)
            suited["stall"] = _STALL
        width = width_for(instance, _BEAM_SHARE, budget)
        return (suited if width is None else {"width": width, **suited}) | dict(parameters)

    def memory(self, parameters: Mapping[str, Value], instance: Instance) -> int:
        from e2.search.stages import stage_widths

        checked = checked_parameters(self.name, self.parameters, parameters)
        width, side = checked["width"], checked["side"]
        assert isinstance(width, int)
        assert isinstance(side, int)
        turns = range(SIDES) if side < 0 else (side,)
        widest = max(max(stage_widths(instance, width, turn).values()) for turn in turns)
        return beam_memory(instance, widest, COMB.default, 0)

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        from e2.search.stages import StagedSearch  # brings numba

        return StagedSearch(instance, checked_parameters(self.name, self.parameters, parameters), seed)
