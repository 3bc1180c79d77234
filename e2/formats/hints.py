"""hints: pinned cells, `pos.rot` joined by `-`.

`pos` is the row-major cell, `rot` clockwise quarter turns; a bare `pos` means rot 0. `hints=` may stand before.

    hints=34.1-45.1-135.0-210.1-221.2

Carries which cells are pinned and the turns. Loses which piece is pinned: a link shows it in its edges, and the five
official hints are known by heart.
"""

from __future__ import annotations

import re

from e2.core.grid import MAX_SIDE
from e2.core.official import OFFICIAL_HINTS
from e2.errors import FormatError
from e2.formats.format import HINTS, Asked, Document, Format, ReadHint, Reading

NAME = "hints"
_ENTRY = re.compile(r"([0-9]{1,6})(?:\.([0-9]{1,6}))?")


def hints_of(format: str, text: str, cells: int | None = None, place: str = "hints") -> tuple[ReadHint, ...]:
    """The pinned cells in the order of the text; an entry that is none is an error that shows it."""
    most = MAX_SIDE * MAX_SIDE if cells is None else cells
    entries = text.split("-")
    if len(entries) > most:
        raise FormatError(format, f"{len(entries)} hints", place=place, expected=f"at most {most}")
    hints = []
    seen: set[int] = set()
    for index, entry in enumerate(entries):
        where = f"{place}, entry {index + 1}"
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise FormatError(format, f"{entry[:40]!r} is no hint", place=where, expected="pos.rot, joined by '-'")
        cell, rot = int(match[1]), int(match[2] or 0)
        if rot > 3:
            raise FormatError(format, f"rotation {rot} in {entry!r} is out of range", place=where, expected="0 to 3")
        if cell >= most:
            raise FormatError(format, f"position {cell} is off the board", place=where, expected=f"0 to {most - 1}")
        if cell in seen:
            raise FormatError(format, f"position {cell} is pinned twice", place=where, expected="each cell once")
        seen.add(cell)
        hints.append(ReadHint(cell, None, rot))
    return tuple(hints)


def text_of(hints: tuple[ReadHint, ...]) -> str:
    """The hints by cell."""
    return "-".join(f"{hint.cell}.{hint.rot}" for hint in sorted(hints, key=lambda hint: hint.cell))


def names_its_pieces(hints: tuple[ReadHint, ...]) -> bool:
    """Whether the text form leaves no doubt about the pieces: all are official hints, or none is known anyway."""
    official = {(hint.cell, hint.rot): hint.piece for hint in OFFICIAL_HINTS}
    return all(hint.piece is None or official.get((hint.cell, hint.rot)) == hint.piece for hint in hints)


def looks_right(text: str) -> bool:
    return re.fullmatch(r"\s*(hints=\S*|[0-9]+(\.[0-9]+)?(-[0-9]+(\.[0-9]+)?)*)\s*", text) is not None


def read(text: str, asked: Asked) -> Reading:
    """Read one list of hints."""
    body = text.strip().removeprefix("hints=")
    width, height = asked.size or (None, None)
    cells = None if width is None or height is None else width * height
    return Reading(NAME, width, height, hints=hints_of(NAME, body, cells))


def write(document: Document) -> str:
    """The hints as `pos.rot-pos.rot`."""
    if not document.hints:
        raise FormatError(NAME, "there are no hints to write", expected="at least one pinned cell")
    return text_of(document.hints)


FORMAT = Format(NAME, "hints, pos.rot-pos.rot", frozenset({HINTS}), looks_right, read, write, key=NAME)
