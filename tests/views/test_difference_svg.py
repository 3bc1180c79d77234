from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from views.pixels import lab, part

from e2.core.board import EMPTY, Board
from e2.core.pieces import PieceSet
from e2.errors import SettingsError
from e2.formats.convert import document
from e2.formats.format import Document
from e2.formats.load import load_board
from e2.views.board_svg import CELL
from e2.views.difference_svg import (
    EMPTY_IN_BOTH,
    ONLY_FIRST,
    ONLY_SECOND,
    OTHER,
    SAME,
    TURNED,
    difference_svg,
    differences,
)

CASES = Path(__file__).parent.parent / "cases"
SVG = "{http://www.w3.org/2000/svg}"


def with_codes(given: Document, codes: tuple[int, ...]) -> Document:
    assert given.catalogue is not None
    quads = Board(given.grid.width, given.grid.height, codes).quads(PieceSet(given.catalogue))
    return replace(given, codes=codes, quads=quads)


@pytest.fixture(scope="module")
def pair() -> tuple[Document, Document]:
    """The 470 board without B1 and C1, and one where D1 is turned, E1 and F1 change places, and G1 and C1 are empty."""
    judged = load_board((CASES / "url-470-blackwood.txt").read_text("utf-8"))
    given = document(judged, judged.instance)
    assert given.codes is not None
    first, second = list(given.codes), list(given.codes)
    for row in (1, 2):
        first[16 * row] = EMPTY
    second[16 * 3] ^= 1
    second[16 * 4], second[16 * 5] = second[16 * 5], second[16 * 4]
    second[16 * 6] = second[16 * 2] = EMPTY
    return with_codes(given, tuple(first)), with_codes(given, tuple(second))


EXPECTED = {16: ONLY_SECOND, 32: EMPTY_IN_BOTH, 48: TURNED, 64: OTHER, 80: OTHER, 96: ONLY_FIRST}


def test_each_cell_stands_in_one_relation(pair: tuple[Document, Document]) -> None:
    assert differences(*pair) == tuple(EXPECTED.get(cell, SAME) for cell in range(256))


def test_boards_of_no_known_set_are_compared_by_what_they_show(pair: tuple[Document, Document]) -> None:
    bare = [replace(given, codes=None, catalogue=None) for given in pair]
    assert differences(*bare) == differences(*pair)


def test_the_relations_turn_with_the_order(pair: tuple[Document, Document]) -> None:
    turned = {ONLY_FIRST: ONLY_SECOND, ONLY_SECOND: ONLY_FIRST}
    assert differences(pair[1], pair[0]) == tuple(turned.get(kind, kind) for kind in differences(*pair))


def test_boards_of_two_sizes_are_refused() -> None:
    with pytest.raises(SettingsError, match="2x3 and one of 3x2"):
        differences(Document(width=2, height=3), Document(width=3, height=2))


def test_counts_and_cells_are_told(pair: tuple[Document, Document]) -> None:
    told = ElementTree.fromstring(difference_svg(*pair)).findtext(f"{SVG}desc")
    assert told is not None
    assert "same piece and turn 250, same piece turned 1, other piece 2, only in the first 1" in told
    assert "other piece: E1, F1." in told
    assert "only in the second: B1." in told


def test_relations_are_told_apart_by_pattern_in_grey(pair: tuple[Document, Document]) -> None:
    svg = difference_svg(*pair)
    rows = {SAME: 0, ONLY_SECOND: 1, EMPTY_IN_BOTH: 2, TURNED: 3, OTHER: 4, ONLY_FIRST: 6}
    # A corner of each tile, beside its number; the mean is taken away, so that only the pattern is left.
    tiles = {kind: lab(part(svg, 1, CELL * row + 1, 38, 38, scale=1), "grey")[..., 0] for kind, row in rows.items()}
    for one, other in combinations(tiles, 2):
        first, second = tiles[one] - tiles[one].mean(), tiles[other] - tiles[other].mean()
        assert ((first - second) ** 2).mean() ** 0.5 > 5, (one, other)


def test_the_legend_has_a_line_for_each_relation_that_occurs(pair: tuple[Document, Document]) -> None:
    def lines(svg: str) -> int:
        return svg.count("scale(.375)")

    assert lines(difference_svg(*pair)) == 6
    assert lines(difference_svg(pair[0], pair[0])) == 2


def test_names_of_strangers_are_text(pair: tuple[Document, Document]) -> None:
    named = replace(pair[0], name="</title><script>")
    title = ElementTree.fromstring(difference_svg(named, pair[1])).findtext(f"{SVG}title")
    assert title == "</title><script> against Joshua_Blackwood_470"
