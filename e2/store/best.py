"""The best boards over many runs, each once, every claim of theirs recomputed.

Folders of runs are copied and shared: a file that is broken, or a link that may lead anywhere, is told to the caller
and does not stop the rest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from e2.core.instance import Instance
from e2.core.official import official_instance, official_pieces
from e2.core.pieces import PieceSet
from e2.errors import E2Error, FormatError, RunError
from e2.formats.detect import read
from e2.formats.judge import Judged, judge, own_instance
from e2.store.layout import RunFolder
from e2.store.look import read_plain

Report = Callable[[Path, E2Error], None]
"""Is told of each thing that was left out, and why."""

_MOST_BYTES = 8 << 20
_DEEPEST = 4  # folders of folders: a study keeps its runs two below its own


@dataclass(frozen=True)
class Ranked:
    """A board with its audit and the files it was found in, sorted.

    `turn_of` is the board_hash of a board further up that is the same but for a turn of the whole board.
    """

    judged: Judged
    paths: tuple[Path, ...]
    turn_of: int | None = None


def best_boards(folders: Sequence[Path], top: int, report: Report) -> list[Ranked]:
    """The `top` best legal boards in these folders, each a run or a folder of runs.

    Ranked by score, then by hints kept, then by board_hash. A board of the official set is held against the official
    puzzle with all its hints, whatever its run asked for; one of another set against its run's puzzle. RunError where
    one of `folders` is no folder.
    """
    found: dict[tuple[int, PieceSet, int], tuple[Judged, list[Path]]] = {}
    for folder in folders:
        if not os.path.isdir(folder):
            raise RunError(f"{folder} is no folder: expected a run or a folder of runs")
        # The link that a user names is meant; those inside are a stranger's.
        for path, judged in _boards_below(folder.resolve() if folder.is_symlink() else folder, report):
            audit = judged.audit
            assert judged.instance is not None
            assert audit.board_hash is not None
            key = audit.width, judged.instance.pieces, audit.board_hash
            paths = found.setdefault(key, (judged, []))[1]
            if path not in paths:
                paths.append(path)
    ranked = sorted(found.values(), key=lambda entry: _rank(entry[0]))
    first: dict[tuple[PieceSet, int], int] = {}
    result = []
    for judged, paths in ranked[:top]:
        audit = judged.audit
        assert judged.instance is not None
        assert audit.board_hash is not None
        assert audit.symmetry_hash is not None
        earlier = first.setdefault((judged.instance.pieces, audit.symmetry_hash), audit.board_hash)
        result.append(Ranked(judged, tuple(sorted(paths)), None if earlier == audit.board_hash else earlier))
    return result


def _rank(judged: Judged) -> tuple[int, int, int]:
    audit = judged.audit
    return -audit.score, -(audit.hints_kept or 0), audit.board_hash or 0


def _boards_below(folder: Path, report: Report) -> Iterator[tuple[Path, Judged]]:
    """Every legal board of every run in the folder."""
    for run in _runs_below(folder, report, _DEEPEST):
        try:
            instance = _puzzle(run)
        except E2Error as error:
            report(run.puzzle, error)
            continue
        for path in sorted(_entries(run.boards, report)):
            if path.suffix != ".json":
                continue
            try:
                yield path, _judged(path, instance)
            except E2Error as error:
                report(path, error)


def _runs_below(folder: Path, report: Report, deeper: int) -> Iterator[RunFolder]:
    """The run at the folder, or those in it and in the folders in it. No link is followed."""
    run = RunFolder(folder)
    if os.path.isdir(run.boards):
        yield run
        return
    for path in sorted(_entries(folder, report)):
        if os.path.isdir(path) and deeper:
            yield from _runs_below(path, report, deeper - 1)
        elif os.path.isdir(path):
            report(path, RunError("too deep, not looked into"))


def _entries(folder: Path, report: Report) -> list[Path]:
    """What lies in a folder; a link or a folder that cannot be read is reported."""
    if folder.is_symlink():
        report(folder, RunError("a link, not followed"))
        return []
    try:
        with os.scandir(folder) as entries:
            found = [(Path(entry.path), entry.is_symlink()) for entry in entries if not entry.name.startswith(".")]
    except OSError as error:
        report(folder, RunError(f"cannot be read: {error.strerror}"))
        return []
    for path, is_link in found:
        if is_link:
            report(path, RunError("a link, not followed"))
    return [path for path, is_link in found if not is_link]


def _puzzle(run: RunFolder) -> Instance | None:
    """The puzzle of a run; the official one with all its hints for any run with the official set."""
    if not os.path.lexists(run.puzzle):
        return None
    instance = own_instance(read(_text(run.puzzle), format="puzzle_json"))
    return official_instance() if instance.pieces == official_pieces() else instance


def _judged(path: Path, instance: Instance | None) -> Judged:
    """The board in a file. FormatError for one that is illegal or of no known set."""
    reading = read(_text(path), format="board_doc")
    judged = judge(reading, instance)
    if judged.audit.illegal:
        raise FormatError(reading.format, "; ".join(judged.audit.illegal), expected="a legal board")
    if judged.board is None:
        raise FormatError(reading.format, "its cells are in no known set", expected="a run with its puzzle.json")
    return judged


def _text(path: Path) -> str:
    try:
        return read_plain(path, _MOST_BYTES).decode()
    except UnicodeDecodeError as error:
        raise FormatError("input", "no text", place=f"byte {error.start}", expected="utf-8 text") from error
