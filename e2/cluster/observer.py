"""What a run tells while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from e2.store.archive import Found


@dataclass(frozen=True)
class Progress:
    """Where a run stands. `nodes` and `seconds` are of this sitting; `seconds_left` and `tasks_total` may be open.

    Of a count the tasks are units, whose number grows.
    """

    nodes: int
    nodes_per_second: float
    workers: int
    best_score: int | None
    seconds: float
    seconds_left: float | None
    tasks_done: int
    tasks_total: int | None
    part_left: float | None  # of a tree, by a guess
    solutions: int  # of a tree


class Observer(Protocol):
    """Told on the driver's thread, which waits: be quick."""

    def progress(self, progress: Progress) -> None:
        """About twice a second."""

    def board(self, found: Found) -> None:
        """A board that beats all before it, or the last of its task. It is on disk and in the ledger already."""

    def note(self, text: str) -> None:
        """Something went wrong that the run survives."""


class Silent:
    """The observer of a run that nobody watches."""

    def progress(self, progress: Progress) -> None: ...

    def board(self, found: Found) -> None: ...

    def note(self, text: str) -> None: ...
