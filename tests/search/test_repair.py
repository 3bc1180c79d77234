"""`repair`: it lifts boards, begins where it is told, and takes no start that breaks a rule."""

import pytest

from e2.core.board import EMPTY, Board
from e2.core.generate import generated
from e2.core.official import official_instance
from e2.core.score import score_board
from e2.errors import SettingsError
from e2.kernels.repair_tables import beam_arrays, puzzle_arrays, rectangles, state_bytes
from e2.search import Task, open_search
from e2.search.full_board import broken_rules, start_board
from e2.search.great_refill import great_refill
from e2.search.strategy import never

PLANTED = generated(8, 8, 8, seed=5, framed=True, pins=3)
INSTANCE = PLANTED.instance
LIGHT = {"width": 60, "least": 6, "most": 30, "great": 60}


def opened(start, seed=1, **parameters):
    return open_search(Task(INSTANCE, "repair", {**LIGHT, "start": list(start), **parameters}, seed=seed))


def score(codes):
    return score_board(Board(8, 8, tuple(codes)), INSTANCE.pieces).matched


def with_swap(codes, one, other):
    codes = list(codes)
    codes[one], codes[other] = codes[other], codes[one]
    return codes


def inner_free_cells():
    pinned = INSTANCE.pinned
    return [cell for cell in range(64) if not INSTANCE.grid.is_frame_cell(cell) and cell not in pinned]


def test_two_swapped_pieces_are_put_back():
    cells = inner_free_cells()
    start = with_swap(PLANTED.codes, cells[0], cells[9])
    bite = opened(start, great=0).step(3_000_000)
    assert score(start) < bite.best_score == INSTANCE.grid.max_score
    assert bite.finished
    assert score(bite.best.codes) == bite.best_score


def test_a_solved_start_is_finished_at_once():
    bite = opened(PLANTED.codes).step(100)
    assert (bite.finished, bite.stats.nodes, bite.best.codes) == (True, 0, PLANTED.codes)


def test_the_score_never_falls_and_pins_stay():
    search = opened([], population=3)
    last = 0
    for _ in range(20):
        bite = search.step(5_000)
        assert bite.best_score >= last
        assert bite.best_score == score(bite.best.codes)
        assert broken_rules(INSTANCE, bite.best.codes) == {}
        assert all(bite.best.codes[hint.cell] == 4 * hint.piece + hint.rot for hint in INSTANCE.hints)
        last = bite.best_score


def test_a_partial_start_is_completed_and_keeps_what_lies_there():
    start = [code if cell < 30 else EMPTY for cell, code in enumerate(PLANTED.codes)]
    full = start_board(INSTANCE, start, mend=False, seed=1)
    assert full[:30] == start[:30]
    assert broken_rules(INSTANCE, full) == {}
    assert sorted(code >> 2 for code in full) == list(range(64))
    assert opened(start).step(1).best_score >= score(full) > 0


def test_a_board_of_the_seed_stands_in_for_no_start():
    boards = {tuple(start_board(INSTANCE, [], False, seed)) for seed in range(4)}
    assert len(boards) == 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda codes, cell, pin: {cell: codes[cell + 1]}, "once more"),
        (lambda codes, cell, pin: {pin: codes[pin] ^ 1}, "is pinned"),
        (lambda codes, cell, pin: {cell: codes[0], 0: EMPTY}, "breaks the rim rule"),
        (lambda codes, cell, pin: {cell: codes[pin], pin: EMPTY}, "which is pinned elsewhere"),
    ],
    ids=["twice", "pin turned", "corner inside", "pin moved"],
)
def test_a_start_that_breaks_a_rule_is_refused_or_mended(change, said):
    pins = [hint.cell for hint in INSTANCE.hints]
    cell = next(cell for cell in inner_free_cells() if cell + 1 in inner_free_cells())
    pin = pins[0]
    codes = list(PLANTED.codes)
    for where, code in change(codes, cell, pin).items():
        codes[where] = code
    with pytest.raises(SettingsError, match=said) as caught:
        opened(codes)
    assert "cell " in str(caught.value)
    mended = opened(codes, mend=True).step(1).best
    assert broken_rules(INSTANCE, mended.codes) == {}
    assert mended.placed == 64


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"start": [1, 2, 3]}, "start has 3 codes; expected 64"),
        ({"start": [256] + [EMPTY] * 63}, "256 at cell 0 is no code"),
        ({"least": 40, "most": 30}, "expected least <= most <= 64"),
        ({"most": 65}, "expected least <= most <= 64"),
        ({"least": 11, "most": 11}, "no rectangle of 8x8 has 11 to 11 cells"),
        ({"width": 0}, "expected 1 or more"),
    ],
    ids=str,
)
def test_a_setting_that_cannot_be_is_refused(parameters, said):
    with pytest.raises(SettingsError, match=said):
        open_search(Task(INSTANCE, "repair", {**LIGHT, **parameters}))


@pytest.mark.parametrize("number", range(12))
def test_a_great_refill_keeps_the_rules_and_a_part_of_the_board(number):
    before = start_board(INSTANCE, [], False, seed=1)
    nodes, board = great_refill(INSTANCE, before, 30, 1, number, never)
    changed = sum(one != other for one, other in zip(before, board.codes, strict=True))
    assert broken_rules(INSTANCE, board.codes) == {}
    assert sorted(code >> 2 for code in board.codes) == list(range(64))
    assert 0 < changed < nodes
    assert changed <= 50


@pytest.mark.parametrize("name", ["width", "great", "population"])
def test_what_does_not_fit_into_memory_is_refused(name):
    with pytest.raises(SettingsError, match=rf"repair: {name} = 1000000000000 takes \d+ MiB, .* expected at most \d+"):
        open_search(Task(official_instance(), "repair", {name: 10**12}))


def test_the_memory_of_a_state_is_what_its_arrays_take():
    puzzle = puzzle_arrays(official_instance(), rectangles(16, 16, 20, 60))
    one, two = (sum(array.nbytes for array in beam_arrays(puzzle, width, 1.0)) for width in (1, 2))
    assert state_bytes(puzzle) == two - one


def test_a_great_refill_that_is_stopped_gives_no_board():
    before = start_board(INSTANCE, [], False, seed=1)
    assert great_refill(INSTANCE, before, 30, 1, 0, lambda: True) == (0, None)


@pytest.mark.parametrize("great", [0, 30])
def test_it_ends_once_it_has_found_nothing_for_so_many_nodes_whatever_the_bites(great):
    whole, bitten = (opened([], great=great, stall=40_000) for _ in range(2))
    whole.step(1 << 60)
    assert whole.finished
    nodes = bettered = 0
    fewest, last = bitten.fewest[0], 0
    while not bitten.finished:
        state = bitten.state()
        bitten = opened([], great=great, stall=40_000)
        bitten.restore(state)
        before = nodes
        nodes += bitten.step(7_001).stats.nodes
        if bitten.fewest[0] < fewest:
            fewest, last, bettered = bitten.fewest[0], before, bettered + 1
    assert bettered > 1
    assert bitten.state() == whole.state()
    assert 40_000 <= whole.stalled <= nodes - last


def test_told_to_stop_it_stops_where_it_rests():
    search, whole = opened([]), opened([])
    asked = []

    def stopping():
        asked.append(True)
        return len(asked) > 80

    bite = search.step(10_000_000, stopping)
    assert 0 < bite.stats.nodes < 10_000_000
    assert whole.step(bite.stats.nodes) == bite
    assert whole.state() == search.state()


def test_mismatches_between_pins_alone_end_the_search():
    instance = generated(4, 4, 6, seed=1, pins=16).instance
    bite = open_search(Task(instance, "repair", {})).step(10)
    assert bite.finished
