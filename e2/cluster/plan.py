"""What a run has to do, as the manager sees it: jobs to hand out, results to enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from e2.cluster.slice import Job, Outcome
from e2.store.archive import Found

Leased = tuple[int, int]
"""The number of a unit, and the lease under which it was handed out."""


@dataclass
class Settled:
    """What follows from results that were entered together.

    `boards` are on disk and are announced once the ledger has them; `later` is then done in order. `refused` are units
    whose results were not believed, with the reason.
    """

    nodes: int = 0
    boards: list[Found] = field(default_factory=list)
    later: list[Callable[[], None]] = field(default_factory=list)
    refused: list[tuple[Leased, str]] = field(default_factory=list)
    returned: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Standing:
    """Where the whole run stands. `part_left` is the part of a tree that is left, by a guess; None for tasks."""

    best_score: int | None
    solutions: int
    done: int
    known: int | None
    part_left: float | None


class Plan(Protocol):
    """The open units of a run. It holds nothing that the ledger does not have."""

    patience: float
    """Seconds that one step may take on its own."""

    def next_job(self, number: int, seconds: float | None, workers: int) -> tuple[Job, Sequence[Leased]] | None:
        """The next slice and the units in it, which are not handed out again before they are settled or given up.

        `seconds` is what is left of the run; `workers` is how many there are to keep busy. None if nothing is left.
        """

    def settle(self, outcome: Outcome, units: Sequence[Leased], settled: Settled) -> None:
        """Enter what came back of `units`, in a transaction that the caller has opened; late results come with none."""

    def again(self, unit: Leased) -> bool:
        """Void a lease and hand the unit out anew; False where the lease was void already."""

    def drop(self, unit: Leased, reason: str) -> bool:
        """Give a unit up for this sitting; False where its lease was void already."""

    def standing(self) -> Standing:
        """For the progress line, and to know when the target is reached."""
