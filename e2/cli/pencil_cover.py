"""e2 pencil cover: any exact cover problem, from its text."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from e2.cli.options import Address, Json, Puzzle
from e2.cli.output import DONE, NO, say, say_json
from e2.cli.pencil_count import Count, CountExecutor, CountWorkers, check_executor, counted, say_count
from e2.errors import SettingsError
from e2.views.terminal import printable


def cover(
    input: Annotated[
        str | None, typer.Argument(metavar="FILE", help="Items and options as text, or - for standard input.")
    ] = None,
    puzzle: Puzzle = None,
    count: Count = False,
    first: Annotated[int, typer.Option(min=1, help="Show so many of them.")] = 1,
    text: Annotated[
        bool, typer.Option("--text", help="Only write the puzzle as such a text, for other programs.")
    ] = False,
    executor: CountExecutor = None,
    workers: CountWorkers = None,
    address: Address = None,
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
    from e2.pencil.count_jobs import Covers
    from e2.search.cover_search import cover_problem
    from e2.search.exact_cover import covers
    from e2.store.inputs import the_puzzle
    from e2.store.source import read_source

    check_executor(count, executor, workers, address)
    if (input is None) is (puzzle is None):
        raise SettingsError("cover: expected a FILE or --puzzle")
    if text and (puzzle is None or count or json):
        raise SettingsError("cover: --text goes with --puzzle, and without --count or --json")
    problem = read_cover(read_source(input).text) if input is not None else cover_problem(the_puzzle(puzzle or ""))
    if text:
        say(write_cover(problem).rstrip("\n"))
        return DONE
    if count:
        number = counted(executor, workers, address, Covers(problem))
        return say_count(number, f"solution{'' if number == 1 else 's'}", json)
    shown = 0
    rows = (row for block in covers(problem, min(first, 4096)) for row in block.tolist())
    for row in islice(rows, first):
        chosen = sorted(option for option in row if option >= 0)
        if json:
            say_json({"options": [option + 1 for option in chosen]})
        else:
            say("\n" * (shown > 0) + "\n".join(printable(write_option(problem, option), 2000) for option in chosen))
        shown += 1
    if not shown and not json:
        say("no solution")
    return DONE if shown else NO
