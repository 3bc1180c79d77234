"""A reading held against a set, its own, a given one or the official one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from e2.core.official import OFFICIAL_HINTS, official_instance
from e2.errors import FormatError, PuzzleError
from e2.formats.convert import convert
from e2.formats.detect import read
from e2.formats.judge import judge
from e2.formats.load import load_puzzle

CASES = Path(__file__).parents[1] / "cases"


def text_of(file: str) -> str:
    return (CASES / file).read_bytes().decode("utf-8")


def test_a_board_that_fits_no_set_is_judged_without_one() -> None:
    seen = judge(read(text_of("url-clue1-6x6.txt")))
    assert (seen.board, seen.instance) == (None, None)
    assert (seen.audit.board_hash, seen.audit.outside_set, seen.audit.hints_total) == (None, None, None)
    assert seen.audit.is_legal


def test_the_same_board_is_legal_with_its_own_puzzle() -> None:
    seen = judge(read(text_of("url-clue1-6x6.txt")), load_puzzle(text_of("puzzle-clue1.json")))
    assert (seen.audit.score, seen.audit.duplicates, seen.audit.outside_set) == (60, (), 0)
    assert seen.audit.mandatory_hint_kept is None
    assert not seen.audit.official_set


def test_a_given_puzzle_brings_its_own_hints() -> None:
    puzzle = load_puzzle(text_of("puzzle-unpinned-00.json"))
    audit = judge(read(text_of("url-470-jef.txt")), puzzle).audit
    assert (audit.hints_kept, audit.hints_total, audit.mandatory_hint_kept) == (1, 1, True)


def test_a_board_of_another_size_does_not_belong_to_the_puzzle() -> None:
    with pytest.raises(FormatError, match="16x16, the size of puzzle"):
        judge(read(text_of("url-clue1-6x6.txt")), official_instance())


def test_a_board_against_the_wrong_puzzle_is_illegal() -> None:
    seen = judge(read(text_of("url-470-jef.txt")), load_puzzle(text_of("puzzle-bench-easy.json")))
    assert not seen.audit.is_legal
    assert seen.board is None


def test_a_board_of_another_16x16_set_is_not_held_against_the_official_one() -> None:
    link = convert(load_puzzle(text_of("puzzle-bench-easy.json")), "viewer_url", lossy=True)
    seen = judge(read(link))
    assert seen.audit.board_hash is None
    assert not seen.audit.official_set
    assert seen.audit.is_legal


def test_a_puzzle_is_no_board() -> None:
    with pytest.raises(FormatError, match="no board in it"):
        judge(read(text_of("puzzle-official.json")))


def test_an_empty_board_is_of_the_official_set() -> None:
    audit = judge(read("a" * 1024)).audit
    assert (audit.placed, audit.official_set, audit.hints_kept) == (0, True, 0)


def test_codes_alone_are_a_board() -> None:
    document = judge(read(text_of("doc-bandsaw-456.json")))
    alone = replace(document.reading, quads=None, numbers=None)
    assert judge(alone).audit == document.audit


def test_a_damaged_code_loses_against_the_edges() -> None:
    text = text_of("doc-bandsaw-456.json").replace('"board": [\n    3,', '"board": [\n    7,')
    audit = judge(read(text)).audit
    assert audit.score == 456
    assert "disagrees with the edges on cells 0" in audit.warnings[0]


def test_numbers_written_as_codes_without_turns_are_corrected_by_the_edges() -> None:
    document = judge(read(text_of("doc-bandsaw-456.json")))
    flat = replace(document.reading, codes=tuple(code & ~3 for code in document.reading.codes or ()))
    judged = judge(flat)
    assert judged.board == document.board
    assert any("disagrees" in warning for warning in judged.audit.warnings)


def test_a_puzzle_that_turns_grey_inside_is_no_puzzle() -> None:
    with pytest.raises(PuzzleError, match="turns grey right, to the inside"):
        load_puzzle(text_of("puzzle-hint-0-0-rot0.json"))


@pytest.mark.parametrize("number", range(10))
def test_the_variants_are_the_official_puzzle_with_three_corners_pinned(number: int) -> None:
    puzzle = load_puzzle(text_of(f"puzzle-variant-{number:02}.json"))
    assert puzzle.pieces == official_instance().pieces
    assert set(OFFICIAL_HINTS) < set(puzzle.hints)
    assert len(puzzle.hints) == 8
    assert load_puzzle(text_of(f"csv-variant-{number:02}.csv")).hints == puzzle.hints


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        ("pieces-david-truncated.txt", "an odd count can never be matched"),
        ("csv-thesil-3x3.csv", None),
        ("pieces-clue1-shorter.txt", None),
        ("csv-thesil-clue2-12x6.csv", None),
        ("csv-knud-pieces.csv", None),
        ("csv-quicky-3x3.txt", None),
        ("json-eii-4x4-dup-placed.json", None),
        ("pieces-david-04x03.txt", None),
        ("pieces-mrazvan-header-crlf.txt", None),
        ("pieces-pejic-256.txt", None),
    ],
)
def test_a_catalogue_of_another_tool_is_a_puzzle_or_says_why_not(file: str, fault: str | None) -> None:
    if fault is None:
        puzzle = load_puzzle(text_of(file))
        assert len(puzzle.pieces) == puzzle.width * puzzle.height
    else:
        with pytest.raises(PuzzleError, match=fault):
            load_puzzle(text_of(file))
