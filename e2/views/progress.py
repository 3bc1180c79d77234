"""The live line of a run."""

from __future__ import annotations


def run_line(
    *,
    nodes: int,
    nodes_per_second: float,
    workers: int,
    best_score: int | None,
    seconds: float,
    seconds_left: float | None,
    tasks_done: int,
    tasks_total: int | None,
    part_left: float | None,
    solutions: int,
) -> str:
    """One line that says where a run stands; of a count, with a guess at how far it is.

    >>> run_line(nodes=1_500_000_000, nodes_per_second=8.1e7, workers=2, best_score=451, seconds=18.5,
    ...          seconds_left=41.5, tasks_done=1, tasks_total=None, part_left=None, solutions=0)
    '81 M nodes/s | 2 workers | best 451 | 1.5 G nodes | 1 task done | 0:18, 0:41 left'
    >>> run_line(nodes=1_500_000_000, nodes_per_second=8.1e7, workers=2, best_score=480, seconds=18.5,
    ...          seconds_left=6.2, tasks_done=70, tasks_total=75, part_left=0.25, solutions=3)
    '81 M nodes/s | 2 workers | 3 solutions | 1.5 G nodes | about 75 % searched | 0:18, 0:06 left'
    """
    left = "" if seconds_left is None else f", {clock(seconds_left)} left"
    if part_left is not None:
        found = f"{solutions} solution{'' if solutions == 1 else 's'}"
        part = f"about {100 * (1 - part_left):.3g} % searched"
        return _line(nodes_per_second, workers, found, nodes, part, seconds, left)
    tasks = (
        f"{tasks_done} task{'' if tasks_done == 1 else 's'} done"
        if tasks_total is None
        else (f"{tasks_done} of {tasks_total} tasks done")
    )
    best = "no board yet" if best_score is None else f"best {best_score}"
    return _line(nodes_per_second, workers, best, nodes, tasks, seconds, left)


def _line(rate: float, workers: int, found: str, nodes: int, done: str, seconds: float, left: str) -> str:
    return " | ".join(
        (
            f"{with_prefix(rate)} nodes/s",
            f"{workers} worker{'' if workers == 1 else 's'}",
            found,
            f"{with_prefix(nodes)} nodes",
            done,
            f"{clock(seconds)}{left}",
        )
    )


def with_prefix(number: float) -> str:
    """Three digits with k, M, G or T; beyond, with a power of ten.

    >>> with_prefix(69_284_103), with_prefix(1.26e40)
    ('69.3 M', '1.26e+40')
    """
    if number >= 1e15:
        return f"{number:.3g}"
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= factor:
            return f"{number / factor:.3g} {prefix}" if number < 99.95 * factor else f"{number / factor:.0f} {prefix}"
    return f"{number:.0f}"


def clock(seconds: float) -> str:
    """Minutes and seconds, or days, hours and minutes, or years.

    >>> clock(62), clock(90061), clock(1e10)
    ('1:02', '1 d 1:01 h', '317 years')
    """
    if seconds >= 3650 * 86400:
        return f"{seconds / 31_557_600:.3g} years"
    whole = int(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02}"
    days = f"{whole // 86400} d " if whole >= 86400 else ""
    return f"{days}{whole % 86400 // 3600}:{whole % 3600 // 60:02} h"
