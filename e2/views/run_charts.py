"""The charts of one run, or of several on the same scales."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from e2.store.record import History, Points, RunRecord
from e2.views.curves_svg import curves_svg
from e2.views.histogram_svg import counted, histogram_svg
from e2.views.progress import clock, with_prefix

_NEAR = 0.75  # of the best score

Named = tuple[str, History]
"""A run's name and its history."""


def short_names(records: Sequence[RunRecord]) -> list[str]:
    """The runs' names for a chart: that of the folder alone where it tells them apart, else the whole path."""
    folders = [record.path.name for record in records]
    return [
        folder if folder and folders.count(folder) == 1 else record.name
        for folder, record in zip(folders, records, strict=True)
    ]


def score_charts(runs: Sequence[Named]) -> list[str]:
    """Curves of the scores over time and nodes, as far as the runs know how theirs came about: SVG texts."""
    ways: tuple[tuple[str, str, Callable[[History], Points], Callable[[float], str]], ...] = (
        ("Best score over time", "time of the run", History.best_by_seconds, seconds_text),
        ("Best score over nodes", "nodes of the run", History.best_by_nodes, with_prefix),
        ("Mean best score of tasks over their nodes", "nodes of each task", History.mean_by_task_nodes, with_prefix),
    )
    charts = []
    for title, label, points, form in ways:
        curves = _risen([(name, points(history)) for name, history in runs if history.is_known])
        if any(len(curve) > 1 for _, curve in curves):
            charts.append(curves_svg(title, label, curves, form))
    return charts


def _risen(curves: Sequence[tuple[str, Points]]) -> list[tuple[str, Points]]:
    """The curves from where they come near the best: the first steps of a search would flatten all that matter.

    A curve that never does stays as it is.
    """
    near = _NEAR * max((y for _, points in curves for _, y in points), default=0.0)
    return [(name, tuple(point for point in points if point[1] >= near) or points) for name, points in curves]


def histograms(records: Sequence[RunRecord]) -> list[str]:
    """How the tasks' scores and depths lie; of counts, nodes by depth: SVG texts, none without numbers."""
    named = list(zip(short_names(records), records, strict=True))
    charts = []
    scores = [(name, counted([one.score for one in record.outcomes])) for name, record in named if record.outcomes]
    if scores:
        charts.append(histogram_svg("Tasks by score", "matched seams", scores))
    depths = [(name, counted(record.depths)) for name, record in named if record.depths]
    if len({depth for _, amounts in depths for depth in amounts}) > 1:
        charts.append(histogram_svg("Tasks by greatest depth", "cells filled", depths))
    nodes = [
        (name, {depth: float(count) for depth, count in enumerate(record.nodes_by_depth, 1)})
        for name, record in named
        if any(record.nodes_by_depth)
    ]
    if nodes:
        charts.append(histogram_svg("Nodes by depth", "pieces on the board", nodes, log=True))
    return charts


def seconds_text(seconds: float) -> str:
    """A time at a tick: as short as it can be.

    >>> seconds_text(0.05), seconds_text(30), seconds_text(7200)
    ('0.05 s', '30 s', '2:00 h')
    """
    return f"{seconds:g} s" if seconds < 100 else clock(seconds)
