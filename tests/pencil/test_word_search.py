"""Words on a grid and word rectangles: exact counts, what is created, what is refused."""

from itertools import product

import pytest

from e2.core.grid import Grid
from e2.errors import SettingsError
from e2.pencil import word_search
from e2.pencil.word_rectangle import WordRectangle
from e2.pencil.word_search import STEPS, WordSearch, filled, lettered
from e2.search.crossing import ANY, CONNECTED, EACH, SOME

MATHEMATICIANS = ("ABEL", "CANTOR", "GAUSS", "EULER")


@pytest.mark.parametrize(
    ("words", "size", "directions", "crossing", "solutions"),
    [
        (MATHEMATICIANS, 6, 8, ANY, 244_792),
        (MATHEMATICIANS, 6, 4, ANY, 197_256),
        (MATHEMATICIANS, 6, 8, SOME, 43_448),
        (MATHEMATICIANS, 6, 4, SOME, 18_184),
        (MATHEMATICIANS, 6, 8, EACH, 1_160),
        (MATHEMATICIANS, 6, 8, CONNECTED, 392),
        (("ABEL", "LAND"), 4, 2, ANY, 28),
        (("ABEL", "LAND"), 4, 4, ANY, 112),
        (("ABEL", "LAND"), 4, 8, ANY, 136),
        (("ABEL", "LAND"), 4, 2, SOME, 4),
        (("ABEL", "LAND"), 4, 4, SOME, 16),
        (("ABEL", "LAND"), 4, 8, CONNECTED, 32),
    ],
)
def test_the_published_counts(words, size, directions, crossing, solutions):
    assert WordSearch.checked(words, size, size, directions, crossing).count() == solutions


def test_each_word_has_as_many_placements_as_fit():
    placements = WordSearch.checked(MATHEMATICIANS, 6, 6).placements
    assert [sum(placed.word == word for placed in placements) for word in MATHEMATICIANS] == [108, 28, 64, 64]


def slow_count(words, width, height, directions, crossing):
    """Try every way to place every word."""
    steps = list(STEPS.values())[:directions]
    places = []
    for word in words:
        ways = []
        for row, column, (down, right) in product(range(height), range(width), steps):
            cells = [(row + at * down, column + at * right) for at in range(len(word))]
            if all(0 <= y < height and 0 <= x < width for y, x in cells):
                ways.append(dict(zip(cells, word, strict=True)))
        places.append(ways)
    count = 0
    for chosen in product(*places):
        letters = {}
        if any(letters.setdefault(cell, letter) != letter for way in chosen for cell, letter in way.items()):
            continue
        meet = [{b for b, other in enumerate(chosen) if b != a and way.keys() & other} for a, way in enumerate(chosen)]
        reached = {0}
        for _ in words:
            reached |= {b for a in reached for b in meet[a]}
        fits = {ANY: True, SOME: any(meet), EACH: all(meet), CONNECTED: len(reached) == len(words)}
        count += fits[crossing]
    return count


@pytest.mark.parametrize("crossing", [ANY, SOME, EACH, CONNECTED])
@pytest.mark.parametrize(
    ("words", "width", "height"), [(("CAT", "TO", "ATE"), 3, 3), (("OTTO", "TOO"), 5, 2), (("A", "AB", "BA"), 2, 2)]
)
def test_counts_are_those_of_trying_everything(words, width, height, crossing):
    for directions in (2, 4, 8):
        if crossing == ANY or directions == 8:
            found = WordSearch.checked(words, width, height, directions, crossing).count()
            assert found == slow_count(words, width, height, directions, crossing)


@pytest.mark.parametrize("crossing", [ANY, SOME, EACH, CONNECTED])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_a_created_grid_has_every_word_where_it_says(seed, crossing):
    search = WordSearch.checked(("abel", "cantor", "gauss", "euler"), 7, 6, 8, crossing)
    placed = search.solution(seed)
    assert [word.word for word in placed] == list(MATHEMATICIANS)
    letters = lettered(search.grid, placed)
    for word in placed:
        assert "".join(letters[cell] for cell in word.cells) == word.word
        row, column = search.grid.row_column(word.cells[0])
        down, right = STEPS[word.direction]
        assert word.cells == tuple(
            search.grid.cell(row + at * down, column + at * right) for at in range(len(word.word))
        )
    shared = sum(len(word.word) for word in placed) - sum(map(bool, letters))
    assert shared >= {ANY: 0, SOME: 1, EACH: 2, CONNECTED: 3}[crossing]


def test_seeds_give_different_grids_and_the_same_one_the_same():
    search = WordSearch.checked(MATHEMATICIANS, 8, 8)
    assert search.solution(3) == search.solution(3)
    assert len({search.solution(seed) for seed in range(5)}) == 5


def test_filler_leaves_the_words_and_fills_the_rest():
    letters = lettered(Grid(3, 1), WordSearch.checked(("NO",), 3, 1, 2).solution())
    assert letters == ("N", "O", "")
    assert filled(letters, 1) == filled(letters, 1)
    assert filled(letters, 1)[:2] == ("N", "O")
    assert {filled(letters, seed)[2] for seed in range(500)} == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def test_words_that_have_no_place_together_have_no_solution():
    search = WordSearch.checked(("AB", "CD"), 2, 1, 4)
    assert (search.count(), search.solution()) == (0, None)


@pytest.mark.parametrize(
    ("words", "width", "height", "directions", "message"),
    [
        (("ABC",), 2, 2, 8, "words: word 1, 'ABC', has 3 letters; expected at most 2 on 2 rows and 2 columns"),
        (("AB", ""), 2, 2, 8, "words: word 2 is empty; expected one letter or more"),
        (("A1",), 2, 2, 8, "words: word 1, 'A1': letter 2 is '1'; expected A to Z"),
        (("ÉT",), 2, 2, 8, "words: word 1, 'ÉT': letter 1 is 'É'; expected A to Z"),
        (("AB", "ab"), 2, 2, 8, "words: word 2, 'AB', is given twice; expected different words"),
        ((), 2, 2, 8, "words: 0 words; expected 1 to 64"),
        (("AB",), 65, 2, 8, "words: 65 columns; expected 1 to 64"),
        (("AB",), 2, 0, 8, "words: 0 rows; expected 1 to 64"),
        (("AB",), 2, 2, 3, "words: 3 directions; expected 2 (E S), 4 (E S W N) or 8"),
        (
            tuple("A" * length for length in range(1, 61)),
            64,
            64,
            8,
            f"words: {word_search.WordSearch(tuple('A' * n for n in range(1, 61)), 64, 64)._letters()} letters in all "
            "places; expected at most 1000000",
        ),
    ],
)
def test_what_cannot_be_placed_is_named(words, width, height, directions, message):
    with pytest.raises(SettingsError) as caught:
        WordSearch.checked(words, width, height, directions)
    assert str(caught.value) == message


def test_letters_in_all_places_are_as_many_as_the_placements_have():
    search = WordSearch.checked(MATHEMATICIANS, 9, 6)
    assert search._letters() == sum(len(placed.word) for placed in search.placements)


ROWS, COLUMNS = ("CAT", "DOG", "EEL"), ("CDE", "AOE", "TGL")


def test_the_rectangles_of_the_text():
    apart = WordRectangle.of(ROWS, COLUMNS, 3, 3)
    assert (apart.count(), list(apart.solutions())) == (1, [ROWS])
    together = WordRectangle.of(ROWS + COLUMNS, ROWS + COLUMNS, 3, 3)
    assert (together.count(), set(together.solutions())) == (2, {ROWS, COLUMNS})


def test_rectangles_are_those_of_trying_everything():
    across, down = ("ABA", "BAB", "AAB", "ABB"), ("AB", "BA", "BB", "AA")
    found = list(WordRectangle.of(across, down, 3, 2).solutions())
    expected = {
        rows for rows in product(across, repeat=2) if all("".join(column) in down for column in zip(*rows, strict=True))
    }
    assert set(found) == expected
    assert len(found) == len(expected) > 4


@pytest.mark.parametrize(
    ("across", "down", "width", "height", "message"),
    [
        (("CATS",), ("CDE",), 3, 3, "rectangle: none of the 1 words for the rows has 3 letters; expected one"),
        (("CAT",), (), 3, 3, "rectangle: none of the 0 words for the columns has 3 letters; expected one"),
        (("CAT",), ("CDE",), 3, 65, "rectangle: 65 rows; expected 1 to 64"),
        (("CAT",), ("CDE",), 0, 3, "rectangle: 0 columns; expected 1 to 64"),
        (
            tuple("".join(letters) for letters in product("ABCDEFGHIJ", repeat=6)),
            ("AAAAAA",),
            6,
            6,
            "rectangle: 36000036 letters in all places; expected at most 4000000",
        ),
    ],
    ids=["no row", "no column", "rows", "columns", "letters"],
)
def test_a_rectangle_that_cannot_be_is_named(across, down, width, height, message):
    with pytest.raises(SettingsError) as caught:
        WordRectangle.of(across, down, width, height)
    assert str(caught.value) == message
