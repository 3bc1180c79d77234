from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from views.pixels import part

from e2.core.grid import Grid
from e2.errors import SettingsError
from e2.pencil.loop import LoopPuzzle, solve_loop
from e2.pencil.pzpr import PUZZLES
from e2.pencil.pzpr.commands import Hand, read_command
from e2.pencil.pzpr.decode import blank_board, decode
from e2.pencil.pzpr.history import Session
from e2.pencil.pzpr.puzzle import Puzzle
from e2.pencil.pzpr.saved import drawn_session
from e2.pencil.slither import loop_session
from e2.views.pencil_svg import pencil_svg, session_svg
from e2.views.pencil_text import pencil_lines, session_lines
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
    puzzle = LoopPuzzle(Grid(2, 1), (3, None))
    (loop,) = solve_loop(puzzle).loops
    tree = ElementTree.fromstring(session_svg(loop_session(puzzle, loop)))
    path = tree.findall(f"{SVG}path")[-1].get("d", "")
    sides = {"M0 0h40", "M40 0h40", "M0 40h40", "M40 40h40", "M0 0v40", "M80 0v40"}
    assert set(re.findall(r"M[^M]+", path)) == sides
    assert tree.findtext(f"{SVG}desc") == "+-------+\n| 3     |\n+-------+"
    blank = ElementTree.fromstring(session_svg(loop_session(puzzle, None)))
    assert len(blank.findall(f"{SVG}path")) == len(tree.findall(f"{SVG}path")) - 1


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


def test_a_number_outside_that_is_not_known_has_its_mark() -> None:
    marks = [path for path in drawn("tents/3/2/1g..0i03").findall(f"{SVG}path") if "a4 4" in path.get("d", "")]
    assert [mark.get("d", "").partition("a")[0] for mark in marks] == ["M96 -15", "M-15 16"]


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
    tree = session_tree("yajilin/3/1/c", "mouse,left,1,1,3,1", "mouse,right,5,1")
    assert [path.get("d") for path in tree.findall(f"{SVG}path")][-2:] == ["M20 20h40", "M100 20v0"]
    tree = session_tree("akari/3/1/.h", "mouse,left,3,1")
    assert [(circle.get("cx"), circle.get("cy")) for circle in tree.findall(f"{SVG}circle")] == [("60", "20")]
    assert tree.findtext(f"{SVG}desc") == "# * -"
    tree = session_tree("yajilin/3/1/b11", "mouse,left,1,1")
    assert [(rect.get("x"), rect.get("fill")) for rect in tree.findall(f"{SVG}rect")][2] == ("0", "#7d838c")


def test_numbers_that_were_typed_are_shown_and_gone_after_an_undo() -> None:
    decoded = decode("yajilin/3/1/21b")
    hand = Hand(Session(decoded.puzzle, decoded.board))
    for command in ("editmode", "key,BS", "cursor,3,1", "key,2"):
        hand.perform(read_command(command))
    assert session_lines(hand.session)[1].split() == ["2"]
    assert ElementTree.fromstring(session_svg(hand.session)).findtext(f"{SVG}desc") == "\n".join(
        session_lines(hand.session)
    )
    hand.session.go_to(0)
    assert session_lines(hand.session)[1].split() == ["v1"]
    tree = session_tree("akari/2/1/h", "editmode", "key,1")
    assert tree.findtext(f"{SVG}desc") == "1 -"
    assert "M0 0h40v40h-40z" in [path.get("d") for path in tree.findall(f"{SVG}path")]


def file_session(text: str) -> Session:
    session = drawn_session(decode(text))
    assert session is not None
    return session


TRIANGLES = "pzprv3/shakashaka/2/4/1 . . . /. . . 5 /- 2 3 + /5 4 . . /"


def test_the_triangles_of_a_file_are_where_they_are_black() -> None:
    session = file_session(TRIANGLES)
    assert session_lines(session) == [" 1 |\\ /|  .", "|/ \\|  -  #"]
    text = session_svg(session)
    assert png(text).startswith(b"\x89PNG")
    paths = ElementTree.fromstring(text).findall(f"{SVG}path")
    shapes = [path.get("d", "") for path in paths if path.get("fill") == "#7d838c"]
    assert shapes == ["M40 0v40h40zM80 0m40 0v40h-40zM40 40h40v40zM0 40h40l-40 40z"]


@pytest.mark.parametrize(("value", "corner"), [(2, (8, 30)), (3, (30, 30)), (4, (30, 8)), (5, (8, 8))])
def test_a_triangle_is_black_at_its_corner(value: int, corner: tuple[int, int]) -> None:
    """Looked at in the picture: 2 to 5 are lower left, lower right, upper right, upper left."""
    svg = session_svg(file_session(f"pzprv3/shakashaka/1/1/. /{value} /"))
    spots = {(x, y): part(svg, x, y, 2, 2).mean() for x in (8, 30) for y in (8, 30)}
    assert spots.pop(corner) < 0.6
    assert spots[38 - corner[0], 38 - corner[1]] > 0.95


def test_what_a_file_holds_beside_its_lines_is_drawn() -> None:
    tree = ElementTree.fromstring(session_svg(file_session("pzprv3.1/slither/1/2/3 . /1 2 /1 0 -1 /1 0 /1 0 /")))
    fills = [rect.get("fill") for rect in tree.findall(f"{SVG}rect")]
    assert {"#d9ecd0", "#fbe5c8"} <= set(fills)
    assert tree.findtext(f"{SVG}desc") == "+---+   +\n| 3   : x\n+---+   +"
    tree = ElementTree.fromstring(session_svg(file_session("pzprv3/lightup/1/3/1 # + /- . . /")))
    assert [circle.get("cx") for circle in tree.findall(f"{SVG}circle")] == ["60"]
    assert tree.findtext(f"{SVG}desc") == "1 * ."
    number = [path.get("stroke") for path in tree.findall(f"{SVG}path")].count("#7d838c")
    assert number == 1
    # A dot of yajilin gives way to the line.
    tree = ElementTree.fromstring(session_svg(file_session("pzprv3/yajilin/1/3/. . . /+ + + /1 0 /")))
    assert [path.get("d") for path in tree.findall(f"{SVG}path")][-2:] == ["M20 20h40", "M100 20v0"]


def test_a_mark_on_a_side_is_no_mark_in_a_cell() -> None:
    session = Session(decode("slither/2/1/32").puzzle, decode("slither/2/1/32").board)
    before = session_svg(session)
    for property in ("qans", "qcmp"):
        session.put(("border", property, "", 2, 1), 1)
    assert session_svg(session) == before
