"""Letter orders: which colour a letter of `board_edges` means.

A solver may number its colours in its own way and still share a link; the link then says `motifs_order=NAME`. The
order permutes letters only, never pieces. In the tables below the place of a letter is the written letter (first = a)
and the letter that stands there is the one of the default order.
"""

from __future__ import annotations

from collections.abc import Sequence

from e2.core.quad import Quad
from e2.errors import FormatError

DEFAULT = "default"
_BLACKWOOD = "abglqejotchmrfkpudinsvw"
MOTIFS_ORDERS = {
    DEFAULT: "abcdefghijklmnopqrstuvw",
    "jef": "atojeqlgbupkfrmhcwvsnid",
    "marie": _BLACKWOOD,
    "jblackwood": _BLACKWOOD,
}
LETTERS = len(MOTIFS_ORDERS[DEFAULT])
"""How many letters an order permutes: grey and 22 colours."""


def known_order(format: str, name: str) -> str:
    """The name of a known order (an empty one means the default), or a FormatError."""
    if name in MOTIFS_ORDERS:
        return name
    if not name:
        return DEFAULT
    raise FormatError(format, "an unknown motifs_order", place="motifs_order", expected=" or ".join(MOTIFS_ORDERS))


def colours_of_letters(order: str) -> tuple[int, ...]:
    """Written letter (a = 0) -> colour."""
    return tuple(ord(letter) - ord("a") for letter in MOTIFS_ORDERS[order])


def letters_of_colours(order: str) -> tuple[int, ...]:
    """Colour -> written letter (a = 0)."""
    letters = [0] * LETTERS
    for letter, colour in enumerate(colours_of_letters(order)):
        letters[colour] = letter
    return tuple(letters)


def reread(quads: Sequence[Quad | None], was: str, order: str) -> tuple[Quad | None, ...]:
    """The quads that the same letters give under `order`, where they have been read under `was`."""
    letters, colours = letters_of_colours(was), colours_of_letters(order)
    table = tuple(colours[letters[colour]] for colour in range(LETTERS))
    return tuple(
        None if quad is None else (table[quad[0]], table[quad[1]], table[quad[2]], table[quad[3]]) for quad in quads
    )
