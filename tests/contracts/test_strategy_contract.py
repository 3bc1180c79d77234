"""What every registered strategy promises: the same totals, bytes and boards however it is cut, and no moved pin."""

import io
import zipfile

import pytest

from e2.core.generate import generated
from e2.core.instance import Hint, Instance
from e2.core.official import official_instance
from e2.core.pieces import PieceSet
from e2.errors import E2Error, SettingsError
from e2.search import STRATEGIES, open_search, strategy
from e2.search.contract import PROMISES, Subject, loses_nothing_by_a_stop
from e2.search.task import Task

SMALL = generated(5, 4, 4, seed=11, pins=2).instance
OFFICIAL = official_instance()

NAMES = [known.name for known in STRATEGIES]
CASES = [(name, instance) for name in NAMES for instance in (SMALL, OFFICIAL)]


def light(name):
    """Parameters that make a search of every strategy short."""
    return {
        "openings": {"width": 20},
        "beam": {"width": 20},
        "repair": {"width": 20, "great": 40},
        "portfolio": {"width": 40},
    }.get(name, {})


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.check.__name__)
@pytest.mark.parametrize(("name", "instance"), CASES, ids=lambda part: getattr(part, "name", part))
def test_every_strategy_keeps_what_all_promise(name, instance, promise):
    nodes = 700 if instance is SMALL else 60_000
    assert list(promise.check(Subject(strategy(name), instance, nodes, light(name)))) == []


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.check.__name__)
def test_a_guarded_search_keeps_the_promises_too(promise):
    guarded = {"favoured": [1, 3], "quota": [4, 1, 8, 3], "prune": 6}
    assert list(promise.check(Subject(strategy("breaks"), SMALL, 700, guarded))) == []


@pytest.mark.parametrize("name", [known.name for known in STRATEGIES if not known.patience])
def test_a_depth_first_search_rests_after_every_node(name):
    search = open_search(Task(OFFICIAL, name, {}, seed=1))
    assert [search.step(nodes).stats.nodes for nodes in (1, 2, 50, 999)] == [1, 2, 50, 999]


@pytest.mark.parametrize("name", NAMES)
def test_the_best_board_changes_only_for_a_better_one(name):
    search = open_search(Task(OFFICIAL, name, light(name), seed=2))
    best, score = None, 0
    for _ in range(40):
        bite = search.step(50_000)
        assert bite.best_score >= score
        assert bite.best_score > score or bite.best == best
        best, score = bite.best, bite.best_score


@pytest.mark.parametrize("name", NAMES)
def test_seeds_give_different_boards(name):
    boards = {open_search(Task(OFFICIAL, name, light(name), seed)).step(20_000).best for seed in range(4)}
    assert len(boards) == 4


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
    known = {parameter.name for parameter in strategy(name).parameters}
    if not known & parameters.keys():
        message = "expected one of " + ", ".join(sorted(known))
    with pytest.raises(SettingsError) as caught:
        strategy(name).prepare(SMALL, parameters, 0)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("beam", {"concentration": float("inf")}, "concentration = 'inf'; expected at most"),
        ("beam", {"concentration": float("nan")}, "concentration = 'nan'; expected 0 or more"),
        ("beam", {"mismatching": 1 << 63}, "expected at most 4611686018427387904"),
        ("portfolio", {"mismatching": 1 << 63}, "expected at most 4611686018427387904"),
        ("repair", {"population": 1 << 63}, "expected at most 4611686018427387904"),
        ("repair", {"noise": 1e300}, "expected at most"),
        ("repair", {"noise": 1e9}, "noise = 1000000000.0; expected at most 1000 each"),
        ("repair", {"ways": 1e9}, "ways = 1000000000.0, noise"),
    ],
)
def test_a_number_beyond_what_kernels_count_in_is_refused(name, parameters, message):
    with pytest.raises(SettingsError, match=message):
        strategy(name).prepare(SMALL, parameters, 0)


@pytest.mark.parametrize("name", NAMES)
def test_a_state_of_another_task_is_refused(name):
    search = open_search(Task(SMALL, name, light(name), seed=1))
    search.step(100)
    other_seed = open_search(Task(SMALL, name, light(name), seed=2))
    for state in (search.state(), b"", b"PK\x03\x04 but no archive", search.state()[:-40]):
        with pytest.raises(E2Error):
            other_seed.restore(state)
    assert other_seed.step(100) == open_search(Task(SMALL, name, light(name), seed=2)).step(100)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "openings"])
@pytest.mark.parametrize("hints", [16, 15], ids=["all pinned", "one cell left"])
def test_a_board_of_nothing_but_pins_is_done_at_once(name, hints):
    planted = generated(4, 4, 4, seed=1, pins=16).instance
    instance = Instance.checked("pinned", 4, 4, planted.pieces, planted.hints[:hints])
    bite = open_search(Task(instance, name, light(name), seed=1)).step(1)
    assert (bite.best_score, bite.finished, bite.best.placed) == (24, True, 16)
    assert list(loses_nothing_by_a_stop(Subject(strategy(name), instance, 30, light(name)))) == []


@pytest.mark.parametrize("name", [name for name in NAMES if name != "openings"])
def test_a_board_of_one_cell_is_filled(name):
    instance = Instance.checked("one", 1, 1, PieceSet(((0, 0, 0, 0),)))
    bite = open_search(Task(instance, name, light(name), seed=1)).step(1)
    assert (bite.best_score, bite.finished, bite.best and bite.best.placed) == (0, True, 1)


@pytest.mark.parametrize("name", ["breaks", "beam", "repair", "portfolio"])
def test_pins_that_clash_end_a_search_that_has_nothing_else(name):
    planted = generated(4, 4, 4, seed=1, pins=16).instance
    *_, last = [hint for hint in planted.hints if 0 not in planted.pieces.quads[hint.piece]]
    turned = Hint(last.cell, last.piece, (last.rot + 1) % 4)
    hints = tuple(turned if hint == last else hint for hint in planted.hints)
    instance = Instance.checked("clashing", 4, 4, planted.pieces, hints)
    bite = open_search(Task(instance, name, light(name), seed=1)).step(1)
    assert (bite.stats.nodes, bite.finished, bite.best.placed) == (0, True, 16)
    assert bite.best_score < 24


@pytest.mark.parametrize("claimed", ["9" * 13, "9" * 17, "9" * 23], ids=len)
def test_a_state_that_says_it_is_huge_is_refused(claimed):
    search = open_search(Task(SMALL, "strict", {}, seed=1))
    state = search.state()
    header = f"'shape': ({len(search.descent.best)},), }}".encode()
    swollen = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(state)) as archive, zipfile.ZipFile(swollen, "w") as other:
        for name in archive.namelist():
            data = archive.read(name)
            other.writestr(name, data.replace(header, f"'shape': ({claimed},), }}".encode()))
    with pytest.raises(SettingsError, match="this state does not belong to the task"):
        search.restore(swollen.getvalue())


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_state_that_is_compressed_is_refused(method):
    search = open_search(Task(SMALL, "strict", {}, seed=1))
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(search.state())) as archive, zipfile.ZipFile(packed, "w", method) as other:
        for name in archive.namelist():
            other.writestr(name, archive.read(name))
    with pytest.raises(SettingsError, match="expected the arrays"):
        search.restore(packed.getvalue())


@pytest.mark.parametrize("nodes", [0, -5])
def test_a_budget_or_bite_of_nothing_is_refused(nodes):
    with pytest.raises(SettingsError, match="expected a budget of 1 or more"):
        open_search(Task(SMALL, "strict", {}, nodes=nodes))
    with pytest.raises(SettingsError, match="expected 1 or more"):
        open_search(Task(SMALL, "strict", {})).step(nodes)


def test_an_unknown_strategy_is_refused_with_the_known_ones():
    with pytest.raises(SettingsError, match=r"'annealing' is unknown; expected strict, breaks"):
        strategy("annealing")
