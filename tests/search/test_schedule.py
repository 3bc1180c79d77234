"""Schedules as people read and write them, and what the model expects of them."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from oracles.depth_first_oracle import whole_tree

from e2.core.generate import generated
from e2.core.instance import Hint, Instance
from e2.core.official import official_instance
from e2.errors import SettingsError
from e2.kernels.expect import best_steps, nodes_per_board
from e2.search.fill_order import fill_order
from e2.search.ladders import LADDERS
from e2.search.schedule import ModelSchedule, listed_schedule

OFFICIAL = official_instance()
ORDER = fill_order(OFFICIAL.grid, "comb:11", 2)


def test_a_models_schedule_read_back_as_depths_allows_the_same():
    model = ModelSchedule(OFFICIAL, ORDER)
    schedule = model.schedule(24)
    assert listed_schedule(OFFICIAL, ORDER, schedule.depths).tolist() == model.allowed(24).tolist()
    assert (schedule.mismatches, schedule.allowed[-1], len(schedule.allowed)) == (24, 24, 256)


def test_expected_nodes_by_depth_add_up_to_those_of_the_kernel():
    model = ModelSchedule(OFFICIAL, ORDER)
    steps, cost = model.steps(24)
    assert model.schedule(24).nodes_per_board == pytest.approx(cost)
    ladder = model.judged(LADDERS["blackwood-467"])
    steps = np.searchsorted(model.places, LADDERS["blackwood-467"])
    assert ladder.nodes_per_board == pytest.approx(nodes_per_board(model.fits, steps, np.zeros(14), 0.0))
    assert ladder.nodes[-1] == pytest.approx(1.0)


@pytest.mark.parametrize("ahead", [0.0, 50.0])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_steps_are_the_best_of_all(seed, ahead):
    random = np.random.default_rng(seed)
    depths, mismatches = 7, 3
    fits = random.uniform(0.0, 3.0, (depths, 3)) * random.uniform(0.01, 2.0, (depths, 1))
    row, worth = np.zeros(mismatches + 1), np.zeros(mismatches + 1)
    every = [
        nodes_per_board(fits, np.array(steps), row, ahead)
        for steps in combinations_with_replacement(range(depths), mismatches)
    ]
    for first in (0, depths - 1):
        steps = np.full(mismatches, first)
        cost = best_steps(fits, steps, steps.copy(), row, worth, ahead)
        assert cost == nodes_per_board(fits, steps, row, ahead)
        assert cost == pytest.approx(min(every), rel=1e-9)
    assert min(every) < 0.999 * np.median(every)


def test_one_mismatch_more_makes_boards_cheaper_by_a_like_factor():
    model = ModelSchedule(OFFICIAL, ORDER)
    costs = np.log10([model.steps(mismatches)[1] for mismatches in range(10, 26)])
    falls = -np.diff(costs)
    assert (np.diff(falls) < 0.0).all()
    assert falls.min() > 0.9


def test_where_all_is_pinned_nothing_costs_anything():
    planted = generated(3, 3, 3, seed=1, pins=9).instance
    model = ModelSchedule(planted, range(9))
    assert model.first_mismatches() == 0
    assert model.allowed(0).tolist() == [0]
    schedule = model.schedule(0)
    assert (schedule.depths, schedule.nodes_per_board) == ((), 0.0)


def test_pins_cost_no_nodes():
    nodes = ModelSchedule(OFFICIAL, ORDER).schedule(30).nodes
    assert {ORDER[depth] for depth in range(256) if nodes[depth] == 0.0} == set(OFFICIAL.pinned)


@pytest.mark.parametrize("name", LADDERS)
def test_a_published_ladder_allows_what_its_name_says(name):
    assert listed_schedule(OFFICIAL, ORDER, LADDERS[name])[-1] == len(LADDERS[name])
    if name.startswith("blackwood"):
        assert len(LADDERS[name]) == 480 - int(name[10:13])


def test_blackwoods_teeth_begin_with_a_mismatch():
    order = fill_order(OFFICIAL.grid, "blackwood")
    tops = [depth for depth in LADDERS["blackwood-470"] if order[depth - 1] // 16 == 11]
    assert tops == [202, 207, 212, 217, 222, 238, 240]


def crossed():
    """A 5x4 puzzle with a free cell between two pins that no piece matches both, and that cell."""
    pieces = generated(5, 4, 5, seed=3).instance.pieces
    inner = [piece for piece in range(20) if 0 not in pieces.quads[piece]]
    for left in range(4):
        for right in range(4):
            hints = (Hint(6, inner[0], left), Hint(8, inner[1], right))
            instance = Instance.checked("crossed", 5, 4, pieces, hints)
            if not any(
                pieces.placed(piece, rot)[3] == pieces.placed(inner[0], left)[1]
                and pieces.placed(piece, rot)[1] == pieces.placed(inner[1], right)[3]
                for piece in inner[2:]
                for rot in range(4)
            ):
                return instance, 7
    raise AssertionError("every turn of the pins leaves a way")


def test_a_schedule_that_can_never_finish_a_board_is_refused_with_the_cell():
    instance, cell = crossed()
    order = range(20)
    assert not whole_tree(instance, order, [0] * 18).boards
    with pytest.raises(SettingsError, match=f"never finish a board: whatever lies on cell {cell} "):
        listed_schedule(instance, order, [9])
    assert listed_schedule(instance, order, [8])[-1] == 1
