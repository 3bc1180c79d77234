"""Word rectangles, as exact cover: each row and each column is one word, each cell has one letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from e2.core.cover import CoverProblem
from e2.core.grid import MAX_SIDE, Grid
from e2.errors import SettingsError
from e2.search.cover_tree import count_covers
from e2.search.exact_cover import covers

MAX_LETTERS = 4_000_000
"""Of all words in all their rows and columns: what the options take in memory."""


@dataclass(frozen=True)
class WordRectangle:
    """`across` are words for the rows, `down` words for the columns; a word may be used in several."""

    across: tuple[str, ...]
    down: tuple[str, ...]
    width: int
    height: int

    @classmethod
    def of(cls, across: Sequence[str], down: Sequence[str], width: int, height: int) -> WordRectangle:
        """The rectangle with those of the words, in capitals, that are as long as a row or a column, each once.

        SettingsError for a size that no grid has, lists without such a word, and lists that are too long.
        """
        for name, side in (("rows", height), ("columns", width)):
            if not 1 <= side <= MAX_SIDE:
                raise SettingsError(f"rectangle: {side} {name}; expected 1 to {MAX_SIDE}")
        lists = []
        for name, words, length in (("rows", across, width), ("columns", down, height)):
            fitting = tuple(dict.fromkeys(word.upper() for word in words if len(word) == length))
            if not fitting:
                raise SettingsError(
                    f"rectangle: none of the {len(words)} words for the {name} has {length} letters; expected one"
                )
            lists.append(fitting)
        letters = width * height * (len(lists[0]) + len(lists[1]))
        if letters > MAX_LETTERS:
            raise SettingsError(f"rectangle: {letters} letters in all places; expected at most {MAX_LETTERS}")
        return cls(lists[0], lists[1], width, height)

    @cached_property
    def cover(self) -> CoverProblem:
        """Rows and columns as primary items, cells as secondary ones with their letter as colour."""
        grid = Grid(self.width, self.height)
        rows = [[grid.cell(row, column) for column in range(self.width)] for row in range(self.height)]
        lines = [*rows, *(list(column) for column in zip(*rows, strict=True))]
        options = tuple(
            ((line, ""), *((len(lines) + cell, letter) for cell, letter in zip(cells, word, strict=True)))
            for line, cells in enumerate(lines)
            for word in (self.across if line < self.height else self.down)
        )
        names = [f"row{row + 1}" for row in range(self.height)] + [f"column{at + 1}" for at in range(self.width)]
        return CoverProblem(tuple(names), tuple(grid.name(cell) for cell in range(grid.cells)), options)

    def count(self) -> int:
        """How many rectangles there are."""
        return count_covers(self.cover)

    def solutions(self) -> Iterator[tuple[str, ...]]:
        """All rectangles, each as its rows from the top."""
        problem = self.cover
        for block in covers(problem, 64):
            for row in block.tolist():
                chosen = {problem.options[option][0][0]: problem.options[option][1:] for option in row if option >= 0}
                yield tuple("".join(letter for _, letter in chosen[line]) for line in range(self.height))
