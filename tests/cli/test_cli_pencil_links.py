from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Run

LINK = "https://puzz.link/p?slither/f/3/3/8cj"
CANONICAL = "http://pzv.jp/p.html?slither/f/3/3/8cj"
KEYS = {"pid", "urlid", "variant", "pflag", "cols", "rows", "cells", "canonical", "leftover", "warnings"}


def test_a_link_is_drawn_with_its_canonical_form(e2: Run) -> None:
    ran = e2("pencil", "decode", LINK)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "slither 3x3",
        "the loop visits every point",
        "+   +   +   +",
        "  3       2",
        "+   +   +   +",
        "",
        "+   +   +   +",
        "",
        "+   +   +   +",
        CANONICAL,
    ]


def test_the_record_has_the_promised_keys(e2: Run) -> None:
    record = e2("pencil", "decode", "akari/3/3/5.5.5", "--json").records[0]
    assert record.keys() == KEYS
    assert (record["pid"], record["urlid"], record["cols"]) == ("lightup", "akari", 3)
    assert record["cells"] == [0, -1, -2, 0, -1, -2, 0, -1, -1]
    assert record["warnings"] == ["the text ends at cell 8 of 9 (at character 6 of the body)"]
    record = e2("pencil", "decode", "nurikabe/3/3/$zzzzz", "--json").records[0]
    assert record["cells"][:2] == [None, -1]
    record = e2("pencil", "decode", "heyawake/2/2/oo0123", "--json").records[0]
    assert record["borders"] == {"v": "11", "h": "11"}


def test_strict_refuses_with_the_place(e2: Run) -> None:
    ran = e2("pencil", "decode", "slither/3/3/zz", "--strict")
    assert (ran.code, ran.out) == (2, "")
    place = "character 1 of the body"
    assert ran.err == f"error: pzpr: a run of 20 goes past the last cell (at {place}); expected a run that ends there\n"


def test_a_link_a_line_goes_on_after_a_bad_one(e2: Run) -> None:
    ran = e2("pencil", "decode", "-", "--json", stdin=f"{LINK}\nsudoku/9/9/\n\nslither/1/1/4\n".encode())
    assert ran.code == 2
    first, second, third = ran.records
    assert (first["canonical"], third["canonical"]) == (CANONICAL, "http://pzv.jp/p.html?slither/1/1/e")
    assert second["input"] == "sudoku/9/9/"
    assert second["error"]["place"] == "pid"


def test_a_file_is_one_puzzle_and_may_hold_links(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("pzprv3.1\nslither\n1\n2\nf\n3 - \n0 0 \n")
    assert (
        e2("pencil", "decode", "file.txt", "--json").records[0]["canonical"] == "http://pzv.jp/p.html?slither/f/2/1/3./"
    )
    (tmp_path / "links.txt").write_text("slither/1/1/e\nslither/1/1/d\n")
    assert len(e2("pencil", "decode", "links.txt", "--json").records) == 2


@pytest.mark.parametrize("link", ["slither/\x1b[2J/3/3/8cj", "nurikabe/v:\x1b[2J/1/1/g", "slither/3/3/8cj\x1b]0;x\x07"])
def test_nothing_of_a_link_reaches_the_terminal_as_it_came(e2: Run, link: str) -> None:
    for arguments in (("decode", link), ("decode", link, "--strict"), ("decode", link, "--json")):
        ran = e2("pencil", *arguments)
        assert "\x1b" not in ran.out + ran.err


def test_an_argument_that_is_no_text_is_refused(e2: Run) -> None:
    ran = e2("pencil", "decode", "slither/1/1/\udcff", "--json")
    assert ran.code == 2
    assert ran.records[0]["error"]["place"] == "character 13"


@pytest.mark.parametrize(
    "link",
    [
        *(
            "slither/5/4/26dicahe",
            "http://pzv.jp/p.html?akari/3/3/......../",
            "heyawake/2/2/oo0123",
            "tents/3/2/1g2.0i03",
        ),
        *("yajilin/ob/3/3/1021314.e", "sumiwake/2/2/gb2cg0o", "mashu/f/2/2/i9", "nurikabe/v:dark/2/2/$00000i"),
    ],
)
def test_the_record_goes_back_to_the_link(e2: Run, tmp_path: Path, link: str) -> None:
    ran = e2("pencil", "decode", link, "--json")
    (tmp_path / "board.json").write_text(ran.out)
    record = ran.records[0]
    back = e2("pencil", "encode", "board.json", "--pid", record["urlid"])
    assert (back.code, back.out.strip()) == (0, record["canonical"])
    assert e2("pencil", "encode", "-", "--pid", record["pid"], "--json", stdin=ran.out.encode()).records == [
        {"pid": record["pid"], "link": record["canonical"]}
    ]


def test_the_longest_link_is_written_whole(e2: Run, tmp_path: Path) -> None:
    link = "http://pzv.jp/p.html?nurikabe/256/256/" + "$fffff" * 256**2
    (tmp_path / "link.txt").write_text(link)
    assert e2("pencil", "decode", "link.txt").out.endswith(f"\n{link}\n")
    (tmp_path / "board.json").write_text(e2("pencil", "decode", "link.txt", "--json").out)
    assert e2("pencil", "encode", "board.json", "--pid", "nurikabe").out == f"{link}\n"


def test_rows_of_cells_become_a_link(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("3 . 2\n. . .\n. . .\n")
    assert e2("pencil", "encode", "board.txt", "--pid", "slitherlink").out == "http://pzv.jp/p.html?slither/3/3/8cj\n"
    (tmp_path / "arrows.txt").write_text("1,0 2,1\n. ?\n")
    assert e2("pencil", "encode", "arrows.txt", "--pid", "yajilin").out == "http://pzv.jp/p.html?yajilin/2/2/1021a0./\n"


@pytest.mark.parametrize(
    ("text", "pid", "said"),
    [
        ("3 .\n.", "slither", "row 2"),
        ("7 .", "slither", "7 cannot be written in 4Cell (at cell 0)"),
        ("1 .", "heyawake", "heyawake is more than cells"),
        ("1 .", "sudoku", "'sudoku' is no puzzle known here"),
        ("pzprv3.1/lits/1/1//", "slither", "the file is of lits"),
        ('{"cols": 2}', "slither", "rows is no whole number"),
        ("{", "slither", "not JSON"),
        ("", "slither", "nothing is in board.txt"),
    ],
)
def test_what_is_no_board_writes_nothing(e2: Run, tmp_path: Path, text: str, pid: str, said: str) -> None:
    (tmp_path / "board.txt").write_text(text)
    ran = e2("pencil", "encode", "board.txt", "--pid", pid)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_picture_is_written(e2: Run, tmp_path: Path) -> None:
    ran = e2("pencil", "decode", LINK, "--svg", "board.svg")
    assert ran.out.splitlines()[-1] == "wrote board.svg"
    assert (tmp_path / "board.svg").read_text().startswith("<svg ")
    many = e2("pencil", "decode", "-", "--svg", "many.svg", stdin=b"slither/1/1/e\nslither/1/1/d\n")
    assert (many.code, many.out) == (2, "")
    assert not (tmp_path / "many.svg").exists()


def test_a_picture_that_cannot_be_written_is_refused(e2: Run, tmp_path: Path) -> None:
    ran = e2("pencil", "decode", LINK, "--svg", "nowhere/board.svg")
    assert (ran.code, ran.out) == (2, "")
    assert "nowhere" in ran.err


def test_what_a_player_has_drawn_in_a_file_is_shown(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "saved.txt").write_text("pzprv3\nshakashaka\n1\n4\n1 . . .\n. 2 3 +\n")
    ran = e2("pencil", "decode", "saved.txt", "--svg", "saved.svg")
    canonical = "http://pzv.jp/p.html?shakashaka/4/1/bg"
    assert ran.out.splitlines() == ["shakashaka 4x1", " 1 |\\ /|  .", canonical, "wrote saved.svg"]
    assert "M40 0v40h40z" in (tmp_path / "saved.svg").read_text()
    assert e2("pencil", "decode", "saved.txt", "--json").records[0]["cells"] == [1, -1, -1, -1]
