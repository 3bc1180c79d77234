"""Random probes against trees that are small enough to know."""

import math
from itertools import permutations
from statistics import mean, stdev

import pytest
from oracles.depth_first_oracle import whole_tree

from e2.core.generate import generated
from e2.core.instance import Instance
from e2.core.pieces import PieceSet
from e2.errors import SettingsError
from e2.search.estimate import Probes, cut_at, expected_solutions
from e2.search.fill_order import fill_order
from e2.search.tree import Tree
from e2.search.tree_search import TreeSearch

INSTANCE = generated(5, 4, 4, seed=1, pins=1).instance


def tree_of(order="rows", instance=INSTANCE):
    return Tree(instance, fill_order(instance.grid, order))


@pytest.mark.parametrize("order", ["rows", "spiral-in", "comb:2"])
def test_a_probe_that_keeps_every_node_is_exact(order):
    tree = tree_of(order)
    known = whole_tree(INSTANCE, tree.cells)
    probed = Probes(tree, width=10_000).total(runs=2, seed=3)
    assert probed.nodes == tuple(known.counts)
    assert probed.totals == (known.nodes, known.nodes)
    assert probed.solutions == (len(known.boards),) * 2


@pytest.mark.parametrize(("width", "runs"), [(1, 20_000), (7, 3_000), (60, 400)])
def test_probes_of_any_width_are_right_on_the_average(width, runs):
    tree = tree_of()
    totals = Probes(tree, width).total(runs=runs, seed=5).totals
    error = stdev(totals) / math.sqrt(runs)
    assert 0 < error < 0.2 * mean(totals)
    assert abs(mean(totals) - whole_tree(INSTANCE, tree.cells).nodes) < 4 * error


def test_probes_below_a_path_add_up_to_what_lies_there():
    tree, search = tree_of(), TreeSearch(tree_of())
    search.open((), None, 3)
    for path in search.run(10**9).given:
        search.open(path)
        assert Probes(tree, 10_000).total(path).totals[0] == sum(search.run(10**9).nodes)


def test_the_same_seed_gives_the_same_probes_and_another_does_not():
    probes = Probes(tree_of(), 5)
    first = probes.total(runs=3, seed=8)
    assert probes.total(runs=3, seed=9).totals != first.totals
    assert probes.total(runs=3, seed=8) == first
    assert Probes(tree_of(), 5).total(runs=3, seed=8) == first


def test_a_sample_is_of_different_nodes_of_the_layer():
    tree, depth = tree_of(), 7
    nodes = whole_tree(INSTANCE, tree.cells).counts[depth - 1]
    everything, count = Probes(tree, 10_000).sample(depth)
    assert len(everything) == len(set(everything)) == count == nodes
    some, _ = Probes(tree, 20).sample(depth, seed=1)
    assert len(set(some)) == 20
    assert set(some) < set(everything)


def test_every_node_of_a_layer_is_drawn_about_as_often():
    probes = Probes(tree_of(), 3)
    everything, count = Probes(tree_of(), 10_000).sample(2)
    drawn = [path for seed in range(3000) for path in probes.sample(2, seed)[0]]
    often = [drawn.count(path) for path in everything]
    due = len(drawn) / count
    # A layer that is drawn from a drawn layer is not quite even; far from it would be a faulty draw.
    assert min(often) > 0.5 * due
    assert max(often) < 2 * due


def test_a_cut_has_the_units_of_the_search():
    tree, search = tree_of(), TreeSearch(tree_of())
    search.open((), None, 5)
    given = search.run(10**9).given
    cut = cut_at(tree, 5, 10_000)
    assert cut.is_whole
    assert cut.count == len(given)
    assert {branch.path for branch in cut.branches} == set(given)
    assert max(branch.solutions for branch in cut.branches) == 0.0
    sampled = cut_at(tree, 5, 30)
    assert not sampled.is_whole
    assert {branch.path for branch in sampled.branches} < set(given)
    assert 0.3 * len(given) < sampled.count < 3 * len(given)


@pytest.mark.parametrize("depth", [0, 19, 100])
def test_a_depth_without_units_is_refused(depth):
    with pytest.raises(SettingsError, match=f"depth {depth}: expected 1 to 18"):
        cut_at(tree_of(), depth, 10)


def matched_pairings(colours):
    """Of all ways to pair half-seams those in which all pairs agree, counted one by one."""
    pairings = {
        frozenset(frozenset(order[at : at + 2]) for at in range(0, len(order), 2))
        for order in permutations(range(len(colours)))
    }
    return sum(all(len({colours[half] for half in pair}) == 1 for pair in pairing) for pairing in pairings)


def test_a_tree_too_large_for_numbers_is_refused():
    alike = generated(16, 16, 1, seed=1).instance
    with pytest.raises(SettingsError, match=r"its tree has more than 1e\+150 nodes"):
        Probes(tree_of(instance=alike)).total()
    with pytest.raises(SettingsError, match=r"its tree has more than 1e\+150 nodes"):
        cut_at(tree_of(instance=alike), 2, 10)


def test_expected_solutions_count_the_pairings_that_match():
    ring = Instance("ring", 2, 2, PieceSet(((0, 1, 1, 0), (0, 2, 1, 0), (0, 1, 2, 0), (0, 1, 1, 0))))
    tree = Tree(ring, (0, 1, 3, 2))
    everything = [1, 1, 2, 1, 1, 2, 1, 1]
    assert math.exp(expected_solutions(tree, ())) == pytest.approx(matched_pairings(everything))
    # The first piece is laid: its two inner sides wait for their partners.
    assert math.exp(expected_solutions(tree, (0,))) == pytest.approx(matched_pairings(everything))
    # A second one beside it: that seam is done.
    assert math.exp(expected_solutions(tree, (0, 5))) == pytest.approx(matched_pairings([1, 2, 1, 1, 1, 2]))
