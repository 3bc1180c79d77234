"""e2 compare: are these the same boards, and which run is better?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from e2.cli.options import Json, Puzzle
from e2.cli.output import DONE, NO, say, say_json
from e2.errors import SettingsError
from e2.store.inputs import board_set, puzzle_option
from e2.views.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from e2.store.compare import BoardSet, Comparison, Meeting
    from e2.store.contest import Contest


def compare(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT INPUT...", help="Runs, folders of boards, or boards.")],
    puzzle: Puzzle = None,
    json: Json = False,
) -> int:
    """Compare runs or boards by board_hash, and say whether they are the same.

    Exit code 1 if they differ. Boards that are equal up to a quarter turn are counted beside. Runs are compared by the
    scores of their tasks too: each with the first, and whether the seeds show a difference.

    \b
    Example:
      e2 compare tests/cases/edges-465.txt tests/cases/url-464-riotte.txt
    """
    from e2.store.compare import compared, meetings
    from e2.store.record import is_run, run_record

    if len(inputs) < 2:
        raise SettingsError("compare needs two inputs or more")
    instance = puzzle_option(puzzle)
    sets = [board_set(argument, instance) for argument in inputs]
    result = compared(sets)
    found: Contest | None = None
    met: Sequence[Meeting] = ()
    if all(is_run(argument) for argument in inputs):
        from e2.store.contest import contest

        records = [run_record(Path(argument)) for argument in inputs]
        found, met = contest(records), meetings(sets, [record.found_clocks for record in records])
    if json:
        say_json({**_boards_record(result), **({} if found is None else _contest_record(found, met))})
        return DONE if result.same else NO
    _say_boards(result, sets)
    if found is not None:
        from e2.views.contest_text import contest_lines, meeting_lines

        for line in ["", *contest_lines(found), *meeting_lines(inputs, met)]:
            say(line)
    return DONE if result.same else NO


def _say_boards(result: Comparison, sets: Sequence[BoardSet]) -> None:
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


def _boards_record(result: Comparison) -> dict[str, Any]:
    return {
        "common": result.common,
        "only": result.only,
        "inputs": [{**asdict(standing), "spread": standing.spread} for standing in result.inputs],
        "common_turned": result.common_turned,
        "same": result.same,
        "same_turned": result.same_turned,
    }


def _contest_record(found: Contest, met: Sequence[Meeting]) -> dict[str, Any]:
    return {
        "runs": [asdict(standing) for standing in found.standings or found.accounts],
        "differences": [{**asdict(duel), "verdict": duel.verdict} for duel in found.duels],
        "warnings": found.warnings,
        "remarks": found.remarks,
        "met": [{**asdict(meeting), "first": meeting.first} for meeting in met],
    }
