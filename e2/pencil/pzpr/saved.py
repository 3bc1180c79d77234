"""Saved files with what a player has drawn, and with the history behind it."""

from __future__ import annotations

import re

from e2.pencil.pzpr.board import PencilBoard
from e2.pencil.pzpr.decode import Decoded
from e2.pencil.pzpr.history import SOLVABLE, Place, Session
from e2.pencil.pzpr.puzzle import Puzzle
from e2.pencil.pzpr.tokens import Tokens

_SHADES = {"#": ("qans", 1), "+": ("qsub", 1)}
_DONE = ("qcmp", 1)
_TRIANGLES = {**{str(corner): ("qans", corner) for corner in range(2, 6)}, "+": ("qsub", 1), "-": _DONE}
_CELLS: dict[str, tuple[dict[str, tuple[str, int]], ...]] = {
    "slither": ({"1": ("qsub", 1), "2": ("qsub", 2)},),
    "yajilin": (_SHADES,),
    "lightup": (_SHADES, {"-": _DONE}),
    "shakashaka": (_TRIANGLES,),
}
"""What the tokens of cells mean, for each section of a file that holds something drawn. The first one of akari is that
of the givens, those of the others come behind it; sides come last."""


def history_text(body: str) -> tuple[str, bool] | None:
    """The JSON behind the board of a file, and whether it stands within an `info:`; None where there is none."""
    found = re.search(r"^(info|history):(?=\{)", body, re.MULTILINE)
    return None if found is None else (body[found.end() :], found[1] == "info")


def drawn_values(puzzle: Puzzle, board: PencilBoard, body: str) -> dict[Place, int]:
    """What is drawn on the board of a file, for the puzzles in SOLVABLE. `body` begins with the line of the version.

    Slither: lines and crosses on sides, two colours of cells (none in the oldest files). Yajilin: lines, crosses,
    shaded cells and dots. Akari: lamps, dots, and numbers that are done with. Shakashaka: triangles, 2 to 5 for the
    black corner at the lower left, lower right, upper right and upper left; dots, and numbers that are done with.
    """
    version, *lines = body.split("\n")
    if puzzle.flags and lines and re.fullmatch(r"[a-z]+", lines[0]):
        lines.pop(0)
    end = next((at for at, line in enumerate(lines) if re.match(r"(info|history):\{", line)), len(lines))
    tokens = Tokens(" ".join(lines[:end]).split())
    if puzzle.pid != "lightup":
        tokens.take(len(board.cells))
    values: dict[Place, int] = {}
    coloured = puzzle.pid != "slither" or "." in version
    for meanings in _CELLS[puzzle.pid] if coloured else ():
        for cell, token in enumerate(tokens.take(len(board.cells))):
            if token in meanings:
                row, column = board.grid.row_column(cell)
                property, value = meanings[token]
                values["cell", property, "", 2 * column + 1, 2 * row + 1] = value
    sides = SOLVABLE[puzzle.pid]
    if sides:
        inner = 2 - sides
        _draw_sides(values, tokens, range(2 * inner, 2 * (board.cols + 1 - inner), 2), range(1, 2 * board.rows, 2))
        _draw_sides(values, tokens, range(1, 2 * board.cols, 2), range(2 * inner, 2 * (board.rows + 1 - inner), 2))
    return values


def drawn_session(decoded: Decoded) -> Session | None:
    """The board of a file with what is drawn on it; None where nothing is, or where that is not read."""
    if decoded.link.form != "file" or decoded.puzzle.pid not in SOLVABLE:
        return None
    values = drawn_values(decoded.puzzle, decoded.board, decoded.link.body)
    session = Session(decoded.puzzle, decoded.board)
    for place, value in values.items():
        session.put(place, value)
    return session if values else None


def _draw_sides(values: dict[Place, int], tokens: Tokens, across: range, down: range) -> None:
    """Lines and crosses on sides, row by row."""
    for y in down:
        for x in across:
            token = tokens.take(1)[0]
            if token == "-1":
                values["border", "qsub", "", x, y] = 2
            elif re.fullmatch(r"[1-9]", token):
                values["border", "line", "", x, y] = int(token)
