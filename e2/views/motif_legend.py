"""All motifs at a glance, each whole and with the letter of its colour."""

from __future__ import annotations

from e2.views.board_svg import colour_name
from e2.views.glyphs import written
from e2.views.motifs import DRAWN, HALF, motif

_COLUMNS, _PITCH = 11, 56.0


def legend_svg() -> str:
    """The motifs of the 22 colours as the text of an SVG file."""
    rows = -(-len(DRAWN) // _COLUMNS)
    width, height = _PITCH * _COLUMNS, (_PITCH + 16) * rows
    parts = []
    for colour in range(1, len(DRAWN) + 1):
        row, column = divmod(colour - 1, _COLUMNS)
        x, y = _PITCH * (column + 0.5), (_PITCH + 16) * row + _PITCH / 2
        drawing = motif(colour)
        half = f'<path d="M{-HALF:g} 0h{2 * HALF:g}L0 {HALF:g}z" fill="{drawing.ground}"/>'
        half += f'<path d="{drawing.shape}" fill="{drawing.ink}"/>'
        parts.append(f'<g transform="translate({x:g} {y:g})">{half}<g transform="rotate(180)">{half}</g></g>')
        parts.append(written(colour_name(colour), x, y + 35, 9, "#22252a"))
    names = ", ".join(f"{colour_name(colour)} {motif(colour).name}" for colour in range(1, len(DRAWN) + 1))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" role="img">',
            "<title>The motifs</title>",
            f"<desc>{names}</desc>",
            f'<rect width="{width:g}" height="{height:g}" rx="6" fill="#d8d5cd"/>',
            *parts,
            "</svg>\n",
        ]
    )
