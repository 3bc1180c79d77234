from __future__ import annotations

from pathlib import Path

from cli.conftest import Run


def test_the_same_board_in_two_formats_is_the_same(e2: Run, cases: Path) -> None:
    ran = e2("compare", "--json", cases / "edges-470.txt", cases / "url-470-blackwood.txt")
    assert ran.code == 0
    assert ran.records[0]["common"] == [1438720972308980989]
    assert ran.records[0]["only"] == [[], []]


def test_a_turned_board_is_another_board_and_that_is_said(e2: Run, cases: Path) -> None:
    ran = e2("compare", cases / "edges-465.txt", cases / "edges-465-rot90.txt")
    assert ran.code == 1
    assert ran.out.endswith("the same boards up to a quarter turn\n")


def test_documents_with_another_hash_definition_are_matched_and_named(e2: Run, cases: Path) -> None:
    ran = e2("compare", cases / "doc-dataset-e2b-00001.json", cases / "edges-469.txt")
    assert ran.code == 0
    assert "1 claim a hash by another definition: codes" in ran.out
    assert ran.out.endswith("the same boards\n")


def test_three_documents_of_one_board_are_one_board(e2: Run, cases: Path) -> None:
    ran = e2("compare", "--json", *(cases / f"doc-group3-{number}.json" for number in (1, 2, 3)))
    assert ran.records[0]["common"] == [3643832946390409700]


def test_one_input_is_not_enough(e2: Run, cases: Path) -> None:
    ran = e2("compare", cases / "edges-470.txt")
    assert ran.code == 2
    assert "two inputs" in ran.err


def test_a_board_of_no_known_set_asks_for_its_puzzle(e2: Run, cases: Path) -> None:
    ran = e2("compare", cases / "url-clue1-6x6.txt", cases / "url-clue1-6x6.txt")
    assert ran.code == 2
    assert "--puzzle" in ran.err
    assert e2("compare", "--puzzle", "clue_1", cases / "url-clue1-6x6.txt", cases / "url-clue1-6x6.txt").code == 0
