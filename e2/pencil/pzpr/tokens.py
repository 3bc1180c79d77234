"""Boards as tokens between blanks: files of pzprjs, links of kanpen and of the heyawake applet, and plain grids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from e2.errors import FormatError
from e2.pencil.pzpr.board import BLANK, UNKNOWN, PencilBoard, checked_size
from e2.pencil.pzpr.parts import border_counts, cross_count
from e2.pencil.pzpr.primitives import FORMAT, MOST_FAULTS, Fault
from e2.pencil.pzpr.puzzle import Grid, Puzzle

_WHOLE = re.compile(r"[0-9]{1,7}")
_SQUARE = re.compile(r"(?:(\d{1,4})in)?(\d{1,3})x(\d{1,3})", re.ASCII)
_FROM_KANPEN = (1, 3, 2, 4)
"""Direction of a yajilin number by bits 4 and 5 of a kanpen token: up, left, down, right."""


@dataclass
class Tokens:
    """A stream of tokens: line ends mean no more than blanks do."""

    tokens: list[str]
    at: int = 0
    faults: list[Fault] = field(default_factory=list)

    def take(self, count: int) -> list[str]:
        """The next tokens, with `.` for those that are missing."""
        found = self.tokens[self.at : self.at + count]
        self.at += len(found)
        if len(found) < count:
            message = f"tokens missing at the end: {count - len(found)}"
            self.faults.append(Fault(message, f"token {self.at + 1}", "a token for each place"))
        return found + ["."] * (count - len(found))

    def whole(self, low: int, high: int, what: str) -> int:
        """The next token as a number."""
        token = self.take(1)[0]
        if not _WHOLE.fullmatch(token) or not low <= int(token) <= high:
            raise FormatError(
                FORMAT, f"{token[:20]!r} is no {what}", place=f"token {self.at}", expected=f"{low} to {high}"
            )
        return int(token)

    def end(self) -> None:
        """Note what is left over."""
        if self.at < len(self.tokens):
            message = f"{self.tokens[self.at][:20]!r} is left over"
            self.faults.append(Fault(message, f"token {self.at + 1}", "the end of the link"))


def cell_value(token: str, grid: Grid) -> int:
    """The given of a cell; what a player has drawn in it (`#`, `+`, ...) is none."""
    if token in ("-", "?") or (token == "5" and grid == "walls"):
        return UNKNOWN
    return int(token) if _WHOLE.fullmatch(token) else BLANK


def arrow_value(token: str) -> tuple[int, int]:
    """The number and direction of `direction,number`."""
    direction, comma, number = token.partition(",")
    if not comma:
        return cell_value(token, "numbers"), 0
    return cell_value(number, "numbers"), int(direction) if direction in ("1", "2", "3", "4") else 0


def with_cells(board: PencilBoard, tokens: list[str], grid: Grid) -> PencilBoard:
    """The board with the givens of these tokens, one a cell."""
    if grid == "arrows":
        cells, directions = zip(*map(arrow_value, tokens), strict=True)
        return replace(board, cells=cells, directions=directions)
    return replace(board, cells=tuple(cell_value(token, grid) for token in tokens))


def read_file_board(puzzle: Puzzle, board: PencilBoard, body: str, faults: list[Fault]) -> tuple[PencilBoard, str]:
    """The board of a file and the letters of its flags; adds what is wrong to `faults`.

    The first line of `body` is that of the version. What a player has drawn comes after the givens, and is left alone.
    """
    version, *lines = body.split("\n")
    letters = ""
    if lines and puzzle.flags and re.fullmatch(r"[a-z]+", lines[0]):
        letters = lines.pop(0)
    tokens = Tokens(" ".join(_givens(lines)).split(), faults=faults)
    for section in puzzle.file:
        if section == "cells":
            board = with_cells(board, tokens.take(len(board.cells)), puzzle.grid)
        elif section == "rooms" or (section == "area" and "." not in version):
            board = _with_rooms(board, tokens)
        elif section == "area":
            upright, level = border_counts(board)
            board = replace(board, upright=_bits(tokens.take(upright)), level=_bits(tokens.take(level)))
        elif section == "crosses":
            crosses = (cell_value(token, "numbers") for token in tokens.take(cross_count(board)))
            board = replace(board, crosses=tuple(crosses))
        else:
            board = _framed(board, tokens)
    return board, letters


def _givens(lines: list[str]) -> Iterator[str]:
    """The lines before a history."""
    for line in lines:
        if re.match(r"(info|history):\{|http://", line):
            return
        yield line


def _bits(tokens: list[str]) -> tuple[int, ...]:
    return tuple(int(token == "1") for token in tokens)


def _with_rooms(board: PencilBoard, tokens: Tokens) -> PencilBoard:
    """Rooms by number: how many there are, then the room of each cell."""
    count = tokens.whole(1, len(board.cells), "number of rooms")
    return board.with_rooms([tokens.whole(0, count - 1, "room") for _ in board.cells])


def _framed(board: PencilBoard, tokens: Tokens) -> PencilBoard:
    """Tents: a corner and the numbers above, then for each row its number and its cells."""
    rows = [tokens.take(board.cols + 1) for _ in range(board.rows + 1)]
    outside = rows[0][1:] + [row[0] for row in rows[1:]]
    values = tuple(cell_value(token.removeprefix("c"), "numbers") for token in outside)
    return replace(with_cells(board, [token for row in rows[1:] for token in row[1:]], "numbers"), outside=values)


def read_kanpen_board(puzzle: Puzzle, board: PencilBoard, body: str, faults: list[Fault]) -> PencilBoard:
    """The board of a kanpen link: one stream of tokens, with `_` between them. Adds what is wrong to `faults`."""
    tokens = Tokens(body.replace("_", " ").replace("/", " ").split(), faults=faults)
    if puzzle.kanpen == "squares":
        return _kanpen_squares(board, body)
    if puzzle.kanpen == "rooms":
        board = _with_rooms(board, tokens)
        tokens.end()
        return board
    if not puzzle.kanpen:
        raise FormatError(FORMAT, f"kanpen has no {puzzle.pid}", place="link", expected="another form of link")
    found = tokens.take(len(board.cells))
    tokens.end()
    for at, token in enumerate(found):
        if not re.fullmatch(r"\.|-4|[0-9]{1,7}", token) and len(faults) < MOST_FAULTS:
            faults.append(Fault(f"{token[:20]!r} is no cell", f"token {at + 1}", "a number or ."))
    if puzzle.grid != "arrows":
        return with_cells(board, found, puzzle.grid)
    return with_cells(board, [_kanpen_arrow(token) for token in found], "arrows")


def _kanpen_arrow(token: str) -> str:
    if token == "-4":
        return "-"
    if not _WHOLE.fullmatch(token):
        return "."
    return f"{_FROM_KANPEN[int(token) >> 4 & 3]},{int(token) & 15}"


def _kanpen_squares(board: PencilBoard, body: str) -> PencilBoard:
    """Rooms as rectangles: how many, then `row_column_row_column_number` for each."""
    count, *squares = body.split("/")
    labels = [-1] * len(board.cells)
    cells = list(board.cells)
    for index, square in enumerate(squares[: Tokens([count]).whole(1, len(board.cells), "number of rooms")]):
        tokens = Tokens(square.replace("_", " ").split())
        top, left = tokens.whole(0, board.rows - 1, "row"), tokens.whole(0, board.cols - 1, "column")
        bottom, right = tokens.whole(top, board.rows - 1, "row"), tokens.whole(left, board.cols - 1, "column")
        cells[board.grid.cell(top, left)] = cell_value(tokens.take(1)[0], "numbers")
        for cell in _square(board, (top, left), (bottom, right)):
            if labels[cell] >= 0:
                message = f"a second room at {board.grid.name(cell)}"
                raise FormatError(FORMAT, message, place=f"room {index}", expected="rooms that share no cell")
            labels[cell] = index
    return replace(board.with_rooms(labels), cells=tuple(cells))


def _square(board: PencilBoard, first: tuple[int, int], last: tuple[int, int]) -> list[int]:
    """The cells from one corner to the other."""
    columns = range(first[1], last[1] + 1)
    return [board.grid.cell(row, column) for row in range(first[0], last[0] + 1) for column in columns]


def read_heyawake_board(board: PencilBoard, body: str) -> PencilBoard:
    """The board of the heyawake applet: `[NUMBERin]COLUMNSxROWS` for each room, at the first cell that has none yet."""
    labels = [-1] * len(board.cells)
    cells = list(board.cells)
    start = 0
    for index, text in enumerate(body.split("/") if body else []):
        while start < len(labels) and labels[start] >= 0:
            start += 1
        if start == len(labels):
            break
        top, left = board.grid.row_column(start)
        square = _SQUARE.fullmatch(text)
        if not square or not 0 < int(square[2]) <= board.cols - left or not 0 < int(square[3]) <= board.rows - top:
            raise FormatError(
                FORMAT,
                f"{text[:20]!r} is no room at {board.grid.name(start)}",
                place=f"room {index}",
                expected="NUMBERinCOLUMNSxROWS within the board",
            )
        if square[1]:
            cells[start] = int(square[1])
        for cell in _square(board, (top, left), (top + int(square[3]) - 1, left + int(square[2]) - 1)):
            labels[cell] = index
    return replace(board.with_rooms(labels), cells=tuple(cells))


def read_grid(text: str, grid: Grid) -> PencilBoard:
    """A board as rows of tokens: numbers, `?`, `.`; a direction and a number as `3,2`. All rows have one length."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    cols, count = checked_size(FORMAT, len(rows[0]) if rows else 0, len(rows))
    for index, row in enumerate(rows, 1):
        if len(row) != cols:
            raise FormatError(FORMAT, f"{len(row)} cells", place=f"row {index}", expected=f"{cols} as in row 1")
        for token in row:
            _check_token(token, grid, f"row {index}")
    return with_cells(PencilBoard.blank(cols, count), [token for row in rows for token in row], grid)


def _check_token(token: str, grid: Grid, place: str) -> None:
    plain = r"\.|\?|[0-9]{1,7}"
    pattern = rf"{plain}|[1-4],(?:\?|[0-9]{{1,7}})" if grid == "arrows" else plain
    if not re.fullmatch(pattern, token):
        raise FormatError(FORMAT, f"{token[:20]!r} is no cell", place=place, expected="a number, ? or .")
