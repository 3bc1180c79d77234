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
from e2.kernels.repair_tables import beam_arrays, puzzle_arrays, rectangles, region_arrays
from e2.kernels.tables import Array
from e2.search.full_board import broken_rules, start_board
from e2.search.parameters import check_bite
from e2.search.shuffle import ranks
from e2.search.state import fingerprint, foreign_state, packed, unpacked
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Value, never

_CHUNK = 200_000  # nodes between two looks at `stopping`


class RepairSearch:
    """Repairs a start board, or one of the seed. It rests after every trial."""

    def __init__(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        start, population = parameters["start"], parameters["population"]
        width, ways, noise = parameters["width"], parameters["ways"], parameters["noise"]
        assert isinstance(start, list)
        assert isinstance(population, int)
        assert isinstance(width, int)
        assert isinstance(ways, float)
        assert isinstance(noise, float)
        shapes = self._shapes(instance, parameters)
        board = start_board(instance, start, bool(parameters["mend"]), seed)
        warm_up("repair")
        self.instance = instance
        self.width = width
        self.noise = max(1, round(noise * kernels.SCALE))
        self.puzzle = puzzle_arrays(instance, shapes)
        self.region = region_arrays(self.puzzle)
        self.beam = beam_arrays(self.puzzle, width, ways)
        self.boards: Array = np.tile(np.array(board, np.int64), (population, 1))
        self.lost = np.full(population, self._lost(board), np.int64)
        self.best = np.array(board, np.int64)
        self.fewest = self.lost[:1].copy()
        self.random = ranks(seed, 1, 1) | np.uint64(1)
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
            self.finished = bool(
                kernels.repair(
                    self.boards,
                    self.lost,
                    self.best,
                    self.fewest,
                    min(nodes, self.tally[kernels.NODES] + _CHUNK),
                    self.width,
                    self.noise,
                    self.puzzle,
                    self.region,
                    self.beam,
                    self.random,
                    self.tally,
                )
            )
        score = self.instance.grid.max_score - int(self.fewest[0])
        stats = SearchStats(
            int(self.tally[kernels.NODES]), max_depth=self.instance.grid.cells - len(self.instance.hints)
        )
        return Bite(stats, self._board(self.best.tolist()), score, self.finished)

    def _arrays(self) -> dict[str, Array]:
        return {
            "task": self.fingerprint,
            "boards": self.boards,
            "lost": self.lost,
            "best": self.best,
            "fewest": self.fewest,
            "random": self.random,
            "finished": np.array([self.finished], np.int64),
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
        if not arrays["random"][0] or arrays["finished"][0] not in (0, 1):
            raise foreign_state("its numbers are out of range")
        self.boards, self.lost, self.random = arrays["boards"], arrays["lost"], arrays["random"]
        self.best, self.fewest = arrays["best"], arrays["fewest"]
        self.finished = bool(arrays["finished"][0])
