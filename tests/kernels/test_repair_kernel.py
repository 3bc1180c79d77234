"""The repair kernel: a wide beam finds the best filling, and nothing outside the region moves."""

import numpy as np
import pytest
from oracles.best_filling import best_filling

from e2.core.board import Board
from e2.core.generate import SplitMix64, generated
from e2.core.score import score_board
from e2.kernels import repair as kernels
from e2.kernels.repair_tables import beam_arrays, puzzle_arrays, rectangles, region_arrays, ways_table
from e2.search.full_board import completed

EMPTY = -1
LARGER = generated(8, 7, 6, seed=1, framed=True, pins=4).instance


class Bench:
    """A board, and one way to repair it."""

    def __init__(self, instance, codes, width=200, least=2, most=6, seed=1):
        self.instance = instance
        self.board = np.array(codes, np.int64)
        self.puzzle = puzzle_arrays(instance, rectangles(instance.width, instance.height, least, most))
        self.region = region_arrays(self.puzzle)
        self.width = width
        self.beam = beam_arrays(self.puzzle, width, 1.0)
        self.random = np.array([seed], np.uint64)
        self.tally = np.zeros(kernels.TALLY_WIDTH, np.int64)

    def lay_out(self, cells):
        self.region.cells[: len(cells)] = cells
        return kernels.lay_out(self.board, len(cells), self.puzzle, self.region)

    def refill(self, cells):
        """Mismatched seams of the region before and after."""
        lost, odd, slots = self.lay_out(cells)
        arrays = self.puzzle, self.region, self.beam, self.random, self.tally
        return lost, kernels.refill(self.board, len(cells), lost, odd, slots, self.width, 1, *arrays)

    def choose(self):
        count = kernels.choose(self.board, self.puzzle, self.region, self.random)
        return self.region.cells[:count].tolist()

    @property
    def breaks(self):
        board = Board(self.instance.width, self.instance.height, tuple(self.board.tolist()))
        return score_board(board, self.instance.pieces).breaks


def shuffled_board(instance, seed):
    """A full board that keeps the rules and not much else."""
    return completed(instance, [EMPTY] * instance.grid.cells, seed)


def mixed(planted, swaps, seed):
    """The planted board with some of its inner pieces swapped and turned."""
    grid, random = planted.instance.grid, SplitMix64(seed)
    inner = [cell for cell in range(grid.cells) if not grid.is_frame_cell(cell)]
    codes = list(planted.codes)
    for _ in range(swaps):
        one, other = inner[random.below(len(inner))], inner[random.below(len(inner))]
        codes[one], codes[other] = codes[other] ^ random.below(4), codes[one]
    return codes


@pytest.mark.parametrize("seed", range(9))
def test_a_wide_beam_finds_the_best_filling_of_an_inner_region(seed):
    planted = generated(6, 6, 5, seed)
    bench = Bench(planted.instance, mixed(planted, 4, seed), width=20_000)
    cells = [[14, 15, 20, 21], [7, 8, 9, 10], [16, 15, 9, 21]][seed % 3]
    best = best_filling(planted.instance, bench.board.tolist(), cells)
    lost, after = bench.refill(cells)
    assert after == best <= lost


@pytest.mark.parametrize("seed", range(8))
def test_a_wide_beam_finds_the_best_filling_on_the_frame(seed):
    instance = generated(5, 4, 4, seed, pins=1).instance
    bench = Bench(instance, shuffled_board(instance, seed), width=20_000)
    pinned = instance.hints[0].cell
    cells = [cell for cell in ([0, 1, 5, 6, 10, 11], [4, 3, 9, 8], [15, 16, 17, 10, 11])[seed % 3] if cell != pinned]
    lost, after = bench.refill(cells)
    # A frame seam may be mismatched only where one was: then the rule takes nothing away.
    if bench.region.rigid[: len(cells)].any():
        assert after <= lost
    else:
        assert after == best_filling(instance, shuffled_board(instance, seed), cells)


@pytest.mark.parametrize("seed", range(8))
def test_a_trial_changes_the_score_by_what_the_region_gains_and_nothing_outside_it(seed):
    instance = LARGER
    bench = Bench(instance, shuffled_board(instance, seed), width=30, least=4, most=30, seed=seed + 1)
    for _ in range(15):
        breaks, codes = bench.breaks, bench.board.tolist()
        cells = bench.choose()
        lost, after = bench.refill(cells)
        if after == -1:
            assert bench.board.tolist() == codes
            continue
        assert after <= lost
        assert breaks - bench.breaks == lost - after
        changed = {cell for cell, code in enumerate(bench.board.tolist()) if code != codes[cell]}
        assert changed <= set(cells) - set(instance.pinned)
        assert sorted(code >> 2 for code in bench.board.tolist()) == list(range(instance.grid.cells))


@pytest.mark.parametrize("seed", range(10))
def test_half_the_odd_colours_bound_what_any_filling_costs(seed):
    planted = generated(6, 6, 9, seed)
    bench = Bench(planted.instance, mixed(planted, 5, seed))
    cells = [14, 15, 20, 21]
    lost, odd, _ = bench.lay_out(cells)
    bound = int(odd).bit_count() // 2
    assert bound <= best_filling(planted.instance, bench.board.tolist(), cells) <= lost


def test_a_single_mismatch_is_never_mended_alone():
    planted = generated(6, 6, 9, seed=3)
    bench = Bench(planted.instance, mixed(planted, 2, seed=3))
    alone = 0
    for cell in range(35):
        for cells in ([cell], [cell, cell + 1]):
            lost, odd, _ = bench.lay_out(cells)
            if lost == 1:
                alone += 1
                assert int(odd).bit_count() == 2
                assert bench.refill(cells)[1] == 1
    assert alone


def test_a_chosen_region_is_a_rectangle_of_free_cells_around_a_mismatch():
    instance = generated(8, 7, 6, seed=2, pins=6).instance
    bench = Bench(instance, shuffled_board(instance, 2), least=4, most=12)
    mismatched = score_board(Board(8, 7, tuple(bench.board.tolist())), instance.pieces).mismatched
    seams = {(seam.cell, seam.neighbour) for seam in mismatched}
    for _ in range(200):
        cells = bench.choose()
        rows, columns = {cell // 8 for cell in cells}, {cell % 8 for cell in cells}
        hull = {8 * r + c for r in range(min(rows), max(rows) + 1) for c in range(min(columns), max(columns) + 1)}
        assert len(cells) == len(set(cells)) <= 12
        assert hull - set(cells) <= set(instance.pinned)
        assert any(one in cells or other in cells for one, other in seams)


def test_more_unused_sides_than_waiting_ones_leave_more_ways():
    table = ways_table(1.0)
    assert table[0, 0] == 0
    for waiting in range(1, 8):
        column = table[:, waiting].tolist()
        assert column[:60] == sorted(column[:60])
        assert table[waiting - 1, waiting] < table[waiting, waiting]
