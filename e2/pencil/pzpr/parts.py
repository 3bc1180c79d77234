"""What the body of a link consists of: parts of the board, each read and written by one primitive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from e2.errors import FormatError
from e2.pencil.pzpr.board import BLANK, UNREADABLE, PencilBoard
from e2.pencil.pzpr.primitives import (
    ARROWS,
    BINARY,
    CIRCLE,
    FORMAT,
    FOUR,
    NUMBER_10,
    NUMBER_16,
    ONE,
    OUTSIDE_16,
    Body,
)


class Numbers(Protocol):
    """A primitive for a list of numbers."""

    def read(self, body: Body, length: int, unit: str = "cell") -> list[int]: ...

    def write(self, values: Sequence[int], unit: str = "cell") -> str: ...


class Part(Protocol):
    """A part of a body. `read` takes it from the text and puts it on the board, `write` is its text."""

    def read(self, body: Body, board: PencilBoard) -> PencilBoard: ...

    def write(self, board: PencilBoard) -> str: ...


def legible(values: Sequence[int]) -> list[int]:
    """The values with a blank where the link spoilt a number."""
    return [BLANK if value == UNREADABLE else value for value in values]


@dataclass(frozen=True)
class CellNumbers:
    """A number, `?` or nothing in each cell."""

    codec: Numbers

    def read(self, body: Body, board: PencilBoard) -> PencilBoard:
        return replace(board, cells=tuple(self.codec.read(body, len(board.cells))))

    def write(self, board: PencilBoard) -> str:
        return self.codec.write(legible(board.cells))


@dataclass(frozen=True)
class CrossNumbers:
    """A number on each corner of the cells."""

    def read(self, body: Body, board: PencilBoard) -> PencilBoard:
        return replace(board, crosses=tuple(FOUR.read(body, cross_count(board), "cross")))

    def write(self, board: PencilBoard) -> str:
        return FOUR.write(legible(board.crosses), "cross")


@dataclass(frozen=True)
class OutsideNumbers:
    """A number above each column, then one left of each row."""

    def read(self, body: Body, board: PencilBoard) -> PencilBoard:
        return replace(board, outside=tuple(OUTSIDE_16.read(body, board.cols + board.rows, "line")))

    def write(self, board: PencilBoard) -> str:
        return OUTSIDE_16.write(legible(board.outside), "line")


@dataclass(frozen=True)
class ArrowNumbers:
    """A number with a direction in each cell."""

    def read(self, body: Body, board: PencilBoard) -> PencilBoard:
        arrows = ARROWS.read(body, len(board.cells))
        cells, directions = zip(*arrows, strict=True)
        return replace(board, cells=cells, directions=directions)

    def write(self, board: PencilBoard) -> str:
        pairs = zip(legible(board.cells), board.directions, strict=True)
        return ARROWS.write([(number, 0 if number == BLANK else direction) for number, direction in pairs])


@dataclass(frozen=True)
class Circles:
    """1 (white), 2 (black) or nothing in each cell."""

    def read(self, body: Body, board: PencilBoard) -> PencilBoard:
        return replace(board, cells=tuple(value or BLANK for value in CIRCLE.read(body, len(board.cells))))

    def write(self, board: PencilBoard) -> str:
        for cell, value in enumerate(board.cells):
            if value not in (BLANK, UNREADABLE, 1, 2):
                raise FormatError(FORMAT, f"{value} is no circle", place=f"cell {cell}", expected="1, 2 or nothing")
        return CIRCLE.write([max(value, 0) for value in board.cells])


@dataclass(frozen=True)
class Borders:
    """The inner borders: those between neighbours in a row, then those between neighbours in a column.

    With `optional` they are written only where there is one, and may be missing.
    """

    optional: bool = False

    def read(self, body: Body, board: PencilBoard) -> PencilBoard:
        upright, level = border_counts(board)
        if self.optional and not body.rest:
            return replace(board, upright=(0,) * upright, level=(0,) * level)
        return replace(board, upright=tuple(BINARY.read(body, upright)), level=tuple(BINARY.read(body, level)))

    def write(self, board: PencilBoard) -> str:
        if self.optional and not any((*board.upright, *board.level)):
            return ""
        return BINARY.write(board.upright) + BINARY.write(board.level)


@dataclass(frozen=True)
class RoomNumbers:
    """A number for each room, in the cell that `PencilBoard.number_cell` says. The borders come before it."""

    def read(self, body: Body, board: PencilBoard) -> PencilBoard:
        cells = list(board.cells)
        for room, value in zip(board.rooms, NUMBER_16.read(body, len(board.rooms), "room"), strict=True):
            cells[board.number_cell(room)] = value
        return replace(board, cells=tuple(cells))

    def write(self, board: PencilBoard) -> str:
        numbers = []
        for room in board.rooms:
            given = [cell for cell in room if legible([board.cells[cell]]) != [BLANK]]
            if len(given) > 1:
                raise FormatError(FORMAT, "a second number in a room", place=f"cell {given[1]}", expected="one a room")
            numbers.append(board.cells[given[0]] if given else BLANK)
        return NUMBER_16.write(numbers, "room")


@dataclass(frozen=True)
class LetterRooms:
    """The old body of lits: a character for each cell, the same one in all cells of a room. Read only."""

    def read(self, body: Body, board: PencilBoard) -> PencilBoard:
        count = len(board.cells)
        labels = [ord(letter) for letter in body.text[body.at : body.at + count]]
        if len(labels) < count:
            body.blame(f"the text ends at cell {len(labels)} of {count}", len(body.text), f"{count} letters")
        body.at += len(labels)
        return board.with_rooms(labels + [-1] * (count - len(labels)))


@dataclass(frozen=True)
class PlainCrosses:
    """The old body of gokigen and creek: a character for each corner, 0 to 4 or anything else for none. Read only."""

    def read(self, body: Body, board: PencilBoard) -> PencilBoard:
        count = cross_count(board)
        text = body.text[body.at : body.at + count]
        if len(text) < count:
            body.blame(f"the text ends at cross {len(text)} of {count}", len(body.text), f"{count} characters")
        body.at += len(text)
        numbers = [int(sign) if sign in "01234" else BLANK for sign in text]
        return replace(board, crosses=tuple(numbers + [BLANK] * (count - len(numbers))))


def cross_count(board: PencilBoard) -> int:
    return (board.cols + 1) * (board.rows + 1)


def border_counts(board: PencilBoard) -> tuple[int, int]:
    """How many upright and level inner borders there are."""
    return (board.cols - 1) * board.rows, board.cols * (board.rows - 1)


FOUR_CELLS = (CellNumbers(FOUR),)
TEN_CELLS = (CellNumbers(NUMBER_10),)
SIXTEEN_CELLS = (CellNumbers(NUMBER_16),)
CIRCLES = (Circles(),)
ARROW_CELLS = (ArrowNumbers(),)
ROOMS = (Borders(),)
NUMBERED_ROOMS = (Borders(), RoomNumbers())
CELLS_AND_BORDERS = (CellNumbers(NUMBER_16), Borders(optional=True))
CROSSES = (CrossNumbers(),)
CROSSES_AND_BORDERS = (CrossNumbers(), Borders())
OUTSIDE_AND_TREES = (OutsideNumbers(), CellNumbers(ONE))
