from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from views.pixels import Pixels, pixels

from e2.views.glyphs import CAPITAL, END, LETTERS, MIDDLE, START, text_width, written

SHOWN = sorted(LETTERS - {" "})


def seen(text: str, anchor: float = START) -> Pixels:
    """The text drawn 20 high on 120 x 60, base line at 40, from 30, 60 or 90 on."""
    x = {START: 30.0, MIDDLE: 60.0, END: 90.0}[anchor]
    return pixels(
        '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60" viewBox="0 0 120 60">'
        f"{written(text, x, 40, 20, '#000', anchor=anchor)}</svg>"
    )


def test_all_glyphs_are_told_apart() -> None:
    drawn = {letter: seen(letter) for letter in SHOWN}
    assert len(drawn) > 60
    for one, other in combinations(SHOWN, 2):
        assert abs(drawn[one] - drawn[other]).sum() > 10, (one, other)


@pytest.mark.parametrize("letter", SHOWN)
def test_a_glyph_stays_in_its_box(letter: str) -> None:
    dark = np.argwhere(seen(letter)[..., 0] < 0.5)
    (top, left), (bottom, right) = dark.min(axis=0), dark.max(axis=0)
    assert left >= 28
    assert right <= 32 + text_width(letter, 20)
    assert top >= 17
    assert bottom <= 42 + 2 * CAPITAL * 0.32  # descenders go below the line


@pytest.mark.parametrize("anchor", [START, MIDDLE, END])
def test_a_text_lies_where_its_anchor_says(anchor: float) -> None:
    width = text_width("470 / 480", 8)
    assert width > 40
    image = pixels(
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="20" viewBox="0 0 200 20">'
        f"{written('470 / 480', 100, 15, 8, '#000', anchor=anchor)}</svg>"
    )
    columns = np.flatnonzero(image[..., 0].min(axis=0) < 0.5)
    assert columns[0] == pytest.approx(100 - anchor * width, abs=1.5)
    assert columns[-1] == pytest.approx(100 + (1 - anchor) * width, abs=1.5)
