"""Fill orders as lists of cells."""

import pytest

from e2.core.grid import Grid
from e2.errors import SettingsError
from e2.search.fill_order import fill_order


@pytest.mark.parametrize(
    ("spec", "turn", "cells"),
    [
        ("rows", 0, (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)),
        ("columns", 0, (0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11)),
        ("spiral-in", 0, (0, 1, 2, 3, 7, 11, 10, 9, 8, 4, 5, 6)),
        ("comb:1", 0, (0, 1, 2, 3, 4, 8, 5, 9, 6, 10, 7, 11)),
        ("comb:3", 0, (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)),
        ("rows", 1, (8, 4, 0, 9, 5, 1, 10, 6, 2, 11, 7, 3)),
        ("rows", 2, (11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)),
        ("rows", 5, (0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11)),
        ("rows", 6, (8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)),
        ("rows", 9, (8, 4, 0, 9, 5, 1, 10, 6, 2, 11, 7, 3)),
        ([11, 0, 10, 1, 9, 2, 8, 3, 7, 4, 6, 5], 0, (11, 0, 10, 1, 9, 2, 8, 3, 7, 4, 6, 5)),
    ],
)
def test_orders_of_a_4x3_board(spec, turn, cells):
    assert fill_order(Grid(4, 3), spec, turn) == cells


@pytest.mark.parametrize("name", ["rows", "columns", "spiral-in", "comb", "comb:1"])
@pytest.mark.parametrize("size", [(1, 1), (1, 5), (5, 2), (16, 16)])
@pytest.mark.parametrize("turn", range(8))
def test_every_order_fills_every_cell_once(name, size, turn):
    grid = Grid(*size)
    assert sorted(fill_order(grid, name, turn)) == list(range(grid.cells))


def test_leading_noughts_of_a_combs_height_mean_nothing():
    assert fill_order(Grid(4, 3), "comb:" + "0" * 5000 + "1") == fill_order(Grid(4, 3), "comb:1")
    assert fill_order(Grid(4, 3), "comb:000") == fill_order(Grid(4, 3), "columns")


def test_a_comb_without_a_height_takes_eleven_rows_of_sixteen():
    assert fill_order(Grid(16, 16), "comb") == fill_order(Grid(16, 16), "comb:11")


BLACKWOOD = {
    11: "176 177 178 179 180 201 206 211 216 221 226 231 236 237 238 239",
    12: "181 182 183 184 185 202 207 212 217 222 227 232 240 244 245 246",
    13: "186 187 188 189 190 203 208 213 218 223 228 233 241 247 250 251",
    14: "191 192 193 194 195 204 209 214 219 224 229 234 242 248 252 253",
    15: "196 197 198 199 200 205 210 215 220 225 230 235 243 249 254 255",
}


def test_blackwoods_order_is_the_published_one():
    order = fill_order(Grid(16, 16), "blackwood")
    assert order[:176] == tuple(range(176))
    for row, depths in BLACKWOOD.items():
        assert [order.index(16 * row + column) for column in range(16)] == [int(depth) for depth in depths.split()]
    assert fill_order(Grid(16, 16), "blackwood", 2)[:2] == (255, 254)
    with pytest.raises(SettingsError, match="for 16x16 cells, not 4x3"):
        fill_order(Grid(4, 3), "blackwood")


@pytest.mark.parametrize(
    "spec", ["", "row", "comb:", "comb:-1", "comb:99", "comb:4", "comb:0000000004", "comb:" + "9" * 5000, []]
)
def test_what_is_no_order_is_refused(spec):
    with pytest.raises(SettingsError, match=r"^fill_order: "):
        fill_order(Grid(4, 3), spec)
