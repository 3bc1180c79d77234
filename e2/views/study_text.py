"""A study's verdict as two tables: the arms, and their differences from the control."""

from __future__ import annotations

from collections.abc import Sequence

from e2.store.estimate import Estimate
from e2.store.verdict import Difference, Standing, Verdict
from e2.views.progress import with_prefix


def study_lines(verdict: Verdict) -> list[str]:
    """The tables, line by line; the second one only where there is something to compare."""
    head = ("arm", "tasks", "mean", "95 %", "best", "worst", "nodes", "seconds")
    lines = table([head, *map(_standing, verdict.standings)])
    if verdict.differences:
        head = (f"less {verdict.differences[0].control}", "pairs", "mean", "95 %", "better", "equal", "worse", "")
        lines += ["", *table([head, *map(_difference, verdict.differences)])]
    return lines


def interval(score: Estimate | None, sign: str = "") -> str:
    """`451.2 to 453.0`, or `-` where the values tell nothing of their spread."""
    if score is None or score.low is None or score.high is None:
        return "-"
    return f"{score.low:{sign}.2f} to {score.high:{sign}.2f}"


def _standing(standing: Standing) -> tuple[str, ...]:
    return (
        standing.arm,
        f"{standing.tasks}/{standing.due}",
        "-" if standing.score is None else f"{standing.score.mean:.2f}",
        interval(standing.score),
        "-" if standing.best is None else str(standing.best),
        "-" if standing.worst is None else str(standing.worst),
        "-" if standing.nodes is None else with_prefix(standing.nodes),
        "-" if standing.seconds is None else f"{standing.seconds:.3g}",
    )


def _difference(difference: Difference) -> tuple[str, ...]:
    return (
        difference.arm,
        str(difference.pairs),
        "-" if difference.score is None else f"{difference.score.mean:+.2f}",
        interval(difference.score, "+"),
        str(difference.better),
        str(difference.equal),
        str(difference.worse),
        difference.verdict,
    )


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns as wide as their widest entry; the first and a last one of words to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1], strict=True)]
        cells.append(row[-1].ljust(widths[-1]) if rows[0][-1] == "" else row[-1].rjust(widths[-1]))
        lines.append("  ".join(cells).rstrip())
    return lines
