import os

import orjson
import pytest

from e2.core.audit import board_faults
from e2.core.board import Board
from e2.core.fingerprint import board_hash
from e2.core.generate import generated
from e2.core.score import score_board
from e2.errors import RunError
from e2.store.archive import Archive
from e2.store.documents import puzzle_document, read_puzzle, run_boards
from e2.store.layout import RunFolder, write_durably

PLANTED = generated(4, 4, 4, seed=1, pins=1)
INSTANCE = PLANTED.instance
SOLVED = PLANTED.codes
FULL = INSTANCE.grid.max_score
PIN = INSTANCE.hints[0].cell


def without(*cells):
    return tuple(-1 if cell in cells else code for cell, code in enumerate(SOLVED))


def score(codes):
    return score_board(Board(4, 4, codes), INSTANCE.pieces).matched


FREE = next(cell for cell in range(16) if cell != PIN)
LESS = without(FREE)


@pytest.fixture
def folder(tmp_path):
    folder = RunFolder.create(tmp_path / "run")
    write_durably(folder.puzzle, puzzle_document(INSTANCE))
    return folder


@pytest.fixture
def archive(folder):
    return Archive(folder, INSTANCE)


def names(path):
    return sorted(entry.name for entry in path.iterdir() if entry.is_file()) if path.exists() else []


def test_a_sound_board_has_no_faults():
    assert list(board_faults(SOLVED, FULL, INSTANCE)) == []
    assert list(board_faults(LESS, score(LESS), INSTANCE)) == []


@pytest.mark.parametrize(
    ("codes", "claimed", "fault"),
    [
        (SOLVED, FULL + 1, f"the engine claims {FULL + 1} matched seams, the board has {FULL}"),
        (SOLVED[:-1], FULL, "15 cells, the puzzle has 16"),
        ((*SOLVED[:-1], 64), FULL, "code 64 is no placement"),
        ((*SOLVED[:-1], -2), FULL, "code -2 is no placement"),
        (without(PIN), score(without(PIN)), f"the piece pinned at cell {PIN} was moved"),
    ],
)
def test_a_board_that_is_not_what_it_claims_is_told(codes, claimed, fault):
    assert any(fault in said for said in board_faults(codes, claimed, INSTANCE))


def test_a_piece_used_twice_is_told():
    twice = list(SOLVED)
    twice[0] = twice[3]
    assert any("lies on more than one cell" in said for said in board_faults(tuple(twice), 0, INSTANCE))


def test_grey_inside_is_told():
    turned = list(SOLVED)
    turned[0] ^= 1
    assert "cell 0 turns grey inside or a colour to the rim" in list(board_faults(tuple(turned), 0, INSTANCE))


def test_a_written_board_is_a_document_named_by_score_and_hash(archive, folder):
    found = archive.write(SOLVED, FULL)
    assert found.path == folder.boards / f"{FULL}_{board_hash(SOLVED)}.json"
    document = orjson.loads(found.path.read_bytes())
    assert (document["score"], document["board_hash"], tuple(document["board"])) == (FULL, board_hash(SOLVED), SOLVED)
    assert document["url"] == found.url


def test_boards_and_puzzle_of_a_run_read_back(archive, folder):
    archive.write(SOLVED, FULL)
    archive.write(LESS, score(LESS))
    assert read_puzzle(folder.puzzle) == INSTANCE
    read = run_boards(folder).boards
    assert {(candidate.board.codes, candidate.score) for candidate in read} == {(SOLVED, FULL), (LESS, score(LESS))}


def test_a_file_that_is_no_board_of_the_puzzle_is_refused(folder):
    other = generated(3, 3, 3, seed=1)
    Archive(folder, other.instance).write(other.codes, 12)
    with pytest.raises(RunError, match="is no board of the run's puzzle"):
        run_boards(folder)


def test_a_surpassed_board_that_was_announced_is_kept_among_the_earlier_ones(archive, folder):
    found = archive.write(LESS, score(LESS))
    archive.retire(found.score, found.board_hash, announced=True)
    assert names(folder.boards) == []
    assert names(folder.earlier) == [found.path.name]


def test_a_surpassed_board_that_nobody_heard_of_is_removed(archive, folder):
    found = archive.write(LESS, score(LESS))
    archive.retire(found.score, found.board_hash, announced=False)
    assert names(folder.boards) == names(folder.earlier) == []


def test_a_board_that_comes_back_leaves_the_earlier_ones(archive, folder):
    found = archive.write(LESS, score(LESS))
    archive.retire(found.score, found.board_hash, announced=True)
    archive.write(LESS, score(LESS))
    assert names(folder.boards) == [found.path.name]
    assert names(folder.earlier) == []


def test_what_a_crash_left_is_set_aside_and_drafts_go(archive, folder):
    kept, orphan = archive.write(SOLVED, FULL), archive.write(LESS, score(LESS))
    (folder.boards / ".1_2.json.tmp").write_bytes(b"half")
    archive.settle({(kept.score, kept.board_hash)})
    assert names(folder.boards) == [kept.path.name]
    assert names(folder.earlier) == [orphan.path.name]


def test_a_full_disk_loses_no_earlier_board(archive, folder, monkeypatch):
    kept = archive.write(LESS, score(LESS))
    before = kept.path.read_bytes()

    def full(handle):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(RunError, match="No space left on device"):
            archive.write(SOLVED, FULL)
    assert names(folder.boards) == [kept.path.name]
    assert kept.path.read_bytes() == before
    assert archive.write(SOLVED, FULL).path.exists()
