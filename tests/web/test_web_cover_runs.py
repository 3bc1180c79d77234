"""A count of covers among the runs: listed like any other, and its page says what it cannot show."""

import pytest
from live_pages import client_of, tree

from e2.cluster.observer import Silent
from e2.cluster.run import solve
from e2.cluster.study import run_settings
from e2.formats.cover_text import read_cover
from e2.store.index import COMPLETE, RunIndex


@pytest.fixture
def runs(tmp_path):
    settings = {"kind": "count", "strategy": "cover", "puzzle": "<b>two</b>", "executor": "inline"}
    solve(run_settings(settings), read_cover("a b\na\nb\na b\n"), tmp_path / "covers", Silent())
    return tmp_path


def test_it_is_listed_with_its_sums_and_without_a_fault(runs):
    (listed,) = RunIndex(runs).runs().runs
    assert (listed.state, listed.kind, listed.puzzle, listed.faults) == (COMPLETE, "count", "<b>two</b>", ())
    assert (listed.solutions, listed.nodes, listed.best, listed.max_score) == (2, 3, None, None)


def test_its_page_says_that_there_are_no_boards_and_touches_nothing(runs):
    before = tree(runs)
    client = client_of(runs)
    assert "&lt;b&gt;two&lt;/b&gt;" in client.get("/").text
    page = client.get("/run/covers")
    assert page.status_code == 200
    assert "covers counts covers, so it has no boards to show" in page.text
    assert "&lt;b&gt;two&lt;/b&gt;" in page.text
    assert "<b>two" not in page.text
    assert tree(runs) == before
