"""Turns of one quad."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from e2.core.quad import opposite, shape, turned, turns_alike

QUADS = st.tuples(*[st.integers(0, 4)] * 4)


def test_a_turn_moves_the_top_to_the_right() -> None:
    assert turned((1, 2, 3, 4), 1) == (4, 1, 2, 3)


@given(QUADS, st.integers(0, 3))
def test_a_turn_is_the_published_index_rule(quad: tuple[int, int, int, int], rot: int) -> None:
    assert turned(quad, rot) == tuple(quad[(side - rot) % 4] for side in range(4))


@given(QUADS, st.integers(-8, 8), st.integers(-8, 8))
def test_turns_add(quad: tuple[int, int, int, int], one: int, two: int) -> None:
    assert turned(turned(quad, one), two) == turned(quad, one + two)


@given(QUADS, st.integers(0, 3))
def test_every_turn_has_the_same_shape(quad: tuple[int, int, int, int], rot: int) -> None:
    assert shape(turned(quad, rot)) == shape(quad)
    assert shape(quad) <= quad


def test_symmetric_quads_look_alike_after_some_turns() -> None:
    assert [turns_alike(quad) for quad in ((1, 2, 3, 4), (1, 2, 1, 2), (1, 1, 1, 1))] == [1, 2, 4]


def test_opposite_sides_face_each_other() -> None:
    assert [opposite(side) for side in range(4)] == [2, 3, 0, 1]
