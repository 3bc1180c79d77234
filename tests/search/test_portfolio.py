"""`portfolio`: its stages, and that what they hand on survives being put aside."""

from __future__ import annotations

import pytest

from e2.core.generate import generated
from e2.core.instance import Instance
from e2.core.official import OFFICIAL_HINTS, official_instance, official_pieces
from e2.errors import SettingsError
from e2.search import open_search, strategy
from e2.search.beam import width_for
from e2.search.strategy import Budget
from e2.search.task import Task

QUICK, OPENINGS, WIDE, REPAIR = range(4)  # stages
TASK = Task(official_instance(), "portfolio", {"width": 20_000}, seed=3)
NARROW = Task(official_instance(), "portfolio", {"width": 400}, seed=3)


def test_each_stage_goes_on_from_the_one_before(monkeypatch) -> None:
    search = open_search(TASK)
    stages, opened = [], search._opened
    monkeypatch.setattr(search, "_opened", lambda stage: stages.append((stage, search.best_score)) or opened(stage))
    last = search.step(50_000_000).best_score
    assert [stage for stage, _ in stages] == [OPENINGS, REPAIR]
    scores = [score for _, score in stages] + [last]
    assert scores == sorted(scores)
    assert scores[0] < scores[-1]


@pytest.mark.parametrize(
    ("instance", "width", "stages"),
    [
        (generated(6, 6, 6, seed=1).instance, 20_000, [QUICK, WIDE]),
        (Instance("one", 16, 16, official_pieces(), OFFICIAL_HINTS[:1]), 20_000, [QUICK, OPENINGS, WIDE]),
        (official_instance(), 20_000, [QUICK, OPENINGS]),
        (official_instance(), 19_999, [QUICK, WIDE]),
    ],
    ids=["small", "few hints", "many hints", "narrow"],
)
def test_which_stages_come_before_repair_follows_from_puzzle_and_width(instance, width, stages) -> None:
    assert list(open_search(Task(instance, "portfolio", {"width": width}, seed=0)).beams) == stages


@pytest.mark.parametrize(("rows", "lacking"), [(range(9), {0, 4}), (range(4), {0, 4}), (range(3, 12), {2, 6})], ids=str)
def test_openings_that_pins_leave_no_room_for_are_left_out(rows, lacking) -> None:
    planted = generated(12, 12, 6, seed=1, pins=144).instance
    hints = tuple(hint for hint in planted.hints if hint.cell // 12 in rows)
    instance = Instance.checked("rows", 12, 12, planted.pieces, hints)
    for seed in range(8):
        search = open_search(Task(instance, "portfolio", {"width": 20_000}, seed))
        assert list(search.beams) == [QUICK, WIDE if seed in lacking else OPENINGS]
    portfolio = strategy("portfolio")
    sides = [portfolio.memory({"width": 20_000, "side": side}, instance) for side in range(8)]
    assert len(set(sides)) == 2
    assert portfolio.memory({"width": 20_000}, instance) == max(sides)


def test_a_repair_that_has_bettered_its_start_goes_on_from_its_state() -> None:
    search = open_search(NARROW)
    while search.stage < REPAIR or search.best == search.start:
        search.step(100_000)
    state = search.state()
    again = open_search(NARROW, state)
    assert again.state() == state
    assert again.step(500_000) == search.step(500_000)
    assert again.state() == search.state()


def test_openings_are_searched_for_so_long_whatever_the_bites() -> None:
    task = Task(official_instance(), "portfolio", {"width": 20_000, "stall": 300_000}, seed=4)
    whole, bitten = open_search(task), open_search(task)
    bite = whole.step(1 << 60)
    nodes = below = 0
    while not bitten.finished:
        state = bitten.state()
        bitten = open_search(task, state)
        assert bitten.state() == state
        stage, made = bitten.stage, bitten.step(3_700_000).stats.nodes
        nodes += made
        below += made if stage == OPENINGS else 0
    assert (nodes, bitten.best, bitten.best_score) == (bite.stats.nodes, bite.best, bite.best_score)
    assert below >= bitten.openings_nodes > 500_000


def test_a_repair_that_finds_nothing_for_so_long_ends_the_search_whatever_the_bites() -> None:
    task = Task(official_instance(), "portfolio", {"width": 100, "stall": 300_000}, seed=3)
    whole, bitten = open_search(task), open_search(task)
    bite = whole.step(1 << 60)
    nodes = 0
    while not bitten.finished:
        state = bitten.state()
        bitten = open_search(task, state)
        nodes += bitten.step(37_000).stats.nodes
    assert bite.finished
    assert nodes == bite.stats.nodes
    assert (bitten.best, bitten.best_score) == (bite.best, bite.best_score)
    assert whole.inner.stalled >= 300_000


def test_from_a_board_it_repairs_at_once() -> None:
    found = open_search(Task(official_instance(), "beam", {"width": 100}, seed=1)).step(1)
    task = Task(official_instance(), "portfolio", {"width": 100, "start": list(found.best.codes)}, seed=3)
    search = open_search(task)
    bite = search.step(6_000_000)
    assert bite.best_score > found.best_score
    again = open_search(task, search.state())
    assert again.step(100_000) == search.step(100_000)


def test_a_start_that_is_no_board_is_refused() -> None:
    for start, message in (([1], "start has 1 codes; expected 256"), ([1024] * 256, "1024 at cell 0 is no code")):
        with pytest.raises(SettingsError, match=message):
            open_search(Task(official_instance(), "portfolio", {"start": start}, seed=3))


def test_sides_differ_by_seed_and_may_be_fixed() -> None:
    sides = [
        open_search(Task(official_instance(), "portfolio", {"width": 20}, seed)).beams[0]["turn"] for seed in range(9)
    ]
    assert sides == [2, 3, 4, 5, 6, 7, 0, 1, 2]
    fixed = open_search(Task(official_instance(), "portfolio", {"width": 20, "side": 1}, seed=0))
    assert {beam["turn"] for beam in fixed.beams.values()} == {1}


@pytest.mark.parametrize(
    ("budget", "width"),
    [
        (Budget(), None),
        (Budget(seconds=60.0), 358_565),
        (Budget(nodes=20_000_000), 8_853),
        (Budget(60.0, 20_000_000), 8_853),
        (Budget(seconds=0.001), 100),
        (Budget(seconds=1e6), 1_200_000),
        (Budget(memory=200_000_000 + 358 * 1000), 1000),
        (Budget(memory=200_000_000 + 358 * 1001 - 1), 1000),
        (Budget(60.0, memory=200_000_000 + 358 * 1000), 1000),
        (Budget(60.0, memory=8_000_000_000), 358_565),
        (Budget(memory=1_200_000_000), 2_793_296),
        (Budget(memory=1), 1),
    ],
    ids=str,
)
def test_the_width_follows_from_what_there_is_to_spend(budget, width) -> None:
    assert width_for(official_instance(), 0.5, budget) == width


def test_memory_alone_leaves_nodes_for_repair() -> None:
    portfolio = strategy("portfolio")
    suited = portfolio.suited({}, official_instance(), Budget(memory=64_000_000_000))
    assert suited == portfolio.suited({}, official_instance(), Budget(nodes=portfolio.default_nodes))


def test_a_long_run_takes_another_side_after_a_while() -> None:
    official, portfolio = official_instance(), strategy("portfolio")
    short, long, longer = (portfolio.suited({}, official, Budget(seconds=seconds)) for seconds in (60, 600, 6000))
    assert "stall" not in short
    assert long == longer
    assert long["stall"] > 0
    assert long["width"] > short["width"]
    assert portfolio.suited({"stall": 5}, official, Budget(seconds=600))["stall"] == 5
