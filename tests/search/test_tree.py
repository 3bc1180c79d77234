"""A tree as a value: what names it, and how many solutions apart each one of it stands for."""

from dataclasses import replace

import pytest

from e2.core.instance import Hint, Instance
from e2.core.pieces import PieceSet
from e2.errors import SettingsError
from e2.search.fill_order import fill_order
from e2.search.tree import Tree
from e2.store.inputs import the_puzzle

CLUE_3 = the_puzzle("clue_3")
FOUR_ALIKE = Instance("four", 2, 2, PieceSet(((0, 1, 1, 0),) * 4))
ALL = frozenset({"pieces", "turns", "board"})


def whole(instance, merged=(), order="rows"):
    return Tree(instance, fill_order(instance.grid, order), frozenset(merged))


def test_a_tree_is_named_by_its_puzzle_its_cells_and_what_it_merges():
    trees = [whole(CLUE_3), whole(CLUE_3, order="comb"), whole(CLUE_3, ["pieces"]), whole(the_puzzle("clue_1"))]
    assert len({tree.id for tree in trees}) == 4
    assert whole(replace(CLUE_3, name="another name")).id == trees[0].id


@pytest.mark.parametrize(
    ("merged", "factor"),
    [((), 1), (("pieces",), 288), (("turns",), 4), (("board",), 4), (("pieces", "turns"), 1152), (ALL, 4608)],
)
def test_a_solution_stands_for_all_orders_of_copies_and_all_turns_that_look_the_same(merged, factor):
    assert whole(CLUE_3, merged).apart == factor


def test_a_pinned_copy_and_a_pinned_turn_stand_for_nothing_else():
    symmetric = next(p for p, quad in enumerate(CLUE_3.pieces.quads) if quad[:2] == quad[2:])
    pinned = replace(CLUE_3, hints=(Hint(14, symmetric, 0),))
    assert whole(pinned, ["pieces", "turns"]).apart == 1152 // (2 * 2)


def test_fillings_of_a_block_stand_for_a_number_only_where_all_pieces_differ():
    cells = (0, 1, 6, 7)
    assert Tree(CLUE_3, cells, frozenset({"pieces"})).apart is None
    assert Tree(CLUE_3, cells).apart == 1
    assert Tree(the_puzzle("eternity2_no_hint"), cells, frozenset({"pieces", "turns"})).apart == 1


def test_the_corner_that_stays_is_the_least_without_a_copy():
    clue_1 = the_puzzle("clue_1")
    (pin,) = whole(clue_1, ["pieces", "board"]).searched.hints
    assert (pin.cell, clue_1.pieces.placed(pin.piece, pin.rot)) == (0, (0, 1, 2, 0))


@pytest.mark.parametrize(
    ("instance", "cells", "merged", "said"),
    [
        (the_puzzle("clue_2"), None, {"board"}, "whole square boards without hints"),
        (the_puzzle("eternity2"), None, {"board"}, "whole square boards without hints"),
        (CLUE_3, (0, 1, 6, 7), {"board"}, "whole square boards without hints"),
        (FOUR_ALIKE, None, {"board", "pieces"}, "here each has a copy"),
    ],
)
def test_turns_of_the_board_are_refused_where_they_cannot_be_told(instance, cells, merged, said):
    with pytest.raises(SettingsError, match=said):
        Tree(instance, cells or tuple(range(instance.grid.cells)), frozenset(merged))
