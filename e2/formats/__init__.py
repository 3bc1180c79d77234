"""How it is written: text to values and back. A format is one file and one line here.

The order is that of detection: the first format that thinks a text looks right reads it.
"""

from __future__ import annotations

from e2.formats import (
    board_doc,
    board_edges,
    board_pieces,
    bucas_url,
    e2pieces,
    hints,
    puzzle_csv,
    puzzle_json,
    viewer_url,
)
from e2.formats.community import (
    csv_catalogues,
    csv_placements,
    hint_rows,
    json_rows,
    negative_codes,
    pid_rot_grid,
    placed_csv,
)
from e2.formats.format import Format

FORMATS: tuple[Format, ...] = (
    *json_rows.FORMATS,
    board_doc.FORMAT,
    puzzle_json.FORMAT,
    pid_rot_grid.FORMAT,
    placed_csv.FORMAT,
    puzzle_csv.FORMAT,
    board_pieces.FORMAT,
    hints.FORMAT,
    viewer_url.FORMAT,
    bucas_url.FORMAT,
    board_edges.FORMAT,
    *csv_catalogues.FORMATS,
    csv_placements.FORMAT,
    negative_codes.FORMAT,
    hint_rows.FORMAT,
    e2pieces.FORMAT,
    e2pieces.PLACED_FORMAT,
)
