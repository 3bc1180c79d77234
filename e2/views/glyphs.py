"""Letters and figures as strokes, of our own drawing: a picture that is made of them needs no font anywhere."""

from __future__ import annotations

from html import escape

CAPITAL = 10.0
"""Height of capitals and figures, in the units of the strokes; small letters are 7 high, descenders go 3 down."""
_GAP = 2.2  # between two glyphs
_BLANK = 3.6
_STROKE = 1.35

# Each glyph: its width, and strokes relative to the left end of the base line; y grows downwards.
_GLYPHS: dict[str, tuple[float, str]] = {
    "0": (6, "m0-7a3 3 0 0 1 6 0v4a3 3 0 0 1-6 0z"),
    "1": (3.6, "m.6-8l2.4-2v10"),
    "2": (6, "m.2-7.4a2.9 2.6 0 0 1 5.6 0c0 2.6-5.8 4.6-5.8 7.4h6"),
    "3": (6, "m.3-8.6c.8-2 5.3-2 5.3 1c0 2.2-1.8 2.5-3 2.5c1.6 0 3.4.4 3.4 2.6c0 3.3-5.3 3.2-6 .8"),
    "4": (6.2, "m4.5 0v-10l-4.5 7h6.2"),
    "5": (6, "m5.6-10h-4.7l-.5 4.5c1-1.1 5.6-1.6 5.6 2.3c0 4-5.3 4.1-6 1.2"),
    "6": (6, "m5.2-9.2c-3-2-5.2 1-5.2 6a3 3.1 0 0 0 6 0a3 3.1 0 0 0-6 0"),
    "7": (5.8, "m0-10h5.8l-3.6 10"),
    "8": (6, "m3-5.4a2.5 2.3 0 0 1 0-4.6a2.5 2.3 0 0 1 0 4.6a3 2.7 0 0 0 0 5.4a3 2.7 0 0 0 0-5.4"),
    "9": (6, "m.8-.8c3 2 5.2-1 5.2-6a3 3.1 0 0 0-6 0a3 3.1 0 0 0 6 0"),
    "/": (4, "m0 1l4-12"),
    "-": (3.6, "m0-3.6h3.6"),
    ".": (0.4, "m.2-.2v.1"),
    ",": (1, "m.8-.4l-.8 2"),
    ":": (0.4, "m.2-.2v.1m0-6v.1"),
    "a": (5.4, "m5.4-7v7m0-3.5a2.7 3.5 0 1 1-5.4 0a2.7 3.5 0 1 1 5.4 0"),
    "b": (5.4, "m0-10v10m0-3.5a2.7 3.5 0 1 1 5.4 0a2.7 3.5 0 1 1-5.4 0"),
    "c": (5.2, "m5.2-5.6c-1.2-2.2-5.2-2-5.2 2.1s4 4.3 5.2 2.1"),
    "d": (5.4, "m5.4-10v10m0-3.5a2.7 3.5 0 1 1-5.4 0a2.7 3.5 0 1 1 5.4 0"),
    "e": (5.4, "m0-3.6h5.4c0-4.6-5.4-4.6-5.4.1s4 4.4 5.2 2.1"),
    "f": (3.8, "m4-9.8c-2-.6-2.6.6-2.6 2v7.8m-1.4-7h3.8"),
    "g": (5.4, "m5.4-7v7.2c0 3.4-4 3.4-5.2 2m5.2-5.7a2.7 3.5 0 1 1-5.4 0a2.7 3.5 0 1 1 5.4 0"),
    "h": (5.2, "m0-10v10m0-4.2c0-3.6 5.2-3.8 5.2 0v4.2"),
    "i": (0.4, "m.2-7v7m0-9.8v.1"),
    "j": (2, "m2-7v7.6c0 2-1 2.4-2 2.2m2-12.6v.1"),
    "k": (5, "m0-10v10m4.6-7l-4.6 4.4m1.8-1.7l3.2 4.3"),
    "l": (1.6, "m0-10v8.2q0 1.8 1.6 1.8"),
    "m": (7.6, "m0-7v7m0-4.4c0-3.2 3.8-3.4 3.8 0v4.4m0-4.4c0-3.2 3.8-3.4 3.8 0v4.4"),
    "n": (5.2, "m0-7v7m0-4.2c0-3.6 5.2-3.8 5.2 0v4.2"),
    "o": (5.6, "m0-3.5a2.8 3.5 0 1 1 5.6 0a2.8 3.5 0 1 1-5.6 0"),
    "p": (5.4, "m0-7v10m0-6.5a2.7 3.5 0 1 1 5.4 0a2.7 3.5 0 1 1-5.4 0"),
    "q": (5.4, "m5.4-7v10m0-6.5a2.7 3.5 0 1 1-5.4 0a2.7 3.5 0 1 1 5.4 0"),
    "r": (3.4, "m0-7v7m0-4.2c0-2.2 1.7-3 3.4-2.6"),
    "s": (4.8, "m4.6-5.8c-.8-1.8-4.4-1.6-4.4.5c0 2.4 4.6 1.2 4.6 3.5c0 2.3-4 2.4-4.8.4"),
    "t": (3.8, "m1.4-9.4v7.4q0 2 2.4 1.8m-3.8-6.8h3.8"),
    "u": (5.2, "m0-7v4.4c0 3.6 5.2 3.4 5.2 0m0-4.4v7"),
    "v": (5.4, "m0-7l2.7 7l2.7-7"),
    "w": (8, "m0-7l2 7l2-7l2 7l2-7"),
    "x": (5, "m0-7l5 7m0-7l-5 7"),
    "y": (5.4, "m0-7l2.7 6.8m2.7-6.8l-3.4 8.6q-.6 1.4-2 1.2"),
    "z": (5, "m.2-7h4.6l-4.8 7h5"),
    "A": (6.6, "m0 0l3.3-10l3.3 10m-1.1-3.4h-4.4"),
    "B": (6, "m0-5.4h3.2c3 0 3-4.6 0-4.6h-3.2v10h3.4c3.4 0 3.4-5.4 0-5.4"),
    "C": (6.2, "m6.2-8c-1.6-3-6.2-2.6-6.2 3s4.6 6 6.2 3"),
    "D": (6.4, "m0 0v-10h2.4c5.4 0 5.4 10 0 10z"),
    "E": (5, "m5 0h-5v-10h5m-5 4.8h4.4"),
    "F": (5, "m0 0v-10h5m-5 4.8h4.2"),
    "G": (6.4, "m6.2-8c-1.6-3-6.2-2.6-6.2 3s4.8 6.2 6.4 2.6v-2.4h-2.8"),
    "H": (6, "m0 0v-10m6 0v10m-6-5.2h6"),
    "I": (0.4, "m.2 0v-10"),
    "J": (4, "m4-10v7c0 3.6-3.4 3.6-4 1.4"),
    "K": (5.8, "m0 0v-10m5.6 0l-5.6 6m2-2.2l3.8 6.2"),
    "L": (4.8, "m0-10v10h4.8"),
    "M": (7.2, "m0 0v-10l3.6 6.4l3.6-6.4v10"),
    "N": (5.8, "m0 0v-10l5.8 10v-10"),
    "O": (6.8, "m0-5a3.4 5 0 1 1 6.8 0a3.4 5 0 1 1-6.8 0"),
    "P": (5.7, "m0 0v-10h3c3.6 0 3.6 5.4 0 5.4h-3"),
    "Q": (7, "m0-5a3.4 5 0 1 1 6.8 0a3.4 5 0 1 1-6.8 0m4.2 2.2l2.8 3"),
    "R": (5.8, "m0 0v-10h3c3.6 0 3.6 5.4 0 5.4h-3m2.8 0l3 4.6"),
    "S": (5.8, "m5.4-8.4c-1-2.4-5.2-2-5.2.8c0 3.4 5.6 1.8 5.6 5c0 3.2-4.8 3.4-5.8.6"),
    "T": (6, "m0-10h6m-3 0v10"),
    "U": (6, "m0-10v6.6c0 4.6 6 4.6 6 0v-6.6"),
    "V": (6.4, "m0-10l3.2 10l3.2-10"),
    "W": (9.6, "m0-10l2.4 10l2.4-9l2.4 9l2.4-10"),
    "X": (5.8, "m0-10l5.8 10m0-10l-5.8 10"),
    "Y": (6, "m0-10l3 5.2l3-5.2m-3 5.2v4.8"),
    "Z": (6, "m.2-10h5.6l-5.8 10h6"),
}
LETTERS = frozenset(_GLYPHS) | {" "}
"""The characters that can be drawn."""

START, MIDDLE, END = 0.0, 0.5, 1.0
"""Which part of a text lies at its x."""


def text_width(text: str, size: float) -> float:
    """How wide the text is when its capitals are `size` high."""
    return _units(text) * size / CAPITAL


def strokes(text: str, x: float, y: float, size: float, anchor: float = MIDDLE) -> str:
    """The path of a text whose base line lies at `y`, in units of `size / CAPITAL`: see `drawn`.

    KeyError for a character that is not in LETTERS.
    """
    scale = size / CAPITAL
    at = x / scale - anchor * _units(text)
    parts = []
    for letter in text:
        if letter == " ":
            at += _BLANK
            continue
        width, path = _GLYPHS[letter]
        parts.append(f"M{at:.5g} {y / scale:.5g}{path}")
        at += width + _GAP
    return "".join(parts)


def drawn(path: str, size: float, ink: str, *, weight: float = 1.0) -> str:
    """The element that draws a path of `strokes` of this size; `weight` thickens the pen."""
    return (
        f'<path d="{path}" transform="scale({size / CAPITAL:.5g})" fill="none" stroke="{escape(ink)}" '
        f'stroke-width="{_STROKE * weight:.4g}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def written(text: str, x: float, y: float, size: float, ink: str, *, anchor: float = MIDDLE, weight: float = 1) -> str:
    """A text whose capitals are `size` high, with its base line at `y`."""
    return drawn(strokes(text, x, y, size, anchor), size, ink, weight=weight)


def _units(text: str) -> float:
    widths = [_BLANK - _GAP if letter == " " else _GLYPHS[letter][0] for letter in text]
    return sum(widths) + _GAP * max(0, len(text) - 1)
