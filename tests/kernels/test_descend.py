"""Both kernels against the oracle, and against published counts."""

import json
from pathlib import Path

import numpy as np
import pytest
from oracles.depth_first_oracle import whole_tree

from e2.core.generate import generated
from e2.core.grid import Grid
from e2.core.instance import Hint, Instance
from e2.core.official import official_instance
from e2.core.pieces import PieceSet
from e2.kernels.tables import STAGE_CHUNKS, build_tables
from e2.search.descent import Descent
from e2.search.fill_order import fill_order

COUNTS = Path(__file__).parents[1] / "counts"

BRENDAN_PER_DEPTH = (
    "4 24 118 558 2466 2548 11020 27781 60924 127902 256154 205714 710230 1229317 2011744 3036393 4148004 2457484 "
    "6951552 8588425 8971875 8097211 6150583 2993327 6533605 4127385 1855696 563413 88444 33158 26954 9576 2869 891 "
    "494 260"
)


def counted(name, hints=()):
    document = json.loads((COUNTS / f"{name}.json").read_text())
    pieces = PieceSet(tuple(tuple(quad) for quad in document["pieces"]))
    return Instance.checked(name, document["width"], document["height"], pieces, tuple(hints))


def searched(instance, order, allowed=None, bite=1 << 40):
    """A finished descent, its nodes and its boards."""
    descent = Descent(instance, build_tables(instance, order, mismatches=allowed is not None), allowed)
    nodes = boards = 0
    while not descent.finished:
        made, full = descent.run(bite)
        nodes, boards = nodes + made, boards + full
    return descent, nodes, boards


def with_allowance(instance, depths):
    free = instance.grid.cells - len(instance.hints)
    return np.searchsorted(np.array(depths), np.arange(free + 1), side="right").astype(np.int64)


TWINS = Instance.checked(
    "twins",
    3,
    3,
    PieceSet(((0, 0, 1, 1),) * 4 + ((0, 1, 2, 1),) * 4 + ((2, 2, 2, 2),)),
)
SMALL = [
    generated(4, 4, 3, seed=1).instance,
    generated(4, 4, 9, seed=2, framed=True, pins=3).instance,
    generated(5, 3, 3, seed=3).instance,
    generated(3, 5, 4, seed=4, pins=3).instance,
    Instance.checked("strip", 3, 1, PieceSet(((0, 1, 0, 0), (0, 1, 0, 1), (0, 0, 0, 1)))),
    TWINS,
]
ORDERS = ("rows", "columns", "spiral-in", "comb:2")


def orders(instance):
    named = [fill_order(instance.grid, name, turn) for name in ORDERS if instance.height > 1 for turn in (0, 3)]
    leaping = sorted(range(instance.grid.cells), key=lambda cell: cell ^ 1)
    return [*named, tuple(leaping)]


@pytest.mark.parametrize("instance", SMALL, ids=lambda instance: instance.name)
def test_strict_makes_the_nodes_of_the_definition_in_every_fill_order(instance):
    for order in orders(instance):
        tree = whole_tree(instance, order)
        descent, nodes, boards = searched(instance, order)
        assert (nodes, boards) == (tree.nodes, len(tree.boards))
        assert descent.node_counts() == tree.counts


@pytest.mark.parametrize(
    ("name", "plain"), [("rows", True), ("columns", True), ("spiral-in", False), ("comb:9", False)]
)
@pytest.mark.parametrize("turn", range(4))
def test_rows_and_columns_from_any_corner_are_plain(name, plain, turn):
    instance = official_instance()
    assert build_tables(instance, fill_order(instance.grid, name, turn)).is_plain is plain


@pytest.mark.parametrize("instance", SMALL, ids=lambda instance: instance.name)
def test_strict_stops_after_any_node_and_goes_on(instance):
    order = fill_order(instance.grid, "rows")
    whole, nodes, boards = searched(instance, order)
    bitten, same_nodes, same_boards = searched(instance, order, bite=3)
    assert (nodes, boards) == (same_nodes, same_boards)
    assert whole.node_counts() == bitten.node_counts()
    assert whole.best_board() == bitten.best_board()


@pytest.mark.parametrize("instance", SMALL[1:5], ids=lambda instance: instance.name)
@pytest.mark.parametrize("depths", [[6], [4, 9]], ids=str)
def test_mismatches_make_the_nodes_of_the_definition(instance, depths):
    allowed = with_allowance(instance, depths)
    for order in orders(instance)[::4]:
        tree = whole_tree(instance, order, allowed)
        descent, nodes, boards = searched(instance, order, allowed)
        assert (nodes, boards) == (tree.nodes, len(tree.boards))
        assert descent.node_counts() == tree.counts


@pytest.mark.parametrize("bite", [1, 7])
def test_mismatches_stop_after_any_node_and_go_on(bite):
    instance = SMALL[1]
    order = fill_order(instance.grid, "spiral-in")
    allowed = with_allowance(instance, [5, 8])
    whole, nodes, boards = searched(instance, order, allowed)
    bitten, same_nodes, same_boards = searched(instance, order, allowed, bite)
    assert (nodes, boards) == (same_nodes, same_boards)
    assert whole.best_board() == bitten.best_board()


def test_lists_of_more_than_64_words_are_searched_whole():
    instance = generated(9, 8, 1, seed=6).instance
    order = fill_order(instance.grid, "spiral-in")
    tables = build_tables(instance, order)
    assert max(tables.details(depth)[STAGE_CHUNKS] for depth in range(72)) > 1
    descent = Descent(instance, tables)
    made, boards = descent.run(10_000, boards=1)
    assert (made, boards) == (72, 1)


def test_mismatches_per_cell_are_capped_at_two():
    instance = SMALL[2]
    order = fill_order(instance.grid, "spiral-in")
    allowed = np.full(16, 22, np.int64)
    capped = whole_tree(instance, order, allowed, cap=2)
    loose = whole_tree(instance, order, allowed, cap=4)
    _, nodes, _ = searched(instance, order, allowed)
    assert nodes == capped.nodes
    assert capped.nodes < loose.nodes


def test_brendan_6x6_has_its_published_nodes_per_depth_and_260_solutions():
    descent, nodes, boards = searched(counted("brendan_06x06"), range(36))
    assert (nodes, boards) == (69_284_103, 260)
    assert descent.node_counts() == [int(number) for number in BRENDAN_PER_DEPTH.split()]


def test_brendan_6x6_with_a_pinned_corner_has_65_solutions():
    _, nodes, boards = searched(counted("brendan_06x06", [Hint(0, 0, 3)]), range(36))
    assert (nodes, boards) == (14_518_614, 65)


def test_an_empty_schedule_visits_the_nodes_of_strict():
    instance = counted("tomy_4x4")
    strict, nodes, boards = searched(instance, range(16))
    none_allowed, same_nodes, same_boards = searched(instance, range(16), np.zeros(17, np.int64))
    assert (nodes, boards) == (same_nodes, same_boards)
    assert strict.node_counts() == none_allowed.node_counts()


def test_the_fill_order_changes_the_nodes_but_not_the_solutions():
    instance = counted("tomy_4x4")
    found = {name: searched(instance, fill_order(Grid(4, 4), name))[1:] for name in ORDERS}
    assert len({boards for _, boards in found.values()}) == 1
    assert len({nodes for nodes, _ in found.values()}) > 1
