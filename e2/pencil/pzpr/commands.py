"""The input commands of pzprjs' scripts: what a hand does, in one line each, and what that leaves on a board.

    newboard,W,H   playmode[,mode]   editmode[,mode]   setconfig,key,value   flushexcell
    clear   ansclear   subclear   cursor,x,y   key,k[,k...]
    mouse,left|right[xN][,alt...],x,y[,x,y...]   or ...,bank,index

Coordinates are half cells: the middle of the first cell is 1,1, corners are even. All commands are read and written.
A session performs the modes, the mouse without `alt`, the cursor, keys for numbers, and the two clears, by the rules
of pzprjs with its default settings; a drag goes along rows and columns. In shakashaka, where the mouse points at
corners of a cell, it does not perform the mouse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from e2.errors import FormatError
from e2.pencil.pzpr.board import BLANK, MOST_SIDE, UNKNOWN, checked_size
from e2.pencil.pzpr.history import Place, Session

FORMAT = "pzpr input"
ARGUMENTS = {
    "newboard": (2, 2),
    "playmode": (0, 1),
    "editmode": (0, 1),
    "setconfig": (2, 2),
    "flushexcell": (0, 0),
    "clear": (0, 0),
    "ansclear": (0, 0),
    "subclear": (0, 0),
    "cursor": (2, 2),
    "key": (1, 64),
    "mouse": (3, 4096),
}
"""The commands, with the least and the most of their arguments."""

_BUTTON = re.compile(r"(left|right)(?:x([1-9][0-9]?))?")
_MODIFIER = re.compile(r"(?:alt|ctrl|shift|meta)(?:\+(?:alt|ctrl|shift|meta))*")
_COORDINATE = re.compile(r"-?[0-9]{1,4}(?:\.[0-9]{1,6})?")
_STEPS = {"up": (0, -2), "down": (0, 2), "left": (-2, 0), "right": (2, 0)}
_CLEARED = {"ansclear": ("qans", "line", "qsub"), "subclear": ("qsub",)}


@dataclass(frozen=True)
class Command:
    """One command with its arguments as texts; checked."""

    name: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ",".join((self.name, *self.arguments))


def read_command(text: str, place: str = "") -> Command:
    """One command. FormatError where it is none, or an argument is not what it can have.

    >>> str(read_command("mouse,leftx2,1,1"))
    'mouse,leftx2,1,1'
    """
    name, *arguments = text.split(",")
    if name not in ARGUMENTS:
        known = ", ".join(ARGUMENTS)
        raise FormatError(FORMAT, f"{ascii(name)[:40]} is no command", place=place, expected=f"one of {known}")
    least, most = ARGUMENTS[name]
    if not least <= len(arguments) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise FormatError(FORMAT, f"{name} with {len(arguments)} arguments", place=place, expected=wanted)
    if name == "newboard":
        checked_size(FORMAT, *(_coordinate(text, place) for text in arguments))
    elif name == "cursor":
        for argument in arguments:
            _coordinate(argument, place)
    elif name == "mouse":
        _path(arguments, place)
    elif any(not re.fullmatch(r"[ -~]{1,40}", argument) for argument in arguments):
        raise FormatError(FORMAT, f"{name} with no plain argument", place=place, expected="1 to 40 plain characters")
    return Command(name, tuple(arguments))


def _coordinate(text: str, place: str) -> float:
    if not _COORDINATE.fullmatch(text) or abs(float(text)) > 2 * MOST_SIDE + 2:
        raise FormatError(
            FORMAT, f"{ascii(text)[:40]} is no coordinate", place=place, expected="a number of half cells"
        )
    return float(text)


def _path(arguments: list[str], place: str) -> tuple[str, int, str, list[tuple[float, float]]]:
    """Button, repetitions, modifiers, and the points of a mouse command; no points for a place in the bank."""
    button = _BUTTON.fullmatch(arguments[0])
    if not button:
        raise FormatError(
            FORMAT, f"{ascii(arguments[0])[:40]} is no button", place=place, expected="left, right, leftx2"
        )
    modified = bool(_MODIFIER.fullmatch(arguments[1]))
    rest = arguments[1 + modified :]
    if rest[:1] == ["bank"] and len(rest) == 2 and rest[1].isdecimal():
        return button[1], int(button[2] or 1), "bank", []
    if not rest or len(rest) % 2:
        raise FormatError(FORMAT, f"{len(rest)} coordinates", place=place, expected="pairs of x and y")
    numbers = [_coordinate(text, place) for text in rest]
    return (
        button[1],
        int(button[2] or 1),
        arguments[1] if modified else "",
        list(zip(numbers[::2], numbers[1::2], strict=True)),
    )


class Hand:
    """Performs commands in a session, which records what they do. It begins in play mode, the cursor in the corner."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.editing = False
        self.cursor = (1, 1)

    def perform(self, command: Command) -> None:
        """Do what the command says. FormatError for one that a session has no means for."""
        self.session.new_step()
        if command.name in ("playmode", "editmode") and not command.arguments:
            self.editing = command.name == "editmode"
        elif command.name == "cursor":
            x, y = (_coordinate(text, str(command)) for text in command.arguments)
            self.cursor = self._cell(x, y) or self.cursor
        elif command.name == "key" and self.editing:
            for key in command.arguments:
                self._press(key, command)
        elif command.name in _CLEARED:
            self._clear(_CLEARED[command.name])
        elif command.name == "mouse":
            button, times, modifier, points = _path(list(command.arguments), str(command))
            if modifier or self.editing or self.session.puzzle.pid == "shakashaka":
                raise _not_done(command)
            for _ in range(times):
                self._drag(button, list(self._walk(points, command)))
        else:
            raise _not_done(command)

    def _cell(self, x: float, y: float) -> tuple[int, int] | None:
        """The middle of the cell that a point lies in."""
        board = self.session.board
        column, row = int(x // 2), int(y // 2)
        return (2 * column + 1, 2 * row + 1) if 0 <= column < board.cols and 0 <= row < board.rows else None

    def _most(self) -> int:
        """The largest number that can be typed into a cell."""
        board = self.session.board
        return max((board.cols + 1) // 2, (board.rows + 1) // 2) if self.session.puzzle.pid == "yajilin" else 4

    def _press(self, key: str, command: Command) -> None:
        """A number grows digit by digit while it is not too large; `-` is a `?` and then nothing."""
        session = self.session
        session.new_step()
        if key in _STEPS:
            dx, dy = _STEPS[key]
            self.cursor = self._cell(self.cursor[0] + dx, self.cursor[1] + dy) or self.cursor
            return
        place: Place = ("cell", "qnum", "", *self.cursor)
        number = session.value(place)
        if re.fullmatch("[0-9]", key):
            longer = 10 * max(number, 0) + int(key)
            new = longer if longer <= self._most() else int(key) if int(key) <= self._most() else number
        elif key == "-":
            new = BLANK if number == UNKNOWN else UNKNOWN
        elif key == "BS":
            new = number // 10 if number >= 10 else BLANK
        elif key == " ":
            new = BLANK
        else:
            raise _not_done(command)
        session.change(place, new)

    def _clear(self, properties: tuple[str, ...]) -> None:
        """Take away what is drawn, in one step: cells before sides, row by row."""
        drawn = [place for place in self.session.values if place[1] in properties]
        for place in sorted(drawn, key=lambda place: (place[0] == "border", place[4], place[3], place[1])):
            self.session.change(place, 0)

    def _walk(self, points: list[tuple[float, float]], command: Command) -> Iterator[tuple[int, int]]:
        """The points of a drag, half a cell apart."""
        if not points or any(x != int(x) or y != int(y) for x, y in points):
            raise _not_done(command)
        ways = [(int(x), int(y)) for x, y in points]
        yield ways[0]
        for (x, y), (to_x, to_y) in pairwise(ways):
            if x != to_x and y != to_y:
                raise _not_done(command)
            while (x, y) != (to_x, to_y):
                x += (to_x > x) - (to_x < x)
                y += (to_y > y) - (to_y < y)
                yield x, y

    def _drag(self, button: str, points: list[tuple[int, int]]) -> None:
        """Press at the first point, move along the others, release at the last one."""
        puzzle = self.session.puzzle.pid
        before = dict(self.session.values)
        if puzzle == "lightup" or (puzzle == "yajilin" and button == "right"):
            self._shade(points, button)
        elif button == "right":
            self._cross_out(points)
        else:
            self._draw(points)
        if len(set(points)) > 1 or self.session.values != before:
            return
        # A click that has done nothing yet: a number is marked as done with, and a left one shades or crosses out.
        cell = self._cell(*points[0])
        if puzzle == "slither":
            if button == "left":
                self._cross_out(points)
        elif cell and self.session.value(("cell", "qnum", "", *cell)) != BLANK:
            done: Place = ("cell", "qcmp", "", *cell)
            self.session.new_step()
            self.session.change(done, 1 - self.session.value(done))
        elif puzzle == "yajilin" and button == "left":
            self._shade(points, button)

    def _draw(self, points: list[tuple[int, int]]) -> None:
        """Lines along the way; the first side decides whether they are drawn or taken away."""
        along = self.session.puzzle.pid == "slither"
        drawing: int | None = None
        for (x, y), (to_x, to_y) in pairwise(points):
            for place in self._sides((x, y), (to_x, to_y), along):
                line = self.session.value(place)
                drawing = 1 - line if drawing is None else drawing
                if line != drawing and not (drawing and self._is_closed(place)):
                    self.session.new_step()
                    self.session.change(place, drawing)
                    self._lift(place)

    def _sides(self, start: tuple[int, int], end: tuple[int, int], along: bool) -> Iterator[Place]:
        """The side that half a cell of a drag lies on (slither), or that it leaves behind (yajilin)."""
        level = start[1] == end[1]
        for x, y in (start, end) if along else (start,):
            place: Place = ("border", "line", "", x, y)
            # A line of slither goes along its side, one of yajilin across it.
            on_side = (x % 2, y % 2) == ((1, 0) if level is along else (0, 1))
            if on_side and self.session.has(place):
                yield place

    def _is_closed(self, place: Place) -> bool:
        """Whether no line can be there: in yajilin beside a number or a shaded cell."""
        if self.session.puzzle.pid != "yajilin":
            return False
        x, y = place[3:]
        beside = ((x - 1, y), (x + 1, y)) if x % 2 == 0 else ((x, y - 1), (x, y + 1))
        return any(
            self.session.value(("cell", "qnum", "", *at)) != BLANK or self.session.value(("cell", "qans", "", *at)) == 1
            for at in beside
        )

    def _lift(self, place: Place) -> None:
        """No side is both drawn and crossed out."""
        mark: Place = ("border", "qsub", "", *place[3:])
        if self.session.value(mark) == 2:
            self.session.change(mark, 0)

    def _cross_out(self, points: list[tuple[int, int]]) -> None:
        """Crosses on the sides along the way; the first one decides whether they are set or taken away."""
        setting: bool | None = None
        for x, y in dict.fromkeys(points):
            mark: Place = ("border", "qsub", "", x, y)
            if (x + y) % 2 == 0 or not self.session.has(mark):
                continue
            setting = self.session.value(mark) != 2 if setting is None else setting
            self.session.new_step()
            self.session.change(("border", "line", "", *mark[3:]), 0)
            self.session.change(mark, 2 if setting else 0)

    def _shade(self, points: list[tuple[int, int]], button: str) -> None:
        """Shaded cells (lamps) with the left button, dots with the right one; the first cell decides which."""
        data: int | None = None
        cells = dict.fromkeys(cell for point in points if (cell := self._cell(*point)))
        for at in cells:
            shade: Place = ("cell", "qans", "", *at)
            dot: Place = ("cell", "qsub", "", *at)
            if data is None:
                left = 0 if self.session.value(shade) else 1
                data = left if button == "left" else 0 if self.session.value(dot) else 2
            elif data == 1:
                return  # a drag sets one lamp; two shaded cells side by side are never meant
            if self.session.value(("cell", "qnum", "", *at)) != BLANK:
                continue
            self.session.new_step()
            self.session.change(shade, int(data == 1))
            self.session.change(dot, int(data == 2))


def _not_done(command: Command) -> FormatError:
    return FormatError(
        FORMAT, "cannot be done in a session", place=str(command)[:60], expected="a mouse, key or cursor command"
    )
