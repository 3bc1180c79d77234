"""Openings from a beam, and the search below them."""

import numpy as np
import pytest
from oracles.depth_first_oracle import whole_tree

from e2.core.generate import generated
from e2.core.instance import Hint, Instance
from e2.core.official import official_instance
from e2.core.score import score_board, score_quads
from e2.errors import SettingsError
from e2.kernels import descend as kernels
from e2.kernels.ancestry import VARYING, packed_lines, unpacked_lines
from e2.kernels.tables import build_tables
from e2.search import open_search
from e2.search.descent import Descent
from e2.search.fill_order import fill_order
from e2.search.state import packed, unpacked
from e2.search.task import Task

OFFICIAL = official_instance()
SMALL = generated(5, 4, 4, seed=11, pins=2).instance
LIGHT = {"fill_order": "comb:11", "turn": 2, "width": 300}


@pytest.mark.parametrize(("name", "length"), [("rows", 6), ("spiral-in", 13), ("comb:2", 6)])
@pytest.mark.parametrize("mismatched", [False, True])
def test_below_an_opening_the_nodes_are_those_with_its_pieces_pinned(name, length, mismatched):
    planted = generated(4, 4, 5, seed=5)
    order = fill_order(planted.instance.grid, name, 1)
    codes = [planted.codes[cell] for cell in order[:length]]
    if mismatched:
        inner = [at for at, code in enumerate(codes) if planted.instance.pieces.kind(code >> 2) == 0]
        codes[inner[-1]] ^= 2  # half a turn
    pins = tuple(Hint(cell, code >> 2, code & 3) for cell, code in zip(order, codes, strict=False))
    pinned = Instance.checked("pinned", 4, 4, planted.instance.pieces, pins)
    allowed = np.array([0] * (length + 1) + [2] * (16 - length))
    tree = whole_tree(pinned, order, allowed[length:])
    descent = Descent(planted.instance, build_tables(planted.instance, order, mismatches=True), allowed + 3)
    descent.lay_opening(np.array(codes), 3)
    nodes = boards = 0
    while not descent.finished:
        made, full = descent.run(50)
        nodes, boards = nodes + made, boards + full
    assert (nodes, boards) == (tree.nodes, len(tree.boards))
    assert descent.node_counts()[length:] == tree.counts


def test_openings_are_searched_best_first_and_their_mismatches_count():
    search = open_search(Task(OFFICIAL, "openings", LIGHT, seed=1))
    made = search.step(1).stats.nodes
    assert (search.beams, len(search.openings), search.taken) == (1, 300, 0)
    order = fill_order(OFFICIAL.grid, "comb:11", 2)[:176]
    free = [cell for cell in order if cell not in OFFICIAL.pinned]
    assert search.length == len(free) == 173
    for number in (0, 299):
        codes = np.full(256, -1)
        codes[free] = search.openings[number]
        for hint in OFFICIAL.hints:
            codes[hint.cell] = 4 * hint.piece + hint.rot
        quads = [None if code < 0 else OFFICIAL.pieces.placed(code >> 2, code & 3) for code in codes.tolist()]
        assert search.lost[number] == len(score_quads(OFFICIAL.grid, quads).mismatched)
    bite = search.step(100_000)
    assert (bite.stats.nodes, search.beams) == (100_000, 1)
    bite = search.step(2_000_000)
    assert made > 100_000
    assert score_board(bite.best, OFFICIAL.pieces).matched == bite.best_score > 400


def test_a_board_lowers_what_the_next_may_have():
    search = open_search(Task(OFFICIAL, "openings", {**LIGHT, "width": 1000}, seed=1))
    score = 0
    for _ in range(60):
        bite = search.step(200_000)
        if bite.best is not None and bite.best.placed == 256 and bite.best_score > score:
            score = bite.best_score
            assert search.mismatches == 480 - score - 1
    assert score > 440


def test_used_up_openings_are_followed_by_another_beam():
    search = open_search(Task(OFFICIAL, "openings", {**LIGHT, "width": 2, "probe": 10}, seed=1))
    best, restarts = {}, 0
    for _ in range(20):
        restarts += search.step(2_000).stats.restarts
        best[search.beams] = tuple(search.openings[0])
    assert restarts == search.beams - 1 > 2
    assert len(set(best.values())) == len(best) > 2


def test_a_perfect_board_or_the_target_ends_the_search():
    bite = open_search(Task(SMALL, "openings", {"width": 50}, seed=1)).step(10_000_000)
    assert bite.finished
    assert bite.best_score == SMALL.grid.max_score
    bite = open_search(Task(OFFICIAL, "openings", {**LIGHT, "target": 420}, seed=1)).step(50_000_000)
    assert bite.finished
    assert bite.best_score >= 420


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"depth": 20}, "takes 18 of 18 free cells"),
        ({"depth": 1, "fill_order": [13, *range(13), *range(14, 20)]}, "takes 0 of 18 free cells"),
        ({"target": 32}, "expected at most 31"),
        ({"width": 0}, "expected 1 or more"),
        ({"width": 1 << 50}, "may be used"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_refused(parameters, message):
    assert 13 in SMALL.pinned
    with pytest.raises(SettingsError, match=message):
        open_search(Task(SMALL, "openings", parameters))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda codes: codes.put(-1, codes[0]), "a piece twice"),
        (lambda codes: codes.put(-1, 1024), "does not exist"),
        (lambda codes: codes.put(0, codes[0] ^ 2), "grey where there is no rim"),
    ],
    ids=["twice", "beyond the set", "turned"],
)
def test_a_state_with_an_impossible_opening_is_refused(change, message):
    search = open_search(Task(OFFICIAL, "openings", LIGHT, seed=1))
    search.step(1)
    search.step(100)
    arrays = unpacked(search.state(), search._arrays(), VARYING)
    assert arrays["control"][kernels.FLOOR] == 173
    assert arrays["kept"][0] == 1
    change(arrays["codes"])
    with pytest.raises(SettingsError, match=message):
        search.restore(packed(arrays))


def test_a_state_whose_openings_end_too_soon_is_refused():
    search = open_search(Task(OFFICIAL, "openings", LIGHT, seed=1))
    search.step(1)
    search.lines = packed_lines(list(unpacked_lines(search.lines))[:-1], search.length)
    with pytest.raises(SettingsError, match="end too soon"):
        open_search(Task(OFFICIAL, "openings", LIGHT, seed=1)).restore(search.state())


def test_a_state_is_small_beside_its_openings():
    search = open_search(Task(OFFICIAL, "openings", {**LIGHT, "width": 5000}, seed=1))
    search.step(1)
    assert len(search.state()) < search.openings.nbytes / 4
