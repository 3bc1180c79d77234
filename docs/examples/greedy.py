"""Fill the board cell by cell with the piece that matches most sides, ties by chance; then begin the next board."""

import json
import random

from e2.core.board import EMPTY, Board
from e2.core.quad import BORDER, opposite
from e2.core.score import score_board
from e2.search.parameters import checked_parameters
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Parameter, never


class Greedy:
    name = "greedy"
    summary = "cell by cell, the piece that matches most sides"
    parameters = (Parameter("tries", 200, "placements to choose from on each cell", least=1),)
    default_nodes = 50_000
    patience = 0.0

    def prepare(self, instance, parameters, seed):
        return GreedySearch(instance, checked_parameters(self.name, self.parameters, parameters)["tries"], seed)


class GreedySearch:
    """Rests after every board, and a board follows from the seed and its number: that is all the state there is."""

    def __init__(self, instance, tries, seed):
        self.instance, self.tries, self.seed = instance, tries, seed
        quads = [instance.pieces.placed(code >> 2, code & 3) for code in range(4 * len(instance.pieces))]
        self.ways = [(code, quad, grey_sides(quad)) for code, quad in enumerate(quads)]
        self.boards, self.best, self.best_score, self.finished = 0, None, 0, False

    def step(self, nodes, stopping=never):
        made = boards = deepest = 0
        while made < nodes and not self.finished:
            codes, laid = self.filled(random.Random(f"{self.seed}/{self.boards}"))
            board = Board(self.instance.width, self.instance.height, tuple(codes))
            score = score_board(board, self.instance.pieces).matched
            if self.best is None or score > self.best_score:
                self.best, self.best_score = board, score
            self.boards, self.finished = self.boards + 1, laid == 0
            made, boards, deepest = made + laid, boards + 1, max(deepest, laid)
        return Bite(SearchStats(made, restarts=boards, max_depth=deepest), self.best, self.best_score, self.finished)

    def filled(self, chance):
        """The codes of a board, and how many pieces were laid: the pins were there."""
        grid, pinned = self.instance.grid, self.instance.pinned
        codes, quads, laid = [EMPTY] * grid.cells, [None] * grid.cells, 0
        free = chance.sample(self.ways, len(self.ways))
        for cell in [*pinned, *(cell for cell in range(grid.cells) if cell not in pinned)]:
            if cell in pinned:
                code, quad, _ = self.ways[4 * pinned[cell].piece + pinned[cell].rot]
            else:
                rim = grid.rim_sides(cell)
                fits = [way for way in free if way[2] == rim][: self.tries]
                around = [(side, grid.neighbour(cell, side)) for side in range(4) if side not in rim]
                asked = [(side, quads[there][opposite(side)]) for side, there in around if quads[there]]
                code, quad, _ = max(fits, key=lambda way: sum(way[1][side] == colour for side, colour in asked))
                laid += 1
            codes[cell], quads[cell] = code, quad
            free = [way for way in free if way[0] >> 2 != code >> 2]
        return codes, laid

    def state(self):
        return json.dumps([self.boards, self.best and self.best.codes, self.best_score, self.finished]).encode()

    def restore(self, state):
        self.boards, codes, self.best_score, self.finished = json.loads(state)
        self.best = codes and Board(self.instance.width, self.instance.height, tuple(codes))


def grey_sides(quad):
    return tuple(side for side in range(4) if quad[side] == BORDER)
