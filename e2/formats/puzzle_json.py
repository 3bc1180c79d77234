"""Puzzle JSON: a size, a set of pieces and pinned placements.

    {"name": "...", "width": 16, "height": 16, "numColors": 22,
     "pieces": [[0, 0, 1, 3], ...], "hints": [{"pos": 34, "piece": 207, "rot": 1}, ...]}

Pieces are up, right, down, left with 0 for grey; their order is the numbering, from 0. `numColors` is written without
grey and read both ways. `id` stands in for a missing `name`. Other keys are ignored.

Carries the set and the hints. Loses what lies on a board.
"""

from __future__ import annotations

from typing import Any

import orjson

from e2.core.grid import MAX_SIDE
from e2.core.pieces import PieceSet
from e2.core.quad import Quad
from e2.errors import FormatError
from e2.formats.format import (
    CATALOGUE,
    HINTS,
    MAX_COLOUR,
    Asked,
    Document,
    Format,
    ReadHint,
    Reading,
    bounded_name,
    checked_size,
)
from e2.formats.json_text import array, integer, json_object, shown, text_or_none
from e2.formats.viewer_url import written_name

NAME = "puzzle_json"


def looks_right(text: str) -> bool:
    return text.lstrip().startswith("{")


def read(text: str, asked: Asked) -> Reading:
    """Read one puzzle; pieces and hints are checked against the size."""
    document = json_object(NAME, text)
    if "pieces" not in document:
        raise FormatError(NAME, "neither a puzzle nor a board", expected="the key pieces or board_edges")
    width = integer(NAME, document.get("width"), "width", 1, MAX_SIDE)
    height = integer(NAME, document.get("height"), "height", 1, MAX_SIDE)
    checked_size(NAME, width, height)
    listed = array(NAME, document["pieces"], "pieces", MAX_SIDE * MAX_SIDE)
    if len(listed) != width * height:
        raise FormatError(
            NAME, f"{len(listed)} pieces", place="pieces", expected=f"{width * height} pieces for {width}x{height}"
        )
    catalogue = tuple(quad_of(NAME, entry, f"pieces[{index}]") for index, entry in enumerate(listed))
    name, warnings = _name(document)
    warnings += tuple(_remarks(document, catalogue))
    hints, doubled = hints_of(NAME, document.get("hints", []), width * height)
    return Reading(NAME, width, height, name=name, hints=hints, catalogue=catalogue, warnings=warnings + doubled)


def quad_of(format: str, entry: object, place: str) -> Quad:
    """Four colours, or a FormatError."""
    if not isinstance(entry, list) or len(entry) != 4:
        raise FormatError(format, f"{shown(entry)}", place=place, expected="a list of 4 colours: up, right, down, left")
    up, right, down, left = (integer(format, colour, place, 0, MAX_COLOUR) for colour in entry)
    return (up, right, down, left)


def hints_of(format: str, entries: object, cells: int) -> tuple[tuple[ReadHint, ...], tuple[str, ...]]:
    """The pinned placements; an entry that is there twice is taken once, with a warning."""
    hints: dict[int, ReadHint] = {}
    warnings: list[str] = []
    for index, entry in enumerate(array(format, entries or [], "hints", 2 * cells)):
        place = f"hints[{index}]"
        if not isinstance(entry, dict):
            raise FormatError(format, f"{shown(entry)} is no hint", place=place, expected="pos, piece and rot")
        hint = ReadHint(
            integer(format, entry.get("pos"), f"{place}.pos", 0, cells - 1),
            integer(format, entry.get("piece"), f"{place}.piece", 0, cells - 1),
            integer(format, entry.get("rot", 0), f"{place}.rot", 0, 3),
        )
        if hints.setdefault(hint.cell, hint) != hint:
            raise FormatError(format, f"position {hint.cell} is pinned twice", place=place, expected="each cell once")
        if len(hints) + len(warnings) <= index:
            warnings.append(f"{place} repeats an earlier hint and is taken once")
    return tuple(hints.values()), tuple(warnings)


def _name(document: dict[str, Any]) -> tuple[str | None, tuple[str, ...]]:
    name = text_or_none(NAME, document.get("name"), "name")
    if name is not None:
        return bounded_name(name)
    name, warnings = bounded_name(text_or_none(NAME, document.get("id"), "id"))
    return name, ("there is no name; the id stands in for it" if name else "there is no name", *warnings)


def _remarks(document: dict[str, Any], catalogue: tuple[Quad, ...]) -> list[str]:
    remarks = []
    colours = {colour for quad in catalogue for colour in quad if colour}
    if "numColors" in document:
        claimed = integer(NAME, document["numColors"], "numColors", 0, MAX_COLOUR + 1)
        largest = max(colours, default=0)
        if claimed == largest + 1:
            remarks.append(f"numColors {claimed} counts the grey border: the colours are 1 to {largest}")
        elif claimed != largest:
            remarks.append(f"numColors {claimed} is wrong: the largest colour is {largest}")
    pieces = PieceSet(catalogue)
    if not pieces.is_distinct:
        remarks.append(
            f"the pieces are not distinct: {pieces.sharing_a_shape} of {len(pieces)} share a shape with another,"
            f" {len(pieces.symmetric_pieces)} are symmetric"
        )
    return remarks


def write(document: Document) -> str:
    """The puzzle as one line of JSON."""
    if document.catalogue is None:
        raise FormatError(NAME, "the piece set is not known", expected="a puzzle, or a board of a known set")
    for hint in document.hints:
        if hint.piece is None:
            raise FormatError(NAME, f"the hint at {hint.cell} names no piece", expected="a hint with its piece")
    puzzle = {
        "name": written_name(document.name),
        "width": document.width,
        "height": document.height,
        "numColors": PieceSet(document.catalogue).colours,
        "pieces": document.catalogue,
        "hints": [{"pos": hint.cell, "piece": hint.piece, "rot": hint.rot} for hint in document.hints],
    }
    return orjson.dumps(puzzle, option=orjson.OPT_APPEND_NEWLINE).decode()


FORMAT = Format(NAME, "Puzzle JSON", frozenset({CATALOGUE, HINTS}), looks_right, read, write, key=NAME)
