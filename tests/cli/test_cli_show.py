from __future__ import annotations

import os
from pathlib import Path

from cli.conftest import Run


def test_a_board_is_drawn_with_a_bar_on_every_mismatched_seam(e2: Run, cases: Path) -> None:
    ran = e2("show", cases / "edges-465.txt")
    assert ran.code == 0
    # 15 mismatched seams, of which some lie between columns (one mark) and some between rows (three).
    assert ran.out.count("┃") + ran.out.count("━━━") == 15


def test_a_puzzle_shows_its_hints(e2: Run) -> None:
    ran = e2("show", "eternity2")
    assert ran.code == 2  # a name is a puzzle only for --puzzle
    ran = e2("show", "--json", "hints=34.1-45.1-135.0-210.1-221.2")
    assert sum("139" in line for line in ran.records[0]["lines"]) == 1


def test_a_board_of_no_known_set_shows_its_letters(e2: Run, cases: Path) -> None:
    assert "ajja" in e2("show", cases / "url-sample-4x4.txt").out


def test_a_pipe_is_not_replaced_by_a_picture(e2: Run, cases: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    ran = e2("show", cases / "edges-465.txt", "--svg", "pipe")
    assert (ran.code, ran.err) == (2, "error: pipe cannot be written: it is no file\n")
    assert (tmp_path / "pipe").is_fifo()


def test_a_puzzle_without_hints_has_nothing_to_show(e2: Run, cases: Path) -> None:
    ran = e2("show", cases / "puzzle-clue1.json")
    assert ran.code == 2
    assert "no board and no hint" in ran.err
