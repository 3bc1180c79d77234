"""The motifs of the colours, of our own drawing: a shape on a ground, told apart by shape and lightness before hue.

Each motif is drawn as the half that lies on one triangle of a piece: the seam is the line y = 0 from x = -20 to 20, the
middle of the piece is (0, 20). The neighbour shows the other half turned by half a turn, so both make one whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from e2.core.quad import BORDER

HALF = 20.0
"""Half the side of a cell, in the units of the shapes."""
RIM = "#8c8f94"
"""The grey of the rim."""


@dataclass(frozen=True)
class Motif:
    """A ground colour, the path of a shape (holes by the even-odd rule), and the colour of the shape."""

    ground: str
    shape: str
    ink: str


_SHAPES = {
    "disc": "M-11 0a11 11 0 0 0 22 0z",
    "ring": "M-13 0a13 13 0 0 0 26 0h-6.5a6.5 6.5 0 0 1-13 0z",
    "diamond": "M-14 0L0 14L14 0z",
    "block": "M-9 0v9h18v-9z",
    "cross": "M-15 0v3h12v12h6v-12h12v-3z",
    "saltire": "M-3.6 0l-7.9 7.9l4 4l7.5-7.5l7.5 7.5l4-4l-7.9-7.9z",
    "star": "M-17 0Q-4 4 0 16Q4 4 17 0z",
    "flower": "M-4 0a5 5 0 1 0-3 8.5a5 5 0 0 0 7 3a5 5 0 0 0 7-3a5 5 0 1 0-3-8.5z",
    "bars": "M-16 0v2h32v-2zM-13 5v3.6h26v-3.6zM-7 11.5v3.4h14v-3.4z",
    "stripes": "M-13 0v6h4.5v-6zM-2.4 0v16h4.8v-16zM8.5 0v6h4.5v-6z",
    "hourglass": "M0 0l-8.5 11h17z",
    "bow": "M-14 0v5.5l14-5.5l14 5.5v-5.5z",
    "pair": "M-15 0a5.5 5.5 0 0 0 11 0zM4 0a5.5 5.5 0 0 0 11 0z",
    "dots": "M-10.5 5a4 4 0 0 0 8 0a4 4 0 0 0-8 0zM2.5 5a4 4 0 0 0 8 0a4 4 0 0 0-8 0z",
    "heart": "M0 17Q-10 9-10 5a5 5 0 0 1 10-1a5 5 0 0 1 10 1Q10 9 0 17z",
    "chevron": "M-15 0l15 15l15-15h-7l-8 8l-8-8z",
    "target": "M-14 0a14 14 0 0 0 28 0h-4a10 10 0 0 1-20 0zM-5 0a5 5 0 0 0 10 0z",
    "eye": "M-17 0Q-8 9 0 9Q8 9 17 0h-12a5 5 0 0 1-10 0z",
    "leaf": "M-6 0Q-6 8 0 17Q6 8 6 0z",
    "bolt": "M-12 0h6l12 9h-6z",
    "checks": "M-9 0v9h9v-9z",
    "crown": "M-13 0v6l4 0v-3h5v10h8v-10h5v3h4v-6z",
}
_PAIRS = (
    ("#1f3a6e", "#f4c95d"),
    ("#f9e27d", "#7a3b00"),
    ("#7a1f2b", "#f6d5b8"),
    ("#bfe0f7", "#1b3f8b"),
    ("#1e5b3c", "#d9f0a3"),
    ("#f7c6d0", "#8a1538"),
    ("#4b2a6b", "#f2b5d4"),
    ("#cdebb0", "#1c5e2b"),
    ("#0f5257", "#8fe0d6"),
    ("#f7f2e4", "#202020"),
    ("#5a3a1e", "#f5d78e"),
    ("#dccbf5", "#4a1d80"),
    ("#22262b", "#e8e8e8"),
    ("#e8791c", "#fff4e0"),
    ("#2f7ed8", "#ffffff"),
    ("#2fa84f", "#0c2e16"),
    ("#cf2e2e", "#ffe9e4"),
    ("#f2b90f", "#241c00"),
    ("#8e5bd0", "#ffffff"),
    ("#d6489b", "#3a0826"),
    ("#17a3a3", "#062a2a"),
    ("#b5ece4", "#0b4b52"),
)
_DRAWN = tuple(Motif(ground, shape, ink) for shape, (ground, ink) in zip(_SHAPES.values(), _PAIRS, strict=True))
MOTIFS = len(_DRAWN)
"""How many colours have a motif that is drawn for them."""


def motif(colour: int) -> Motif:
    """The motif of a colour; grey has no shape.

    Colours beyond MOTIFS take the shapes again, each time in the colours of another motif.
    """
    if colour == BORDER:
        return Motif(RIM, "", RIM)
    again, number = divmod(colour - 1, MOTIFS)
    coloured = _DRAWN[(number + 5 * again) % MOTIFS]
    return Motif(coloured.ground, _DRAWN[number].shape, coloured.ink)
