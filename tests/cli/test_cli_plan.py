"""e2 plan and e2 estimate: what they say of a tree, and what they refuse."""

from pathlib import Path

import pytest
from conftest import Run

from e2.search.tree import Tree
from e2.search.tree_search import TreeSearch
from e2.store.inputs import the_puzzle

TINY = Path(__file__).parents[1] / "counts" / "tomy_4x4.json"


def test_a_small_tree_is_estimated_exactly(e2: Run) -> None:
    ran = e2("estimate", "--puzzle", TINY, "--width", "100000", "--probes", "2", "--json")
    (record,) = ran.records
    assert (ran.code, record["nodes"], record["solutions"]) == (0, 81120, 2560)
    assert record["interval"] == [81120, 81120]
    assert sum(record["nodes_by_depth"]) == 81120


def test_an_estimate_comes_with_its_error(e2: Run) -> None:
    ran = e2("estimate", "--puzzle", TINY, "--width", "50", "--probes", "9")
    lines = dict(line.split(None, 1) for line in ran.out.splitlines())
    assert list(lines)[:4] == ["nodes", "solutions", "widest", "probes"]
    assert "95 % interval" in lines["nodes"]


def test_a_block_and_pieces_without_hints_are_estimated_too(e2: Run) -> None:
    ran = e2("estimate", "--puzzle", "eternity2", "--any-hints", "--region", "0,0,2,2", "--width", "5000", "--json")
    assert ran.records[0]["solutions"] == 1312


def test_a_plan_lists_the_units_of_the_search_best_first(e2: Run) -> None:
    instance = the_puzzle(str(TINY))
    search = TreeSearch(Tree(instance, tuple(range(16))))
    search.open((), None, 4)
    due = search.run(10**9).given
    ran = e2("plan", "--puzzle", TINY, "--prefix-depth", "4", "--json")
    *units, last = ran.records
    assert last == {"units": len(due), "judged": len(due), "exact": True, "depth": 4}
    assert {tuple(unit["unit"]) for unit in units} == set(due)
    assert [unit["nodes"] for unit in units] == sorted((unit["nodes"] for unit in units), reverse=True)
    modelled = e2("plan", "--puzzle", TINY, "--prefix-depth", "4", "--rank", "model", "--json").records[:-1]
    assert [unit["solutions"] for unit in modelled] == sorted((unit["solutions"] for unit in units), reverse=True)


def test_a_plan_of_too_many_units_is_a_sample(e2: Run) -> None:
    ran = e2("plan", "--puzzle", "eternity2", "--prefix-depth", "10", "--most", "50", "--rows", "3")
    assert ran.code == 0
    first, sizes, _, *rows = ran.out.splitlines()
    assert first.startswith("about ")
    assert "of them judged with 10 of 251 pieces on the board" in first
    assert sizes.startswith("nodes of a unit: ")
    assert len(rows) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("plan", "--puzzle", TINY), "plan needs --prefix-depth"),
        (("plan", "--puzzle", TINY, "--prefix-depth", "0"), "depth 0: expected 1 to 15"),
        (
            ("plan", "--puzzle", TINY, "--prefix-depth", "3", "--rank", "luck"),
            "--rank 'luck': expected probes or model",
        ),
        (("plan", "--puzzle", TINY, "--prefix-depth", "3", "--most", "0"), "--most 0"),
        (("plan", "--puzzle", TINY, "--prefix-depth", "3", "--rows", "-3"), "--rows"),
        (("estimate", "--puzzle", TINY, "--width", "0"), "--width 0"),
        (("estimate", "--puzzle", TINY, "--probes", "0"), "--probes 0"),
        (
            ("estimate", "--puzzle", TINY, "--region", "3,0,2,2"),
            "expected COLUMN,ROW,WIDTH,HEIGHT of a block within 4x4",
        ),
    ],
)
def test_what_cannot_be_planned_is_refused(e2: Run, arguments: tuple[str, ...], said: str) -> None:
    ran = e2(*arguments)
    assert ran.code == 2
    assert said in ran.err
    assert ran.out == ""
