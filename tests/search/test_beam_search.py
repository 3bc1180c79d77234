"""The resting points of `beam` within its pass, made frequent here."""

import io

import numpy as np
import pytest

from e2.core.generate import generated
from e2.core.official import official_instance
from e2.errors import SettingsError
from e2.search import beam_search, open_search, strategy
from e2.search.contract import PROMISES, Subject
from e2.search.stats import SearchStats
from e2.search.task import Task

TASK = Task(official_instance(), "beam", {"width": 60}, seed=5)


@pytest.fixture(scope="module")
def whole():
    """What the beam comes to in one go."""
    return open_search(TASK).step(1)


@pytest.fixture
def frequent(monkeypatch):
    monkeypatch.setattr(beam_search, "_REST", 6000)


@pytest.mark.usefixtures("frequent")
def test_a_beam_that_is_killed_and_restored_at_every_rest_comes_to_the_same(whole):
    search, stats, rests = open_search(TASK), SearchStats(), 0
    bite = search.step(1)
    while not bite.finished:
        assert bite.best is None
        stats, rests = stats + bite.stats, rests + 1
        search = open_search(TASK, search.state())
        bite = search.step(1)
    assert rests > 5
    assert (stats + bite.stats, bite.best, bite.best_score) == (whole.stats, whole.best, whole.best_score)


@pytest.mark.usefixtures("frequent")
def test_a_stop_costs_what_was_done_since_the_last_rest(whole):
    search = open_search(TASK)
    looks = iter([False] * 100)
    stopped = search.step(10**9, lambda: next(looks, True))
    assert 0 < stopped.stats.nodes < whole.stats.nodes
    rest = open_search(TASK, search.state()).step(10**9)
    assert stopped.stats + rest.stats == whole.stats
    assert rest.best == whole.best


@pytest.mark.usefixtures("frequent")
@pytest.mark.parametrize(
    ("name", "promise"),
    [("beam", promise) for promise in PROMISES]
    + [("portfolio", promise) for promise in PROMISES if "on elsewhere" in promise.text],
    ids=lambda part: part if isinstance(part, str) else part.check.__name__,
)
def test_beams_that_rest_keep_what_all_strategies_promise(name, promise):
    subject = Subject(strategy(name), official_instance(), 40_000, {"width": 24})
    assert list(promise.check(subject)) == []


@pytest.mark.usefixtures("frequent")
def test_a_beam_does_not_rest_where_its_state_is_too_large(whole, monkeypatch):
    rested = open_search(TASK)
    rested.step(1)
    monkeypatch.setattr(beam_search, "_LARGEST_STATE", 0)
    assert open_search(TASK).step(1) == whole
    monkeypatch.setattr(beam_search, "_LARGEST_STATE", sum(array.nbytes for array in rested.lines.values()))
    again = open_search(TASK)
    again.step(1)
    assert again.state() == rested.state()


@pytest.mark.usefixtures("frequent")
def test_a_state_with_a_wrong_byte_is_refused_or_means_the_same():
    instance = generated(5, 4, 4, seed=11, pins=2).instance
    task = Task(instance, "beam", {"width": 60}, seed=5)
    search = open_search(task)
    search.step(1)
    state = search.state()
    due = search.step(1)
    refused = 0
    for at in range(0, len(state), 13):
        flipped = bytearray(state)
        flipped[at] ^= 0x10
        other = open_search(task)
        before = other.state()
        try:
            other.restore(bytes(flipped))
        except SettingsError:
            refused += 1
            assert other.state() == before
        else:
            assert other.step(1) == due  # a byte of the archive that nobody reads, such as a date
    assert refused > len(state) / 13 / 2


@pytest.mark.usefixtures("frequent")
@pytest.mark.parametrize("other", [{"width": 59}, {"turn": 1}, {"fill_order": "rows"}], ids=str)
def test_a_state_of_another_beam_is_refused(other):
    search = open_search(TASK)
    search.step(1)
    with pytest.raises(SettingsError, match="does not belong to the task"):
        open_search(Task(TASK.instance, "beam", {"width": 60, **other}, seed=5), search.state())


def test_a_small_state_that_swells_is_refused():
    search = open_search(TASK)
    swollen = io.BytesIO()
    with np.load(io.BytesIO(search.state())) as arrays:
        np.savez_compressed(swollen, **{**arrays, "steps": np.zeros(10**7, np.uint8)})
    with pytest.raises(SettingsError, match="expected the arrays"):
        search.restore(swollen.getvalue())
