"""However a tree is cut into units, their accounts add up to the tree as its definition has it."""

import random

import pytest
from oracles.depth_first_oracle import whole_tree
from unit_cuts import clashing, searched

from e2.core.generate import generated
from e2.core.instance import Instance
from e2.core.pieces import PieceSet
from e2.errors import SettingsError
from e2.search.fill_order import fill_order
from e2.search.tree import Tree
from e2.search.tree_search import TreeSearch
from e2.search.units import Place

INSTANCE = generated(5, 4, 4, seed=1, pins=1).instance


def planted(side, colours, seed):
    """A puzzle with a solution, and with whatever copies and symmetric pieces chance makes."""
    chance = random.Random(seed)
    down = [[0] + [chance.choice(colours) for _ in range(side - 1)] + [0] for _ in range(side)]
    right = [[0] + [chance.choice(colours) for _ in range(side - 1)] + [0] for _ in range(side)]
    quads = [
        (down[column][row], right[row][column + 1], down[column][row + 1], right[row][column])
        for row in range(side)
        for column in range(side)
    ]
    chance.shuffle(quads)
    turned = (quad[rot:] + quad[:rot] for quad in quads for rot in [chance.randrange(4)])
    return Instance("planted", side, side, PieceSet(tuple(turned)))


ALIKE = planted(4, (1, 2, 3), 4)


def tree_of(instance, order="rows", merged=()):
    return Tree(instance, fill_order(instance.grid, order), frozenset(merged))


def by_definition(tree):
    found = whole_tree(tree.searched, tree.cells)
    codes = [tuple(board.get(cell, -1) for cell in range(tree.instance.grid.cells)) for board in found.boards]
    return tuple(found.counts), len(found.boards), sorted(codes)


CUTS = [
    {},
    {"bite": 1},
    {"bite": 37},
    {"bite": 37, "gives": 0.5},
    {"ceiling": 3},
    {"ceiling": 7, "bite": 23, "gives": 1.0},
    {"ceiling": 2, "bite": 101, "gives": 0.2, "seed": 4},
]


@pytest.mark.parametrize("order", ["rows", "columns", "spiral-in", "comb:2"])
@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_units_add_up_to_the_tree(order, cut):
    tree = tree_of(INSTANCE, order)
    nodes, solutions, boards, paths = searched(tree, **cut)
    assert (nodes, solutions, boards) == by_definition(tree)
    assert solutions >= 1
    assert len(set(paths)) == len(paths)
    assert (len(paths) > 1) == (len(cut) > 1 or "ceiling" in cut)


@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_a_block_is_a_tree_too(cut):
    cells = tuple(cell for cell in fill_order(INSTANCE.grid, "columns") if cell % 5 < 3)
    nodes, solutions, boards, _ = searched(Tree(INSTANCE, cells), **cut)
    expected = whole_tree(INSTANCE, cells)
    assert (nodes, solutions) == (tuple(expected.counts), len(expected.boards))
    assert all(board.count(-1) == 20 - len({*cells, *INSTANCE.pinned}) for board in boards)


def looks(tree):
    """How many boards of the first k cells look different, and how many full ones, by definition."""
    kinds = [tuple(min(tree.instance.pieces.placed(p, rot) for rot in range(4))) for p in range(16)]
    layer, counts = {((), ())}, []
    grid, shown = tree.instance.grid, tree.instance.pieces.placed
    for cell in tree.cells:
        following = set()
        for quads, used in layer:
            left = [piece for piece in range(16) if piece not in used]
            first = {kinds[piece]: piece for piece in reversed(left)}
            at = dict(zip(tree.cells, quads, strict=False))
            for piece in first.values():
                for rot in range(4):
                    quad = shown(piece, rot)
                    around = [grid.neighbour(cell, side) for side in range(4)]
                    rim = all((quad[side] == 0) == (there is None) for side, there in enumerate(around))
                    if rim and all(
                        at[there][side - 2] == quad[side] for side, there in enumerate(around) if there in at
                    ):
                        following.add(((*quads, quad), (*used, piece)))
        layer = following
        counts.append(len({quads for quads, _ in layer}))
    return tuple(counts)


@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_with_equal_pieces_and_turns_merged_every_look_is_one_node(cut):
    tree = tree_of(ALIKE, merged=["pieces", "turns"])
    assert tree.apart > 1
    nodes, solutions, boards, _ = searched(tree, **cut)
    assert nodes == looks(tree)
    apart = whole_tree(ALIKE, tree.cells)
    assert solutions * tree.apart == len(apart.boards)
    assert len(boards) == len(set(boards)) == solutions
    assert set(boards) <= {tuple(board[cell] for cell in range(16)) for board in apart.boards}


@pytest.mark.parametrize("merged", [["pieces"], ["turns"], ["board"], ["pieces", "board"]], ids=str)
def test_what_is_merged_is_known_apart(merged):
    tree = tree_of(ALIKE, merged=merged)
    assert searched(tree)[1] * tree.apart == len(whole_tree(ALIKE, tree.cells).boards)


@pytest.mark.parametrize("cut", CUTS[3:], ids=str)
def test_shares_of_what_is_left_and_what_was_given_add_up(cut):
    tree = tree_of(INSTANCE)
    search, chance = TreeSearch(tree), random.Random(1)
    search.open((), None, cut.get("ceiling"))
    given, before = [], 1.0
    while not search.finished:
        given += search.run(cut.get("bite", 50)).given
        given += search.give().given if chance.random() < 0.3 else ()
        left = search.share_left() + sum(search.share(path) for path in given)
        assert 0.0 <= left <= before + 1e-12
        before = left
    assert search.share_left() == 0.0


def test_a_place_is_where_the_search_goes_on():
    search = TreeSearch(tree_of(INSTANCE))
    search.open(())
    assert search.place() is None
    search.run(40)
    place = search.place()
    search.run(100)
    after = search.place()
    search.open((), place)
    assert search.place() == place
    search.run(100)
    assert search.place() == after
    search.run(10**9)
    assert search.finished
    assert search.place() is None


def test_whatever_is_given_away_is_not_searched_here():
    search = TreeSearch(tree_of(INSTANCE))
    search.open(())
    search.run(200)
    part = search.give()
    assert part.given
    depth = len(part.given[0])
    assert {len(path) for path in part.given} == {depth}
    assert sum(part.nodes) == part.nodes[depth - 1] >= len(part.given)
    assert search.place().floor == depth
    below = search.run(10**9)
    assert below.nodes[: depth - 1] == (0,) * (depth - 1)
    assert all(board[: depth - 1] == below.boards[0][: depth - 1] for board in below.boards)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((-1,), None),
        ((4 * 20,), None),
        ((0, 0), None),
        (tuple(range(0, 80, 4)), None),
        ((), Place(0, ())),
        ((), Place(5, (3, 7))),
        ((), Place(0, (0, 0, 0))),
    ],
    ids=str,
)
def test_a_path_of_another_tree_is_refused(path, place):
    with pytest.raises(SettingsError, match="is not one of this tree"):
        TreeSearch(tree_of(INSTANCE)).open(path, place)


def test_a_place_outside_its_path_is_refused():
    search = TreeSearch(tree_of(INSTANCE))
    search.open((), None, 3)
    one, other = search.run(10**6).given[:2]
    search.open(one)
    search.run(1)
    place = search.place()
    if place is not None:
        with pytest.raises(SettingsError, match="is not one of this tree"):
            search.open(other, place)
    with pytest.raises(SettingsError, match="is not one of this tree"):
        search.open(other, Place(len(other), (*one, 0)))


def test_hints_that_do_not_match_each_other_are_refused():
    with pytest.raises(SettingsError, match="two hints side by side"):
        TreeSearch(tree_of(clashing()))


def test_a_board_that_hints_fill_is_one_solution_without_a_node():
    one = Instance("one", 1, 1, PieceSet(((0, 0, 0, 0),)))
    from e2.core.instance import Hint

    pinned = Instance("pinned", 1, 1, one.pieces, (Hint(0, 0, 0),))
    assert searched(tree_of(pinned))[:3] == ((), 1, [(0,)])
    assert searched(tree_of(one, merged=["turns"]))[:3] == ((1,), 1, [(0,)])
