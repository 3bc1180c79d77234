r"""Slink: fully clued Slitherlink as a programming contest gives it (ACM Mid-Central USA 2007, problem C).

Input: for each board a line `r c`, then r lines of c numbers 0 to 3; `0 0` ends. Output: for each board its number on a
line, then the board in a frame, with no line between boards; 2x2 with four 2s:

    1
    #############
    #           #
    # +-------+ #
    # | 2   2 | #
    # |       | #
    # | 2   2 | #
    # +-------+ #
    #           #
    #############
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from e2.core.grid import Grid
from e2.errors import FormatError
from e2.pencil.loop import Loop, LoopPuzzle
from e2.pencil.loop_text import loop_lines
from e2.pencil.pzpr.board import MOST_SIDE

_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_SHOWN = 20  # characters of a word that is no number


def read_slink(text: str) -> tuple[LoopPuzzle, ...]:
    """The boards of a contest's input. Blank lines and blanks are free. FormatError points at line and number."""
    lines = ((number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.split())
    puzzles: list[LoopPuzzle] = []
    for number, words in lines:
        rows, columns = _size(number, words)
        if rows == 0:
            for number, _ in lines:
                raise FormatError("slink", "text after the end", place=f"line {number}", expected="nothing after 0 0")
            return tuple(puzzles)
        clues: list[int | None] = []
        for row in range(rows):
            clues += _row(row, columns, lines)
        puzzles.append(LoopPuzzle(Grid(columns, rows), tuple(clues)))
    raise FormatError("slink", f"the text ends after {_boards(len(puzzles))}", expected="0 0 at the end")


def _boards(count: int) -> str:
    return "1 board" if count == 1 else f"{count} boards"


def _size(number: int, words: list[str]) -> tuple[int, int]:
    if len(words) != 2:
        raise FormatError("slink", _counted(len(words)), place=f"line {number}", expected="rows and columns, or 0 0")
    rows, columns = (_number(number, place, word) for place, word in enumerate(words, 1))
    if (rows, columns) != (0, 0) and not (1 <= rows <= MOST_SIDE and 1 <= columns <= MOST_SIDE):
        expected = f"1 to {MOST_SIDE} rows and columns, or 0 0"
        raise FormatError("slink", f"{rows} rows and {columns} columns", place=f"line {number}", expected=expected)
    return rows, columns


def _row(row: int, columns: int, lines: Iterator[tuple[int, list[str]]]) -> list[int]:
    try:
        number, words = next(lines)
    except StopIteration:
        raise FormatError("slink", f"the text ends before row {row + 1} of a board") from None
    if len(words) != columns:
        expected = f"{columns}, as the board is wide"
        raise FormatError("slink", f"{_counted(len(words))} in a row", place=f"line {number}", expected=expected)
    clues = [_number(number, place, word) for place, word in enumerate(words, 1)]
    for place, clue in enumerate(clues, 1):
        if clue > 3:
            raise FormatError("slink", f"the clue {clue}", place=f"line {number}, number {place}", expected="0 to 3")
    return clues


def _counted(numbers: int) -> str:
    return "1 number" if numbers == 1 else f"{numbers} numbers"


def _number(line: int, place: int, word: str) -> int:
    if not _NUMBER.fullmatch(word):
        shown = word if len(word) <= _SHOWN else word[:_SHOWN] + "..."
        raise FormatError("slink", f"{shown!r} is no number", place=f"line {line}, number {place}", expected="digits")
    return int(word)


def write_slink(number: int, puzzle: LoopPuzzle, loop: Loop) -> str:
    """The contest's output for the board with that number, from 1; ends with a line end."""
    width = 4 * puzzle.grid.width + 5
    margin = "#" + " " * (width - 2) + "#"
    body = [f"# {line} #" for line in drawn_lines(puzzle, loop)]
    return "\n".join([str(number), "#" * width, margin, *body, margin, "#" * width, ""])


def drawn_lines(puzzle: LoopPuzzle, loop: Loop | None) -> list[str]:
    """The board as 2 * height + 1 lines of 4 * width + 1 characters, without a loop if there is none."""
    level, upright = (loop.level, loop.upright) if loop else ((), ())

    def is_drawn(x: int, y: int) -> bool:
        return loop is not None and (upright if y % 2 else level)[y // 2][x // 2]

    return loop_lines(puzzle.grid, ["" if clue is None else str(clue) for clue in puzzle.clues], is_drawn)
