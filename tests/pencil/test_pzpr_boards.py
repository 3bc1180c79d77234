"""Boards of every kind of puzzle come back from their links; what a link cannot hold is refused."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from e2.errors import FormatError
from e2.pencil.pzpr import PUZZLES
from e2.pencil.pzpr.board import BLANK, MARK, MOST_SIDE, UNKNOWN, PencilBoard
from e2.pencil.pzpr.decode import blank_board, decode, encode, puzzle_named
from e2.pencil.pzpr.document import board_of_record, variant_of_record
from e2.pencil.pzpr.link import MOST_TEXT
from e2.pencil.pzpr.parts import FOUR_CELLS, NUMBERED_ROOMS, SIXTEEN_CELLS, TEN_CELLS
from e2.pencil.pzpr.primitives import BINARY, CIRCLE, FOUR, NUMBER_10_OR_16, NUMBER_16, ONE, Body
from e2.pencil.pzpr.puzzle import Puzzle
from e2.pencil.pzpr.tokens import read_grid

UP_TO = {FOUR_CELLS: 4, TEN_CELLS: 9, SIXTEEN_CELLS: 1126351, NUMBERED_ROOMS: 1126351}


def numbers(most: int, *others: int) -> st.SearchStrategy[int]:
    """A number, half of them small, or one of the others; mostly nothing."""
    return st.one_of(
        *[st.just(BLANK)] * 3, st.sampled_from((BLANK, *others)), st.integers(0, min(most, 20)), st.integers(0, most)
    )


@st.composite
def boards(draw: st.DrawFn) -> tuple[Puzzle, PencilBoard]:
    """A puzzle of any kind and a board that it can have."""
    puzzle = draw(st.sampled_from(PUZZLES))
    board = blank_board(puzzle, draw(st.integers(1, 9)), draw(st.integers(1, 9)))
    bits = st.integers(0, 1)

    def listed(values: st.SearchStrategy[int], count: int) -> tuple[int, ...]:
        return tuple(draw(st.lists(values, min_size=count, max_size=count)))

    board = replace(
        board,
        upright=listed(bits, len(board.upright)),
        level=listed(bits, len(board.level)),
        crosses=listed(numbers(4, UNKNOWN), len(board.crosses)),
        outside=listed(numbers(255, UNKNOWN), len(board.outside)),
    )
    count = len(board.cells)
    if puzzle.pid == "mashu":
        return puzzle, replace(board, cells=listed(st.sampled_from((BLANK, 1, 2)), count))
    if puzzle.pid == "tents":
        return puzzle, replace(board, cells=listed(st.sampled_from((BLANK, 1)), count))
    if puzzle.pid == "yajilin":
        cells = listed(numbers(4095, UNKNOWN, MARK), count)
        given = [draw(st.integers(0, 4)) if cell not in (BLANK, MARK) else 0 for cell in cells]
        return puzzle, replace(board, cells=cells, directions=tuple(given))
    if puzzle.parts == NUMBERED_ROOMS:
        room_cells = list(board.cells)
        for room in board.rooms:
            room_cells[board.number_cell(room)] = draw(numbers(1126351, UNKNOWN))
        return puzzle, replace(board, cells=tuple(room_cells))
    if "cells" not in puzzle.file:
        return puzzle, board
    return puzzle, replace(board, cells=listed(numbers(UP_TO.get(puzzle.parts, 300), UNKNOWN), count))


@settings(max_examples=200, deadline=None)
@given(boards(), st.data())
def test_a_board_comes_back_from_its_link(made: tuple[Puzzle, PencilBoard], data: st.DataObject) -> None:
    puzzle, board = made
    letters = [letter for letter, _ in puzzle.flags if data.draw(st.booleans())]
    link = encode(puzzle, board, flags="".join(letters))
    decoded = decode(link, strict=True)
    assert decoded.puzzle is puzzle
    assert decoded.board == board
    assert decoded.flags == "".join(letters)
    assert decoded.canonical == link


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([name for puzzle in PUZZLES for name in puzzle.names]),
    st.integers(1, 6),
    st.integers(1, 6),
    st.text(max_size=40) | st.text("0123456789abcdefghijklmnopqrstuvwxyz.-+=@%*$", max_size=40),
)
def test_any_text_is_read_and_then_written_stably(name: str, cols: int, rows: int, body: str) -> None:
    decoded = decode(f"p?{name}/{cols}/{rows}/{body}")
    assert len(decoded.board.cells) == cols * rows
    if decoded.canonical is not None:
        again = decode(decoded.canonical, strict=True)
        assert again.canonical == decoded.canonical


def test_the_only_numbers_that_are_read_and_not_written_say_so() -> None:
    # @fff is 12287, and * begins at 12240: only the last prefix leads beyond what can be written again.
    assert decode("nurikabe/1/1/@fff").canonical == "http://pzv.jp/p.html?nurikabe/1/1/*002f"
    decoded = decode("http://www.kanpen.net/nurikabe.html?problem=1/1/1126352_/")
    assert decoded.board.cells == (1126352,)
    assert decoded.canonical is None
    assert decoded.warnings == ("cannot be written as a link: 1126352 cannot be written in Number16 (at cell 0)",)


def test_a_number_that_pzprjs_could_not_read_back_is_refused() -> None:
    board = replace(PencilBoard.blank(2, 1), cells=(BLANK, 1126352))
    with pytest.raises(FormatError, match=r"1126352 cannot be written in Number16 \(at cell 1\)"):
        encode(puzzle_named("nurikabe"), board)
    tents = replace(blank_board(puzzle_named("tents"), 1, 1), outside=(256, BLANK))
    with pytest.raises(FormatError, match=r"256 cannot be written in Number16 outside the board \(at line 0\)"):
        encode(puzzle_named("tents"), tents)


@pytest.mark.parametrize(
    ("name", "cells", "place"),
    [("slither", (5, -1), "cell 0"), ("yajilin", (-1, 4096), "cell 1"), ("mashu", (1, 3), "cell 1")],
)
def test_a_value_out_of_range_is_named_with_its_cell(name: str, cells: tuple[int, ...], place: str) -> None:
    puzzle = puzzle_named(name)
    with pytest.raises(FormatError) as caught:
        encode(puzzle, replace(blank_board(puzzle, 2, 1), cells=cells))
    assert caught.value.place == place


def test_a_second_number_in_a_room_is_refused() -> None:
    puzzle = puzzle_named("heyawake")
    board = replace(blank_board(puzzle, 2, 1), cells=(1, 2))
    with pytest.raises(FormatError, match="second number in a room") as caught:
        encode(puzzle, board)
    assert caught.value.place == "cell 1"


def test_the_number_of_a_room_lies_in_its_leftmost_cell() -> None:
    # The room of cells 1, 2 and 3 begins at cell 1; its leftmost cell is 2.
    decoded = decode("heyawake/2/2/0g", strict=False)
    assert decoded.board.rooms == ((0, 1, 2, 3),)
    board = replace(blank_board(puzzle_named("heyawake"), 2, 2), upright=(1, 0), level=(1, 0))
    assert board.rooms == ((0,), (1, 2, 3))
    assert board.number_cell(board.rooms[1]) == 2


# The place and the message of each thing that a strict reader refuses.
STRICT = [
    ("slither/3/3/8cj8888", "character 4 of the body", "'8888' is left over"),
    ("slither/3/3/8ck", "character 3 of the body", "a run of 5 goes past the last cell"),
    ("slither/3/3/4", "character 2 of the body", "the text ends at cell 1 of 9"),
    ("slither/3/3/!cj", "character 1 of the body", "'!' is nothing in 4Cell"),
    ("slither", "columns", "no size, read as 10x10"),
    ("slither/5e0/5/zk", "columns", "'5e0' for columns"),
    ("slither/x/5/5/zk", "pflag", "'x' means nothing for slither"),
    ("nurikabe/3/3/-1gn", "character 1 of the body", "'1g' is not 2 hex digits"),
    ("mashu/3/3/zzz", "character 1 of the body", "'z' is nothing in Circle"),
    ("mashu/1/1/3", "character 1 of the body", "a value after the last place"),
    ("lits/3/3/00", "character 3 of the body", "the text ends before 6 values"),
    ("lits/d/2/2/aab", "character 4 of the body", "the text ends at cell 3 of 4"),
    ("yajilin/2/1/19", "character 3 of the body", "the text ends at cell 1 of 2"),
    ("yajilin/1/1/1z", "character 1 of the body", "'z' is not 1 hex digits"),
    ("yajilin/1/1/-9fff", "character 1 of the body", "'9' is no direction"),
    ("heyawake/2/2/oo123", "character 6 of the body", "the text ends at room 3 of 4"),
    ("www.kanpen.net/masyu.html?problem=2/2/1_2_/._/", "token 4", "tokens missing at the end: 1"),
    ("www.kanpen.net/masyu.html?problem=2/1/1_2_/._/", "token 3", "'.' is left over"),
    ("www.kanpen.net/nurikabe.html?problem=2/1/1_x_/", "token 2", "'x' is no cell"),
    ("pzprv3/nurikabe/2/2/1 2 /. /", "token 4", "tokens missing at the end: 1"),
]


@pytest.mark.parametrize(("link", "place", "message"), STRICT, ids=[link for link, _, _ in STRICT])
def test_strict_names_the_place_and_lenient_goes_on_with_a_warning(link: str, place: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        decode(link, strict=True)
    assert (caught.value.place, caught.value.message) == (place, message)
    assert caught.value.expected
    assert f"{message} (at {place})" in decode(link).warnings


@pytest.mark.parametrize(
    "size", ["257/1", "1/257", "100000/100000", "1e9/1e9", "1e400/3", "-5/5", "5/-5", "5.5/5", "5/0", "5/x", "5"]
)
@pytest.mark.parametrize("start", ["slither/", "p?heyawake/", "http://www.kanpen.net/slitherlink.html?pzpr=f/"])
def test_a_size_that_no_board_has_is_refused_before_anything_is_made(start: str, size: str) -> None:
    with pytest.raises(FormatError) as caught:
        decode(f"{start}{size}/")
    assert caught.value.place in ("columns", "rows")


def test_a_text_that_is_all_faults_is_read_in_time() -> None:
    started = time.monotonic()
    decoded = decode("nurikabe/3/3/" + "A" * 1_000_000)
    assert len(decoded.warnings) == 100
    assert len(decode("slither/" + "".join(map(chr, range(0x4E00, 0x9E00))) + "/3/3/8cj").warnings) == 100
    assert decode("http://www.kanpen.net/nurikabe.html?problem=3/3/" + "A_" * 400_000).board.cells == (-1,) * 9
    with pytest.raises(FormatError):
        decode("http://www.kanpen.net/" + "a" * 1_000_000)
    rooms = decode("http://www.geocities.jp/heyawake/?problem=256x256/" + "1x1/" * 65_536).board.rooms
    assert len(rooms) == 65_536
    with pytest.raises(FormatError, match=r"a second room at A1 \(at room 1\)"):
        decode("http://www.kanpen.net/heyawake.html?problem=256/256/3000/" + "0_0_255_255_1/" * 3000)
    assert time.monotonic() - started < 20


def test_the_largest_board_is_read() -> None:
    assert len(decode(f"slither/{MOST_SIDE}/{MOST_SIDE}/").board.cells) == MOST_SIDE**2


@pytest.mark.parametrize(
    "text",
    [
        "x" * (MOST_TEXT + 1),
        "pzprv3/slither",
        "pzprv3/slither/1000000/1000000/",
        "pzprv3/yajilin-regions/2/2/999999999/",
        "http://www.kanpen.net/heyawake.html?problem=2/2/1/0_0_5_5_/",
        "http://www.kanpen.net/heyawake.html?problem=2/2/1/1_0_0_0_/",
        "http://www.kanpen.net/heyawake.html?problem=2/2/x/",
        "http://www.kanpen.net/lits.html?problem=2/2/9/0_0_0_0_/",
        "http://www.kanpen.net/cave.html?problem=2/2/1_._._._/",
        "http://www.geocities.jp/heyawake/?problem=2x2/3x1/",
        "http://www.geocities.jp/heyawake/?problem=2x2/1inx/",
        "http://www.geocities.jp/heyawake/?problem=2x2/0x0/",
        "https://puzz.link/p?sudoku/9/9/",
        "Slither/5/5/zk",
        "constructor/5/5/",
        "<script>/3/3/",
    ],
)
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        decode(text)
    assert caught.value.expected
    assert len(str(caught.value)) < 500


def test_tents_have_numbers_outside() -> None:
    link = "http://pzv.jp/p.html?tents/3/2/1g2.0i03"
    decoded = decode(link, strict=True)
    assert decoded.board.outside == (1, -1, 2, -2, 0)
    assert decoded.board.cells == (-1, 1, 1, -1, -1, -1)
    assert decoded.canonical == link


@pytest.mark.parametrize("pid", ["gokigen", "creek"])
def test_the_old_body_of_crosses_is_read(pid: str) -> None:
    new = decode(f"{pid}/1/1/51e")
    assert new.board.crosses == (0, -1, 1, 4)
    for old in (f"{pid}/d/1/1/0x14", f"http://indi.s58.xrea.com/{pid}/sa/q.html?/1/1/0x14"):
        assert decode(old, strict=True).board == new.board
        assert decode(old).canonical == f"http://pzv.jp/p.html?{pid}/1/1/51e"


def test_no_two_puzzles_share_a_name() -> None:
    names = [name for puzzle in PUZZLES for name in puzzle.names]
    assert len(names) == len(set(names))


def test_a_number_above_nine_takes_the_wide_form_of_number10or16() -> None:
    assert NUMBER_10_OR_16.write([1, -1, 9]) == "1a9"
    assert NUMBER_10_OR_16.write([1, -1, 10]) == "-1ga"
    for text, cells in (("1a9", [1, -1, 9]), ("-1ga", [1, -1, 10])):
        assert NUMBER_10_OR_16.read(Body(text), 3) == cells


def test_binary_and_circle_pack_with_the_first_value_heaviest() -> None:
    assert BINARY.write([1, 0, 0, 0, 1, 1]) == "hg"
    assert CIRCLE.write([1, 2, 0, 2]) == "fi"
    assert BINARY.read(Body("hg"), 6) == [1, 0, 0, 0, 1, 1]
    assert CIRCLE.read(Body("fi"), 4) == [1, 2, 0, 2]


def test_long_runs_are_cut_where_pzprjs_cuts_them() -> None:
    assert FOUR.write([BLANK] * 41) == "zzg"
    assert NUMBER_16.write([BLANK] * 21) == "zg"
    assert ONE.write([BLANK] * 19) == "zi"
    assert ONE.write([1] + [BLANK] * 18) == "hi"


@pytest.mark.parametrize(
    ("record", "place"),
    [
        ({}, "cols"),
        ({"cols": True, "rows": 1}, "cols"),
        ({"pid": "lits", "cols": 1, "rows": 1, "cells": [1]}, "pid"),
        ({"pid": 1}, "pid"),
        ({"cols": 10**6, "rows": 1}, "columns"),
        ({"cols": 2, "rows": 1, "cells": [1]}, "cells"),
        ({"cols": 2, "rows": 1, "cells": [1, "2"]}, "cells[1]"),
        ({"cols": 2, "rows": 1, "cells": [1, -1]}, "borders"),
        ({"cols": 2, "rows": 1, "cells": [1, -1], "borders": {"v": "01", "h": ""}}, "borders.v"),
        ({"cols": 2, "rows": 1, "cells": [1, -1], "borders": {"v": "2", "h": ""}}, "borders.v"),
    ],
)
def test_a_record_that_is_no_board_is_refused(record: dict[str, object], place: str) -> None:
    with pytest.raises(FormatError) as caught:
        board_of_record(puzzle_named("heyawake"), record)
    assert caught.value.place == place


@pytest.mark.parametrize("variant", ["a/b", "a\n", "\u00e9", "www.kanpen.net"])
def test_a_variant_that_its_link_would_not_give_back_is_refused(variant: str) -> None:
    assert variant_of_record({"variant": "dark 2"}) == "dark 2"
    with pytest.raises(FormatError) as caught:
        variant_of_record({"variant": variant})
    assert caught.value.place == "variant"


def test_rows_of_cells_are_a_board() -> None:
    assert read_grid("1 . ?\n\n. 12 0\n", "numbers").cells == (1, -1, -2, -1, 12, 0)
    board = read_grid("3,2 .\n. 4,?", "arrows")
    assert (board.cells, board.directions) == ((2, -1, -1, -2), (3, 0, 0, 4))


@pytest.mark.parametrize("text", ["", "1 2\n3", "1 x", "12345678", "9,1", "\n \n"])
def test_rows_that_are_no_board_are_refused(text: str) -> None:
    with pytest.raises(FormatError):
        read_grid(text, "arrows")
