"""Executor in this process: one slice at a time. What the others must agree with."""

from __future__ import annotations

from collections import deque
from types import TracebackType
from typing import Self

from e2.cluster.slice import Job, Outcome, attempt


class InlineExecutor:
    """Runs a slice when its result is asked for."""

    workers = 1
    in_flight = 1

    def __init__(self) -> None:
        self._queue: deque[Job] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._queue.clear()

    def submit(self, job: Job) -> None:
        self._queue.append(job)

    def collect(self, seconds: float) -> list[Outcome]:
        return [attempt(self._queue.popleft())] if self._queue else []

    def abandon(self, job: Job) -> None:
        if job in self._queue:
            self._queue.remove(job)
