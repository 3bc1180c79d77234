"""The cover kernel against its definition, on random problems and on published ones."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.cover_oracle import places_on, slow_covers
from oracles.cover_problems import problems

from e2.core.cover import CoverProblem
from e2.errors import SettingsError
from e2.formats.cover_text import read_cover
from e2.kernels import cover_tables
from e2.kernels.cover_tables import build_cover, laid_out
from e2.search.cover_tree import count_covers
from e2.search.exact_cover import ExactCover, covers

XCC = Path(__file__).parents[1] / "cases" / "xcc"


def searched(problem):
    return ExactCover(build_cover(laid_out(problem)))


@settings(max_examples=300, deadline=None)
@given(problems())
def test_solutions_and_nodes_are_those_of_the_definition(problem):
    solutions, tried = slow_covers(problem)
    search = searched(problem)
    made = search.run(1 << 40)
    assert (made.nodes, made.solutions, search.finished) == (tried, len(solutions), True)
    found = [frozenset(row[row >= 0].tolist()) for block in covers(problem) for row in block]
    assert found == solutions


@settings(max_examples=100, deadline=None)
@given(problems(), st.integers(1, 4))
def test_a_search_goes_on_from_its_path_wherever_it_is_put_aside(problem, bite):
    whole = searched(problem).run(1 << 40)
    search, nodes, solutions = searched(problem), 0, 0
    while not search.finished:
        made = search.run(bite)
        nodes, solutions = nodes + made.nodes, solutions + made.solutions
        assert made.nodes == bite or search.finished
        other = searched(problem)
        other.restore(search.path(), search.best, search.agreements, search.deepest)
        assert (other.path(), other.best, other.finished) == (search.path(), search.best, search.finished)
        search = other
    assert (nodes, solutions) == (whole.nodes, whole.solutions)


@settings(max_examples=100, deadline=None)
@given(problems(), st.integers(0, 40))
def test_a_path_tells_how_many_options_there_were_and_how_many_came_before(problem, nodes):
    search, other = searched(problem), searched(problem)
    search.run(nodes)
    path = search.path()
    for begun in (True, False):
        fit, before = other.go_to(path if begun else path[:-1], begun, 0)
        expected = places_on(problem, path if begun else path[:-1])
        assert list(zip(fit.tolist(), before.tolist(), strict=True)) == expected


def test_more_options_than_a_word_has_are_told_apart():
    problem = read_cover("a b\n" + "a\n" * 150 + "b\n" * 200)
    search, other = searched(problem), searched(problem)
    search.run(201 * 100 + 70 + 1)
    fit, before = other.go_to(search.path(), True, 0)
    assert (fit.tolist(), before.tolist()) == ([150, 200], [100, 70])


@pytest.mark.parametrize(
    ("name", "solutions"),
    [("word6", 244_792), ("em4_3_3_1", 8), ("em5_3_3_1", 765), ("em5_4_3_2", 37), ("em6_6_4_3", 2), ("em6_5_4_2", 96)],
)
def test_the_published_instances_have_the_published_counts(name, solutions):
    assert count_covers(read_cover((XCC / f"{name}.dlx").read_text())) == solutions


def test_macmahons_squares_with_a_white_rim_lie_in_106624_ways():
    """The white square in one quarter of the board stands for its four mirror images."""
    problem = read_cover((XCC / "mm46.dlx").read_text())
    items = problem.items
    quarter = {f"c{row}_{column}" for row in range(2) for column in range(3)}
    white = "p0"
    kept = [
        option
        for option in problem.options
        if white not in {items[item] for item, _ in option} or quarter & {items[item] for item, _ in option}
    ]
    # With the pieces before the cells fewer options are tried.
    renumbered = tuple(
        tuple((item if item >= 48 else (item + 24) % 48, colour) for item, colour in option) for option in kept
    )
    primary = problem.primary[24:] + problem.primary[:24]
    assert 4 * count_covers(CoverProblem(primary, problem.secondary, renumbered)) == 106_624


def test_the_first_solution_takes_the_smallest_item_and_options_in_order():
    problem = read_cover((XCC / "word6.dlx").read_text())
    first = [problem.options[option] for option in next(covers(problem))[0]]
    words = {problem.items[option[0][0]]: problem.items[option[1][0]] for option in first}
    assert words == {"CANTOR": "0_0", "GAUSS": "1_0", "EULER": "2_0", "ABEL": "3_0"}


def test_agreements_count_shared_colours_and_the_best_path_has_the_most():
    problem = read_cover("a b | x y\na x:1 y:1\nb x:2\nb x:1\nb x:1 y:1\n")
    search = ExactCover(build_cover(laid_out(problem)), most=2)
    search.run(100)
    assert (search.best, search.agreements) == ((0, 3), 2)


def test_forced_options_are_no_nodes_and_must_go_together():
    problem = read_cover("a b c | x\na x:1\na x:2\nb x:1\nb x:2\nc x:2\n")
    tables = build_cover(laid_out(problem))
    forced = ExactCover(tables, [1])
    assert (forced.run(10).nodes, forced.finished) == (2, True)
    all_forced = ExactCover(tables, [1, 3, 4]).run(10, 1)
    assert (all_forced.nodes, all_forced.solutions, all_forced.found.tolist()) == (0, 1, [[1, 3, 4]])
    assert ExactCover(tables, [0]).finished
    with pytest.raises(SettingsError, match="option 4 does not go with those forced before it"):
        ExactCover(tables, [0, 4])


def test_a_path_that_no_search_takes_is_refused_and_changes_nothing():
    problem = read_cover((XCC / "em4_3_3_1.dlx").read_text())
    search = searched(problem)
    search.run(7)
    path = search.path()
    for wrong in ((10_000,), (5,), (*path[:-1], path[0]), (*path, path[0])):
        with pytest.raises(SettingsError, match="no search of the task stands there"):
            search.restore(wrong, None, 0, 0)
        assert search.path() == path
    assert search.run(1 << 40).nodes == searched(problem).run(1 << 40).nodes - 7


def test_no_options_leave_nothing_to_try_and_no_items_leave_one_empty_solution():
    assert count_covers(CoverProblem(("a",), (), ())) == 0
    assert count_covers(CoverProblem((), ("x",), ())) == 1


def test_too_many_masks_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr(cover_tables, "MAX_MASKS", 100)
    options = laid_out(read_cover("a | x\n" + "".join(f"a x:{number}\n" for number in range(1000))))
    with pytest.raises(SettingsError, match="16000 masks of 64 options would be needed; expected at most 100"):
        build_cover(options)
    monkeypatch.undo()
    monkeypatch.setattr(cover_tables, "MAX_SIZES", 100)
    build_cover(laid_out(read_cover("a b c d e f g h i | x\na\n")))
    with pytest.raises(
        SettingsError, match="10 primary items, 10 options in a solution; expected a product of at most"
    ):
        build_cover(laid_out(read_cover("a b c d e f g h i j | x\na\n")))
