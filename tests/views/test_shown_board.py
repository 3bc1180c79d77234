from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import e2
from e2.formats.judge import Judged

CASES = Path(__file__).parent.parent / "cases"


def test_a_loaded_board_shows_itself_in_a_notebook() -> None:
    board = e2.load_board(CASES / "url-470-blackwood.txt")
    assert isinstance(board, Judged)
    assert board.audit.score == 470
    root = ElementTree.fromstring(board._repr_svg_())
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Joshua_Blackwood_470, 470 / 480"


def test_a_board_is_drawn_in_any_style_and_size() -> None:
    board = e2.load_board(CASES / "url-470-blackwood.txt")
    assert len({board.svg(), board.svg(style="letters"), board.svg(cell=20)}) == 3
    with pytest.raises(e2.E2Error, match="no style"):
        board.svg(style="none")


@pytest.mark.parametrize("name", ["bad-duplicate-piece.txt", "bad-mirrored.txt", "url-sample-4x4.txt"])
def test_an_illegal_board_and_one_of_no_known_set_show_themselves_too(name: str) -> None:
    board = e2.load_board(CASES / name)
    assert not board.audit.is_legal or board.board is None
    assert "board_edges: " in board._repr_svg_()
