"""Catalogues in decimal CSV, each with its own columns.

- `thesil_csv`: `rows,columns,frame colours,inner colours`, then `id,right,bottom,left,top`; blank fields at the end
  are grey. Its colours are its author's own.
- `numbered_csv`: `id,top,right,bottom,left` and no header.
- `quicky_csv`: the words `Width,Height`, the two numbers, the words `I,N,E,S,O`, then `id,top,right,bottom,left`.
- `numbered_pieces`: blanks in place of commas, `id top right bottom left`, in any order of the ids.

Carry the set; `thesil_csv` and `quicky_csv` also the size.
"""

from __future__ import annotations

import re

from e2.core.quad import Quad
from e2.errors import FormatError
from e2.formats.format import MAX_COLOUR, Asked, Format, Reading, checked_size, square_side

THESIL, NUMBERED, QUICKY, NUMBERED_PIECES = "thesil_csv", "numbered_csv", "quicky_csv", "numbered_pieces"


def _rows(format: str, text: str, separator: str | None) -> list[tuple[int, list[int]]]:
    """Line number and numbers of every line that has any; a blank field is 0."""
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        values = []
        for column, field in enumerate(line.strip().split(separator), 1):
            field = field.strip()
            if not re.fullmatch(r"[0-9]{0,5}", field) or (field and int(field) > MAX_COLOUR):
                raise FormatError(
                    format, f"{field[:40]!r}", place=f"line {number}, column {column}", expected="a whole number"
                )
            values.append(int(field or 0))
        rows.append((number, values))
    return rows


def _by_id(format: str, rows: list[tuple[int, list[int]]], cells: int) -> list[list[int]]:
    """The four colours of each piece as they stand, in the order of the ids, which must be 1 to the last."""
    colours: dict[int, list[int]] = {}
    for number, values in rows:
        if len(values) > 5:
            raise FormatError(format, f"{len(values)} columns", place=f"line {number}", expected="an id and 4 colours")
        if values[0] in colours or not 1 <= values[0] <= cells:
            raise FormatError(
                format, f"piece id {values[0]}", place=f"line {number}", expected=f"each id of 1 to {cells} once"
            )
        colours[values[0]] = (values[1:] + [0] * 4)[:4]
    if len(colours) != cells:
        raise FormatError(format, f"{len(colours)} pieces", expected=f"{cells} pieces")
    return [colours[piece] for piece in sorted(colours)]


def _looks_thesil(text: str) -> bool:
    lines = text.strip().split("\n")
    head = re.fullmatch(r"\s*(\d{1,2}),(\d{1,2}),\d+,\d+,?\s*", lines[0])
    return head is not None and len(lines) == 1 + int(head[1]) * int(head[2])


def read_thesil(text: str, asked: Asked) -> Reading:
    """Read `id,right,bottom,left,top` below a header of rows and columns."""
    (line, head), *rows = _rows(THESIL, text, ",")
    if len(head) < 4:
        raise FormatError(
            THESIL, f"{len(head)} numbers", place=f"line {line}", expected="rows,columns,frame colours,inner colours"
        )
    width, height = checked_size(THESIL, head[1], head[0], "line 1")
    quads: list[Quad] = [(top, right, down, left) for right, down, left, top in _by_id(THESIL, rows, width * height)]
    return Reading(THESIL, width, height, catalogue=tuple(quads), warnings=("columns: id right bottom left top",))


def _looks_numbered(text: str) -> bool:
    lines = text.strip().split("\n")
    return len(lines) > 1 and all(re.fullmatch(r"\d+(,\d+){4}", line.strip()) for line in lines)


def read_numbered(text: str, asked: Asked) -> Reading:
    """Read `id,top,right,bottom,left`."""
    return _clockwise(NUMBERED, _rows(NUMBERED, text, ","), asked.size)


def _looks_quicky(text: str) -> bool:
    return text.lstrip().lower().startswith("width,height")


def read_quicky(text: str, asked: Asked) -> Reading:
    """Read `id,top,right,bottom,left` below the four header lines."""
    lines = text.strip().split("\n")
    if len(lines) < 4 or not re.fullmatch(r"\s*\d{1,4}\s*,\s*\d{1,4}\s*", lines[1]):
        raise FormatError(QUICKY, "the size is missing", place="line 2", expected="width,height")
    width, height = map(int, lines[1].split(","))
    checked_size(QUICKY, width, height, "line 2")
    return _clockwise(QUICKY, _rows(QUICKY, "\n" * 3 + "\n".join(lines[3:]), ","), (width, height))


def _looks_numbered_pieces(text: str) -> bool:
    lines = text.strip().split("\n")
    return len(lines) > 1 and all(re.fullmatch(r"\s*\d+(\s+\d+){4}\s*", line) for line in lines)


def read_numbered_pieces(text: str, asked: Asked) -> Reading:
    """Read `id top right bottom left`."""
    return _clockwise(NUMBERED_PIECES, _rows(NUMBERED_PIECES, text, None), asked.size)


def _clockwise(format: str, rows: list[tuple[int, list[int]]], size: tuple[int, int] | None) -> Reading:
    if size is None:
        side = square_side(format, len(rows), "pieces")
        size = (side, side)
    width, height = checked_size(format, *size)
    quads: list[Quad] = [(up, right, down, left) for up, right, down, left in _by_id(format, rows, width * height)]
    return Reading(format, width, height, catalogue=tuple(quads), warnings=("columns: id top right bottom left",))


FORMATS = (
    Format(QUICKY, "catalogue CSV with Width,Height", frozenset(), _looks_quicky, read_quicky),
    Format(THESIL, "catalogue CSV id,right,bottom,left,top", frozenset(), _looks_thesil, read_thesil),
    Format(NUMBERED, "catalogue CSV id,top,right,bottom,left", frozenset(), _looks_numbered, read_numbered),
    Format(
        NUMBERED_PIECES, "catalogue id top right bottom left", frozenset(), _looks_numbered_pieces, read_numbered_pieces
    ),
)
