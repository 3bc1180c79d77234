"""The search of `portfolio`: one search after the other, each from the best board so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from e2.core.board import EMPTY, Board
from e2.core.instance import Instance
from e2.errors import SettingsError
from e2.kernels.rehearse import warm_up
from e2.kernels.tables import Array
from e2.search.beam import NODES_A_STATE, Beam
from e2.search.fill_order import SIDES, fill_order
from e2.search.full_board import check_codes
from e2.search.openings import Openings, opening_length
from e2.search.parameters import check_bite
from e2.search.repair import Repair
from e2.search.shuffle import draws
from e2.search.state import fingerprint, foreign_state, packed, unpacked
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Search, Value, never

_COMBS = ("comb", "comb", "comb:12", "comb:10")
"""Of a 16-high board; other heights take the usual comb. 10 to 12 full rows were the best of many tried."""
_CONCENTRATION, _CONCENTRATION_RANGE = 0.4, 0.06  # up to so much more or less
_FIRST_SIDE = 2
"""The best known boards with five hints are filled from the bottom up."""
_QUICK, _OPENINGS, _WIDE, _REPAIR = range(4)  # the stages
_NARROWER = {_QUICK: 20, _OPENINGS: 3, _WIDE: 1}
"""Than the wide beam, so many times: first a good board after a moment, whatever happens to the rest."""
_OPENINGS_NODES = 1.2  # times as many as the wide beam makes: what openings find comes soon
_OPENINGS_CELLS, _OPENINGS_WIDTH = 100, 20_000
"""The smallest board, and the narrowest of the wide beams, where openings are worth more than that beam."""
_OPENINGS_ORDER = "comb"
_MANY_HINTS = 4  # from so many on, a wide beam hardly ever betters what the search below openings has found
_LENGTH = 8  # bytes of the number that says where the inner state begins


def stage_widths(instance: Instance, width: int, turn: int) -> dict[int, int]:
    """The stages before repair, in order, and how wide their beams are where the wide one is or would be `width`."""
    stages = [_QUICK, _OPENINGS, _WIDE]
    if instance.grid.cells < _OPENINGS_CELLS or width < _OPENINGS_WIDTH or not _has_openings(instance, turn):
        stages.remove(_OPENINGS)
    elif len(instance.hints) >= _MANY_HINTS:
        stages.remove(_WIDE)
    return {stage: max(1, width // _NARROWER[stage]) for stage in stages}


def _has_openings(instance: Instance, turn: int) -> bool:
    """Whether pins leave some of the first cells free, and some of the others."""
    length = opening_length(fill_order(instance.grid, _OPENINGS_ORDER, turn), instance.pinned)
    return 0 < length < instance.grid.cells - len(instance.hints)


class StagedSearch:
    """A quick beam, a search below openings, a wide beam, then repair of the best board. It rests where its stages do.

    Small boards and small budgets do without the openings, and boards whose pins leave no room for them; other boards
    with many hints do without the wide beam.
    """

    def __init__(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        width, side, mismatching = parameters["width"], parameters["side"], parameters["mismatching"]
        start, stall = parameters["start"], parameters["stall"]
        assert isinstance(width, int)
        assert isinstance(side, int)
        assert isinstance(start, list)
        assert isinstance(stall, int)
        if start:
            check_codes(instance, start)
        self.instance, self.seed, self.stall = instance, seed, stall
        self.fingerprint = fingerprint("portfolio", instance, parameters, seed)
        # A beam of another seed alone finds nearly the same board. Each side gives others, then comb and weight do.
        comb, weight = draws(seed, 0, 2)
        drawn = _COMBS[int(comb * len(_COMBS))] if instance.height == 16 else "comb"
        turn = (_FIRST_SIDE + seed) % SIDES if side < 0 else side
        self.beams: dict[int, dict[str, Value]] = {
            stage: {
                "fill_order": _OPENINGS_ORDER if stage == _OPENINGS else drawn,
                "turn": turn,
                "concentration": _CONCENTRATION + _CONCENTRATION_RANGE * (2 * weight - 1),
                "mismatching": mismatching,
                "width": stage_width,
            }
            for stage, stage_width in stage_widths(instance, width, turn).items()
        }
        self.openings_nodes = int(_OPENINGS_NODES * NODES_A_STATE * width * instance.grid.cells)
        self.spent = 0  # nodes of the present stage
        self.best: Board | None = None
        self.best_score = 0
        self.start = Board(instance.width, instance.height, tuple(start)) if start else None  # what repair begins with
        self.finished = False
        warm_up("repair")
        self.from_board = bool(start)
        self.stage = _REPAIR if start else _QUICK
        if not start:
            self._last_beam = self._with_beam(max(self.beams))  # says now if it does not fit into memory
        self.inner = self._opened(self.stage)

    def _opened(self, stage: int) -> Search:
        if stage in self.beams:
            return self._last_beam if stage == max(self.beams) else self._with_beam(stage)
        assert self.start is not None
        return Repair().prepare(self.instance, {"start": list(self.start.codes), "stall": self.stall}, self.seed)

    def _with_beam(self, stage: int) -> Search:
        strategy = Openings() if stage == _OPENINGS else Beam()
        return strategy.prepare(self.instance, self.beams[stage], self.seed)

    def step(self, nodes: int, stopping: Callable[[], bool] = never) -> Bite:
        check_bite(nodes)
        stats = SearchStats()
        while not self.finished and stats.nodes < nodes:
            wanted = nodes - stats.nodes
            left = self._nodes_left()
            bite = self.inner.step(wanted if left is None else min(wanted, left), stopping)
            stats += bite.stats
            self._take(bite)
            if bite.stats.nodes == 0 and not bite.finished:
                break  # it was told to stop
        return Bite(stats, self.best, self.best_score, self.finished)

    def _nodes_left(self) -> int | None:
        """Nodes until the stage is over, None where it ends by itself."""
        return max(0, self.openings_nodes - self.spent) if self.stage == _OPENINGS else None

    def _take(self, bite: Bite) -> None:
        """Keep a better board; after the last node of a stage begin the next."""
        if bite.best is not None and (self.best is None or bite.best_score > self.best_score):
            self.best, self.best_score = bite.best, bite.best_score
        self.spent += bite.stats.nodes
        if bite.finished or self._nodes_left() == 0:
            if self.stage == _REPAIR or self.best_score == self.instance.grid.max_score:
                self.finished = True
            else:
                self.stage = min((stage for stage in self.beams if stage > self.stage), default=_REPAIR)
                self.spent = 0
                self.start = self.best
                self.inner = self._opened(self.stage)

    def _arrays(self) -> dict[str, Array]:
        empty = (EMPTY,) * self.instance.grid.cells
        boards = [empty if board is None else board.codes for board in (self.start, self.best)]
        return {
            "task": self.fingerprint,
            "stage": np.array([self.stage, self.best_score, self.spent, int(self.finished)], np.int64),
            "boards": np.array(boards, np.int64),
        }

    def state(self) -> bytes:
        outer = packed(self._arrays())
        return len(outer).to_bytes(_LENGTH, "little") + outer + self.inner.state()

    def restore(self, state: bytes) -> None:
        length = int.from_bytes(state[:_LENGTH], "little")
        arrays = unpacked(state[_LENGTH : _LENGTH + length], self._arrays())
        stage, score, spent, finished = arrays["stage"].tolist()
        start, best = (self._board(codes) for codes in arrays["boards"].tolist())
        if self.from_board:
            start = self.start
        has_stage = stage == _REPAIR or (stage in self.beams and not self.from_board)
        in_order = has_stage and (stage == _QUICK or start is not None)
        if not (in_order and finished in (0, 1) and spent >= 0):
            raise foreign_state("its numbers are out of range")
        before = self.stage, self.start, self.best, self.best_score, self.spent, self.finished, self.inner
        self.stage, self.start, self.best, self.best_score = stage, start, best, score
        self.spent, self.finished = spent, bool(finished)
        try:
            self.inner = self._opened(stage)
            self.inner.restore(state[_LENGTH + length :])
        except SettingsError:
            self.stage, self.start, self.best, self.best_score, self.spent, self.finished, self.inner = before
            raise

    def _board(self, codes: list[int]) -> Board | None:
        """A board of a state; None where all is empty."""
        if not all(EMPTY <= code < 4 * len(self.instance.pieces) for code in codes):
            raise foreign_state("a board has a piece that the puzzle has not")
        if all(code == EMPTY for code in codes):
            return None
        return Board(self.instance.width, self.instance.height, tuple(codes))
