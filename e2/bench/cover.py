"""The exact cover engine against others: the same problems, counted in the same process."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from e2.bench.report import Report
from e2.core.cover import CoverProblem
from e2.errors import SettingsError
from e2.formats.cover_text import read_cover, write_option
from e2.search.cover_tree import count_covers

Engine = Callable[[CoverProblem], int]
"""Counts the solutions of a problem, its own layout of it included."""

OURS = "e2"
PROBLEMS = ("word6", "em5_3_3_1", "em6_6_4_3", "em6_5_4_2")
JUDGED = ("em6_6_4_3", "em6_5_4_2")
"""The last object's ratio is the least of these."""

_WARM = "em4_3_3_1"  # what every engine counts first, so that it is compiled
_FOLDER = Path(__file__).parents[2] / "tests" / "cases" / "xcc"


def engines() -> dict[str, Engine]:
    """Ours and all others, or a SettingsError that says what to install."""
    found: dict[str, Engine] = {OURS: count_covers}
    missing = []
    for name, made in (("miniexact", _miniexact), ("xcover", _xcover)):
        try:
            found[name] = made(import_module(name))
        except ImportError:
            missing.append(name)
    if missing:
        raise SettingsError(f"bench cover needs other engines to compare with: pip install {' '.join(missing)}")
    return found


def cover_report(
    counted_by: Mapping[str, Engine] | None = None, names: Sequence[str] = PROBLEMS, rounds: int = 3
) -> Report:
    """Every engine in turn, `rounds` times, in CPU time, compile time apart; a ratio is the median of the rounds' own.

    SettingsError where an engine or the problems are missing, which come with a checkout.
    """
    counted_by = engines() if counted_by is None else counted_by
    warm = _problem(_WARM)
    for count in counted_by.values():
        count(warm)
    records = [_compared(name, counted_by, rounds) for name in names]
    others = [name for name in counted_by if name != OURS]
    judged = [record for record in records if record["problem"] in JUDGED] or records
    last = {
        "ratio_to_best": min(record["ratio_to_best"] for record in judged),
        "counts_equal": all(record["counts_equal"] for record in records),
    }
    lines = [f"{'problem':12} {'solutions':>10} {'e2 s':>8} " + " ".join(f"{name[:12] + ' s':>12}" for name in others)]
    for record in records:
        times = " ".join(f"{record['seconds'][name]:12.3f}" for name in others)
        said = "" if record["counts_equal"] else "  COUNTS DIFFER"
        lines.append(
            f"{record['problem']:12} {record['solutions']:10,} {record['seconds'][OURS]:8.3f} {times}  "
            f"{record['ratio_to_best']:.2f} times as fast as the best of them{said}"
        )
    bars = tuple((record["problem"], float(record["ratio_to_best"])) for record in records)
    return Report(
        "exact cover against other engines", tuple(lines), (*records, last), "times as fast", bars, (("even", 1.0),)
    )


def _compared(name: str, counted_by: Mapping[str, Engine], rounds: int) -> dict[str, Any]:
    """One problem, counted by every engine in every round."""
    problem = _problem(name)
    seconds: dict[str, list[float]] = {engine: [] for engine in counted_by}
    counts: set[int] = set()
    for _ in range(rounds):
        for engine, count in counted_by.items():
            began = time.process_time()
            solutions = count(problem)
            seconds[engine].append(max(time.process_time() - began, 1e-9))
            counts.add(solutions)
    ratios = [
        min(times[at] for engine, times in seconds.items() if engine != OURS) / seconds[OURS][at]
        for at in range(rounds)
    ]
    return {
        "problem": name,
        "solutions": count_covers(problem),
        "seconds": {engine: median(times) for engine, times in seconds.items()},
        "ratio_to_best": median(ratios),
        "counts_equal": len(counts) == 1,
    }


def _problem(name: str) -> CoverProblem:
    path = _FOLDER / f"{name}.dlx"
    if not path.is_file():
        raise SettingsError(
            "the problems of bench cover come with a checkout, not with an installed e2: tests/cases/xcc"
        )
    return read_cover(path.read_text(encoding="utf-8"))


def _miniexact(library: Any) -> Engine:
    """Dancing links in C, one call a solution."""

    def count(problem: CoverProblem) -> int:
        solver = library.miniexacts_c()
        items = [solver.primary(name) for name in problem.primary]
        items += [solver.secondary(name) for name in problem.secondary]
        colours: dict[str, int] = {}
        for option in problem.options:
            for item, colour in option:
                if colour and colour not in colours:
                    colours[colour] = solver.color(colour)
                solver.add(*(items[item], colours[colour]) if colour else (items[item],))
            solver.add(0)
        solutions = 0
        while solver.solve() == 10:  # SAT solvers say so too
            solutions += 1
        return solutions

    return count


def _xcover(library: Any) -> Engine:
    """Sparse sets, compiled by numba as ours; one object a solution."""

    def count(problem: CoverProblem) -> int:
        options = [write_option(problem, option).split() for option in range(len(problem.options))]
        primary, secondary = list(problem.primary), list(problem.secondary)
        return sum(1 for _ in library.covers(options, primary=primary, secondary=secondary, colored=True))

    return count
