"""Everything that can be wrong with a board, in one record. A score alone is not enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from e2.core.board import EMPTY, Board
from e2.core.fingerprint import EDGES_SHA1, PLACEMENT, board_hash, edges_sha1, recognised, symmetry_hash
from e2.core.grid import Grid
from e2.core.instance import Hint, Instance
from e2.core.pieces import PieceSet
from e2.core.quad import BORDER, Quad
from e2.core.score import score_board, score_quads


@dataclass(frozen=True)
class Claims:
    """What a document says of itself. Recomputed and compared, never believed."""

    score: int | None = None
    breaks: int | None = None
    placed: int | None = None
    board_hash: int | str | None = None


@dataclass(frozen=True)
class Audit:
    """What a board is, each fault apart. None stands where the answer needs a piece set and none is known."""

    width: int
    height: int
    score: int  # matched seams
    max_score: int
    breaks: int  # max_score - score, so seams at empty cells count
    placed: int  # cells with a piece
    mismatched: int  # seams between two placed pieces that do not match
    duplicates: tuple[int, ...] | None  # piece numbers (1-based) that lie on more than one cell
    outside_set: int | None  # filled cells that show no piece of the set
    frame_violations: int  # filled cells with grey turned inside or colour on the rim
    hints_kept: int | None
    hints_total: int | None
    mandatory_hint_kept: bool | None  # the official piece 139 on its cell
    longest_run: int  # longest row of filled cells in reading order
    official_set: bool  # every filled cell shows a piece of the official set, none twice
    board_hash: int | None  # None where a cell is outside the set
    symmetry_hash: int | None
    hash_definition: str | None  # which published definition gives the claimed hash; None where none does
    motifs_order: str | None  # the letter order under which the cells are in the set; None is the default one
    claimed: Claims
    illegal: tuple[str, ...]  # why this is no board of its set; empty for a legal one
    warnings: tuple[str, ...]

    @property
    def is_legal(self) -> bool:
        """Whether the board is made of the pieces of its set, none twice.

        Frame faults and hints that are not kept make a board weaker, not illegal: the record boards keep one of
        five hints.
        """
        return not self.illegal


@dataclass(frozen=True)
class Holding:
    """A board held against a set: the set, the placements found, the cells outside it, and the hints to keep."""

    pieces: PieceSet
    board: Board
    outside: tuple[int, ...]
    hints: tuple[Hint, ...]
    mandatory: Hint | None


def frame_violations(grid: Grid, quads: Sequence[Quad | None]) -> tuple[int, ...]:
    """The filled cells with grey on an inner side or a colour on the rim."""
    return tuple(
        cell
        for cell, quad in enumerate(quads)
        if quad is not None and {side for side in range(4) if quad[side] == BORDER} != set(grid.rim_sides(cell))
    )


def longest_run(quads: Sequence[Quad | None]) -> int:
    """The length of the longest run of filled cells in reading order."""
    longest = run = 0
    for quad in quads:
        run = 0 if quad is None else run + 1
        longest = max(longest, run)
    return longest


def audit(
    grid: Grid,
    quads: Sequence[Quad | None],
    *,
    held: Holding | None = None,
    official_set: bool = False,
    outside_official: int | None = None,
    board_edges: str | None = None,
    motifs_order: str | None = None,
    claims: Claims | None = None,
    illegal: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (),
) -> Audit:
    """Judge what the cells show; `held` adds what only a piece set can tell.

    A board that is held against none has no codes to hash, so a claimed hash can only be that of the letters.
    `outside_official` counts the cells outside the official set for a board that is held against none;
    `board_edges` are the default letters, for the hash definitions that are made of them; `illegal` and `warnings`
    go before what is found here.
    """
    claims = claims or Claims()
    score = score_quads(grid, quads)
    placed = sum(quad is not None for quad in quads)
    off_frame = frame_violations(grid, quads)
    duplicates: tuple[int, ...] | None = None
    outside = outside_official
    kept = total = fingerprint = turned_fingerprint = definition = mandatory_kept = None
    illegal_here: list[str] = []
    notes: list[str] = []
    if held is not None:
        codes = held.board.codes
        duplicates = tuple(piece + 1 for piece in held.board.pieces_used_twice())
        outside = len(held.outside)
        kept = sum(codes[hint.cell] == 4 * hint.piece + hint.rot for hint in held.hints)
        total = len(held.hints)
        if held.mandatory is not None:
            mandatory_kept = codes[held.mandatory.cell] == 4 * held.mandatory.piece + held.mandatory.rot
        if duplicates:
            illegal_here.append(f"piece numbers used more than once: {_listed(duplicates)}")
        if outside:
            illegal_here.append(f"{outside} of {placed} cells show no piece of the set: {_listed(held.outside)}")
        else:
            fingerprint, turned_fingerprint = board_hash(codes), symmetry_hash(held.board)
        if claims.board_hash is not None and not outside:
            definition = recognised(claims.board_hash, codes, board_edges)
            notes.extend(_hash_notes(claims.board_hash, definition))
    elif claims.board_hash is not None and board_edges is not None and claims.board_hash == edges_sha1(board_edges):
        definition = EDGES_SHA1
        notes.extend(_hash_notes(claims.board_hash, definition))
    if off_frame:
        notes.append(f"frame violations: {len(off_frame)} cells turn grey inside or a colour to the rim")
    for word, claimed, found in (
        ("score", claims.score, score.matched),
        ("breaks", claims.breaks, score.breaks),
        ("placed", claims.placed, placed),
    ):
        if claimed is not None and claimed != found:
            notes.append(f"claimed {word} {claimed} is wrong: the board has {found}")
    return Audit(
        width=grid.width,
        height=grid.height,
        score=score.matched,
        max_score=score.max_score,
        breaks=score.breaks,
        placed=placed,
        mismatched=len(score.mismatched),
        duplicates=duplicates,
        outside_set=outside,
        frame_violations=len(off_frame),
        hints_kept=kept,
        hints_total=total,
        mandatory_hint_kept=mandatory_kept,
        longest_run=longest_run(quads),
        official_set=official_set and not duplicates and not outside,
        board_hash=fingerprint,
        symmetry_hash=turned_fingerprint,
        hash_definition=definition,
        motifs_order=motifs_order,
        claimed=claims,
        illegal=illegal + tuple(illegal_here),
        warnings=warnings + tuple(notes),
    )


def _hash_notes(claimed: int | str, definition: str | None) -> list[str]:
    if definition is None:
        return [f"claimed board_hash {str(claimed)[:24]} fits no known definition"]
    if definition != PLACEMENT:
        return [f"claimed board_hash {claimed} is not the placement hash but: {definition}"]
    return []


def _listed(values: Sequence[int], most: int = 12) -> str:
    text = ", ".join(str(value) for value in values[:most])
    return text + (f" and {len(values) - most} more" if len(values) > most else "")


def board_faults(codes: tuple[int, ...], claimed_score: int, instance: Instance) -> Iterator[str]:
    """Everything that makes this no board of the puzzle, or not the one that was claimed. Empty for a sound one."""
    pieces, grid = instance.pieces, instance.grid
    if len(codes) != grid.cells:
        yield f"{len(codes)} cells, the puzzle has {grid.cells}"
        return
    strange = [code for code in codes if not EMPTY <= code < 4 * len(pieces)]
    if strange:
        yield f"code {strange[0]} is no placement of the puzzle's {len(pieces)} pieces"
        return
    board = Board(grid.width, grid.height, codes)
    for piece in board.pieces_used_twice():
        yield f"piece {piece} lies on more than one cell"
    for cell, hint in instance.pinned.items():
        if codes[cell] != 4 * hint.piece + hint.rot:
            yield f"the piece pinned at cell {cell} was moved"
    for cell in frame_violations(grid, board.quads(pieces)):
        yield f"cell {cell} turns grey inside or a colour to the rim"
    score = score_board(board, pieces).matched
    if score != claimed_score:
        yield f"the engine claims {claimed_score} matched seams, the board has {score}"
