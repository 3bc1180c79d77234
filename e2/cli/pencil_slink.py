"""e2 pencil slink: a contest's boards in, a contest's answer out."""

from __future__ import annotations

from typing import Annotated

import typer

from e2.cli.options import Address, Json
from e2.cli.output import DONE, NO, note, say, say_json, write
from e2.cli.pencil_solve import LoopExecutor, LoopWorkers, record, solved_by


def slink(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Boards as the contest gives them; - is standard input.")],
    executor: LoopExecutor = "inline",
    workers: LoopWorkers = None,
    address: Address = None,
    json: Json = False,
) -> int:
    """Solve the boards of a contest text and write its answer, byte for byte.

    A board without a loop gets the line "no loop", one with several the first that is found; both are told on standard
    error, and the exit code is 1.

    \b
    Example:
      e2 pencil slink tests/pencil/data/boards.slink
    """
    from e2.pencil.slink import read_slink, write_slink
    from e2.store.source import read_stream

    puzzles = read_slink(read_stream(file).text)
    code = DONE
    for number, solved in enumerate(solved_by(executor, workers, address, puzzles), 1):
        puzzle = puzzles[number - 1]
        if len(solved.loops) != 1:
            code = NO
            note(f"note: board {number} has {'several loops' if solved.loops else 'no loop'}")
        if json:
            say_json({"case": number, **record(puzzle, solved)})
        elif solved.loops:
            write(write_slink(number, puzzle, solved.loops[0]).encode())
        else:
            say(f"{number}\nno loop")
    return code
