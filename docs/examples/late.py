"""Late acceptance: two pieces trade places if the score is then no worse than it was some moves ago.

The rule is from Burke and Bykov (2017). The board is always full and grey always lies on the rim: corners trade with
corners, frame pieces with frame pieces. A move lays two pieces, so it counts two nodes, and the search rests after it.
"""

from functools import cache

import numpy as np

from e2.core.board import Board
from e2.core.quad import BORDER
from e2.errors import SettingsError
from e2.kernels.compile import kernel
from e2.search.parameters import checked_parameters
from e2.search.shuffle import ranks
from e2.search.state import packed, unpacked
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Parameter, never

SCORE, BEST, MOVES = range(3)  # of `numbers`


@kernel
def random_below(word, count):
    """A number below `count`. `word` is the state of a xorshift generator, never 0."""
    x = word[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    word[0] = x
    return np.int64((x >> np.uint64(33)) % np.uint64(count))


@kernel
def matched_at(cell, codes, quads, neighbours):
    """Matched seams of one cell."""
    matched = 0
    for side in range(4):
        there = neighbours[cell, side]
        if there >= 0 and quads[codes[cell], side] == quads[codes[there], (side + 2) % 4]:
            matched += 1
    return matched


@kernel
def are_neighbours(here, there, neighbours):
    """Whether two cells lie side by side."""
    beside = False
    for side in range(4):
        beside |= neighbours[here, side] == there
    return beside


@kernel
def improve(moves, codes, best, past, word, numbers, cells, first, last, quads, neighbours, turns):
    """Try `moves` moves. `cells[first[i]:last[i]]` are those of the kind of `cells[i]`; `turns` is -1 where any is."""
    for _ in range(moves):
        i = random_below(word, len(cells))
        here, there = cells[i], cells[first[i] + random_below(word, last[i] - first[i])]
        old_here, old_there = codes[here], codes[there]
        turn_here, turn_there = turns[here, old_there >> 2], turns[there, old_here >> 2]
        new_here = (old_there & ~3) + (turn_here if turn_here >= 0 else random_below(word, 4))
        new_there = (old_here & ~3) + (turn_there if turn_there >= 0 else random_below(word, 4))
        score = numbers[SCORE]
        late = past[numbers[MOVES] % len(past)]
        past[numbers[MOVES] % len(past)] = max(score, late)
        numbers[MOVES] += 1
        # Neighbours are left alone: the seam between them would count twice.
        if here == there or are_neighbours(here, there, neighbours):
            continue
        score -= matched_at(here, codes, quads, neighbours) + matched_at(there, codes, quads, neighbours)
        codes[here], codes[there] = new_here, new_there
        score += matched_at(here, codes, quads, neighbours) + matched_at(there, codes, quads, neighbours)
        if score < numbers[SCORE] and score < late:
            codes[here], codes[there] = old_here, old_there
            continue
        numbers[SCORE] = score
        if score > numbers[BEST]:
            numbers[BEST] = score
            for cell in range(len(codes)):
                best[cell] = codes[cell]


@cache
def turn(grey, rim):
    """The turn that lays the grey sides on the rim; -1 for a piece that may lie in any, or is of another kind."""
    for rot in range(4) if grey else ():
        if set(rim) == {(side + rot) % 4 for side in grey}:
            return rot
    return -1


class Late:
    name = "late"
    summary = "late acceptance: pieces trade places, and a loss is allowed for a while"
    parameters = (Parameter("memory", 1000, "moves after which a score counts no more", least=1),)
    default_nodes = 200_000_000
    patience = 0.0

    def prepare(self, instance, parameters, seed):
        if min(instance.width, instance.height) < 2:
            raise SettingsError(f"late: {instance.width}x{instance.height}; expected two rows and columns or more")
        return LateSearch(instance, checked_parameters(self.name, self.parameters, parameters)["memory"], seed)


class LateSearch:
    def __init__(self, instance, memory, seed):
        self.instance = instance
        grid, pieces = instance.grid, instance.pieces
        self.quads = np.array([pieces.placed(code >> 2, code & 3) for code in range(4 * len(pieces))], np.int64)
        across = [[grid.neighbour(cell, side) for side in range(4)] for cell in range(grid.cells)]
        self.neighbours = np.array([[-1 if cell is None else cell for cell in row] for row in across], np.int64)
        grey = [tuple(side for side in range(4) if quad[side] == BORDER) for quad in pieces.quads]
        rims = [grid.rim_sides(cell) for cell in range(grid.cells)]
        self.turns = np.array([[turn(sides, rim) for sides in grey] for rim in rims], np.int64)
        # Cells and pieces that are not pinned, by kind; pieces of a kind in a seeded order, one for each cell.
        kind_of = [len(rim) for rim in rims]
        pinned = {hint.piece for hint in instance.hints}
        cells = sorted(set(range(grid.cells)) - set(instance.pinned), key=lambda cell: kind_of[cell])
        rank = ranks(seed, 0, len(pieces))
        free = sorted(set(range(len(pieces))) - pinned, key=lambda piece: (pieces.kind(piece), rank[piece]))
        kinds = np.array([kind_of[cell] for cell in cells], np.int64)
        self.cells = np.array(cells, np.int64)
        self.first, self.last = np.searchsorted(kinds, kinds), np.searchsorted(kinds, kinds, side="right")
        codes = np.zeros(grid.cells, np.int64)
        for hint in instance.hints:
            codes[hint.cell] = 4 * hint.piece + hint.rot
        for cell, piece in zip(cells, free, strict=True):
            codes[cell] = 4 * piece + max(self.turns[cell, piece], 0)
        score = sum(matched_at(cell, codes, self.quads, self.neighbours) for cell in range(grid.cells)) // 2
        self.arrays = {
            "codes": codes,
            "best": codes.copy(),
            "past": np.full(memory, score),
            "word": ranks(seed, 1, 1) | np.uint64(1),
            "numbers": np.array([score, score, 0], np.int64),
        }

    def step(self, nodes, stopping=never):
        moves = (nodes + 1) // 2 if len(self.cells) else 0
        improve(
            moves, *self.arrays.values(), self.cells, self.first, self.last, self.quads, self.neighbours, self.turns
        )
        best = Board(self.instance.width, self.instance.height, tuple(self.arrays["best"].tolist()))
        stats = SearchStats(2 * moves, max_depth=len(self.cells))
        return Bite(stats, best, int(self.arrays["numbers"][BEST]), finished=not len(self.cells))

    def state(self):
        return packed(self.arrays)

    def restore(self, state):
        self.arrays = unpacked(state, self.arrays)
