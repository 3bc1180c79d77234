"""A puzzle is checked once, and all its faults come at once."""

from __future__ import annotations

import pytest

from e2.core.instance import Hint, Instance
from e2.core.official import OFFICIAL_HINTS, official_instance, official_pieces
from e2.core.pieces import PieceSet
from e2.errors import PuzzleError

SMALL = ((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 0, 0), (3, 0, 0, 4))


def faults(width: int, height: int, quads: tuple[tuple[int, int, int, int], ...], *hints: Hint) -> str:
    with pytest.raises(PuzzleError) as caught:
        Instance.checked("test", width, height, PieceSet(quads), hints)
    return str(caught.value)


def test_the_official_puzzle_is_sound() -> None:
    assert official_instance().hints == tuple(sorted(OFFICIAL_HINTS))
    assert official_instance().pinned[135] == Hint(135, 138, 0)


def test_every_rectangle_of_sound_pieces_is_sound() -> None:
    assert Instance.checked("test", 2, 2, PieceSet(SMALL), (Hint(3, 3, 0), Hint(0, 0, 0))).hints[0].cell == 0


@pytest.mark.parametrize(
    ("quads", "hints", "fault"),
    [
        (SMALL[:3], (), "3 pieces for 2x2"),
        ((*SMALL[:3], (3, 1, 0, 4)), (), "3 corner pieces, a 2x2 board has 4"),
        ((*SMALL[:3], (3, 0, 0, 5)), (), "colour 4 stands on 1 sides"),
        ((*SMALL[:3], (0, 3, 0, 4)), (), "grey sides face each other"),
        ((*SMALL[:3], (0, 0, 0, 4)), (), "3 grey sides fit no cell"),
        ((*SMALL[:3], (3, 0, 0, -4)), (), "not four colours"),
        (SMALL, (Hint(4, 0, 0),), "cells are 0 to 3"),
        (SMALL, (Hint(0, 4, 0),), "piece 4 is not in the set"),
        (SMALL, (Hint(0, 0, 4),), "rot 4 is not 0 to 3"),
        (SMALL, (Hint(0, 0, 0), Hint(0, 1, 3)), "the cell is pinned twice"),
        (SMALL, (Hint(0, 0, 0), Hint(1, 0, 1)), "piece 0 is pinned twice"),
        (SMALL, (Hint(0, 0, 1),), "turns grey right, to the inside"),
    ],
)
def test_a_fault_is_named(quads: tuple[tuple[int, int, int, int], ...], hints: tuple[Hint, ...], fault: str) -> None:
    assert fault in faults(2, 2, quads, *hints)


def test_a_size_out_of_range_is_the_only_fault() -> None:
    assert "each side must be 1 to 64" in faults(65, 1, SMALL)


def test_all_faults_are_listed_at_once() -> None:
    with pytest.raises(PuzzleError) as caught:
        Instance.checked("test", 16, 16, official_pieces(), (Hint(0, 999, 0), Hint(300, 0, 0), Hint(0, 0, 0)))
    assert len(caught.value.faults) >= 4
