"""board_pieces: which piece lies on each cell, three digits a cell.

Cells in row-major order; the number is 1-based and `000` means empty. Some tools count from 0: then `000` stands on a
cell that the edges show filled, and the reader says so. More than 999 pieces have no such form.

    001005000...    piece number 1 on cell 0, 5 on cell 1, cell 2 empty

Carries which piece lies where. Loses the turns (so it is no board by itself), the colours, the size, the name, hints.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from e2.core.board import EMPTY
from e2.core.grid import MAX_SIDE
from e2.core.quad import Quad
from e2.errors import FormatError
from e2.formats.format import IDENTITY, Asked, Document, Format, Reading, checked_size, listed, square_side

NAME = "board_pieces"
MOST_PIECES = 999


def numbers_of(
    format: str,
    digits: str,
    width: int,
    height: int,
    quads: Sequence[Quad | None] | None,
    *,
    lenient: bool = False,
    place: str = "board_pieces",
) -> tuple[tuple[int, ...] | None, tuple[str, ...]]:
    """The 0-based pieces (-1 empty) and warnings. Lenient reading leaves a text out that does not decode."""
    try:
        return _numbers_of(format, digits, width, height, quads, place)
    except FormatError as error:
        if not lenient:
            raise
        return None, (f"lenient: board_pieces left out: {error.message}",)


def _numbers_of(
    format: str, digits: str, width: int, height: int, quads: Sequence[Quad | None] | None, place: str
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    cells = width * height
    wrong = re.search(r"[^0-9]", digits)
    if wrong is not None:
        offset = wrong.start()
        raise FormatError(format, f"{wrong[0]!r} is no digit", place=f"{place}, character {offset}", expected="0 to 9")
    if len(digits) != 3 * cells:
        raise FormatError(
            format, f"{len(digits)} digits", place=place, expected=f"{3 * cells} digits, 3 for each of {cells} cells"
        )
    numbers = [int(digits[3 * cell : 3 * cell + 3]) for cell in range(cells)]
    for cell, number in enumerate(numbers):
        if number > cells:
            raise FormatError(
                format,
                f"piece number {number} on cell {cell} is out of range",
                place=f"{place}, cell {cell}",
                expected=f"000 to {cells:03}",
            )
    zeros = [] if quads is None else [cell for cell, number in enumerate(numbers) if not number and quads[cell]]
    if quads is not None and zeros and max(numbers) < cells:
        warning = f"board_pieces is 0-based here: 000 stands on filled cell {listed(zeros)}"
        return tuple(EMPTY if quads[cell] is None else number for cell, number in enumerate(numbers)), (warning,)
    return tuple(number - 1 for number in numbers), ()


def digits_of(format: str, numbers: Sequence[int]) -> str:
    """The text of 0-based pieces (-1 empty)."""
    if max(numbers, default=0) >= MOST_PIECES:
        raise FormatError(format, f"piece number {max(numbers) + 1} has more than 3 digits", expected="at most 999")
    return "".join(f"{number + 1:03}" for number in numbers)


def looks_right(text: str) -> bool:
    words = text.split(None, MAX_SIDE)
    return len("".join(words)) > 3 and all(re.fullmatch(r"([0-9]{3})+", word) is not None for word in words)


def read(text: str, asked: Asked) -> Reading:
    """Read bare digits; the board is square unless `asked.size` says otherwise."""
    digits = "".join(text.split())
    if asked.size is not None:
        width, height = checked_size(NAME, *asked.size)
    else:
        width = height = square_side(NAME, len(digits) // 3, "cells of 3 digits")
    numbers, warnings = numbers_of(NAME, digits, width, height, None, lenient=asked.lenient)
    return Reading(NAME, width, height, numbers=numbers, warnings=warnings)


def write(document: Document) -> str:
    """The numbers of the placed pieces."""
    if document.codes is None:
        raise FormatError(NAME, "the pieces are not known", expected="a piece set that has all cells of the board")
    return digits_of(NAME, [code >> 2 for code in document.codes])


FORMAT = Format(NAME, "board_pieces, three digits a cell", frozenset({IDENTITY}), looks_right, read, write, key=NAME)
