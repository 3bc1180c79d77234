"""What to try: one process, deterministic, counted in nodes."""

from __future__ import annotations

from e2.errors import SettingsError
from e2.search.beam import Beam
from e2.search.breaks import Breaks
from e2.search.cover import Cover
from e2.search.openings import Openings
from e2.search.own import own_strategy
from e2.search.portfolio import Portfolio
from e2.search.repair import Repair
from e2.search.strategy import Search, Strategy
from e2.search.strict import Strict
from e2.search.task import Task

STRATEGIES: tuple[Strategy, ...] = (Strict(), Breaks(), Openings(), Beam(), Repair(), Portfolio(), Cover())


def strategy(name: str, source: str = "") -> Strategy:
    """The strategy of that name, or a SettingsError that lists them all.

    With `source`, the text of a file, the name is FILE.py:CLASS and the class is run.
    """
    if source:
        return own_strategy(name, source)
    for known in STRATEGIES:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in STRATEGIES)
    raise SettingsError(f"strategy {name[:40]!r} is unknown; expected {names}, or FILE.py:CLASS")


def open_search(task: Task, state: bytes | None = None) -> Search:
    """The search of a task, from its beginning or from a state that the same task has made."""
    if task.nodes is not None and task.nodes < 1:
        raise SettingsError(f"nodes = {task.nodes}; expected a budget of 1 or more, or none")
    search = strategy(task.strategy, task.source).prepare(task.instance, task.parameters, task.seed)
    if state is not None:
        search.restore(state)
    return search
