from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from cli.conftest import Run

TITLE = "{http://www.w3.org/2000/svg}title"


def test_a_board_is_written_as_svg_and_png(e2: Run, cases: Path, tmp_path: Path) -> None:
    ran = e2("show", cases / "url-470-blackwood.txt", "--svg", "board.svg", "--png", "board.png", "--cell", 20)
    assert (ran.code, ran.out, ran.err) == (0, "wrote board.svg\nwrote board.png\n", "")
    root = ElementTree.parse(tmp_path / "board.svg").getroot()
    assert root.findtext(TITLE) == "Joshua_Blackwood_470, 470 / 480"
    png = (tmp_path / "board.png").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20]) == float(root.get("width") or 0) == 342
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.png", "board.svg"]


def test_styles_differ_and_a_picture_is_written_again(e2: Run, cases: Path, tmp_path: Path) -> None:
    pictures = set()
    for style in ("motifs", "colours", "letters"):
        assert e2("show", cases / "edges-465.txt", "--svg", "board.svg", "--style", style).code == 0
        pictures.add((tmp_path / "board.svg").read_text())
    assert len(pictures) == 3


def test_a_puzzle_is_drawn_with_its_pins(e2: Run, tmp_path: Path) -> None:
    assert e2("show", "hints=34.1-45.1-135.0-210.1-221.2", "--svg", "board.svg").code == 0
    text = (tmp_path / "board.svg").read_text()
    assert "5 of 256 cells filled" in text
    assert text.count('<circle cy="-5.5"') == 5


def test_an_illegal_board_is_drawn_and_exit_code_1_says_so(e2: Run, cases: Path, tmp_path: Path) -> None:
    for name in ("bad-duplicate-piece.txt", "bad-mirrored.txt"):
        ran = e2("show", cases / name, "--svg", f"{name}.svg", "--json")
        assert ran.code == 1
        assert ran.records == [{"input": str(cases / name), "wrote": [f"{name}.svg"], "legal": False}]
        assert (tmp_path / f"{name}.svg").exists()


def test_the_difference_of_two_boards_is_counted_and_drawn(e2: Run, cases: Path, tmp_path: Path) -> None:
    boards = cases / "edges-465.txt", "--against", cases / "edges-464.txt"
    ran = e2("show", *boards, "--svg", "diff.svg", "--json")
    record = ran.records[0]
    assert record["same"] + record["turned"] + record["other"] == 256
    assert record["other"] > 0
    assert record["only_first"] == record["only_second"] == record["empty"] == 0
    assert record["wrote"] == ["diff.svg"]
    title = ElementTree.parse(tmp_path / "diff.svg").getroot().findtext(TITLE)
    assert title is not None
    assert " against " in title
    ran = e2("show", *boards)
    assert ran.code == 0
    assert f"other piece          {record['other']}\n" in ran.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--svg", "nowhere/board.svg"), "there is no folder nowhere"),
        (("--svg", "board.svg", "--png", "nowhere/board.png"), "there is no folder nowhere"),
        (("--svg", "."), "cannot be written"),
        (("--svg", "board.svg", "--style", "fancy"), "expected one of motifs, colours, letters"),
        (("--svg", "board.svg", "--cell", "0"), "expected 4 to 400"),
        (("--style", "letters"), "they need --svg or --png"),
        (("--cell", "20"), "they need --svg or --png"),
        (("--svg", "board.svg", "--against", "no-such.txt"), "no such file"),
        (("--svg", "board.svg", "--against", "aaaa"), "no cells to compare"),
        (("--svg", "board.svg", "--style", "letters", "--against", "aaaa"), "--style is not for --against"),
    ],
)
def test_what_cannot_be_drawn_is_an_error_and_nothing_is_written(
    e2: Run, cases: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    ran = e2("show", cases / "edges-465.txt", *options)
    assert ran.code == 2
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []
