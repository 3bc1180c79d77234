"""board_edges: what each cell shows, four letters a cell.

Cells in row-major order, sides clockwise from the top, `'a' + colour`; `a` is grey and `aaaa` an empty cell. Blanks
and line ends between the letters are skipped. Colours 0 to 25 have a letter; another colour is an error, never a clamp.

    abda aabb ...    cell 0: up grey, right 1, down 3, left grey

Carries what lies on the board, and with a distinct set of pieces also which piece and turn. Loses the size (a square
is taken unless the size is known), the name, the hints, the set; and identity where pieces share a shape.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from e2.core.quad import SIDE_NAMES, Quad
from e2.errors import FormatError
from e2.formats.format import BOARD, Asked, Document, Format, Reading, checked_size, square_side

NAME = "board_edges"
EMPTY_QUAD = (0, 0, 0, 0)
COLOURS_WITH_A_LETTER = 26


def quads_of(
    format: str,
    letters: str,
    width: int,
    height: int,
    *,
    lenient: bool = False,
    colours: Sequence[int] = tuple(range(COLOURS_WITH_A_LETTER)),
    place: str = "board_edges",
) -> tuple[tuple[Quad | None, ...], tuple[str, ...]]:
    """The quads that `letters` show on a board of that size, and warnings.

    `colours` gives the colour of each written letter; a letter beyond it is an error. Lenient reading takes capital
    letters, leaves cells that do not decode empty, ignores what is too much, and says how many cells it took.
    """
    cells = width * height
    if not lenient:
        _check(format, letters, cells, len(colours), place)
    quads: list[Quad | None] = []
    taken = 0
    for cell in range(cells):
        four = letters[4 * cell : 4 * cell + 4].lower() if lenient else letters[4 * cell : 4 * cell + 4]
        values = [ord(letter) - ord("a") for letter in four]
        if len(four) < 4 or not all(0 <= value < len(colours) for value in values):
            quads.append(None)
            continue
        taken += 1
        up, right, down, left = (colours[value] for value in values)
        quad = (up, right, down, left)
        quads.append(None if quad == EMPTY_QUAD else quad)
    warnings = []
    if taken < cells or len(letters) != 4 * cells:
        warnings.append(f"lenient: {taken} of {cells} cells read from {len(letters)} letters")
    if lenient and letters != letters.lower():
        warnings.append("lenient: capital letters read as small ones")
    return tuple(quads), tuple(warnings)


def _check(format: str, letters: str, cells: int, known: int, place: str) -> None:
    last = chr(ord("a") + known - 1)
    for offset, letter in enumerate(letters):
        if not "a" <= letter <= last:
            raise FormatError(
                format,
                f"{letter!r} is no colour: cell {offset // 4}, {SIDE_NAMES[offset % 4]}",
                place=f"{place}, character {offset}",
                expected=f"a letter a to {last}",
            )
    if len(letters) != 4 * cells:
        raise FormatError(
            format, f"{len(letters)} letters", place=place, expected=f"{4 * cells} letters, 4 for each of {cells} cells"
        )


def letters_of(format: str, quads: Sequence[Quad | None], letters: Sequence[int] | None = None) -> str:
    """The text of the quads; `letters` gives the written letter (a = 0) of each colour."""
    known = COLOURS_WITH_A_LETTER if letters is None else len(letters)
    text = []
    for cell, quad in enumerate(quads):
        for side, colour in enumerate(quad or EMPTY_QUAD):
            if not 0 <= colour < known:
                raise FormatError(
                    format,
                    f"colour {colour} has no letter: cell {cell}, {SIDE_NAMES[side]}",
                    place=f"cell {cell}",
                    expected=f"colours 0 to {known - 1}",
                )
            text.append(chr(ord("a") + (colour if letters is None else letters[colour])))
    return "".join(text)


def looks_right(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z\s]*", text) is not None and len(text) >= 4


def read(text: str, asked: Asked) -> Reading:
    """Read bare letters; the board is square unless `asked.size` says otherwise."""
    letters = "".join(text.split())
    if asked.size is not None:
        width, height = checked_size(NAME, *asked.size)
    else:
        if len(letters) % 4 and not asked.lenient:
            raise FormatError(
                NAME, f"{len(letters)} letters", place=f"character {len(letters)}", expected="4 letters for each cell"
            )
        width = height = square_side(NAME, len(letters) // 4, "cells of 4 letters")
    quads, warnings = quads_of(NAME, letters, width, height, lenient=asked.lenient)
    return Reading(NAME, width, height, quads=quads, warnings=warnings)


def write(document: Document) -> str:
    """The letters of the board."""
    assert document.quads is not None
    return letters_of(NAME, document.quads)


FORMAT = Format(NAME, "board_edges, four letters a cell", frozenset({BOARD}), looks_right, read, write, key=NAME)
