"""e2 compare: are these the same boards?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from e2.cli.options import Json, Puzzle
from e2.cli.output import DONE, NO, say, say_json
from e2.errors import SettingsError
from e2.store.inputs import board_set, puzzle_option
from e2.views.terminal import printable


def compare(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT INPUT...", help="Runs, folders of boards, or boards.")],
    puzzle: Puzzle = None,
    json: Json = False,
) -> int:
    """Compare runs or boards by board_hash, and say whether they are the same.

    Exit code 1 if they differ. Boards that are equal up to a quarter turn are counted beside.

    \b
    Example:
      e2 compare tests/cases/edges-465.txt tests/cases/url-464-riotte.txt
    """
    from e2.store.compare import compared

    if len(inputs) < 2:
        raise SettingsError("compare needs two inputs or more")
    instance = puzzle_option(puzzle)
    sets = [board_set(argument, instance) for argument in inputs]
    result = compared(sets)
    if json:
        say_json(
            {
                "common": result.common,
                "only": result.only,
                "inputs": [{**asdict(standing), "spread": standing.spread} for standing in result.inputs],
                "common_turned": result.common_turned,
                "same": result.same,
                "same_turned": result.same_turned,
            }
        )
        return DONE if result.same else NO
    scores = {candidate.board_hash: candidate.score for group in sets for candidate in group.boards}
    for standing, only in zip(result.inputs, result.only, strict=True):
        say(printable(standing.name, 80))
        mean = (
            ""
            if standing.mean is None
            else f", best {standing.best}, mean {standing.mean:.2f}, spread {standing.spread}"
        )
        say(f"  {standing.boards} board{'' if standing.boards == 1 else 's'}{mean}")
        for definition, count in standing.definitions:
            say(f"  {count} claim a hash by another definition: {definition}")
        for number in only:
            say(f"  only here: {scores[number]} {number}")
    for number in result.common:
        say(f"in all: {scores[number]} {number}")
    turned = len(result.common_turned) - len(result.common)
    if turned > 0:
        say(f"in all up to a quarter turn of the whole board: {turned} more")
    say(result.verdict)
    return DONE if result.same else NO
