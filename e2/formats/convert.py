"""Any form to any other: through a Document, and never with a silent loss."""

from __future__ import annotations

from dataclasses import replace

from e2.core.board import EMPTY, Board
from e2.core.instance import Instance
from e2.core.official import OFFICIAL_HINTS, official_pieces
from e2.core.pieces import PieceSet
from e2.errors import FormatError, LossError
from e2.formats import FORMATS
from e2.formats.detect import format_named
from e2.formats.format import BOARD, CATALOGUE, HINTS, IDENTITY, TURNS, Document, Format, ReadHint, Reading
from e2.formats.hints import NAME as HINTS_NAME
from e2.formats.hints import names_its_pieces
from e2.formats.judge import Judged, judge

Source = Reading | Judged | Document | Instance
KEYS: dict[str, Format] = {format.key: format for format in FORMATS if format.key is not None}
"""The keys of `convert_all`, and the formats they stand for."""


def document(source: Source, instance: Instance | None = None, *, motifs_order: str = "default") -> Document:
    """What a writer needs: the board identified, the set that is known, and the hints with their pieces.

    `instance` is the puzzle that a board belongs to; without one the official set is tried. Raises FormatError.
    """
    if isinstance(source, Document):
        return replace(source, motifs_order=motifs_order)
    if isinstance(source, Instance):
        return replace(_with_hints_placed(Document.of_puzzle(source)), motifs_order=motifs_order)
    if isinstance(source, Reading) and not source.has_board:
        return replace(_puzzle_document(source, instance), motifs_order=motifs_order)
    judged = source if isinstance(source, Judged) else judge(source, instance)
    reading = judged.reading
    if judged.board is None and judged.audit.illegal:
        raise FormatError(reading.format, "; ".join(judged.audit.illegal), expected="cells that show pieces of the set")
    known = judged.instance.pieces if judged.instance is not None else None
    return Document(
        name=reading.name,
        width=judged.grid.width,
        height=judged.grid.height,
        quads=judged.quads,
        codes=None if judged.board is None else judged.board.codes,
        catalogue=None if known is None else known.quads,
        catalogue_given=reading.catalogue is not None,
        hints=tuple(_with_piece(hint, judged) for hint in reading.hints or ()) or _hints_of(instance),
        motifs_order=motifs_order,
    )


def _hints_of(instance: Instance | None) -> tuple[ReadHint, ...]:
    return () if instance is None else tuple(ReadHint(hint.cell, hint.piece, hint.rot) for hint in instance.hints)


def _with_piece(hint: ReadHint, judged: Judged) -> ReadHint:
    """A hint of a link names the piece that lies on its cell."""
    if hint.piece is None and judged.board is not None:
        code = judged.board.codes[hint.cell]
        if code != EMPTY and code & 3 == hint.rot:
            return replace(hint, piece=code >> 2)
    return hint


def _puzzle_document(reading: Reading, instance: Instance | None) -> Document:
    width, height, catalogue = reading.width, reading.height, reading.catalogue
    hints = reading.hints or ()
    if catalogue is None and instance is not None:
        _check_pins(reading, instance)
        width, height, catalogue = instance.width, instance.height, instance.pieces.quads
    pinned = {(hint.cell, hint.rot): hint.piece for hint in (OFFICIAL_HINTS if instance is None else instance.hints)}
    hints = tuple(
        replace(hint, piece=pinned.get((hint.cell, hint.rot))) if hint.piece is None else hint for hint in hints
    )
    if catalogue is None and hints and names_its_pieces(hints) and all(hint.piece is not None for hint in hints):
        width, height, catalogue = 16, 16, official_pieces().quads
    return _with_hints_placed(
        Document(reading.name, width, height, None, None, catalogue, reading.catalogue is not None, hints)
    )


def _check_pins(reading: Reading, instance: Instance) -> None:
    """Refuse pins that are not of this puzzle: of a board of another size, off the board, or of no piece of it."""
    size, name = f"{instance.width}x{instance.height}", f"puzzle {instance.name!r}"
    if reading.width is not None and (reading.width, reading.height) != (instance.width, instance.height):
        read_size = f"{reading.width}x{reading.height}"
        raise FormatError(reading.format, f"the hints are for {read_size}", expected=f"{size}, the size of {name}")
    for hint in reading.hints or ():
        if hint.cell >= instance.grid.cells or (hint.piece or 0) >= len(instance.pieces):
            pinned = "" if hint.piece is None else f", piece number {hint.piece + 1}"
            raise FormatError(
                reading.format,
                f"the hint at {hint.cell}{pinned} is out of range",
                expected=f"one of the {instance.grid.cells} cells and {len(instance.pieces)} pieces of {name}",
            )


def _with_hints_placed(puzzle: Document) -> Document:
    """The puzzle with its pinned pieces on the board, where it has any."""
    placed = {hint.cell: 4 * hint.piece + hint.rot for hint in puzzle.hints if hint.piece is not None}
    if puzzle.catalogue is None or not placed or len(placed) != len(puzzle.hints):
        return puzzle
    codes = tuple(placed.get(cell, EMPTY) for cell in range(puzzle.grid.cells))
    board = Board(puzzle.grid.width, puzzle.grid.height, codes)
    return replace(puzzle, quads=board.quads(PieceSet(puzzle.catalogue)), codes=codes)


def losses(source: Source, target: str, instance: Instance | None = None) -> tuple[str, ...]:
    """What the target cannot carry of this input, in words."""
    format = format_named(target)
    given = document(source, instance)
    lost = _losses_by_nature(given, format)
    return lost if format.strip is None else lost + format.strip(given)[1]


def _losses_by_nature(given: Document, format: Format) -> tuple[str, ...]:
    carries = format.carries
    lost = []
    pinned = {hint.cell for hint in given.hints}
    placed = {cell for cell, quad in enumerate(given.quads or ()) if quad is not None}
    # The cells that only show a puzzle's hints are those hints over again.
    if placed - pinned and not carries & {BOARD, IDENTITY}:
        lost.append(f"the board: {len(placed)} placed pieces")
    if placed and IDENTITY in carries and TURNS not in carries:
        lost.append(f"the turns of {len(placed)} pieces")
    if placed and not given.is_distinct and BOARD in carries and IDENTITY not in carries and given.codes is not None:
        lost.append("identity: which of the pieces that share a shape lies where")
    if given.hints and HINTS not in carries:
        lost.append(f"the pins: {len(given.hints)} hints")
    if format.name == HINTS_NAME and not names_its_pieces(given.hints):
        lost.append("identity: which piece each hint pins")
    is_official = given.catalogue == official_pieces().quads
    if given.catalogue_given and CATALOGUE not in carries and not is_official:
        lost.append(f"the piece set: {len(given.catalogue or ())} pieces")
    return tuple(lost)


def convert(
    source: Source,
    target: str,
    *,
    lossy: bool = False,
    instance: Instance | None = None,
    motifs_order: str = "default",
) -> str:
    """The text in the target format. Raises LossError for a loss that `lossy` does not allow, else FormatError."""
    format = format_named(target)
    given = document(source, instance, motifs_order=motifs_order)
    lost = _losses_by_nature(given, format)
    if format.strip is not None:
        given, stripped = format.strip(given)
        lost += stripped
    text = _written(given, format)
    if lost and not lossy:
        raise LossError(target, lost)
    return text


def convert_all(source: Source, *, instance: Instance | None = None) -> tuple[dict[str, str | None], dict[str, str]]:
    """Every form that can be written, by key, and why not for the others (None there).

    What a form can never carry is left out, as its page says; what it could carry but for this one input makes it
    impossible here.
    """
    given = document(source, instance)
    texts: dict[str, str | None] = {}
    cannot: dict[str, str] = {}
    for key, format in KEYS.items():
        try:
            if format.strip is not None and format.strip(given)[1]:
                raise LossError(format.name, format.strip(given)[1])
            texts[key] = _written(given, format)
        except (FormatError, LossError) as error:
            texts[key] = None
            cannot[key] = str(error)
    return texts, cannot


def _written(given: Document, format: Format) -> str:
    if format.write is None:
        raise FormatError(format.name, "this format is only read", expected=" or ".join(KEYS))
    if BOARD in format.carries and given.quads is None:
        raise FormatError(format.name, "there is no board and no hint in the input", expected="placed pieces")
    return format.write(given)
