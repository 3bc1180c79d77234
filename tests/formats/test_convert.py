"""Conversions name what they would lose, and lose it only when asked to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import e2
from e2.core.official import official_pieces
from e2.errors import FormatError, LossError
from e2.formats import FORMATS
from e2.formats.convert import KEYS, convert, convert_all, losses
from e2.formats.detect import format_named, read
from e2.formats.format import Document, ReadHint
from e2.formats.judge import judge
from e2.formats.load import load_board, load_puzzle

CASES = Path(__file__).parents[1] / "cases"


def text_of(file: str) -> str:
    return (CASES / file).read_bytes().decode("utf-8")


@pytest.fixture
def record() -> str:
    return text_of("url-470-jef.txt")


@pytest.fixture
def official() -> str:
    return text_of("puzzle-official.json")


def test_the_keys_are_the_promised_ones() -> None:
    assert sorted(KEYS) == sorted(
        [
            "puzzle_json",
            "puzzle_csv",
            "board_edges",
            "board_pieces",
            "hints",
            "e2pieces",
            "board_doc",
            "viewer_url",
            "bucas_url",
        ]
    )


def test_format_names_are_unique() -> None:
    names = [format.name for format in FORMATS]
    assert len(set(names)) == len(names)


def test_an_unknown_format_is_named_with_all_that_are_known() -> None:
    with pytest.raises(FormatError, match="viewer_url"):
        format_named("nonsense")


def test_a_record_keeps_all_in_links_and_documents(record: str) -> None:
    for target in ("viewer_url", "bucas_url", "board_doc", "board_edges"):
        assert losses(read(record), target) == ()
        assert judge(read(convert(read(record), target))).audit.score == 470


def test_board_pieces_would_lose_the_turns(record: str) -> None:
    with pytest.raises(LossError, match="the turns of 256 pieces"):
        convert(read(record), "board_pieces")
    assert convert(read(record), "board_pieces", lossy=True).startswith("001050017")


def test_a_puzzle_form_would_lose_the_board(record: str) -> None:
    with pytest.raises(LossError, match="256 placed pieces"):
        convert(read(record), "puzzle_json")


def test_e2pieces_would_lose_the_pins(official: str) -> None:
    with pytest.raises(LossError, match="the pins: 5 hints"):
        convert(read(official), "e2pieces")
    assert convert(read(official), "e2pieces", lossy=True) == text_of("pieces-jwortmann.txt")


def test_a_link_would_lose_a_set_that_is_not_the_official_one() -> None:
    with pytest.raises(LossError, match="the piece set: 256 pieces"):
        convert(read(text_of("puzzle-bench-easy.json")), "viewer_url")


def test_edges_would_lose_identity_where_pieces_share_a_shape() -> None:
    puzzle = load_puzzle(text_of("puzzle-clue1.json"))
    with pytest.raises(LossError, match="identity"):
        convert(read(text_of("url-clue1-6x6.txt")), "board_edges", instance=puzzle)


def test_a_link_of_a_set_that_is_not_distinct_carries_the_piece_numbers() -> None:
    puzzle = load_puzzle(text_of("puzzle-clue2.json"))
    solved = read(text_of("url-clue2-12x6.txt"))
    assert "&board_pieces=" in convert(solved, "viewer_url", instance=puzzle)
    assert "board_w=12&board_h=6&" in convert(solved, "viewer_url", instance=puzzle)
    assert '"width": 12,\n  "height": 6,' in convert(solved, "board_doc", instance=puzzle)


def test_the_official_puzzle_goes_through_every_puzzle_form(official: str) -> None:
    assert convert(read(official), "puzzle_csv") == text_of("csv-official.csv")
    assert convert(read(official), "hints") == "34.1-45.1-135.0-210.1-221.2"
    assert load_puzzle(convert(read(official), "puzzle_json")).hints == load_puzzle(official).hints


def test_a_puzzle_without_a_board_is_shown_by_its_hints(official: str) -> None:
    link = convert(read(official), "viewer_url")
    assert link.endswith("&hints=34.1-45.1-135.0-210.1-221.2")
    assert judge(read(link)).audit.placed == 5


def test_hints_that_are_not_official_name_no_piece() -> None:
    texts, cannot = convert_all(read(text_of("hints-seed-sample.txt")))
    assert texts["hints"] == "34.1-45.2-135.0-210.3-221.0"
    assert set(cannot) == set(KEYS) - {"hints"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3,3,9999,1", "hint at 51, piece number 9999 is out of range"),
        ("4\n0,1,1,0,1,-3,2,1,1,2,2,1,0,1,1,0", "the hints are for 4x4; expected 16x16"),
        ("2000.1", "hint at 2000 is out of range"),
    ],
)
def test_hints_of_another_board_are_refused(text: str, said: str, official: str) -> None:
    with pytest.raises(FormatError, match=re.escape(said)):
        convert(read(text), "puzzle_json", instance=load_puzzle(official))


def test_a_hint_file_is_held_against_both_sides_of_a_rectangle() -> None:
    assert read("5 5 11 1", size=(12, 6)).hints == (ReadHint(71, 4, 3),)
    with pytest.raises(FormatError, match="off the board"):
        read("5 10 2 1", size=(12, 6))


def test_convert_all_gives_each_key_a_text_or_a_reason(record: str) -> None:
    texts, cannot = convert_all(read(record))
    assert texts.keys() == KEYS.keys()
    assert {key for key, text in texts.items() if text is None} == cannot.keys() == {"hints"}
    assert "no hints" in cannot["hints"]


def test_convert_all_does_not_drop_a_hint_in_silence() -> None:
    texts, cannot = convert_all(read(text_of("puzzle-hint-0-0-rot0.json")))
    assert texts["puzzle_csv"] is None
    assert "cell 0 with rot 0" in cannot["puzzle_csv"]


def test_a_link_with_a_wrong_label_is_not_converted() -> None:
    with pytest.raises(FormatError, match="motifs_order=jef is wrong"):
        convert(read(text_of("bad-464-spurious-motifs-order.txt")), "board_doc")


def test_a_format_that_is_only_read_says_what_can_be_written(record: str) -> None:
    with pytest.raises(FormatError, match="only read"):
        convert(read(record), "pid_rot_grid")


def test_a_colour_without_a_letter_is_an_error() -> None:
    board = Document("x", 1, 1, ((26, 0, 0, 0),))
    for target in ("board_edges", "viewer_url", "bucas_url"):
        with pytest.raises(FormatError, match="colour 26 has no letter: cell 0, up"):
            convert(board, target)


def test_a_thousandth_piece_has_no_digits() -> None:
    codes = (4 * 999, *([-1] * 1023))
    board = Document("x", 32, 32, ((1, 1, 1, 1), *([None] * 1023)), codes, ((1, 1, 1, 1),) * 1024)
    with pytest.raises(FormatError, match="more than 3 digits"):
        convert(board, "board_pieces", lossy=True)


def test_a_hint_without_a_piece_is_not_written_as_json() -> None:
    puzzle = Document("x", 16, 16, catalogue=official_pieces().quads, hints=(ReadHint(5, None, 0),))
    with pytest.raises(FormatError, match="names no piece"):
        convert(puzzle, "puzzle_json")
    with pytest.raises(FormatError, match="names no piece"):
        convert(puzzle, "puzzle_csv")


def test_letters_are_converted_with_the_size_of_their_puzzle() -> None:
    letters = e2.convert(CASES / "url-clue2-12x6.txt", "board_edges", "clue_2", lossy=True)
    assert e2.convert(letters, "board_edges", "clue_2", lossy=True) == letters


def test_load_board_takes_the_size_of_its_puzzle() -> None:
    puzzle = load_puzzle(text_of("puzzle-clue2.json"))
    letters = convert(read(text_of("url-clue2-12x6.txt")), "board_edges")
    judged = load_board(letters, instance=puzzle)
    assert judged.audit.score == 126
    assert judged.audit.duplicates == ()
