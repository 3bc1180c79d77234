"""Which solution an exhaustive search names does not depend on who was quicker."""

from functools import cache
from pathlib import Path

import pytest
from cutting import counted, cutting
from oracles.depth_first_oracle import whole_tree

from e2.cluster.inline import InlineExecutor
from e2.cluster.slice import attempt
from e2.core.fingerprint import board_hash
from e2.search.fill_order import fill_order
from e2.store.inputs import the_puzzle

TOMY = the_puzzle(str(Path(__file__).parents[1] / "counts" / "tomy_4x4.json"))


class LastFirst(InlineExecutor):
    """Has several slices in flight, and answers the one that was handed out last."""

    workers = in_flight = 5

    def collect(self, seconds):
        return [attempt(self._queue.pop())] if self._queue else []


@cache
def first_by_definition(order):
    found = whole_tree(TOMY, fill_order(TOMY.grid, order)).boards
    return tuple(found[0][cell] for cell in range(16))


@pytest.mark.parametrize("order", ["rows", "columns", "spiral-in"])
@pytest.mark.parametrize("executor", [InlineExecutor, LastFirst])
@pytest.mark.parametrize("bite", [3, 40, 100_000])
def test_the_first_solution_is_the_first_of_the_tree(tmp_path, order, executor, bite):
    with cutting(bite):
        summary = counted(TOMY, tmp_path / "run", executor(), target=24, parameters={"fill_order": order})
    assert summary.complete
    assert summary.best.board_hash == board_hash(first_by_definition(order))


def test_with_ranks_whoever_is_first_ends_the_search(tmp_path):
    with cutting(40):
        summary = counted(TOMY, tmp_path / "run", target=24, prefix_depth=3, rank="probes")
    assert summary.complete
    assert (summary.best.score, summary.solutions) == (24, 1)
