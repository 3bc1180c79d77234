"""A small run of every kernel, so that all are compiled before a search starts (see `compile.warm_up`)."""

from __future__ import annotations

import numpy as np

from e2.core.instance import Instance
from e2.core.pieces import PieceSet
from e2.kernels import descend as kernels
from e2.kernels.beam_tables import build_beam_tables
from e2.kernels.expect import optimise_steps
from e2.kernels.layers import Layers
from e2.kernels.tables import build_tables


def exercise_all() -> None:
    """Solve a 2x2 board with each kernel, with the types of a real search."""
    pieces = PieceSet(((0, 1, 1, 0),) * 4)
    instance = Instance("2x2", 2, 2, pieces)
    tables = build_tables(instance, range(4), mismatches=True)
    strict = kernels.state_arrays(tables)
    kernels.descend(*strict, 100, 1, *kernels.table_arguments(tables))
    mismatched = kernels.state_arrays(tables)
    allowed = np.zeros(5, np.int64)
    more = allowed, tables.stage_toggles, tables.stage_toggle_width
    kernels.descend_mismatched(*mismatched, 100, *more, *kernels.table_arguments(tables))
    Layers(instance, build_beam_tables(instance, range(4)), 1, 0.4, 1).advance(0)
    steps = np.zeros(1, np.int64)
    optimise_steps(np.ones((4, 3)), steps, steps.copy(), np.zeros(2), 100)
