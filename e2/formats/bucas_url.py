"""e2.bucas.name links.

    https://e2.bucas.name/#puzzle=NAME&board_w=16&board_h=16&board_edges=...[&board_pieces=...][&motifs_order=jef]

The grammar is that of `viewer_url`; the letters stop at w, the last colour that the viewer can draw, and may stand in
another order that `motifs_order` names. `seed`, `board_types` and `show_*` are ignored.

Carries the board and which piece lies where. Loses pinned cells and the set of pieces.
"""

from __future__ import annotations

from e2.errors import FormatError
from e2.formats import board_edges, board_pieces, motifs_order
from e2.formats.format import BOARD, IDENTITY, TURNS, Asked, Document, Format, Reading
from e2.formats.pasted import links
from e2.formats.viewer_url import first_link, read_link, written_name

NAME = "bucas_url"
HOST = "e2.bucas.name"


def looks_right(text: str) -> bool:
    return bool(links(text))


def read(text: str, asked: Asked) -> Reading:
    """Read the first link."""
    return read_link(NAME, first_link(NAME, text), asked)


def write(document: Document) -> str:
    """The link, ready to share, with its letters in the order that the document asks for."""
    assert document.quads is not None
    if document.motifs_order not in motifs_order.MOTIFS_ORDERS:
        raise FormatError(NAME, "an unknown motifs_order", expected=" or ".join(motifs_order.MOTIFS_ORDERS))
    letters = motifs_order.letters_of_colours(document.motifs_order)
    link = f"https://{HOST}/#puzzle={written_name(document.name)}&board_w={document.width}&board_h={document.height}"
    link += "&board_edges=" + board_edges.letters_of(NAME, document.quads, letters)
    if not document.is_distinct and document.codes is not None:
        link += "&board_pieces=" + board_pieces.digits_of(NAME, [code >> 2 for code in document.codes])
    return link + (f"&motifs_order={document.motifs_order}" if document.motifs_order != motifs_order.DEFAULT else "")


FORMAT = Format(NAME, "e2.bucas.name link", frozenset({BOARD, IDENTITY, TURNS}), looks_right, read, write, key=NAME)
