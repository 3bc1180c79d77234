"""Every vector: links with what the real pzprjs reads in them and writes for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from e2.errors import FormatError
from e2.pencil.pzpr.board import UNREADABLE
from e2.pencil.pzpr.decode import decode, encode
from e2.pencil.pzpr.document import board_of_record, decoded_record, flags_of_record

VECTORS: list[dict[str, Any]] = orjson.loads((Path(__file__).parent / "data/pzpr_vectors.json").read_bytes())["vectors"]
FORMS = {
    "PZPRV3": "v3",
    "PZPRAPP": "applet",
    "KANPEN": "kanpen",
    "KANPENP": "kanpen-v3",
    "HEYAAPP": "heyawake-applet",
    "PZPRFILE": "file",
    "FILE": "file",
}
CONFIG = {
    "f": ("slither_full", "loop_full"),
    "o": ("yajilin_out",),
    "b": ("disptype_yajilin",),
    "t": ("fillomino_tri",),
    "x": ("akichi_maximum",),
}
NO_BOARD = {"malformed-or-edge-1029", "malformed-or-edge-1030", "malformed-or-edge-1035"}
"""`slither/5`, `slither/5/cbcbcddad` and `slither/5.5/5/a`: pzprjs goes on with a size of NaN or of five and a half; a
board of that size cannot be, so we refuse it."""
READ = [vector for vector in VECTORS if vector["expect"]["ok"] and vector["id"] not in NO_BOARD]
REFUSED = [vector for vector in VECTORS if vector not in READ]


def named(vector: dict[str, Any]) -> str:
    return str(vector["id"])


def test_there_are_as_many_vectors_as_were_made() -> None:
    assert (len(VECTORS), len(REFUSED)) == (523, 11)


@pytest.mark.parametrize("vector", READ, ids=named)
def test_a_link_is_read_and_written_as_pzprjs_does(vector: dict[str, Any]) -> None:
    expected = vector["expect"]
    decoded = decode(vector["input"])
    board, link = decoded.board, decoded.link
    assert link.form == FORMS[expected["type"]]
    assert (decoded.puzzle.pid, decoded.puzzle.urlid) == (expected["pid"], expected["urlid"])
    assert (link.mode, link.pflag) == (expected["mode"], expected["pflag"])
    assert (board.cols, board.rows) == (expected["cols"], expected["rows"])
    assert [None if value == UNREADABLE else value for value in board.cells] == expected["cells"]
    borders = expected.get("borders", {"v": "0" * len(board.upright), "h": "0" * len(board.level)})
    assert "".join(map(str, board.upright)) == borders["v"]
    assert "".join(map(str, board.level)) == borders["h"]
    assert list(board.directions) == expected.get("qdir", [0] * len(board.directions))
    assert list(board.crosses) == expected.get("cross", [-1] * len(board.crosses))
    assert decoded.leftover == expected.get("leftover", "")
    assert decoded.canonical == expected["canonical"]
    assert decoded.flags == expected["canonical_pflag"]
    config = {key for letter in decoded.flags for key in CONFIG[letter]} & set(expected["config"])
    assert config == set(expected["config"]) - {"variant", "variantid"}
    assert ("variant" in expected["config"]) == (link.variant is not None)


@pytest.mark.parametrize("vector", REFUSED, ids=named)
def test_what_is_no_board_is_refused_with_its_place(vector: dict[str, Any]) -> None:
    with pytest.raises(FormatError) as caught:
        decode(vector["input"])
    assert caught.value.place in ("pid", "columns", "rows")
    assert caught.value.expected


def test_the_canonical_link_is_read_strictly_to_the_same_board() -> None:
    for vector in READ:
        decoded = decode(vector["input"])
        again = decode(vector["expect"]["canonical"], strict=True)
        assert (again.canonical, again.warnings) == (vector["expect"]["canonical"], ()), vector["id"]
        assert again.board == decoded.board or UNREADABLE in decoded.board.cells, vector["id"]


@pytest.mark.parametrize("vector", [vector for vector in READ if "file" in vector["expect"]], ids=named)
def test_a_file_holds_what_its_link_holds(vector: dict[str, Any]) -> None:
    decoded, file = decode(vector["input"]), decode(vector["expect"]["file"])
    assert file.board.cells == decoded.board.cells
    assert file.flags == decoded.flags.replace("b", "")
    if vector["id"] != "history-0974":  # a file by room number has no place for a border inside of a room
        assert file.board == decoded.board


@pytest.mark.parametrize("vector", [vector for vector in READ if vector["expect"].get("kanpen")], ids=named)
def test_a_kanpen_link_holds_what_its_link_holds(vector: dict[str, Any]) -> None:
    assert decode(vector["expect"]["kanpen"]).board == decode(vector["input"]).board


def test_the_record_of_a_link_is_written_as_the_link() -> None:
    for vector in READ:
        decoded = decode(vector["input"])
        record = orjson.loads(orjson.dumps(decoded_record(decoded)))
        board = board_of_record(decoded.puzzle, record)
        flags = flags_of_record(decoded.puzzle, {"pflag": decoded.flags})
        link = encode(decoded.puzzle, board, flags=flags, variant=record["variant"])
        assert link == vector["expect"]["canonical"], vector["id"]
