"""Slitherlink in a link: from what it says to the puzzle, and back."""

from __future__ import annotations

from e2.errors import FormatError
from e2.pencil.loop import LoopPuzzle
from e2.pencil.pzpr.board import BLANK, PencilBoard
from e2.pencil.pzpr.decode import Decoded

PID = "slither"


def loop_puzzle(decoded: Decoded) -> LoopPuzzle:
    """The puzzle of a slither link; `?` is no clue. FormatError for a link to anything else."""
    pid = decoded.puzzle.pid
    if pid != PID:
        raise FormatError("pzpr", f"{pid} cannot be solved here", place="pid", expected=PID)
    clues = tuple(None if value < 0 else value for value in decoded.board.cells)
    return LoopPuzzle(decoded.board.grid, clues, full="f" in decoded.flags)


def loop_board(puzzle: LoopPuzzle) -> PencilBoard:
    """The puzzle as the board of a slither link."""
    cells = tuple(BLANK if clue is None else clue for clue in puzzle.clues)
    return PencilBoard(puzzle.grid.width, puzzle.grid.height, cells)
