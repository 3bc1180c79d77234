from __future__ import annotations

import time

import pytest

from e2.core.board import Board
from e2.core.generate import SplitMix64, generated
from e2.core.grid import Grid
from e2.core.quad import BORDER
from e2.core.score import score_board
from e2.errors import SettingsError


@pytest.mark.parametrize(
    ("width", "height", "colours", "framed"),
    [(8, 8, 5, False), (8, 8, 8, True), (12, 6, 9, False), (3, 7, 6, False), (2, 2, 4, False), (16, 16, 22, True)],
)
def test_the_planted_board_matches_every_seam(width: int, height: int, colours: int, framed: bool) -> None:
    planted = generated(width, height, colours, 1, framed=framed, pins=3)
    board = Board(width, height, planted.codes)
    assert score_board(board, planted.instance.pieces).breaks == 0
    assert board.pieces_used_twice() == ()
    assert [board.codes[hint.cell] for hint in planted.instance.hints] == [
        4 * hint.piece + hint.rot for hint in planted.instance.hints
    ]
    assert len(planted.instance.hints) == 3


def test_pieces_are_distinct_where_colours_allow_it() -> None:
    assert all(generated(8, 8, 5, seed).instance.pieces.is_distinct for seed in range(5))
    assert not generated(8, 8, 1, 1).instance.pieces.is_distinct


def test_a_large_board_of_one_colour_is_made_in_time() -> None:
    started = time.process_time()
    assert not generated(48, 48, 1, 1).instance.pieces.is_distinct
    assert time.process_time() - started < 10


def test_colours_are_used_evenly_and_all_of_them() -> None:
    counts = generated(8, 8, 5, 4).instance.pieces.half_seams
    assert counts.pop(BORDER) == 32
    assert sorted(counts) == [1, 2, 3, 4, 5]
    assert max(counts.values()) - min(counts.values()) <= 2


def test_framed_seams_have_colours_of_their_own() -> None:
    planted = generated(10, 10, 22, 2, framed=True)
    grid = Grid(10, 10)
    frame_colours, others = set(), set()
    board = Board(10, 10, planted.codes).quads(planted.instance.pieces)
    for seam in grid.seams:
        shown = board[seam.cell]
        assert shown is not None
        on_frame = grid.is_frame_cell(seam.cell) and grid.is_frame_cell(seam.neighbour)
        (frame_colours if on_frame else others).add(shown[seam.side])
    assert len(frame_colours) == 5
    assert len(others) == 17
    assert not frame_colours & others


def test_one_seed_gives_one_instance_and_another_seed_another() -> None:
    assert generated(6, 6, 5, 7) == generated(6, 6, 5, 7)
    assert generated(6, 6, 5, 7).instance.pieces != generated(6, 6, 5, 8).instance.pieces


def test_splitmix64_gives_the_published_numbers() -> None:
    random = SplitMix64(1234567)
    assert [random.below(1 << 64) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((1, 8, 5, 1, False, 0), "width 1 is not 2 to 64"),
        ((8, 65, 5, 1, False, 0), "height 65 is not 2 to 64"),
        ((8, 8, 0, 1, False, 0), "colours: 0 is not 1 to"),
        ((8, 8, 1, 1, True, 0), "framed needs two kinds"),
        ((8, 8, 5, 1, False, 65), "pins: 65 is not 0 to 64"),
        ((8, 8, 5, 1, False, -1), "pins: -1 is not 0 to 64"),
    ],
)
def test_impossible_sizes_are_refused(arguments: tuple[int, int, int, int, bool, int], said: str) -> None:
    width, height, colours, seed, framed, pins = arguments
    with pytest.raises(SettingsError, match=said):
        generated(width, height, colours, seed, framed=framed, pins=pins)
