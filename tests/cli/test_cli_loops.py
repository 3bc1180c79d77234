from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.conftest import Run

DATA = Path(__file__).parents[1] / "pencil" / "data"
CASES = json.loads((DATA / "slink_cases.json").read_text("utf-8"))
BLANKS = json.loads((DATA / "slither_blank_cases.json").read_text("utf-8"))["cases"]
LARGE = json.loads((DATA / "slither_31x45.json").read_text("utf-8"))["url"]


def contest_text(boards: list[dict]) -> str:
    lines = []
    for board in boards:
        lines.append(f"{board['rows']} {board['cols']}")
        lines += [" ".join(map(str, row)) for row in board["clues"]]
    return "\n".join([*lines, "0 0", ""])


def test_slink_writes_the_answer_of_the_contest_byte_for_byte(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(contest_text(CASES["generated"]), "utf-8")
    answer = "".join(f"{number}\n{case['text']}\n" for number, case in enumerate(CASES["generated"], 1))
    ran = e2("pencil", "slink", "in.txt")
    assert (ran.code, ran.out, ran.err) == (0, answer, "")
    assert e2("pencil", "slink", "-", stdin=(tmp_path / "in.txt").read_bytes()).out == answer


def test_boards_of_one_file_are_solved_by_several_workers_in_their_order(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(contest_text(CASES["generated"]), "utf-8")
    ran = e2("pencil", "slink", "in.txt", "--executor", "local", "--workers", 2)
    assert (ran.code, ran.out) == (0, e2("pencil", "slink", "in.txt").out)


def test_slink_tells_none_and_several(e2: Run, tmp_path: Path) -> None:
    boards = [CASES["other"][0], CASES["nonunique"][0], CASES["generated"][0]]
    (tmp_path / "in.txt").write_text(contest_text(boards), "utf-8")
    ran = e2("pencil", "slink", "in.txt")
    assert ran.code == 1
    assert ran.err.splitlines() == ["note: board 1 has no loop", "note: board 2 has several loops"]
    assert any(ran.out == f"1\nno loop\n2\n{text}\n3\n{boards[2]['text']}\n" for text in boards[1]["text"])
    records = e2("pencil", "slink", "in.txt", "--json").records
    assert [(record["case"], record["solutions"]) for record in records] == [(1, 0), (2, 2), (3, 1)]
    assert records[0]["lines"] is None
    assert records[2]["lines"] == {"h": boards[2]["h"], "v": boards[2]["v"]}


def test_solve_gives_programs_the_lines_of_the_loop(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "links.txt").write_text("".join(f"{case['url']}\n" for case in BLANKS), "utf-8")
    ran = e2("pencil", "solve", "links.txt", "--json")
    assert ran.code == 0
    for case, record in zip(BLANKS, ran.records, strict=True):
        assert (record["rows"], record["cols"], record["solutions"]) == (case["rows"], case["cols"], 1)
        assert record["lines"] == {"h": case["h"], "v": case["v"]}


def test_solve_draws_the_loop_and_says_that_it_is_the_only_one(e2: Run) -> None:
    ran = e2("pencil", "solve", BLANKS[1]["url"])
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "3x3, 4 clues: one loop, and no other",
        "        +---+",
        "        | 3 |",
        "    +---+   |",
        "  1 | 3     |",
        "    +---+   |",
        "      2 |   |",
        "        +---+",
    ]
    large = e2("pencil", "solve", LARGE)
    assert large.code == 0
    assert large.out.startswith("45x31, 455 clues: one loop, and no other\n")
    assert len(large.out.splitlines()) == 64


def test_solve_tells_none_and_several_and_takes_slink_text(e2: Run) -> None:
    several = e2("pencil", "solve", "https://puzz.link/p?slither/2/2/h")
    assert (several.code, several.out.splitlines()[0]) == (1, "2x2, 0 clues: several loops; this is one of them")
    assert "+---+" in several.out
    none = e2("pencil", "solve", "-", stdin=b"2 2\n1 1\n1 1\n0 0\n")
    assert (none.code, none.out.splitlines()[0]) == (1, "2x2, 4 clues: no loop")
    assert "-" not in none.out
    # Every point must be visited: an odd number of them cannot.
    assert e2("pencil", "solve", "slither/f/2/2/h").code == 1
    assert e2("pencil", "solve", "slither/f/3/3/gdk", "--json").records[0]["lines"] is not None


def test_solve_draws_a_picture(e2: Run, tmp_path: Path) -> None:
    ran = e2("pencil", "solve", BLANKS[1]["url"], "--svg", "loop.svg")
    assert ran.out.splitlines()[-1] == "wrote loop.svg"
    with_loop = (tmp_path / "loop.svg").read_text("utf-8")
    e2("pencil", "decode", BLANKS[1]["url"], "--svg", "givens.svg")
    givens = (tmp_path / "givens.svg").read_text("utf-8")
    assert with_loop.count("<path") == givens.count("<path") + 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["solve", "https://puzz.link/p?akari/3/3/h"],
            "pzpr: lightup cannot be solved here (at pid); expected slither",
        ),
        (["solve", "nothing/3/3/h"], "'nothing' is no puzzle known here"),
        (["solve", "slither/300/3/h"], "300 columns"),
        (["solve", "two.txt", "--svg", "x.svg"], "--svg is for one board; there are 2"),
        (["solve", "empty.txt"], "input: nothing is in empty.txt; expected a text"),
        (["solve", "many.txt"], "input: too many boards (at link 31); expected at most 2000000 cells in one file"),
        (["solve", "short.txt"], "slink: 1 number in a row (at line 3); expected 2, as the board is wide"),
        (["slink", "short.txt"], "slink: 1 number in a row (at line 3); expected 2, as the board is wide"),
        (["slink", "nothing.txt"], "no such file: nothing.txt"),
        (["slink", "two.txt"], "slink: 1 number (at line 1); expected rows and columns, or 0 0"),
        (["slink", "none.txt", "--executor", "moon"], "executor 'moon': expected inline, local or ray"),
    ],
)
def test_bad_input_is_told_with_its_place(e2: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "two.txt").write_text("slither/2/2/h\nslither/2/2/d\n", "utf-8")
    (tmp_path / "empty.txt").write_text("\n", "utf-8")
    (tmp_path / "short.txt").write_text("2 2\n2 2\n2\n0 0\n", "utf-8")
    (tmp_path / "many.txt").write_text("slither/256/256/\n" * 40, "utf-8")
    (tmp_path / "none.txt").write_text("0 0\n", "utf-8")
    ran = e2("pencil", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert ran.out == ""
    assert not (tmp_path / "x.svg").exists()
    assert "error" in e2("pencil", *arguments, "--json").records[-1]
