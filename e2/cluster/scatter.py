"""Jobs that need no ledger: each is short, and who runs it, and how often, makes no difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from e2.cluster.executor import Executor
from e2.cluster.slice import Job, Outcome, SliceFailure
from e2.errors import ClusterError

_TRIES = 3  # of a job whose worker is lost; the fourth would lose it too
_WAIT = 1.0  # seconds for the first outcome, so that a Ctrl-C is seen


def scattered(executor: Executor, jobs: Sequence[Job]) -> Iterator[Outcome]:
    """The outcome of each job, in their order, as soon as it is there. `executor` is entered and has nothing in flight.

    ClusterError for a job that raises, or that loses its worker again and again.
    """
    waiting = list(reversed([(place, 1, job) for place, job in enumerate(jobs)]))
    in_flight: dict[int, tuple[int, int, Job]] = {}
    done: dict[int, Outcome] = {}
    number = 0
    for place in range(len(jobs)):
        while place not in done:
            while waiting and len(in_flight) < executor.in_flight:
                at, tries, job = waiting.pop()
                number += 1
                in_flight[number] = at, tries, job
                executor.submit(job.again(number))
            for outcome in executor.collect(_WAIT):
                at, tries, job = in_flight.pop(outcome.job)
                if not isinstance(outcome, SliceFailure):
                    done[at] = outcome
                elif outcome.lost and tries < _TRIES:
                    waiting.append((at, tries + 1, job))
                else:
                    raise ClusterError(outcome.error)
        yield done.pop(place)
