"""e2 show: a board in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from e2.cli.options import From, Input, Json, Lenient, Puzzle
from e2.cli.output import DONE, NO, say, say_json
from e2.cli.verify import audit_record
from e2.errors import FormatError
from e2.store.inputs import items, puzzle_option, readings
from e2.views.audit_text import audit_lines
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.formats.format import Document


def show(input: Input, puzzle: Puzzle = None, format: From = None, lenient: Lenient = False, json: Json = False) -> int:
    """Draw a board: piece numbers, and a bar on every seam that is not matched.

    A run folder shows its best board, a puzzle its hints. Exit code 1 for an illegal board.

    \b
    Example:
      e2 show tests/cases/edges-465.txt
    """
    from e2.formats.convert import document
    from e2.formats.judge import judge

    found = [
        (item, reading) for item in items(input, puzzle_option(puzzle)) for reading in readings(item, format, lenient)
    ]
    if not any(reading.has_board for _, reading in found):
        item, reading = found[0]
        given = document(reading, item.instance)
        if given.quads is None:
            raise FormatError(reading.format, "there is no board and no hint in it", expected="placed pieces")
        if json:
            say_json({"input": item.label, "format": reading.format, "lines": picture(given)})
        else:
            for line in picture(given):
                say(line)
        return DONE
    judgements = [(item, judge(reading, item.instance)) for item, reading in found if reading.has_board]
    item, judged = max(judgements, key=lambda pair: pair[1].audit.score)
    lines = picture(document(judged)) if judged.audit.is_legal else []
    if json:
        say_json({**audit_record(item.label, judged), "lines": lines})
    else:
        if judged.reading.name:
            say(printable(judged.reading.name, 60))
        for line in lines:
            say(line)
        for word, text in audit_lines(judged):
            say(f"{word:<14} {text}")
    return DONE if judged.audit.is_legal else NO


def picture(given: Document) -> list[str]:
    """The board of a document as lines: piece numbers where the set is known, else the letters of each cell."""
    from e2.views.board_text import ASCII, UNICODE, board_lines

    assert given.quads is not None
    if given.codes is not None:
        labels = [str(code // 4 + 1) for code in given.codes]
    else:
        labels = ["".join(chr(ord("a") + colour) for colour in quad or ()) for quad in given.quads]
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    return board_lines(given.grid, labels, given.quads, UNICODE if unicode else ASCII)
