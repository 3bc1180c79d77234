"""What the page says of two runs side by side: what `e2 compare` says, and their best boards over each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from e2.errors import E2Error
from e2.store.compare import BoardSet, Candidate, Comparison, Meeting, compared, meetings
from e2.store.contest import Contest, contest
from e2.store.index import Listed
from e2.store.record import Kept, RunRecord
from e2.views.difference_svg import difference_svg
from e2.views.web.run_page import charts_of, record_of

MOST_BOARDS = 300
"""Boards of a run that are compared: the best."""


@dataclass(frozen=True)
class ComparePage:
    """Two runs side by side. `charts` and `difference` are SVG texts, the latter empty where there is no pair.

    `faults` say what could not be read and what was left out.
    """

    boards: Comparison
    contest: Contest
    meetings: tuple[Meeting, ...]
    charts: tuple[str, ...]
    difference: str
    faults: tuple[str, ...]


def compare_page(runs: tuple[Listed, Listed]) -> ComparePage:
    """Read both runs and hold them against each other. Raises E2Error where one cannot be read at all."""
    faults: list[str] = []
    records: list[RunRecord] = []
    boards: list[list[Kept]] = []
    for listed in runs:
        record = record_of(listed)
        kept, wrong = replace(record, path=listed.folder.path).best_boards(MOST_BOARDS)
        faults += [f"{listed.name}: {fault}" for fault in wrong]
        if listed.boards > MOST_BOARDS:
            faults.append(f"{listed.name}: the best {MOST_BOARDS} of {listed.boards} boards are compared")
        records.append(record)
        boards.append(kept)
    sets = [
        BoardSet(record.name, tuple(Candidate(one.board, one.judged.audit.score) for one in kept))
        for record, kept in zip(records, boards, strict=True)
    ]
    return ComparePage(
        boards=compared(sets),
        contest=contest(records),
        meetings=tuple(meetings(sets, [record.found_clocks for record in records])),
        charts=charts_of(records),
        difference=_difference(boards),
        faults=tuple(faults),
    )


def _difference(boards: list[list[Kept]]) -> str:
    if not all(boards):
        return ""
    try:
        return difference_svg(boards[0][0].document, boards[1][0].document, cell=32)
    except E2Error:  # boards of two sizes
        return ""
