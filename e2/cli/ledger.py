"""e2 ledger: what is done of a tree, to look at, to join, and to check."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.options import Json
from e2.cli.output import DONE, NO, say, say_json
from e2.core.cover import CoverProblem
from e2.errors import SettingsError
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.store.ledger_text import Book

Ledgers = Annotated[list[Path], typer.Argument(metavar="LEDGER...", help="Run folders, or ledgers as text.")]
One = Annotated[Path, typer.Argument(metavar="LEDGER", help="A run folder, or a ledger as text.")]


def show(ledgers: Ledgers, json: Json = False) -> int:
    """Say what ledgers hold: which tree, how much of it is done, and what was found.

    \b
    Example:
      e2 ledger show runs/brendan
    """
    from e2.cluster.books import read_book

    for path in ledgers:
        book = read_book(path)
        _say_book("ledger", path, book, json)
    return DONE


def merge(
    ledgers: Ledgers,
    out: Annotated[Path, typer.Option(help="The run's folder, new; e2 resume does what is still open.")],
    json: Json = False,
) -> int:
    """Join ledgers of one tree, made by anybody anywhere, into one run.

    What one of them has searched to the end is done. Ledgers that disagree are refused.

    \b
    Example:
      e2 ledger merge runs/mine theirs.txt --out runs/joined
    """
    from e2.cluster.books import begin_run, merged, read_book
    from e2.store.layout import RunFolder

    RunFolder.refuse_taken(out)
    book = merged([read_book(path) for path in ledgers])
    begin_run(book, out)
    _say_book("run", out, book, json)
    return DONE


def verify(
    ledger: One,
    units: Annotated[int, typer.Option(help="How many units to search again.")] = 20,
    seed: Annotated[int | None, typer.Option(help="Of the sample; by default one that nobody can foresee.")] = None,
    json: Json = False,
) -> int:
    """Search a random sample of a ledger's finished units again, and say how sure the rest is.

    Exit code 1 if a unit comes out otherwise.

    \b
    Example:
      e2 ledger verify runs/brendan --units 5
    """
    from e2.cluster.books import read_book, verified

    if units < 1:
        raise SettingsError(f"--units {units}: expected 1 or more")
    drawn = secrets.randbelow(1 << 62) if seed is None else seed
    verdict = verified(read_book(ledger), units, drawn, _progress)
    if json:
        record = {"units": verdict.units, "checked": verdict.checked, "nodes": verdict.nodes}
        say_json({**record, "wrong": list(verdict.wrong), "at_most_wrong": verdict.at_most_wrong, "seed": drawn})
    else:
        for fault in verdict.wrong:
            say(f"wrong: {printable(fault)}")
        done = f"{verdict.checked} of {verdict.units} units searched again, {verdict.nodes} nodes"
        if verdict.wrong:
            say(f"{done}: {len(verdict.wrong)} came out otherwise")
        elif verdict.checked == verdict.units:
            say(f"{done}: all as the ledger has them")
        else:
            say(f"{done}: as the ledger has them; with 95 % confidence at most {verdict.at_most_wrong:.2%} are wrong")
    return NO if verdict.wrong else DONE


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == of else "\r"
        print(f"{done} of {of} units searched again", end=end, file=sys.stderr, flush=True)


def _say_book(key: str, path: Path, book: Book, json: bool) -> None:
    """What a ledger holds; for programs its path is under `key`."""
    if json:
        say_json({key: str(path), **_record(book)})
        return
    say(f"{path}: {_title(book)}")
    for word, text in _lines(book):
        say(f"  {word:<10} {text}")


def _title(book: Book) -> str:
    problem = book.header.problem
    if isinstance(problem, CoverProblem):
        items, options = len(problem.items), len(problem.options)
        return f"tree {book.header.tree} of a cover problem, {items} items and {options} options"
    return f"tree {book.header.tree} of {printable(problem.name)}, {problem.width}x{problem.height}"


def _lines(book: Book) -> list[tuple[str, str]]:
    settings = book.header.settings
    rules = ", ".join(f"{name} {printable(str(value))[:60]}" for name, value in sorted(settings.items()) if value)
    statuses = [account.status for account in book.accounts]
    units = ", ".join(f"{statuses.count(status)} {status}" for status in sorted(set(statuses), key=statuses.index))
    lines = [("settings", rules or "rows"), ("units", units), ("nodes", str(book.nodes))]
    is_cover = isinstance(book.header.problem, CoverProblem)
    kept = "which are not kept" if is_cover else f"{len(book.boards)} kept as boards"
    lines.append(("solutions", f"{book.solutions}, {kept}"))
    if book.set_aside:
        lines.append(("torn", f"{book.set_aside}: set aside"))
    if not book.is_whole:
        lines.append(("left", f"about {book.left:.3%} of the tree"))
    elif len(book.boards) == book.solutions and not is_cover:
        lines.append(("proof", f"the whole tree is searched: these {book.solutions} boards are all solutions"))
    else:
        lines.append(("proof", f"the whole tree is searched: it holds exactly {book.solutions} solutions"))
    return lines


def _record(book: Book) -> dict[str, object]:
    statuses = [account.status for account in book.accounts]
    problem = book.header.problem
    return {
        "tree": book.header.tree,
        "puzzle": None if isinstance(problem, CoverProblem) else problem.name,
        "settings": dict(book.header.settings),
        "units": {status: statuses.count(status) for status in sorted(set(statuses))},
        "nodes": book.nodes,
        "nodes_by_depth": list(book.nodes_by_depth()),
        "solutions": book.solutions,
        "boards": len(book.boards),
        "left": book.left,
        "whole": book.is_whole,
        "set_aside": book.set_aside,
    }
