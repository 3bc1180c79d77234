"""The givens of a pencil puzzle as lines of text, in plain ASCII."""

from __future__ import annotations

from collections.abc import Sequence

from e2.pencil.pzpr.board import BLANK, MARK, UNKNOWN, UNREADABLE, PencilBoard
from e2.pencil.pzpr.history import Session
from e2.pencil.pzpr.puzzle import Puzzle

_ARROWS = ("", "^", "v", "<", ">")
_CIRCLES = {1: "o", 2: "@"}
_SIGNS = {UNKNOWN: "?", MARK: "+", UNREADABLE: "!"}
LOOPS = frozenset({"slither", "swslither", "vslither", "tslither"})
"""Puzzles whose loop runs along the sides of the cells."""


def pencil_lines(puzzle: Puzzle, board: PencilBoard) -> list[str]:
    """The board as lines. `?` is a given without a number, `!` a number that the link spoils, `#` a plain wall, o and @
    a white and a black circle, ^ v < > the direction of a number."""
    labels = cell_labels(puzzle, board)
    if puzzle.pid in LOOPS or board.upright or board.level or board.crosses:
        return _ruled(puzzle, board, labels)
    rows = [labels[row * board.cols : (row + 1) * board.cols] for row in range(board.rows)]
    if board.outside:
        outside = [_label(value) for value in board.outside]
        rows = [[number, *row] for number, row in zip(outside[board.cols :], rows, strict=True)]
        rows.insert(0, ["", *outside[: board.cols]])
    width = max(len(label) for row in rows for label in row)
    return [" ".join(f"{label or '.':>{width}}" for label in row) for row in rows]


def cell_labels(puzzle: Puzzle, board: PencilBoard) -> list[str]:
    """What stands in each cell; empty where nothing does."""
    if puzzle.pid == "mashu":
        return [_CIRCLES.get(value, "") for value in board.cells]
    if puzzle.pid == "tents":
        return ["T" if value == 1 else "" for value in board.cells]
    if puzzle.grid == "walls":
        return ["#" if value == UNKNOWN else _label(value) for value in board.cells]
    directions = board.directions or (0,) * len(board.cells)
    return [
        _ARROWS[direction] + _label(value) if value != BLANK else ""
        for value, direction in zip(board.cells, directions, strict=True)
    ]


def _label(value: int) -> str:
    return "" if value == BLANK else _SIGNS.get(value, str(value))


def _ruled(puzzle: Puzzle, board: PencilBoard, labels: Sequence[str]) -> list[str]:
    """Cells between corners; borders and, but for a loop, the rim are drawn."""
    width = max(1, *map(len, labels)) + 2
    framed = puzzle.pid not in LOOPS
    corners = [_label(value) for value in board.crosses] or ["+"] * ((board.cols + 1) * (board.rows + 1))
    lines = []
    for row in range(board.rows + 1):
        line = ""
        for column in range(board.cols + 1):
            line += corners[row * (board.cols + 1) + column] or ("+" if framed else " ")
            if column < board.cols:
                line += ("-" if _is_level(board, row, column, framed) else " ") * width
        lines.append(line.rstrip())
        if row < board.rows:
            line = ""
            for column in range(board.cols + 1):
                line += "|" if _is_upright(board, row, column, framed) else " "
                if column < board.cols:
                    line += f"{labels[row * board.cols + column]:^{width}}"
            lines.append(line.rstrip())
    return lines


def _is_level(board: PencilBoard, row: int, column: int, framed: bool) -> bool:
    """Whether a border lies above the cells of `row` at `column`."""
    if row in (0, board.rows):
        return framed
    return bool(board.level and board.level[(row - 1) * board.cols + column])


def _is_upright(board: PencilBoard, row: int, column: int, framed: bool) -> bool:
    """Whether a border lies to the left of `column` in `row`."""
    if column in (0, board.cols):
        return framed
    return bool(board.upright and board.upright[row * (board.cols - 1) + column - 1])


def session_lines(session: Session) -> list[str]:
    """A board with what is drawn on it: lines, x for a side that is crossed out, `#` shaded, `*` a lamp, `.` a dot.

    A loop of slither runs along the sides of the cells, one of yajilin through their middles.
    """
    board, puzzle = session.board, session.puzzle
    labels = cell_labels(puzzle, board)
    for cell in range(len(board.cells)):
        labels[cell] = labels[cell] or _drawn_label(session, cell)
    if puzzle.pid == "lightup":
        rows = [labels[row * board.cols : (row + 1) * board.cols] for row in range(board.rows)]
        return [" ".join(label or "-" for label in row) for row in rows]
    width = (max(1, *map(len, labels)) + 2) | 1  # odd, so that there is a middle for a line
    lines = []
    for y in range(2 * board.rows + 1):
        line = ""
        for x in range(2 * board.cols + 1):
            size = width if x % 2 else 1
            if x % 2 and y % 2:
                cell = board.grid.cell(y // 2, x // 2)
                line += _through(session, x, y, size) or f"{labels[cell]:^{size}}"
            elif x % 2 or y % 2:
                line += _side(session, x, y, size)
            else:
                line += "+"
        lines.append(line.rstrip())
    return lines


def _drawn_label(session: Session, cell: int) -> str:
    row, column = session.board.grid.row_column(cell)
    at = (2 * column + 1, 2 * row + 1)
    if session.value(("cell", "qans", "", *at)):
        return "*" if session.puzzle.pid == "lightup" else "#"
    return "." if session.value(("cell", "qsub", "", *at)) else ""


def _side(session: Session, x: int, y: int, size: int) -> str:
    """A side of a cell: its line along it or, in yajilin, across it."""
    along = session.puzzle.pid in LOOPS
    if session.value(("border", "line", "", x, y)):
        level = (y % 2 == 0) is along
        return "-" * size if level else f"{'|':^{size}}"
    if session.value(("border", "qsub", "", x, y)):
        return f"{'x':^{size}}"
    return " " * size


def _through(session: Session, x: int, y: int, size: int) -> str:
    """The line through the middle of a cell of yajilin; empty where there is none."""
    if session.puzzle.pid in LOOPS:
        return ""
    left, right, up, down = (
        bool(session.value(("border", "line", "", *at))) for at in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    )
    if not (left or right or up or down):
        return ""
    middle = "|" if not (left or right) else "+" if up or down else "-"
    half = size // 2
    return ("-" if left else " ") * half + middle + ("-" if right else " ") * (size - half - 1)
