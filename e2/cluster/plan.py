"""What a run has to do, as the manager sees it: jobs to hand out, results to enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

from e2.cluster.slice import Job, Outcome
from e2.store.archive import Found
from e2.store.ledger import Ledger, Unit
from e2.store.tree_ledger import TreeUnit

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


OneUnit = TypeVar("OneUnit", Unit, TreeUnit)


class Leases(Generic[OneUnit]):
    """The open units that a plan has in memory, and what becomes of one whose slice does not come back."""

    def __init__(self, ledger: Ledger) -> None:
        self.units: dict[int, OneUnit] = {}
        self._ledger = ledger

    def find(self, leased: Leased) -> OneUnit | None:
        """The unit, if it is still handed out under this lease."""
        number, lease = leased
        unit = self.units.get(number)
        return unit if unit is not None and unit.lease == lease else None

    def void(self, leased: Leased) -> OneUnit | None:
        """The unit under its next lease, to be handed out anew; None where the lease was void already."""
        unit = self.find(leased)
        if unit is None:
            return None
        self._ledger.give_up(*leased)
        return replace(unit, lease=unit.lease + 1)

    def drop(self, leased: Leased, reason: str) -> bool:
        """Mark the unit as failed; False where its lease was void already."""
        if self.find(leased) is None:
            return False
        self._ledger.give_up(*leased, failed=reason)
        del self.units[leased[0]]
        return True


class Plan(Protocol):
    """The open units of a run. It holds nothing that the ledger does not have."""

    patience: float
    """Seconds that one step may take on its own."""

    @property
    def is_done(self) -> bool:
        """Whether no unit is open any more, handed out or not."""

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
