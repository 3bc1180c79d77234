from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from cli.conftest import Run

DOCUMENT = {
    "type": "pzpr",
    "version": 0.4,
    "current": 3,
    "trialpos": [1],
    "datas": [["BL,1,0,0,1"], ["TE,0,1"], ["BL,0,1,0,1", "BS,2,1,0,2"], ["BL,1,2,0,1"]],
}
LINK = "slither/2/1/d2"
FILE = """pzprv3.1
slither
1
2
3 2
0 0
1 -1 0
1 0
0 0
history:"""


def document_file(tmp_path: Path, document: object = DOCUMENT) -> str:
    (tmp_path / "history.json").write_bytes(orjson.dumps(document))
    return "history.json"


def test_a_document_is_drawn_at_its_step(e2: Run, tmp_path: Path) -> None:
    ran = e2("pencil", "replay", document_file(tmp_path), "--puzzle", "slither/2/1/32")
    assert ran.out.splitlines() == ["slither 2x1", "+---+   +", "| 3 x 2", "+   +   +", "step 3 of 4, in trial 1"]
    ran = e2("pencil", "replay", "history.json", "--puzzle", "slither/2/1/32", "--to", "0")
    assert ran.out.splitlines()[1:] == ["+   +   +", "  3   2", "+   +   +", "step 0 of 4"]


def test_the_document_comes_out_as_it_came_in(e2: Run, tmp_path: Path) -> None:
    record = e2("pencil", "replay", document_file(tmp_path), "--puzzle", LINK, "--json").records[0]
    assert record.keys() == {"pid", "position", "steps", "trials", "lines", "history"}
    assert orjson.dumps(record["history"]) == orjson.dumps(DOCUMENT)
    assert (record["position"], record["steps"], record["trials"]) == (3, 4, [1])


def test_a_saved_file_is_replayed_back_to_its_start(e2: Run, tmp_path: Path) -> None:
    for prefix in (FILE, FILE.replace("history:", 'info:{"metadata": {"author": "x/y"}, "history": ')):
        end = "}" if "info" in prefix else ""
        (tmp_path / "saved.txt").write_text(prefix + orjson.dumps(DOCUMENT).decode() + end + "\n")
        ran = e2("pencil", "replay", "saved.txt", "--to", "0")
        assert ran.code == 0
        assert ran.out.splitlines()[1:] == ["+   +   +", "  3   2", "+   +   +", "step 0 of 4"]
        assert e2("pencil", "replay", "saved.txt", "--json").records[0]["history"] == DOCUMENT


def test_a_file_whose_board_is_not_that_of_its_history_is_refused(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "saved.txt").write_text(FILE.replace("-1 0", "0 0") + orjson.dumps(DOCUMENT).decode())
    ran = e2("pencil", "replay", "saved.txt")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: pzpr history: qsub of the border at 2,1 is 0 (at datas[2][1]); expected 2\n"


def test_trials_are_accepted_and_rejected(e2: Run, tmp_path: Path) -> None:
    file = document_file(tmp_path)
    record = e2("pencil", "replay", file, "--puzzle", LINK, "--accept", "--json").records[0]
    assert record["history"]["datas"][3] == ["TF,[1]"]
    assert "trialpos" not in record["history"]
    record = e2("pencil", "replay", file, "--puzzle", LINK, "--reject", "--json").records[0]
    assert record["history"] == {"type": "pzpr", "version": 0.4, "current": 1, "datas": [["BL,1,0,0,1"]]}


def test_a_yajilin_is_drawn_through_its_cells(e2: Run, tmp_path: Path) -> None:
    document = {"type": "pzpr", "version": 0.4, "current": 1, "datas": [["BL,2,1,0,1", "BL,1,2,0,1", "CA,3,3,0,1"]]}
    ran = e2("pencil", "replay", document_file(tmp_path, document), "--puzzle", "yajilin/3/2/b11b")
    assert ran.out.splitlines()[1:-1] == [
        "+     +     +     +",
        "   +------    ^1",
        "+  |  +     +     +",
        "   |     #",
        "+     +     +     +",
    ]


def test_an_akari_has_lamps(e2: Run, tmp_path: Path) -> None:
    document = {"type": "pzpr", "version": 0.4, "current": 1, "datas": [["CA,3,1,0,1", "CS,5,1,0,1"]]}
    ran = e2("pencil", "replay", document_file(tmp_path, document), "--puzzle", "akari/3/1/.h")
    assert ran.out.splitlines() == ["akari 3x1", "# * .", "step 1 of 1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("history.json",), "expected --puzzle"),
        (("history.json", "--puzzle", "lits/1/1/"), "lits has no session"),
        (("history.json", "--puzzle", LINK, "--to", "9"), "no position 9"),
        (("history.json", "--puzzle", LINK, "--accept", "--reject"), "expected one of them"),
        (("history.json", "--puzzle", "slither/1/1/e"), "datas[3]"),
        (("plain.txt",), "there is no history"),
        (("plain.txt", "--puzzle", LINK), "has its board in it"),
        (("lits.txt",), "lits has no session"),
        (("nothing.json",), "no such file"),
    ],
)
def test_what_cannot_be_replayed_says_why(e2: Run, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    document = {**DOCUMENT, "datas": [*DOCUMENT["datas"][:3], ["BL,3,0,0,1"]]}  # type: ignore[index]
    document_file(tmp_path, document)
    (tmp_path / "plain.txt").write_text(FILE.removesuffix("history:"))
    (tmp_path / "lits.txt").write_text("pzprv3.1\nlits\n1\n1\n.\n")
    ran = e2("pencil", "replay", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_commands_are_performed_on_a_board(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "script.txt").write_text("mouse,left,0,0,4,0\n\nmouse,right,2,1\n")
    record = e2("pencil", "replay", "script.txt", "--puzzle", "slither/2/1/32", "--json").records[0]
    assert record["lines"] == ["+-------+", "  3 x 2", "+   +   +"]
    assert record["history"]["datas"] == [["BL,1,0,0,1"], ["BL,3,0,0,1"], ["BS,2,1,0,2"]]
    (tmp_path / "script.txt").write_text("mouse,left,0,0,4,0\nundo\n")
    ran = e2("pencil", "replay", "script.txt", "--puzzle", LINK)
    assert (ran.code, ran.out) == (2, "")
    assert "line 2" in ran.err
