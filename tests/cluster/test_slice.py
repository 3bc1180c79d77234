import pytest

from e2.cluster import slice as slices
from e2.cluster.slice import SliceFailure, SliceJob, attempt, run_slice
from e2.search.stats import SearchStats
from e2.search.task import Task


def job(instance, *, state=None, nodes=300, seconds=60.0, stop="", seed=1, **parameters):
    return SliceJob(2, 3, 4, Task(instance, "toy", parameters, seed, 300), state, nodes, seconds, stop)


def in_parts(instance, sizes):
    state, stats, result = None, SearchStats(), None
    for nodes in sizes:
        result = run_slice(job(instance, state=state, nodes=nodes))
        state, stats = result.state, stats + result.stats
    return result.best, result.best_score, state, stats


def test_a_slice_ends_exactly_at_its_node_budget(toy, small):
    result = run_slice(job(small, nodes=123))
    assert (result.stats.nodes, result.finished, result.unit, result.lease) == (123, True, 3, 4)


def test_slices_of_any_size_make_the_same_search(toy, small):
    whole = in_parts(small, [300])
    assert in_parts(small, [1] * 7 + [93, 200]) == whole
    assert in_parts(small, [299, 1]) == whole


def test_a_search_begins_anew_although_its_tables_are_kept(toy, small):
    first = run_slice(job(small))
    assert run_slice(job(small)).state == first.state


def test_searches_take_turns_in_one_process(toy, small):
    alone = {seed: run_slice(job(small, seed=seed)).state for seed in range(8)}
    slices._prepared.clear()
    halves = {seed: run_slice(job(small, seed=seed, nodes=150)).state for seed in range(8)}
    assert {seed: run_slice(job(small, seed=seed, nodes=150, state=halves[seed])).state for seed in range(8)} == alone
    assert len(slices._prepared) <= 4


def test_a_slice_without_a_budget_ends_with_its_seconds(toy, small):
    result = run_slice(job(small, nodes=None, seconds=0.05))
    assert not result.finished
    assert result.stats.nodes > 0


def test_a_slice_ends_soon_after_the_stop_file_is_there(toy, small, tmp_path):
    (tmp_path / "stop").touch()
    result = run_slice(job(small, nodes=None, seconds=600, stop=str(tmp_path / "stop")))
    assert not result.finished
    assert 0 < result.seconds < 60


def test_a_search_that_has_nothing_left_finishes_before_its_budget(toy, small):
    result = run_slice(job(small, ends_at=40))
    assert (result.finished, result.stats.nodes) == (True, 40)


def test_what_a_strategy_raises_comes_back_with_the_tasks_name(toy, small):
    failing = job(small, fails_at=10)
    failure = attempt(failing)
    assert failure == SliceFailure(2, f"task {failing.task.id}: RuntimeError: the toy broke", lost=False)


@pytest.mark.parametrize(
    ("rate", "left", "budget", "nodes"),
    [
        (0.0, 1.0, None, 256),
        (1e6, 1.0, None, 100_000),
        (1e6, 0.01, None, 10_000),
        (1e6, -5.0, None, 256),
        (1e6, 1.0, 77, 77),
    ],
)
def test_a_bite_takes_a_tenth_of_a_second_and_never_more_than_is_left(rate, left, budget, nodes):
    assert slices.bite_nodes(rate, 1.0, left, budget) == nodes
