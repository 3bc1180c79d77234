"""Loop puzzles as work for the executors: some boards a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from e2.pencil.loop import LoopPuzzle, Solved, solve_all

_BOARDS = 16  # a job: most boards take well under a millisecond, less than a message


@dataclass(frozen=True)
class LoopJob:
    """Boards to solve. `number` tells the job from others, `first` is the number of its first board, from 1."""

    number: int
    first: int
    puzzles: tuple[LoopPuzzle, ...]

    @property
    def name(self) -> str:
        return f"boards {self.first} to {self.first + len(self.puzzles) - 1}"

    def run(self) -> LoopOutcome:
        return LoopOutcome(self.number, solve_all(self.puzzles))

    def again(self, number: int) -> LoopJob:
        return replace(self, number=number)

    def told(self, error: BaseException) -> str:
        return f"{type(error).__name__}: {error}"


@dataclass(frozen=True)
class LoopOutcome:
    """What a LoopJob found: one Solved a board, in their order."""

    job: int
    solved: tuple[Solved, ...]


def loop_jobs(puzzles: Sequence[LoopPuzzle]) -> Iterator[LoopJob]:
    """The boards as jobs, in their order."""
    for start in range(0, len(puzzles), _BOARDS):
        yield LoopJob(0, start + 1, tuple(puzzles[start : start + _BOARDS]))
