"""From a text to a checked puzzle or a judged board, in one call."""

from __future__ import annotations

from e2.core.instance import Instance
from e2.formats.detect import read
from e2.formats.format import Reading
from e2.formats.judge import Judged, judge, own_instance


def load_puzzle(source: str | Reading, *, format: str | None = None, lenient: bool = False) -> Instance:
    """The puzzle in a text. Raises FormatError where it cannot be read, PuzzleError with all its faults."""
    reading = source if isinstance(source, Reading) else read(source, format=format, lenient=lenient)
    return own_instance(reading)


def load_board(
    source: str | Reading, *, instance: Instance | None = None, format: str | None = None, lenient: bool = False
) -> Judged:
    """The board in a text, held against `instance` or, without one, against the official set where its cells fit."""
    if isinstance(source, Reading):
        return judge(source, instance)
    size = None if instance is None else (instance.width, instance.height)
    return judge(read(source, format=format, lenient=lenient, size=size), instance)
