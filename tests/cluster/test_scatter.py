"""Jobs without a ledger: each outcome once, in order, whatever becomes of workers."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import pytest

from e2.cluster.inline import InlineExecutor
from e2.cluster.local import LocalExecutor
from e2.cluster.scatter import scattered
from e2.cluster.slice import SliceFailure
from e2.core.grid import Grid
from e2.errors import ClusterError
from e2.pencil.loop import LoopPuzzle, solve_all
from e2.pencil.loop_jobs import loop_jobs

PUZZLES = [LoopPuzzle(Grid(3, 3), (None,) * 4 + (clue,) + (None,) * 4) for clue in (0, 1, 2, 3, 4)] * 9


def found(executor):
    with executor as entered:
        return tuple(solved for outcome in scattered(entered, list(loop_jobs(PUZZLES))) for solved in outcome.solved)


def test_boards_come_back_in_their_order_from_every_executor(ray_executor):
    expected = solve_all(PUZZLES)
    assert found(InlineExecutor()) == expected
    assert found(LocalExecutor(2)) == expected
    outcomes = scattered(ray_executor, list(loop_jobs(PUZZLES)))
    assert tuple(solved for outcome in outcomes for solved in outcome.solved) == expected


@dataclass(frozen=True)
class Toy:
    """A job whose answer is its number."""

    number: int

    name = "toy"

    def run(self):
        return Answer(self.number)

    def again(self, number):
        return replace(self, number=number)

    def told(self, error):
        return str(error)


@dataclass(frozen=True)
class Answer:
    job: int


class Losing(InlineExecutor):
    """Loses the first jobs that it is given, and hands in the others last first."""

    def __init__(self, losses, lost=True):
        super().__init__()
        self.in_flight = 3
        self.losses, self.lost, self.submitted = losses, lost, 0

    def collect(self, seconds):
        outcome = self._queue.pop().run()
        if self.losses:
            self.losses -= 1
            return [SliceFailure(outcome.job, "worker died", lost=self.lost)]
        return [outcome]


def test_a_lost_job_is_tried_again_and_outcomes_keep_their_order():
    with Losing(2) as executor:
        answers = list(scattered(executor, [Toy(0), Toy(0), Toy(0), Toy(0)]))
    assert len(answers) == 4
    assert len({answer.job for answer in answers}) == 4


def test_a_job_that_is_lost_again_and_again_ends_it():
    with Losing(3) as executor, pytest.raises(ClusterError, match="worker died"):
        list(scattered(executor, [Toy(0)]))


def test_a_job_that_raises_ends_it_at_once():
    with Losing(1, lost=False) as executor, pytest.raises(ClusterError, match="worker died"):
        list(scattered(executor, [Toy(0), Toy(0)]))


def test_a_job_that_is_abandoned_after_its_worker_has_answered_does_not_come_back():
    one, other = (job.again(number) for number, job in enumerate(list(loop_jobs(PUZZLES))[:2]))
    with LocalExecutor(1) as executor:
        assert executor.collect(60) == [], "the worker is ready, no more"
        executor.submit(one)
        assert executor._pool[0].pipe.poll(60)
        executor.abandon(one)
        executor.submit(other)
        came = []
        while not came:
            came = executor.collect(60)
    assert [outcome.job for outcome in came] == [1]


def test_a_worker_that_dies_in_a_job_costs_a_try():
    with LocalExecutor(1) as executor:
        outcomes = scattered(executor, list(loop_jobs(PUZZLES)))
        first = next(outcomes)
        os.kill(executor.pids[0], 9)
        rest = list(outcomes)
    assert first.solved + tuple(solved for outcome in rest for solved in outcome.solved) == solve_all(PUZZLES)
