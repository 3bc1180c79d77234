"""Slitherlink as a value, and its search: one closed loop along cells, with as many lines at each as its clue says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from e2.core.grid import Grid
from e2.errors import PuzzleError
from e2.kernels import loop as kernels
from e2.kernels.rehearse import warm_up
from e2.pencil.pzpr.board import MOST_SIDE

BITE = 8
"""Trials between two looks at the keyboard: on a large board each that fails may take a tenth of a second."""


@dataclass(frozen=True)
class LoopPuzzle:
    """Clues by cell, row-major: how many lines of the loop lie at it, 0 to 4, or None where nothing is said.

    With `full` the loop passes every vertex. PuzzleError for a board without cells or with a side above MOST_SIDE, and
    for clues that are none, too few or too many.
    """

    grid: Grid
    clues: tuple[int | None, ...]
    full: bool = False

    def __post_init__(self) -> None:
        faults = []
        if not (1 <= self.grid.width <= MOST_SIDE and 1 <= self.grid.height <= MOST_SIDE):
            faults.append(f"{self.grid.height} rows of {self.grid.width}; expected 1 to {MOST_SIDE} of both")
        elif len(self.clues) != self.grid.cells:
            faults.append(f"{len(self.clues)} clues; expected one for each of {self.grid.cells} cells")
        else:
            faults += [
                f"clue {clue} at {self.grid.name(cell)}; expected 0 to 4"
                for cell, clue in enumerate(self.clues)
                if clue is not None and not 0 <= clue <= 4
            ]
        if faults:
            raise PuzzleError("loop", tuple(faults))


@dataclass(frozen=True)
class Loop:
    """A loop by what it encloses: `inside` by cell, row-major."""

    grid: Grid
    inside: tuple[bool, ...]

    @property
    def level(self) -> tuple[tuple[bool, ...], ...]:
        """Lines from left to right, by row of vertices (height + 1) and column of cells (width)."""
        return tuple(
            tuple(self._at(row - 1, column) != self._at(row, column) for column in range(self.grid.width))
            for row in range(self.grid.height + 1)
        )

    @property
    def upright(self) -> tuple[tuple[bool, ...], ...]:
        """Lines from top to bottom, by row of cells (height) and column of vertices (width + 1)."""
        return tuple(
            tuple(self._at(row, column - 1) != self._at(row, column) for column in range(self.grid.width + 1))
            for row in range(self.grid.height)
        )

    def _at(self, row: int, column: int) -> bool:
        within = 0 <= row < self.grid.height and 0 <= column < self.grid.width
        return within and self.inside[self.grid.cell(row, column)]


@dataclass(frozen=True)
class Solved:
    """All loops of a puzzle, or the first ones if there are as many as were asked for; `nodes` are lines tried."""

    loops: tuple[Loop, ...]
    nodes: int


class LoopSearch:
    """Searches a puzzle until there are `most` loops or no more. All of its state lies in arrays."""

    def __init__(self, puzzle: LoopPuzzle, most: int = 2) -> None:
        warm_up("loop")
        self._grid = puzzle.grid
        self._rules = kernels.loop_rules(puzzle.grid, puzzle.clues, puzzle.full)
        self._state = kernels.fresh_loop_state(puzzle.grid, puzzle.clues)
        self._work = kernels.loop_work(puzzle.grid, self._rules)
        self._found = np.zeros((most, puzzle.grid.cells + 1), np.int64)

    def step(self, nodes: int) -> bool:
        """Search until the end, or `nodes` trials more; whether it is at the end.

        Loops and trials are the same however a search is cut into steps.
        """
        kernels.search_loops(nodes, self._rules, self._state, self._work, self._found)
        return bool(self._state.control[kernels.DONE])

    @property
    def solved(self) -> Solved:
        """What was found so far; all there is once `step` says so."""
        control = self._state.control
        rows = self._found[: control[kernels.SOLUTIONS], :-1]
        loops = tuple(Loop(self._grid, tuple(map(bool, row))) for row in rows.tolist())
        return Solved(loops, int(control[kernels.NODES]))


def solve_loop(puzzle: LoopPuzzle, most: int = 2) -> Solved:
    """The loops of a puzzle, at most `most`: with 2, none, one and several are told apart, and one is proved unique."""
    search = LoopSearch(puzzle, most)
    while not search.step(BITE):
        pass
    return search.solved


def solve_all(puzzles: Iterable[LoopPuzzle]) -> tuple[Solved, ...]:
    """`solve_loop` of each."""
    return tuple(solve_loop(puzzle) for puzzle in puzzles)
