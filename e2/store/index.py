"""All runs below a folder, as a list shows them: kept in memory, read again only where a file has changed.

Nothing is trusted: run folders are copied, half written and made by strangers. What is wrong with one stands in its
entry, and the others are listed all the same.
"""

from __future__ import annotations

import functools
import math
import os
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from e2.core.grid import MAX_SIDE, Grid
from e2.errors import RunError
from e2.store.layout import RunFolder
from e2.store.ledger import Ledger, Totals
from e2.store.look import (
    MOST_BYTES,
    is_driven,
    json_object,
    ledger_looked_at,
    read_plain,
    settings_in,
    summary_in,
)

RUNNING, COMPLETE, STOPPED, BROKEN = "running", "complete", "stopped", "broken"
"""What a run is at: a driver has it; all of it is done; it may be resumed; it cannot be read."""

MOST_RUNS = 10_000
DEEPEST = 4
"""Folders of folders that are looked through: a study keeps its runs two below its own."""

_PARTS = frozenset({"settings.toml", "puzzle.json", "ledger.sqlite", "summary.json"})
_BOARD_FILE = re.compile(r"(\d{1,5})_(\d{1,20})\.json")
_SHARE = 20  # looking takes at most one part in so many of the time
_WINDOW = 10.0  # seconds over which a rate is taken
_SLACK = 5.0  # seconds by which a driver writes its summary before it closes its ledger


@dataclass(frozen=True)
class BoardFile:
    """A file in boards/ of a run: the score and the hash in its name are claims."""

    score: int
    board_hash: int
    name: str


@dataclass(frozen=True)
class Listed:
    """A run as a list shows it. None stands for what is not known.

    `name` is the path below the folder of all runs, `address` the same in a URL. `tasks` are done, `due` are all that
    there are to do. `changed` is in seconds since 1970. `rate`, in nodes a second, and `workers` are those of the last
    seconds of a running run. `faults` say what could not be read.
    """

    name: str
    address: str
    folder: RunFolder
    state: str
    kind: str
    puzzle: str
    strategy: str
    boards: int
    best: BoardFile | None
    max_score: int | None
    nodes: int | None
    solutions: int | None
    tasks: int | None
    due: int | None
    changed: float
    rate: float | None = None
    workers: int | None = None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunList:
    """All runs, running ones first, then the last changed first. `left_out` says what was not looked at, and why."""

    runs: tuple[Listed, ...]
    left_out: tuple[str, ...]

    def run(self, address: str) -> Listed | None:
        """The listed run with that name or address; nothing is looked up on the disk."""
        wanted = (address, quoted(address))
        return next((listed for listed in self.runs if listed.address in wanted), None)


@dataclass(frozen=True)
class _Look:
    """What a running run's ledger said at a time: nodes, and slices by host and process."""

    at: float
    nodes: int
    slices: Mapping[tuple[str, int], int]


@dataclass
class _Known:
    """What was found out about a run, the marks of the files it was read from, and what its ledger said of late."""

    marks: tuple[object, ...]
    listed: Listed
    looks: deque[_Look] = field(default_factory=deque)
    look_again: float = 0.0


class RunIndex:
    """The runs below a folder. Any thread may ask."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[str, _Known] = {}
        self._lock = threading.Lock()
        self._list = RunList((), ())
        self._walk_again = 0.0

    def runs(self) -> RunList:
        """All runs as they stand; asked again at once, the answer may be up to a second old."""
        with self._lock:
            now = time.monotonic()
            if now >= self._walk_again:
                self._list = self._walked()
                self._walk_again = time.monotonic() + max(1.0, _SHARE * (time.monotonic() - now))
            return self._list

    def _walked(self) -> RunList:
        found: dict[str, _Known] = {}
        left_out: list[str] = []
        waiting = deque([("", self.root, 0)])
        while waiting:
            name, folder, depth = waiting.popleft()
            try:
                with os.scandir(folder) as entries:
                    inside = {entry.name: entry for entry in entries}
            except OSError as error:
                left_out.append(f"{name or 'the folder of runs'}: cannot be read: {error.strerror}")
                continue
            if depth and not _PARTS.isdisjoint(inside):
                if len(found) == MOST_RUNS:
                    left_out.append(f"more than {MOST_RUNS} runs: these are the first that were found")
                    break
                found[name] = self._again(name, folder, inside)
                continue
            for entry in sorted(inside.values(), key=lambda entry: entry.name):
                below = f"{name}/{entry.name}" if name else entry.name
                if entry.is_symlink():
                    left_out.append(f"{below}: a link, not followed")
                elif entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                    if depth < DEEPEST:
                        waiting.append((below, folder / entry.name, depth + 1))
                    else:
                        left_out.append(f"{below}: too deep, not looked into")
        self._known = found
        runs = sorted((known.listed for known in found.values()), key=lambda run: (-run.changed, run.name))
        runs.sort(key=lambda run: run.state != RUNNING)
        return RunList(tuple(runs), tuple(left_out))

    def _again(self, name: str, path: Path, inside: Mapping[str, os.DirEntry[str]]) -> _Known:
        """What is known of a run, read where its files are not those of the last time."""
        folder = RunFolder(path)
        marks = _marks(inside)
        log = inside.get(f"{folder.ledger.name}-wal")
        driven = log is not None and is_driven(path / ".lock")
        known = self._known.get(name)
        if known is None or known.marks != marks or (known.listed.state == RUNNING) != driven:
            looks = known.looks if known is not None and driven else deque()
            again = known.look_again if known is not None and driven else 0.0
            known = _Known(marks, _read(name, folder, inside, marks, driven, known), looks, again)
        if driven and time.monotonic() >= known.look_again:
            _look(known)
        return known


def quoted(name: str) -> str:
    """A run's name as it stands in a URL; bytes that are no text keep their value.

    >>> quoted("study/late & early")
    'study/late%20%26%20early'
    """
    return quote(name, safe="/", errors="surrogateescape")


def unquoted(address: str) -> str:
    """The name that an address stands for, whatever a browser has left unquoted in it."""
    return unquote(address, errors="surrogateescape")


def board_files(folder: RunFolder) -> list[BoardFile]:
    """The boards of a run by their names, best first, ties by hash; none where boards/ is no folder of its own."""
    try:
        if folder.boards.is_symlink():
            return []
        with os.scandir(folder.boards) as entries:
            found = [
                BoardFile(int(parts[1]), int(parts[2]), entry.name)
                for entry in entries
                if (parts := _BOARD_FILE.fullmatch(entry.name)) and entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []
    return sorted(found, key=lambda board: (-board.score, board.board_hash))


def _marks(inside: Mapping[str, os.DirEntry[str]]) -> tuple[object, ...]:
    """What changes when something that an entry is made from does."""
    marks: list[object] = []
    for name in (*sorted(_PARTS), "boards", "ledger.sqlite-wal"):
        try:
            found = inside[name].stat(follow_symlinks=False) if name in inside else None
        except OSError:
            found = None
        marks.append(found and (found.st_mtime_ns, found.st_size, found.st_ino))
    return tuple(marks)


def _read(
    name: str,
    folder: RunFolder,
    inside: Mapping[str, os.DirEntry[str]],
    marks: tuple[object, ...],
    driven: bool,
    known: _Known | None,
) -> Listed:
    faults: list[str] = []
    settings = _unless_broken(lambda: settings_in(folder), faults)
    boards = board_files(folder)
    if "boards" in inside and not inside["boards"].is_dir(follow_symlinks=False):
        faults.append("boards is no folder: not looked into")
    times = [mark[0] / 1e9 for mark in marks if isinstance(mark, tuple)]
    listed = Listed(
        name=name,
        address=quoted(name),
        folder=folder,
        state=RUNNING if driven else STOPPED,
        kind=_text(settings, "kind"),
        puzzle=_text(settings, "puzzle"),
        strategy=_text(settings, "strategy"),
        boards=len(boards),
        best=boards[0] if boards else None,
        max_score=None if folder.cover.name in inside else _max_score(folder, faults),
        nodes=None,
        solutions=None,
        tasks=None,
        due=_count(settings, "tasks"),
        changed=max(times, default=0.0),
    )
    if driven:
        if known is not None:
            before = known.listed
            listed = replace(listed, nodes=before.nodes, solutions=before.solutions, tasks=before.tasks)
            listed = replace(listed, rate=before.rate, workers=before.workers)
    else:
        listed = _ended(listed, inside, faults)
    broken = not driven and bool(faults) and (not settings or listed.max_score is None or listed.nodes is None)
    return replace(listed, state=BROKEN if broken else listed.state, faults=tuple(faults))


def _ended(listed: Listed, inside: Mapping[str, os.DirEntry[str]], faults: list[str]) -> Listed:
    """The run with its totals: from the summary where it is of the last sitting, else from the ledger."""
    if "summary.json" in inside and "ledger.sqlite-wal" not in inside:
        try:
            ledger = inside["ledger.sqlite"].stat(follow_symlinks=False).st_mtime if "ledger.sqlite" in inside else 0.0
            written = inside["summary.json"].stat(follow_symlinks=False).st_mtime
        except OSError:
            ledger, written = 1.0, 0.0
        if written + _SLACK >= ledger:
            summary = _unless_broken(lambda: summary_in(listed.folder), faults)
            if (nodes := _count(summary, "nodes")) is not None:
                return replace(
                    listed,
                    state=COMPLETE if summary.get("complete") is True else STOPPED,
                    nodes=nodes,
                    solutions=_count(summary, "solutions"),
                    tasks=_count(summary, "tasks"),
                )
            if not faults:
                faults.append("summary.json says nothing of its nodes")
    try:
        with ledger_looked_at(listed.folder.ledger, Ledger) as ledger_now:
            return _with_totals(listed, _totals_of(ledger_now))
    except RunError as error:
        faults.append(str(error))
        return listed


def _totals_of(ledger: Ledger) -> Totals:
    """The sums of a ledger that anybody may have written; RunError where one of them is no number."""
    totals = ledger.totals()
    for name, value in vars(totals).items():
        if not isinstance(value, int | float) or not math.isfinite(value):
            raise RunError(f"ledger.sqlite is damaged: {name} is no number")
    return totals


def _with_totals(listed: Listed, totals: Totals) -> Listed:
    due = totals.units if listed.kind == "count" else listed.due
    done = listed.state != RUNNING and due is not None and due <= totals.done == totals.units
    return replace(
        listed,
        state=COMPLETE if done else listed.state,
        nodes=int(totals.nodes),
        solutions=int(totals.solutions),
        tasks=int(totals.done),
        due=due,
    )


def _look(known: _Known) -> None:
    """Look into the ledger of a running run: its totals, and how fast they have grown of late."""
    began = time.monotonic()
    try:
        with ledger_looked_at(known.listed.folder.ledger, Ledger) as ledger:
            totals = _totals_of(ledger)
            slices = {(worker.host, worker.pid): worker.slices for worker in ledger.workers()}
    except RunError as error:
        known.listed = replace(known.listed, faults=(str(error),))
    else:
        now = _Look(began, int(totals.nodes), slices)
        while len(known.looks) > 1 and known.looks[1].at <= began - _WINDOW:
            known.looks.popleft()
        listed = replace(_with_totals(known.listed, totals), faults=())
        if known.looks:
            then = known.looks[0]
            listed = replace(
                listed,
                rate=max(0, now.nodes - then.nodes) / (now.at - then.at),
                workers=sum(done != then.slices.get(worker, 0) for worker, done in now.slices.items()),
            )
        known.looks.append(now)
        known.listed = listed
    known.look_again = began + max(1.0, _SHARE * (time.monotonic() - began))


def _unless_broken(read: Callable[[], dict[str, Any]], faults: list[str]) -> dict[str, Any]:
    """What is read, empty with one more fault where that cannot be."""
    try:
        return read()
    except RunError as error:
        faults.append(str(error))
        return {}


def _max_score(folder: RunFolder, faults: list[str]) -> int | None:
    try:
        return _max_score_in(read_plain(folder.puzzle, MOST_BYTES))
    except RunError as error:
        faults.append(str(error))
        return None


@functools.lru_cache(maxsize=64)
def _max_score_in(puzzle: bytes) -> int:
    """How many seams a puzzle has. Most runs are of a few puzzles, and a text is soon told from another."""
    values = json_object(puzzle, "puzzle.json")
    width, height = _count(values, "width"), _count(values, "height")
    if width is None or height is None or not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise RunError("puzzle.json is damaged: it has no size")
    return Grid(width, height).max_score


def _count(values: Mapping[str, Any], key: str) -> int | None:
    value = values.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value[:200] if isinstance(value, str) else ""
