"""e2 best: the best boards over many runs, ready to share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from e2.cli.options import Json
from e2.cli.output import DONE, note, say, say_json
from e2.errors import E2Error, RunError, SettingsError
from e2.views.terminal import printable


def best(
    runs: Annotated[
        list[Path] | None, typer.Argument(metavar="[RUN...]", help="Runs, or folders of runs; default: runs/.")
    ] = None,
    top: Annotated[int, typer.Option(help="How many boards.")] = 10,
    md: Annotated[bool, typer.Option("--md", help="As a post for a forum, in Markdown.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="As a table for a spreadsheet.")] = False,
    json: Json = False,
) -> int:
    """List the best boards over all runs, each once, with links, piece numbers and a recomputed audit.

    Boards that are the same up to a turn of the whole board are named as such. What is broken is reported on standard
    error and left out.

    \b
    Example:
      e2 best runs/mine --top 3 --md
    """
    from e2.store.best import best_boards
    from e2.views.best_text import best_csv, best_lines, best_markdown, best_record

    if md + csv + json > 1:
        raise SettingsError("--md, --csv and --json are three forms: expected one of them")
    if top < 1:
        raise SettingsError(f"--top {top}: expected 1 or more")
    folders = runs or [Path("runs")]
    found = best_boards(folders, top, _report)
    if not found:
        raise RunError(f"there is no board in {', '.join(map(str, folders))}")
    records = [best_record(rank, ranked) for rank, ranked in enumerate(found, 1)]
    if md:
        say(best_markdown(records))
    elif csv:
        say(best_csv(records))
    for record in records if not (md or csv) else ():
        if json:
            say_json(record)
        else:
            for line in best_lines(record):
                say(line)
    return DONE


def _report(path: Path, error: E2Error) -> None:
    note(f"left out: {printable(str(path), 200)}: {printable(str(error), 400)}")
