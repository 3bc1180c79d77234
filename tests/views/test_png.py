from __future__ import annotations

import pytest
from views.pixels import decoded

from e2.errors import SettingsError
from e2.formats.format import Document
from e2.views.board_svg import board_svg
from e2.views.png import png


def test_a_png_has_the_size_of_its_svg() -> None:
    svg = board_svg(Document(width=3, height=2), cell=20)
    assert decoded(png(svg)).shape == (66, 82, 3)


def test_a_picture_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(SettingsError, match="26040x26120 pixels is too large"):
        png(board_svg(Document(width=64, height=64), cell=400))


def test_no_font_of_the_machine_is_used() -> None:
    """A letter that only a font could draw leaves the paper blank, on every machine."""
    text = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><text y="30" font-size="30">X</text></svg>'
    assert decoded(png(text)).min() == 1
