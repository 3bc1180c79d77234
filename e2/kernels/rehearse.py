"""A small run of every kernel, so that it is compiled before a search starts, and once in place of once a worker."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache

import numpy as np

from e2.core.grid import Grid
from e2.core.instance import Instance
from e2.core.pieces import PieceSet
from e2.kernels import cover, loop, repair
from e2.kernels import descend as kernels
from e2.kernels.beam_tables import build_beam_tables
from e2.kernels.compile import CACHE_FOLDER
from e2.kernels.cover_tables import Options, build_cover
from e2.kernels.expect import best_steps
from e2.kernels.layers import Layers
from e2.kernels.path import branches, lay_path
from e2.kernels.probe import probe
from e2.kernels.repair_tables import beam_arrays, puzzle_arrays, rectangles, region_arrays
from e2.kernels.tables import Alike, build_tables

_INSTANCE = Instance("2x2", 2, 2, PieceSet(((0, 1, 1, 0),) * 4))


@cache
def warm_up(family: str) -> None:
    """Load or compile the kernels of a family (descend, merged, probe, guarded, beam, repair, cover or loop), once a
    process.

    A cache that cannot be read (a torn write, a foreign file) is emptied and everything compiled again.
    """
    try:
        _FAMILIES[family]()
    except Exception:
        shutil.rmtree(CACHE_FOLDER, ignore_errors=True)
        CACHE_FOLDER.mkdir(parents=True, exist_ok=True)
        _FAMILIES[family]()


def _exercise_descend() -> None:
    tables = build_tables(_INSTANCE, range(4), mismatches=True)
    limits = tables.places, tables.seams
    best = np.zeros(4, np.int64)
    for descend in (kernels.descend, kernels.descend_plain):
        descend(kernels.fresh_control(tables), tables.fresh_memory(), best, 100, 1, *limits)
    _exercise_mismatched(kernels.descend_mismatched)
    tables = build_tables(_INSTANCE, range(4), mismatches=True)
    words, numbers = tables.words[:1], np.zeros((2, 1), np.int64)
    lay_path(kernels.fresh_control(tables), tables.fresh_memory(), words, False, 1, tables.places, *numbers)
    branches(tables.fresh_memory(), 0, words[0], words.copy(), tables.places)
    kernels.lay_opening(kernels.fresh_control(tables), tables.fresh_memory(), tables.words[:1], 0, tables.places)
    steps = np.zeros(1, np.int64)
    best_steps(np.ones((4, 3)), steps, steps.copy(), np.zeros(2), np.zeros(2), 0.0)


def _exercise_merged() -> None:
    tables = build_tables(_INSTANCE, range(4), alike=Alike(pieces=True))
    control, best = kernels.fresh_control(tables), np.zeros(4, np.int64)
    kernels.descend_merged(control, tables.fresh_memory(), best, 100, 1, tables.places, tables.seams)


def _exercise_probe() -> None:
    tables = build_tables(_INSTANCE, range(4))
    paths, random = np.zeros((1, 4), np.uint64), np.ones(1, np.uint64)
    probe(tables.fresh_memory(), paths, paths.copy(), 0, 4, random, tables.places, np.zeros(4))


def _exercise_guarded() -> None:
    _exercise_mismatched(kernels.descend_guarded)


def _exercise_mismatched(descend: Callable[..., None]) -> None:
    tables = build_tables(_INSTANCE, range(4), mismatches=True)
    best, allowed, synced = np.zeros(4, np.int64), np.zeros(5, np.int64), np.zeros(4, np.uint64)
    guard = np.zeros(4, np.int64), np.zeros(4, np.int64), 0, tables.sides, tables.balance, tables.balance.copy()
    control = kernels.fresh_control(tables)
    descend(control, tables.fresh_memory(), best, 100, allowed, synced, tables.places, tables.seams, *guard)


def _exercise_beam() -> None:
    Layers(_INSTANCE, build_beam_tables(_INSTANCE, range(4)), 1, 0.4, 1).advance(0)


def _exercise_repair() -> None:
    puzzle = puzzle_arrays(_INSTANCE, rectangles(2, 2, 4, 4))
    scratch = region_arrays(puzzle), beam_arrays(puzzle, 1, 1.0)
    board, tally = np.arange(0, 16, 4).reshape(1, 4), np.zeros(repair.TALLY_WIDTH, np.int64)
    repair.repair(
        board, np.full(1, 4), board[0].copy(), np.full(1, 4), 1, 1, 1, puzzle, *scratch, np.ones(1, np.uint64), tally
    )


def _exercise_cover() -> None:
    # One primary item, one coloured one: the first option is forced, the second is retraced.
    starts, item, colour = np.arange(0, 5, 2), np.array([0, 1, 0, 1]), np.array([0, 1, 0, 2])
    tables = build_cover(Options(1, 2, starts, item, colour))
    control, best, found = np.zeros(cover.CONTROL_WIDTH, np.int64), np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
    numbers = np.zeros((2, 1), np.int64)
    state, masks = cover.fresh_state(tables), cover.masks_of(tables)
    cover.lay(best[:0], control, state, masks)
    cover.retrace(np.ones(1, np.int64), True, control, state, masks, *numbers)
    cover.advance(control, best, found, found[:0], 10, state, masks)


def _exercise_loop() -> None:
    grid, clues = Grid(2, 2), (None,) * 4
    rules, state = loop.loop_rules(grid, clues, False), loop.fresh_loop_state(grid, clues)
    loop.search_loops(9, rules, state, loop.loop_work(grid, rules), np.zeros((2, 5), np.int64))


_FAMILIES = {
    "descend": _exercise_descend,
    "merged": _exercise_merged,
    "probe": _exercise_probe,
    "guarded": _exercise_guarded,
    "beam": _exercise_beam,
    "repair": _exercise_repair,
    "loop": _exercise_loop,
    "cover": _exercise_cover,
}
