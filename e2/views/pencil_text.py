"""A pencil puzzle as lines of text, with what is drawn on it, in plain ASCII."""

from __future__ import annotations

from collections.abc import Sequence

from e2.pencil.loop_text import loop_lines
from e2.pencil.pzpr.board import BLANK, MARK, UNKNOWN, UNREADABLE, PencilBoard
from e2.pencil.pzpr.history import Session
from e2.pencil.pzpr.puzzle import Puzzle

_ARROWS = ("", "^", "v", "<", ">")
_CIRCLES = {1: "o", 2: "@"}
_TRIANGLES = {2: "|\\", 3: "/|", 4: "\\|", 5: "|/"}
_SIGNS = {UNKNOWN: "?", MARK: "+", UNREADABLE: "!"}
LOOPS = frozenset({"slither", "swslither", "vslither", "tslither"})
"""Puzzles whose loop runs along the sides of the cells."""


def pencil_lines(puzzle: Puzzle, board: PencilBoard) -> list[str]:
    """The board as lines. `?` is a given without a number, `!` a number that the link spoils, `#` a plain wall, o and @
    a white and a black circle, ^ v < > the direction of a number."""
    labels = cell_labels(puzzle, board)
    if puzzle.pid in LOOPS:
        blank = loop_lines(board.grid, labels, lambda x, y: False, point="+", size=_room(labels))
        return [line.rstrip() for line in blank]
    if board.upright or board.level or board.crosses:
        return _ruled(board, labels)
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


def _room(labels: Sequence[str]) -> int:
    """Characters for a cell between corners: odd, so that there is a middle for a line."""
    return (max(1, *map(len, labels)) + 2) | 1


def _ruled(board: PencilBoard, labels: Sequence[str]) -> list[str]:
    """Cells between corners, with the borders and the rim. Unlike a loop, a border has all its corners drawn."""
    width = max(1, *map(len, labels)) + 2
    corners = [_label(value) for value in board.crosses] or ["+"] * ((board.cols + 1) * (board.rows + 1))
    lines = []
    for row in range(board.rows + 1):
        line = ""
        for column in range(board.cols + 1):
            line += corners[row * (board.cols + 1) + column] or "+"
            if column < board.cols:
                line += ("-" if _is_level(board, row, column) else " ") * width
        lines.append(line.rstrip())
        if row < board.rows:
            line = ""
            for column in range(board.cols + 1):
                line += "|" if _is_upright(board, row, column) else " "
                if column < board.cols:
                    line += f"{labels[row * board.cols + column]:^{width}}"
            lines.append(line.rstrip())
    return lines


def _is_level(board: PencilBoard, row: int, column: int) -> bool:
    """Whether a border lies above the cells of `row` at `column`."""
    return row in (0, board.rows) or bool(board.level and board.level[(row - 1) * board.cols + column])


def _is_upright(board: PencilBoard, row: int, column: int) -> bool:
    """Whether a border lies to the left of `column` in `row`."""
    return column in (0, board.cols) or bool(board.upright and board.upright[row * (board.cols - 1) + column - 1])


def session_lines(session: Session) -> list[str]:
    r"""A board with what is drawn on it: lines, x for a side that is crossed out, `#` shaded, `*` a lamp, `.` a dot.

    Triangles are `|\` `/|` `\|` `|/` by where they are black; `.` and `:` are the two colours of slither's cells; in
    akari and shakashaka `-` is a blank. A loop of slither runs along the sides of the cells and is drawn by
    `loop_lines`, as that of the contest, but with all points, since some are still to be joined. One of yajilin joins
    the middles of the cells, where the other has its numbers: they share no more than the strokes.
    """
    board, puzzle = session.givens, session.puzzle
    labels = cell_labels(puzzle, board)
    for cell in range(len(board.cells)):
        labels[cell] = labels[cell] or _drawn_label(session, cell)
    if puzzle.grid == "walls":
        width = max(map(len, labels))
        rows = [labels[row * board.cols : (row + 1) * board.cols] for row in range(board.rows)]
        return [" ".join(f"{label or '-':>{width}}" for label in row).rstrip() for row in rows]
    size = _room(labels)
    if puzzle.pid in LOOPS:
        lines = loop_lines(
            board.grid,
            labels,
            lambda x, y: bool(session.value(("border", "line", "", x, y))),
            mark=lambda x, y: "x" if session.value(("border", "qsub", "", x, y)) else "",
            point="+",
            size=size,
        )
        return [line.rstrip() for line in lines]
    lines = []
    for y in range(2 * board.rows + 1):
        line = ""
        for x in range(2 * board.cols + 1):
            room = size if x % 2 else 1
            if x % 2 and y % 2:
                cell = board.grid.cell(y // 2, x // 2)
                line += _through(session, x, y, room) or f"{labels[cell]:^{room}}"
            elif x % 2 or y % 2:
                line += _crossed(session, x, y, room)
            else:
                line += "+"
        lines.append(line.rstrip())
    return lines


def _drawn_label(session: Session, cell: int) -> str:
    row, column = session.board.grid.row_column(cell)
    at = (2 * column + 1, 2 * row + 1)
    if answer := session.value(("cell", "qans", "", *at)):
        return _TRIANGLES.get(answer, "*" if session.puzzle.pid == "lightup" else "#")
    return {1: ".", 2: ":"}.get(session.value(("cell", "qsub", "", *at)), "")


def _crossed(session: Session, x: int, y: int, size: int) -> str:
    """A side of a cell of yajilin: the line across it, or a cross."""
    if session.value(("border", "line", "", x, y)):
        return f"{'|':^{size}}" if x % 2 else "-" * size
    return f"{'x' if session.value(('border', 'qsub', '', x, y)) else '':^{size}}"


def _through(session: Session, x: int, y: int, size: int) -> str:
    """The line through the middle of a cell of yajilin; empty where there is none."""
    left, right, up, down = (
        bool(session.value(("border", "line", "", *at))) for at in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    )
    if not (left or right or up or down):
        return ""
    middle = "|" if not (left or right) else "+" if up or down else "-"
    half = size // 2
    return ("-" if left else " ") * half + middle + ("-" if right else " ") * (size - half - 1)
