"""What the manager asks of whoever runs its slices."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from e2.cluster.slice import Job, Outcome


class Executor(Protocol):
    """Runs slices somewhere. A context manager: workers exist inside it and are gone after it.

    Each job submitted comes back at most once from `collect`; a job may also never come back, which is why the manager
    keeps a deadline for each.
    """

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End all workers at once, whatever they are doing."""

    @property
    def workers(self) -> int:
        """How many slices run at the same time now; it may change while a cluster grows and shrinks."""

    @property
    def in_flight(self) -> int:
        """How many slices to have submitted at any time, so that no worker waits."""

    def submit(self, job: Job) -> None:
        """Start a slice, or queue it."""

    def collect(self, seconds: float) -> list[Outcome]:
        """What has come back, waiting up to `seconds` for the first; empty after that."""

    def abandon(self, job: Job) -> None:
        """Stop working on a job that nobody waits for any more: it does not come back from `collect`."""
