"""Hashes against published values and against each other."""

from __future__ import annotations

import pytest

from e2.core.board import Board
from e2.core.fingerprint import board_hash, codes_hash, edges_sha1, fnv1a_64, instance_hash, recognised, symmetry_hash
from e2.core.instance import Hint, Instance
from e2.core.official import OFFICIAL_HINTS, official_instance, official_pieces

CODES = (3, 16, -1, 24)
LETTERS = "abdaabgbaaaaabjb"


@pytest.mark.parametrize(
    ("data", "value"),
    [(b"", 0xCBF29CE484222325), (b"a", 0xAF63DC4C8601EC8C), (b"foobar", 0x85944171F73967E8)],
)
def test_fnv_gives_its_published_values(data: bytes, value: int) -> None:
    assert fnv1a_64(data) == value


def test_the_placement_hash_takes_three_bytes_a_cell() -> None:
    assert board_hash(CODES) == fnv1a_64(b"\x00\x00\x03\x04\x00\x00\xff\xff\x00\x06\x00\x00")


def test_the_codes_hash_takes_four_bytes_a_cell() -> None:
    assert codes_hash((3, -1)) == fnv1a_64(b"\x03\x00\x00\x00\xff\xff\xff\xff")


def as_signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def test_each_published_definition_is_recognised_by_name() -> None:
    assert recognised(board_hash(CODES), CODES, LETTERS) == "placement"
    assert recognised(str(board_hash(CODES)), CODES, LETTERS) == "placement"
    assert recognised(codes_hash(CODES), CODES, LETTERS) == "codes"
    assert recognised(edges_sha1(LETTERS), CODES, LETTERS) == "edges-sha1"
    assert recognised(edges_sha1(LETTERS).upper(), CODES, LETTERS) == "edges-sha1"


def test_a_detour_through_a_double_or_a_signed_integer_is_recognised() -> None:
    for codes in ((3, 16, -1, 24), (7,), (1, 2, 3, 4)):
        value = board_hash(codes)
        if int(float(value)) != value:
            assert recognised(int(float(value)), codes, None) == "placement rounded through a double"
        if value >> 63:
            assert recognised(as_signed(value), codes, None) == "placement as a signed integer"
    assert any(board_hash(codes) >> 63 for codes in ((3, 16, -1, 24), (7,), (1, 2, 3, 4)))


def test_a_wrong_hash_is_not_recognised() -> None:
    for claim in (0, board_hash(CODES) ^ 1 << 40, "no hash", "ffffffffffffffff", "-", ""):
        assert recognised(claim, CODES, LETTERS) is None


def test_all_four_turns_share_the_symmetry_hash() -> None:
    board = Board(3, 2, (0, 5, 10, 15, -1, 21))
    turns = [board]
    for _ in range(3):
        turns.append(turns[-1].turned())
    assert len({symmetry_hash(turn) for turn in turns}) == 1
    assert symmetry_hash(board) == min(board_hash(turn.codes) for turn in turns)


def test_the_name_does_not_enter_the_instance_hash_and_all_else_does() -> None:
    official = official_instance()
    assert instance_hash(official) == instance_hash(
        Instance.checked("other", 16, 16, official_pieces(), OFFICIAL_HINTS)
    )
    without = Instance.checked("eternity2", 16, 16, official_pieces())
    one = Instance.checked("eternity2", 16, 16, official_pieces(), (Hint(135, 138, 0),))
    assert len({instance_hash(instance) for instance in (official, without, one)}) == 3
