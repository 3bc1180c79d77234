"""e2 pencil cover: any exact cover problem, from its text."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from e2.cli.options import Address, Json, Puzzle, Seconds
from e2.cli.output import DONE, NO, say, say_json
from e2.cli.pencil_count import Count, CountExecutor, CountOut, CountWorkers, Where, say_count
from e2.errors import SettingsError
from e2.views.terminal import printable


def cover(
    input: Annotated[
        str | None, typer.Argument(metavar="FILE", help="Items and options as text, or - for standard input.")
    ] = None,
    puzzle: Puzzle = None,
    count: Count = False,
    first: Annotated[int, typer.Option(min=1, max=1_000_000_000, help="Show so many of them.")] = 1,
    text: Annotated[
        bool, typer.Option("--text", help="Only write the puzzle as such a text, for other programs.")
    ] = False,
    out: CountOut = None,
    executor: CountExecutor = None,
    workers: CountWorkers = None,
    address: Address = None,
    seconds: Seconds = None,
    json: Json = False,
) -> int:
    """Solve an exact cover problem with colours, or a puzzle as one. Exit code 1 if there is no solution.

    The first line names the items, the secondary ones behind a bar; then one option a line, ITEM:COLOUR where a
    secondary item has one. Solutions are options by line, numbered from 1.

    \b
    Example:
      e2 pencil cover tests/cases/xcc/word6.dlx --count
    """
    from e2.formats.cover_text import read_cover, write_cover, write_option
    from e2.search.cover_search import cover_problem
    from e2.search.exact_cover import covers
    from e2.store.inputs import the_puzzle
    from e2.store.source import MAX_BYTES, read_stream

    where = Where(out, executor, workers, address, seconds)
    where.check(count)
    if (input is None) is (puzzle is None):
        raise SettingsError("cover: expected a FILE or --puzzle")
    if text and (puzzle is None or count or json):
        raise SettingsError("cover: --text goes with --puzzle, and without --count or --json")
    problem = read_cover(read_stream(input).text) if input is not None else cover_problem(the_puzzle(puzzle or ""))
    if text:
        say(write_cover(problem).rstrip("\n"))
        return DONE
    if count:
        return say_count(problem, _name(input, puzzle), ("solution", "solutions"), where, json)
    shown = 0
    rows = (row for block in covers(problem, min(first, 4096)) for row in block.tolist())
    for row in islice(rows, first):
        chosen = sorted(option for option in row if option >= 0)
        if json:
            say_json({"options": [option + 1 for option in chosen]})
        else:
            lines = (printable(write_option(problem, option), MAX_BYTES) for option in chosen)
            say("\n" * (shown > 0) + "\n".join(lines))
        shown += 1
    if not shown and not json:
        say("no solution")
    return DONE if shown else NO


def _name(input: str | None, puzzle: str | None) -> str:
    """What a run is called: the file or the puzzle, without its folder."""
    given = input or puzzle or ""
    return "cover" if given == "-" or len(given) > 200 else Path(given).stem
