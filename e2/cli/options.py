"""Options that several commands share, written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Input = Annotated[str, typer.Argument(metavar="INPUT", help="A file, - or the text itself: a link, letters, ...")]
Puzzle = Annotated[
    str | None, typer.Option("--puzzle", help="The puzzle: a file, its text, or the name of one that comes with e2.")
]
From = Annotated[str | None, typer.Option("--from", help="Read as this format and do not guess.")]
Lenient = Annotated[bool, typer.Option("--lenient", help="Read what decodes, and say how much that was.")]
Json = Annotated[bool, typer.Option("--json", help="For programs: one JSON object a line, and nothing else.")]
Executor = Annotated[str | None, typer.Option(help="ray (default), local (a process pool) or inline.")]
Workers = Annotated[int | None, typer.Option(help="Worker processes; default: one a core.")]
Address = Annotated[str | None, typer.Option(help="Ray cluster to use; default: RAY_ADDRESS, else one of our own.")]
Seconds = Annotated[float | None, typer.Option(help="Stop after this time; all is kept.")]
Memory = Annotated[
    str | None, typer.Option(help="What each worker may take, such as 8GB: chooses the width of beam or portfolio.")
]
Tasks = Annotated[int | None, typer.Option(help="How many tasks: seed, seed + 1, ...; default: no end.")]
Target = Annotated[int | None, typer.Option(help="Stop at this score; exit code 1 if it is not reached.")]
FillOrder = Annotated[
    str | None,
    typer.Option("--fill-order", help="rows, columns, spiral-in, comb, comb:H, blackwood, or a file of all cells."),
]
Out = Annotated[Path | None, typer.Option(help="The run's folder, new; default: a name of its own under runs/.")]
Schedule = Annotated[
    str | None, typer.Option("--schedule", help="Break schedule: model, a published one's name, or a file of depths.")
]
