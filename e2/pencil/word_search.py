"""Words hidden in a grid, as exact cover: each word is placed once, each cell has one letter.

A placement is a word, the cell of its first letter and a direction. A word that reads the same backwards has two
placements on the same cells, and both count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from e2.core.cover import CoverProblem
from e2.core.generate import SplitMix64
from e2.core.grid import MAX_SIDE, Grid
from e2.errors import SettingsError
from e2.kernels.cover_tables import laid_out
from e2.search.cover_tree import count_covers
from e2.search.crossing import ANY, block_size, crossed, taken
from e2.search.exact_cover import covers

STEPS = {
    "E": (0, 1),
    "S": (1, 0),
    "W": (0, -1),
    "N": (-1, 0),
    "SE": (1, 1),
    "SW": (1, -1),
    "NW": (-1, -1),
    "NE": (-1, 1),
}
"""Direction -> rows and columns from one letter to the next; the first 2, 4 or all 8 may be used."""

MAX_WORDS = 64
MAX_LETTERS = 1_000_000
"""Of all words in all their places: what the options take in memory."""


@dataclass(frozen=True)
class Placed:
    """A word on the grid: `cells` from its first letter to its last."""

    word: str
    cells: tuple[int, ...]
    direction: str


@dataclass(frozen=True)
class WordSearch:
    """The words to be placed on a grid of `width` x `height` in the first `directions` of STEPS.

    `crossing`, of crossing.CROSSINGS, says what cells they must share.
    """

    words: tuple[str, ...]
    width: int
    height: int
    directions: int = 8
    crossing: str = ANY

    @classmethod
    def checked(
        cls, words: Sequence[str], width: int, height: int, directions: int = 8, crossing: str = ANY
    ) -> WordSearch:
        """The search, its words in capitals; SettingsError for words, sizes or directions that none can have."""
        for name, side in (("rows", height), ("columns", width)):
            if not 1 <= side <= MAX_SIDE:
                raise SettingsError(f"words: {side} {name}; expected 1 to {MAX_SIDE}")
        if directions not in (2, 4, 8):
            raise SettingsError(f"words: {directions} directions; expected 2 (E S), 4 (E S W N) or 8")
        capitals = tuple(checked_word(word, f"word {number}") for number, word in enumerate(words, 1))
        if not 1 <= len(capitals) <= MAX_WORDS:
            raise SettingsError(f"words: {len(capitals)} words; expected 1 to {MAX_WORDS}")
        for number, word in enumerate(capitals, 1):
            if len(word) > max(width, height):
                raise SettingsError(
                    f"words: word {number}, {word[:40]!r}, has {len(word)} letters; expected at most "
                    f"{max(width, height)} on {height} rows and {width} columns"
                )
            if word in capitals[: number - 1]:
                raise SettingsError(f"words: word {number}, {word[:40]!r}, is given twice; expected different words")
        found = cls(capitals, width, height, directions, crossing)
        if found._letters() > MAX_LETTERS:
            raise SettingsError(f"words: {found._letters()} letters in all places; expected at most {MAX_LETTERS}")
        return found

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.width, self.height)

    @cached_property
    def placements(self) -> tuple[Placed, ...]:
        """All placements: by word, then direction, then first cell."""
        steps = list(STEPS.items())[: self.directions]
        return tuple(
            Placed(word, cells, name)
            for word in self.words
            for name, step in steps
            for cell in range(self.grid.cells)
            if (cells := self._cells(cell, step, len(word)))
        )

    def _letters(self) -> int:
        """Letters of all placements."""
        return sum(
            len(word)
            * max(0, self.height - (len(word) - 1) * abs(down))
            * max(0, self.width - (len(word) - 1) * abs(right))
            for word in self.words
            for down, right in list(STEPS.values())[: self.directions]
        )

    def _cells(self, first: int, step: tuple[int, int], length: int) -> tuple[int, ...]:
        """The cells of a word, or none where it would leave the grid."""
        row, column = self.grid.row_column(first)
        last_row, last_column = row + (length - 1) * step[0], column + (length - 1) * step[1]
        if not (0 <= last_row < self.height and 0 <= last_column < self.width):
            return ()
        return tuple(self.grid.cell(row + at * step[0], column + at * step[1]) for at in range(length))

    def problem(self, placements: Sequence[Placed]) -> CoverProblem:
        """Words as primary items, cells as secondary ones with their letter as colour; one option a placement."""
        number = {word: at for at, word in enumerate(self.words)}
        options = tuple(
            (
                (number[placed.word], ""),
                *((len(self.words) + cell, letter) for cell, letter in zip(placed.cells, placed.word, strict=True)),
            )
            for placed in placements
        )
        return CoverProblem(self.words, tuple(self.grid.name(cell) for cell in range(self.grid.cells)), options)

    @property
    def cover(self) -> CoverProblem:
        """The problem of all placements."""
        return self.problem(self.placements)

    def count(self) -> int:
        """In how many ways the words can be placed."""
        return count_covers(self.cover, self.crossing)

    def solution(self, seed: int | None = None) -> tuple[Placed, ...] | None:
        """The first way to place the words, in the order of the words; None if there is none.

        A seed shuffles the order in which placements are tried.
        """
        placements = list(self.placements)
        if seed is not None:
            order = list(range(len(placements)))
            SplitMix64(seed).shuffle(order)
            placements = [placements[at] for at in order]
        problem = self.problem(placements)
        cells = taken(laid_out(problem))
        for block in covers(problem, 1 if self.crossing == ANY else block_size(len(self.words), cells)):
            fits = crossed(block, cells, self.crossing)
            if fits.any():
                chosen = (placements[option] for option in block[fits.argmax()].tolist())
                return tuple(sorted(chosen, key=lambda placed: self.words.index(placed.word)))
        return None


def checked_word(word: str, place: str) -> str:
    """The word in capitals; SettingsError for an empty one or one with anything but letters A to Z."""
    if not word:
        raise SettingsError(f"words: {place} is empty; expected one letter or more")
    for at, letter in enumerate(word, 1):
        if not (letter.isascii() and letter.isalpha()):
            raise SettingsError(f"words: {place}, {word[:40]!r}: letter {at} is {letter!r}; expected A to Z")
    return word.upper()


def lettered(grid: Grid, placed: Sequence[Placed]) -> tuple[str, ...]:
    """The letter of every cell; "" where there is none."""
    letters = [""] * grid.cells
    for word in placed:
        for cell, letter in zip(word.cells, word.word, strict=True):
            letters[cell] = letter
    return tuple(letters)


def filled(letters: Sequence[str], seed: int) -> tuple[str, ...]:
    """`letters` with one of A to Z, by chance, where there is none. The same seed gives the same letters."""
    random = SplitMix64(seed)
    return tuple(letter or chr(ord("A") + random.below(26)) for letter in letters)
