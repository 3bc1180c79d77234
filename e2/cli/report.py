"""e2 report: runs as one page to keep and to send."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from e2.cli.output import DONE, say
from e2.errors import SettingsError
from e2.store.layout import write_durably


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders; the first is the control.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page, as HTML.")],
    boards: Annotated[int, typer.Option(help="How many of each run's best boards are shown.")] = 3,
) -> int:
    """Write a report on runs: one HTML file that opens offline, with settings, curves, boards and the comparison.

    What is wrong with single files of a run stands in it.

    \b
    Example:
      e2 report runs/mine -o report.html
    """
    from e2.store.record import run_record

    if not 0 <= boards <= 100:
        raise SettingsError(f"--boards {boards}: expected 0 to 100")
    if not output.parent.is_dir():
        raise SettingsError(f"--output {output}: there is no folder {output.parent}")
    records = [run_record(path) for path in runs]
    from e2.views.report import Compared, report_html

    compared = None
    if len(records) > 1:
        from e2.store.compare import compared as compared_boards
        from e2.store.compare import meetings
        from e2.store.contest import contest

        sets = [record.board_set() for record in records]
        found = meetings(sets, [record.found_clocks for record in records])
        compared = Compared(compared_boards(sets), contest(records), found)
    write_durably(output, report_html(records, compared, boards).encode())
    say(str(output))
    return DONE
