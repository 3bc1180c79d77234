"""Print the per-cell C twin of a puzzle, to read or to compile by hand: python scripts/baseline/per_cell.py PUZZLE."""

import sys

from e2.bench.per_cell import per_cell_source
from e2.store.inputs import the_puzzle

if __name__ == "__main__":
    puzzle = the_puzzle(sys.argv[1])
    print(per_cell_source(puzzle, range(puzzle.grid.cells)), end="")
