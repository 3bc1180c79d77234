"""The ledger of a tree as text: to read, to share, to merge, to check.

Each line is a checksum, a blank and a JSON object. The checksum is the first 16 hex digits of the SHA-256 of the
checksum before it and the object, so no line can be changed, left out or moved without all that follow. The first line
says which tree it is, puzzle and all; then come the units by path, the solutions that are kept, and the sums. A last
line that is cut off is set aside.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from e2.core.cover import CoverProblem
from e2.core.fingerprint import board_hash
from e2.errors import E2Error, FormatError
from e2.formats.cover_text import read_cover, write_cover
from e2.formats.load import load_puzzle
from e2.store.documents import Problem, puzzle_document
from e2.store.ledger import DONE, FAILED, OPEN
from e2.store.tree_ledger import ELSEWHERE, Account

VERSION = 1
_NAME = "ledger"
_STATUSES = (OPEN, DONE, FAILED, ELSEWHERE)
LONGEST_LINE = 64 << 20  # characters: the largest cover problems have some 30 million
_MOST_CODES = 1 << 18
_CODES = 1 << 18  # 16 bits of piece and 2 of rot
_CHOICES = 1 << 31  # a path has codes, or the numbers of options
_MOST = 1 << 62  # what the sums of a run can hold
_Board = tuple[int, tuple[int, ...]]


@dataclass(frozen=True)
class Header:
    """Which tree a ledger is about. `settings` are those of its run that decide the tree."""

    e2: str
    tree: str
    problem: Problem
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Book:
    """A ledger that has been read. `set_aside` says what was wrong with its end, and is empty for a whole one."""

    header: Header
    accounts: tuple[Account, ...]
    boards: tuple[_Board, ...]
    set_aside: str = ""

    @property
    def nodes(self) -> int:
        return sum(sum(account.nodes) for account in self.accounts)

    @property
    def solutions(self) -> int:
        return sum(account.solutions for account in self.accounts)

    @property
    def is_whole(self) -> bool:
        """Whether every unit is done: the tree is searched."""
        return not self.set_aside and all(account.status == DONE for account in self.accounts)

    @property
    def left(self) -> float:
        """The part of the tree that is left, by a guess."""
        return sum(account.share for account in self.accounts if account.status != DONE)

    def nodes_by_depth(self) -> tuple[int, ...]:
        """Nodes with 1, 2, ... pieces on the board."""
        depths = max((len(account.path) + len(account.nodes) for account in self.accounts), default=0)
        total = [0] * depths
        for account in self.accounts:
            for depth, nodes in enumerate(account.nodes, len(account.path)):
                total[depth] += nodes
        return tuple(total)


def lines(header: Header, accounts: Iterable[Account], boards: Iterable[_Board]) -> Iterator[bytes]:
    """The lines of a ledger, one at a time: a large one is never in memory as a whole."""
    chain = _Chain()
    yield chain.line(
        {
            "ledger": VERSION,
            "e2": header.e2,
            "tree": header.tree,
            **_stated(header.problem, header.settings),
        }
    )
    units = nodes = solutions = kept = 0
    whole = True
    for account in accounts:
        units, nodes, solutions = units + 1, nodes + sum(account.nodes), solutions + account.solutions
        whole = whole and account.status == DONE
        record: dict[str, Any] = {"unit": account.path, "status": account.status, "nodes": account.nodes}
        record |= {"solutions": account.solutions, "gave": account.gave}
        if account.status != DONE:
            record["share"] = account.share
        if account.place is not None:
            record["place"] = account.place
        yield chain.line(record)
    for name, codes in boards:
        kept += 1
        yield chain.line({"board": codes, "board_hash": str(name)})
    yield chain.line({"units": units, "nodes": nodes, "solutions": solutions, "boards": kept, "whole": whole})


def _stated(problem: Problem, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What a tree is a tree of."""
    if isinstance(problem, CoverProblem):
        rules = "each primary item is in one option of a solution, a secondary one has one colour in all of them"
        return {"rules": rules, "settings": dict(settings), "cover": write_cover(problem)}
    rules = "every seam between two filled cells matches, grey lies on the rim, each piece is used once"
    return {"rules": rules, "settings": dict(settings), "puzzle": orjson.loads(puzzle_document(problem))}


class _Chain:
    """Checksums, each of which covers the one before."""

    def __init__(self) -> None:
        self._last = ""

    def line(self, record: Mapping[str, Any]) -> bytes:
        data = orjson.dumps(record)
        return self._sum(data).encode() + b" " + data + b"\n"

    def holds(self, line: bytes) -> bytes | None:
        """The object of a line, None where its checksum does not hold."""
        given, blank, data = line.removesuffix(b"\n").partition(b" ")
        before = self._last
        if not blank or not line.endswith(b"\n") or self._sum(data).encode() != given:
            self._last = before
            return None
        return data

    def _sum(self, data: bytes) -> str:
        self._last = hashlib.sha256(self._last.encode() + data).hexdigest()[:16]
        return self._last


def read(text: Iterable[bytes]) -> Book:
    """The ledger in the lines of a file; FormatError, with the line, for what is no ledger or cannot be one."""
    chain = _Chain()
    header: Header | None = None
    accounts: list[Account] = []
    boards: list[_Board] = []
    sums: dict[str, Any] | None = None
    set_aside = "it ends before its sums"
    pending: str | None = None
    places: dict[tuple[int, ...], int] = {}
    named: set[int] = set()
    for number, line in enumerate(text, 1):
        if sums is not None:
            raise _fault("something follows the sums", number, "the end")
        if pending is not None:
            raise _fault(pending, number - 1, "a line as it was written")
        if len(line) > LONGEST_LINE:
            raise _fault("a line is too long", number, f"at most {LONGEST_LINE} characters")
        data = chain.holds(line)
        if data is None:
            if header is None:
                break
            # Only the last line may be broken: a disk that filled up, a laptop that died.
            pending = "the checksum does not hold"
            continue
        record = _record(data, number)
        if header is None:
            header = _header(record, number)
        elif "unit" in record:
            accounts.append(_account(record, number))
            if places.setdefault(accounts[-1].path, number) != number:
                raise _fault(f"unit {_shown(accounts[-1].path)} is there twice", number, "units that do not overlap")
        elif "board" in record:
            boards.append(_board(record, number))
            if boards[-1][0] in named:
                raise _fault(f"board {boards[-1][0]} is there twice", number, "each board once")
            named.add(boards[-1][0])
        else:
            sums = record
            set_aside = ""
    if header is None:
        raise _fault("this is no ledger", 1, "a first line with a checksum that holds")
    if pending is not None:
        set_aside = "its last line is cut off"
    book = Book(header, tuple(accounts), tuple(boards), set_aside)
    _check_units(book, places)
    if sums is not None:
        _check_sums(book, sums, number)
    return book


def _record(data: bytes, number: int) -> dict[str, Any]:
    try:
        record = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _fault(f"no JSON: {error}", number, "an object") from None
    if not isinstance(record, dict):
        raise _fault("no object", number, "an object")
    return record


def _header(record: dict[str, Any], number: int) -> Header:
    version = record.get("ledger")
    if type(version) is not int or version < 1:
        raise _fault("this is no ledger", number, f'"ledger": {VERSION}')
    if version > VERSION:
        raise _fault(f"version {version} is newer than this e2", number, f"version {VERSION}; install a newer e2")
    texts = [record.get(key) for key in ("e2", "tree")]
    if not all(isinstance(text, str) and len(text) <= 64 for text in texts) or not isinstance(
        record.get("settings"), dict
    ):
        raise _fault("the first line is not whole", number, "e2, tree, settings and puzzle")
    return Header(str(texts[0]), str(texts[1]), _problem(record, number), record["settings"])


def _problem(record: dict[str, Any], number: int) -> Problem:
    if isinstance(record.get("cover"), str):
        try:
            return read_cover(record["cover"])
        except E2Error as error:
            raise _fault(f"the cover problem is none: {error}", number, "items and options as text") from None
    try:
        return load_puzzle(orjson.dumps(record.get("puzzle")).decode(), format="puzzle_json")
    except E2Error as error:
        raise _fault(f"the puzzle is none: {error}", number, "a puzzle as Puzzle JSON has it") from None


def _account(record: dict[str, Any], number: int) -> Account:
    path, nodes = _integers(record, "unit", number, most=_CHOICES), _integers(record, "nodes", number)
    place = _integers(record, "place", number, most=_CHOICES) if "place" in record else None
    status, share = record.get("status"), record.get("share", 0.0)
    if status not in _STATUSES:
        raise _fault(f"status {str(status)[:20]!r}", number, " or ".join(_STATUSES))
    if type(share) not in (float, int) or not 0 <= share <= 1:
        raise _fault("share is out of range", number, "0 to 1")
    solutions, gave = (_integer(record, key, number) for key in ("solutions", "gave"))
    return Account(path, str(status), nodes, solutions, gave, float(share), place)


def _board(record: dict[str, Any], number: int) -> _Board:
    codes = _integers(record, "board", number, least=-1, most=_CODES)
    if record.get("board_hash") != str(board_hash(codes)):
        raise _fault("board_hash is not that of the board", number, str(board_hash(codes)))
    return board_hash(codes), codes


def _integers(record: dict[str, Any], key: str, number: int, *, least: int = 0, most: int = _MOST) -> tuple[int, ...]:
    values = record.get(key)
    if not isinstance(values, list) or len(values) > _MOST_CODES:
        raise _fault(f"{key} is no list", number, "a list of integers")
    if not all(type(value) is int and least <= value < most for value in values):
        raise _fault(f"{key} has a number that cannot be", number, f"integers of {least} to {most - 1}")
    return tuple(values)


def _integer(record: dict[str, Any], key: str, number: int) -> int:
    value = record.get(key)
    if type(value) is not int or not 0 <= value < _MOST:
        raise _fault(f"{key} is no number", number, "an integer of 0 or more")
    return value


def _check_units(book: Book, places: Mapping[tuple[int, ...], int]) -> None:
    """Every unit but the whole tree lies below one that has given it away; `places` are the units' lines.

    Where the end is cut off, units may be missing.
    """
    if book.nodes >= _MOST or book.solutions >= _MOST:
        raise _fault("more nodes or solutions than a run can count", 0, f"{_MOST - 1} at most")
    paths = sorted(places)
    if paths[:1] != [()] and not book.set_aside:
        raise _fault("the unit of the whole tree is missing", 0, 'a line with "unit": []')
    received: dict[tuple[int, ...], int] = {}
    above: list[tuple[int, ...]] = []
    for path in paths:
        while above and path[: len(above[-1])] != above[-1]:
            above.pop()
        if above:
            received[above[-1]] = received.get(above[-1], 0) + 1
        above.append(path)
    for account in book.accounts:
        lie = received.get(account.path, 0)
        if lie > account.gave or (lie < account.gave and not book.set_aside):
            raise _fault(
                f"unit {_shown(account.path)} has given {account.gave} branches away, but {lie} lie below it",
                places[account.path],
                "units that neither overlap nor leave anything out",
            )


def _check_sums(book: Book, sums: dict[str, Any], number: int) -> None:
    found = {
        "units": len(book.accounts),
        "nodes": book.nodes,
        "solutions": book.solutions,
        "boards": len(book.boards),
        "whole": book.is_whole,
    }
    for key, value in found.items():
        if sums.get(key) != value:
            raise _fault(f"{key} {str(sums.get(key))[:24]} is not the sum of the lines", number, str(value))


def _shown(path: tuple[int, ...]) -> str:
    return "[" + ",".join(map(str, path[:12])) + (",..." if len(path) > 12 else "") + "]"


def _fault(message: str, number: int, expected: str) -> FormatError:
    return FormatError(_NAME, message, place=f"line {number}" if number else "", expected=expected)
