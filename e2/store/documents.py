"""A run's puzzle and boards in the formats they are kept in: Puzzle JSON and BoardDoc. A cover problem is a text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from e2.core.board import Board
from e2.core.cover import CoverProblem
from e2.core.fingerprint import instance_hash
from e2.core.instance import Instance
from e2.core.score import score_board
from e2.errors import RunError
from e2.formats import board_doc, puzzle_json, viewer_url
from e2.formats.cover_text import read_cover, write_cover
from e2.formats.format import Asked, Document
from e2.formats.judge import own_instance
from e2.store.compare import BoardSet, Candidate
from e2.store.layout import RunFolder, read_text, write_durably

Problem = Instance | CoverProblem
"""What a run works on: a puzzle, or, in a count, any exact cover problem."""


@dataclass(frozen=True)
class Written:
    """A board's document and its link."""

    data: bytes
    url: str


def board_document(board: Board, instance: Instance) -> Written:
    """The BoardDoc of a board; FormatError where the puzzle has more colours or pieces than the document has words."""
    document = Document.of_board(board, instance)
    return Written(board_doc.write(document).encode(), viewer_url.write(document))


def check_boards_can_be_written(instance: Instance) -> None:
    """Raise now the FormatError that the first full board would raise."""
    board_document(Board(instance.width, instance.height, tuple(range(0, 4 * len(instance.pieces), 4))), instance)


def puzzle_document(instance: Instance) -> bytes:
    """The Puzzle JSON of an instance."""
    return puzzle_json.write(Document.of_puzzle(instance)).encode()


def read_puzzle(path: Path) -> Instance:
    """The puzzle of a run; RunError or FormatError where the file is not what `puzzle_document` wrote."""
    return own_instance(puzzle_json.read(read_text(path), Asked()))


def problem_hash(problem: Problem) -> str:
    """What tells problems apart: core.fingerprint.instance_hash of a puzzle, SHA-256 of a cover's text."""
    if isinstance(problem, CoverProblem):
        return hashlib.sha256(write_cover(problem).encode()).hexdigest()
    return instance_hash(problem)


def write_problem(folder: RunFolder, problem: Problem) -> None:
    """Put the problem of a run into its folder; RunError where the disk does not take it."""
    if isinstance(problem, CoverProblem):
        write_durably(folder.cover, write_cover(problem).encode())
    else:
        write_durably(folder.puzzle, puzzle_document(problem))


def read_problem(folder: RunFolder) -> Problem:
    """The problem of a run; RunError or FormatError where its file is not what `write_problem` wrote."""
    return read_cover(read_text(folder.cover)) if folder.cover.is_file() else read_puzzle(folder.puzzle)


def run_boards(folder: RunFolder) -> BoardSet:
    """The boards of a run, scored anew; RunError or FormatError where a file is not what `board_document` wrote."""
    instance = read_puzzle(folder.puzzle)
    return BoardSet(
        str(folder.path), tuple(_candidate(path, instance) for path in sorted(folder.boards.glob("*.json")))
    )


def _candidate(path: Path, instance: Instance) -> Candidate:
    reading = board_doc.read(read_text(path), Asked())
    size = (instance.width, instance.height)
    if reading.codes is None or (reading.width, reading.height) != size:
        raise RunError(f"{path} is no board of the run's puzzle")
    board = Board(*size, reading.codes)
    return Candidate(board, score_board(board, instance.pieces).matched, reading.claims.board_hash)
