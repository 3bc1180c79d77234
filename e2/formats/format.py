"""The hub that all formats share: what was read, what is to be written, and what a format can carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import isqrt

from e2.core.audit import Claims
from e2.core.board import Board
from e2.core.grid import MAX_SIDE, Grid
from e2.core.instance import Instance
from e2.core.pieces import PieceSet
from e2.core.quad import Quad
from e2.errors import FormatError

MAX_TEXT = 8_000_000
"""The longest text, in characters, that is read at all. The longest sound document is below a tenth of it."""
MAX_NAME = 200
"""Longer names are cut when read."""
MAX_COLOUR = 65534
"""The largest colour that any format can write: Puzzle CSV keeps the last 16-bit word for grey."""


@dataclass(frozen=True)
class ReadHint:
    """A hint as read: `piece` is None where the format names only the cell and the turn."""

    cell: int
    piece: int | None
    rot: int


@dataclass(frozen=True)
class Reading:
    """What one text says, before any piece set has been held against it. Absent parts are None.

    `quads`, `codes` and `numbers` are row-major and `width * height` long. `quads[cell]` is None where the cell is
    empty. `codes` are placement codes (4 * piece + rot, -1 empty) as the text claims them; `numbers` are 0-based
    pieces without a turn (-1 empty). `catalogue` is a set of pieces in order. Edges (quads) win over codes, and codes
    over numbers, wherever they disagree; `core.identify` decides and says where. `turns_unsure` marks codes whose
    turns count from a catalogue that the text does not show.
    """

    format: str
    width: int | None = None
    height: int | None = None
    name: str | None = None
    quads: tuple[Quad | None, ...] | None = None
    codes: tuple[int, ...] | None = None
    numbers: tuple[int, ...] | None = None
    hints: tuple[ReadHint, ...] | None = None
    catalogue: tuple[Quad, ...] | None = None
    motifs_order: str | None = None
    turns_unsure: bool = False
    claims: Claims = field(default_factory=Claims)
    warnings: tuple[str, ...] = ()

    @property
    def has_board(self) -> bool:
        return self.quads is not None or self.codes is not None or self.numbers is not None


@dataclass(frozen=True)
class Asked:
    """How to read: `lenient` takes what decodes; `size` is (width, height) for a text that does not say it."""

    lenient: bool = False
    size: tuple[int, int] | None = None


@dataclass(frozen=True)
class Document:
    """What a writer is given: a board, a puzzle, or both. Absent parts are None; all of it has been checked.

    `codes` point into `catalogue` and are None where no set is known. `catalogue_given` says that the set came with
    the input, so that leaving it out loses something.
    """

    name: str | None = None
    width: int | None = None
    height: int | None = None
    quads: tuple[Quad | None, ...] | None = None
    codes: tuple[int, ...] | None = None
    catalogue: tuple[Quad, ...] | None = None
    catalogue_given: bool = False
    hints: tuple[ReadHint, ...] = ()
    motifs_order: str = "default"

    @classmethod
    def of_puzzle(cls, instance: Instance) -> Document:
        """A puzzle, as a writer of puzzles takes it."""
        return cls(
            name=instance.name,
            width=instance.width,
            height=instance.height,
            catalogue=instance.pieces.quads,
            catalogue_given=True,
            hints=tuple(ReadHint(hint.cell, hint.piece, hint.rot) for hint in instance.hints),
        )

    @classmethod
    def of_board(cls, board: Board, instance: Instance) -> Document:
        """A board of a puzzle, as a writer of boards takes it: without the pins, which the puzzle keeps."""
        return cls(
            name=instance.name,
            width=board.width,
            height=board.height,
            quads=board.quads(instance.pieces),
            codes=board.codes,
            catalogue=instance.pieces.quads,
        )

    @cached_property
    def grid(self) -> Grid:
        assert self.width is not None
        assert self.height is not None
        return Grid(self.width, self.height)

    @cached_property
    def is_distinct(self) -> bool:
        """Whether the quads tell every piece and turn; True where no set is known."""
        return self.catalogue is None or PieceSet(self.catalogue).is_distinct

    @property
    def is_square(self) -> bool:
        return self.width == self.height


BOARD, IDENTITY, TURNS, HINTS, CATALOGUE = "board", "identity", "turns", "hints", "catalogue"
"""What a format can carry: what lies on each cell; which piece it is; how it is turned; pins; the set of pieces."""


@dataclass(frozen=True)
class Format:
    """One way to write a board or a puzzle.

    `read` turns a text into a Reading or raises a FormatError; `looks_right` is a cheap guess that decides detection.
    `write` is None for formats that are only read; it raises a FormatError where the document has no such form.
    `strip` takes out of a document what this format cannot hold although it carries that kind of thing, and says what.
    `key` is the key of `e2 convert --json`.
    """

    name: str
    title: str
    carries: frozenset[str]
    looks_right: Callable[[str], bool]
    read: Callable[[str, Asked], Reading]
    write: Callable[[Document], str] | None = None
    strip: Callable[[Document], tuple[Document, tuple[str, ...]]] | None = None
    key: str | None = None


def checked_size(format: str, width: int, height: int, place: str = "size") -> tuple[int, int]:
    """The size, or a FormatError before anything is allocated for it."""
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise FormatError(
            format, f"size {width}x{height} is out of range", place=place, expected=f"sides of 1 to {MAX_SIDE}"
        )
    return width, height


def square_side(format: str, cells: int, what: str) -> int:
    """The side of a square board of that many cells, for a text that does not say its size."""
    side = isqrt(cells)
    if side * side != cells or side == 0:
        raise FormatError(format, f"{cells} {what} make no square board", expected="a square number, or the size")
    checked_size(format, side, side)
    return side


def bounded_name(name: str | None) -> tuple[str | None, tuple[str, ...]]:
    """The name, cut to MAX_NAME characters, with a warning where it was cut."""
    if name is None or len(name) <= MAX_NAME:
        return name, ()
    return name[:MAX_NAME], (f"the name has {len(name)} characters and was cut to {MAX_NAME}",)


def listed(cells: tuple[int, ...] | list[int], most: int = 12) -> str:
    """Cells for a message: the first few, and how many more."""
    text = ", ".join(str(cell) for cell in cells[:most])
    return text + (f" and {len(cells) - most} more" if len(cells) > most else "")
