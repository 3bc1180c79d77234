"""The search of `beam`: one pass from the first cell to the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from e2.core.board import EMPTY, Board
from e2.core.instance import Instance
from e2.kernels.ancestry import VARYING, packed_lines
from e2.kernels.beam_tables import build_beam_tables
from e2.kernels.layers import Layers, beam_bytes
from e2.kernels.rehearse import warm_up
from e2.kernels.tables import Array
from e2.search.fill_order import fill_order
from e2.search.memory import check_memory
from e2.search.parameters import check_bite
from e2.search.state import fingerprint, foreign_state, packed, unpacked
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Value, never

_REST = 2_000_000_000  # nodes: two minutes' work, so that a beam of up to 1,500,000 states is made in one go
_LARGEST_STATE = 800_000_000  # bytes: SQLite, which keeps the states of a run, refuses a row of 10^9


class BeamSearch:
    """One beam from the first cell to the last.

    It rests before, after, and each time that it has made _REST nodes more, unless what it would hand in is then larger
    than _LARGEST_STATE: all of that follows from the task alone. It hands in 6 to 10 bytes for each state of the beam,
    so beams wider than 80 million states may not rest. Between steps it keeps no layers: a worker that has several
    tasks in turn never has two beams in memory.
    """

    def __init__(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        width, spec, turn = parameters["width"], parameters["fill_order"], parameters["turn"]
        concentration, mismatching = parameters["concentration"], parameters["mismatching"]
        assert isinstance(width, int)
        assert isinstance(spec, str | list)
        assert isinstance(turn, int)
        assert isinstance(concentration, float)
        assert isinstance(mismatching, int)
        warm_up("beam")
        self.instance, self.seed, self.width = instance, seed, width
        self.concentration, self.mismatching = concentration, mismatching
        self.tables = build_beam_tables(instance, fill_order(instance.grid, spec, turn))
        check_memory("beam: width", width, beam_bytes(self.tables, 1))
        self.fingerprint = fingerprint("beam", instance, parameters, seed)
        self.best: Board | None = None
        self.best_score = 0
        self.finished = False
        self.lines = packed_lines([], self.tables.layers)  # where it rests

    def step(self, nodes: int, stopping: Callable[[], bool] = never) -> Bite:
        check_bite(nodes)
        stats = SearchStats()
        if not self.finished and not stopping():
            layers = self._laid(self.lines)
            while stats.nodes < nodes and not self.finished:
                more = self._to_next_rest(layers, stopping)
                if more is None:
                    break
                stats += more
        return Bite(stats, self.best, self.best_score, self.finished)

    def _laid(self, lines: Mapping[str, Array]) -> Layers:
        layers = Layers(self.instance, self.tables, self.width, self.concentration, self.mismatching)
        layers.restore(lines)
        return layers

    def _to_next_rest(self, layers: Layers, stopping: Callable[[], bool]) -> SearchStats | None:
        """Go on until the search rests; None, with the search where it was, if told to stop before."""
        made, due = 0, _REST
        while not layers.finished:
            if stopping():
                return None
            made += layers.advance(self.seed)
            if made >= due and not layers.finished:
                lines = layers.arrays()
                if sum(array.nbytes for array in lines.values()) <= _LARGEST_STATE:
                    self.lines = lines
                    return SearchStats(made, max_depth=layers.layer)
                due = made + _REST
        ((self.best_score, self.best),) = layers.boards(1)
        self.finished = True
        self.lines = packed_lines([], self.tables.layers)
        solved = self.best_score == self.instance.grid.max_score
        return SearchStats(made, int(solved), 0, layers.layer)

    def _arrays(self) -> dict[str, Array]:
        codes = [EMPTY] * self.instance.grid.cells if self.best is None else self.best.codes
        return {
            "task": self.fingerprint,
            "beam": np.array([int(self.finished), self.best_score], np.int64),
            "best": np.array(codes, np.int64),
            **self.lines,
        }

    def state(self) -> bytes:
        return packed(self._arrays())

    def restore(self, state: bytes) -> None:
        arrays = unpacked(state, self._arrays(), VARYING)
        finished, score = arrays["beam"].tolist()
        codes = arrays["best"].tolist()
        if finished not in (0, 1) or not all(EMPTY <= code < 4 * len(self.instance.pieces) for code in codes):
            raise foreign_state("its numbers are out of range")
        lines = {name: arrays[name] for name in self.lines}
        self._laid(lines)  # refuses what no beam of this task can have come to
        self.lines = lines
        self.finished, self.best_score = bool(finished), score
        self.best = Board(self.instance.width, self.instance.height, tuple(codes)) if finished else None
