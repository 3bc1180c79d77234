"""Counts of covers, here or on all cores: what words, rectangle and cover share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.output import DONE, NO, say, say_json
from e2.errors import SettingsError

if TYPE_CHECKING:
    from e2.pencil.count_jobs import Countable

Count = Annotated[bool, typer.Option("--count", help="Only say how many there are.")]
CountExecutor = Annotated[
    str | None,
    typer.Option("--executor", help="Where --count is done: inline (default), local (processes) or ray."),
]
CountWorkers = Annotated[int | None, typer.Option("--workers", min=1, help="Worker processes; default: one a core.")]


def check_executor(count: bool, executor: str | None, workers: int | None, address: str | None) -> None:
    """Raise the SettingsError that options for a count deserve where nothing is counted, or one process counts."""
    placed = workers is not None or address is not None
    if not count and (placed or executor is not None):
        raise SettingsError("--executor, --workers and --address are for --count")
    if placed and executor in (None, "inline"):
        raise SettingsError("--workers and --address are for --executor local or ray")


def counted(executor: str | None, workers: int | None, address: str | None, what: Countable) -> int:
    """How many there are; the same for every executor."""
    from e2.cluster.run import executor_named
    from e2.cluster.scatter import scattered
    from e2.pencil.count_jobs import CountOutcome, count_jobs

    if executor in (None, "inline"):
        return what.count()
    total = 0
    with executor_named(executor or "", workers, address) as entered:
        for outcome in scattered(entered, list(count_jobs(what))):
            assert isinstance(outcome, CountOutcome)
            total += outcome.solutions
    return total


def say_count(number: int, text: str, json: bool) -> int:
    """Tell the count, as `text` after the number; exit code 1 for none."""
    if json:
        say_json({"solutions": number})
    else:
        say(f"{number:,} {text}")
    return DONE if number else NO
