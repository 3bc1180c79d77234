"""The boards in docs/boards are what docs/results.md says of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2.store.inputs import the_board, the_puzzle

DOCS = Path(__file__).parent.parent / "docs"
BOARDS = sorted((DOCS / "boards").glob("*.json"))


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_a_kept_board_keeps_all_hints_and_has_the_score_and_the_link_of_the_page(path: Path) -> None:
    judged = the_board(str(path), None)
    page = (DOCS / "results.md").read_text("utf-8")
    (row,) = (line for line in page.splitlines() if f"boards/{path.name}" in line)
    puzzle = judged.reading.name
    assert f"{judged.audit.score}_{judged.audit.board_hash}" == path.stem
    assert judged.board is not None
    hints = the_puzzle(puzzle).hints
    assert [judged.board.codes[hint.cell] for hint in hints] == [4 * hint.piece + hint.rot for hint in hints]
    assert f"| {puzzle} | {judged.audit.score} |" in row
    assert f"]({json.loads(path.read_text('utf-8'))['url']})" in row


def test_there_are_kept_boards() -> None:
    assert BOARDS
