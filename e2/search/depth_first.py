"""The searches of `strict` and `breaks`: when a descent starts again, tightens its schedule, or ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from e2.core.instance import Instance
from e2.errors import SettingsError
from e2.kernels.tables import Array, Tables, build_tables
from e2.search.descent import Descent
from e2.search.fill_order import fill_order
from e2.search.ladders import LADDERS
from e2.search.orders import SHUFFLED
from e2.search.parameters import check_bite
from e2.search.quota import Guard, favoured_first, guard, worths
from e2.search.schedule import ModelSchedule, listed_schedule
from e2.search.shuffle import ranks
from e2.search.state import fingerprint, foreign_state, packed, unpacked
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Value, never

_FOREVER = 1 << 62


class _DepthFirstSearch:
    """What both have in common: a descent, the restarts, bites and states."""

    mismatches: bool

    def __init__(self, name: str, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        self.instance = instance
        self.seed = seed
        self.shuffled = parameters["order"] == SHUFFLED
        spec, turn, restart = parameters["fill_order"], parameters["turn"], parameters["restart"]
        assert isinstance(spec, str | list)
        assert isinstance(turn, int)
        assert isinstance(restart, int)
        self.fill_order = fill_order(instance.grid, spec, turn)
        self.restart_nodes = restart
        self.fingerprint = fingerprint(name, instance, parameters, seed)
        self.restarts = 0
        self.run_nodes = 0
        self.finished = False
        self.descent = self._fresh_descent(self._allowed())

    def _fresh_descent(self, allowed: Array | None, tables: Tables | None = None) -> Descent:
        return Descent(self.instance, tables or self._tables(), allowed)

    def _tables(self) -> Tables:
        return build_tables(self.instance, self.fill_order, self._ranks(), self.mismatches)

    def _ranks(self) -> Array | None:
        return ranks(self.seed, self.restarts, 4 * len(self.instance.pieces)) if self.shuffled else None

    def _allowed(self) -> Array | None:
        raise NotImplementedError

    def _pause(self) -> int:
        """Nodes of this run after which `_react` wants to look at it again."""
        return self.restart_nodes or _FOREVER

    def _react(self, boards: int) -> None:
        """After a stretch of nodes: end, tighten, or start again."""
        raise NotImplementedError

    def _start_again(self) -> None:
        """Shuffle anew and begin at the first cell; the best board stays."""
        self.restarts += 1
        self.run_nodes = 0
        before = self.descent
        self.descent = self._fresh_descent(before.allowed)
        self.descent.keep_best_of(before)

    def step(self, nodes: int, stopping: Callable[[], bool] = never) -> Bite:
        check_bite(nodes)
        stats = SearchStats()
        while not self.finished:
            made, boards = self.descent.run(min(nodes, self._pause() - self.run_nodes), self._boards_wanted())
            nodes -= made
            self.run_nodes += made
            restarts = self.restarts
            deepest = self.descent.deepest
            self._react(boards)
            solutions = boards if self.descent.best_score == self.instance.grid.max_score else 0
            stats += SearchStats(made, solutions, self.restarts - restarts, deepest)
            # Going on after a board even without nodes left makes the end known in the bite of the last node.
            if nodes == 0 and self.descent.settled:
                break
        best, score = self.descent.best_board()
        return Bite(stats, best, score, self.finished)

    def _boards_wanted(self) -> int:
        return _FOREVER

    def _arrays(self) -> dict[str, Array]:
        numbers = [self.restarts, self.run_nodes, int(self.finished)]
        return {
            "task": self.fingerprint,
            "search": np.array(numbers, np.int64),
            **self.descent.arrays(),
        }

    def state(self) -> bytes:
        return packed(self._arrays())

    def restore(self, state: bytes) -> None:
        self._restore(unpacked(state, self._arrays()))

    def _restore(self, arrays: Mapping[str, Array]) -> None:
        restarts, run_nodes, finished = arrays["search"].tolist()
        if restarts < 0 or not 0 <= run_nodes <= (self.restart_nodes or _FOREVER) or finished not in (0, 1):
            raise foreign_state("its counters are out of range")
        before = self.restarts
        self.restarts = restarts
        descent = self._fresh_descent(self.descent.allowed, self.descent.tables if restarts == before else None)
        try:
            descent.restore(arrays)
        except SettingsError:
            self.restarts = before
            raise
        self.run_nodes, self.finished, self.descent = run_nodes, bool(finished), descent


class StrictSearch(_DepthFirstSearch):
    """A strict search."""

    mismatches = False

    def __init__(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        self.exhaustive = bool(parameters["exhaustive"])
        if parameters["restart"] and (self.exhaustive or parameters["order"] != SHUFFLED):
            raise SettingsError(
                f"strict: restart = {parameters['restart']} would repeat itself; expected 0, or order = {SHUFFLED!r} "
                "and exhaustive = false"
            )
        super().__init__("strict", instance, parameters, seed)
        if self.descent.tables.lost:
            raise SettingsError("strict: two hints side by side show different colours; expected hints that match")

    def _allowed(self) -> None:
        return None

    def _boards_wanted(self) -> int:
        return _FOREVER if self.exhaustive else 1

    def _react(self, boards: int) -> None:
        if self.descent.finished or (boards and not self.exhaustive):
            self.finished = True
        elif self.run_nodes == self._pause():
            self._start_again()


class BreaksSearch(_DepthFirstSearch):
    """A search with mismatched seams: each full board lowers the number that the next may have."""

    mismatches = True

    def __init__(self, instance: Instance, parameters: Mapping[str, Value], seed: int) -> None:
        schedule, target, probe = parameters["schedule"], parameters["target"], parameters["probe"]
        favoured, quota, prune = parameters["favoured"], parameters["quota"], parameters["prune"]
        assert isinstance(schedule, str | list)
        assert isinstance(quota, str | list)
        assert isinstance(favoured, list)
        assert isinstance(prune, int)
        assert isinstance(target, int)
        assert isinstance(probe, int)
        if target > instance.grid.max_score:
            raise SettingsError(f"breaks: target = {target}; expected at most {instance.grid.max_score}")
        self.target = target or instance.grid.max_score
        self.depths = LADDERS.get(schedule) if isinstance(schedule, str) else schedule
        self.probe_nodes = probe
        self.favoured, self.quota, self.prune = favoured, quota, prune
        self.fewest = -1  # mismatches of the best full board; -1 before the first
        self.wide_open = False
        if parameters["order"] != SHUFFLED and (probe or parameters["restart"]):
            raise SettingsError(f"breaks: order = {parameters['order']!r} repeats itself; expected probe = restart = 0")
        super().__init__("breaks", instance, parameters, seed)

    @cached_property
    def guard(self) -> Guard | None:
        return guard(self.instance, self.fill_order, self.favoured, self.quota, self.prune)

    def _ranks(self) -> Array | None:
        if not self.favoured:
            return super()._ranks()
        return favoured_first(super()._ranks(), worths(self.instance, self.favoured))

    def _fresh_descent(self, allowed: Array | None, tables: Tables | None = None) -> Descent:
        return Descent(self.instance, tables or self._tables(), allowed, self.guard)

    def _allowed(self) -> Array:
        self.model: ModelSchedule | None = None
        if self.depths is not None:
            self.allowed = listed_schedule(self.instance, self.fill_order, self.depths)
        else:
            self.model = ModelSchedule(self.instance, self.fill_order)
            self.allowed = self.model.allowed(self.model.first_mismatches())
        return self.allowed

    def _pause(self) -> int:
        pause = super()._pause()
        return min(pause, self.probe_nodes) if self.run_nodes < self.probe_nodes else pause

    def _react(self, boards: int) -> None:
        descent = self.descent
        if boards:
            self.fewest = descent.fewest_mismatches
            if descent.best_score >= self.target or self.fewest == 0:
                self.finished = True
            else:
                self._allow(self.fewest - 1)
        elif descent.finished:
            self._exhausted()
        elif 0 < self.run_nodes == self.restart_nodes or (0 < self.run_nodes == self.probe_nodes and self._hangs()):
            self._start_again()

    def _allow(self, mismatches: int) -> None:
        """A schedule that ends at `mismatches`; it takes effect where the search stands."""
        self.wide_open = False
        if self.model is None:
            np.minimum(self.allowed, mismatches, out=self.allowed)
        else:
            self.allowed[:] = self.model.allowed(mismatches)

    def _hangs(self) -> bool:
        """Whether the probe has not come to the depth from which a mismatch is allowed."""
        return self.descent.deepest <= int(np.searchsorted(self.allowed, 1))

    def _exhausted(self) -> None:
        """The tree of this schedule is searched: a model schedule is opened from the first cell on, then loosened.

        A tree that was open all along and holds no board proves that no board has so few mismatches.
        """
        mismatches = int(self.allowed[-1])
        if self.model is None or (self.wide_open and (self.fewest >= 0 or mismatches >= self.instance.grid.max_score)):
            self.finished = True
            return
        self.allowed[:] = mismatches + int(self.wide_open)
        self.wide_open = True
        self._start_again()

    def _arrays(self) -> dict[str, Array]:
        schedule = np.array([self.fewest, int(self.wide_open)], np.int64)
        return {**super()._arrays(), "schedule": schedule, "allowed": self.allowed}

    def _restore(self, arrays: Mapping[str, Array]) -> None:
        allowed = arrays["allowed"]
        fewest, wide_open = arrays["schedule"].tolist()
        most = self.instance.grid.max_score
        if not (-1 <= fewest <= most and wide_open in (0, 1) and allowed.min() >= 0 and allowed.max() <= most):
            raise foreign_state("its schedule is out of range")
        super()._restore(arrays)
        self.allowed[:] = allowed
        self.fewest, self.wide_open = fewest, bool(wide_open)
