"""Plock's boards: the side, then every cell in one comma-separated line.

0, 1 and 2 stand for an open corner, frame or inner cell, and a row of zeros may stand before all. A hint is
`-(number + 256 * rot)`, with a 1-based piece number and a rot counted half a turn away from the published catalogue.

    16
    0,0,1,...,-976,...

Carries hints.
"""

from __future__ import annotations

import re

from e2.errors import FormatError
from e2.formats.community.hint_rows import COMMUNITY_TURN
from e2.formats.format import Asked, Format, ReadHint, Reading, checked_size

NAME = "negative_codes"


def looks_right(text: str) -> bool:
    return re.fullmatch(r"\s*\d{1,4}\s*\n\s*-?\d{1,6}(\s*,\s*-?\d{1,6}){3,}\s*", text) is not None


def read(text: str, asked: Asked) -> Reading:
    """Read the hints."""
    if not looks_right(text):
        raise FormatError(
            NAME, f"{text.strip()[:40]!r} is no board", place="line 1", expected="the side, then one line of cells"
        )
    head, _, body = text.strip().partition("\n")
    side, _ = checked_size(NAME, int(head), int(head), "line 1")
    values = [int(field) for field in body.split(",")]
    if len(values) == side * (side + 1) and not any(values[:side]):
        values = values[side:]
    if len(values) != side * side:
        raise FormatError(NAME, f"{len(values)} cells", place="line 2", expected=f"{side * side} cells")
    hints = []
    for cell, value in enumerate(values):
        if value < 0:
            rot, number = divmod(-value, 256) if -value % 256 else (-value // 256 - 1, 256)
            if rot > 3 or number > side * side:
                raise FormatError(NAME, f"{value} is no hint", place=f"cell {cell}", expected="-(number + 256 * rot)")
            hints.append(ReadHint(cell, number - 1, (rot + COMMUNITY_TURN) % 4))
    return Reading(
        NAME,
        side,
        side,
        hints=tuple(hints),
        warnings=(f"rotation convention: rot here = rot + {COMMUNITY_TURN}",),
    )


FORMAT = Format(NAME, "board of negative codes", frozenset(), looks_right, read)
