"""The quota of favoured colours and the ledger: the guarded kernel against the oracle."""

from pathlib import Path

import numpy as np
import pytest
from oracles.depth_first_oracle import whole_tree

from e2.core.generate import generated
from e2.core.instance import Hint, Instance
from e2.core.official import official_instance
from e2.core.score import score_board
from e2.errors import SettingsError
from e2.kernels.tables import build_tables
from e2.search import open_search
from e2.search.descent import Descent
from e2.search.fill_order import fill_order
from e2.search.quota import favoured_first, guard, quota_by_depth, worths
from e2.search.schedule import listed_schedule
from e2.search.shuffle import ranks
from e2.search.task import Task
from e2.store.inputs import the_board

CASES = Path(__file__).parents[1] / "cases"

OFFICIAL = official_instance()
PINNED = generated(4, 4, 9, seed=2, framed=True, pins=3).instance
SMALL = [PINNED, generated(5, 3, 3, seed=3).instance, generated(3, 5, 4, seed=4, pins=3).instance]
FAVOURED = [1, 3]


def searched(instance, order, depths, favoured=(), quota="none", prune=0, bite=1 << 40):
    """A finished guarded descent, its nodes and its boards."""
    allowed = listed_schedule(instance, order, depths)
    words = favoured_first(ranks(1, 0, 4 * len(instance.pieces)), worths(instance, favoured))
    guarded = guard(instance, order, list(favoured), quota, prune)
    descent = Descent(instance, build_tables(instance, order, words, mismatches=True), allowed, guarded)
    nodes = boards = 0
    while not descent.finished:
        made, full = descent.run(bite)
        nodes, boards = nodes + made, boards + full
    return descent, nodes, boards


def test_the_quota_of_blackwood_has_the_published_values():
    quota = quota_by_depth("blackwood", 256)
    published = {17: 2, 20: 11, 26: 28, 27: 29, 40: 48, 56: 70, 57: 71, 70: 83, 76: 89, 90: 98, 102: 105, 103: 106}
    published |= {16: 0, 120: 110, 140: 114, 160: 119, 161: 0}
    assert {depth: quota[depth] for depth in published} == published
    old = quota_by_depth("blackwood-old", 256)
    assert [old[depth] for depth in (16, 17, 26, 27, 56, 96, 97, 156, 157)] == [0, 3, 31, 32, 73, 100, 100, 116, 0]


def test_the_three_colours_stand_on_94_pieces_with_122_sides():
    worth = worths(OFFICIAL, [5, 7, 20])
    assert ((worth > 0).sum(), worth.sum()) == (94, 122)


@pytest.mark.parametrize("instance", SMALL, ids=lambda instance: instance.name)
@pytest.mark.parametrize("name", ["rows", "spiral-in"])
def test_a_quota_makes_the_nodes_of_the_definition(instance, name):
    order, cells = fill_order(instance.grid, name, 1), instance.grid.cells
    most = np.cumsum(-np.sort(-worths(instance, FAVOURED)))
    pairs = [place for depth in (3, 6, 9) for place in (depth, int(most[depth - 1]) * 2 // 3)] + [12, 0]
    tree = whole_tree(instance, order, listed_schedule(instance, order, [8]), 2, FAVOURED, quota_by_depth(pairs, cells))
    descent, nodes, boards = searched(instance, order, [8], FAVOURED, pairs)
    assert (nodes, boards) == (tree.nodes, len(tree.boards))
    assert descent.node_counts() == tree.counts
    assert nodes < whole_tree(instance, order, listed_schedule(instance, order, [8])).nodes


@pytest.mark.parametrize("instance", SMALL, ids=lambda instance: instance.name)
@pytest.mark.parametrize("depths", [[], [6], [9, 9]], ids=str)
@pytest.mark.parametrize("name", ["rows", "spiral-in"])
def test_the_ledger_finds_the_same_boards_with_the_nodes_of_the_definition(instance, depths, name):
    order = fill_order(instance.grid, name, 1)
    allowed = listed_schedule(instance, order, depths)
    plain = whole_tree(instance, order, allowed)
    pruned = whole_tree(instance, order, allowed, prune=5)
    descent, nodes, boards = searched(instance, order, depths, prune=5)
    assert descent.node_counts() == pruned.counts
    assert boards == len(plain.boards)
    assert nodes <= plain.nodes


def test_the_ledger_makes_a_third_of_the_nodes_below_a_published_board():
    board = the_board(str(CASES / "url-464-riotte.txt"), OFFICIAL).board
    order = fill_order(OFFICIAL.grid, "rows", 1)
    tops = {cell: Hint(cell, board.codes[cell] >> 2, board.codes[cell] & 3) for cell in order[:224]}
    pins = tops | OFFICIAL.pinned
    instance = Instance.checked("tail", 16, 16, OFFICIAL.pieces, tuple(pins.values()))
    place = {cell: depth for depth, cell in enumerate(order)}
    seams = score_board(board, OFFICIAL.pieces).mismatched
    budget = sum(max(place[seam.cell], place[seam.neighbour]) >= 224 for seam in seams)
    assert searched(instance, order, [1] * budget, [5], [1, 0])[1:] == (1586, 1)
    assert searched(instance, order, [1] * budget, prune=1)[1:] == (530, 1)


@pytest.mark.parametrize("bite", [1, 7])
def test_a_guarded_search_stops_after_any_node_and_goes_on(bite):
    order = fill_order(PINNED.grid, "rows")
    guards = {"favoured": FAVOURED, "quota": [4, 1, 8, 3], "prune": 6}
    whole, nodes, boards = searched(PINNED, order, [6], **guards)
    bitten, same_nodes, same_boards = searched(PINNED, order, [6], **guards, bite=bite)
    assert (nodes, boards) == (same_nodes, same_boards)
    assert whole.node_counts() == bitten.node_counts()


def test_favoured_pieces_are_tried_first_and_ties_follow_the_seed():
    worth = worths(OFFICIAL, [5, 7, 20])
    order = np.argsort(favoured_first(ranks(1, 0, 1024), worth))
    assert (np.diff(worth[order >> 2]) <= 0).all()
    assert order.tolist() != np.argsort(favoured_first(ranks(2, 0, 1024), worth)).tolist()


def test_a_search_of_the_official_set_keeps_the_quota():
    free = Instance("free", 16, 16, OFFICIAL.pieces)
    parameters = {"favoured": [5, 7, 20], "quota": "blackwood", "fill_order": "blackwood", "turn": 2}
    board = open_search(Task(free, "breaks", parameters, seed=1)).step(3_000_000).best
    worth, quota = worths(OFFICIAL, [5, 7, 20]), quota_by_depth("blackwood", 256)
    shown = 0
    assert board.placed > 160
    for depth, cell in enumerate(fill_order(OFFICIAL.grid, "blackwood", 2)[:161]):
        shown += worth[board.codes[cell] >> 2]
        assert shown >= quota[depth]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"favoured": [99]}, "colour 99 is on no piece"),
        ({"favoured": [0]}, "colour 0 is on no piece"),
        ({"quota": [3, 1]}, "needs favoured colours"),
        ({"favoured": FAVOURED, "quota": "blackwood"}, "'blackwood' is for 256 cells, not 16"),
        ({"favoured": FAVOURED, "quota": [3]}, "has 1 numbers; expected pairs"),
        ({"favoured": FAVOURED, "quota": [3, 1, 3, 2]}, "depth 3 after 3; expected rising"),
        ({"favoured": FAVOURED, "quota": [17, 1]}, "depth 17 after 0; expected rising, 1 to 16"),
        ({"favoured": FAVOURED, "quota": [3, -1]}, "-1 sides at depth 3"),
        ({"favoured": FAVOURED, "quota": [2, 9]}, "asks for 9 favoured sides at depth 2; 2 pieces show"),
        ({"prune": 17}, "prune = 17; expected a depth up to 16"),
    ],
    ids=str,
)
def test_a_guard_that_cannot_be_is_refused(parameters, message):
    with pytest.raises(SettingsError, match=message):
        open_search(Task(PINNED, "breaks", parameters))
