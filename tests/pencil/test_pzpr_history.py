"""Histories: records, replay, undo and redo, trials, and the document that is written back."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from e2.errors import FormatError
from e2.pencil.pzpr.commands import Command, Hand
from e2.pencil.pzpr.decode import decode
from e2.pencil.pzpr.history import MOST_GROUPS, Place, Session, history_record, read_history, read_record, replay
from e2.pencil.pzpr.saved import drawn_session, drawn_values, history_text

SLITHER, YAJILIN, AKARI = "slither/3/3/8cj", "yajilin/5/5/m32j10", "akari/3/2/.1ch"

# A left drag along the top in slither, a side crossed out, then a trial of two steps that is still open.
SLITHER_DOCUMENT = {
    "type": "pzpr",
    "version": 0.4,
    "current": 5,
    "trialpos": [3],
    "datas": [
        ["BL,1,0,0,1"],
        ["BL,3,0,0,1"],
        ["BS,5,0,0,2"],
        ["TE,0,1"],
        ["BL,0,1,0,1", "BL,0,3,0,1"],
        ["BS,5,0,2,0", "BL,5,0,0,1"],
    ],
}
YAJILIN_DOCUMENT = {
    "type": "pzpr",
    "version": 0.4,
    "current": 4,
    "datas": [["CA,3,1,0,1"], ["CS,5,1,0,1"], ["BL,2,3,0,1"], ["CS,5,1,1,0", "CA,5,3,0,1"]],
}
RECORDS = [
    *("CN,1,1,-1,4", "BL,1,0,0,1", "CA,3,1,0,1", "CS,5,1,0,1", "CB2,1,1,-1,3", "XN,2,2,-1,1", "EN,-1,1,-1,7"),
    *(
        "CR,1,1,[],[1,2]",
        "CR,1,1,[-2],[]",
        "AC",
        "AJ,expandup",
        "AT,turnr,0,0,6,6",
        "TE,0,1",
        "TF,[2,5]",
        "CZ,1,1,-1,2",
    ),
    *("CU,1,1,0,7", "CD,1,1,0,2", "CC,1,1,-1,3", "CM,1,1,-1,3", "CK,1,1,0,1"),
]


def session_of(link: str, document: dict[str, Any]) -> Session:
    decoded = decode(link)
    return replay(decoded.puzzle, decoded.board, read_history(document))


def started(link: str) -> Session:
    decoded = decode(link)
    return Session(decoded.puzzle, decoded.board)


def side(x: int, y: int, property: str = "line") -> Place:
    return ("border", property, "", x, y)


def cell(x: int, y: int, property: str) -> Place:
    return ("cell", property, "", x, y)


@pytest.mark.parametrize("text", RECORDS)
def test_a_record_is_written_as_it_was_read(text: str) -> None:
    assert str(read_record(text, "")) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "BL", "BL,1,1,0,1", "CS,2,3,0,1", "BL,1,0,0", "BL,1,0,0,1,1", "BL,01,0,0,1", "QQ,1,1,0,1", "BL2,1,0,0,1"),
        *("CN,1,1,-1,4\n", "CN,1,1,-1,1e3", "TE,0", "TF,[]", "TF,2", "AJ,", "AT,turnr,0,0", "CN,1,1,-1,99999999999"),
    ],
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_record(text, "datas[0][0]")
    assert caught.value.place == "datas[0][0]"


@pytest.mark.parametrize(("link", "document"), [(SLITHER, SLITHER_DOCUMENT), (YAJILIN, YAJILIN_DOCUMENT)])
def test_a_document_replays_to_its_board_and_back_to_the_start(link: str, document: dict[str, Any]) -> None:
    session, start = session_of(link, document), started(link)
    assert history_record(session.history()) == document
    drawn = dict(session.values)
    assert drawn != start.values
    session.go_to(0)
    assert session.values == start.values
    session.go_to(document["current"])
    assert session.values == drawn
    assert orjson.dumps(history_record(session.history())) == orjson.dumps(document)


def test_the_steps_of_a_document_are_on_the_board() -> None:
    session = session_of(SLITHER, SLITHER_DOCUMENT)
    assert [session.value(side(x, 0)) for x in (1, 3, 5)] == [1, 1, 0]
    assert session.value(side(5, 0, "qsub")) == 2
    assert session.value(side(0, 3)) == 1
    assert session.value(cell(1, 1, "qnum")) == 3
    assert session.redo()
    assert session.value(side(5, 0)) == 1
    assert not session.redo()
    session = session_of(YAJILIN, YAJILIN_DOCUMENT)
    assert session.value(cell(5, 3, "qans")) == 1
    assert session.value(cell(7, 5, "qdir")) == 3


def test_undo_stops_where_an_open_trial_begins() -> None:
    session = session_of(SLITHER, SLITHER_DOCUMENT)
    assert session.undo()
    assert not session.undo()
    assert session.position == 4


def test_an_accepted_trial_is_a_step_that_can_be_undone() -> None:
    session = session_of(SLITHER, SLITHER_DOCUMENT)
    session.accept_trial()
    record = history_record(session.history())
    assert record["datas"][5] == ["TF,[3]"]
    assert "trialpos" not in record
    assert len(record["datas"]) == 6
    assert session.value(side(0, 1)) == 1
    assert session.undo()
    assert session.trials == [3]
    again = session_of(SLITHER, record)
    assert history_record(again.history()) == record


def test_a_rejected_trial_is_gone_for_good() -> None:
    session = session_of(SLITHER, SLITHER_DOCUMENT)
    session.reject_trial()
    record = history_record(session.history())
    assert record["datas"] == SLITHER_DOCUMENT["datas"][:3]  # type: ignore[index]
    assert record["current"] == 3
    assert session.value(side(0, 1)) == 0
    assert not session.redo()
    assert session.undo()


def test_trials_nest_and_may_be_rejected_one_by_one_or_all() -> None:
    def nested() -> Session:
        session = started(AKARI)
        session.enter_trial()
        session.enter_trial()  # nothing was done yet: no second one
        session.change(cell(3, 3, "qans"), 1)
        session.enter_trial()
        session.change(cell(5, 3, "qans"), 1)
        assert [str(record) for group in session.groups for record in group] == [
            *("TE,0,1", "CA,3,3,0,1", "TE,1,2", "CA,5,3,0,1")
        ]
        assert session.trials == [0, 2]
        return session

    session = nested()
    session.reject_trial()
    assert (session.trials, session.position, session.value(cell(3, 3, "qans"))) == ([0], 2, 1)
    session = nested()
    session.reject_trial(all=True)
    assert (session.trials, session.groups, session.value(cell(3, 3, "qans"))) == ([], [], 0)
    session = nested()
    session.accept_trial()
    assert str(session.groups[-1][0]) == "TF,[0,2]"


def test_a_trial_in_which_nothing_was_done_leaves_no_trace() -> None:
    session = started(AKARI)
    session.enter_trial()
    session.accept_trial()
    assert history_record(session.history()) == {"type": "pzpr", "version": 0.4}


def test_numbers_typed_into_one_cell_are_one_record() -> None:
    session = started("slither/2/2/j")
    for number in (1, 2, 3):
        session.new_step()
        session.change(cell(1, 1, "qnum"), number)
    assert history_record(session.history())["datas"] == [["CN,1,1,-1,3"]]
    session.change(cell(1, 1, "qnum"), -1)
    assert session.groups == []
    session.change(cell(1, 1, "qans"), 1)
    session.change(cell(1, 1, "qans"), 0)
    assert history_record(session.history())["datas"] == [["CA,1,1,0,1", "CA,1,1,1,0"]]


def test_a_change_after_an_undo_drops_what_was_undone() -> None:
    session = started(SLITHER)
    for x in (1, 3, 5):
        session.new_step()
        session.change(side(x, 0), 1)
    session.undo()
    session.undo()
    session.change(side(1, 6), 1)
    assert history_record(session.history())["datas"] == [["BL,1,0,0,1"], ["BL,1,6,0,1"]]


ACTIONS = st.one_of(
    st.tuples(
        st.just("change"), st.sampled_from([side(1, 0), side(0, 1), side(2, 3), side(1, 0, "qsub")]), st.integers(0, 2)
    ),
    st.tuples(st.just("change"), st.sampled_from([cell(1, 1, "qnum"), cell(3, 3, "qnum")]), st.integers(-1, 3)),
    st.sampled_from([(name,) for name in ("new_step", "undo", "redo", "enter_trial", "accept_trial", "reject_trial")]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(ACTIONS, max_size=30))
def test_whatever_is_done_the_document_replays_to_it(actions: list[tuple[Any, ...]]) -> None:
    session, start = started(SLITHER), started(SLITHER)
    for name, *arguments in actions:
        before = dict(session.values)
        moved = getattr(session, name)(*arguments)
        if name == "undo" and moved:
            assert session.redo()
            assert session.values == before
            assert session.undo()
    document = orjson.loads(orjson.dumps(history_record(session.history())))
    again = session_of(SLITHER, document)
    assert again.values == session.values
    assert again.trials == session.trials
    assert history_record(again.history()) == document
    blank = decode("slither/3/3/o")
    kept = replay(blank.puzzle, blank.board, read_history(document), session.values)
    assert kept.values == session.values
    again.go_to(0)
    assert again.values == start.values


def test_a_document_with_times_keeps_them() -> None:
    document = {
        "type": "pzpr",
        "version": 0.4,
        "time": 5000,
        "current": 2,
        "datas": [{"ope": ["BL,1,0,0,1"], "time": 1200}, {"ope": ["BL,3,0,0,1"], "time": 1300}],
    }
    decoded, history = decode(SLITHER), read_history(document)
    session = replay(decoded.puzzle, decoded.board, history)
    assert history_record(session.history(history)) == document
    session.undo()
    session.change(side(5, 0), 1)
    assert history_record(session.history(history))["datas"] == [
        {"ope": ["BL,1,0,0,1"], "time": 1200},
        {"ope": ["BL,5,0,0,1"], "time": 1200},
    ]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"type": "x"}, "type"),
        ({"extra": 1}, "type"),
        ({"version": "0.4"}, "version"),
        ({"current": 7}, "current"),
        ({"current": -1}, "current"),
        ({"current": True}, "current"),
        ({"trialpos": [4, 3]}, "trialpos"),
        ({"trialpos": [2]}, "trialpos"),
        ({"datas": 1}, "datas"),
        ({"datas": [1]}, "datas[0]"),
        ({"datas": [[1]], "current": 0, "trialpos": []}, "datas[0][0]"),
        ({"datas": [["BL,1,0,1,0"]], "current": 1, "trialpos": []}, "datas[0][0]"),
        ({"datas": [["BL,1,8,0,1"]], "current": 0, "trialpos": []}, "datas[0][0]"),
        ({"datas": [["XN,2,2,-1,1"]], "current": 0, "trialpos": []}, "datas[0][0]"),
        ({"datas": [["AC"]], "current": 0, "trialpos": []}, "datas[0][0]"),
        ({"datas": [["CD,1,1,0,5"]], "current": 0, "trialpos": []}, "datas[0][0]"),
        ({"datas": [["TE,1,2"]], "current": 0, "trialpos": []}, "datas[0][0]"),
        ({"datas": [["TE,0,1"], ["BL,1,0,0,1"], ["TF,[1]"]], "current": 3, "trialpos": []}, "datas[2][0]"),
        ({"datas": [["TF,[0]"]], "current": 1, "trialpos": []}, "datas[0][0]"),
        ({"datas": [[], {"ope": [], "time": 1}], "current": 0, "trialpos": []}, "datas"),
        ({"datas": [{"ope": []}], "current": 0, "trialpos": []}, "datas[0]"),
    ],
)
def test_a_document_that_is_wrong_is_refused_with_its_place(changes: dict[str, Any], place: str) -> None:
    with pytest.raises(FormatError) as caught:
        session_of(SLITHER, {**SLITHER_DOCUMENT, **changes})
    assert caught.value.place == place


def test_very_many_open_trials_are_replayed_in_time() -> None:
    groups = [[f"TE,{number},{number + 1}"] for number in range(MOST_GROUPS)]
    document = {"type": "pzpr", "version": 0.4, "current": 0, "datas": groups}
    began = time.process_time()
    assert session_of(SLITHER, document).trials == []
    assert time.process_time() - began < 20


def test_a_saved_file_accepts_no_trials_that_never_began() -> None:
    decoded = decode("slither/3/3/o")
    document = {"type": "pzpr", "version": 0.4, "current": 2, "datas": [["TF,[0,2]"], ["BL,1,0,0,1"]]}
    with pytest.raises(FormatError) as caught:
        replay(decoded.puzzle, decoded.board, read_history(document), {side(1, 0): 1})
    assert caught.value.place == "datas[0][0]"


@pytest.mark.parametrize("document", [5, "x", [], None])
def test_what_is_no_object_is_no_document(document: object) -> None:
    with pytest.raises(FormatError) as caught:
        read_history(document)
    assert caught.value.place == "history"


def test_a_puzzle_without_a_session_is_refused() -> None:
    with pytest.raises(FormatError, match="lits has no session"):
        started("lits/2/2/oo")


@pytest.mark.parametrize(("link", "place"), [(AKARI, side(2, 1)), (YAJILIN, side(0, 1)), (SLITHER, side(1, 8))])
def test_a_side_that_cannot_be_drawn_on_is_refused(link: str, place: Place) -> None:
    with pytest.raises(FormatError, match="there is no border"):
        started(link).change(place, 1)


SAVED = """pzprv3.1
slither
2
3
f
. . .
. - 3
0 0 1
0 2 0
1 0 0 1
1 -1 0 1
1 1 1
0 1 0
1 0 1
history:{
 "type": "pzpr",
 "version": 0.4
}
"""


def test_a_saved_file_holds_what_is_drawn() -> None:
    decoded = decode(SAVED)
    assert decoded.board.cells == (-1, -1, -1, -1, -2, 3)
    values = drawn_values(decoded.puzzle, decoded.board, decoded.link.body)
    lines = {place[3:] for place in values if place[1] == "line"}
    assert lines == {(0, 1), (6, 1), (0, 3), (6, 3), (1, 0), (3, 0), (5, 0), (3, 2), (1, 4), (5, 4)}
    assert {place: value for place, value in values.items() if place[1] == "qsub"} == {
        side(2, 3, "qsub"): 2,
        cell(5, 1, "qsub"): 1,
        cell(3, 3, "qsub"): 2,
    }
    found = history_text(decoded.link.body)
    assert found is not None
    assert orjson.loads(found[0]) == {"type": "pzpr", "version": 0.4}


def test_a_saved_yajilin_and_akari_hold_what_is_drawn() -> None:
    decoded = decode("pzprv3/yajilin/2/3/. . 1,0 /. . . /# + . /. . . /1 0 /0 0 /0 -1 0 /")
    assert drawn_values(decoded.puzzle, decoded.board, decoded.link.body) == {
        cell(1, 1, "qans"): 1,
        cell(3, 1, "qsub"): 1,
        side(2, 1): 1,
        side(3, 2, "qsub"): 2,
    }
    decoded = decode("pzprv3/lightup/1/3/# 2 + /")
    assert decoded.board.cells == (-1, 2, -1)
    values = drawn_values(decoded.puzzle, decoded.board, decoded.link.body)
    assert values == {cell(1, 1, "qans"): 1, cell(5, 1, "qsub"): 1}


def test_a_saved_shakashaka_holds_triangles_dots_and_numbers_that_are_done() -> None:
    decoded = decode("pzprv3/shakashaka/1/6/2 . . . . . /- 2 5 + 1 6 /")
    assert drawn_values(decoded.puzzle, decoded.board, decoded.link.body) == {
        cell(1, 1, "qcmp"): 1,
        cell(3, 1, "qans"): 2,
        cell(5, 1, "qans"): 5,
        cell(7, 1, "qsub"): 1,
    }
    decoded = decode("pzprv3/lightup/1/2/2 # /- . /")
    values = drawn_values(decoded.puzzle, decoded.board, decoded.link.body)
    assert values == {cell(1, 1, "qcmp"): 1, cell(3, 1, "qans"): 1}


def test_the_oldest_slither_files_have_no_colours() -> None:
    decoded = decode("pzprv3/slither/1/2/3 . /1 0 -1 /1 0 /0 2 /")
    assert drawn_values(decoded.puzzle, decoded.board, decoded.link.body) == {
        side(0, 1): 1,
        side(4, 1, "qsub"): 2,
        side(1, 0): 1,
        side(3, 2): 2,
    }


def test_only_a_file_of_a_puzzle_with_a_session_has_something_drawn() -> None:
    assert drawn_session(decode("pzprv3/shakashaka/1/1/. /. /")) is None
    assert drawn_session(decode("slither/1/1/e")) is None
    assert drawn_session(decode("pzprv3/nurikabe/1/2/# . /")) is None
    session = drawn_session(decode("pzprv3/shakashaka/1/2/1 . /. 3 /"))
    assert session is not None
    assert session.values == {cell(1, 1, "qnum"): 1, cell(3, 1, "qans"): 3}


def test_a_shakashaka_is_replayed_and_taken_back() -> None:
    document = {
        "type": "pzpr",
        "version": 0.4,
        "current": 3,
        "datas": [["CA,3,1,0,2"], ["CA,3,1,2,0", "CS,3,1,0,1"], ["CA,3,1,0,4", "CS,3,1,1,0"], ["CK,1,1,0,1"]],
    }
    session = session_of("shakashaka/2/1/b", document)
    assert session.value(cell(3, 1, "qans")) == 4
    saved = decode("pzprv3/shakashaka/1/2/1 . /. 4 /")
    drawn = drawn_values(saved.puzzle, saved.board, saved.link.body)
    again = replay(saved.puzzle, saved.board, read_history(document), drawn)
    assert again.values == session.values
    assert history_record(again.history()) == document
    with pytest.raises(FormatError, match="cannot be done"):
        Hand(session).perform(Command("mouse", ("left", "3", "1")))


def test_a_number_that_was_marked_needs_no_place_in_the_file() -> None:
    """Files of yajilin and older ones of akari do not hold the mark, though the history does."""
    document = {"type": "pzpr", "version": 0.4, "current": 2, "datas": [["CK,1,1,0,1"], ["CA,3,1,0,1"]]}
    for text in ("pzprv3/yajilin/1/2/1,0 . /. # /0 /", "pzprv3/lightup/1/2/1 # /"):
        saved = decode(text)
        drawn = drawn_values(saved.puzzle, saved.board, saved.link.body)
        session = replay(saved.puzzle, saved.board, read_history(document), drawn)
        assert session.value(cell(1, 1, "qcmp")) == 1
        session.go_to(0)
        assert session.value(cell(1, 1, "qcmp")) == 0


DATA = Path(__file__).parent / "data"
SOLVED = orjson.loads((DATA / "slither_blank_cases.json").read_bytes())["cases"][:20]


@pytest.mark.parametrize("case", SOLVED, ids=lambda case: case["url"])
def test_a_solved_slither_is_recorded_and_replayed_and_taken_back(case: dict[str, Any]) -> None:
    session = started(case["url"])
    hand = Hand(session)
    givens = dict(session.values)
    for row, sides in enumerate(case["h"]):
        for column, drawn in enumerate(sides):
            if drawn:
                hand.perform(
                    Command("mouse", ("left", f"{2 * column}", f"{2 * row}", f"{2 * column + 2}", f"{2 * row}"))
                )
            else:
                hand.perform(Command("mouse", ("right", f"{2 * column + 1}", f"{2 * row}")))
    session.enter_trial()
    for row, sides in enumerate(case["v"]):
        for column, drawn in enumerate(sides):
            if drawn:
                hand.perform(
                    Command("mouse", ("left", f"{2 * column}", f"{2 * row}", f"{2 * column}", f"{2 * row + 2}"))
                )
    session.accept_trial()
    lines = {place[3:] for place in session.values if place[1] == "line"}
    level = {(2 * x + 1, 2 * y) for y, sides in enumerate(case["h"]) for x, drawn in enumerate(sides) if drawn}
    upright = {(2 * x, 2 * y + 1) for y, sides in enumerate(case["v"]) for x, drawn in enumerate(sides) if drawn}
    assert lines == level | upright
    document = orjson.loads(orjson.dumps(history_record(session.history())))
    again = session_of(case["url"], document)
    assert again.values == session.values
    while again.undo():
        pass
    assert again.values == givens
    assert again.position == 0
    while again.redo():
        pass
    assert history_record(again.history()) == document


def test_a_saved_yajilin_goes_back_to_its_link_and_forth_again() -> None:
    text = (DATA / "saved_yajilin.txt").read_text()
    saved, link = decode(text), decode("yajilin/5/5/m32j10")
    found = history_text(saved.link.body)
    assert found is not None
    document = orjson.loads(found[0])
    drawn = drawn_values(saved.puzzle, saved.board, saved.link.body)
    session = replay(saved.puzzle, saved.board, read_history(document), drawn)
    assert history_record(session.history()) == document
    end = dict(session.values)
    while session.undo():
        pass
    assert session.values == started("yajilin/5/5/m32j10").values
    assert saved.board == link.board
    forth = session_of("yajilin/5/5/m32j10", document)
    assert forth.values == end
    assert sum(place[1] == "line" for place in end) == 20
    assert {place[3:] for place in end if place[1] == "qans"} == {(1, 5), (5, 5), (7, 9)}
