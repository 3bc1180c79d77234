"""A Reading held against a piece set: the board it means, and the audit of that board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from e2.core.audit import Audit, Holding, audit, frame_violations
from e2.core.board import EMPTY, Board
from e2.core.grid import Grid
from e2.core.identify import identify
from e2.core.instance import Hint, Instance
from e2.core.official import MANDATORY_HINT, official_instance, official_pieces
from e2.core.pieces import PieceSet
from e2.core.quad import Quad
from e2.core.score import score_quads
from e2.errors import FormatError
from e2.formats import board_edges, motifs_order
from e2.formats.format import Reading, listed

_OFFICIAL_GRID = Grid(16, 16)


@dataclass(frozen=True)
class Judged:
    """A board with its audit. `board` and `instance` are None where the cells belong to no known set."""

    reading: Reading
    grid: Grid
    quads: tuple[Quad | None, ...]
    board: Board | None
    instance: Instance | None
    audit: Audit


@dataclass(frozen=True)
class _Frame:
    """How an author counts: turns to add, and a map of the few pieces that are exceptions."""

    turns: int
    exceptions: tuple[tuple[int, int, int], ...] = ()  # (piece there, piece here, turns to add), pieces 0-based

    def codes(self, codes: tuple[int, ...]) -> tuple[int, ...]:
        moved = {piece: (here, turns) for piece, here, turns in self.exceptions}
        result = []
        for code in codes:
            piece, turns = moved.get(code >> 2, (code >> 2, self.turns))
            result.append(EMPTY if code == EMPTY else 4 * piece + (code + turns) % 4)
        return tuple(result)

    def __str__(self) -> str:
        text = f"rot here = rot + {self.turns}"
        for piece, here, turns in self.exceptions:
            text += f"; number {piece + 1} is {here + 1} with rot + {turns}"
        return text


_FRAMES = tuple(_Frame(turns) for turns in (2, 0, 1, 3))
# A public piece file that several solvers share swaps two numbers and turns two pieces against the rest.
_SWAPPED_FILE = _Frame(2, ((111, 112, 2), (112, 111, 2), (181, 181, 3), (182, 182, 3)))


def judge(reading: Reading, instance: Instance | None = None) -> Judged:
    """Find the placements and judge them.

    Without an instance the board is held against the official set where at least half of its cells fit it; else only
    what needs no set is reported. Raises FormatError where the reading holds no board.
    """
    if not reading.has_board:
        raise FormatError(reading.format, "there is no board in it", expected="a board")
    assert reading.width is not None
    assert reading.height is not None
    grid = Grid(reading.width, reading.height)
    if instance is None and reading.catalogue is not None:
        instance = own_instance(reading)
    if instance is not None and (instance.width, instance.height) != (grid.width, grid.height):
        raise FormatError(
            reading.format,
            f"the board is {grid.width}x{grid.height}",
            expected=f"{instance.width}x{instance.height}, the size of puzzle {instance.name!r}",
        )
    reading, notes = _with_quads(reading, grid, instance)
    quads = reading.quads
    assert quads is not None
    pieces = instance.pieces if instance is not None else official_pieces() if grid == _OFFICIAL_GRID else None
    outside = 0 if pieces is None else _outside(quads, pieces)
    order = reading.motifs_order
    illegal: tuple[str, ...] = ()
    if pieces is not None and outside:
        order, illegal, more = _other_letters(reading, grid, quads, pieces)
        notes += more
    if instance is None and pieces is not None and 2 * outside <= sum(quad is not None for quad in quads):
        instance = official_instance()
    held = None
    if instance is not None:
        identified = identify(grid, instance.pieces, quads, reading.codes, reading.numbers)
        if identified.disagreeing:
            cells = listed(identified.disagreeing)
            notes += (f"board or board_pieces disagrees with the edges on cells {cells}: the edges win",)
        mandatory = MANDATORY_HINT if instance.pieces == official_pieces() else None
        held = Holding(instance.pieces, identified.board, identified.outside, instance.hints, mandatory)
    seen = audit(
        grid,
        quads,
        held=held,
        official_set=held is not None and held.pieces == official_pieces(),
        outside_official=None if pieces is None else outside,
        board_edges=_letters_or_none(quads),
        motifs_order=order,
        claims=reading.claims,
        illegal=illegal,
        warnings=reading.warnings + notes,
    )
    return Judged(reading, grid, quads, None if held is None or held.outside else held.board, instance, seen)


def own_instance(reading: Reading) -> Instance:
    """The puzzle that the reading itself carries, all its faults in one PuzzleError."""
    if reading.catalogue is None or reading.width is None or reading.height is None:
        raise FormatError(reading.format, "there is no piece set in it", expected="a puzzle")
    hints = []
    for hint in reading.hints or ():
        if hint.piece is None:
            raise FormatError(reading.format, f"the hint at {hint.cell} names no piece", expected="a piece")
        hints.append(Hint(hint.cell, hint.piece, hint.rot))
    return Instance.checked(
        reading.name or reading.format, reading.width, reading.height, PieceSet(reading.catalogue), tuple(hints)
    )


def _with_quads(reading: Reading, grid: Grid, instance: Instance | None) -> tuple[Reading, tuple[str, ...]]:
    """The reading with what each cell shows; placements without colours get them from the set."""
    if reading.quads is not None:
        if reading.codes is not None and reading.turns_unsure:
            return replace(reading, codes=_Frame(2).codes(reading.codes)), (f"rotation convention: {_Frame(2)}",)
        return reading, ()
    if reading.codes is None:
        raise FormatError(
            reading.format,
            "piece numbers alone are no board: they do not say how the pieces are turned",
            expected="board_edges beside them",
        )
    if instance is None and grid != _OFFICIAL_GRID:
        raise FormatError(reading.format, "placements by number need their piece set", expected="a puzzle to go with")
    pieces = official_pieces() if instance is None else instance.pieces
    frames: tuple[_Frame, ...] = (_Frame(0),)
    if reading.turns_unsure:
        frames = (*_FRAMES, _SWAPPED_FILE) if pieces == official_pieces() else _FRAMES
    trials = [(frame, frame.codes(reading.codes)) for frame in frames]
    frame, codes = min(trials, key=lambda trial: _misfit(grid, pieces, trial[1]))
    notes = (f"rotation convention: {frame}",) if reading.turns_unsure else ()
    quads = Board(grid.width, grid.height, codes).quads(pieces)
    return replace(reading, codes=codes, quads=quads), notes


def _misfit(grid: Grid, pieces: PieceSet, codes: tuple[int, ...]) -> tuple[int, int]:
    """How badly a frame fits: first by cells off the frame, then by seams."""
    quads = Board(grid.width, grid.height, codes).quads(pieces)
    return len(frame_violations(grid, quads)), -score_quads(grid, quads).matched


def _outside(quads: tuple[Quad | None, ...], pieces: PieceSet) -> int:
    """How many filled cells show no piece of the set."""
    return sum(quad is not None and quad not in pieces.placements for quad in quads)


def _other_letters(
    reading: Reading, grid: Grid, quads: tuple[Quad | None, ...], pieces: PieceSet
) -> tuple[str | None, tuple[str, ...], tuple[str, ...]]:
    """Whether the cells fit the set when read another way: the order, what that makes illegal, and what to say.

    A missing label is only worth a word. A label that is there and wrong, or sides in counter-clockwise order, mean
    that the text says something else than its author meant: that is a fault of the board as it is written.
    """
    placed = sum(quad is not None for quad in quads)
    label = reading.motifs_order
    misfit = f"{_outside(quads, pieces)} of {placed} cells are not in the set"
    for order, mirrored, trial in _rereadings(quads, label or motifs_order.DEFAULT):
        if _outside(trial, pieces):
            continue
        if mirrored:
            fault = f"{misfit}: the sides are written counter-clockwise"
            return label, (fault,), (f"{fault}; up, left, down, right fits all",)
        hint = f"with motifs_order={order} all {placed} cells are in the set, score {score_quads(grid, trial).matched}"
        if label is None:
            return order, (), (f"motifs_order is missing: {hint}",)
        fault = f"{misfit}: motifs_order={label} is wrong"
        return order, (fault,), (f"{fault}; {hint}",)
    return label, (), ()


def _rereadings(quads: tuple[Quad | None, ...], label: str) -> Iterator[tuple[str, bool, tuple[Quad | None, ...]]]:
    """The other ways to read the letters: order, whether the sides were counter-clockwise, and the quads."""
    if any(quad is not None and max(quad) >= motifs_order.LETTERS for quad in quads):
        return
    for order in (motifs_order.DEFAULT, "jef", "jblackwood"):
        reread = motifs_order.reread(quads, label, order)
        for mirrored in (False, True):
            if mirrored:
                reread = tuple(None if quad is None else (quad[0], quad[3], quad[2], quad[1]) for quad in reread)
            yield order, mirrored, reread


def _letters_or_none(quads: tuple[Quad | None, ...]) -> str | None:
    """The default letters, or None where a colour has none."""
    if any(quad is not None and max(quad) >= board_edges.COLOURS_WITH_A_LETTER for quad in quads):
        return None
    return board_edges.letters_of(board_edges.NAME, quads)
