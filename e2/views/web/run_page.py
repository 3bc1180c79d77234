"""What pages say of runs: a row of the list, and all about one."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from e2.core.instance import Instance
from e2.errors import E2Error, RunError
from e2.formats import board_doc, puzzle_json
from e2.formats.format import Asked
from e2.formats.judge import Judged, judge, own_instance
from e2.store.index import BoardFile, Listed, board_files
from e2.store.ledger import Ledger
from e2.store.look import ledger_looked_at, read_plain, settings_in
from e2.store.record import COUNT, HostShare, RunRecord, by_host, recorded
from e2.store.tree_ledger import TreeLedger
from e2.views.filled import NOTHING, when
from e2.views.progress import with_prefix
from e2.views.run_charts import histograms, score_charts, short_names
from e2.views.terminal import printable
from e2.views.web.board_page import BoardPage, board_page

MOST_BOARDS = 50
"""Boards that a run's page names."""
_MOST_BYTES = 1 << 20  # of a puzzle or a board
_LONGEST_LOOK = 5.0  # seconds


@dataclass(frozen=True)
class RunPage:
    """All that is shown of a run besides its entry in the list. `charts` are SVG texts; `faults` say what could not be
    read, and why.
    """

    board: BoardPage | None
    shown: BoardFile | None
    boards: tuple[BoardFile, ...]
    settings: tuple[tuple[str, str], ...]
    record: RunRecord | None
    hosts: tuple[HostShare, ...]
    charts: tuple[str, ...]
    faults: tuple[str, ...]


def row(listed: Listed) -> dict[str, str]:
    """The words of a run's row, by column; the live page sends them when they change."""
    best = NOTHING if listed.best is None else str(listed.best.score)
    if listed.best is not None and listed.max_score is not None:
        best += f" of {listed.max_score}"
    done = NOTHING if listed.tasks is None else str(listed.tasks)
    return {
        "state": listed.state,
        "best": best,
        "boards": str(listed.boards),
        "nodes": _amount(listed.nodes),
        "rate": _amount(listed.rate),
        "workers": NOTHING if listed.workers is None else str(listed.workers),
        "solutions": _amount(listed.solutions),
        "tasks": done if listed.due is None else f"{done} of {listed.due}",
        "changed": when(listed.changed),
    }


def list_stamp(runs: Iterable[Listed]) -> str:
    """Another one where other runs are listed, in other states, or with other boards as their best."""
    lines = (f"{listed.address} {listed.state} {board_stamp(listed)}" for listed in runs)
    return str(zlib.crc32("\n".join(lines).encode()))


def board_stamp(listed: Listed) -> str:
    """Another one where another board is the best."""
    return "" if listed.best is None else listed.best.name


def run_page(listed: Listed, wanted: str | None) -> RunPage:
    """Read a run: the board in the file `wanted`, or the best, its settings and its ledger; what fails is a fault."""
    faults = list(listed.faults)
    boards = board_files(listed.folder)
    shown = next((board for board in boards if board.name == wanted), None) if wanted else next(iter(boards), None)
    board = None
    if shown is not None:
        try:
            board = board_page(*judged_board(listed, shown))
        except E2Error as error:
            faults.append(f"boards/{shown.name}: {error}")
        else:
            if board.score != shown.score:
                faults.append(f"boards/{shown.name}: its name claims {shown.score}, the board has {board.score}")
    settings: tuple[tuple[str, str], ...] = ()
    try:
        settings = tuple(
            (printable(key, 60), _value(value))
            for key, value in settings_in(listed.folder).items()
            if value not in ("", [])
        )
    except RunError as error:
        faults.append(str(error))
    record: RunRecord | None = None
    charts: tuple[str, ...] = ()
    hosts: tuple[HostShare, ...] = ()
    try:
        record = record_of(listed)
        charts, hosts = charts_of([record]), tuple(by_host(record.workers))
    except E2Error as error:
        faults.append(str(error))
    return RunPage(
        board=board,
        shown=shown,
        boards=tuple(boards[:MOST_BOARDS]),
        settings=settings,
        record=record,
        hosts=hosts,
        charts=charts,
        faults=tuple(dict.fromkeys(faults)),
    )


def record_of(listed: Listed) -> RunRecord:
    """All that a run's ledger has of it, read within a few seconds; E2Error where it cannot be read or is damaged."""
    settings = settings_in(listed.folder)
    listed.folder.check_puzzle()
    instance = _puzzle(listed)
    kind = TreeLedger if settings.get("kind") == COUNT else Ledger
    with ledger_looked_at(listed.folder.ledger, kind, _LONGEST_LOOK) as ledger:
        return recorded(Path(listed.name), settings, instance, ledger, None, ())


def charts_of(records: Sequence[RunRecord]) -> tuple[str, ...]:
    """Curves and histograms of runs, as SVG texts; RunError where a ledger has no numbers in the place of numbers."""
    try:
        named = list(zip(short_names(records), (record.history for record in records), strict=True))
        return (*score_charts(named), *histograms(records))
    except (TypeError, ValueError, OverflowError, ArithmeticError) as error:
        raise RunError(f"ledger.sqlite is damaged: {error}") from error


def judged_board(listed: Listed, board: BoardFile) -> tuple[Judged, Instance]:
    """A board of a run, held against the run's puzzle, and the puzzle; E2Error where a file is not what it says."""
    instance = _puzzle(listed)
    reading = board_doc.read(_decoded(listed.folder.boards / board.name), Asked())
    return judge(reading, instance), instance


def _puzzle(listed: Listed) -> Instance:
    return own_instance(puzzle_json.read(_decoded(listed.folder.puzzle), Asked()))


def _decoded(path: Path) -> str:
    try:
        return read_plain(path, _MOST_BYTES).decode()
    except UnicodeDecodeError as error:
        raise RunError(f"{path.name} is no text: {error}") from error


def _value(value: object) -> str:
    return printable(value if isinstance(value, str) else repr(value), 200)


def _amount(number: float | None) -> str:
    return NOTHING if number is None else with_prefix(number)
