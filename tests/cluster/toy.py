"""A strategy in plain Python for tests of the machinery around it: fills the board at random, again and again."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping

from e2.core.board import EMPTY, Board
from e2.core.instance import Instance
from e2.core.quad import BORDER
from e2.core.score import score_board
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Parameter, Value, never


class Toy:
    """One node places a piece on the next empty cell, turned so that grey lies on the rim; then the next board."""

    name = "toy"
    summary = "random boards"
    default_nodes = 500
    patience = 0.0
    parameters = (
        Parameter("lies", False, "claim one matched seam too many"),
        Parameter("moves_a_pin", False, "put another piece on the first pinned cell"),
        Parameter("fails_at", -1, "raise at that node of the search"),
        Parameter("pause", 0.0, "seconds to sleep in each bite"),
        Parameter("while_there_is", "", "a file; without it no bite sleeps"),
        Parameter("ends_at", -1, "finish at that node of the search"),
    )

    def prepare(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> ToySearch:
        return ToySearch(instance, {p.name: parameters.get(p.name, p.default) for p in self.parameters}, seed)


class ToySearch:
    def __init__(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        self.instance = instance
        self.parameters = parameters
        self.random = seed + 1
        self.nodes = 0
        self.codes = self._pinned()
        self.best: list[int] | None = None
        self.best_score = 0

    def step(self, nodes: int, stopping: Callable[[], bool] = never) -> Bite:
        if not self.parameters["while_there_is"] or os.path.exists(str(self.parameters["while_there_is"])):
            time.sleep(float(self.parameters["pause"]))
        done = 0
        while done < nodes and not self._finished():
            if self.nodes == self.parameters["fails_at"]:
                raise RuntimeError("the toy broke")
            self._place()
            self.nodes += 1
            done += 1
        best = None if self.best is None else Board(self.instance.width, self.instance.height, tuple(self.best))
        stats = SearchStats(done, max_depth=min(self.nodes, len(self.codes)))
        return Bite(stats, best, self.best_score + bool(self.parameters["lies"]), self._finished())

    def state(self) -> bytes:
        return json.dumps([self.random, self.nodes, self.codes, self.best, self.best_score]).encode()

    def restore(self, state: bytes) -> None:
        self.random, self.nodes, self.codes, self.best, self.best_score = json.loads(state)

    def _finished(self) -> bool:
        return self.nodes == self.parameters["ends_at"]

    def _pinned(self) -> list[int]:
        codes = [EMPTY] * self.instance.grid.cells
        for hint in self.instance.hints:
            codes[hint.cell] = 4 * hint.piece + hint.rot
        return codes

    def _place(self) -> None:
        if EMPTY not in self.codes:
            self.codes = self._pinned()
        cell = self.codes.index(EMPTY)
        ways = self._ways(cell)
        self.random = self.random * 6364136223846793005 % 2**64 + 1442695040888963407
        self.codes[cell] = ways[(self.random >> 33) % len(ways)]
        score = score_board(Board(self.instance.width, self.instance.height, tuple(self.codes)), self.instance.pieces)
        if self.best is None or score.matched > self.best_score:
            self.best, self.best_score = list(self.codes), score.matched
            if self.parameters["moves_a_pin"]:
                self.best[self.instance.hints[0].cell] = EMPTY
                self.best_score = score_board(
                    Board(self.instance.width, self.instance.height, tuple(self.best)), self.instance.pieces
                ).matched

    def _ways(self, cell: int) -> list[int]:
        used = {code >> 2 for code in self.codes if code != EMPTY}
        rim = set(self.instance.grid.rim_sides(cell))
        return [
            4 * piece + rot
            for piece in range(len(self.instance.pieces))
            if piece not in used
            for rot in range(4)
            if {side for side, colour in enumerate(self.instance.pieces.placed(piece, rot)) if colour == BORDER} == rim
        ]
