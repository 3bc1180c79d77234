from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from e2.errors import SettingsError
from e2.pencil.pzpr import PUZZLES
from e2.pencil.pzpr.commands import Hand, read_command
from e2.pencil.pzpr.decode import blank_board, decode
from e2.pencil.pzpr.history import Session
from e2.pencil.pzpr.puzzle import Puzzle
from e2.views.pencil_svg import pencil_svg, session_svg
from e2.views.pencil_text import pencil_lines
from e2.views.png import png

SVG = "{http://www.w3.org/2000/svg}"


def drawn(link: str) -> ElementTree.Element:
    decoded = decode(link)
    return ElementTree.fromstring(pencil_svg(decoded.puzzle, decoded.board))


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.pid)
def test_a_blank_board_of_every_kind_is_drawn(puzzle: Puzzle) -> None:
    board = blank_board(puzzle, 3, 2)
    assert png(pencil_svg(puzzle, board)).startswith(b"\x89PNG")
    assert len(pencil_lines(puzzle, board)) in (2, 3, 5)


def test_the_description_holds_the_board_as_text() -> None:
    tree = drawn("akari/3/1/.1g")
    assert tree.findtext(f"{SVG}title") == "akari 3x1"
    assert tree.findtext(f"{SVG}desc") == "# 1 ."


def test_walls_are_black_with_light_numbers() -> None:
    paths = drawn("shakashaka/3/1/.1g").findall(f"{SVG}path")
    black = [path for path in paths if path.get("fill") == "#22252a"]
    assert [re.findall(r"M\d+ \d+", path.get("d", "")) for path in black] == [["M0 0", "M40 0"]]
    assert [path.get("stroke") for path in paths].count("#fff") == 1


def test_a_loop_is_drawn_along_the_sides() -> None:
    decoded = decode("slither/2/1/d2")
    loop = ([[1, 1], [1, 1]], [[1, 0, 1]])
    tree = ElementTree.fromstring(pencil_svg(decoded.puzzle, decoded.board, loop=loop))
    path = tree.findall(f"{SVG}path")[-1].get("d", "")
    assert path == "M0 0h40M40 0h40M0 40h40M40 40h40M0 0v40M80 0v40"


def test_borders_and_circles_stand_where_they_are() -> None:
    tree = drawn("heyawake/2/2/g0gg")
    assert any(path.get("d") == "M40 0v40" for path in tree.findall(f"{SVG}path"))
    circles = drawn("mashu/2/1/f").findall(f"{SVG}circle")
    assert [(circle.get("cx"), circle.get("fill")) for circle in circles] == [("20", "#fff"), ("60", "#22252a")]


def test_every_sign_can_be_drawn() -> None:
    for link in ("slither/1/1/.", "nurikabe/1/1/$zzzzz", "yajilin/2/1/+3.", "nurikabe/1/1/$fffff", "creek/1/1/0.14"):
        decoded = decode(link)
        assert png(pencil_svg(decoded.puzzle, decoded.board, cell=8)).startswith(b"\x89PNG")


def test_a_size_out_of_range_is_refused() -> None:
    decoded = decode("slither/1/1/e")
    with pytest.raises(SettingsError):
        pencil_svg(decoded.puzzle, decoded.board, cell=4000)


def test_a_link_is_drawn_as_text() -> None:
    def lines(link: str) -> list[str]:
        decoded = decode(link)
        return pencil_lines(decoded.puzzle, decoded.board)

    assert lines("yajilin/3/1/20+3.") == ["v0  + <?"]
    assert lines("mashu/3/1/i") == ["@ . ."]
    assert lines("tents/3/2/1g2.0i03") == [". 1 . 2", "? . T T", "0 . . ."]
    assert lines("heyawake/2/2/g01g") == ["+---+---+", "| 1 |   |", "+   +   +", "|       |", "+---+---+"]
    assert lines("sumiwake/2/2/gb2cg0o") == ["+---1---+", "|       |", "+---2---2", "|       |", "+---+---+"]


def session_tree(link: str, *commands: str) -> ElementTree.Element:
    decoded = decode(link)
    hand = Hand(Session(decoded.puzzle, decoded.board))
    for command in commands:
        hand.perform(read_command(command))
    text = session_svg(hand.session)
    assert png(text).startswith(b"\x89PNG")
    return ElementTree.fromstring(text)


def test_what_is_drawn_on_a_board_is_in_its_picture() -> None:
    tree = session_tree("slither/2/1/32", "mouse,left,0,0,2,0,2,2", "mouse,right,3,0")
    paths = [path.get("d") for path in tree.findall(f"{SVG}path")]
    assert paths[-2:] == ["M0 0h40M40 0v40", "M56 -4l8 8m0-8l-8 8"]
    tree = session_tree("yajilin/3/1/b11", "mouse,left,1,1,3,1", "mouse,right,1,1")
    assert [path.get("d") for path in tree.findall(f"{SVG}path")][-2:] == ["M20 20h40", "M20 20v0"]
    tree = session_tree("akari/3/1/.h", "mouse,left,3,1")
    assert [(circle.get("cx"), circle.get("cy")) for circle in tree.findall(f"{SVG}circle")] == [("60", "20")]
    assert tree.findtext(f"{SVG}desc") == "# * -"
    tree = session_tree("yajilin/3/1/b11", "mouse,left,1,1")
    assert [(rect.get("x"), rect.get("fill")) for rect in tree.findall(f"{SVG}rect")][2] == ("0", "#7d838c")
