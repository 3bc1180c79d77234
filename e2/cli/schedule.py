"""e2 schedule: how many seams may be mismatched at each depth, and what that is expected to cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.options import FillOrder, Json, Puzzle
from e2.cli.output import DONE, note, say, say_json
from e2.cli.solve import parameter_argument
from e2.errors import SettingsError
from e2.store.inputs import DEFAULT_PUZZLE, fill_order_argument, schedule_argument, the_puzzle

if TYPE_CHECKING:
    from e2.core.instance import Instance
    from e2.search.schedule import ModelSchedule, Schedule
    from e2.search.strategy import Value


def schedule(
    puzzle: Puzzle = None,
    fill_order: FillOrder = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--set", metavar="turn=VALUE", help="Quarter turns under the fill order.")
    ] = None,
    mismatches: Annotated[int | None, typer.Option(min=0, help="Seams that may be mismatched in the end.")] = None,
    target: Annotated[int | None, typer.Option(help="The same as a score.")] = None,
    named: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A published schedule, or a file of depths, in place of a model's."),
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw it into this file.")] = None,
    output: Annotated[Path | None, typer.Option("-o", metavar="FILE", help="Write the depths, for --schedule.")] = None,
    json: Json = False,
) -> int:
    """Show a break schedule: from which depths on one more seam may be mismatched, and the expected nodes per board.

    By default the model's cheapest schedule, for the number of mismatches that `breaks` begins with.

    \b
    Example:
      e2 schedule --puzzle eternity2 --fill-order comb:11 --set turn=2 --target 460
    """
    from e2.search.fill_order import fill_order as cells_in_order
    from e2.search.orders import FILL_ORDER, TURN
    from e2.search.parameters import checked_parameters
    from e2.search.schedule import ModelSchedule
    from e2.store.layout import write_durably
    from e2.views.schedule_svg import schedule_svg
    from e2.views.schedule_text import schedule_file, schedule_lines

    given: dict[str, Value] = dict(parameter_argument(text) for text in parameter or [])
    if fill_order is not None:
        given["fill_order"] = fill_order_argument(fill_order)
    chosen = checked_parameters("schedule", (FILL_ORDER, TURN), given)
    spec, turn = chosen["fill_order"], chosen["turn"]
    assert isinstance(spec, str | list)
    assert isinstance(turn, int)
    instance = the_puzzle(puzzle or DEFAULT_PUZZLE)
    order = cells_in_order(instance.grid, spec, turn)
    found = _chosen(ModelSchedule(instance, order), instance, order, mismatches, target, named)
    order_name = f"{spec if isinstance(spec, str) else 'a list of cells'}, turn {turn}"
    title = f"{instance.name}, {order_name}, {found.mismatches} mismatches"
    if svg is not None:
        write_durably(svg, schedule_svg(title, found).encode())
    if output is not None:
        write_durably(output, schedule_file(title, found).encode())
        note(f"written to {output}")
    if json:
        say_json(
            {
                "puzzle": instance.name,
                "fill_order": spec,
                "turn": turn,
                "mismatches": found.mismatches,
                "depths": found.depths,
                "nodes_per_board": found.nodes_per_board,
                "allowed": found.allowed,
                "nodes": found.nodes,
            }
        )
    else:
        for line in schedule_lines(title, found):
            say(line)
    return DONE


def _chosen(
    model: ModelSchedule,
    instance: Instance,
    order: tuple[int, ...],
    mismatches: int | None,
    target: int | None,
    named: str | None,
) -> Schedule:
    """The schedule that the options ask for. SettingsError for two at once, or one that cannot be."""
    from e2.search.ladders import LADDERS
    from e2.search.schedule import listed_schedule

    if sum(option is not None for option in (mismatches, target, named)) > 1:
        raise SettingsError("--mismatches, --target and --named say the same thing; expected one of them")
    if named is not None:
        listed = schedule_argument(named)
        if isinstance(listed, str) and listed not in LADDERS:
            raise SettingsError(f"--named {listed[:40]!r}: expected a file of depths or one of {', '.join(LADDERS)}")
        depths = LADDERS[listed] if isinstance(listed, str) else listed
        listed_schedule(instance, order, depths)
        return model.judged(depths)
    most = instance.grid.max_score
    if target is not None and not 0 <= target <= most:
        raise SettingsError(f"--target {target}: expected 0 to {most}")
    if target is not None:
        mismatches = most - target
    if mismatches is not None and mismatches > most:
        raise SettingsError(f"--mismatches {mismatches}: the board has {most} seams")
    return model.schedule(model.first_mismatches() if mismatches is None else mismatches)
