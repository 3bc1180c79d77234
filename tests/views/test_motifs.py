from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from views.pixels import SIGHTS, Pixels, apart, lab, pixels

from e2.core.quad import BORDER
from e2.views.motifs import DRAWN, RIM, Motif, motif

LEAST = 22.0
"""Black and white are 100 apart. The least distances as drawn are 25 in grey and 26 to 29 in colour blindness."""


def half(drawing: Motif) -> Pixels:
    """The pixels of the half that lies on one triangle, at 20 pixels a cell: n x 3."""
    parts = f'<path d="M-20 0h40L0 20z" fill="{drawing.ground}"/><path d="{drawing.shape}" fill="{drawing.ink}"/>'
    seen = pixels(f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="-20 0 40 20">{parts}</svg>')
    inside = [(y, x) for y in range(10) for x in range(20) if abs(x - 9.5) + y < 9.5]
    return seen[tuple(zip(*inside, strict=True))]


@pytest.mark.parametrize("sight", sorted(SIGHTS))
def test_all_motifs_are_told_apart_at_20_pixels(sight: str) -> None:
    seen = [lab(half(drawing), sight) for drawing in (*DRAWN, RIM)]
    assert min(apart(one, other) for one, other in combinations(seen, 2)) > LEAST


def test_motifs_are_told_apart_by_their_shapes_alone() -> None:
    """Every ground and shape in the same two colours: what remains is the outline."""
    same = [half(Motif(drawing.name, "#ffffff", drawing.shape, "#000000")) for drawing in DRAWN]
    distances = [np.abs(one - other).mean() for one, other in combinations(same, 2)]
    assert min(distances) > 0.06  # of the triangle, by area


def test_a_shape_stands_out_from_its_ground_without_hue() -> None:
    for drawing in DRAWN:
        colours = np.array(
            [[[int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)] for text in (drawing.ground, drawing.ink)]]
        )
        ground, ink = lab(colours, "grey")[0, :, 0]
        assert abs(ground - ink) > 40, drawing.name


def test_no_shape_leaves_its_triangle() -> None:
    def leaves(drawing: Motif) -> bool:
        seen = pixels(
            '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="-25 -25 50 50">'
            f'<path d="{drawing.shape}"/><path d="M-21.5-1h43L0 20.5z" fill="#fff"/></svg>'
        )
        return bool(seen.min() < 0.98)

    assert [drawing.name for drawing in DRAWN if leaves(drawing)] == []


def test_grey_has_no_shape_and_no_colour_has_its_look() -> None:
    assert motif(BORDER) == RIM
    assert not RIM.shape
    assert all(drawing.shape for drawing in DRAWN)


def test_colours_beyond_those_drawn_have_looks_of_their_own() -> None:
    looks = {(look.ground, look.shape, look.ink) for look in map(motif, range(1, 485))}
    assert len(looks) == 484
    assert motif(23).shape == motif(1).shape
