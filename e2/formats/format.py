"""The hub that all formats share: what was read, what a format can carry, and how a format is recognised."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from e2.core.quad import Quad


@dataclass(frozen=True)
class ReadHint:
    """A hint as read: `piece` is None where the format names only the cell and the turn."""

    cell: int
    piece: int | None
    rot: int


@dataclass(frozen=True)
class Claims:
    """What a document says of itself. Recomputed and compared, never believed."""

    score: int | None = None
    breaks: int | None = None
    placed: int | None = None
    board_hash: int | str | None = None


@dataclass(frozen=True)
class Reading:
    """What one text says, before any piece set has been held against it. Absent parts are None.

    `quads`, `codes` and `numbers` are row-major and `width * height` long. `quads[cell]` is None where the cell is
    empty. `codes` are placement codes (4 * piece + rot, -1 empty) as the text claims them; `numbers` are 0-based
    pieces without a turn (-1 empty). `catalogue` is a set of pieces in order. Edges (quads) win over codes, and codes
    over numbers, wherever they disagree; `core.identify` decides and says where.
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
    claims: Claims = Claims()
    warnings: tuple[str, ...] = ()


QUADS, PIECES, HINTS, CATALOGUE = "quads", "pieces", "hints", "catalogue"
"""What a format can carry. PIECES means identity and turn of every placed piece."""


@dataclass(frozen=True)
class Format:
    """One way to write a board or a puzzle.

    `read` turns a text into a Reading or raises a FormatError; `looks_right` is a cheap guess that decides detection;
    `write` is None for formats that are only read. `key` is the key of `e2 convert --json`.
    """

    name: str
    title: str
    carries: frozenset[str]
    looks_right: Callable[[str], bool]
    read: Callable[[str, bool], Reading]
    key: str | None = None
