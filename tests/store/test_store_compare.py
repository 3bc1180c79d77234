import pytest

from e2.core.board import Board
from e2.core.fingerprint import board_hash, codes_hash, symmetry_hash
from e2.store.compare import BoardSet, Candidate, compared

A = Board(2, 2, (0, 5, 10, 15))
B = Board(2, 2, (3, 5, 10, 15))
C = Board(2, 2, (0, 5, 10, -1))


def boards(name, *candidates):
    return BoardSet(name, tuple(candidates))


def name(board):
    return board_hash(board.codes)


def test_boards_in_common_and_apart_are_told_by_hash():
    found = compared([boards("x", Candidate(A, 4), Candidate(B, 2)), boards("y", Candidate(C, 1), Candidate(A, 4))])
    assert found.common == (name(A),)
    assert found.only == ((name(B),), (name(C),))
    assert found.verdict == "different boards"


def test_order_and_repeats_do_not_matter():
    found = compared(
        [boards("x", Candidate(A, 4), Candidate(B, 2), Candidate(A, 4)), boards("y", Candidate(B, 2), Candidate(A, 4))]
    )
    assert found.same
    assert found.inputs[0].boards == 2
    assert found.verdict == "the same boards"


def test_a_turned_board_is_common_up_to_a_quarter_turn_only():
    found = compared([boards("x", Candidate(A, 4)), boards("y", Candidate(A.turned(), 4))])
    assert found.common == ()
    assert found.common_turned == (symmetry_hash(A),)
    assert not found.same
    assert found.verdict == "the same boards up to a quarter turn"


def test_only_means_in_no_other_set():
    found = compared(
        [boards("x", Candidate(A, 4)), boards("y", Candidate(A, 4), Candidate(B, 2)), boards("z", Candidate(B, 2))]
    )
    assert found.common == ()
    assert found.only == ((), (), ())


def test_best_worst_spread_and_mean_are_of_distinct_boards():
    (standing, empty) = compared([boards("x", Candidate(A, 4), Candidate(A, 4), Candidate(B, 1)), boards("y")]).inputs
    assert (standing.best, standing.worst, standing.spread, standing.mean) == (4, 1, 3, 2.5)
    assert (empty.boards, empty.best, empty.spread, empty.mean) == (0, None, None, None)


@pytest.mark.parametrize(
    ("claimed", "definitions"),
    [
        (None, ()),
        (board_hash(A.codes), ()),
        (codes_hash(A.codes), (("codes", 1),)),
        (int(float(board_hash(A.codes))), (("placement rounded through a double", 1),)),
        (1, (("unknown", 1),)),
    ],
)
def test_a_claim_by_another_definition_is_matched_and_named(claimed, definitions):
    found = compared([boards("x", Candidate(A, 4, claimed)), boards("y", Candidate(A, 4))])
    assert found.same
    assert found.inputs[0].definitions == definitions
