"""Facts of the official set, and of sets whose quads do not tell everything."""

from __future__ import annotations

import pytest

from e2.core.instance import Hint
from e2.core.official import MANDATORY_HINT, OFFICIAL_HINTS, official_pieces
from e2.core.pieces import CORNER, FRAME, INNER, PieceSet
from e2.core.quad import shape


def test_the_official_set_is_as_published() -> None:
    pieces = official_pieces()
    assert len(pieces) == 256
    assert pieces.colours == 22
    assert [pieces.kind(piece) for piece in range(256)] == [CORNER] * 4 + [FRAME] * 56 + [INNER] * 196
    assert pieces.is_distinct
    assert pieces.symmetric_pieces == ()


def test_the_official_order_is_that_of_the_smallest_turns() -> None:
    quads = official_pieces().quads
    assert list(quads) == sorted(quads)
    assert all(quad == shape(quad) for quad in quads)


def test_the_official_half_seams_are_as_published() -> None:
    counts = official_pieces().half_seams
    assert counts[0] == 64
    assert [counts[colour] for colour in range(1, 6)] == [24] * 5
    assert sorted(counts[colour] for colour in range(6, 23)) == [48] * 5 + [50] * 12


@pytest.mark.parametrize(
    ("hint", "letters"), list(zip(OFFICIAL_HINTS, ("wlmn", "wswu", "ijjm", "ujvm", "qvpr"), strict=True))
)
def test_the_hints_show_their_published_letters(hint: Hint, letters: str) -> None:
    shown = official_pieces().placed(hint.piece, hint.rot)
    assert "".join(chr(97 + colour) for colour in shown) == letters


def test_the_mandatory_hint_is_number_139_at_i8() -> None:
    assert Hint(135, 138, 0) == MANDATORY_HINT
    assert MANDATORY_HINT in OFFICIAL_HINTS


def test_copies_and_symmetric_pieces_make_a_set_not_distinct() -> None:
    copies = PieceSet(((1, 2, 3, 4), (2, 3, 4, 1), (1, 1, 2, 2)))
    assert not copies.is_distinct
    assert copies.sharing_a_shape == 2
    assert copies.placements[(1, 2, 3, 4)] == ((0, 0), (1, 1))
    symmetric = PieceSet(((1, 2, 1, 2),))
    assert not symmetric.is_distinct
    assert symmetric.symmetric_pieces == (0,)
    assert symmetric.placements[(2, 1, 2, 1)] == ((0, 1), (0, 3))
