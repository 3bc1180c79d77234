"""Slitherlink in a link: from what it says to the puzzle, and back."""

from __future__ import annotations

from e2.errors import FormatError
from e2.pencil.loop import Loop, LoopPuzzle
from e2.pencil.pzpr.board import BLANK, PencilBoard
from e2.pencil.pzpr.decode import Decoded, puzzle_named
from e2.pencil.pzpr.history import Session

PID = "slither"


def loop_puzzle(decoded: Decoded) -> LoopPuzzle:
    """The puzzle of a slither link; `?` is no clue. FormatError for a link to anything else."""
    pid = decoded.puzzle.pid
    if pid != PID:
        raise FormatError("pzpr", f"{pid} cannot be solved here", place="pid", expected=PID)
    clues = tuple(None if value < 0 else value for value in decoded.board.cells)
    return LoopPuzzle(decoded.board.grid, clues, full="f" in decoded.flags)


def loop_session(puzzle: LoopPuzzle, loop: Loop | None) -> Session:
    """The puzzle as a slither board with the loop drawn on it."""
    cells = tuple(BLANK if clue is None else clue for clue in puzzle.clues)
    session = Session(puzzle_named(PID), PencilBoard(puzzle.grid.width, puzzle.grid.height, cells))
    for rows, x, y in ((loop.level, 1, 0), (loop.upright, 0, 1)) if loop else ():
        for row, sides in enumerate(rows):
            for column, drawn in enumerate(sides):
                session.put(("border", "line", "", 2 * column + x, 2 * row + y), int(drawn))
    return session
