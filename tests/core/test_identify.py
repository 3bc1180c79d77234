"""Quads find their pieces; claims decide only where the quads leave a choice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from e2.core.board import EMPTY
from e2.core.grid import Grid
from e2.core.identify import identify
from e2.core.pieces import PieceSet
from e2.core.quad import turned

DISTINCT = PieceSet(((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 0, 0), (3, 0, 0, 4)))
TWINS = PieceSet(((1, 2, 3, 4), (1, 2, 3, 4), (5, 6, 5, 6), (1, 2, 3, 4)))
ROW = Grid(4, 1)


def test_a_distinct_set_needs_no_claims() -> None:
    quads = (DISTINCT.quads[0], DISTINCT.quads[1], turned(DISTINCT.quads[2], 3), None)
    found = identify(Grid(2, 2), DISTINCT, quads)
    assert found.board.codes == (0, 4, 11, EMPTY)
    assert (found.outside, found.disagreeing) == ((), ())


def test_a_quad_of_no_piece_is_outside() -> None:
    found = identify(Grid(2, 2), DISTINCT, ((9, 9, 9, 9), None, DISTINCT.quads[0], None))
    assert found.outside == (0,)
    assert found.board.codes == (EMPTY, EMPTY, 0, EMPTY)


def test_the_edges_win_over_codes_and_numbers() -> None:
    quads = (DISTINCT.quads[0], None, DISTINCT.quads[2], None)
    found = identify(Grid(2, 2), DISTINCT, quads, codes=(0, 4, 12, EMPTY), numbers=(1, EMPTY, 2, EMPTY))
    assert found.board.codes == (0, EMPTY, 8, EMPTY)
    assert found.disagreeing == (0, 1, 2)


def test_codes_tell_alike_pieces_apart() -> None:
    quads = (turned(TWINS.quads[0], 1), (6, 5, 6, 5), TWINS.quads[0], None)
    found = identify(ROW, TWINS, quads, codes=(13, 11, 4, EMPTY))
    assert found.board.codes == (13, 11, 4, EMPTY)
    assert found.disagreeing == ()


def test_numbers_tell_alike_pieces_apart() -> None:
    quads = (turned(TWINS.quads[0], 1), (6, 5, 6, 5), TWINS.quads[0], None)
    found = identify(ROW, TWINS, quads, numbers=(3, 2, 1, EMPTY))
    assert found.board.codes == (13, 9, 4, EMPTY)


def test_without_claims_the_lowest_unused_piece_is_taken() -> None:
    quad = TWINS.quads[0]
    assert identify(ROW, TWINS, (quad, None, quad, quad)).board.codes == (0, EMPTY, 4, 12)


def test_a_claimed_piece_is_not_taken_by_an_earlier_cell() -> None:
    quad = TWINS.quads[0]
    found = identify(ROW, TWINS, (quad, quad, quad, None), codes=(EMPTY, EMPTY, 0, EMPTY))
    assert found.board.codes == (4, 12, 0, EMPTY)


def test_a_shape_with_too_few_pieces_is_used_twice() -> None:
    quad = TWINS.quads[2]
    found = identify(ROW, TWINS, (quad, quad, None, None))
    assert found.board.pieces_used_twice() == (2,)


def test_true_claims_never_disagree_and_always_come_back() -> None:
    @given(st.permutations(range(4)), st.lists(st.integers(0, 3), min_size=4, max_size=4))
    def check(order: list[int], rots: list[int]) -> None:
        codes = tuple(4 * piece + rot for piece, rot in zip(order, rots, strict=True))
        quads = tuple(TWINS.placed(code >> 2, code & 3) for code in codes)
        found = identify(ROW, TWINS, quads, codes, tuple(order))
        assert found.board.codes == codes
        assert found.disagreeing == ()

    check()
