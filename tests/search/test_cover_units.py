"""However a cover tree is cut into units, their accounts add up to the tree as its definition has it."""

import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.cover_oracle import slow_covers
from oracles.cover_problems import problems
from oracles.depth_first_oracle import whole_tree
from unit_cuts import clashing, searched

from e2.core.cover import CoverProblem
from e2.core.generate import generated
from e2.errors import SettingsError
from e2.formats.cover_text import read_cover
from e2.search.cover_tree import BoardCover, CoverTree, count_covers
from e2.search.crossing import CROSSINGS, EACH, SOME
from e2.search.units import Place

XCC = Path(__file__).parents[1] / "cases" / "xcc"
BOARD = generated(5, 4, 4, seed=1, pins=1).instance
CUTS = [
    {},
    {"bite": 1},
    {"bite": 37, "gives": 0.5},
    {"ceiling": 1, "bite": 3, "gives": 1.0},
    {"ceiling": 3},
    {"ceiling": 6, "bite": 23, "gives": 0.3, "seed": 4},
]


cuts = st.fixed_dictionaries(
    {
        "bite": st.integers(1, 9),
        "ceiling": st.integers(0, 3),
        "gives": st.sampled_from([0.0, 0.5, 1.0]),
        "seed": st.integers(0, 9),
    }
)


@settings(max_examples=200, deadline=None)
@given(problems(), cuts)
def test_units_of_any_problem_add_up_to_its_definition(problem, cut):
    solutions, tried = slow_covers(problem)
    tree = CoverTree.of(problem)
    nodes, counted, boards, paths = searched(tree, **cut)
    assert (sum(nodes), counted, boards) == (tried, len(solutions), [])
    assert nodes == searched(tree)[0]
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize("crossing", CROSSINGS)
@settings(max_examples=50, deadline=None)
@given(problem=problems(), cut=cuts)
def test_covers_that_cross_are_counted_whoever_meets_them(crossing, problem, cut):
    def shared(one, other):
        return bool({item for item, _ in one} & {item for item, _ in other} - set(range(len(problem.primary))))

    def fits(chosen):
        options = [problem.options[option] for option in chosen]
        links = [
            {b for b, other in enumerate(options) if b != a and shared(one, other)} for a, one in enumerate(options)
        ]
        reached = {0}
        for _ in options:
            reached |= {b for a in reached for b in links[a]}
        return {"any": True, "some": any(links), "each": all(links), "connected": len(reached) == len(options)}[
            crossing
        ]

    expected = sum(map(fits, slow_covers(problem)[0]))
    assert searched(CoverTree.of(problem, crossing), **cut)[1] == expected == count_covers(problem, crossing)


@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_units_of_a_board_add_up_to_the_strict_tree(cut):
    tree = BoardCover(BOARD)
    nodes, solutions, boards, paths = searched(tree, **cut)
    expected = whole_tree(BOARD, range(20))
    codes = sorted(tuple(board[cell] for cell in range(20)) for board in expected.boards)
    assert (solutions, boards) == (len(codes), codes)
    assert nodes == searched(tree)[0]
    assert len(nodes) == tree.depths == 19
    assert len(set(paths)) == len(paths)
    assert (len(paths) > 1) == (len(cut) > 1 or "ceiling" in cut)
    assert all(0 <= option < tree.codes for path in paths for option in path)


@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_a_larger_problem_comes_to_the_same_however_it_is_cut(cut):
    tree = CoverTree.of(read_cover((XCC / "em4_3_3_1.dlx").read_text()))
    assert searched(tree, **cut)[:2] == searched(tree)[:2]
    assert searched(tree)[1] == 8


@pytest.mark.parametrize("bite", [1, 50])
def test_shares_of_what_is_left_and_what_was_given_add_up(bite):
    search, chance = BoardCover(BOARD).search(), random.Random(1)
    search.open((), None, 5)
    gone, before = [], 1.0
    while not search.finished:
        gone += search.run(bite).given
        gone += search.give().given if chance.random() < 0.3 else ()
        left = search.share_left() + sum(search.share(path) for path in gone)
        assert 0.0 <= left <= before + 1e-12
        before = left
    assert gone
    assert search.share_left() == 0.0


def test_a_place_is_where_the_search_goes_on():
    search = BoardCover(BOARD).search()
    search.open(())
    search.run(40)
    place = search.place()
    search.run(30)
    after = search.place()
    search.open((), place)
    assert search.place() == place
    search.run(30)
    assert search.place() == after
    search.run(10**9)
    assert search.finished
    assert search.place() is None


def test_the_shallowest_branches_are_given_and_not_searched_here():
    search = CoverTree.of(read_cover((XCC / "em4_3_3_1.dlx").read_text())).search()
    search.open(())
    search.run(60)
    part = search.give()
    assert part.given
    depth = len(part.given[0])
    assert {len(path) for path in part.given} == {depth}
    assert sum(part.nodes) == part.nodes[depth - 1] >= len(part.given)
    assert search.place().floor == depth
    assert search.run(10**9).nodes[:depth] == (0,) * depth


def test_a_short_option_that_is_a_solution_is_counted_by_whoever_gives_it_away():
    search = CoverTree.of(read_cover("a b\na\nb\na b\n")).search()
    search.open(())
    search.run(1)
    part = search.give()
    assert (part.nodes, part.solutions, part.given) == ((1, 0), 1, ())
    assert search.run(10).solutions == 1


def test_with_first_a_search_ends_at_a_solution():
    search = BoardCover(BOARD).search()
    search.open(())
    assert search.run(10**9, first=True).solutions == 1
    words = read_cover((XCC / "word6.dlx").read_text())
    crossed = CoverTree.of(words, SOME).search()
    crossed.open(())
    assert crossed.run(10**9, first=True).solutions == 1


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((-1,), None),
        ((10**6,), None),
        ((0, 0), None),
        (tuple(range(20)), None),
        ((), Place(0, ())),
        ((), Place(5, (3, 7))),
        ((), Place(0, (0, 0, 0))),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "tree", [BoardCover(BOARD), CoverTree.of(read_cover("a b\na\nb\na b\n"))], ids=["board", "text"]
)
def test_a_path_of_another_tree_is_refused(tree, path, place):
    with pytest.raises(SettingsError, match="is not one of this tree"):
        tree.search().open(path, place)


def test_a_solution_has_nothing_below_it_and_a_dead_end_neither():
    search = CoverTree.of(read_cover("a b c\na b c\na b\nb\na c\n")).search()
    for path in ((0,), (1,)):
        with pytest.raises(SettingsError, match="is not one of this tree"):
            search.open(path)


def test_hints_that_do_not_match_each_other_are_refused():
    with pytest.raises(SettingsError, match="two hints side by side"):
        BoardCover(clashing()).search()


def test_what_decides_a_tree_decides_its_id():
    problem = read_cover("a b | x\na x:1\nb x:1\na b x:2\n")
    renamed = read_cover("c d | y\nc y:A\nd y:A\nc d y:B\n")
    others = [
        CoverTree.of(problem, EACH),
        CoverTree.of(read_cover("a b | x\na x:1\nb x:2\na b x:2\n")),
        CoverTree.of(read_cover("a b | x z\na x:1\nb x:1\na b x:2\n")),
        BoardCover(BOARD),
        BoardCover(generated(5, 4, 4, seed=2, pins=1).instance),
    ]
    same = CoverTree.of(problem)
    assert same.id == CoverTree.of(renamed).id
    assert len({same.id, *(tree.id for tree in others)}) == 6


def test_a_tree_is_sent_small_and_searched_as_it_was():
    tree = CoverTree.of(read_cover((XCC / "em6_5_4_2.dlx").read_text()))
    sent = pickle.dumps(tree)
    assert len(sent) < 20_000
    assert pickle.loads(sent) == tree
    search, other = tree.search(), pickle.loads(sent).search()
    for one in (search, other):
        one.open((), None, 6)
    assert search.run(500) == other.run(500)


def test_no_items_leave_one_empty_solution():
    assert searched(CoverTree.of(CoverProblem((), ("x",), ())))[:2] == ((), 1)
    assert searched(CoverTree.of(CoverProblem(("a",), (), ())))[1] == 0
