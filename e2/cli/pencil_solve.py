"""e2 pencil solve: the loop of a Slitherlink, and whether it is the only one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from e2.cli.options import Address, Json
from e2.cli.output import DONE, NO, note, say, say_json
from e2.cli.pencil_decode import argument_text, split_links
from e2.errors import FormatError, SettingsError
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.pencil.loop import LoopPuzzle, Solved

LoopExecutor = Annotated[
    str, typer.Option("--executor", help="Where boards are solved: inline, local (a process pool) or ray.")
]
LoopWorkers = Annotated[int | None, typer.Option("--workers", min=1, help="Worker processes; default: one a core.")]
_SLINK = re.compile(r"\s*[0-9]+[ \t]+[0-9]+[ \t]*(\r?\n|$)")
_MOST_CELLS = 2_000_000  # of all boards: a link of sixteen characters may stand for 65,536
_VERDICTS = ("no loop", "one loop, and no other", "several loops; this is one of them")


def solve(
    input: Annotated[str, typer.Argument(metavar="URL|FILE", help="A link, or a file or - with links or slink text.")],
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture as SVG.")] = None,
    executor: LoopExecutor = "inline",
    workers: LoopWorkers = None,
    address: Address = None,
    json: Json = False,
) -> int:
    """Find the loop of a Slitherlink, and prove that there is no other. Exit code 1 if there is none, or several.

    \b
    Example:
      e2 pencil solve 'https://puzz.link/p?slither/6/6/h712221dh7137158dh872d'
    """
    from e2.pencil.slink import drawn_lines

    puzzles = _puzzles(input)
    if svg is not None and len(puzzles) != 1:
        raise SettingsError(f"--svg is for one board; there are {len(puzzles)}")
    code = DONE
    for puzzle, solved in zip(puzzles, solved_by(executor, workers, address, puzzles), strict=True):
        loop = solved.loops[0] if solved.loops else None
        if len(solved.loops) != 1:
            code = NO
        if svg is not None:
            _draw(puzzle, solved, svg)
        if json:
            say_json(record(puzzle, solved))
            continue
        clues = sum(clue is not None for clue in puzzle.clues)
        counted = f"{clues} clue{'' if clues == 1 else 's'}"
        say(f"{puzzle.grid.width}x{puzzle.grid.height}, {counted}: {_VERDICTS[len(solved.loops)]}")
        for line in drawn_lines(puzzle, loop):
            say(line.rstrip())
    if svg is not None and not json:
        say(f"wrote {printable(str(svg))}")
    return code


def _puzzles(argument: str) -> list[LoopPuzzle]:
    from e2.pencil.pzpr.decode import decode
    from e2.pencil.slink import read_slink
    from e2.pencil.slither import loop_puzzle

    text = argument_text(argument)
    if _SLINK.match(text):
        return list(read_slink(text))
    found: list[LoopPuzzle] = []
    cells = 0
    for number, link in enumerate(split_links(text), 1):
        decoded = decode(link)
        cells += len(decoded.board.cells)
        if cells > _MOST_CELLS:
            expected = f"at most {_MOST_CELLS} cells in one file"
            raise FormatError("input", "too many boards", place=f"link {number}", expected=expected)
        for warning in decoded.warnings:
            note(f"note: {printable(warning)}")
        found.append(loop_puzzle(decoded))
    return found


def solved_by(
    executor: str, workers: int | None, address: str | None, puzzles: Sequence[LoopPuzzle]
) -> Iterator[Solved]:
    """What is known of each board, in their order, as soon as it is."""
    from e2.cluster.run import executor_named
    from e2.cluster.scatter import scattered
    from e2.pencil.loop_jobs import LoopOutcome, loop_jobs

    with executor_named(executor, workers, address) as entered:
        for outcome in scattered(entered, list(loop_jobs(puzzles))):
            assert isinstance(outcome, LoopOutcome)
            yield from outcome.solved


def record(puzzle: LoopPuzzle, solved: Solved) -> dict[str, Any]:
    """The promise for programs: `solutions` is 2 for several, `lines` those of the first loop, by row."""
    lines = None
    if solved.loops:
        level, upright = solved.loops[0].level, solved.loops[0].upright
        lines = {"h": [list(map(int, row)) for row in level], "v": [list(map(int, row)) for row in upright]}
    return {
        "cols": puzzle.grid.width,
        "rows": puzzle.grid.height,
        "solutions": len(solved.loops),
        "lines": lines,
        "nodes": solved.nodes,
    }


def _draw(puzzle: LoopPuzzle, solved: Solved, path: Path) -> None:
    from e2.pencil.slither import loop_session
    from e2.store.layout import write_durably
    from e2.views.pencil_svg import session_svg

    session = loop_session(puzzle, solved.loops[0] if solved.loops else None)
    write_durably(path, session_svg(session).encode())
