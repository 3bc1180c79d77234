"""A report on one run or several: one HTML file that needs nothing else, no script and no network.

Names, settings and boards were written by strangers: every text is escaped by the template and goes through
`printable`, which makes marks that turn or hide text visible; the charts and boards are our own SVG.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata

from markupsafe import Markup

from e2.store.compare import Comparison, Meeting
from e2.store.contest import Contest
from e2.store.record import HostShare, Kept, RunRecord, by_host
from e2.views.audit_text import audit_lines
from e2.views.board_svg import board_svg
from e2.views.filled import TEMPLATES, filled
from e2.views.links import viewer_links
from e2.views.progress import clock, with_prefix
from e2.views.run_charts import histograms, score_charts, short_names
from e2.views.terminal import printable

_CELL = 32  # pixels of a board's cell
_LONGEST_WORD, _LONGEST_VALUE = 60, 300  # characters of a setting and its value
_MOST = 20  # hosts, failures, faults and shared boards that are listed


@dataclass(frozen=True)
class Compared:
    """What was found when the runs were held against each other."""

    boards: Comparison
    contest: Contest
    meetings: Sequence[Meeting]


@dataclass(frozen=True)
class _Board:
    """A board as the report shows it; `links` are (what, address)."""

    score: str
    picture: Markup
    lines: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Section:
    """One run as the report shows it."""

    record: RunRecord
    figures: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...]
    hosts: tuple[HostShare, ...]
    charts: tuple[Markup, ...]
    boards: tuple[_Board, ...]
    faults: tuple[str, ...]


def report_html(records: Sequence[RunRecord], compared: Compared | None, boards: int) -> str:
    """The report as the text of a HTML file, with at most so many boards of each run; `compared` if there are several.

    What is wrong with single boards stands in it.
    """
    several = len(records) > 1
    return filled(
        "report.html",
        # The file is ours; it holds nothing that would end the style element.
        style=Markup((TEMPLATES / "style.css").read_text("utf-8")),
        version=metadata.version("e2"),
        made=time.strftime("%Y-%m-%d %H:%M"),
        title=f"Report on {len(records)} runs" if several else f"Report on {printable(records[0].name, 80)}",
        compared=compared,
        charts=_drawn(records) if several else (),
        sections=[_section(record, boards, alone=not several) for record in records],
        most=_MOST,
    )


def _drawn(records: Sequence[RunRecord]) -> tuple[Markup, ...]:
    names = short_names(records)
    charts = score_charts([(name, record.history) for name, record in zip(names, records, strict=True)])
    charts += histograms(records)
    return tuple(map(Markup, charts))


def _section(record: RunRecord, boards: int, *, alone: bool) -> _Section:
    kept, faults = record.best_boards(boards)
    return _Section(
        record=record,
        figures=tuple(_figures(record, kept)),
        settings=_shown(_settings(record)),
        versions=_shown(_versions(record.summary or {})),
        hosts=tuple(sorted(by_host(record.workers), key=lambda host: -host.nodes)),
        charts=_drawn([record]) if alone else (),
        boards=tuple(_board(one) for one in kept),
        faults=(*record.faults, *faults),
    )


def _figures(record: RunRecord, kept: Sequence[Kept]) -> list[tuple[str, str]]:
    totals = record.totals
    figures = [] if record.is_count or not kept else [("best", _score(kept[0]))]
    figures.append(("units done" if record.is_count else "tasks done", f"{totals.done} of {totals.units}"))
    if record.is_count:
        figures.append(("solutions", str(totals.solutions)))
        figures.append(("tree left", f"{100 * record.left:.3g} %"))
    figures += [("nodes", with_prefix(totals.nodes)), ("time", clock(totals.seconds)), ("boards", str(totals.boards))]
    if totals.seconds:
        figures.append(("nodes a second", with_prefix(totals.nodes / totals.seconds)))
    return figures


def _settings(record: RunRecord) -> list[tuple[str, object]]:
    """All settings that say something, each parameter of the strategy by itself."""
    rows: list[tuple[str, object]] = []
    for name, value in record.settings.items():
        if isinstance(value, Mapping):
            rows += [(f"{name}.{key}", inner) for key, inner in value.items()]
        elif value not in ("", []):
            rows.append((name, value))
    return rows


def _versions(summary: Mapping[str, object]) -> list[tuple[str, object]]:
    """What the last sitting ran on."""
    versions = summary.get("versions")
    rows = [(str(name), value) for name, value in versions.items()] if isinstance(versions, Mapping) else []
    return rows + [(name, summary[name]) for name in ("host", "cores") if name in summary]


def _shown(rows: Sequence[tuple[str, object]]) -> tuple[tuple[str, str], ...]:
    """Words and what they say, cut to what fits a page."""
    return tuple((printable(word, _LONGEST_WORD), printable(str(value), _LONGEST_VALUE)) for word, value in rows)


def _score(kept: Kept) -> str:
    audit = kept.judged.audit
    return f"{audit.score} of {audit.max_score}"


def _board(kept: Kept) -> _Board:
    return _Board(
        score=_score(kept),
        picture=Markup(board_svg(kept.document, style="motifs", cell=_CELL)),
        lines=tuple(audit_lines(kept.judged)),
        links=tuple(viewer_links(kept.document).items()),
    )
