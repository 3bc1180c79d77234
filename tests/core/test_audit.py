"""The audit finds each fault apart."""

from __future__ import annotations

from e2.core.audit import Claims, Holding, audit, frame_violations, longest_run
from e2.core.board import EMPTY, Board
from e2.core.fingerprint import board_hash, codes_hash, edges_sha1
from e2.core.grid import Grid
from e2.core.instance import Hint
from e2.core.pieces import PieceSet
from e2.core.quad import Quad

GRID = Grid(2, 2)
PIECES = PieceSet(((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 0, 0), (3, 0, 0, 4)))
SOLVED = (0, 4, 8, 12)


def held(codes: tuple[int, ...], hints: tuple[Hint, ...] = (), outside: tuple[int, ...] = ()) -> Holding:
    return Holding(PIECES, Board(2, 2, codes), outside, hints, hints[0] if hints else None)


def quads_of(codes: tuple[int, ...]) -> tuple[Quad | None, ...]:
    return Board(2, 2, codes).quads(PIECES)


def test_a_solved_board_has_no_fault() -> None:
    seen = audit(GRID, quads_of(SOLVED), held=held(SOLVED, (Hint(0, 0, 0),)))
    assert (seen.score, seen.max_score, seen.breaks, seen.placed, seen.mismatched) == (4, 4, 0, 4, 0)
    assert (seen.duplicates, seen.outside_set, seen.frame_violations, seen.longest_run) == ((), 0, 0, 4)
    assert (seen.hints_kept, seen.hints_total, seen.mandatory_hint_kept) == (1, 1, True)
    assert seen.board_hash == board_hash(SOLVED)
    assert seen.is_legal
    assert seen.warnings == ()


def test_empty_cells_are_breaks_but_not_mismatched() -> None:
    codes = (0, EMPTY, 8, EMPTY)
    seen = audit(GRID, quads_of(codes), held=held(codes))
    assert (seen.score, seen.breaks, seen.mismatched, seen.placed) == (1, 3, 0, 2)


def test_a_piece_used_twice_is_illegal() -> None:
    codes = (0, 4, 8, 0)
    seen = audit(GRID, quads_of(codes), held=held(codes))
    assert seen.duplicates == (1,)
    assert not seen.is_legal


def test_a_cell_outside_the_set_is_illegal_and_leaves_no_hash() -> None:
    seen = audit(GRID, ((9, 9, 9, 9), *quads_of(SOLVED)[1:]), held=held((EMPTY, 4, 8, 12), outside=(0,)))
    assert seen.outside_set == 1
    assert seen.board_hash is None
    assert seen.symmetry_hash is None
    assert not seen.is_legal


def test_a_broken_hint_and_a_broken_frame_are_reported_and_legal() -> None:
    codes = (1, 4, 8, 12)
    seen = audit(GRID, quads_of(codes), held=held(codes, (Hint(0, 0, 0),)))
    assert (seen.hints_kept, seen.mandatory_hint_kept, seen.frame_violations) == (0, False, 1)
    assert any("frame violations: 1" in warning for warning in seen.warnings)
    assert seen.is_legal


def test_without_a_set_only_what_needs_none_is_reported() -> None:
    seen = audit(GRID, quads_of(SOLVED))
    assert seen.score == 4
    assert (seen.duplicates, seen.outside_set, seen.hints_kept, seen.board_hash, seen.symmetry_hash) == (None,) * 5
    assert not seen.official_set
    assert seen.is_legal


def test_wrong_claims_are_named_with_the_truth() -> None:
    seen = audit(GRID, quads_of(SOLVED), held=held(SOLVED), claims=Claims(score=3, breaks=1, placed=5, board_hash=7))
    assert seen.warnings == (
        "claimed board_hash 7 fits no known definition",
        "claimed score 3 is wrong: the board has 4",
        "claimed breaks 1 is wrong: the board has 0",
        "claimed placed 5 is wrong: the board has 4",
    )


def test_right_claims_are_silent_and_the_hash_definition_is_named() -> None:
    claims = Claims(score=4, breaks=0, placed=4, board_hash=board_hash(SOLVED))
    seen = audit(GRID, quads_of(SOLVED), held=held(SOLVED), claims=claims)
    assert (seen.hash_definition, seen.warnings) == ("placement", ())


def test_another_published_hash_is_recognised_and_named() -> None:
    letters = "abcaaadbceaadaae"
    for claim, definition in ((codes_hash(SOLVED), "codes"), (edges_sha1(letters), "edges-sha1")):
        seen = audit(GRID, quads_of(SOLVED), held=held(SOLVED), board_edges=letters, claims=Claims(board_hash=claim))
        assert seen.hash_definition == definition
        assert definition in seen.warnings[0]


def test_a_turned_board_has_the_same_symmetry_hash_and_another_hash() -> None:
    turned = Board(2, 2, SOLVED).turned().codes
    first = audit(GRID, quads_of(SOLVED), held=held(SOLVED))
    second = audit(GRID, quads_of(turned), held=held(turned))
    assert first.score == second.score
    assert first.board_hash != second.board_hash
    assert first.symmetry_hash == second.symmetry_hash


def test_grey_inside_and_colour_on_the_rim_are_frame_violations() -> None:
    quads = ((0, 0, 1, 1), None, (1, 1, 0, 0), (1, 1, 0, 1))
    assert frame_violations(GRID, quads) == (0, 3)


def test_the_longest_run_crosses_row_ends() -> None:
    quad = (1, 1, 1, 1)
    assert longest_run((quad, None, quad, quad)) == 2
    assert longest_run((None,) * 4) == 0
