"""e2 strategy: what can be tried, and whether a strategy of the user's own keeps what a run relies on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.options import Json, Puzzle
from e2.cli.output import DONE, NO, say, say_json
from e2.cli.solve import parameter_argument
from e2.store.inputs import DEFAULT_PUZZLE, strategy_argument, the_puzzle
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.search.strategy import Strategy


def list_strategies(
    own: Annotated[list[str] | None, typer.Argument(metavar="[FILE.py:CLASS]...", help="Your own beside them.")] = None,
    json: Json = False,
) -> int:
    """Show every strategy with its parameters: name, default, meaning.

    \b
    Example:
      e2 strategy list
    """
    import orjson

    from e2.search import STRATEGIES, strategy

    shown = [(known.name, known) for known in STRATEGIES]
    for argument in own or []:
        name, source = strategy_argument(argument)
        shown.append((name, strategy(name, source)))
    for name, known in shown:
        if json:
            say_json(_record(name, known))
            continue
        say(f"{name}: {known.summary}")
        for parameter in known.parameters:
            say(f"  {parameter.name} = {orjson.dumps(parameter.default).decode()}: {parameter.meaning}")
    return DONE


def check(
    own: Annotated[str, typer.Argument(metavar="FILE.py:CLASS", help="The strategy; a registered name works too.")],
    puzzle: Puzzle = None,
    nodes: Annotated[int, typer.Option(min=10, help="Nodes of each search that is compared.")] = 500,
    parameter: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the strategy; may be repeated."),
    ] = None,
    json: Json = False,
) -> int:
    """Check what a run relies on: resumes, cuts, pins, scores; on a small puzzle and on the official one, or --puzzle.

    Exit code 1 if a promise is broken; each is told with what was expected and what happened.

    \b
    Example:
      e2 strategy check docs/examples/greedy.py:Greedy
    """
    from e2.core.generate import generated
    from e2.search import strategy
    from e2.search.contract import PROMISES, Subject, broken_promises

    name, source = strategy_argument(own)
    found = strategy(name, source)
    values = dict(parameter_argument(text) for text in parameter or [])
    broken = set()
    # A small puzzle is filled within the nodes, so that searches start again and end on every kind of cell.
    for instance in (generated(5, 4, 4, seed=11, pins=2).instance, the_puzzle(puzzle or DEFAULT_PUZZLE)):
        subject = Subject(found, instance, nodes, values, source, name)
        if not json:
            say(f"{printable(instance.name, 80)}, {nodes} nodes")
        for promise, faults in broken_promises(subject):
            broken |= {promise.text} if faults else set()
            if json:
                record = {"puzzle": instance.name, "promise": promise.text, "kept": not faults}
                say_json({**record, "faults": [asdict(fault) for fault in faults]})
                continue
            say(f"  {'BROKEN' if faults else 'kept  '} {promise.text}")
            for fault in faults[:3]:
                say(f"         expected: {printable(fault.expected)}")
                say(f"         happened: {printable(fault.happened)}")
    if not json:
        say(f"{name} keeps its promises" if not broken else f"{name} breaks {len(broken)} of {len(PROMISES)} promises")
    return NO if broken else DONE


def _record(name: str, known: Strategy) -> dict[str, object]:
    return {
        "name": name,
        "summary": known.summary,
        "default_nodes": known.default_nodes,
        "parameters": [asdict(parameter) for parameter in known.parameters],
    }
