"""All loops of a small board by definition: every set of cells is tried, and its lines are followed with a finger."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

Line = tuple[tuple[int, int], tuple[int, int]]


def all_loops(rows: int, columns: int) -> Iterator[tuple[frozenset[tuple[int, int]], set[Line]]]:
    """The cells inside, and the lines (two vertices each, row and column), of every loop on the board."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    for number in range(1, 1 << len(cells)):
        inside = {cell for place, cell in enumerate(cells) if number >> place & 1}
        lines = set()
        for row, column in inside:
            for neighbour, line in sides(row, column):
                if neighbour not in inside:
                    lines.add(line)
        if is_one_loop(lines):
            yield frozenset(inside), lines


def sides(row: int, column: int) -> list[tuple[tuple[int, int], Line]]:
    """The neighbours of a cell, each with the line between."""
    return [
        ((row - 1, column), ((row, column), (row, column + 1))),
        ((row + 1, column), ((row + 1, column), (row + 1, column + 1))),
        ((row, column - 1), ((row, column), (row + 1, column))),
        ((row, column + 1), ((row, column + 1), (row + 1, column + 1))),
    ]


def is_one_loop(lines: set[Line]) -> bool:
    joined = defaultdict(list)
    for first, second in lines:
        joined[first].append(second)
        joined[second].append(first)
    if not lines or any(len(others) != 2 for others in joined.values()):
        return False
    start = min(joined)
    before, at, steps = start, joined[start][0], 1
    while at != start:
        one, other = joined[at]
        before, at = at, other if one == before else one
        steps += 1
    return steps == len(lines)


def counts_of(rows: int, columns: int, lines: set[Line]) -> tuple[int, ...]:
    """How many of the lines lie at each cell, row-major."""
    return tuple(
        sum(line in lines for _, line in sides(row, column)) for row in range(rows) for column in range(columns)
    )


def loops_by_counts(rows: int, columns: int) -> Counter[tuple[int, ...]]:
    """How many loops have these numbers at the cells."""
    return Counter(counts_of(rows, columns, lines) for _, lines in all_loops(rows, columns))
