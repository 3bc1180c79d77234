"""Exact numbers of ways to fill a block of the official board, as published and counted anew by others.

A block is filled row by row with distinct pieces that have grey exactly on the rim of the board; "fixed" takes the
mandatory piece out of the pool, or pins it where its cell lies in the block; "five" does so with all hints.
"""

from __future__ import annotations

import pytest

from e2.core.instance import Hint, Instance
from e2.core.official import MANDATORY_HINT, OFFICIAL_HINTS, official_pieces
from e2.kernels.tables import build_tables
from e2.search.descent import Descent

NONE, FIXED, FIVE = (), (MANDATORY_HINT,), OFFICIAL_HINTS


def block_count(hints: tuple[Hint, ...], left: int, top: int, width: int, height: int) -> tuple[int, int]:
    """Fillings of a block, and the nodes that row by row finds them in."""
    instance = Instance("block", 16, 16, official_pieces(), hints)
    # From the nearest corner of the board: the rim leaves few pieces, and the number of fillings is the same.
    rows, columns = range(top, top + height), range(left, left + width)
    rows, columns = rows[::-1] if top > 7 else rows, columns[::-1] if left > 7 else columns
    block = [16 * row + column for row in rows for column in columns]
    descent = Descent(instance, build_tables(instance, block))
    nodes, fillings = descent.run(1 << 60)
    assert descent.finished
    return nodes, fillings


@pytest.mark.parametrize(
    ("hints", "left", "top", "size", "fillings"),
    [
        (NONE, 0, 0, 2, 1_312),
        (NONE, 14, 0, 2, 1_312),
        (NONE, 14, 14, 2, 1_312),
        (NONE, 0, 14, 2, 1_312),
        (FIXED, 0, 0, 2, 1_307),
        (FIVE, 0, 0, 2, 1_291),
        (NONE, 7, 0, 2, 73_003),
        (FIXED, 7, 0, 2, 72_365),
        (FIVE, 7, 0, 2, 69_531),
        (NONE, 4, 4, 2, 4_059_952),
        (FIXED, 4, 4, 2, 3_980_912),
        (FIVE, 4, 4, 2, 3_649_320),
        (NONE, 0, 0, 3, 2_633_221),
        (FIXED, 0, 0, 3, 2_582_369),
        (FIVE, 0, 0, 3, 3_084),
        (FIVE, 13, 0, 3, 3_782),
        (FIVE, 13, 13, 3, 2_897),
        (FIVE, 0, 13, 3, 3_195),
        (FIVE, 0, 0, 4, 33_845_721),
        (FIVE, 12, 0, 4, 41_511_370),
        (FIVE, 12, 12, 4, 32_538_628),
        (FIVE, 0, 12, 4, 33_293_752),
        (FIVE, 6, 7, 3, 118_073_954),
    ],
)
def test_a_block_has_its_published_number_of_fillings(
    hints: tuple[Hint, ...], left: int, top: int, size: int, fillings: int
) -> None:
    assert block_count(hints, left, top, size, size)[1] == fillings


@pytest.mark.parametrize(
    ("left", "top", "size", "nodes"),
    [(0, 0, 2, 1_861), (7, 0, 2, 101_568), (4, 4, 2, 5_675_481), (0, 0, 3, 4_106_278)],
)
def test_a_block_has_its_published_number_of_nodes(left: int, top: int, size: int, nodes: int) -> None:
    assert block_count(NONE, left, top, size, size)[0] == nodes
