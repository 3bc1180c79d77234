"""The 108 published BoardDocs: read and written again they are the same bytes, but for the older tail of their url."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest

from e2.formats.convert import convert
from e2.formats.detect import read
from e2.formats.judge import judge

TESTS = Path(__file__).parents[1]
BOARDS = sorted((TESTS / "boards").glob("*.json"))


def test_all_published_boards_are_here() -> None:
    assert len(BOARDS) == 108


@pytest.mark.parametrize("path", BOARDS, ids=[path.stem for path in BOARDS])
def test_a_published_board_comes_back_byte_for_byte(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    document = orjson.loads(text)
    judged = judge(read(text))
    assert judged.reading.format == "board_doc"
    assert judged.audit.score == document["score"]
    assert judged.audit.board_hash == document["board_hash"]
    assert judged.audit.hash_definition == "placement"
    assert list(judged.board.codes if judged.board else ()) == document["board"]
    without_tail = re.sub(r'("url": "[^"]*?)&board_pieces=[0-9]+"', r'\1"', text)
    assert convert(judged, "board_doc") == without_tail


@pytest.mark.parametrize(
    ("file", "score", "board_hash", "hints"),
    [
        ("url-470-blackwood.txt", 470, 1438720972308980989, 1),
        ("url-470-jef.txt", 470, 9931741405031093902, 1),
        ("url-469-mcgavin.txt", 469, 12494758305372335523, 1),
        ("url-468-blackwood.txt", 468, 1057019225396076774, 1),
        ("url-467-verhaard.txt", 467, 8046157635230604956, 1),
        ("edges-465.txt", 465, 12453067026644944154, 5),
    ],
)
def test_the_records_have_their_published_scores(file: str, score: int, board_hash: int, hints: int) -> None:
    audit = judge(read((TESTS / "cases" / file).read_text(encoding="utf-8"))).audit
    assert (audit.score, audit.board_hash, audit.hints_kept) == (score, board_hash, hints)
    assert audit.mandatory_hint_kept
    assert audit.is_legal
    assert audit.official_set
