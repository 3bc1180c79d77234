"""The table of commands. Dispatch, help and the list in the docs all come from it."""

from __future__ import annotations

import gc
from collections.abc import Callable

import typer

from e2.cli.bench import bench
from e2.cli.best import best
from e2.cli.cluster import check as check_cluster
from e2.cli.compare import compare
from e2.cli.convert import convert
from e2.cli.count import count
from e2.cli.generate import generate
from e2.cli.ledger import merge as merge_ledgers
from e2.cli.ledger import show as show_ledgers
from e2.cli.ledger import verify as verify_ledger
from e2.cli.output import guarded, open_standard_streams
from e2.cli.pencil import PENCIL
from e2.cli.plan import estimate, plan
from e2.cli.report import report
from e2.cli.schedule import schedule
from e2.cli.serve import serve
from e2.cli.show import show
from e2.cli.simulate import simulate
from e2.cli.solve import resume, solve
from e2.cli.strategy import check, list_strategies
from e2.cli.study import study
from e2.cli.verify import verify

Command = Callable[..., int]
COMMANDS: tuple[Command, ...] = (
    solve,
    resume,
    count,
    plan,
    estimate,
    convert,
    verify,
    compare,
    best,
    report,
    generate,
    show,
    serve,
    schedule,
    study,
    simulate,
    bench,
)
GROUPS: dict[str, tuple[str, dict[str, Command]]] = {
    "strategy": ("What can be tried, and a check of your own.", {"list": list_strategies, "check": check}),
    "ledger": (
        "What is done of a tree: to look at, to join, to check.",
        {"show": show_ledgers, "merge": merge_ledgers, "verify": verify_ledger},
    ),
    "pencil": ("The neighbours: pencil puzzles, their links, words on a grid.", PENCIL),
    "cluster": ("Whether a Ray cluster is ready for a long run.", {"check": check_cluster}),
}
"""Name of a group -> its help and its commands by name."""

app = typer.Typer(
    name="e2",
    help="The workbench for people who hunt Eternity II.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in COMMANDS:
    app.command()(guarded(command))
for name, (meaning, commands) in GROUPS.items():
    group = typer.Typer(help=meaning, no_args_is_help=True, rich_markup_mode=None)
    for verb, command in commands.items():
        group.command(verb)(guarded(command))
    app.add_typer(group, name=name)


def main() -> None:
    """Run the command line; never returns."""
    open_standard_streams()
    try:
        app(prog_name="e2")
    finally:
        # Else the interpreter walks all of numba and LLVM twice on its way out, for half a second.
        gc.freeze()
