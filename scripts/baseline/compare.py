"""Nodes per second of the strict kernel and of its C twin, interleaved in one process: the ratio is what holds.

Usage: python scripts/baseline/compare.py [NODES] (a C compiler `cc` must be there)
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from e2.core.instance import Instance
from e2.core.official import official_instance
from e2.core.quad import DOWN, LEFT, RIGHT, UP
from e2.kernels import descend as kernels
from e2.kernels.tables import build_tables
from e2.search.descent import Descent

ROUNDS = 25


def c_library() -> ctypes.CDLL:
    source = Path(__file__).with_name("strict.c")
    library = Path(tempfile.mkdtemp()) / "strict.so"
    command = ["cc", "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def c_twin(instance: Instance, library: ctypes.CDLL) -> Callable[[int], tuple[int, int]]:
    """A function that makes that many nodes row by row from the start and tells nodes and deepest."""
    grid, pinned = instance.grid, instance.pinned
    bits = int(instance.pieces.colours).bit_length()
    plane = 1 << 2 * bits
    order = [cell for cell in range(grid.cells) if cell not in pinned]
    free = sorted(set(range(len(instance.pieces))) - {hint.piece for hint in instance.hints})
    classes = sorted({grid.rim_sides(cell) for cell in order})
    words: list[tuple[int, int, int, int]] = []
    for number, rim in enumerate(classes):
        for piece in free:
            for rot in range(4):
                quad = instance.pieces.placed(piece, rot)
                if all((quad[side] == 0) == (side in rim) for side in range(4)):
                    key = number * plane + (quad[UP] << bits) + quad[LEFT]
                    words.append((key, piece, quad[RIGHT], quad[DOWN]))
    words.sort(key=lambda word: word[0])
    table = np.array(words, np.int32)
    start = np.searchsorted(table[:, 0], np.arange(len(classes) * plane + 1)).astype(np.int32)
    nowhere = grid.cells
    columns: dict[str, list[int]] = {"up": [], "left": [], "list": [], "right": [], "down": []}
    for cell in order:
        columns["up"].append(nowhere if UP in grid.rim_sides(cell) else cell - grid.width)
        columns["left"].append(nowhere if LEFT in grid.rim_sides(cell) else cell - 1)
        columns["list"].append(classes.index(grid.rim_sides(cell)) * plane)
        for name, side in (("right", RIGHT), ("down", DOWN)):
            hint = pinned.get(grid.neighbour(cell, side))
            columns[name].append(-1 if hint is None else instance.pieces.placed(hint.piece, hint.rot)[(side + 2) % 4])
    ints = {name: np.array(column, np.int32) for name, column in columns.items()}
    check = np.concatenate([ints["right"], ints["down"]])
    shown = np.zeros((2, grid.cells + 1), np.int32)
    for hint in instance.hints:
        quad = instance.pieces.placed(hint.piece, hint.rot)
        shown[:, hint.cell] = quad[RIGHT], quad[DOWN]
    cells = np.array(order, np.int32)
    piece, right, down = (np.ascontiguousarray(table[:, column]) for column in (1, 2, 3))
    library.strict_scan.restype = ctypes.c_long

    def run(nodes: int) -> tuple[int, int]:
        rights, downs = shown[0].copy(), shown[1].copy()
        used, deepest = np.zeros(len(instance.pieces), np.int8), np.zeros(1, np.int32)
        arrays = (cells, ints["up"], ints["left"], ints["list"], start, piece, right, down, check)
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (*arrays, rights, downs, used, deepest)]
        made = library.strict_scan(len(order), bits, ctypes.c_long(nodes), *pointers)
        return int(made), int(deepest[0])

    return run


def numba_kernel(instance: Instance) -> Callable[[int], tuple[int, int]]:
    tables = build_tables(instance, range(instance.grid.cells))

    def run(nodes: int) -> tuple[int, int]:
        descent = Descent(instance, tables)
        made, _ = descent.run(nodes)
        return made, int(descent.control[kernels.BEST_DEPTH])

    return run


def main() -> None:
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    official = official_instance()
    unpinned = Instance("no hints", 16, 16, official.pieces)
    library = c_library()
    for instance in (official, unpinned):
        runs = {"c": c_twin(instance, library), "numba": numba_kernel(instance)}
        seconds: dict[str, list[float]] = {name: [] for name in runs}
        results = {}
        for _ in range(ROUNDS):
            for name, run in runs.items():
                begin = time.process_time()
                results[name] = run(nodes)
                seconds[name].append(time.process_time() - begin)
        assert results["c"] == results["numba"], results
        rates = "  ".join(f"{name} {nodes / median(spent) / 1e6:.1f} M/s" for name, spent in seconds.items())
        ratio = median(c / numba for c, numba in zip(seconds["c"], seconds["numba"], strict=True))
        print(f"{instance.name}: {rates}  ratio {ratio:.2f}  same nodes, deepest {results['c'][1]}")


if __name__ == "__main__":
    main()
