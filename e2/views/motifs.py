"""The motifs of the colours, of our own drawing: a shape on a ground, told apart by shape and lightness before hue.

Each motif is drawn as the half that lies on one triangle of a piece: the seam is the line y = 0 from x = -20 to 20, the
middle of the piece is (0, 20). The neighbour shows the same half after half a turn, so that both make one whole.

Which shape has which colours was searched for: of all ways to deal these pairs of colours to these shapes, one in which
the two motifs most alike differ most, at 20 pixels a cell, in grey and in three simulated kinds of colour blindness.
"""

from __future__ import annotations

from dataclasses import dataclass

from e2.core.quad import BORDER

HALF = 20.0
"""Half the side of a cell, in the units of the shapes."""


@dataclass(frozen=True)
class Motif:
    """A name, the colour of the ground, the path of the shape (it may overlap itself), the colour of the shape."""

    name: str
    ground: str
    shape: str
    ink: str


RIM = Motif("rim", "#8c8f94", "", "#3d4045")
"""The grey of the rim, which has no shape."""
DRAWN = (
    Motif("block", "#6e1a2c", "M-9.5 0v9.5h19v-9.5z", "#f6d9c2"),
    Motif("cross", "#e4761b", "M-16 0v3.2h12.8v12.8h6.4v-12.8h12.8v-3.2z", "#2b0f00"),
    Motif("bars", "#bcdcf5", "M-16.5 0v2.2h33v-2.2zM-10.5 5.6v3.8h21v-3.8zM-3.6 12.6v3.6h7.2v-3.6z", "#173a80"),
    Motif("quarters", "#1a9a9a", "M-20 0H0V20z", "#ffffff"),
    Motif("disc", "#d4569f", "M-12 0a12 12 0 0 0 24 0z", "#2e0520"),
    Motif("eye", "#1d3b78", "M-18 0Q-8 10 0 10Q8 10 18 0h-13a5 5 0 0 1-10 0z", "#f7cf6b"),
    Motif("hourglass", "#4a2a70", "M0 0L-8 12h16z", "#f0bfe0"),
    Motif("pair", "#f8dd72", "M-15 0a6 6 0 0 0 12 0zM3 0a6 6 0 0 0 12 0z", "#6b3400"),
    Motif(
        "slant",
        "#2c76cf",
        "M-3.5 0L8.25 11.75L11.75 8.25L3.5 0zM-17 0L1.5 18.5L5 15L-10 0zM10 0L15 5L18.5 1.5L17 0z",
        "#ffffff",
    ),
    Motif("crown", "#1a5638", "M-13.6 0v6.2h4.4v-3h6v7h-3v3.6h12.4v-3.6h-3v-7h6v3h4.4v-6.2z", "#d6f0a6"),
    Motif("chevron", "#f6c3d0", "M-16 0L0 16L16 0h-7L0 9L-9 0z", "#7d1034"),
    Motif("ring", "#8a58cc", "M-14 0a14 14 0 0 0 28 0h-7a7 7 0 0 1-14 0z", "#ffffff"),
    Motif("leaf", "#553718", "M-7 0Q-7 8 0 18Q7 8 7 0z", "#f7dc9a"),
    Motif("arrow", "#cfecb0", "M-2.8 0v6.5h-7L0 18l9.8-11.5h-7v-6.5z", "#1b5529"),
    Motif(
        "target",
        "#2ea152",
        "M-14 0a14 14 0 0 0 28 0h-4a10 10 0 0 1-20 0zM-5 0a5 5 0 0 0 10 0z",
        "#04220e",
    ),
    Motif("bow", "#0e4a52", "M-11.5 0v8.5L0 0l11.5 8.5v-8.5z", "#9fe8dc"),
    Motif("saltire", "#dac8f3", "M-3.6 0l-8.1 8.1l4 4L0 4.4l7.7 7.7l4-4L3.6 0z", "#431a73"),
    Motif("quatrefoil", "#c92a2a", "M-14 0a7 7 0 0 0 7 6a7 7 0 0 0 14 0a7 7 0 0 0 7-6z", "#ffffff"),
    Motif("dots", "#20242b", "M-10.5 5.2a4 4 0 0 0 8 0a4 4 0 0 0-8 0zM2.5 5.2a4 4 0 0 0 8 0a4 4 0 0 0-8 0z", "#eeeeee"),
    Motif("pinwheel", "#f9c89b", "M0 0h17L9 9zM0 0v17L-9 9z", "#5e260a"),
    Motif("diamond", "#f6f1e2", "M-14 0L0 14L14 0z", "#1c1c1c"),
    Motif("stripes", "#b4eae2", "M-14 0v6h5.6v-6zM-2.8 0v17h5.6v-17zM8.4 0v6h5.6v-6z", "#0a454c"),
)
"""The motifs of colours 1 to 22: the five of the frame first."""


def motif(colour: int) -> Motif:
    """The motif of a colour. Colours beyond those drawn take the shapes again, each in another's pair of colours."""
    if colour == BORDER:
        return RIM
    again, number = divmod(colour - 1, len(DRAWN))
    shape, coloured = DRAWN[number], DRAWN[(number + 5 * again) % len(DRAWN)]
    return Motif(shape.name, coloured.ground, shape.shape, coloured.ink)
