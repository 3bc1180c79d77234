"""The search of `beam`: one pass from the first cell to the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from e2.core.board import EMPTY, Board
from e2.core.instance import Instance
from e2.errors import SettingsError
from e2.kernels.beam_tables import build_beam_tables
from e2.kernels.layers import Layers, beam_bytes
from e2.kernels.rehearse import warm_up
from e2.kernels.tables import Array
from e2.search.fill_order import fill_order
from e2.search.parameters import check_bite
from e2.search.state import fingerprint, foreign_state, packed, unpacked
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Value, never

_MEMORY_SHARE = 0.8  # of the memory that is free, for one beam


def free_memory() -> int | None:
    """Bytes that a process may still take on this machine, or None where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


class BeamSearch:
    """One beam from the first cell to the last. It rests before and after."""

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
        needed, free = beam_bytes(self.tables, width), free_memory()
        if free is not None and needed > _MEMORY_SHARE * free:
            most = int(_MEMORY_SHARE * free / beam_bytes(self.tables, 1))
            raise SettingsError(
                f"beam: width = {width} takes about {needed >> 20} MiB, {free >> 20} MiB are free; "
                f"expected at most {most}"
            )
        self.fingerprint = fingerprint("beam", instance, parameters, seed)
        self.best: Board | None = None
        self.best_score = 0
        self.finished = False

    def step(self, nodes: int, stopping: Callable[[], bool] = never) -> Bite:
        check_bite(nodes)
        if self.finished:
            return Bite(SearchStats(), self.best, self.best_score, True)
        layers = Layers(self.instance, self.tables, self.width, self.concentration, self.mismatching)
        made = 0
        while not layers.finished:
            if stopping():
                return Bite(SearchStats(), None, 0, False)
            made += layers.advance(self.seed)
        ((self.best_score, self.best),) = layers.boards(1)
        self.finished = True
        solved = self.best_score == self.instance.grid.max_score
        return Bite(SearchStats(made, int(solved), 0, self.tables.layers), self.best, self.best_score, True)

    def _arrays(self) -> dict[str, Array]:
        codes = [EMPTY] * self.instance.grid.cells if self.best is None else self.best.codes
        return {
            "task": self.fingerprint,
            "beam": np.array([int(self.finished), self.best_score], np.int64),
            "best": np.array(codes, np.int64),
        }

    def state(self) -> bytes:
        return packed(self._arrays())

    def restore(self, state: bytes) -> None:
        arrays = unpacked(state, self._arrays())
        finished, score = arrays["beam"].tolist()
        codes = arrays["best"].tolist()
        if finished not in (0, 1) or not all(EMPTY <= code < 4 * len(self.instance.pieces) for code in codes):
            raise foreign_state("its numbers are out of range")
        self.finished, self.best_score = bool(finished), score
        self.best = Board(self.instance.width, self.instance.height, tuple(codes)) if finished else None
