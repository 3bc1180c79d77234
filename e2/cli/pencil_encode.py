"""e2 pencil encode: a board as a puzzle link."""

from __future__ import annotations

from typing import Annotated

import typer

from e2.cli.options import Json
from e2.cli.output import DONE, say, say_json
from e2.errors import FormatError
from e2.views.terminal import printable


def encode(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Rows of cells, an object of `decode --json`, a pzprv3 file, or -.")
    ],
    pid: Annotated[str, typer.Option("--pid", help="The kind of puzzle: slither, akari, heyawake, ...")],
    json: Json = False,
) -> int:
    """Write a board as a link, byte for byte as pzprjs does.

    Rows of cells hold numbers, `?` and `.` with blanks between them; yajilin's directions stand before the number, as
    in `3,2`. Puzzles with rooms, crosses or numbers outside need the object or the pzprv3 file.

    \b
    Example:
      e2 pencil encode board.txt --pid slither
    """
    from e2.formats.json_text import json_object
    from e2.pencil.pzpr.decode import decode, puzzle_named
    from e2.pencil.pzpr.decode import encode as encoded
    from e2.pencil.pzpr.document import board_of_record, flags_of_record, variant_of_record
    from e2.pencil.pzpr.link import MOST_TEXT
    from e2.pencil.pzpr.tokens import read_grid
    from e2.store.source import read_stream

    puzzle = puzzle_named(pid)
    text = read_stream(file).text
    if text.startswith("pzprv3"):
        decoded = decode(text)
        if decoded.puzzle is not puzzle:
            raise FormatError("pzpr", f"the file is of {decoded.puzzle.pid}", place="line 2", expected=puzzle.pid)
        link = encoded(puzzle, decoded.board, flags=decoded.flags)
    elif text.lstrip().startswith("{"):
        record = json_object("pzpr", text)
        link = encoded(
            puzzle,
            board_of_record(puzzle, record),
            flags=flags_of_record(puzzle, record),
            variant=variant_of_record(record),
        )
    else:
        plain = len(puzzle.parts) == 1 and puzzle.file == ("cells",)
        if not plain:
            raise FormatError("pzpr", f"{pid} is more than cells", expected="an object of decode --json, or pzprv3")
        link = encoded(puzzle, read_grid(text, puzzle.grid))
    if json:
        say_json({"pid": puzzle.pid, "link": link})
    else:
        say(printable(link, MOST_TEXT))
    return DONE
