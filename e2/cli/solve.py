"""e2 solve and resume: runs, from the command line."""

from __future__ import annotations

import sys
import tomllib
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from e2.cli.counted import say_counted
from e2.cli.options import (
    Address,
    Executor,
    FillOrder,
    Json,
    Memory,
    Out,
    Puzzle,
    Schedule,
    Seconds,
    Target,
    Tasks,
    Workers,
)
from e2.cli.output import DONE, INTERNAL, INTERRUPTED, NO, note, say, say_json
from e2.errors import SettingsError
from e2.store.inputs import DEFAULT_PUZZLE, fill_order_argument, schedule_argument, the_board, the_puzzle
from e2.views.progress import clock, run_line, with_prefix
from e2.views.terminal import printable

if TYPE_CHECKING:
    from rich.live import Live

    from e2.cluster.observer import Progress
    from e2.cluster.run import RunSummary
    from e2.cluster.study import RunSettings
    from e2.core.instance import Instance
    from e2.store.archive import Found


def solve(
    puzzle: Puzzle = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            help="portfolio (default), beam, repair, openings, breaks, strict, cover, or your own FILE.py:CLASS."
        ),
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the strategy; may be repeated."),
    ] = None,
    fill_order: FillOrder = None,
    schedule: Schedule = None,
    start: Annotated[
        str | None, typer.Option(metavar="INPUT", help="The board to begin with: a file, a link, letters, a run.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the first task.  [default: 0]")] = None,
    tasks: Tasks = None,
    nodes: Annotated[int | None, typer.Option(help="Node budget of each task; default: the strategy's own.")] = None,
    seconds: Seconds = None,
    memory: Memory = None,
    target: Target = None,
    exhaustive: Annotated[
        bool, typer.Option("--exhaustive", help="The first solution, or the proof that there is none; see e2 count.")
    ] = False,
    executor: Executor = None,
    workers: Workers = None,
    address: Address = None,
    out: Out = None,
    config: Annotated[Path | None, typer.Option(help="Settings as TOML; options on the command line win.")] = None,
    json: Json = False,
) -> int:
    """Search for the best board, on every core or on a Ray cluster.

    A run is a list of tasks: seed, seed + 1, ... each with its own node budget. Results do not depend on workers,
    interruptions or resumes. Ctrl-C stops with everything kept; a second Ctrl-C ends at once.

    \b
    Example:
      e2 solve --puzzle puzzles/eternity2.json --seconds 60
    """
    given = {
        "strategy": strategy,
        "seed": seed,
        "tasks": tasks,
        "nodes": nodes,
        "seconds": seconds,
        "memory": memory,
        "target": target,
        "executor": executor,
        "workers": workers,
        "address": address,
    }
    if exhaustive and target is not None:
        raise SettingsError("--exhaustive ends with a solution, or with none; expected no --target")
    kind = "count" if exhaustive else "solve"
    instance, settings = run_arguments(kind, puzzle, config, given, parameter or [], fill_order, start, schedule)
    if exhaustive:
        settings = settings.model_copy(update={"target": instance.grid.max_score})
    return run_here(settings, instance, out, json)


def resume(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder.")],
    tasks: Tasks = None,
    seconds: Seconds = None,
    target: Target = None,
    executor: Executor = None,
    workers: Workers = None,
    address: Address = None,
    json: Json = False,
) -> int:
    """Go on with a run where it stopped; tasks may be added.

    \b
    Example:
      e2 resume runs/mine --seconds 3600
    """
    from e2.cluster import run as runs
    from e2.cluster.study import settings_from_toml
    from e2.store.layout import RunFolder
    from e2.store.source import read_file

    overrides = {
        "tasks": tasks,
        "seconds": seconds,
        "target": target,
        "executor": executor,
        "workers": workers,
        "address": address,
    }
    settings = settings_from_toml(read_file(RunFolder.open(run).settings).text)
    with Watcher(json) as watcher:
        summary = runs.resume(run, watcher, {name: value for name, value in overrides.items() if value is not None})
    return _report(summary, target or settings.target, json)


def run_arguments(
    kind: str,
    puzzle: str | None,
    config: Path | None,
    given: dict[str, Any],
    parameters: list[str],
    fill_order: str | None,
    start: str | None = None,
    schedule: str | None = None,
    *,
    any_hints: bool = False,
) -> tuple[Instance, RunSettings]:
    """The puzzle and the settings: from the file, then from the command line, which wins."""
    from e2.cluster.study import run_settings, toml_table
    from e2.store.source import read_file

    values: dict[str, Any] = {}
    if config is not None:
        values = toml_table(read_file(config).text, f"{config}: no TOML")
        beside = config.parent / "puzzle.json"
        named = values.pop("puzzle", None)
        if not isinstance(named, str | None):
            raise SettingsError(f"{config}: puzzle is no text")
        if not isinstance(values.get("parameters", {}), dict):
            raise SettingsError(f"{config}: parameters is no table")
        puzzle = puzzle or (str(beside) if beside.is_file() else None) or named
        own = config.with_name("strategy.py")
        if given["strategy"] is not None:
            values.pop("strategy_hash", None)
        elif values.get("strategy_hash") and own.is_file():
            values["source"] = read_file(own).text
    values |= {name: value for name, value in given.items() if value is not None}
    values["kind"] = kind
    chosen = dict(values.get("parameters") or {})
    chosen |= dict(parameter_argument(text) for text in parameters)
    if fill_order is not None:
        chosen["fill_order"] = fill_order_argument(fill_order)
    if schedule is not None:
        chosen["schedule"] = schedule_argument(schedule)
    instance = the_puzzle(puzzle or DEFAULT_PUZZLE)
    if any_hints:
        instance = replace(instance, hints=())
    if start is not None:
        chosen["start"] = _start_codes(start, instance)
    values["parameters"] = chosen
    return instance, run_settings(values)


def _start_codes(argument: str, instance: Instance) -> list[int]:
    """The placement codes of a board, which must be one of the puzzle's own pieces."""
    board = the_board(argument, instance)
    if board.board is None or board.audit.outside_set:
        raise SettingsError(f"--start {argument[:60]!r}: not a board of the pieces of {instance.name}")
    return list(board.board.codes)


def parameter_argument(text: str) -> tuple[str, Any]:
    """NAME=VALUE with the value in TOML; a word without quotes is a text."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise SettingsError(f"--set {text[:60]!r}: expected NAME=VALUE")
    try:
        return name.strip(), tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):
        return name.strip(), value.strip()


def default_path(name: str, kind: str) -> Path:
    """Where a run goes that is given no folder."""
    from e2.store.layout import safe_name

    return Path("runs") / f"{safe_name(name)}-{kind}-{datetime.now().strftime('%Y%m%d-%H%M%S')}"


def run_here(settings: RunSettings, instance: Instance, out: Path | None, json: bool) -> int:
    from e2.cluster import run as runs

    path = default_path(instance.name, settings.kind) if out is None else out
    with Watcher(json) as watcher:
        summary = runs.solve(settings, instance, path, watcher, numbered=out is None)
    return _report(summary, settings.target, json)


class Watcher:
    """Shows a run: a live line on a terminal, JSON lines for a program, only remarks otherwise."""

    def __init__(self, json: bool) -> None:
        self._json = json
        self._live: Live | None = None

    def __enter__(self) -> Watcher:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), transient=True, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def progress(self, progress: Progress) -> None:
        if self._live is not None:
            from rich.text import Text

            self._live.update(Text(run_line(**asdict(progress)), overflow="ellipsis", no_wrap=True))

    def board(self, found: Found) -> None:
        if self._json:
            record = {"score": found.score, "board_hash": found.board_hash, "path": str(found.path), "url": found.url}
            say_json({"board": record})
        elif self._live is not None:
            self._live.console.print(f"best {found.score}  {found.path}", markup=False, highlight=False, soft_wrap=True)

    def note(self, text: str) -> None:
        if self._live is not None:
            self._live.console.print(f"note: {printable(text)}", markup=False, highlight=False, soft_wrap=True)
        else:
            note(f"note: {printable(text)}")


def _report(summary: RunSummary, target: int | None, json: bool) -> int:
    for failure in summary.failures:
        note(f"failed: {printable(failure)}")
    if summary.interrupted or not summary.complete:
        note(f"to go on: e2 resume {summary.run}")
    if summary.tree is not None:
        say_counted(summary, summary.tree, target, json)
    elif json:
        say_json(_solve_record(summary))
    else:
        _say_solved(summary)
    if summary.interrupted:
        return INTERRUPTED
    if summary.failures:
        return INTERNAL
    missed = target is not None and (summary.best is None or summary.best.score < target)
    return NO if missed else DONE


def _solve_record(summary: RunSummary) -> dict[str, object]:
    return {
        "run": summary.run,
        "best": None if summary.best is None else asdict(summary.best),
        "boards": summary.boards,
        "solutions": summary.solutions,
        "nodes": summary.nodes,
        "seconds": summary.seconds,
        "tasks": summary.tasks,
        "complete": summary.complete,
    }


def _say_solved(summary: RunSummary) -> None:
    """The best board with its audit, and its link as the last line."""
    from e2.cli.show import picture
    from e2.formats.convert import document
    from e2.views.audit_text import audit_lines

    boards = "1 board" if summary.boards == 1 else f"{summary.boards} boards"
    say(f"{boards} from {with_prefix(summary.nodes)} nodes in {clock(summary.seconds)}, kept in {summary.run}")
    if summary.solutions > 1:
        say(f"{summary.solutions} solutions were met")
    if summary.best is None:
        say("no board yet")
        return
    puzzle = the_puzzle(str(Path(summary.run) / "puzzle.json"))
    judged = the_board(summary.best.path, puzzle)
    for line in picture(document(judged, puzzle)):
        say(line)
    for word, text in audit_lines(judged):
        say(f"{word:<14} {text}")
    say(summary.best.url)
