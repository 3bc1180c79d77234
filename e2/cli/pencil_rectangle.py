"""e2 pencil rectangle: word rectangles made, or counted."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from e2.cli.options import Address, Json, Seconds
from e2.cli.output import DONE, NO, say, say_json
from e2.cli.pencil_count import Count, CountExecutor, CountOut, CountWorkers, Where, say_count
from e2.errors import SettingsError


def rectangle(
    rows_from: Annotated[Path, typer.Option("--rows-from", metavar="FILE", help="Words for the rows, one a line.")],
    size: Annotated[str, typer.Option(metavar="CxR", help="Columns x rows, as in 5x4.")],
    cols_from: Annotated[
        Path | None,
        typer.Option("--cols-from", metavar="FILE", help="Words for the columns; default: those for the rows."),
    ] = None,
    count: Count = False,
    first: Annotated[int, typer.Option(min=1, max=1_000_000_000, help="Show so many of them.")] = 1,
    out: CountOut = None,
    executor: CountExecutor = None,
    workers: CountWorkers = None,
    address: Address = None,
    seconds: Seconds = None,
    json: Json = False,
) -> int:
    """Fill a rectangle with words, across and down. Exit code 1 if there is no way.

    Words of other lengths than the rows or columns have are passed over; a word may stand in several.

    \b
    Example:
      e2 pencil rectangle --rows-from words.txt --size 5x4 --first 3
    """
    from e2.pencil.word_rectangle import WordRectangle

    width, cross, height = size.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and len(size) <= 9):
        raise SettingsError(f"--size {size[:40]!r}: expected COLUMNSxROWS, such as 3x3")
    where = Where(out, executor, workers, address, seconds)
    where.check(count)
    across = _read(rows_from)
    down = across if cols_from is None else _read(cols_from)
    found = WordRectangle.of(across, down, int(width), int(height))
    if count:
        texts = (f"rectangle of {width}x{height}", f"rectangles of {width}x{height}")
        return say_count(found.cover, "rectangle", texts, where, json)
    shown = 0
    for grid in islice(found.solutions(), first):
        if json:
            say_json({"cols": int(width), "rows": int(height), "grid": list(grid)})
        else:
            say(("\n" if shown else "") + "\n".join(grid))
        shown += 1
    if not shown and not json:
        say(f"no rectangle of {width}x{height}")
    return DONE if shown else NO


def _read(path: Path) -> list[str]:
    """The words of a file; blank lines are passed over, SettingsError for anything but letters A to Z."""
    from e2.pencil.word_search import checked_word
    from e2.store.source import read_file

    lines = read_file(path).text.splitlines()
    words = ((number, line.strip()) for number, line in enumerate(lines, 1))
    return [checked_word(word, f"{path.name}, line {number}") for number, word in words if word]
