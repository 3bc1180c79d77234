"""The table of commands. Dispatch, help and the list in the docs all come from it."""

from __future__ import annotations

import typer

from e2.cli.compare import compare
from e2.cli.convert import convert
from e2.cli.generate import generate
from e2.cli.output import guarded
from e2.cli.show import show
from e2.cli.solve import count, resume, solve
from e2.cli.verify import verify

COMMANDS = (solve, resume, count, convert, verify, compare, generate, show)

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


def main() -> None:
    """Run the command line; never returns."""
    app(prog_name="e2")
