"""What the tests of strict and of cover units share."""

import random

from e2.core.generate import generated
from e2.core.instance import Hint, Instance
from e2.search.units import added


def searched(tree, seed=0, bite=10**9, ceiling=0, gives=0.0):
    """Search a tree unit by unit in a random order: nodes by depth, solutions, boards, paths of all units."""
    search, chance = tree.search(), random.Random(seed)
    todo, paths, boards = [((), None)], [()], []
    nodes, solutions = (0,) * search.depths, 0
    while todo:
        path, place = todo.pop(chance.randrange(len(todo)))
        search.open(path, place, ceiling if len(path) < ceiling else None)
        parts = [search.run(bite, boards=10**9)]
        if not search.finished and chance.random() < gives:
            parts.append(search.give())
        for part in parts:
            nodes, solutions = added(nodes, part.nodes), solutions + part.solutions
            boards += part.boards
            todo += [(given, None) for given in part.given]
            paths += part.given
        if not search.finished:
            todo.append((path, search.place()))
    return nodes, solutions, sorted(boards), paths


def clashing():
    """A puzzle with two hints side by side that show different colours."""
    instance = generated(4, 4, 5, seed=1).instance
    shown = instance.pieces.placed
    inner = [p for p in range(16) if 0 not in instance.pieces.quads[p]]
    one, other = next((a, b) for a in inner for b in inner if a != b and shown(a, 0)[1] != shown(b, 0)[3])
    return Instance("pinned", 4, 4, instance.pieces, (Hint(5, one, 0), Hint(6, other, 0)))
