"""The two-step protocol that every strategy follows: `prepare` lays an instance out, `step` searches for one bite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from e2.core.board import Board
from e2.core.instance import Instance
from e2.search.stats import SearchStats

Value = int | float | str | bool | list[int]


@dataclass(frozen=True)
class Parameter:
    """One knob of a strategy. The type of `default` is the type of the parameter; `meaning` is its line of help.

    Numbers are `least` or more; `choices` are the texts that are allowed (any, if none are named); `or_list` lets a
    list of integers stand in place of a text.
    """

    name: str
    default: Value
    meaning: str
    least: int = 0
    choices: tuple[str, ...] = ()
    or_list: bool = False


@dataclass(frozen=True)
class Bite:
    """What one call of `step` did.

    `best` is the best board of the whole search so far (None before the first), `best_score` its score as the engine
    counts it: the archive scores it again. `finished` means that the search has nothing left to try.
    """

    stats: SearchStats
    best: Board | None
    best_score: int
    finished: bool


def never() -> bool:
    """For a step that nobody wants to stop."""
    return False


@dataclass(frozen=True)
class Budget:
    """What there is to spend on a task; None is no limit."""

    seconds: float | None = None  # of one core
    nodes: int | None = None
    memory: int | None = None  # bytes that a worker may take, with all that it has loaded


class Search(Protocol):
    """A search in progress. All its state is in arrays, so it can be put aside at any resting point."""

    def step(self, nodes: int, stopping: Callable[[], bool] = never) -> Bite:
        """Search for at least `nodes` nodes more, up to the next resting point, unless the search finishes first.

        Resting points follow from the task alone, so two searches of one task that rest after the same number of nodes
        are in the same state, however the nodes were cut into bites. A depth-first search rests after every node and
        makes exactly `nodes`; a beam rests when it is through. A search that rests seldom asks `stopping` several times
        a second and, told to stop, goes back to where it last rested: that is the last it has to report.
        """

    def state(self) -> bytes:
        """All that the search needs to go on elsewhere, as bytes that hold no code (never pickle)."""

    def restore(self, state: bytes) -> None:
        """Go on from `state`, which the same task must have made."""


class Strategy(Protocol):
    """A way to search, made of data: `prepare` is called once a task and may compile and build tables."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    default_nodes: int  # the node budget of a task that names none
    patience: float  # seconds that one step may need on its own; 0.0 for a search that rests after every few nodes

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Search:
        """Check the parameters against the instance, or raise SettingsError, and lay out the arrays."""


@runtime_checkable
class Suiting(Protocol):
    """A strategy that may take much time and memory, and chooses some of its parameters by what there is to spend.

    They are fixed when a run begins.
    """

    def suited(self, parameters: Mapping[str, Value], instance: Instance, budget: Budget) -> dict[str, Value]:
        """`parameters`, and what follows from the budget of a task; given ones stay."""

    def memory(self, parameters: Mapping[str, Value], instance: Instance) -> int:
        """Bytes that a worker takes while it has a task with these parameters, at most."""
