"""The 24 arrangements of three pinned corners."""

from pathlib import Path

import pytest

from e2.core.fingerprint import instance_hash
from e2.core.variants import ARRANGEMENTS, PUBLISHED, variant
from e2.errors import SettingsError
from e2.formats.load import load_puzzle

PUZZLES = Path(__file__).parents[2] / "puzzles"


def test_the_first_ten_are_the_published_variants():
    files = sorted(PUZZLES.glob("variant_*.json"))
    published = [instance_hash(load_puzzle(path.read_text("utf-8"))) for path in files]
    assert [instance_hash(variant(corners)) for corners in PUBLISHED] == published
    assert len(published) == 10


def test_all_24_arrangements_are_different_puzzles_with_eight_hints():
    variants = [variant(corners) for corners in ARRANGEMENTS]
    assert len({instance_hash(instance) for instance in variants}) == 24
    assert {len(instance.hints) for instance in variants} == {8}
    assert [instance.name for instance in variants] == [f"variant_{number:02d}" for number in range(24)]


@pytest.mark.parametrize("corners", [(0, 0, 1), (0, 1, 4)])
def test_corners_must_be_three_different_corner_pieces(corners):
    with pytest.raises(SettingsError, match="three different pieces of 0 to 3"):
        variant(corners)
