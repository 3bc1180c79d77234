"""The lines of a beam: packed and back, and refused where they are no lines."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from e2.core.generate import generated
from e2.errors import SettingsError
from e2.kernels.ancestry import FAR, codes_along, lines_to, packed_lines, unpacked_lines
from e2.kernels.beam_tables import ANY, build_beam_tables
from e2.kernels.layers import Layers

LAYERS = 12


@st.composite
def ancestries(draw):
    lines, before = [], 1
    for count in draw(st.lists(st.integers(1, 700), max_size=LAYERS)):
        random = np.random.default_rng(draw(st.integers(0, 1000)))
        parents = random.integers(0, before, count)
        if draw(st.booleans()):
            parents.sort()
        lines.append((parents.astype(np.uint32), random.integers(0, 1 << 16, count).astype(np.uint16)))
        before = count
    return lines


@given(ancestries())
def test_lines_unpack_as_they_were_packed(lines):
    again = list(unpacked_lines(packed_lines(lines, LAYERS)))
    assert len(again) == len(lines)
    for (parents, codes), (parents_again, codes_again) in zip(lines, again, strict=True):
        assert parents_again.dtype == np.uint32
        assert parents_again.tolist() == parents.tolist()
        assert codes_again.tolist() == codes.tolist()


def beam(width=30, layer=12):
    instance = generated(5, 4, 4, seed=11, pins=2).instance
    layers = Layers(instance, build_beam_tables(instance, range(20)), width, 0.4, 8)
    while layers.layer < layer:
        layers.advance(3)
    return layers


def spoilt(name, at, value):
    arrays = beam().arrays()
    arrays[name][at] = value
    return arrays


def shortened(name):
    arrays = beam().arrays()
    arrays[name] = arrays[name][:-1]
    return arrays


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (spoilt("kept", 3, -1), "impossible widths"),
        (spoilt("kept", 3, 1 << 62), "impossible widths"),
        (spoilt("kept", 0, 0), "impossible widths"),
        (spoilt("kept", 12, 1), "do not fit together"),
        (shortened("steps"), "do not fit together"),
        (shortened("codes"), "do not fit together"),
        (spoilt("steps", -1, FAR), "lacks parents"),
        (spoilt("steps", 0, 9), "names parent 9 of 1"),
        ({**beam().arrays(), "far": np.zeros(300, np.uint32)}, "parents for nobody"),
        (spoilt("codes", 0, 65_535), "cannot lie there"),
        (beam(width=60).arrays(), "wider than 30"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_lines_that_no_beam_can_have_are_refused(arrays, message):
    with pytest.raises(SettingsError, match=message):
        beam(layer=0).restore(arrays)


def test_a_piece_that_lies_already_is_refused():
    layers = beam()
    while layers.tables.plan[layers.layer - 1, ANY] != layers.tables.plan[layers.layer - 2, ANY]:
        layers.advance(3)
    (_, before), (parents, codes) = layers.ancestry[-2:]
    codes[-1] = before[parents[-1]]
    with pytest.raises(SettingsError, match="lies elsewhere already"):
        beam(layer=0).restore(layers.arrays())


def test_a_restored_beam_has_the_states_and_the_future_of_the_saved_one():
    for layer in range(19):
        saved = beam(layer=layer)
        restored = beam(layer=0)
        restored.restore(saved.arrays())
        for mine, theirs in zip(saved.now.columns, restored.now.columns, strict=True):
            assert (mine[: saved.live] == theirs[: saved.live]).all()
        while not saved.finished:
            assert saved.advance(3) == restored.advance(3)
        assert saved.boards(30) == restored.boards(30)


def test_lines_to_some_states_lead_to_the_same_codes():
    layers = beam()
    states = layers.ranked()[3:20]
    lines = lines_to(layers.ancestry, states)
    assert [len(parents) for parents, _ in lines][-1] == 17
    assert (codes_along(lines, np.arange(17)) == codes_along(layers.ancestry, states)).all()
    assert all(len(np.unique(parents)) == len(before[0]) for before, (parents, _) in pairwise(lines))
    again = list(unpacked_lines(packed_lines(lines, layers.tables.layers)))
    for (parents, placed), (parents_again, placed_again) in zip(lines, again, strict=True):
        assert (parents == parents_again).all()
        assert (placed == placed_again).all()
