"""Solving histories as pzprjs keeps them: the records, and the session that they are replayed in.

A document is `{"type": "pzpr", "version": 0.4, "current": N, "trialpos": [...], "datas": [[record, ...], ...]}`: groups
of records, one group for each step of undo; `current` of them are done. Coordinates are half cells: the middle of a
cell has two odd ones, a side one odd and one even.

    CN,1,1,-1,4        the number of the cell at 1,1 from -1 to 4; BL,1,0,0,1 the line on a side; CB2,... the third
                       small number of a cell
    CR,1,1,[1],[1,2]   the list of numbers in a cell
    AC  AJ,expandup  AT,turnr,0,0,6,6      clear, adjust, turn or flip of the whole board
    TE,0,1  TF,[2,5]   a trial begins; trials that began at these positions are accepted

All records are read and written; a session replays those that an unchanging board can have: changes and trials.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from e2.errors import FormatError
from e2.pencil.pzpr.board import BLANK, PencilBoard
from e2.pencil.pzpr.puzzle import Puzzle

FORMAT = "pzpr history"
GROUPS = {"C": "cell", "X": "cross", "B": "border", "E": "excell"}
PROPERTIES = {
    "U": "ques",
    "N": "qnum",
    "Z": "qnum2",
    "C": "qchar",
    "M": "anum",
    "D": "qdir",
    "A": "qans",
    "S": "qsub",
    "K": "qcmp",
    "B": "snum",
    "L": "line",
}
MERGED = frozenset({"qnum", "qnum2", "qchar", "anum", "snum"})
"""Properties whose changes in a row are one change: 1, 2, 3 typed into a cell leave one record to 3."""
SOLVABLE = {"slither": 2, "yajilin": 1, "lightup": 0, "shakashaka": 0}
"""Puzzles with a session, and their sides that can be drawn on: none, the inner ones, or those on the rim too."""
MOST_GROUPS, MOST_RECORDS = 200_000, 1_000_000
"""More steps, or records in all, are not believed."""

_NUMBER = r"(-?(?:0|[1-9][0-9]{0,8}))"
_CHANGE = re.compile(rf"([CXBE])([UNZCMDASKBL])([0-9]?),{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}")
_LIST = r"(\[(?:-?[0-9]{1,9}(?:,-?[0-9]{1,9})*)?\])"
_WHOLE = re.compile(rf"CR,{_NUMBER},{_NUMBER},{_LIST},{_LIST}|AC|AJ,[a-z]+|AT,[a-z]+(?:,{_NUMBER}){{4}}")
_ENTER = re.compile(r"TE,([0-9]{1,9}),([0-9]{1,9})")
_ACCEPT = re.compile(r"TF,\[([0-9]{1,9}(?:,[0-9]{1,9})*)\]")

Place = tuple[str, str, str, int, int]
"""Group, property, small number (or empty), x and y in half cells."""


@dataclass(frozen=True)
class Change:
    """A value of one piece goes from `old` to `new`."""

    place: Place
    old: int
    new: int

    def __str__(self) -> str:
        group, property, slot, x, y = self.place
        return f"{_letter(GROUPS, group)}{_letter(PROPERTIES, property)}{slot},{x},{y},{self.old},{self.new}"


@dataclass(frozen=True)
class Enter:
    """A trial begins: the number of open trials before and after."""

    old: int
    new: int

    def __str__(self) -> str:
        return f"TE,{self.old},{self.new}"


@dataclass(frozen=True)
class Accept:
    """The open trials, by the positions where they began, become a part of the solution."""

    positions: tuple[int, ...]

    def __str__(self) -> str:
        return f"TF,[{','.join(map(str, self.positions))}]"


@dataclass(frozen=True)
class Whole:
    """A record that is kept as it is: a list of numbers, or a change of the whole board."""

    text: str

    def __str__(self) -> str:
        return self.text


Record = Change | Enter | Accept | Whole


def _letter(letters: Mapping[str, str], name: str) -> str:
    return next(letter for letter, meaning in letters.items() if meaning == name)


def read_record(text: str, place: str) -> Record:
    """One record. FormatError where it is none that pzprjs writes.

    >>> str(read_record("BL,1,0,0,1", ""))
    'BL,1,0,0,1'
    """
    if found := _CHANGE.fullmatch(text):
        group, property = GROUPS[found[1]], PROPERTIES[found[2]]
        x, y, old, new = (int(found[index]) for index in (4, 5, 6, 7))
        sound = (property == "snum" and group == "cell") or not found[3]
        if sound and _lies_on(group, x, y):
            return Change((group, property, found[3], x, y), old, new)
        raise FormatError(
            FORMAT,
            f"{text!r} is on no {group}",
            place=place,
            expected="two odd coordinates for a cell, one for a border, none for a cross",
        )
    if found := _ENTER.fullmatch(text):
        return Enter(int(found[1]), int(found[2]))
    if found := _ACCEPT.fullmatch(text):
        return Accept(tuple(map(int, found[1].split(","))))
    if _WHOLE.fullmatch(text):
        return Whole(text)
    shown = ascii(text[:40])
    raise FormatError(FORMAT, f"{shown} is no record", place=place, expected="a record such as BL,1,0,0,1")


def _lies_on(group: str, x: int, y: int) -> bool:
    """Whether half-cell coordinates are those of a piece of this group."""
    odd = x % 2 + y % 2
    return odd == {"cell": 2, "excell": 2, "border": 1, "cross": 0}[group]


@dataclass(frozen=True)
class History:
    """A document: groups of records, how many of them are done, and the positions where open trials began.

    `version` and `times` (of the document, and of each group) are kept; the times are None where it has none.
    """

    groups: tuple[tuple[Record, ...], ...] = ()
    current: int = 0
    trials: tuple[int, ...] = ()
    version: float = 0.4
    time: int | None = None
    times: tuple[int, ...] | None = None


def read_history(record: object) -> History:
    """A document from its JSON object. FormatError, with the place, for anything that is not as pzprjs writes it."""
    if not isinstance(record, dict):
        raise FormatError(FORMAT, "no object", place="history", expected='{"type": "pzpr", ...}')
    unknown = set(record) - {"type", "version", "time", "current", "trialpos", "datas"}
    if record.get("type") != "pzpr" or unknown:
        found = f"key {ascii(min(unknown))[:40]}" if unknown else "no history"
        raise FormatError(FORMAT, found, place="type", expected='"type": "pzpr" and the keys of a history')
    version = record.get("version")
    if not isinstance(version, int | float) or isinstance(version, bool):
        raise FormatError(FORMAT, "no version", place="version", expected="a number such as 0.4")
    listed = _list(record.get("datas", []), "datas", MOST_GROUPS)
    timed = [isinstance(entry, dict) for entry in listed]
    if any(timed) and not all(timed):
        raise FormatError(FORMAT, "groups with and without a time", place="datas", expected="one kind of group")
    groups, times, left = [], [], MOST_RECORDS
    for index, entry in enumerate(listed):
        place = f"datas[{index}]"
        if isinstance(entry, dict):
            if set(entry) != {"ope", "time"}:
                raise FormatError(FORMAT, "no group with a time", place=place, expected='{"ope": [...], "time": N}')
            times.append(_whole(entry["time"], f"{place}.time", 10**15))
            entry = entry["ope"]
        texts = _list(entry, place, left)
        left -= len(texts)
        groups.append(tuple(_record(text, f"{place}[{step}]") for step, text in enumerate(texts)))
    current = _whole(record.get("current", 0), "current", len(groups))
    trials = [_whole(value, "trialpos", current) for value in _list(record.get("trialpos", []), "trialpos", current)]
    if trials != sorted(set(trials)):
        raise FormatError(FORMAT, "trials out of order", place="trialpos", expected="ascending positions")
    time = _whole(record["time"], "time", 10**15) if "time" in record else None
    return History(tuple(groups), current, tuple(trials), version, time, tuple(times) if times else None)


def _record(value: object, place: str) -> Record:
    if not isinstance(value, str):
        raise FormatError(FORMAT, "a record that is no text", place=place, expected="a record such as BL,1,0,0,1")
    return read_record(value, place)


def _list(value: object, place: str, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        found = f"a list of {len(value)}" if isinstance(value, list) else "no list"
        raise FormatError(FORMAT, found, place=place, expected=f"a list of at most {most}")
    return value


def _whole(value: object, place: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise FormatError(FORMAT, "no position", place=place, expected=f"a whole number from 0 to {most}")
    return value


def history_record(history: History) -> dict[str, Any]:
    """The document, with the keys in the order of pzprjs; without any group it has only a type and a version."""
    record: dict[str, Any] = {"type": "pzpr", "version": history.version}
    if history.time is not None:
        record["time"] = history.time
    if not history.groups:
        return record
    record["current"] = history.current
    if history.trials:
        record["trialpos"] = list(history.trials)
    texts = [[str(entry) for entry in group] for group in history.groups]
    if history.times is None:
        record["datas"] = texts
    else:
        record["datas"] = [{"ope": group, "time": time} for group, time in zip(texts, history.times, strict=True)]
    return record


class Session:
    """A board that is being solved, with its history: every change can be taken back, and trials given up.

    `values` holds what differs from a blank board, by place. The rules are those of pzprjs: a change after an undo
    drops what could have been redone; undo stops at the beginning of an open trial; to accept a trial is a step of
    its own.
    """

    def __init__(self, puzzle: Puzzle, board: PencilBoard) -> None:
        """A session on the givens. FormatError for a puzzle without one."""
        if puzzle.pid not in SOLVABLE:
            expected = f"one of {', '.join(SOLVABLE)}"
            raise FormatError(FORMAT, f"{puzzle.pid} has no session", place="pid", expected=expected)
        self.puzzle = puzzle
        self.board = board
        self.values: dict[Place, int] = {}
        self.groups: list[list[Record]] = []
        self.times: list[int] | None = None
        self.position = 0
        self.trials: list[int] = []
        self._bound = False  # undo stops at the last trial
        self._chained = False  # the next change joins the last group
        for cell, value in enumerate(board.cells):
            self._set_given(cell, "qnum", value)
        for cell, value in enumerate(board.directions):
            self._set_given(cell, "qdir", value)

    def _set_given(self, cell: int, property: str, value: int) -> None:
        row, column = self.board.grid.row_column(cell)
        self.put(("cell", property, "", 2 * column + 1, 2 * row + 1), value)

    @property
    def givens(self) -> PencilBoard:
        """The board with the numbers and directions that stand on it now: both may be typed."""
        places = [(2 * column + 1, 2 * row + 1) for row in range(self.board.rows) for column in range(self.board.cols)]
        cells, directions = (
            tuple(self.value(("cell", property, "", *at)) for at in places) for property in ("qnum", "qdir")
        )
        return replace(self.board, cells=cells, directions=directions if self.board.directions else ())

    def value(self, place: Place) -> int:
        """What lies at a place now."""
        return self.values.get(place, _default(place))

    def put(self, place: Place, value: int) -> None:
        """Set a value without a record of it."""
        if value == _default(place):
            self.values.pop(place, None)
        else:
            self.values[place] = value

    def has(self, place: Place) -> bool:
        """Whether the board has this piece."""
        group, _, _, x, y = place
        width, height = 2 * self.board.cols, 2 * self.board.rows
        if group == "cell":
            return 0 < x < width and 0 < y < height
        sides = SOLVABLE[self.puzzle.pid]
        rim = 1 if sides == 1 else 0
        return group == "border" and bool(sides) and rim <= x <= width - rim and rim <= y <= height - rim

    def new_step(self) -> None:
        """The next change begins a group of its own."""
        self._chained = False

    def change(self, place: Place, new: int) -> None:
        """Change a value and record it, in the group of the changes before unless `new_step` came between.

        Numbers typed one after the other into a cell are one record, which vanishes if it leads nowhere.
        FormatError where the board has no such piece.
        """
        if not self.has(place):
            raise FormatError(
                FORMAT, f"there is no {place[0]}", place=f"{place[3]},{place[4]}", expected="a place on it"
            )
        old = self.value(place)
        if old == new:
            return
        self.put(place, new)
        if not self._merged(place, old, new):
            self._add(Change(place, old, new))

    def _merged(self, place: Place, old: int, new: int) -> bool:
        """Whether the change went into the last record."""
        if self.position < len(self.groups) or not self.groups or place[1] not in MERGED:
            return False
        last = self.groups[-1][-1]
        if not isinstance(last, Change) or last.place != place or last.new != old:
            return False
        self.groups[-1].pop()
        if last.old != new:
            self.groups[-1].append(replace(last, new=new))
        elif not self.groups[-1]:
            self.position -= 1
            self._drop_redo()
        return True

    def _add(self, record: Record) -> None:
        self._drop_redo()
        if not self._chained:
            self.groups.append([])
            if self.times is not None:
                # We have no clock: a new step of a timed document gets the time of the one before.
                self.times.append(self.times[-1] if self.times else 0)
            self.position += 1
            self._chained = True
        self.groups[-1].append(record)

    def _drop_redo(self) -> None:
        if self.position < len(self.groups):
            del self.groups[self.position :]
            if self.times is not None:
                del self.times[self.position :]
            self._chained = False

    def undo(self) -> bool:
        """Take one step back; False where there is none, or an open trial begins."""
        least = self.trials[-1] + 1 if self._bound and self.trials else 0
        if self.position <= least:
            return False
        self._back()
        return True

    def redo(self) -> bool:
        """Take one step forward again; False where there is none."""
        if self.position == len(self.groups):
            return False
        self._forth()
        return True

    def go_to(self, position: int) -> None:
        """Undo or redo to a position, through the beginnings of trials. FormatError where there is none such."""
        if not 0 <= position <= len(self.groups):
            raise FormatError(FORMAT, f"no position {position}", place="position", expected=f"0 to {len(self.groups)}")
        while self.position > position:
            self._back()
        while self.position < position:
            self._forth()

    def _back(self) -> None:
        self._chained = False
        index = self.position - 1
        for step, record in reversed(list(enumerate(self.groups[index]))):
            if isinstance(record, Change):
                self._move(record.place, record.new, record.old, f"datas[{index}][{step}]")
            elif isinstance(record, Enter):
                del self.trials[-1:]
            elif isinstance(record, Accept):
                self.trials = list(record.positions)
            else:
                raise _not_replayed(record, f"datas[{index}][{step}]")
        self.position = index

    def _forth(self) -> None:
        self._chained = False
        index = self.position
        for step, record in enumerate(self.groups[index]):
            if isinstance(record, Change):
                self._move(record.place, record.old, record.new, f"datas[{index}][{step}]")
            elif isinstance(record, Enter):
                self._check_trials(record, Enter(len(self.trials), len(self.trials) + 1), f"datas[{index}][{step}]")
                self.trials.append(index)
            elif isinstance(record, Accept):
                self._check_trials(record, Accept(tuple(self.trials)), f"datas[{index}][{step}]")
                self.trials = []
            else:
                raise _not_replayed(record, f"datas[{index}][{step}]")
        self.position = index + 1

    def _check_trials(self, record: Record, expected: Record, where: str) -> None:
        """A trial of a document begins or is accepted among those that are open."""
        if record != expected:
            message = f"{str(record)[:40]!r} with {len(self.trials)} open trials"
            raise FormatError(FORMAT, message, place=where, expected=str(expected)[:80])

    def _move(self, place: Place, old: int, new: int, where: str) -> None:
        """One change of a document, forth or back: the board must be as the record says."""
        if not self.has(place):
            raise FormatError(
                FORMAT,
                f"there is no {place[0]} at {place[3]},{place[4]}",
                place=where,
                expected=f"a place on {self.board.cols}x{self.board.rows}",
            )
        if self.value(place) != old:
            raise FormatError(
                FORMAT,
                f"{place[1]} of the {place[0]} at {place[3]},{place[4]} is {self.value(place)}",
                place=where,
                expected=str(old),
            )
        if place[1] == "qdir" and not 0 <= new <= 4:
            raise FormatError(FORMAT, f"{new} is no direction", place=where, expected="0 to 4")
        self.put(place, new)

    def enter_trial(self) -> None:
        """From here on everything can be given up at once. Nothing happens right after the beginning of a trial."""
        if self.trials and self.trials[-1] + 1 == self.position:
            return
        self.new_step()
        self._add(Enter(len(self.trials), len(self.trials) + 1))
        self.trials.append(self.position - 1)
        self._bound = True
        self.new_step()

    def accept_trial(self) -> None:
        """Keep what was tried, in all open trials. A trial in which nothing was done leaves no trace."""
        if self.trials and self.trials[-1] + 1 == self.position:
            self.trials.pop()
            self.position -= 1
            self._drop_redo()
        if self.trials:
            self.new_step()
            self._add(Accept(tuple(self.trials)))
        self.trials = []
        self._bound = False
        self._drop_redo()
        self.new_step()

    def reject_trial(self, *, all: bool = False) -> None:
        """Give up what was tried in the last open trial, or in all of them; it cannot be redone."""
        if not self.trials:
            return
        start = self.trials[0] if all else self.trials[-1]
        self.go_to(start)
        self._bound = self._bound and bool(self.trials)
        self._drop_redo()
        self.new_step()

    def bind(self) -> None:
        """Let undo stop at the last open trial, as after reading a document."""
        self._bound = bool(self.trials)

    def history(self, kept: History | None = None) -> History:
        """The document of this session, with version and time of the one it was `kept` in."""
        found = History() if kept is None else kept
        times = None if self.times is None else tuple(self.times)
        groups, trials = tuple(map(tuple, self.groups)), tuple(self.trials)
        return replace(found, groups=groups, current=self.position, trials=trials, times=times)


def _default(place: Place) -> int:
    """What a piece has before anybody writes on it."""
    return BLANK if place[1] in MERGED else 0


def _not_replayed(record: Record, place: str) -> FormatError:
    return FormatError(FORMAT, f"{str(record)[:40]!r} cannot be replayed", place=place, expected="a change or a trial")


def replay(puzzle: Puzzle, board: PencilBoard, history: History, drawn: Mapping[Place, int] | None = None) -> Session:
    """The session of a document, at its current position.

    The document began on this board; with `drawn`, the board and what is drawn on it are those of the current position,
    as in a saved file. Every step is checked, also those that could be redone: FormatError where the board is not as a
    record says. Which numbers are marked as done with is not in every file, and taken from the records.
    """
    session = Session(puzzle, board)
    session.groups = [list(group) for group in history.groups]
    session.times = None if history.times is None else list(history.times)
    if drawn is not None:
        session.position, session.trials = history.current, list(history.trials)
        for record in chain.from_iterable(history.groups[: history.current]):
            if isinstance(record, Change) and record.place[1] == "qcmp":
                session.put(record.place, record.new)
        for place, value in drawn.items():
            session.put(place, value)
        session.go_to(0)
        session.trials = []  # whatever the records said on the way back: none is open at the start
    session.go_to(len(session.groups))
    session.go_to(history.current)
    if tuple(session.trials) != history.trials:
        raise FormatError(FORMAT, f"trials at {list(history.trials)}", place="trialpos", expected=str(session.trials))
    session.bind()
    return session
