from __future__ import annotations

import numpy as np
import pytest
from oracles.beam_oracle import all_children
from oracles.best_filling import best_filling

from e2.core.generate import generated
from e2.core.grid import Grid
from e2.core.instance import Hint, Instance
from e2.core.official import official_instance
from e2.core.pieces import PieceSet
from e2.core.quad import BORDER, opposite
from e2.core.score import score_board
from e2.errors import SettingsError
from e2.kernels.beam import BUCKETS, select
from e2.kernels.beam_tables import build_beam_tables
from e2.kernels.layers import Layers, beam_bytes
from e2.search import memory, open_search
from e2.search.fill_order import fill_order
from e2.search.strategy import Value
from e2.search.task import Task

EVERYTHING = 1_000_000


def unsolvable(width: int, height: int, seed: int, pins: int = 0) -> Instance:
    """A planted puzzle whose inner pieces were exchanged for those of another."""
    one, other = (generated(width, height, 4, seed + add, pins=pins).instance for add in (0, 1))
    quads = [
        theirs if 0 not in ours and 0 not in theirs and sum(theirs) > 0 else ours
        for ours, theirs in zip(sorted(one.pieces.quads), sorted(other.pieces.quads), strict=True)
    ]
    return Instance("unsolvable", width, height, PieceSet(tuple(quads)))


def run_through(instance: Instance, order: tuple[int, ...], width: int, mismatching: int, seed: int = 1):
    layers = Layers(instance, build_beam_tables(instance, order), width, 0.4, mismatching)
    nodes = 0
    while not layers.finished:
        nodes += layers.advance(seed)
    return layers, nodes


@pytest.mark.parametrize(
    "instance",
    [
        generated(3, 3, 3, seed=1).instance,
        generated(3, 3, 4, seed=2, pins=2).instance,
        generated(4, 3, 5, seed=3, pins=3).instance,
        generated(2, 5, 3, seed=4).instance,
        unsolvable(3, 3, 5),
    ],
    ids=lambda instance: instance.name,
)
@pytest.mark.parametrize("name", ["rows", "comb:1", "spiral-in"])
def test_a_beam_that_keeps_all_makes_the_children_of_the_definition(instance: Instance, name: str) -> None:
    order = fill_order(instance.grid, name)
    nodes, scores = all_children(instance, order)
    layers, made = run_through(instance, order, EVERYTHING, EVERYTHING)
    assert made == nodes
    assert sorted(layers.now.score[: layers.live].tolist()) == scores


@pytest.mark.parametrize("seed", range(6))
def test_an_unbounded_beam_finds_the_planted_board(seed: int) -> None:
    planted = generated(4, 4, 6, seed, framed=True).instance
    bite = open_search(Task(planted, "beam", {"width": EVERYTHING // 4, "mismatching": 4}, seed)).step(1)
    assert bite.finished
    assert bite.best_score == 24
    assert bite.stats.solutions == 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["rows", "comb:1"])
def test_an_unbounded_beam_finds_the_best_board_where_none_is_perfect(seed: int, name: str) -> None:
    """True where some best board has no mismatch between frame cells, and no cell that meets two when it is filled."""
    planted, other = (generated(4, 4, 5, seed=number) for number in (seed, seed + 50))
    inner, foreign = (
        [quad for quad in puzzle.instance.pieces.quads if BORDER not in quad] for puzzle in (planted, other)
    )
    quads = tuple(foreign[0] if quad == inner[0] else quad for quad in planted.instance.pieces.quads)
    free = (2, 5, 6, 9, 10, 13)
    pins = tuple(Hint(cell, code >> 2, code & 3) for cell, code in enumerate(planted.codes) if cell not in free)
    puzzle = Instance("imperfect", 4, 4, PieceSet(quads), pins)
    fewest = best_filling(puzzle, planted.codes, free)
    assert fewest > 0
    parameters: dict[str, Value] = {"width": EVERYTHING // 4, "mismatching": EVERYTHING, "fill_order": name}
    bite = open_search(Task(puzzle, "beam", parameters)).step(1)
    assert bite.best_score == puzzle.grid.max_score - fewest


def test_select_keeps_the_largest_and_of_equals_the_first() -> None:
    random = np.random.default_rng(7)
    for width in (1, 5, 100, 999):
        keys = random.integers(0, 1 << 30, 1000).astype(np.int32)
        keys[::3] = keys[1]
        parents, codes = np.arange(1000, dtype=np.uint32), np.arange(1000).astype(np.uint16)
        order = sorted(range(1000), key=lambda i: (-int(keys[i]), i))[:width]
        due = [(int(keys[i]), i) for i in sorted(order)]
        threshold = np.zeros(1, np.int64)
        kept = select(keys, parents, codes, 1000, width, np.zeros(BUCKETS, np.int64), threshold)
        assert list(zip(keys[:kept].tolist(), parents[:kept].tolist(), strict=True)) == due
        assert threshold[0] == min(key for key, _ in due)


def test_the_boards_of_a_beam_are_whole_legal_and_scored_right() -> None:
    instance = official_instance()
    layers, _ = run_through(instance, fill_order(instance.grid, "comb", 2), 300, 8)
    boards = layers.boards(50)
    assert len({board.codes for _, board in boards}) == min(50, layers.live)
    for score, board in boards:
        assert score_board(board, instance.pieces).matched == score
        assert board.placed == 256
        assert board.pieces_used_twice() == ()
        assert all(board.codes[hint.cell] == 4 * hint.piece + hint.rot for hint in instance.hints)
    assert [score for score, _ in boards] == sorted((score for score, _ in boards), reverse=True)


def test_one_seed_gives_one_board_and_another_seed_another() -> None:
    def board(seed: int):
        return open_search(Task(official_instance(), "beam", {"width": 200}, seed)).step(1).best

    assert board(3) == board(3)
    assert board(3) != board(4)


def test_a_stopped_beam_has_nothing_to_report_and_can_begin_again() -> None:
    search = open_search(Task(official_instance(), "beam", {"width": 200}, 5))
    looks = iter([False] * 20)
    before = search.state()
    bite = search.step(1, lambda: next(looks, True))
    assert (bite.stats.nodes, bite.best, bite.finished) == (0, None, False)
    assert search.state() == before
    whole = open_search(Task(official_instance(), "beam", {"width": 200}, 5)).step(1)
    assert search.step(1) == whole


def test_a_wider_beam_scores_more_and_concentration_is_why() -> None:
    def mean(**parameters: float) -> float:
        scores = [
            open_search(Task(official_instance(), "beam", {"width": 500, **parameters}, seed)).step(1).best_score
            for seed in range(3)
        ]
        return sum(scores) / len(scores)

    plain = mean(concentration=0.0)
    assert mean() > plain + 1
    assert mean(width=20) < plain


def test_a_width_that_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = build_beam_tables(official_instance(), range(256))
    monkeypatch.setattr(memory, "usable_memory", lambda: beam_bytes(tables, 999))
    open_search(Task(official_instance(), "beam", {"width": 999, "fill_order": "rows"}))
    with pytest.raises(SettingsError, match=r"beam: width = 1000 takes .* expected at most 999"):
        open_search(Task(official_instance(), "beam", {"width": 1000, "fill_order": "rows"}))


@pytest.mark.parametrize(
    "parameters", [{"width": 0}, {"width": "many"}, {"mismatching": -1}, {"fill_order": "zigzag"}, {"with": 1}], ids=str
)
def test_nonsense_is_refused(parameters: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        open_search(Task(official_instance(), "beam", parameters))  # type: ignore[arg-type]


def half_way(width: int = 300) -> Layers:
    instance = generated(8, 8, 8, seed=4, framed=True, pins=2).instance
    layers = Layers(instance, build_beam_tables(instance, fill_order(instance.grid, "comb:5")), width, 0.4, 8)
    while layers.layer < 40:
        layers.advance(7)
    return layers


@pytest.mark.filterwarnings("error")
def test_the_heaviest_concentration_does_not_wrap() -> None:
    parameters = {"width": 20, "concentration": 1e15}
    assert open_search(Task(official_instance(), "beam", parameters, 1)).step(1).finished


def test_states_rank_by_seams_and_what_their_colours_are_worth() -> None:
    whole = half_way()
    ranked = whole.ranked()
    assert sorted(ranked.tolist()) == list(range(whole.live))
    scores, spreads = whole.now.score[ranked], whole.now.spread[ranked]
    same_score = scores[1:] == scores[:-1]
    same_spread = spreads[1:] == spreads[:-1]
    assert same_score.any()
    assert (np.diff(spreads)[same_score] <= 0).all()
    assert (np.diff(scores)[same_spread] <= 0).all()


def unlike(width: int, height: int) -> Instance:
    """A puzzle in which every seam has a colour of its own."""
    grid = Grid(width, height)
    shown = {(seam.cell, seam.side): 1 + number for number, seam in enumerate(grid.seams)}
    shown |= {(seam.neighbour, opposite(seam.side)): 1 + number for number, seam in enumerate(grid.seams)}
    quads = [tuple(shown.get((cell, side), BORDER) for side in range(4)) for cell in range(grid.cells)]
    return Instance.checked("unlike", width, height, PieceSet(tuple(quads[::-1])))


def test_a_beam_tells_more_than_255_colours_apart() -> None:
    instance = unlike(12, 12)
    bite = open_search(Task(instance, "beam", {"width": 50, "mismatching": 1}, seed=1)).step(1)
    assert bite.best is not None
    assert score_board(bite.best, instance.pieces).matched == bite.best_score == instance.grid.max_score


def test_more_colours_than_lists_have_room_for_are_refused() -> None:
    with pytest.raises(SettingsError, match="colours need candidate lists of more than 1024 MiB"):
        open_search(Task(unlike(64, 64), "beam", {"width": 1}))
