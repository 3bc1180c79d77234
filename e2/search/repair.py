"""`repair`: take a full board, free a region around a mismatched seam, fill it again with no more mismatches."""

from __future__ import annotations

from collections.abc import Mapping

from e2.core.instance import Instance
from e2.search.parameters import checked_parameters
from e2.search.strategy import Parameter, Search, Value

START = Parameter("start", [], "codes of the board to repair, -1 for an empty cell; [] begins with one of the seed")
STALL = Parameter("stall", 0, "nodes without a better board that end the search; 0: none do", least=0)


class Repair:
    """Lifts the boards that others have made."""

    name = "repair"
    summary = "frees regions around mismatched seams and fills them again by small beams: lifts the boards of others"
    parameters: tuple[Parameter, ...] = (
        START,
        Parameter("mend", False, "take the placements that break a rule off the start, in place of refusing it"),
        Parameter("width", 500, "states that go on from each cell of a region", least=1),
        Parameter("least", 20, "cells of a region, at least", least=1),
        Parameter("most", 60, "cells of a region, at most 64", least=1),
        Parameter("great", 8_000, "width of the beams that fill a great part of the board again in between; 0: none"),
        Parameter("population", 1, "boards that drift side by side", least=1),
        Parameter("ways", 1.0, "weight of the ways to join what is left, against matched seams"),
        Parameter("noise", 1.0, "random part of a state's key, in seams"),
        STALL,
    )
    default_nodes = 200_000_000
    patience = 30.0

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        from e2.search.repair_search import RepairSearch  # brings numba

        return RepairSearch(instance, checked_parameters(self.name, self.parameters, parameters), seed)
