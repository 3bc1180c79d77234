from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from cli.conftest import Run

KEYS = (
    *("puzzle_json", "puzzle_csv", "board_edges", "board_pieces", "hints", "e2pieces", "board_doc", "viewer_url"),
    "bucas_url",
)


def test_all_forms_are_written_or_say_why_not(e2: Run, cases: Path) -> None:
    record = e2("convert", "--json", cases / "edges-465.txt").records[0]
    assert set(record) == {"input", "format", "cannot", *KEYS}
    assert [key for key in KEYS if record[key] is None] == list(record["cannot"])
    assert record["cannot"].keys() == {"hints"}
    assert record["board_edges"] == (cases / "edges-465.txt").read_text().strip()


def test_a_board_doc_comes_out_with_the_bytes_it_came_in(e2: Run, cases: Path) -> None:
    ran = e2("convert", cases / "doc-best-of-321.json", "--to", "board_doc")
    published = orjson.loads((cases / "doc-best-of-321.json").read_bytes())
    written = orjson.loads(ran.out)
    assert published["url"].startswith(written["url"])
    assert ran.out == (cases / "doc-best-of-321.json").read_text().replace(published["url"], written["url"])


def test_a_loss_is_named_and_must_be_asked_for(e2: Run, cases: Path) -> None:
    ran = e2("convert", cases / "edges-465.txt", "--to", "board_pieces")
    assert (ran.code, ran.out) == (2, "")
    assert "board_pieces would lose the turns of 256 pieces" in ran.err
    ran = e2("convert", cases / "edges-465.txt", "--to", "board_pieces", "--lossy")
    assert ran.code == 0
    assert len(ran.out.strip()) == 768
    assert "lost: the turns of 256 pieces" in ran.err


def test_a_pin_that_csv_cannot_hold_is_refused(e2: Run, cases: Path) -> None:
    ran = e2("convert", cases / "puzzle-hint-0-0-rot0.json", "--to", "puzzle_csv")
    assert (ran.code, ran.out) == (2, "")
    assert "cell 0" in ran.err


def test_letters_may_be_written_in_another_order(e2: Run, cases: Path) -> None:
    ran = e2("convert", cases / "edges-470.txt", "--to", "bucas_url", "--motifs-order", "jef")
    assert "motifs_order=jef" in ran.out
    assert e2("verify", "--json", ran.out).records[0]["board_hash"] == 1438720972308980989


def test_the_preview_draws_the_board(e2: Run, cases: Path) -> None:
    ran = e2("convert", cases / "edges-465.txt")
    assert "viewer_url: https://eternity2.dev/viewer?" in ran.out
    assert "\nI " in ran.out
    assert "139" in ran.out


@pytest.mark.parametrize("name", ["../../x", "<script>alert(1)</script>", "a" * 5000, "", "\x1b[2J"])
def test_a_name_never_leaves_as_it_came(e2: Run, cases: Path, tmp_path: Path, name: str) -> None:
    puzzle = orjson.loads((cases / "puzzle-official.json").read_bytes())
    puzzle["name"] = name
    (tmp_path / "named.json").write_bytes(orjson.dumps(puzzle))
    ran = e2("convert", tmp_path / "named.json", "--to", "puzzle_json")
    assert ran.code == 0
    written = orjson.loads(ran.out)["name"]
    assert written
    assert set(written) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def test_a_form_of_a_hundred_characters_is_shown_whole(e2: Run) -> None:
    rest = '","width":1,"height":1,"numColors":0,"pieces":[[0,0,0,0]],"hints":[]}'
    puzzle = '{"name":"' + "x" * (91 - len(rest)) + rest
    assert len(puzzle) == 100
    assert f"puzzle_json: {puzzle}\n" in e2("convert", puzzle).out


def test_an_unknown_format_lists_the_known_ones(e2: Run, cases: Path) -> None:
    ran = e2("convert", cases / "edges-470.txt", "--to", "pdf")
    assert ran.code == 2
    assert "viewer_url" in ran.err


@pytest.mark.parametrize("hints", ["34.1-45.1-135.0-210.1-221.2", "135.0"])
def test_hints_may_be_the_text_itself(e2: Run, hints: str) -> None:
    ran = e2("convert", hints, "--puzzle", "eternity2", "--to", "hints")
    assert (ran.code, ran.out) == (0, hints + "\n")


def test_of_two_links_the_first_is_converted_and_it_says_so(e2: Run, cases: Path) -> None:
    ran = e2("convert", cases / "meta-465-two-urls.meta", "--to", "board_edges")
    assert (ran.code, len(ran.out.strip())) == (0, 1024)
    assert "note: 2 links here; this is the first" in ran.err


def test_a_failure_is_one_object_for_programs_too(e2: Run) -> None:
    ran = e2("convert", "--json", "missing.json")
    assert ran.code == 2
    assert set(ran.records[0]["error"]) == {"format", "place", "expected", "message"}
