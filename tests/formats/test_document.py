"""Documents made straight from core values, as a run folder and a generator write them."""

from __future__ import annotations

import pytest

from e2.core.board import EMPTY, Board
from e2.core.fingerprint import fnv1a_64
from e2.core.instance import Hint, Instance
from e2.core.official import official_instance
from e2.core.pieces import PieceSet
from e2.errors import FormatError
from e2.formats.convert import convert
from e2.formats.detect import read
from e2.formats.format import Document
from e2.formats.judge import judge
from e2.formats.load import load_puzzle

SMALL = Instance.checked("two_by_two", 2, 2, PieceSet(((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 0, 0), (3, 0, 0, 4))))


def test_an_instance_is_written_and_loaded_again() -> None:
    again = load_puzzle(convert(official_instance(), "puzzle_json"))
    assert again == official_instance()


def test_a_board_of_an_instance_is_written_and_judged_again() -> None:
    board = Board(2, 2, (0, 4, EMPTY, 12))
    text = convert(Document.of_board(board, SMALL), "board_doc")
    judged = judge(read(text), SMALL)
    assert judged.board == board
    assert judged.reading.name == "two_by_two"
    assert judged.audit.hash_definition == "placement"
    assert judged.audit.warnings == ()


def test_a_piece_pinned_twice_has_no_line_in_puzzle_csv() -> None:
    puzzle = Document.of_puzzle(Instance("x", 2, 2, SMALL.pieces, (Hint(1, 0, 1), Hint(2, 0, 3))))
    with pytest.raises(FormatError, match="a piece is pinned twice"):
        convert(puzzle, "puzzle_csv")


def test_the_board_doc_is_laid_out_as_published() -> None:
    text = convert(Document.of_board(Board(2, 2, (0, EMPTY, EMPTY, EMPTY)), SMALL), "board_doc")
    assert text == (
        "{\n"
        '  "name": "two_by_two",\n'
        '  "size": 2,\n'
        '  "score": 0,\n'
        '  "breaks": 4,\n'
        '  "board": [\n    0,\n    -1,\n    -1,\n    -1\n  ],\n'
        f'  "board_hash": {fnv1a_64(bytes(3) + 3 * bytes((255, 255, 0)))},\n'
        '  "board_edges": "abcaaaaaaaaaaaaa",\n'
        '  "board_pieces": "001000000000",\n'
        '  "url": "https://eternity2.dev/viewer?puzzle=two_by_two&puzzle_size=2&board_edges=abcaaaaaaaaaaaaa"\n'
        "}"
    )
