"""A count of covers as work for the executors: the search cut by its first options, some parts a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from e2.core.cover import CoverProblem
from e2.search.exact_cover import WHOLE, Prefix, count_covers, prefixes

_PARTS = 512
_JOBS = 64


class Countable(Protocol):
    """Something that is counted by covers."""

    @property
    def cover(self) -> CoverProblem:
        """The problem whose options the prefixes number."""

    def count(self, parts: Sequence[Prefix] = WHOLE) -> int:
        """How many there are, all or those below some prefixes."""


@dataclass(frozen=True)
class Covers:
    """The solutions of a problem."""

    cover: CoverProblem

    def count(self, parts: Sequence[Prefix] = WHOLE) -> int:
        return count_covers(self.cover, parts)


@dataclass(frozen=True)
class CountJob:
    """Parts to count. `number` tells the job from others."""

    number: int
    counted: Countable
    parts: tuple[Prefix, ...]

    @property
    def name(self) -> str:
        return f"{len(self.parts)} parts from {self.parts[0]} on"

    def run(self) -> CountOutcome:
        return CountOutcome(self.number, self.counted.count(self.parts))

    def again(self, number: int) -> CountJob:
        return replace(self, number=number)

    def told(self, error: Exception) -> str:
        return f"{type(error).__name__}: {error}"


@dataclass(frozen=True)
class CountOutcome:
    """What a CountJob found."""

    job: int
    solutions: int


def count_jobs(counted: Countable) -> Iterator[CountJob]:
    """The whole count as jobs. Neighbouring parts are alike in size, so each job takes parts from everywhere."""
    parts = prefixes(counted.cover, _PARTS)
    for first in range(min(_JOBS, len(parts))):
        yield CountJob(0, counted, tuple(parts[first::_JOBS]))
