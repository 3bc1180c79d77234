"""The search with mismatched seams: schedules, tightening, and the end."""

import numpy as np
import pytest
from oracles.depth_first_oracle import whole_tree

from e2.core.generate import generated
from e2.core.instance import Hint, Instance
from e2.core.official import official_instance
from e2.core.pieces import PieceSet
from e2.errors import SettingsError
from e2.search import open_search
from e2.search.fill_order import fill_order
from e2.search.schedule import ModelSchedule, listed_schedule
from e2.search.stats import SearchStats
from e2.search.task import Task

SMALL = generated(5, 4, 4, seed=11, pins=2).instance
STUBBORN = {"order": "piece", "probe": 0, "restart": 0}


def unsolvable():
    """A 4x3 set whose pieces do not make a perfect board, found by its definition."""
    for seed in range(100):
        planted = generated(4, 3, 3, seed=seed).instance
        quads = list(planted.pieces.quads)
        inner = [piece for piece in range(12) if 0 not in quads[piece]]
        up, right, down, left = quads[inner[0]]
        quads[inner[0]] = (right, up, down, left)
        instance = Instance.checked("swapped", 4, 3, PieceSet(tuple(quads)))
        if not whole_tree(instance, range(12)).boards:
            return instance
    raise AssertionError("every seed stayed solvable")


def test_a_schedule_of_depths_counts_pins_as_cells():
    instance = Instance.checked("pinned", 5, 4, SMALL.pieces, SMALL.hints)
    order = fill_order(instance.grid, "rows")
    allowed = listed_schedule(instance, order, [1, 7, 7, 20])
    free = [cell for cell in range(20) if cell not in instance.pinned]
    assert allowed.tolist() == [1 + 2 * (cell >= 6) + (cell >= 19) for cell in [*free, 19]]


@pytest.mark.parametrize(
    ("schedule", "message"),
    [([0], "depth 0"), ([21], "depth 21; expected 1 to 20"), ([7, 6], "falls from depth 7 to 6"), ("slip", "model")],
    ids=str,
)
def test_a_schedule_that_cannot_be_is_refused(schedule, message):
    with pytest.raises(SettingsError, match=message):
        open_search(Task(SMALL, "breaks", {"schedule": schedule}))


@pytest.mark.parametrize("parameters", [{"target": 32}, {"order": "piece"}, {"probe": -1}], ids=str)
def test_settings_at_odds_are_refused(parameters):
    with pytest.raises(SettingsError):
        open_search(Task(SMALL, "breaks", parameters))


def test_the_model_gives_ascending_schedules_that_get_dearer_with_fewer_mismatches():
    instance = official_instance()
    model = ModelSchedule(instance, range(256))
    costs = []
    for mismatches in (30, 24, 18):
        steps, cost = model.steps(mismatches)
        assert len(steps) == mismatches
        assert (np.diff(steps) >= 0).all()
        costs.append(cost)
    assert costs == sorted(costs)
    first = model.first_mismatches()
    soon = max(10_000, 2 * model.steps(2 * 256)[1])
    assert model.steps(first)[1] <= soon < model.steps(first - 1)[1]


def test_the_optimised_schedule_beats_its_start():
    model = ModelSchedule(official_instance(), range(256))
    late = np.floor(np.linspace(0.6 * 251, 250, 26)[1:-1]).astype(np.int64)
    from e2.kernels.expect import nodes_per_board

    assert model.steps(24)[1] < nodes_per_board(model.fits, late, np.zeros(25), 0.0) / 10


@pytest.mark.parametrize("seed", range(3))
def test_the_last_board_has_the_fewest_mismatches_that_any_has(seed):
    instance = unsolvable()
    search = open_search(Task(instance, "breaks", {}, seed))
    bite = search.step(50_000_000)
    assert bite.finished
    fewest = instance.grid.max_score - bite.best_score
    assert not whole_tree(instance, range(12), [fewest - 1] * 12).boards
    assert whole_tree(instance, range(12), [0] * 5 + [fewest] * 7).nodes > 0
    assert bite.best.placed == 12


def test_a_perfect_board_ends_the_search():
    bite = open_search(Task(SMALL, "breaks", {}, seed=1)).step(10_000_000)
    assert bite.finished
    assert (bite.best_score, bite.stats.solutions) == (SMALL.grid.max_score, 1)


def test_a_target_ends_the_search():
    bite = open_search(Task(official_instance(), "breaks", {"target": 440}, seed=1)).step(50_000_000)
    assert bite.finished
    assert bite.best_score >= 440


@pytest.mark.parametrize("parameters", [{"restart": 1000}, {"restart": 700, "probe": 700}, {"restart": 7, "probe": 9}])
def test_a_search_starts_again_in_time_where_the_probe_is_longer(parameters):
    def first_bites(*bites):
        search = open_search(Task(official_instance(), "breaks", parameters, seed=1))
        stats = sum((search.step(nodes).stats for nodes in bites), SearchStats())
        return stats, search.state()

    stats, state = first_bites(3500)
    assert (stats.nodes, stats.restarts) == (3500, 3500 // parameters["restart"])
    assert first_bites(333, *[800] * 3, 767) == (stats, state)


@pytest.mark.parametrize("parameters", [{"restart": 10, "probe": 0}, {"restart": 0, "probe": 10}], ids=str)
def test_a_bite_may_end_where_the_search_starts_again(parameters):
    search = open_search(Task(official_instance(), "breaks", parameters, seed=1))
    stats = [search.step(10).stats for _ in range(3)]
    assert [(bite.nodes, bite.restarts) for bite in stats] == [(10, 1)] * 3


def test_a_schedule_of_more_depths_than_seams_allows_them_all_and_is_put_aside():
    task = Task(generated(2, 2, 2, seed=1).instance, "breaks", {"schedule": [1, 1, 1, 2, 2]}, seed=1)
    search = open_search(task)
    assert search.allowed.tolist() == [3, 4, 4, 4, 4]
    search.step(1)
    assert open_search(task, search.state()).state() == search.state()


def test_a_state_past_its_restart_is_refused():
    search = open_search(Task(official_instance(), "breaks", {"restart": 1000, "probe": 0}, seed=1))
    search.step(10)
    search.run_nodes = 1001
    with pytest.raises(SettingsError, match="counters are out of range"):
        open_search(Task(official_instance(), "breaks", {"restart": 1000, "probe": 0}, seed=1), search.state())


def test_seams_between_pins_are_nobodys_fault():
    quads = SMALL.pieces.quads
    inner = [piece for piece in range(20) if 0 not in quads[piece]]
    clashing = [
        (Hint(6, inner[0], rot), Hint(7, inner[1], other))
        for rot in range(4)
        for other in range(4)
        if SMALL.pieces.placed(inner[0], rot)[1] != SMALL.pieces.placed(inner[1], other)[3]
    ]
    instance = Instance.checked("clashing", 5, 4, SMALL.pieces, clashing[0])
    search = open_search(Task(instance, "breaks", {}))
    bite = search.step(200_000)
    assert bite.best_score < instance.grid.max_score
    with pytest.raises(SettingsError, match="two hints side by side"):
        open_search(Task(instance, "strict", {}))


def test_an_empty_schedule_makes_the_nodes_of_strict():
    strict = open_search(Task(unsolvable(), "strict", {"order": "piece"})).step(10_000_000)
    breaks = open_search(Task(unsolvable(), "breaks", {**STUBBORN, "schedule": []})).step(10_000_000)
    assert strict.finished
    assert breaks.finished
    assert breaks.stats == strict.stats
    assert breaks.best == strict.best
