"""e2 count: whole trees, from the command line."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from e2.cli.options import Address, Executor, FillOrder, Json, Out, Puzzle, Seconds, Workers
from e2.cli.solve import run_arguments, run_here
from e2.errors import SettingsError

Region = Annotated[
    str | None,
    typer.Option(metavar="COLUMN,ROW,WIDTH,HEIGHT", help="Fill this block in place of the whole board."),
]
AnyHints = Annotated[bool, typer.Option("--any-hints", help="Leave the puzzle's hints out: all pieces are free.")]
Merge = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT,...",
        help="Count once: pieces (equal ones), turns (of a piece, that look the same), board (turns of it), or all.",
    ),
]
PrefixDepth = Annotated[
    int | None, typer.Option("--prefix-depth", help="Make every node with so many pieces a unit of work.")
]


def count(
    puzzle: Puzzle = None,
    strategy: Annotated[
        str | None, typer.Option(help="strict (default): cell by cell; cover: by exact cover, for small boards.")
    ] = None,
    fill_order: FillOrder = None,
    region: Region = None,
    any_hints: AnyHints = False,
    merge: Merge = None,
    prefix_depth: PrefixDepth = None,
    part: Annotated[
        str | None, typer.Option(metavar="I/N", help="Do only this part of the units of --prefix-depth.")
    ] = None,
    rank: Annotated[
        str | None,
        typer.Option(help="Which units go first: none (as cut), probes (most nodes) or model (most solutions)."),
    ] = None,
    keep: Annotated[int | None, typer.Option(help="How many solutions to keep as boards.  [default: 1000]")] = None,
    executor: Executor = None,
    workers: Workers = None,
    address: Address = None,
    seconds: Seconds = None,
    out: Out = None,
    json: Json = False,
) -> int:
    """Count all solutions and nodes of a puzzle, exactly. Resumable like solve.

    A node is a piece placed where it fits all its neighbours. Copies of a piece and turns of the board count apart,
    unless --merge says otherwise.

    \b
    Example:
      e2 count --puzzle tests/counts/tomy_4x4.json --executor local
    """
    if puzzle is None:
        raise SettingsError("count needs --puzzle")
    given = {
        "strategy": strategy,
        "executor": executor,
        "workers": workers,
        "address": address,
        "seconds": seconds,
        **tree_settings(region, merge),
        "prefix_depth": prefix_depth,
        "part": part,
        "rank": rank,
        "keep": keep,
    }
    instance, settings = run_arguments("count", puzzle, None, given, [], fill_order, any_hints=any_hints)
    return run_here(settings, instance, out, json)


def tree_settings(region: str | None, merge: str | None) -> dict[str, object]:
    """What options say about the tree, as settings."""
    return {"region": None if region is None else _block(region), "merge": None if merge is None else _merged(merge)}


def _block(text: str) -> list[int]:
    words = text.split(",")
    if len(words) != 4 or not all(re.fullmatch(r"\s*[0-9]{1,6}\s*", word) for word in words):
        raise SettingsError(f"--region {text[:40]!r}: expected COLUMN,ROW,WIDTH,HEIGHT, such as 0,0,3,3")
    return [int(word) for word in words]


def _merged(text: str) -> list[str]:
    from e2.search.tree import MERGES

    words = list(MERGES) if text == "all" else text.split(",")
    unknown = next((word for word in words if word not in MERGES), None)
    if unknown is not None:
        raise SettingsError(f"--merge {unknown[:40]!r}: expected some of {', '.join(MERGES)}, or all")
    return words
