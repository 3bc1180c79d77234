"""eternity2.dev links, and the grammar that all links share.

    https://eternity2.dev/viewer?puzzle=NAME&puzzle_size=16&board_edges=...[&board_pieces=...][&hints=...]

A rectangle has `board_w` and `board_h` in place of `puzzle_size`. `board_pieces` is written only for a set of pieces
that is not distinct. Read: parameters in any order, in the query or the fragment; unknown ones are ignored; one that is
ours and comes twice is an error. Names keep what they hold when read (`+` stays a plus); written names keep ASCII
letters, digits and `_`, and any other run becomes one `_`.

Carries the board, which piece lies where, and pinned cells. Loses the set of pieces.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from e2.core.grid import Grid
from e2.core.quad import BORDER, Quad
from e2.errors import FormatError
from e2.formats import board_edges, board_pieces, hints, motifs_order
from e2.formats.format import (
    BOARD,
    HINTS,
    IDENTITY,
    TURNS,
    Asked,
    Document,
    Format,
    Reading,
    bounded_name,
    checked_size,
    square_side,
)
from e2.formats.pasted import Link, links

NAME = "viewer_url"
HOST = "eternity2.dev"
NAMELESS = "eternity2_board"
_OURS = ("puzzle", "puzzle_size", "board_w", "board_h", "board_edges", "board_pieces", "motifs_order", "hints")


def written_name(name: str | None) -> str:
    """The name as every written form has it: ASCII letters, digits and `_`; any other run becomes one `_`.

    >>> written_name("../../x")
    '_x'
    """
    cleaned = re.sub(r"[^A-Za-z0-9_]+", "_", name or "")
    return cleaned or NAMELESS


def is_viewer_link(link: Link) -> bool:
    """Whether the link belongs to eternity2.dev: by its host, or, for bare parameters, by `puzzle_size`."""
    return HOST in link.host if link.host else bool(link.values("puzzle_size"))


def read_link(format: str, link: Link, asked: Asked) -> Reading:
    """What one link says."""
    value: dict[str, str] = {}
    for name in _OURS:
        found = link.values(name)
        if len(found) > 1:
            raise FormatError(format, f"parameter {name} comes {len(found)} times", place=name, expected="once")
        if found:
            value[name] = found[0]
    title, warnings = bounded_name(unquote(value["puzzle"]) if "puzzle" in value else None)
    if "board_edges" not in value:
        raise FormatError(
            format, "the link has no board in it, only a name", place="board_edges", expected="a board_edges parameter"
        )
    order = motifs_order.known_order(format, value.get("motifs_order", ""))
    letters = value["board_edges"]
    width, height = _size(format, value, letters, asked)
    alphabet = motifs_order.colours_of_letters(order)
    if format == NAME and order == motifs_order.DEFAULT:
        alphabet = tuple(range(board_edges.COLOURS_WITH_A_LETTER))
    quads, notes = board_edges.quads_of(format, letters, width, height, lenient=asked.lenient, colours=alphabet)
    numbers = None
    if "board_pieces" in value:
        numbers, more = board_pieces.numbers_of(
            format, value["board_pieces"], width, height, quads, lenient=asked.lenient
        )
        notes += more
    pinned = hints.hints_of(format, value["hints"], width * height) if value.get("hints") else None
    return Reading(
        format,
        width,
        height,
        name=title,
        quads=quads,
        numbers=numbers,
        hints=pinned,
        motifs_order=None if order == motifs_order.DEFAULT else order,
        warnings=warnings + notes + grey_inside(width, height, quads),
    )


def grey_inside(width: int, height: int, quads: tuple[Quad | None, ...]) -> tuple[str, ...]:
    """A warning where two pieces touch with the letter a: some exporters write a real colour so."""
    pairs = 0
    for seam in Grid(width, height).seams:
        here, there = quads[seam.cell], quads[seam.neighbour]
        if here is not None and there is not None:
            pairs += here[seam.side] == there[(seam.side + 2) % 4] == BORDER
    return (f"letter a stands on both sides of {pairs} inner seams: grey never matches",) if pairs else ()


def _size(format: str, value: dict[str, str], letters: str, asked: Asked) -> tuple[int, int]:
    side = value.get("puzzle_size")
    texts = (value.get("board_w", side), value.get("board_h", side))
    sizes = []
    for name, text in zip(("board_w", "board_h"), texts, strict=True):
        if text is None:
            continue
        if not re.fullmatch(r"[0-9]{1,6}", text):
            raise FormatError(format, f"{text[:20]!r} is no size", place=name, expected="a whole number")
        sizes.append(int(text))
    if len(sizes) == 2:
        return checked_size(format, sizes[0], sizes[1])
    if asked.size is not None:
        return checked_size(format, *asked.size)
    known = square_side(format, len(letters) // 4, "cells of 4 letters")
    return known, known


def looks_right(text: str) -> bool:
    return any(is_viewer_link(link) for link in links(text))


def read(text: str, asked: Asked) -> Reading:
    """Read the first link."""
    return read_link(NAME, first_link(NAME, text), asked)


def first_link(format: str, text: str) -> Link:
    """The first link of the text, or a FormatError."""
    found = links(text)
    if not found:
        raise FormatError(format, "there is no link in it", expected="a link or parameters with board_edges=")
    return found[0]


def write(document: Document) -> str:
    """The link, ready to share."""
    assert document.quads is not None
    size = f"puzzle_size={document.width}"
    if not document.is_square:
        size = f"board_w={document.width}&board_h={document.height}"
    link = f"https://{HOST}/viewer?puzzle={written_name(document.name)}&{size}"
    link += "&board_edges=" + board_edges.letters_of(NAME, document.quads)
    if not document.is_distinct and document.codes is not None:
        link += "&board_pieces=" + board_pieces.digits_of(NAME, [code >> 2 for code in document.codes])
    return link + (f"&hints={hints.text_of(document.hints)}" if document.hints else "")


FORMAT = Format(
    NAME,
    "eternity2.dev link",
    frozenset({BOARD, IDENTITY, TURNS, HINTS}),
    looks_right,
    read,
    write,
    key=NAME,
)
