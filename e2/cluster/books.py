"""Ledgers of whole trees between runs, texts and people: read, merged, checked by doing some of it again."""

from __future__ import annotations

import contextlib
import math
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path

from e2.cluster.study import COUNT, STRICT, RunSettings, run_settings, settings_from_toml, settings_to_toml, tree_of
from e2.core.audit import board_faults
from e2.core.cover import CoverProblem
from e2.core.instance import Instance
from e2.errors import FormatError, RunError, SettingsError
from e2.search.units import Path as Codes
from e2.search.units import UnitSearch, UnitTree
from e2.store import ledger_text
from e2.store.archive import Archive
from e2.store.documents import Problem, check_boards_can_be_written, problem_hash, read_problem, write_problem
from e2.store.layout import RunFolder, read_text, write_durably
from e2.store.ledger import DONE, OPEN
from e2.store.ledger_text import Book, Header
from e2.store.look import ledger_looked_at, named
from e2.store.tree_ledger import ELSEWHERE, Account, TreeLedger

CONFIDENCE = 0.95
_DECIDING = ("parameters", "region", "merge", "prefix_depth", "strategy", "crossing")
"""The settings that a ledger carries: those of its tree, and how it is cut. A stranger's ledger brings no others."""


def header_of(settings: RunSettings, problem: Problem) -> Header:
    """The first line of a run's ledger."""
    deciding = settings.model_dump(include=set(_DECIDING), exclude_none=True)
    if settings.strategy == STRICT:
        # What goes without saying is not said.
        del deciding["strategy"]
    return Header(metadata.version("e2"), tree_of(settings, problem).id, problem, deciding)


def write_ledger_text(folder: RunFolder, settings: RunSettings, problem: Problem, ledger: TreeLedger) -> None:
    """The ledger of a run as a text beside it; whole, or not at all. RunError where the disk does not take it."""
    lines = ledger_text.lines(header_of(settings, problem), ledger.accounts(), ledger.boards())
    write_durably(folder.ledger_text, lines)


def read_book(path: Path) -> Book:
    """The ledger of a run folder, or the one in a text file. FormatError or RunError where it is none."""
    book = _book_of_run(path) if os.path.isdir(path) else _book_in_text(path)
    tree = tree_behind(book.header)
    for account in book.accounts:
        _check_account(account, tree)
    _check_boards(book.boards, book.header.problem)
    return book


def _book_of_run(path: Path) -> Book:
    folder = RunFolder.open(path)
    settings, problem = settings_from_toml(read_text(folder.settings)), read_problem(folder)
    if settings.kind != COUNT:
        raise RunError(f"{path} is a run of tasks; expected a count, or a solve with --exhaustive")
    with named(path), ledger_looked_at(folder.ledger, TreeLedger, None) as ledger:
        return Book(header_of(settings, problem), tuple(ledger.accounts()), tuple(ledger.boards()))


def _book_in_text(path: Path) -> Book:
    try:
        with path.open("rb") as file:
            return ledger_text.read(_lines(file))
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from error


def _check_account(account: Account, tree: UnitTree) -> None:
    """No unit is where the tree has no depth or codes. Whether its codes fit each other shows when it is searched."""
    codes = account.path if account.place is None else account.place[1:]
    deepest = max(len(account.path) + len(account.nodes), len(codes))
    if deepest > tree.depths or any(not 0 <= code < tree.codes for code in (*account.path, *codes)):
        raise FormatError("ledger", f"unit {list(account.path)[:12]} is deeper than the tree, or of other pieces")
    if account.place is not None:
        below = codes[: len(account.path)] == account.path
        if not (below and codes and len(account.path) <= account.place[0] < len(codes)):
            raise FormatError("ledger", f"unit {list(account.path)[:12]} stands at a place that is not below it")


def _lines(file: object) -> Iterator[bytes]:
    """Lines of bounded length: a file without line ends is not read as a whole."""
    readline: Callable[[int], bytes] = file.readline  # type: ignore[attr-defined]
    while line := readline(ledger_text.LONGEST_LINE + 1):
        yield line


def settings_behind(header: Header) -> RunSettings:
    """The settings of a run of the same tree; FormatError where there can be none."""
    foreign = next((name for name in header.settings if name not in _DECIDING), None)
    if foreign is not None:
        message = f"the settings are none of a count: {foreign[:60]!r} decides no tree"
        raise FormatError("ledger", message, place="line 1", expected=" or ".join(_DECIDING))
    try:
        return run_settings({**header.settings, "kind": COUNT})
    except SettingsError as error:
        raise FormatError("ledger", f"the settings are none of a count: {error}", place="line 1") from None


def tree_behind(header: Header) -> UnitTree:
    """The tree that a ledger is about; FormatError where its name is not that of its problem and settings."""
    try:
        tree = tree_of(settings_behind(header), header.problem)
    except SettingsError as error:
        raise FormatError("ledger", f"the settings do not fit the puzzle: {error}", place="line 1") from None
    if tree.id != header.tree:
        raise FormatError("ledger", f"the tree is named {header.tree}", place="line 1", expected=tree.id)
    return tree


@dataclass
class _Index:
    """A book by path: who lies below whom, and what each subtree has come to."""

    book: Book
    accounts: dict[Codes, Account]
    below: dict[Codes, list[Codes]] = field(default_factory=dict)
    complete: dict[Codes, bool] = field(default_factory=dict)
    left: dict[Codes, float] = field(default_factory=dict)
    sums: dict[Codes, tuple[int, tuple[int, ...]]] = field(default_factory=dict)

    @classmethod
    def of(cls, book: Book) -> _Index:
        index = cls(book, {account.path: account for account in book.accounts})
        above: list[Codes] = []
        paths = sorted(index.accounts)
        for path in paths:
            while above and path[: len(above[-1])] != above[-1]:
                above.pop()
            if above:
                index.below.setdefault(above[-1], []).append(path)
            above.append(path)
        for path in reversed(paths):
            index._sum_up(path)
        return index

    def _sum_up(self, path: Codes) -> None:
        account, children = self.accounts[path], self.below.get(path, [])
        self.complete[path] = (
            account.status == DONE and self.has_all_below(path) and all(self.complete[child] for child in children)
        )
        own = 0.0 if account.status == DONE else account.share
        self.left[path] = own + sum(self.left[child] for child in children)
        solutions, nodes = account.solutions, list(account.nodes)
        for child in children:
            more, deeper = self.sums[child]
            solutions += more
            for depth, count in enumerate(deeper, len(child) - len(path)):
                nodes += [0] * (depth + 1 - len(nodes))
                nodes[depth] += count
        self.sums[path] = solutions, tuple(nodes)

    def has_all_below(self, path: Codes) -> bool:
        """Whether every branch is there that a unit gave away; in a torn ledger some may be missing."""
        return self.accounts[path].gave == len(self.below.get(path, []))

    def subtree(self, path: Codes) -> Iterator[Account]:
        todo = [path]
        while todo:
            at = todo.pop()
            yield self.accounts[at]
            todo += self.below.get(at, [])


def merged(books: Sequence[Book]) -> Book:
    """What several ledgers of one tree know together. FormatError where they are of several trees, or disagree.

    A branch that one of them has searched to the end is taken from there; of any other the account that leaves the
    least, with what the others know below it.
    """
    first = books[0].header
    for book in books[1:]:
        if book.header.tree != first.tree:
            raise FormatError(
                "ledger", f"tree {book.header.tree} is not tree {first.tree}", expected=_difference(first, book.header)
            )
    indexes = [_Index.of(book) for book in books]
    accounts: list[Account] = []
    todo: list[Codes] = [()]
    while todo:
        path = todo.pop()
        known = [index for index in indexes if path in index.accounts and index.has_all_below(path)]
        if not known:
            raise FormatError(
                "ledger",
                f"unit {list(path)[:12]} or what it gave away is not all there",
                expected="a ledger whose end is not cut off",
            )
        complete = [index for index in known if index.complete[path]]
        if len({index.sums[path] for index in complete}) > 1:
            raise FormatError(
                "ledger",
                f"the ledgers disagree about unit {list(path)[:12]}: "
                + " and ".join(
                    f"{sum(index.sums[path][1])} nodes, {index.sums[path][0]} solutions" for index in complete
                ),
                expected="the same from both; e2 ledger verify tells which is wrong",
            )
        if complete:
            accounts += complete[0].subtree(path)
            continue
        best = min(known, key=lambda index: index.left[path])
        account = best.accounts[path]
        accounts.append(replace(account, status=OPEN) if account.status == ELSEWHERE else account)
        todo += best.below.get(path, [])
    boards = sorted({board for book in books for board in book.boards})
    _check_boards(boards, first.problem)
    return Book(first, tuple(sorted(accounts, key=lambda account: account.path)), tuple(boards))


def _difference(one: Header, other: Header) -> str:
    if problem_hash(one.problem) != problem_hash(other.problem):
        return "ledgers of the same problem" if isinstance(one.problem, CoverProblem) else "ledgers of the same puzzle"
    return f"the same fill order and rules: {dict(one.settings)}, not {dict(other.settings)}"


def _check_boards(boards: Sequence[tuple[int, Codes]], problem: Problem) -> None:
    for name, codes in boards:
        if isinstance(problem, CoverProblem):
            raise FormatError("ledger", f"board {name}: solutions of a cover problem are no boards")
        fault = next(iter(board_faults(codes, problem.grid.max_score, problem)), None)
        if fault is not None:
            raise FormatError("ledger", f"board {name} is no solution: {fault}")


def begin_run(book: Book, path: Path) -> RunFolder:
    """A new run folder that holds a ledger, to be resumed; RunError where something is there already."""
    problem = book.header.problem
    settings = settings_behind(book.header).model_copy(update={"puzzle_hash": problem_hash(problem)})
    if isinstance(problem, Instance):
        settings = settings.model_copy(update={"puzzle": problem.name})
        check_boards_can_be_written(problem)
    folder = RunFolder.create(path)
    with folder.driven():
        write_problem(folder, problem)
        with contextlib.closing(TreeLedger.create(folder.ledger)) as ledger:
            with ledger.together():
                for account in book.accounts:
                    ledger.add_account(account)
                ledger.add_boards(book.boards)
            if isinstance(problem, Instance):
                archive = Archive(folder, problem)
                for _, codes in book.boards:
                    archive.write(codes, archive.max_score)
            write_ledger_text(folder, settings, problem, ledger)
        write_durably(folder.settings, settings_to_toml(settings).encode())
    return folder


@dataclass(frozen=True)
class Verdict:
    """What came of doing a sample of units again. `wrong` names the units that came out otherwise, and how."""

    units: int
    checked: int
    nodes: int
    wrong: tuple[str, ...]

    @property
    def at_most_wrong(self) -> float:
        """The part of the units that may be wrong, at most, with 95 % confidence, after a sample without a fault."""
        if self.checked >= self.units:
            return 0.0
        return 1.0 - math.pow(1.0 - CONFIDENCE, 1.0 / max(1, self.checked))


def verified(book: Book, sample: int, seed: int, progress: Callable[[int, int], None]) -> Verdict:
    """Do a random sample of a ledger's finished units again; `progress(done, of)` is told of each.

    Checks besides that all boards are solutions; FormatError for one that is none. Of a torn ledger, units of which
    branches are missing are left out.
    """
    tree = tree_behind(book.header)
    _check_boards(book.boards, book.header.problem)
    index = _Index.of(book)
    finished = sorted(
        account.path
        for account in book.accounts
        if account.status == DONE and (not book.set_aside or index.has_all_below(account.path))
    )
    chosen = sorted(random.Random(seed).sample(finished, min(sample, len(finished))))
    search, wrong, nodes = tree.search(), [], 0
    for number, path in enumerate(chosen):
        progress(number, len(chosen))
        account = index.accounts[path]
        try:
            solutions, counts = own_account(search, path, index.below.get(path, []))
        except SettingsError as error:
            wrong.append(f"unit {list(path)}: {error}")
            continue
        nodes += sum(counts)
        if (solutions, counts) != (account.solutions, account.nodes):
            wrong.append(
                f"unit {list(path)}: {sum(counts)} nodes and {solutions} solutions, "
                f"the ledger has {sum(account.nodes)} and {account.solutions}"
            )
    progress(len(chosen), len(chosen))
    return Verdict(len(finished), len(chosen), nodes, tuple(wrong))


def own_account(search: UnitSearch, path: Codes, given: Sequence[Codes]) -> tuple[int, tuple[int, ...]]:
    """Solutions and nodes, from the first depth below on, of a unit that gave these branches away, searched anew.

    SettingsError where a branch is not one of the tree, or not below the unit.
    """
    total, solutions = [0] * search.depths, 0
    todo = [(path, sorted(given, key=len))]
    while todo:
        at, holes = todo.pop()
        search.open(at, None, len(holes[0]) if holes else None)
        part = search.run(1 << 62)
        solutions += part.solutions
        total = [one + more for one, more in zip(total, part.nodes, strict=True)]
        reached = set(part.given)
        for hole in holes:
            if hole[: len(holes[0])] not in reached:
                raise SettingsError(f"branch {list(hole)} is not there")
        for node in part.given:
            below = [hole for hole in holes if hole[: len(node)] == node]
            if node not in holes:
                todo.append((node, below))
    last = max((depth for depth, count in enumerate(total) if count), default=-1)
    return solutions, tuple(total[len(path) : last + 1])
