"""Upper tree and units together are the single search."""

import pytest

from e2.core.generate import generated
from e2.errors import SettingsError
from e2.search import open_search
from e2.search.prefixes import split
from e2.search.stats import SearchStats
from e2.search.task import Task

INSTANCE = generated(5, 5, 7, seed=1, framed=True, pins=1).instance
WHOLE = {"exhaustive": True}


def finished(task, state=None, bite=1_000_003):
    search, total = open_search(task, state), SearchStats()
    while True:
        done = search.step(bite)
        total += done.stats
        if done.finished:
            return total


@pytest.mark.parametrize("parameters", [WHOLE, {**WHOLE, "fill_order": "spiral-in", "order": "piece"}], ids=str)
@pytest.mark.parametrize("wanted", [1, 40, 300])
def test_upper_tree_and_units_add_up_to_the_single_search(parameters, wanted):
    task = Task(INSTANCE, "strict", parameters)
    total, states = split(INSTANCE, parameters, wanted)
    assert len(states) >= wanted
    for state in states:
        total += finished(task, state)
    assert total == finished(task)
    assert total.solutions > 0


def test_a_unit_can_be_stopped_and_reopened():
    task = Task(INSTANCE, "strict", WHOLE)
    unit = split(INSTANCE, WHOLE, 10)[1][3]
    search, total = open_search(task, unit), SearchStats()
    while True:
        done = search.step(501)
        total += done.stats
        if done.finished:
            break
        search = open_search(task, search.state())
    assert total == finished(task, unit)


def test_the_same_cut_is_made_every_time():
    assert split(INSTANCE, WHOLE, 40) == split(INSTANCE, WHOLE, 40)


def test_a_tree_that_is_never_so_wide_is_cut_where_it_is_widest():
    instance = generated(3, 3, 4, seed=1, pins=4).instance
    total, states = split(instance, WHOLE, 10_000)
    for state in states:
        total += finished(Task(instance, "strict", WHOLE), state)
    assert total == finished(Task(instance, "strict", WHOLE))


@pytest.mark.parametrize(("parameters", "wanted"), [({}, 5), (WHOLE, 0)], ids=str)
def test_units_that_could_not_add_up_are_refused(parameters, wanted):
    with pytest.raises(SettingsError):
        split(INSTANCE, parameters, wanted)
