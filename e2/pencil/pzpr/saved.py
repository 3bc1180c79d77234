"""Saved files with what a player has drawn, and with the history behind it."""

from __future__ import annotations

import re

from e2.pencil.pzpr.board import PencilBoard
from e2.pencil.pzpr.history import SOLVABLE, Place
from e2.pencil.pzpr.puzzle import Puzzle
from e2.pencil.pzpr.tokens import Tokens

_SHADED, _DOT = "#", "+"


def history_text(body: str) -> tuple[str, bool] | None:
    """The JSON behind the board of a file, and whether it stands within an `info:`; None where there is none."""
    found = re.search(r"^(info|history):(?=\{)", body, re.MULTILINE)
    return None if found is None else (body[found.end() :], found[1] == "info")


def drawn_values(puzzle: Puzzle, board: PencilBoard, body: str) -> dict[Place, int]:
    """What is drawn on the board of a slither, yajilin or akari file. `body` begins with the line of the version."""
    assert puzzle.pid in SOLVABLE
    lines = body.split("\n")[1:]
    if puzzle.flags and lines and re.fullmatch(r"[a-z]+", lines[0]):
        lines.pop(0)
    end = next((at for at, line in enumerate(lines) if re.match(r"(info|history):\{", line)), len(lines))
    tokens = Tokens(" ".join(lines[:end]).split())
    if puzzle.pid != "lightup":
        tokens.take(len(board.cells))
    values: dict[Place, int] = {}
    for cell, token in enumerate(tokens.take(len(board.cells))):
        row, column = board.grid.row_column(cell)
        x, y = 2 * column + 1, 2 * row + 1
        if token == _SHADED:
            values["cell", "qans", "", x, y] = 1
        elif token == _DOT:
            values["cell", "qsub", "", x, y] = 1
        elif puzzle.pid == "slither" and token in ("1", "2"):
            values["cell", "qsub", "", x, y] = int(token)
    sides = SOLVABLE[puzzle.pid]
    if sides:
        inner = 2 - sides
        _draw_sides(values, tokens, range(2 * inner, 2 * (board.cols + 1 - inner), 2), range(1, 2 * board.rows, 2))
        _draw_sides(values, tokens, range(1, 2 * board.cols, 2), range(2 * inner, 2 * (board.rows + 1 - inner), 2))
    return values


def _draw_sides(values: dict[Place, int], tokens: Tokens, across: range, down: range) -> None:
    """Lines and crosses on sides, row by row."""
    for y in down:
        for x in across:
            token = tokens.take(1)[0]
            if token == "-1":
                values["border", "qsub", "", x, y] = 2
            elif re.fullmatch(r"[1-9]", token):
                values["border", "line", "", x, y] = int(token)
