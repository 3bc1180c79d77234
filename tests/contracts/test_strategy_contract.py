"""What every registered strategy promises: the same totals, bytes and boards however it is cut, and no moved pin."""

import pytest

from e2.core.generate import generated
from e2.core.official import official_instance
from e2.core.score import score_board
from e2.errors import E2Error, SettingsError
from e2.search import STRATEGIES, open_search, strategy
from e2.search.stats import SearchStats
from e2.search.task import Task

SMALL = generated(5, 4, 4, seed=11, pins=2).instance
OFFICIAL = official_instance()

NAMES = [known.name for known in STRATEGIES]
CASES = [(name, instance) for name in NAMES for instance in (SMALL, OFFICIAL)]


def budget(instance):
    return 700 if instance is SMALL else 60_000


def cut(task, bites, reopen):
    """Totals, last bite and state after the task's budget, in bites of the given sizes in turn."""
    search = open_search(task)
    total, at, bite = SearchStats(), 0, None
    while total.nodes < task.nodes and not (bite and bite.finished):
        bite = search.step(min(bites[at % len(bites)], task.nodes - total.nodes))
        total += bite.stats
        at += 1
        if reopen:
            search = open_search(task, search.state())
    return total, bite, search.state()


@pytest.mark.parametrize(("name", "instance"), CASES, ids=lambda part: getattr(part, "name", part))
@pytest.mark.parametrize("reopen", [False, True], ids=["kept", "reopened"])
def test_any_cut_gives_the_same_totals_board_and_state(name, instance, reopen):
    task = Task(instance, name, {}, seed=3, nodes=budget(instance))
    nodes = task.nodes
    total, bite, state = cut(task, [nodes], reopen=False)
    for bites in ([nodes // 3 + 1], [17, nodes // 9, 1]):
        other_total, other_bite, other_state = cut(task, bites, reopen)
        assert other_total == total
        assert (other_bite.best, other_bite.best_score, other_bite.finished) == (
            bite.best,
            bite.best_score,
            bite.finished,
        )
        assert other_state == state


@pytest.mark.parametrize(("name", "instance"), CASES, ids=lambda part: getattr(part, "name", part))
def test_a_bite_makes_exactly_its_nodes_unless_the_search_ends(name, instance):
    search = open_search(Task(instance, name, {}, seed=1))
    for nodes in (1, 2, 50, 999):
        bite = search.step(nodes)
        assert bite.stats.nodes == nodes or bite.finished


@pytest.mark.parametrize(("name", "instance"), CASES, ids=lambda part: getattr(part, "name", part))
def test_the_best_board_keeps_the_pins_and_its_score_is_the_counted_one(name, instance):
    search = open_search(Task(instance, name, {}, seed=2))
    last = 0
    for _ in range(6):
        bite = search.step(budget(instance) // 6)
        assert bite.best is not None
        assert all(bite.best.codes[hint.cell] == 4 * hint.piece + hint.rot for hint in instance.hints)
        assert not bite.best.pieces_used_twice()
        assert bite.best_score == score_board(bite.best, instance.pieces).matched
        assert bite.best_score >= last
        last = bite.best_score


@pytest.mark.parametrize("name", NAMES)
def test_seeds_give_different_boards(name):
    boards = {open_search(Task(OFFICIAL, name, {}, seed)).step(20_000).best for seed in range(4)}
    assert len(boards) == 4


@pytest.mark.parametrize("name", NAMES)
def test_every_default_is_accepted_as_a_parameter(name):
    defaults = {parameter.name: parameter.default for parameter in strategy(name).parameters}
    plain = open_search(Task(SMALL, name, {}, seed=5))
    spelled = open_search(Task(SMALL, name, defaults, seed=5))
    assert spelled.step(300) == plain.step(300)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"wdith": 3}, "no parameter 'wdith'; expected one of"),
        ({"fill_order": "diagonal"}, "'diagonal' is unknown; expected"),
        ({"fill_order": 7}, "fill_order = '7'; expected a text or a list of integers"),
        ({"fill_order": [0, 0]}, "cell 0 stands there twice"),
        ({"fill_order": [0, 1]}, "cell 2 is missing"),
        ({"fill_order": [0, 99]}, "99 is no cell; expected 0 to 19"),
        ({"turn": True}, "turn = 'True'; expected an integer"),
        ({"turn": -1}, "expected 0 or more"),
        ({"order": "best"}, "expected one of piece, shuffled"),
    ],
    ids=str,
)
def test_a_wrong_parameter_is_named_with_what_was_expected(name, parameters, message):
    with pytest.raises(SettingsError) as caught:
        strategy(name).prepare(SMALL, parameters, 0)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_state_of_another_task_is_refused(name):
    search = open_search(Task(SMALL, name, {}, seed=1))
    search.step(100)
    other_seed = open_search(Task(SMALL, name, {}, seed=2))
    for state in (search.state(), b"", b"PK\x03\x04 but no archive", search.state()[:-40]):
        with pytest.raises(E2Error):
            other_seed.restore(state)
    assert other_seed.step(100) == open_search(Task(SMALL, name, {}, seed=2)).step(100)


@pytest.mark.parametrize("nodes", [0, -5])
def test_a_budget_or_bite_of_nothing_is_refused(nodes):
    with pytest.raises(SettingsError, match="expected a budget of 1 or more"):
        open_search(Task(SMALL, "strict", {}, nodes=nodes))
    with pytest.raises(SettingsError, match="expected 1 or more"):
        open_search(Task(SMALL, "strict", {})).step(nodes)


def test_an_unknown_strategy_is_refused_with_the_known_ones():
    with pytest.raises(SettingsError, match=r"'annealing' is unknown; expected strict, breaks"):
        strategy("annealing")
