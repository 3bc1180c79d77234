from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Run

from e2.formats.convert import convert
from e2.formats.load import load_board

CASES = Path(__file__).parent.parent / "cases"


def put(run: str, case: str, **changed: Any) -> Path:
    """A case as a BoardDoc in boards/ of a run below the current folder; `changed` replaces what it says of itself."""
    text = convert(load_board((CASES / case).read_text("utf-8")), "board_doc", lossy=True)
    document = json.loads(text) | changed
    path = Path("runs", run, "boards", f"{document['score']}_{document['board_hash']}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_the_best_boards_of_all_runs_come_first_and_once(e2: Run) -> None:
    put("a", "edges-465.txt")
    put("a", "url-470-blackwood.txt")
    put("deeper/b", "edges-465.txt")
    put("deeper/b", "edges-467.txt")
    ran = e2("best", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert [record["score"] for record in ran.records] == [470, 467, 465]
    first, last = ran.records[0], ran.records[-1]
    assert [Path(name).parts[1] for name in last["files"]] == ["a", "deeper"]
    assert (first["unmatched"], first["mismatched"], first["placed"], first["distinct_pieces"]) == (10, 10, 256, 256)
    assert (first["hints_kept"], first["hints_total"], first["mandatory_hint_kept"]) == (1, 5, True)
    assert first["official_set"] is True
    assert first["board_hash"] == 1438720972308980989
    for key in ("viewer_url", "bucas_url"):
        assert load_board(first[key]).audit.board_hash == 1438720972308980989
    assert len(first["board_pieces"]) == 768
    assert e2("best", "--json", "--top", 1).records == [first]


def test_only_the_runs_that_are_named_are_looked_at(e2: Run) -> None:
    put("a", "edges-465.txt")
    put("b", "edges-467.txt")
    assert [record["score"] for record in e2("best", "runs/a", "--json").records] == [465]
    assert [record["score"] for record in e2("best", "runs/a", "runs/b", "--json").records] == [467, 465]


def test_a_board_that_is_another_one_turned_is_named_as_such(e2: Run) -> None:
    put("a", "edges-465.txt")
    put("b", "edges-465-rot90.txt")
    records = e2("best", "--json").records
    assert [record["turn_of"] for record in records] == [None, records[0]["board_hash"]]
    assert f"the whole board {records[0]['board_hash']} turned" in e2("best").out


def test_no_claim_of_a_document_is_believed(e2: Run) -> None:
    put("a", "edges-465.txt", score=480, breaks=0, board_hash=7)
    record = e2("best", "--json").records[0]
    assert (record["score"], record["unmatched"]) == (465, 15)
    assert record["board_hash"] == load_board((CASES / "edges-465.txt").read_text()).audit.board_hash


def test_what_is_broken_is_reported_and_does_not_stop_the_rest(e2: Run, tmp_path: Path) -> None:
    put("a", "edges-465.txt")
    boards = Path("runs/a/boards")
    (boards / "480_1.json").write_text('{"name": "half')
    (boards / "480_2.json").write_bytes(b"\xff\xfe\x00")
    (boards / "480_3.json").write_text("[" * 100_000)
    os.mkfifo(boards / "480_4.json")
    duplicate = json.loads(put("a", "edges-467.txt").read_text())
    (boards / "467_1.json").write_text(json.dumps(duplicate | {"board_edges": duplicate["board_edges"][:4] * 256}))
    put("b", "edges-467.txt")
    Path("runs/b/puzzle.json").write_text("{}")
    ran = e2("best", "--json")
    assert ran.code == 0
    assert [record["score"] for record in ran.records] == [467, 465]
    told = ran.err.splitlines()
    assert len(told) == 6
    assert all(line.startswith("left out: runs/") for line in told)
    for name in ("480_1", "480_2", "480_3", "480_4", "467_1", "b/puzzle"):
        assert f"{name}.json: " in ran.err


def test_no_link_is_followed_out_of_the_folder(e2: Run, tmp_path: Path) -> None:
    kept = put("a", "edges-465.txt")
    outside = tmp_path / "outside"
    put("gone", "edges-467.txt").parent.parent.rename(outside)
    board = next((outside / "boards").iterdir())
    Path("runs/run").symlink_to(outside)
    Path("runs/b").mkdir()
    Path("runs/b/boards").symlink_to(outside / "boards")
    (kept.parent / "467_9.json").symlink_to(board)
    Path("runs/loop").symlink_to("..")
    ran = e2("best", "--json")
    assert [record["score"] for record in ran.records] == [465]
    for name in ("runs/run", "runs/b/boards", "runs/a/boards/467_9.json", "runs/loop"):
        assert f"left out: {name}: a link, not followed\n" in ran.err
    Path("named").symlink_to("runs")
    assert [record["score"] for record in e2("best", "named", "--json").records] == [465]


def test_a_board_of_another_puzzle_is_held_against_its_runs_puzzle(e2: Run) -> None:
    made = e2("generate", "--size", 4, "--colours", 4, "--seed", 1, "--out", "made")
    assert made.code == 0
    puzzle = next(Path("made").iterdir())
    assert (
        e2(
            "solve",
            "--puzzle",
            puzzle,
            "--strategy",
            "strict",
            "--tasks",
            1,
            "--executor",
            "inline",
            "--out",
            "runs/small",
        ).code
        == 0
    )
    record = e2("best", "--json").records[0]
    assert (record["score"], record["max_score"], record["official_set"]) == (24, 24, False)
    assert "16 distinct pieces of the puzzle's own set" in e2("best").out


def test_the_terminal_says_the_audit_and_the_links(e2: Run) -> None:
    put("a", "url-470-blackwood.txt")
    out = e2("best").out
    assert out.startswith("1. 470 / 480  Joshua_Blackwood_470\n")
    assert (
        "470 / 480 matched, 10 unmatched (10 mismatched), hints 1 of 5 (the mandatory one too), "
        "256 distinct pieces of the official set\n"
    ) in out
    assert "https://eternity2.dev/viewer?puzzle=" in out
    assert "https://e2.bucas.name/#puzzle=" in out


HOSTILE = "[x](javascript:y)|<img src=x onerror=z>\n# `*a*` @you https://evil.example"


def test_a_post_has_the_table_and_escapes_names(e2: Run) -> None:
    put("a", "edges-465.txt", name=HOSTILE)
    ran = e2("best", "--md")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("| | score |")
    assert lines[2].startswith("| 1 | 465 / 480 | 15 | ")
    assert "<img" not in ran.out
    assert "](javascript" not in ran.out
    assert "https://evil" not in ran.out
    assert not any(line.startswith("#") for line in lines)
    title = next(line for line in lines if line.startswith("**1."))
    assert r"\[x\]\(javascript\:y\)\|&lt;img src\=x" in title
    assert "[eternity2.dev](https://eternity2.dev/viewer?" in ran.out


def test_a_table_is_csv_and_runs_no_formula(e2: Run) -> None:
    put("a", "edges-465.txt", name='=HYPERLINK("http://evil"),x')
    put("a", "edges-467.txt", name="plain, with a comma")
    rows = list(csv.DictReader(io.StringIO(e2("best", "--csv").out)))
    assert [row["score"] for row in rows] == ["467", "465"]
    assert [row["name"] for row in rows] == ["plain, with a comma", '\'=HYPERLINK("http://evil"),x']
    assert set(rows[0]) == set(e2("best", "--json").records[0])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--md", "--json"), "expected one of them"),
        (("--top", "0"), "expected 1 or more"),
        (("nowhere",), "nowhere is no folder"),
        ((), "there is no board in runs"),
    ],
)
def test_what_cannot_be_listed_is_an_error(e2: Run, options: tuple[str, ...], said: str) -> None:
    Path("runs").mkdir()
    ran = e2("best", *options)
    assert ran.code == 2
    assert said in ran.err
