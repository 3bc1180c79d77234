"""One number that changes when a search does: nodes of every registered strategy on a few small boards."""

from __future__ import annotations

from e2.bench.report import Report
from e2.core.generate import generated
from e2.core.instance import Instance
from e2.search import STRATEGIES, open_search
from e2.search.strategy import Strategy, Value
from e2.search.task import Task

_NODES = 100_000  # the most of one search, which ends earlier at a perfect board or the end of its tree
_BITE = 1_000
_LIGHT: dict[str, Value] = {"width": 20, "exhaustive": True}
"""What keeps a search short, and what makes it tell the whole tree; for strategies that have such a parameter."""


def signature_report() -> Report:
    """The sum over all strategies, and each strategy's part in it."""
    parts = {strategy.name: strategy_nodes(strategy) for strategy in STRATEGIES}
    signature = sum(parts.values())
    lines = (*(f"{name:12} {nodes:10}" for name, nodes in parts.items()), f"{'signature':12} {signature:10}")
    return Report("signature", lines, ({"strategies": parts, "signature": signature},), "nodes", tuple(parts.items()))


def strategy_nodes(strategy: Strategy) -> int:
    """Nodes of one strategy on all boards of the signature."""
    known = {parameter.name for parameter in strategy.parameters}
    parameters = {name: value for name, value in _LIGHT.items() if name in known}
    return sum(_nodes(Task(instance, strategy.name, parameters, seed=1)) for instance in _boards())


def _boards() -> tuple[Instance, ...]:
    return (
        generated(4, 4, 4, seed=1).instance,
        generated(5, 5, 6, seed=2, framed=True, pins=2).instance,
        generated(7, 5, 8, seed=3, framed=True, pins=3).instance,
    )


def _nodes(task: Task) -> int:
    search, nodes = open_search(task), 0
    while nodes < _NODES:
        bite = search.step(_BITE)
        nodes += bite.stats.nodes
        if bite.finished or bite.best_score == task.instance.grid.max_score:
            break
    return nodes
