"""How texts arrive, how they are recognised, and what lenient reading takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from e2.errors import FormatError
from e2.formats.detect import detected, read, read_all
from e2.formats.format import Reading
from e2.formats.judge import judge

CASES = Path(__file__).parents[1] / "cases"
LINK = (CASES / "url-468-blackwood.txt").read_text(encoding="utf-8").strip()
NUMBERED = (CASES / "url-467-verhaard.txt").read_text(encoding="utf-8").strip()
EDGES = LINK.split("board_edges=")[1]


@pytest.mark.parametrize(
    "mangle",
    [
        lambda link: f"\ufeff{link}\r\n",
        lambda link: f"See [the board]({link}).",
        lambda link: f"<{link}>, found today",
        lambda link: f'<a href="{link.replace("&", "&amp;")}">',
        lambda link: link.replace("=", "%3D").replace("&", "%26"),
        lambda link: link.replace("#", "%23"),
        lambda link: link.replace("#", "?"),
        lambda link: "\n".join(link[place : place + 72] for place in range(0, len(link), 72)),
        lambda link: "\r\n".join("> > " + link[place : place + 72] for place in range(0, len(link), 72)),
        lambda link: "=\n".join(
            link.replace("=", "=3D")[place : place + 75] for place in range(0, len(link) + link.count("=") * 2, 75)
        ),
        lambda link: link.replace("Joshua_Blackwood_468", "My best board"),
        lambda link: link.replace("Joshua_Blackwood_468", "a+b-c.d"),
        lambda link: link.split("#")[1],
        lambda link: link.replace("https://e2.bucas.name/#", "") + "\n",
        lambda link: "&".join(reversed(link.split("#")[1].split("&"))),
        lambda link: link + "&seed=7&board_types=cdb&show_conflicts=1",
    ],
)
def test_a_link_survives_its_way_here(mangle: Callable[[str], str]) -> None:
    assert read(mangle(LINK)).quads == read(LINK).quads


def test_a_wrapped_link_with_pieces_is_joined_to_its_end() -> None:
    wrapped = "\n".join(NUMBERED[place : place + 70] for place in range(0, len(NUMBERED), 70))
    assert read(f"Look:\n{wrapped}\nGreat, isn't it?").numbers == read(NUMBERED).numbers


def test_a_name_keeps_its_plus_and_its_blanks() -> None:
    assert read(LINK.replace("Joshua_Blackwood_468", "J+B 4.68-x")).name == "J+B 4.68-x"
    assert read(LINK.replace("Joshua_Blackwood_468", "J%20B%C3%A9")).name == "J Bé"


def test_of_two_links_the_first_is_read_and_both_are_counted() -> None:
    text = f"first {LINK} then\n{NUMBERED}"
    assert "2 links here" in read(text).warnings[0]
    assert [judge(reading).audit.score for reading in read_all(text)] == [468, 467]


def test_a_link_with_only_a_name_does_not_hide_the_one_with_a_board() -> None:
    reading = read(f"https://e2.bucas.name/#puzzle=Joshua_Blackwood_470 or better\n{LINK}")
    assert reading.quads == read(LINK).quads
    assert reading.warnings == ()


def test_each_link_is_read_in_its_own_format() -> None:
    viewer = f"https://eternity2.dev/viewer?puzzle=x&puzzle_size=16&board_edges={EDGES}"
    assert [reading.format for reading in read_all(f"{LINK}\n{viewer}")] == ["bucas_url", "viewer_url"]


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("abda" * 4, "board_edges"),
        ("001002003004", "board_pieces"),
        ("135", "hints"),
        ("34.1-45.1", "hints"),
        ("hints=34.1", "hints"),
        ("0 0 1 1\n0 0 1 2\n0 0 2 1\n0 0 2 2", "e2pieces"),
        ("2 2\n0 0 1 1\n0 0 1 2\n0 0 2 1\n0 0 2 2", "e2pieces"),
        ("139 8 7 2\n", "hint_rows"),
        ("8,7,139,3", "placements_csv"),
        ("puzzle=x&puzzle_size=1&board_edges=aaaa", "viewer_url"),
        ("puzzle=x&board_w=1&board_h=1&board_edges=aaaa", "bucas_url"),
        (" 4/1 60/2\n---/- 1/0", "pid_rot_grid"),
        ('{"pieces": []}', "puzzle_json"),
        ('{"board_edges": ""}', "board_doc"),
    ],
)
def test_a_text_is_recognised(text: str, format: str) -> None:
    assert detected(text).name == format


def test_a_text_of_no_format_is_shown_in_part() -> None:
    with pytest.raises(FormatError, match="no format recognised: 'What a day"):
        read("What a day, 12:00!" * 100)


def test_the_asked_format_overrules_detection() -> None:
    square = "0 0 1 1\n0 0 1 2\n0 0 2 1\n0 0 2 2"
    assert read(square).catalogue is not None
    assert read(square, format="e2pieces_placed").quads is not None
    with pytest.raises(FormatError, match="e2pieces_placed"):
        read("0 0 1 1\n0 0 1 2", format="e2pieces_placed")


def test_bare_letters_take_the_size_that_is_known() -> None:
    assert read("a" * 48, size=(4, 3)).width == 4
    with pytest.raises(FormatError, match="no square board"):
        read("a" * 48)


def lenient(text: str) -> Reading:
    with pytest.raises(FormatError):
        read(text)
    return read(text, lenient=True)


@pytest.mark.parametrize(
    ("text", "placed", "said"),
    [
        (LINK[:-24], 250, "250 of 256 cells read from 1000 letters"),
        (LINK[:-23], 250, "250 of 256 cells read from 1001 letters"),
        (LINK + "a", 256, "256 of 256 cells read from 1025 letters"),
        (LINK.replace("=acda", "=xcda"), 255, "255 of 256 cells read from 1024 letters"),
        (LINK.replace("=acda", "=0000"), 255, "255 of 256 cells read from 1024 letters"),
    ],
)
def test_lenient_reading_takes_what_decodes_and_counts_it(text: str, placed: int, said: str) -> None:
    reading = lenient(text)
    assert sum(quad is not None for quad in reading.quads or ()) == placed
    assert f"lenient: {said}" in reading.warnings


def test_lenient_reading_takes_capital_letters_and_says_so() -> None:
    reading = lenient(LINK.replace(EDGES, EDGES.upper()))
    assert reading.quads == read(LINK).quads
    assert "lenient: capital letters read as small ones" in reading.warnings


def test_lenient_reading_leaves_out_pieces_that_do_not_decode() -> None:
    reading = lenient(NUMBERED.replace("board_pieces=002", "board_pieces=999"))
    assert reading.numbers is None
    assert any("board_pieces left out" in warning for warning in reading.warnings)
    assert judge(reading).audit.score == 467


def test_an_unknown_letter_order_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(FormatError, match="jblackwood"):
        read(LINK + "&motifs_order=klingon")


def test_an_empty_letter_order_is_the_default() -> None:
    assert read(LINK + "&motifs_order=").quads == read(LINK).quads
    assert read(LINK + "&motifs_order=default").motifs_order is None


def test_marie_and_jblackwood_are_one_order() -> None:
    text = (CASES / "url-470-jef.txt").read_text(encoding="utf-8")
    assert judge(read(text.replace("jblackwood", "marie"))).audit.score == 470
