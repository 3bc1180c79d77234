"""A run as its folder has it: only read, whatever state it is in, and whoever wrote into it."""

from __future__ import annotations

import math
import os
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from e2.core.board import Board
from e2.core.fingerprint import instance_hash
from e2.core.instance import Instance
from e2.errors import E2Error, FormatError, PuzzleError, RunError
from e2.formats.convert import document
from e2.formats.detect import read
from e2.formats.format import Document
from e2.formats.judge import Judged, judge
from e2.store.compare import BoardSet, Candidate
from e2.store.documents import read_puzzle
from e2.store.layout import RunFolder
from e2.store.ledger import Improvement, Ledger, Outcome, Totals, Worker
from e2.store.look import ledger_looked_at, named, settings_in, summary_in
from e2.store.source import read_file
from e2.store.tree_ledger import TreeLedger

COUNT = "count"

Points = tuple[tuple[float, float], ...]
"""Steps of a curve: from x on, it is at y."""


@dataclass(frozen=True)
class Kept:
    """A board file of a run: its board, judged anew, and the same as a document for pictures and links."""

    judged: Judged
    board: Board
    document: Document


@dataclass(frozen=True)
class History:
    """How a run came to where it is: improvements in the order of its time, tasks that are done, sums.

    The units of a count are no tasks: it has no outcomes.
    """

    improvements: tuple[Improvement, ...]
    outcomes: tuple[Outcome, ...]
    totals: Totals

    @classmethod
    def of(cls, ledger: Ledger) -> History:
        outcomes = () if isinstance(ledger, TreeLedger) else tuple(ledger.outcomes())
        return cls(tuple(ledger.improvements()), outcomes, ledger.totals())

    @property
    def is_known(self) -> bool:
        """Whether there is any; ledgers of older versions have none."""
        return bool(self.improvements)

    def best_by_seconds(self) -> Points:
        """The best score of the run over the seconds of its drivers, up to now."""
        return self._best_by(lambda step: step.seconds, self.totals.seconds)

    def best_by_nodes(self) -> Points:
        """The best score of the run over the nodes of all its tasks, up to now."""
        return self._best_by(lambda step: step.run_nodes, self.totals.nodes)

    def mean_by_task_nodes(self) -> Points:
        """The mean of the tasks' best scores over the nodes that each has made, of tasks that are done.

        It begins where all of them have a board, and ends with the longest.
        """
        done = {outcome.number: outcome for outcome in self.outcomes}
        steps = sorted(
            (step for step in self.improvements if step.unit in done),
            key=lambda step: (step.unit_nodes, step.unit, step.score),
        )
        best: dict[int, int] = {}
        points: dict[float, float] = {}
        for step in steps:
            best[step.unit] = step.score
            if len(best) == len(done):
                points[step.unit_nodes] = sum(best.values()) / len(best)
        if points:
            points.setdefault(max(outcome.nodes for outcome in done.values()), next(reversed(points.values())))
        return tuple(points.items())

    def _best_by(self, at: Callable[[Improvement], float], end: float) -> Points:
        points: dict[float, float] = {}
        best = -1
        for step in self.improvements:
            if step.score > best:
                best = step.score
                points[at(step)] = best
        if points and end > next(reversed(points)):
            points[end] = best
        return tuple(points.items())


@dataclass(frozen=True)
class RunRecord:
    """What a run has come to.

    `settings` are as the file has them, unchecked. `summary` is what the last sitting wrote, None where there is none
    that can be read; `faults` say what could not. `depths` are how deep each search got, in cells; of a count,
    `nodes_by_depth` are those with 1, 2, ... pieces, and `left` is the part of the tree that is not searched, by a
    guess.
    """

    path: Path
    settings: Mapping[str, object]
    instance: Instance
    history: History
    found_clocks: Mapping[int, float]
    workers: tuple[Worker, ...]
    depths: tuple[int, ...]
    nodes_by_depth: tuple[int, ...]
    left: float
    failures: tuple[tuple[int, str], ...]
    summary: Mapping[str, object] | None
    faults: tuple[str, ...]

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def totals(self) -> Totals:
        return self.history.totals

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return self.history.outcomes

    @property
    def is_count(self) -> bool:
        return self.settings.get("kind") == COUNT

    @cached_property
    def puzzle_hash(self) -> str:
        return instance_hash(self.instance)

    def board_set(self) -> BoardSet:
        """All boards that can be read, for comparing."""
        kept, _ = self.best_boards()
        return BoardSet(self.name, tuple(Candidate(one.board, one.judged.audit.score) for one in kept))

    def best_boards(self, most: int | None = None) -> tuple[list[Kept], list[str]]:
        """The best boards, at most so many, best first; and what is wrong with files that hold none.

        File names only say which to read first: every board is scored here.
        """
        folder, kept, faults = RunFolder(self.path), list[Kept](), list[str]()
        for path in self._board_files(folder, faults):
            if len(kept) == most:
                break
            try:
                judged = judge(read(read_file(path).text, format="board_doc"), self.instance)
            except E2Error as error:
                faults.append(f"{path.name}: {error}")
                continue
            if judged.board is None:
                faults.append(f"{path.name} is no board of the run's puzzle")
                continue
            kept.append(Kept(judged, judged.board, document(judged, self.instance)))
        return sorted(kept, key=lambda one: -one.judged.audit.score), faults

    def _board_files(self, folder: RunFolder, faults: list[str]) -> Sequence[Path]:
        """Board files, by the score in their names; a link or a pipe is named and not opened."""
        try:
            found = [] if folder.boards.is_symlink() else list(folder.boards.glob("*.json"))
        except OSError as error:
            faults.append(f"boards cannot be read: {error.strerror}")
            return []
        faults += [f"{path.name} is a link and was not followed" for path in found if path.is_symlink()]
        plain = [path for path in found if not path.is_symlink()]
        faults += [f"{path.name} is no plain file" for path in plain if not path.is_file()]
        return sorted((path for path in plain if path.is_file()), key=_promise)


@dataclass(frozen=True)
class HostShare:
    """What the processes on one host have done for a run; `seconds` are those of their slices."""

    host: str
    processes: int
    slices: int
    nodes: int
    seconds: float


def by_host(workers: Iterable[Worker]) -> list[HostShare]:
    """The workers of a run summed up for each host, in the order of their names."""
    found: dict[str, list[Worker]] = defaultdict(list)
    for worker in workers:
        found[str(worker.host)].append(worker)
    return [
        HostShare(
            host,
            len(here),
            sum(worker.slices for worker in here),
            sum(worker.nodes for worker in here),
            sum(worker.seconds for worker in here),
        )
        for host, here in sorted(found.items())
    ]


def is_run(argument: str) -> bool:
    """Whether an argument is the folder of a run."""
    return os.path.isfile(RunFolder(Path(argument)).settings)


def run_record(path: Path) -> RunRecord:
    """The run at `path`. RunError where its settings, its puzzle or its ledger cannot be read."""
    folder = RunFolder.open(path)
    folder.check_puzzle()
    faults: list[str] = []
    with named(path):
        settings = settings_in(folder)
        kind = TreeLedger if settings.get("kind") == COUNT else Ledger
        instance = _puzzle(folder.puzzle)
        summary = _summary(folder, faults)
        with ledger_looked_at(folder.ledger, kind, None) as ledger:
            return recorded(path, settings, instance, ledger, summary, tuple(faults))


def recorded(
    path: Path,
    settings: Mapping[str, object],
    instance: Instance,
    ledger: Ledger,
    summary: Mapping[str, object] | None,
    faults: tuple[str, ...],
) -> RunRecord:
    """What an open ledger has of a run, with what was read beside it. RunError where it holds what no ledger holds.

    SQLite keeps a text in the place of a number without a word.
    """
    try:
        record = _recorded(path, settings, instance, ledger, summary, faults)
        _check_numbers([record.totals, *record.outcomes, *record.history.improvements, *record.workers])
        if not all(isinstance(number, int | float) for number in (*record.depths, *record.found_clocks.values())):
            raise TypeError("a text in the place of a number")
    except (TypeError, ValueError, OverflowError, struct.error) as error:
        if isinstance(error, E2Error):
            raise
        raise RunError(f"ledger.sqlite is damaged: {error}") from error
    return record


def _recorded(
    path: Path,
    settings: Mapping[str, object],
    instance: Instance,
    ledger: Ledger,
    summary: Mapping[str, object] | None,
    faults: tuple[str, ...],
) -> RunRecord:
    by_depth: tuple[int, ...] = ()
    left = 0.0
    if isinstance(ledger, TreeLedger):
        by_depth = ledger.nodes_by_depth(instance.grid.cells)
        left = ledger.share_elsewhere()[1] + ledger.open_share()[1] + ledger.failed_share()[1]
    return RunRecord(
        path=path,
        settings=settings,
        instance=instance,
        history=History.of(ledger),
        found_clocks=ledger.found_clocks(),
        workers=tuple(ledger.workers()),
        depths=tuple(ledger.depths()),
        nodes_by_depth=by_depth[: max((depth for depth, nodes in enumerate(by_depth, 1) if nodes), default=0)],
        left=left,
        failures=tuple(ledger.failures()),
        summary=summary,
        faults=faults,
    )


def _check_numbers(rows: Iterable[Totals | Outcome | Improvement | Worker]) -> None:
    """Raise a TypeError where a row has no number in the place of one."""
    for row in rows:
        for name, value in vars(row).items():
            if name != "host" and not (isinstance(value, int | float) and math.isfinite(value)):
                raise TypeError(f"{name} is no number")


def _puzzle(path: Path) -> Instance:
    if path.is_symlink():
        raise RunError(f"{path.name} cannot be read: it is a link, not followed")
    try:
        return read_puzzle(path)
    except (FormatError, PuzzleError) as error:
        raise RunError(f"{path.name} is damaged: {error}") from error


def _summary(folder: RunFolder, faults: list[str]) -> Mapping[str, object] | None:
    """What the last sitting wrote at its end; a run whose first one goes on, or was killed, has none."""
    if not folder.summary.exists() and not folder.summary.is_symlink():
        return None
    try:
        return summary_in(folder)
    except RunError as error:
        faults.append(str(error))
        return None


def _promise(path: Path) -> tuple[int, str]:
    """The order of board files: by the score that the name promises, best first."""
    score = path.name.partition("_")[0]
    return (-int(score) if score.isascii() and score.isdecimal() and len(score) < 9 else 0), path.name
