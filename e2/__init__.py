"""e2: the workbench for people who hunt Eternity II.

The verbs of the command line, as functions. A *source* is a path, a link, or the text of a board or puzzle; a *puzzle*
is a source too, the name of one that comes with e2, or an `Instance`. Every failure of an input is an `E2Error`.

>>> import e2
>>> puzzle = e2.load_puzzle("eternity2")
>>> len(puzzle.pieces), len(puzzle.hints)
(256, 5)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from e2.errors import E2Error

if TYPE_CHECKING:
    from e2.cluster.observer import Observer
    from e2.cluster.run import RunSummary
    from e2.core.audit import Audit
    from e2.core.instance import Instance
    from e2.views.shown_board import ShownBoard

__all__ = ["E2Error", "convert", "load_board", "load_puzzle", "solve", "verify"]


def load_puzzle(source: str | Path) -> Instance:
    """A checked puzzle. Raises FormatError where it cannot be read, PuzzleError with all its faults at once."""
    from e2.store.inputs import the_puzzle

    return the_puzzle(str(source))


def load_board(source: str | Path, puzzle: str | Path | Instance | None = None) -> ShownBoard:
    """A board with its audit: `board.codes` are its placements, `audit.score` its score.

    Without a puzzle it is held against the official set where its cells fit; `board` is None where no set is known.
    `board.svg()` is its picture, which a notebook shows by itself.
    """
    from e2.store.inputs import the_board
    from e2.views.shown_board import ShownBoard

    return ShownBoard.of(the_board(str(source), _instance(puzzle)))


def verify(source: str | Path, puzzle: str | Path | Instance | None = None) -> Audit:
    """Everything that can be wrong with a board, recomputed; `is_legal` is the verdict."""
    return load_board(source, puzzle).audit


def convert(source: str | Path, to: str, puzzle: str | Path | Instance | None = None, *, lossy: bool = False) -> str:
    """A board or puzzle as the text of another format, such as "viewer_url" or "board_doc".

    Raises LossError, which names what would be lost, unless `lossy`.
    """
    from e2.formats import convert as formats
    from e2.formats.detect import read
    from e2.store.source import read_source

    instance = _instance(puzzle)
    size = None if instance is None else (instance.width, instance.height)
    return formats.convert(read(read_source(str(source)).text, size=size), to, lossy=lossy, instance=instance)


def solve(
    puzzle: str | Path | Instance = "eternity2",
    *,
    strategy: str = "portfolio",
    parameters: Mapping[str, object] | None = None,
    out: str | Path,
    observer: Observer | None = None,
    **settings: object,
) -> RunSummary:
    """Run a search into the new folder `out` and return where it stands: best board, nodes, seconds, ...

    `settings` are those of a run file: seed, tasks, nodes, seconds, target, executor, workers, address. Without tasks,
    seconds or target it runs until it is interrupted. Raises SettingsError, RunError, ClusterError.
    """
    from e2.cluster import run
    from e2.cluster.observer import Silent
    from e2.cluster.study import run_settings

    values = {"strategy": strategy, "parameters": dict(parameters or {}), **settings}
    instance = _instance(puzzle)
    assert instance is not None
    return run.solve(run_settings(values), instance, Path(out), observer or Silent())


def _instance(puzzle: str | Path | Instance | None) -> Instance | None:
    return load_puzzle(puzzle) if isinstance(puzzle, str | Path) else puzzle
