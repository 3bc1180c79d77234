"""The search of `repair`: a population of full boards and the trials that change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from e2.core.board import Board
from e2.core.instance import Instance
from e2.core.score import score_board
from e2.errors import SettingsError
from e2.kernels import repair as kernels
from e2.kernels.rehearse import warm_up
from e2.kernels.repair_tables import beam_arrays, puzzle_arrays, rectangles, region_arrays, state_bytes
from e2.kernels.tables import Array
from e2.search.full_board import broken_rules, start_board
from e2.search.great_refill import great_refill, refill_bytes
from e2.search.memory import check_memory
from e2.search.parameters import check_bite
from e2.search.shuffle import ranks
from e2.search.state import fingerprint, foreign_state, packed, unpacked
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Value, never

_CHUNK = 200_000  # nodes between two looks at `stopping`
_SHARE = 15  # nodes in small regions after a great refill, for each state of its beam: a quarter of its time
_HEAVIEST = 1000  # weight of ways or noise: keys end after 64 seams
_STREAM = 2  # of random numbers: 0 makes the start, 1 goes into small regions, the rest into great refills


class RepairSearch:
    """Repairs a start board, or one of the seed. It rests after every trial."""

    def __init__(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        start, population, great = parameters["start"], parameters["population"], parameters["great"]
        width, ways, noise = parameters["width"], parameters["ways"], parameters["noise"]
        stall = parameters["stall"]
        assert isinstance(start, list)
        assert isinstance(population, int)
        assert isinstance(great, int)
        assert isinstance(width, int)
        assert isinstance(ways, float)
        assert isinstance(noise, float)
        assert isinstance(stall, int)
        if max(ways, noise) > _HEAVIEST:
            raise SettingsError(f"repair: ways = {ways}, noise = {noise}; expected at most {_HEAVIEST} each")
        shapes = self._shapes(instance, parameters)
        board = start_board(instance, start, bool(parameters["mend"]), seed)
        warm_up("repair")
        self.instance = instance
        self.width = width
        self.noise = max(1, round(noise * kernels.SCALE))
        self.puzzle = puzzle_arrays(instance, shapes)
        check_memory("repair: width", width, state_bytes(self.puzzle))
        if great:
            check_memory("repair: great", great, refill_bytes(instance))
        check_memory("repair: population", population, 8 * (len(board) + 1))
        self.region = region_arrays(self.puzzle)
        self.beam = beam_arrays(self.puzzle, width, ways)
        self.boards: Array = np.tile(np.array(board, np.int64), (population, 1))
        self.lost = np.full(population, self._lost(board), np.int64)
        self.best = np.array(board, np.int64)
        self.fewest = self.lost[:1].copy()
        self.random = ranks(seed, 1, 1) | np.uint64(1)
        self.seed, self.great = seed, great
        self.refills = 0
        self.small_left = 0  # nodes in small regions before the next great refill
        self.stall = stall
        self.stalled = 0  # nodes since the best board became better
        self.tally = np.zeros(kernels.TALLY_WIDTH, np.int64)
        self.finished = not self.lost[0]
        self.fingerprint = fingerprint("repair", instance, parameters, seed)

    @staticmethod
    def _shapes(instance: Instance, parameters: Mapping[str, Value]) -> Array:
        least, most = parameters["least"], parameters["most"]
        assert isinstance(least, int)
        assert isinstance(most, int)
        if not least <= most <= kernels.MOST:
            raise SettingsError(f"repair: regions of {least} to {most} cells; expected least <= most <= {kernels.MOST}")
        shapes = rectangles(instance.width, instance.height, min(least, instance.grid.cells), most)
        if not len(shapes):
            raise SettingsError(
                f"repair: no rectangle of {instance.width}x{instance.height} has {least} to {most} cells; "
                "expected least and most further apart"
            )
        return shapes

    def _lost(self, board: list[int]) -> int:
        return score_board(self._board(board), self.instance.pieces).breaks

    def _board(self, codes: list[int]) -> Board:
        return Board(self.instance.width, self.instance.height, tuple(codes))

    def step(self, nodes: int, stopping: Callable[[], bool] = never) -> Bite:
        check_bite(nodes)
        self.tally[:] = 0
        while not self.finished and self.tally[kernels.NODES] < nodes and not stopping():
            if self.great and self.small_left <= 0:
                if not self._refill_greatly(stopping):
                    break
            else:
                self._repair(nodes)
        score = self.instance.grid.max_score - int(self.fewest[0])
        stats = SearchStats(
            int(self.tally[kernels.NODES]), max_depth=self.instance.grid.cells - len(self.instance.hints)
        )
        return Bite(stats, self._board(self.best.tolist()), score, self.finished)

    def _repair(self, nodes: int) -> None:
        """Small regions, until `nodes` are made, it is time for a great refill, or somebody may want to stop."""
        made = int(self.tally[kernels.NODES])
        pause = min(_CHUNK, self.small_left) if self.great else _CHUNK
        if self.stall:
            pause = min(pause, self.stall - self.stalled)
        fewest = int(self.fewest[0])
        ended = kernels.repair(
            self.boards,
            self.lost,
            self.best,
            self.fewest,
            min(nodes, made + pause),
            self.width,
            self.noise,
            self.puzzle,
            self.region,
            self.beam,
            self.random,
            self.tally,
        )
        now = int(self.tally[kernels.NODES])
        self.small_left -= now - made
        if self.fewest[0] < fewest:
            self.stalled = now - int(self.tally[kernels.BETTER])
        else:
            self.stalled += now - made
        self.finished = bool(ended) or self._has_stalled(self.stalled)

    def _has_stalled(self, nodes: int) -> bool:
        return 0 < self.stall <= nodes

    def _refill_greatly(self, stopping: Callable[[], bool]) -> bool:
        """Fill a great part of a member again and keep that if it is no worse; False if stopped, with nothing done."""
        member = self.refills % len(self.lost)
        codes = self.boards[member].tolist()
        made, board = great_refill(self.instance, codes, self.great, self.seed, _STREAM + self.refills, stopping)
        if board is None:
            return False
        self.refills += 1
        self.small_left = _SHARE * self.great
        self.tally[kernels.NODES] += made
        self.stalled += made
        lost = score_board(board, self.instance.pieces).breaks
        if lost <= self.lost[member]:
            self.boards[member], self.lost[member] = board.codes, lost
        if lost < self.fewest[0]:
            self.best[:], self.fewest[0] = board.codes, lost
            self.stalled = 0
        self.finished = lost == 0 or self._has_stalled(self.stalled)
        return True

    def _arrays(self) -> dict[str, Array]:
        return {
            "task": self.fingerprint,
            "boards": self.boards,
            "lost": self.lost,
            "best": self.best,
            "fewest": self.fewest,
            "random": self.random,
            "search": np.array([self.finished, self.refills, self.small_left, self.stalled], np.int64),
        }

    def state(self) -> bytes:
        return packed(self._arrays())

    def restore(self, state: bytes) -> None:
        arrays = unpacked(state, self._arrays())
        most = 4 * len(self.instance.pieces)
        boards = [*arrays["boards"].tolist(), arrays["best"].tolist()]
        for board, lost in zip(boards, [*arrays["lost"].tolist(), *arrays["fewest"].tolist()], strict=True):
            if not all(0 <= code < most for code in board) or broken_rules(self.instance, board):
                raise foreign_state("a board breaks the rules")
            if lost != self._lost(board):
                raise foreign_state("a score is wrong")
        finished, refills, small_left, stalled = arrays["search"].tolist()
        sound = arrays["random"][0] and finished in (0, 1) and small_left <= _SHARE * self.great
        if not sound or min(refills, stalled) < 0 or (self._has_stalled(stalled) and not finished):
            raise foreign_state("its numbers are out of range")
        self.boards, self.lost, self.random = arrays["boards"], arrays["lost"], arrays["random"]
        self.best, self.fewest = arrays["best"], arrays["fewest"]
        self.finished, self.refills, self.small_left, self.stalled = bool(finished), refills, small_left, stalled
