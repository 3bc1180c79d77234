from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.conftest import CASES, Run

PROMISED = {
    *("input", "format", "width", "height", "score", "max_score", "breaks", "placed", "mismatched", "duplicates"),
    *("outside_set", "frame_violations", "hints_kept", "hints_total", "official_set", "board_hash", "symmetry_hash"),
    *("hash_definition", "motifs_order", "claimed", "warnings"),
}

BAD = [entry for entry in json.loads((CASES / "index.json").read_text()) if entry["expect"]["status"] == "error"]


def test_the_records_have_their_published_scores_and_hashes(e2: Run, cases: Path) -> None:
    names = (
        "url-470-blackwood",
        "url-470-jef",
        "url-469-mcgavin",
        "url-468-blackwood",
        "url-467-verhaard",
        "edges-465",
    )
    ran = e2("verify", "--json", *(cases / f"{name}.txt" for name in names))
    assert ran.code == 0
    assert [(record["score"], record["board_hash"], record["hints_kept"]) for record in ran.records] == [
        (470, 1438720972308980989, 1),
        (470, 9931741405031093902, 1),
        (469, 12494758305372335523, 1),
        (468, 1057019225396076774, 1),
        (467, 8046157635230604956, 1),
        (465, 12453067026644944154, 5),
    ]


def test_a_record_has_every_promised_key(e2: Run, cases: Path) -> None:
    record = e2("verify", "--json", cases / "doc-wrong-score.json").records[0]
    assert record.keys() >= PROMISED
    assert record["claimed"]["score"] == 466
    assert record["score"] == 374
    assert any("claimed score 466 is wrong" in warning for warning in record["warnings"])


@pytest.mark.parametrize("entry", BAD, ids=[entry["id"] for entry in BAD])
def test_a_malformed_case_is_refused_with_format_place_and_expectation(e2: Run, entry: dict[str, object]) -> None:
    ran = e2("verify", "--json", CASES / str(entry["file"]))
    record = ran.records[0]
    if "error" in record:
        assert ran.code == 2
        assert set(record) == {"input", "error"}
        assert set(record["error"]) == {"format", "place", "expected", "message"}
        assert record["error"]["message"]
        assert ran.err == ""
    else:
        # It decodes, and what it decodes to is no board of its set.
        assert ran.code == 1
        assert record["legal"] is False


def test_an_illegal_board_is_a_no(e2: Run, cases: Path) -> None:
    ran = e2("verify", cases / "doc-dataset-e2b-00114.json")
    assert ran.code == 1
    assert "ILLEGAL        piece numbers used more than once: 181, 249" in ran.out


def test_one_bad_input_among_good_ones_is_told_and_the_rest_is_verified(e2: Run, cases: Path) -> None:
    ran = e2("verify", cases / "edges-470.txt", cases / "bad-letter-x.txt", cases / "edges-469.txt")
    assert ran.code == 2
    assert "470 of 480" in ran.out
    assert "469 of 480" in ran.out
    assert "'x' is no colour" in ran.err


def test_a_text_with_two_links_gives_two_records(e2: Run, cases: Path) -> None:
    assert [r["score"] for r in e2("verify", "--json", cases / "meta-465-two-urls.meta").records] == [465, 465]


def test_input_may_be_the_text_itself_or_standard_input(e2: Run, cases: Path) -> None:
    link = (cases / "url-468-blackwood.txt").read_text().strip()
    assert e2("verify", "--json", link).records[0]["score"] == 468
    assert e2("verify", "--json", "-", stdin=link.encode()).records[0]["score"] == 468
    assert e2("verify", "--json", "-", stdin=link.encode("utf-16")).records[0]["score"] == 468


def test_lenient_reads_what_decodes_and_says_how_much(e2: Run, cases: Path) -> None:
    assert e2("verify", cases / "bad-truncated-1000.txt").code == 2
    ran = e2("verify", "--lenient", "--json", cases / "bad-truncated-1000.txt")
    assert ran.records[0]["placed"] == 250
    assert any("250" in warning for warning in ran.records[0]["warnings"])


def test_a_folder_of_boards_is_verified_board_by_board(e2: Run) -> None:
    ran = e2("verify", "--json", CASES.parent / "boards")
    assert len(ran.records) == 108
    assert {record["hash_definition"] for record in ran.records} == {"placement"}


def test_a_bad_file_of_a_folder_is_named_and_the_rest_is_verified(e2: Run, cases: Path, tmp_path: Path) -> None:
    folder = tmp_path / "found"
    folder.mkdir()
    for name in ("doc-bandsaw-456", "doc-group3-1"):
        (folder / f"{name}.json").write_bytes((cases / f"{name}.json").read_bytes())
    (folder / "doc-broken.json").write_text("{")
    ran = e2("verify", "--json", "found")
    assert ran.code == 2
    assert [Path(record["input"]).stem for record in ran.records] == ["doc-bandsaw-456", "doc-broken", "doc-group3-1"]
    assert "error" in ran.records[1]
    assert "error: found/doc-broken.json: puzzle_json: not JSON" in e2("verify", "found").err


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("missing.json", "no such file: missing.json"),
        ("no/such/place", "no such file"),
        ("what is this?", "no format recognised"),
        ("", "input is empty"),
    ],
)
def test_what_is_no_board_is_refused(e2: Run, argument: str, said: str) -> None:
    ran = e2("verify", argument)
    assert ran.code == 2
    assert said in ran.err
    assert ran.out == ""


def test_a_name_of_no_puzzle_is_told_the_known_ones(e2: Run, cases: Path) -> None:
    for name in ("eternty", "clue9", "nopuzzle"):
        ran = e2("verify", cases / "edges-470.txt", "--puzzle", name)
        assert ran.code == 2
        assert f"error: puzzle: '{name}' is no puzzle; expected a file, the text of a puzzle, or one of " in ran.err


def test_names_cannot_write_to_the_terminal(e2: Run, cases: Path) -> None:
    letters = (cases / "edges-470.txt").read_text().strip()
    hostile = f"https://e2.bucas.name/#puzzle=a%1b[2Jb%0d<script>&board_w=16&board_h=16&board_edges={letters}"
    ran = e2("verify", hostile)
    assert ran.code == 0
    assert "\x1b" not in ran.out + ran.err
    assert "\r" not in ran.out + ran.err


def test_a_binary_file_is_no_text(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "board.bin").write_bytes(b"\x93NUMPY\x00\xff\xfe\xfa")
    ran = e2("verify", tmp_path / "board.bin")
    assert ran.code == 2
    assert "is no text (at byte 0)" in ran.err
