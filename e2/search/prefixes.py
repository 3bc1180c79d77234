"""A strict search tree cut into disjoint, complete work units.

The tree is searched down to one depth; each node there with something left to try becomes the state of a search that
never steps back above it. So the upper tree and all units together make exactly the nodes and solutions of the single
search, whoever runs them and in whatever order.
"""

from __future__ import annotations

from collections.abc import Mapping

from e2.core.instance import Instance
from e2.errors import SettingsError
from e2.search.backtrack import Strict
from e2.search.parameters import checked_parameters
from e2.search.stats import SearchStats
from e2.search.strategy import Value

_UPPER_NODES = 5_000_000
"""The upper tree is searched by one process before anybody else can start, so it is kept to a second."""


def split(
    instance: Instance, parameters: Mapping[str, Value], wanted: int, seed: int = 0
) -> tuple[SearchStats, list[bytes]]:
    """What the upper tree did, and the states of the units: at least `wanted`, where the tree has that many.

    `parameters` are those of a strict search with `exhaustive`; a unit is opened as a task with the same ones. The cut
    is as high up as gives enough units; a tree that never grows so wide is cut where it is widest.
    """
    if wanted < 1:
        raise SettingsError(f"{wanted} units; expected 1 or more")
    if not parameters.get("exhaustive"):
        raise SettingsError("units add up only for a search of the whole tree; expected exhaustive = true")
    from e2.search.depth_first import StrictSearch  # brings numba

    checked = checked_parameters(Strict.name, Strict.parameters, parameters)
    search = StrictSearch(instance, checked, seed)
    best = SearchStats(), [search.state()]
    for depth in range(1, search.depths):
        cut = StrictSearch(instance, checked, seed).cut(depth, _UPPER_NODES)
        if cut is None:
            break
        if len(cut[1]) > len(best[1]) or not cut[1]:
            best = cut
        if len(best[1]) >= wanted or not cut[1]:
            break
    return best
