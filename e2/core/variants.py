"""The field's test bed: the five-hint puzzle with three of its corners pinned as well.

The corner piece in the bottom right is left over, so the four corner pieces make 24 arrangements. Ten of them are the
published variants 00 to 09; the others are fresh ground to check that nothing is tuned to the ten.
"""

from __future__ import annotations

from itertools import permutations

from e2.core.instance import Hint, Instance
from e2.core.official import OFFICIAL_HINTS, official_pieces
from e2.errors import SettingsError

Corners = tuple[int, int, int]
"""Pieces in the top left, top right and bottom left corner, each of 0 to 3."""

PUBLISHED: tuple[Corners, ...] = (
    (0, 1, 2),
    (1, 0, 3),
    (2, 3, 0),
    (3, 2, 1),
    (0, 2, 3),
    (1, 3, 2),
    (2, 0, 1),
    (3, 1, 0),
    (0, 3, 1),
    (2, 1, 3),
)
"""The corners of variants 00 to 09."""

ARRANGEMENTS: tuple[Corners, ...] = PUBLISHED + tuple(
    corners for corners in permutations(range(4), 3) if corners not in PUBLISHED
)
"""All 24, the published ones first: `ARRANGEMENTS[number]` is variant `number`."""

_CELLS_AND_ROTS = ((0, 3), (15, 0), (240, 2))


def variant(corners: Corners) -> Instance:
    """The five-hint puzzle with these corners pinned. SettingsError unless they are three different corner pieces."""
    if corners not in ARRANGEMENTS:
        raise SettingsError(f"corners {corners}; expected three different pieces of 0 to 3")
    pins = tuple(Hint(cell, piece, rot) for piece, (cell, rot) in zip(corners, _CELLS_AND_ROTS, strict=True))
    name = f"variant_{ARRANGEMENTS.index(corners):02d}"
    return Instance.checked(name, 16, 16, official_pieces(), OFFICIAL_HINTS + pins)
