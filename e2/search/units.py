"""What is cut into units: a tree, and the search of one unit of it, whatever is tried.

A tree is searched depth-first from its root. A unit is all that lies below a path, less what is given away on the way;
the accounts of the units add up to those of the tree, however it is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from e2.errors import SettingsError
from e2.kernels.tables import Array

Path = tuple[int, ...]
"""The choices from the root of a tree down, as numbers: placement codes of a strict tree, options of a cover."""


@dataclass(frozen=True)
class Place:
    """Where the search of a unit stands: codes from the root down, the last of which is tried next.

    Above depth `floor` nothing is left to try: it has had its turn, or was given away.
    """

    floor: int
    codes: Path


@dataclass(frozen=True)
class Stretch:
    """What a stretch of a unit's search did.

    `nodes[k]` are nodes with k + 1 choices made, those given away too: what lies below those is theirs.
    `boards` are full boards among the solutions, codes by cell.
    """

    nodes: tuple[int, ...]
    solutions: int
    boards: tuple[Path, ...]
    given: tuple[Path, ...]


class UnitSearch(Protocol):
    """Searches one unit of a tree at a time."""

    @property
    def depths(self) -> int:
        """The most choices on a path."""

    @property
    def finished(self) -> bool: ...

    def open(self, path: Path, place: Place | None = None, ceiling: int | None = None) -> None:
        """Begin the unit below `path`, or go on at `place`; at depth `ceiling` every node with a future is given away.

        SettingsError where path or place are not of this tree.
        """

    def run(self, nodes: int, boards: int = 0, first: bool = False) -> Stretch:
        """Make at most `nodes` nodes more; of the solutions that it meets the first `boards` are handed out.

        With `first` it ends at a solution.
        """

    def place(self) -> Place | None:
        """Where the search stands; None where it has not begun or has finished."""

    def give(self) -> Stretch:
        """Give away the shallowest branches that are untried; those that end at once are counted as done.

        The current depth is kept, so a search that has begun still has something to do.
        """

    def share(self, path: Path) -> float:
        """The part of the tree below `path`, where every branch of a node is taken for equally large."""

    def share_left(self) -> float:
        """The part of the tree that is left of this unit, measured likewise."""


class UnitTree(Protocol):
    """A tree as a value: what decides which nodes and solutions it has. It is sent to workers with each slice."""

    @property
    def id(self) -> str:
        """16 hex digits: trees with the same id are the same."""

    @property
    def depths(self) -> int:
        """The most choices on a path."""

    @property
    def codes(self) -> int:
        """The numbers of a path are below it."""

    @property
    def is_whole(self) -> bool:
        """Whether solutions are full boards."""

    @property
    def merged(self) -> frozenset[str]:
        """What counts once, of search.tree.MERGES."""

    @property
    def apart(self) -> int | None:
        """How many solutions counted apart each one stands for; None where not all stand for as many."""

    def path_of(self, codes: Sequence[int]) -> Path:
        """What boards, given by cell, are ordered by."""

    def search(self) -> UnitSearch:
        """The tree laid out. SettingsError where it cannot be."""


def added(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """Nodes by depth of two stretches together."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def foreign(codes: Path) -> SettingsError:
    """What is raised for a path or a place that a tree does not have."""
    shown = " ".join(map(str, codes[:8])) + (" ..." if len(codes) > 8 else "")
    return SettingsError(f"the path {shown or '(empty)'} is not one of this tree")


def checked_place(path: Path, place: Place | None, depths: int) -> tuple[Path, int]:
    """The codes and the floor of a search that begins below `path`, or goes on at `place`.

    SettingsError where none can.
    """
    codes, floor = (path, len(path)) if place is None else (place.codes, place.floor)
    deepest = len(codes) if place is None else len(codes) - 1
    if not len(path) <= floor <= deepest <= max(0, depths - 1) or codes[: len(path)] != path:
        raise foreign(codes)
    return codes, floor


def part_below(fit: Array) -> float:
    """The part of a tree below a path along which so many branches `fit`."""
    return float(np.prod(1.0 / fit))


def part_left(fit: Array, before: Array, floor: int) -> float:
    """The part that is left where `before` of the branches had their turn, of which the last is tried next."""
    above = np.cumprod(np.concatenate([[1.0], 1.0 / fit[:-1]]))
    left = fit - before - 1.0
    left[-1] += 1.0
    return float((above * left / fit)[floor:].sum())


def shallowest_untried(fit: Array, before: Array, floor: int) -> int | None:
    """The depth, from `floor` on and above the last, of the first branches that had no turn; None if all had."""
    untried = np.flatnonzero(fit[floor:-1] - before[floor:-1] - 1)
    return floor + int(untried[0]) if len(untried) else None
