"""The C twins of the strict kernel: compiled here and now, called through ctypes."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from e2.bench.per_cell import per_cell_source
from e2.core.instance import Instance
from e2.core.quad import BORDER, DOWN, LEFT, RIGHT, UP, opposite
from e2.errors import SettingsError

Twin = Callable[[int], tuple[int, int]]
"""Search row by row from the beginning for that many nodes; returns nodes made and the most cells filled."""

FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")

_GENERIC = Path(__file__).parents[2] / "scripts" / "baseline" / "strict.c"


def compiled(source: str) -> ctypes.CDLL:
    """The library of a C text. SettingsError without a C compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise SettingsError("bench kernels needs a C compiler: there is no `cc`, and CC names none")
    with TemporaryDirectory(prefix="e2-twin-") as folder:
        text, library = Path(folder, "twin.c"), Path(folder, "twin.so")
        text.write_text(source, encoding="ascii")
        ran = subprocess.run([compiler, *FLAGS, "-o", str(library), str(text)], capture_output=True, text=True)
        if ran.returncode:
            raise SettingsError(f"{compiler} does not compile the C twin: {ran.stderr.strip()[:500]}")
        return ctypes.CDLL(str(library))


def per_cell_twin(instance: Instance) -> Twin:
    """Code of its own for every cell, with our masks and look-ahead."""
    library = compiled(per_cell_source(instance, range(instance.grid.cells)))
    library.per_cell.restype = ctypes.c_long

    def run(nodes: int) -> tuple[int, int]:
        deepest = ctypes.c_int()
        made = library.per_cell(ctypes.c_long(nodes), ctypes.byref(deepest))
        return int(made), deepest.value

    return run


def generic_twin(instance: Instance) -> Twin:
    """The search as one would first write it: lists scanned past the pieces in use. Tables are made independently."""
    if not _GENERIC.is_file():
        raise SettingsError(
            "the generic C twin comes with a checkout, not with an installed e2: scripts/baseline/strict.c"
        )
    library = compiled(_GENERIC.read_text(encoding="ascii"))
    library.strict_scan.restype = ctypes.c_long
    grid, pinned, pieces = instance.grid, instance.pinned, instance.pieces
    bits = pieces.colours.bit_length()
    plane = 1 << 2 * bits
    order = [cell for cell in range(grid.cells) if cell not in pinned]
    free = sorted(set(range(len(pieces))) - {hint.piece for hint in instance.hints})
    classes = sorted({grid.rim_sides(cell) for cell in order})
    words: list[tuple[int, int, int, int]] = []
    for number, rim in enumerate(classes):
        for piece in free:
            for rot in range(4):
                quad = pieces.placed(piece, rot)
                if all((quad[side] == BORDER) == (side in rim) for side in range(4)):
                    words.append((number * plane + (quad[UP] << bits) + quad[LEFT], piece, quad[RIGHT], quad[DOWN]))
    words.sort(key=lambda word: word[0])
    table = np.array(words, np.int32)
    start = np.searchsorted(table[:, 0], np.arange(len(classes) * plane + 1)).astype(np.int32)
    piece_of, right, down = (np.ascontiguousarray(table[:, column]) for column in (1, 2, 3))
    rims = [grid.rim_sides(cell) for cell in order]
    up_cell = np.array([grid.cells if UP in rim else cell - grid.width for cell, rim in zip(order, rims, strict=True)])
    left_cell = np.array([grid.cells if LEFT in rim else cell - 1 for cell, rim in zip(order, rims, strict=True)])
    lists = np.array([classes.index(rim) * plane for rim in rims], np.int32)
    asked = np.full((2, len(order)), -1, np.int32)
    for which, side in enumerate((RIGHT, DOWN)):
        for depth, cell in enumerate(order):
            neighbour = grid.neighbour(cell, side)
            if neighbour in pinned:
                hint = pinned[neighbour]
                asked[which, depth] = pieces.placed(hint.piece, hint.rot)[opposite(side)]
    shown = np.zeros((2, grid.cells + 1), np.int32)
    for hint in instance.hints:
        quad = pieces.placed(hint.piece, hint.rot)
        shown[:, hint.cell] = quad[RIGHT], quad[DOWN]
    fixed = (np.array(order, np.int32), up_cell.astype(np.int32), left_cell.astype(np.int32), lists, start)
    tables = (*fixed, piece_of, right, down, asked)

    def run(nodes: int) -> tuple[int, int]:
        changed = (*shown.copy(), np.zeros(len(pieces), np.int8), np.zeros(1, np.int32))
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (*tables, *changed)]
        made = library.strict_scan(len(order), bits, ctypes.c_long(nodes), *pointers)
        return int(made), int(changed[-1][0])

    return run
