"""BoardDoc: the one document for a board.

Keys in this order: `name size score breaks board board_hash board_edges board_pieces url`; two blanks of indent, one
array element a line, no line end at the end. A rectangle has `width` and `height` in place of `size`. `board` holds
placement codes (4 * piece + rot, -1 empty), `board_hash` is the placement hash, a whole number up to 2^64 - 1.

Read: edges win over codes and pieces; `score`, `breaks` and `board_hash` are claims that are checked, and written anew.

Carries the board, identity and turns. Loses hints and the set of pieces.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson

from e2.core.audit import Claims
from e2.core.fingerprint import board_hash
from e2.core.grid import MAX_SIDE
from e2.core.quad import Quad
from e2.core.score import score_quads
from e2.errors import FormatError
from e2.formats import board_edges, board_pieces, motifs_order, viewer_url
from e2.formats.format import (
    BOARD,
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
from e2.formats.json_text import array, integer, json_object, shown, text_or_none

NAME = "board_doc"


def looks_right(text: str) -> bool:
    return text.lstrip().startswith("{") and '"board_edges"' in text


def read(text: str, asked: Asked) -> Reading:
    """Read one document."""
    return read_fields(NAME, json_object(NAME, text), asked)


def read_fields(format: str, document: dict[str, Any], asked: Asked) -> Reading:
    """What the object says of a board; only the edges or the codes must be there."""
    letters = text_or_none(format, document.get("board_edges"), "board_edges")
    codes = document.get("board")
    if letters is None and codes is None:
        raise FormatError(format, "there is no board in it", place="board_edges", expected="board_edges or board")
    cells = len(letters) // 4 if letters is not None else len(array(format, codes, "board", MAX_SIDE * MAX_SIDE))
    width, height = _size(format, document, cells, asked)
    order = motifs_order.known_order(format, text_or_none(format, document.get("motifs_order"), "motifs_order") or "")
    alphabet = tuple(range(board_edges.COLOURS_WITH_A_LETTER))
    if order != motifs_order.DEFAULT:
        alphabet = motifs_order.colours_of_letters(order)
    quads: tuple[Quad | None, ...] | None = None
    numbers: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()
    if letters is not None:
        quads, notes = board_edges.quads_of(format, letters, width, height, lenient=asked.lenient, colours=alphabet)
    digits = text_or_none(format, document.get("board_pieces"), "board_pieces")
    if digits is not None:
        numbers, more = board_pieces.numbers_of(format, digits, width, height, quads, lenient=asked.lenient)
        notes += more
    name, cut = bounded_name(text_or_none(format, document.get("name"), "name"))
    return Reading(
        format,
        width,
        height,
        name=name,
        quads=quads,
        codes=None if codes is None else codes_of(format, codes, width * height),
        numbers=numbers,
        motifs_order=None if order == motifs_order.DEFAULT else order,
        claims=_claims(format, document),
        warnings=cut + notes,
    )


def codes_of(format: str, codes: object, cells: int) -> tuple[int, ...]:
    """The placement codes of a board of that many cells."""
    listed = array(format, codes, "board", MAX_SIDE * MAX_SIDE)
    if len(listed) != cells:
        raise FormatError(format, f"{len(listed)} placement codes", place="board", expected=f"{cells} codes")
    return tuple(integer(format, code, f"board[{cell}]", -1, 4 * cells - 1) for cell, code in enumerate(listed))


def _size(format: str, document: dict[str, Any], cells: int, asked: Asked) -> tuple[int, int]:
    if "width" in document or "height" in document:
        return (
            integer(format, document.get("width"), "width", 1, MAX_SIDE),
            integer(format, document.get("height"), "height", 1, MAX_SIDE),
        )
    if "size" in document:
        side = integer(format, document["size"], "size", 1, MAX_SIDE)
        return side, side
    if asked.size is not None:
        return checked_size(format, *asked.size)
    side = square_side(format, cells, "cells")
    return side, side


def _claims(format: str, document: dict[str, Any]) -> Claims:
    numbers: dict[str, int | None] = {}
    for key in ("score", "breaks", "placed"):
        value = document.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise FormatError(format, f"{shown(value)} is no whole number", place=key, expected="a whole number")
        numbers[key] = value
    fingerprint = document.get("board_hash")
    if isinstance(fingerprint, float) and abs(fingerprint) < 1 << 65:
        fingerprint = int(fingerprint)  # a number that went through a double, or that has more than 64 bits
    if fingerprint is not None and (not isinstance(fingerprint, (int, str)) or isinstance(fingerprint, bool)):
        raise FormatError(format, f"{shown(fingerprint)} is no hash", place="board_hash", expected="a whole number")
    if isinstance(fingerprint, str):
        fingerprint = fingerprint[:64]
    return Claims(numbers["score"], numbers["breaks"], numbers["placed"], fingerprint)


def write(document: Document) -> str:
    """The document, byte for byte as the published ones but for the older tail of their url."""
    if document.codes is None:
        raise FormatError(NAME, "the pieces are not known", expected="a piece set that has all cells of the board")
    assert document.quads is not None
    score = score_quads(document.grid, document.quads)
    size = {"size": document.width}
    if not document.is_square:
        size = {"width": document.width, "height": document.height}
    fields = {
        "name": viewer_url.written_name(document.name),
        **size,
        "score": score.matched,
        "breaks": score.breaks,
        "board": document.codes,
        "board_hash": board_hash(document.codes),
        "board_edges": board_edges.letters_of(NAME, document.quads),
        "board_pieces": board_pieces.digits_of(NAME, [code >> 2 for code in document.codes]),
        "url": viewer_url.write(replace(document, hints=())),
    }
    return orjson.dumps(fields, option=orjson.OPT_INDENT_2).decode()


FORMAT = Format(NAME, "BoardDoc", frozenset({BOARD, IDENTITY, TURNS}), looks_right, read, write, key=NAME)
