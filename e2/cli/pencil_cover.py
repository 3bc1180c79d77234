"""e2 pencil cover: any exact cover problem, from its text."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from e2.cli.options import Json
from e2.cli.output import DONE, NO, say, say_json
from e2.views.terminal import printable


def cover(
    input: Annotated[str, typer.Argument(metavar="FILE", help="Items and options as text, or - for standard input.")],
    count: Annotated[bool, typer.Option("--count", help="Only say how many solutions there are.")] = False,
    first: Annotated[int, typer.Option(min=1, help="Show so many of them.")] = 1,
    json: Json = False,
) -> int:
    """Solve an exact cover problem with colours. Exit code 1 if it has no solution.

    The first line names the items, the secondary ones behind a bar; then one option a line, ITEM:COLOUR where a
    secondary item has one. Solutions are options by line, numbered from 1.

    \b
    Example:
      e2 pencil cover tests/cases/xcc/word6.dlx --count
    """
    from e2.formats.cover_text import read_cover, write_option
    from e2.search.exact_cover import count_covers, covers
    from e2.store.source import read_source

    problem = read_cover(read_source(input).text)
    if count:
        number = count_covers(problem)
        if json:
            say_json({"solutions": number})
        else:
            say(f"{number:,} solution{'' if number == 1 else 's'}")
        return DONE if number else NO
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
