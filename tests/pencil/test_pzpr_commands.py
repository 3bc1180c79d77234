"""Input commands: read and written, and what they leave on a board."""

from __future__ import annotations

import pytest

from e2.errors import FormatError
from e2.pencil.pzpr.commands import Hand, read_command
from e2.pencil.pzpr.decode import decode
from e2.pencil.pzpr.history import Session, history_record

COMMANDS = [
    *("newboard,6,6", "playmode", "playmode,line", "editmode", "editmode,number", "setconfig,use,2", "flushexcell"),
    *("clear", "ansclear", "subclear", "cursor,3,1", "key,1,0", "key,-, ,BS,shift+up", "mouse,left,1,1"),
    *("mouse,rightx2,1,1,5,1", "mouse,left,alt,1,1", "mouse,left,bank,3", "mouse,left,0.5,1.25"),
]


def datas(link: str, *commands: str) -> list[list[str]]:
    """The groups that the commands leave."""
    decoded = decode(link)
    hand = Hand(Session(decoded.puzzle, decoded.board))
    for command in commands:
        hand.perform(read_command(command))
    return history_record(hand.session.history()).get("datas", [])


@pytest.mark.parametrize("text", COMMANDS)
def test_a_command_is_written_as_it_was_read(text: str) -> None:
    assert str(read_command(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "undo", "enterTrial", "newboard,6", "newboard,0,6", "newboard,1000000,1", "cursor,a,1", "cursor,1e9,1"),
        *(
            "mouse,left,1",
            "mouse,middle,1,1",
            "mouse,leftx0,1,1",
            "mouse,left,1,1,1",
            "mouse,left,bank,x",
            "key",
            "key,",
        ),
        *("clear,1", "key,\x1b[2J", "cursor,99999,1", "mouse,leftx100,1,1"),
    ],
)
def test_what_is_no_command_is_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_command(text, "line 3")
    assert str(caught.value).isprintable()


def test_a_drag_in_slither_leaves_a_group_for_each_side() -> None:
    assert datas("slither/3/3/o", "mouse,left,0,0,4,0") == [["BL,1,0,0,1"], ["BL,3,0,0,1"]]
    assert datas("slither/3/3/o", "mouse,left,0,0,0,2,2,2") == [["BL,0,1,0,1"], ["BL,1,2,0,1"]]


def test_the_first_side_decides_whether_a_drag_draws_or_takes_away() -> None:
    assert datas("slither/3/3/o", "mouse,left,2,0,4,0", "mouse,left,0,0,4,0")[1:] == [["BL,1,0,0,1"]]
    assert datas("slither/3/3/o", "mouse,left,0,0,2,0", "mouse,left,0,0,4,0")[1:] == [["BL,1,0,1,0"]]


def test_a_side_is_crossed_out_or_drawn_never_both() -> None:
    assert datas("slither/3/3/o", "mouse,right,1,0", "mouse,left,0,0,2,0", "mouse,left,1,0") == [
        *(["BS,1,0,0,2"], ["BL,1,0,0,1", "BS,1,0,2,0"], ["BL,1,0,1,0", "BS,1,0,0,2"])
    ]


def test_a_click_in_yajilin_shades_and_the_right_button_leaves_dots() -> None:
    assert datas("yajilin/5/5/m32j10", "mouse,left,3,1", "mouse,right,5,1") == [["CA,3,1,0,1"], ["CS,5,1,0,1"]]
    assert datas("yajilin/5/5/m32j10", "mouse,leftx2,3,1") == [["CA,3,1,0,1"], ["CA,3,1,1,0"]]
    assert datas("yajilin/5/5/m32j10", "mouse,right,1,1,5,1") == [["CS,1,1,0,1"], ["CS,3,1,0,1"], ["CS,5,1,0,1"]]


def test_a_line_of_yajilin_goes_from_cell_to_cell_and_not_into_a_number_or_a_shaded_cell() -> None:
    assert datas("yajilin/5/5/m32j10", "mouse,left,1,1,5,1") == [["BL,2,1,0,1"], ["BL,4,1,0,1"]]
    assert datas("yajilin/5/5/m32j10", "mouse,left,3,5,7,5") == [["BL,4,5,0,1"]]
    assert datas("yajilin/5/5/m32j10", "mouse,left,5,1", "mouse,left,1,1,5,1")[1:] == [["BL,2,1,0,1"]]
    assert datas("yajilin/5/5/m32j10", "mouse,left,1,1,2,1") == []


def test_a_click_on_a_number_marks_it_as_done_with() -> None:
    assert datas("yajilin/5/5/m32j10", "mouse,leftx2,7,5") == [["CK,7,5,0,1"], ["CK,7,5,1,0"]]
    assert datas("akari/2/1/.g", "mouse,left,1,1") == [["CK,1,1,0,1"]]


def test_a_drag_in_akari_sets_one_lamp_and_any_number_of_dots() -> None:
    assert datas("akari/4/1/i.", "mouse,left,1,1,7,1") == [["CA,1,1,0,1"]]
    assert datas("akari/4/1/i.", "mouse,right,1,1,7,1") == [["CS,1,1,0,1"], ["CS,3,1,0,1"], ["CS,5,1,0,1"]]


def test_numbers_are_typed_digit_by_digit() -> None:
    assert datas("slither/3/3/o", "editmode", "key,1,0") == [["CN,1,1,-1,0"]]
    assert datas("slither/3/3/o", "editmode", "cursor,3,3", "key,-") == [["CN,3,3,-1,-2"]]
    assert datas("slither/3/3/o", "editmode", "key,-,-") == []
    assert datas("slither/3/3/o", "editmode", "key,2,right,3") == [["CN,1,1,-1,2"], ["CN,3,1,-1,3"]]
    assert datas("yajilin/25/1/y", "editmode", "key,1,2") == [["CN,1,1,-1,12"]]
    assert datas("yajilin/25/1/y", "editmode", "key,1,2,9") == [["CN,1,1,-1,9"]]
    assert datas("yajilin/25/1/y", "editmode", "key,1,2,BS") == [["CN,1,1,-1,1"]]
    assert datas("yajilin/25/1/y", "editmode", "key,9,BS") == []


def test_clears_are_one_step() -> None:
    drawn = ("mouse,left,0,0,4,0", "mouse,right,5,0", "mouse,right,1,2")
    assert datas("slither/3/3/o", *drawn, "ansclear")[4:] == [["BL,1,0,1,0", "BL,3,0,1,0", "BS,5,0,2,0", "BS,1,2,2,0"]]
    assert datas("slither/3/3/o", *drawn, "subclear")[4:] == [["BS,5,0,2,0", "BS,1,2,2,0"]]


@pytest.mark.parametrize(
    "command",
    [
        *("newboard,3,3", "playmode,line", "setconfig,use,2", "clear", "flushexcell", "mouse,left,alt,1,1"),
        *("mouse,left,bank,1", "mouse,left,0,0,2,2", "mouse,left,0.5,0", "key,1"),
    ],
)
def test_what_a_session_cannot_do_is_refused(command: str) -> None:
    with pytest.raises(FormatError, match="cannot be done in a session") as caught:
        datas("slither/3/3/o", command)
    assert caught.value.place == command
