"""The picture of a word search: its letters, its bands and its words, seen and told."""

from xml.etree import ElementTree

import numpy as np
import pytest
from views.pixels import part

from e2.core.grid import Grid
from e2.errors import SettingsError
from e2.pencil.word_search import Placed, WordSearch, lettered
from e2.views.words_svg import grid_lines, words_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_title_and_description_tell_grid_and_words():
    search = WordSearch.checked(("CAT", "TO"), 3, 2, 2)
    placed = search.solution()
    letters = lettered(search.grid, placed)
    assert grid_lines(search.grid, letters) == ["C A T", "T O ."]
    tree = ElementTree.fromstring(words_svg(search.grid, letters, placed))
    assert tree.findtext(f"{SVG}title") == "2 words, 3x2"
    assert tree.findtext(f"{SVG}desc") == "C A T\nT O .\nCAT from A1 to A3\nTO from B1 to B2"


def test_each_word_has_a_band_from_its_first_letter_to_its_last():
    placed = (Placed("ABA", (0, 4, 8), "SE"), Placed("X", (6,), "E"))
    tree = ElementTree.fromstring(words_svg(Grid(3, 3), ("A", "", "", "", "B", "", "X", "", "A"), placed))
    bands = [path.get("d") for path in tree.iter(f"{SVG}path") if path.get("stroke-opacity")]
    assert bands == ["M20 20L100 100", "M20 100L20 100"]


def test_a_band_is_seen_behind_its_word_and_nowhere_else():
    placed = (Placed("AB", (0, 1), "E"),)
    drawn = words_svg(Grid(3, 1), ("A", "B", "C"), placed)
    inside, outside = part(drawn, 38, 10, 4, 4), part(drawn, 84, 10, 4, 4)
    assert np.ptp(inside.mean(axis=(0, 1))) > 0.2  # coloured
    assert outside.min() == 1  # paper
    # The letters of words are dark, filler is light.
    assert part(drawn, 45, 5, 30, 30).min() < part(drawn, 85, 5, 30, 30).min()


def test_a_single_cell_and_a_size_out_of_range():
    letters, placed = ("A",), (Placed("A", (0,), "E"),)
    assert "<title>1 word, 1x1</title>" in words_svg(Grid(1, 1), letters, placed)
    with pytest.raises(SettingsError, match="a cell of 3 pixels; expected 4 to 400"):
        words_svg(Grid(1, 1), letters, placed, cell=3)
