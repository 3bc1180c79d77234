"""e2 pencil words: a word search made, or all its ways counted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from e2.cli.options import Address, Json, Seconds
from e2.cli.output import DONE, NO, say, say_json
from e2.cli.pencil_count import Count, CountExecutor, CountOut, CountWorkers, Where, say_count
from e2.errors import SettingsError
from e2.views.terminal import printable


def words(
    word: Annotated[list[str], typer.Argument(metavar="WORD...", help="The words to hide, letters A to Z.")],
    rows: Annotated[int, typer.Option(help="Rows of the grid.")] = 6,
    cols: Annotated[int, typer.Option(help="Columns of the grid.")] = 6,
    directions: Annotated[int, typer.Option(help="2: right and down; 4: left and up too; 8: diagonals too.")] = 8,
    crossing: Annotated[bool, typer.Option("--crossing", help="Some two words share a cell.")] = False,
    each_crossing: Annotated[bool, typer.Option("--each-crossing", help="Every word shares a cell with another.")] = (
        False
    ),
    connected: Annotated[bool, typer.Option("--connected", help="All words hang together by shared cells.")] = False,
    count: Count = False,
    seed: Annotated[
        int | None, typer.Option(help="Try placements in a shuffled order; without it, from the top left.")
    ] = None,
    fill: Annotated[
        bool, typer.Option("--fill", help="Fill the other cells with letters by chance (of the seed, or 0).")
    ] = False,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture as SVG.")] = None,
    out: CountOut = None,
    executor: CountExecutor = None,
    workers: CountWorkers = None,
    address: Address = None,
    seconds: Seconds = None,
    json: Json = False,
) -> int:
    """Hide words in a grid, each once, or count the ways to do so. Exit code 1 if there is none.

    A way is a first cell and a direction for each word: one that reads the same backwards has two on the same cells.

    \b
    Example:
      e2 pencil words ABEL CANTOR GAUSS EULER --rows 6 --cols 6 --count
    """
    from e2.pencil.word_search import WordSearch, filled, lettered
    from e2.search.crossing import ANY, CONNECTED, EACH, SOME
    from e2.store.layout import write_durably
    from e2.views.words_svg import grid_lines, words_svg

    asked = [kind for kind, wanted in ((SOME, crossing), (EACH, each_crossing), (CONNECTED, connected)) if wanted]
    if len(asked) > 1:
        raise SettingsError("words: expected one of --crossing, --each-crossing and --connected")
    if count and (seed is not None or fill or svg is not None):
        raise SettingsError("words: --count makes no grid; expected no --seed, --fill or --svg")
    where = Where(out, executor, workers, address, seconds)
    where.check(count)
    search = WordSearch.checked(word, cols, rows, directions, *asked or (ANY,))
    if count:
        end = f"to place {_words(len(search.words))} on {cols}x{rows}"
        return say_count(search.cover, "words", (f"way {end}", f"ways {end}"), where, json, next(iter(asked), None))
    placed = search.solution(seed)
    if placed is None:
        if json:
            say_json({"cols": cols, "rows": rows, "grid": None, "words": []})
        else:
            say(f"no way to place {_words(len(search.words))} on {cols}x{rows}")
        return NO
    letters = lettered(search.grid, placed)
    if fill:
        letters = filled(letters, seed or 0)
    if svg is not None:
        write_durably(svg, words_svg(search.grid, letters, placed).encode())
    lines = grid_lines(search.grid, letters)
    if json:
        record = {
            "cols": cols,
            "rows": rows,
            "grid": [line.replace(" ", "") for line in lines],
            "words": [
                {"word": found.word, "cell": search.grid.name(found.cells[0]), "direction": found.direction}
                for found in placed
            ],
        }
        say_json(record)
        return DONE
    for line in lines:
        say(line)
    for found in placed:
        say(f"{found.word} from {search.grid.name(found.cells[0])} {found.direction}")
    if svg is not None:
        say(f"wrote {printable(str(svg))}")
    return DONE


def _words(number: int) -> str:
    return f"{number} word{'' if number == 1 else 's'}"
