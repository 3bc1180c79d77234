"""Boards of placement codes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from e2.core.board import EMPTY, Board
from e2.core.pieces import PieceSet
from e2.core.score import score_board

PIECES = PieceSet(((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 0, 0), (3, 0, 0, 4), (1, 2, 3, 4), (1, 1, 2, 2)))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    width, height = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    codes = st.lists(st.integers(EMPTY, 4 * len(PIECES) - 1), min_size=width * height, max_size=width * height)
    return Board(width, height, tuple(draw(codes)))


@given(boards())
def test_a_turn_of_the_whole_board_keeps_the_score(board: Board) -> None:
    assert score_board(board.turned(), PIECES).matched == score_board(board, PIECES).matched
    assert board.turned().placed == board.placed


@given(boards())
def test_four_turns_bring_the_board_back(board: Board) -> None:
    assert board.turned().turned().turned().turned() == board


def test_a_board_shows_its_pieces_as_they_are_turned() -> None:
    board = Board(2, 1, (4 * 4 + 1, EMPTY))
    assert board.quads(PIECES) == ((4, 1, 2, 3), None)
    assert board.placed == 1


def test_pieces_used_twice_are_each_named_once() -> None:
    assert Board(3, 2, (4, 5, 6, 20, EMPTY, EMPTY)).pieces_used_twice() == (1,)
