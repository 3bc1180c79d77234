"""JSON of other tools.

- `study_row`: one line of a study's results, `engine ... score placed board_hash board_edges`. There is no size, and
  the hash is the start of the SHA-1 of the letters.
- `tiles_json`: `name rows cols tiles placed`; a tile is top, right, bottom, left, and `placed` pins a tile as it lies.

The first carries a board and its claims, the second a set and hints.
"""

from __future__ import annotations

from e2.core.grid import MAX_SIDE
from e2.core.pieces import PieceSet
from e2.errors import FormatError
from e2.formats.board_doc import read_fields
from e2.formats.format import Asked, Format, ReadHint, Reading, bounded_name
from e2.formats.json_text import array, integer, json_object, shown, text_or_none
from e2.formats.puzzle_json import quad_of

STUDY_ROW, TILES = "study_row", "tiles_json"


def _looks_study_row(text: str) -> bool:
    return text.lstrip().startswith("{") and '"board_edges"' in text and '"engine"' in text


def read_study_row(text: str, asked: Asked) -> Reading:
    """Read one result row."""
    return read_fields(STUDY_ROW, json_object(STUDY_ROW, text), asked)


def _looks_tiles(text: str) -> bool:
    return text.lstrip().startswith("{") and '"tiles"' in text


def read_tiles(text: str, asked: Asked) -> Reading:
    """Read one puzzle."""
    document = json_object(TILES, text)
    width = integer(TILES, document.get("cols"), "cols", 1, MAX_SIDE)
    height = integer(TILES, document.get("rows"), "rows", 1, MAX_SIDE)
    tiles = array(TILES, document.get("tiles"), "tiles", MAX_SIDE * MAX_SIDE)
    if len(tiles) != width * height:
        raise FormatError(TILES, f"{len(tiles)} tiles", place="tiles", expected=f"{width * height} tiles")
    catalogue = tuple(quad_of(TILES, tile, f"tiles[{index}]") for index, tile in enumerate(tiles))
    ways = PieceSet(catalogue).placements
    name, warnings = bounded_name(text_or_none(TILES, document.get("name"), "name"))
    hints: dict[int, ReadHint] = {}
    for index, entry in enumerate(array(TILES, document.get("placed", []), "placed", 2 * len(tiles))):
        place = f"placed[{index}]"
        if not isinstance(entry, dict):
            raise FormatError(TILES, f"{shown(entry)} is no placement", place=place, expected="row, col and tile")
        row = integer(TILES, entry.get("row"), f"{place}.row", 0, height - 1)
        column = integer(TILES, entry.get("col"), f"{place}.col", 0, width - 1)
        quad = quad_of(TILES, entry.get("tile"), f"{place}.tile")
        if quad not in ways:
            raise FormatError(TILES, f"tile {list(quad)} is not in the set", place=place, expected="one of the tiles")
        taken = {hint.piece for hint in hints.values()}
        cell = row * width + column
        if cell in hints:
            if catalogue_quad(hints[cell], catalogue) != quad:
                raise FormatError(TILES, "a cell is pinned twice", place=place, expected="each cell once")
            warnings += (f"{place} is a duplicate entry and is taken once",)
            continue
        piece, rot = next((way for way in ways[quad] if way[0] not in taken), ways[quad][0])
        hints[cell] = ReadHint(cell, piece, rot)
    return Reading(TILES, width, height, name=name, hints=tuple(hints.values()), catalogue=catalogue, warnings=warnings)


def catalogue_quad(hint: ReadHint, catalogue: tuple[tuple[int, int, int, int], ...]) -> tuple[int, int, int, int]:
    """What the hint shows."""
    assert hint.piece is not None
    return PieceSet(catalogue).placed(hint.piece, hint.rot)


FORMATS = (
    Format(STUDY_ROW, "result row of a study", frozenset(), _looks_study_row, read_study_row),
    Format(TILES, "JSON with rows, cols, tiles", frozenset(), _looks_tiles, read_tiles),
)
