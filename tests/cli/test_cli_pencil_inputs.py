"""What stands where a file is expected, for every command of `e2 pencil` that takes one."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Run

from e2.store.source import MAX_BYTES

COMMANDS = {
    "decode": ["decode", "X"],
    "solve": ["solve", "X"],
    "encode": ["encode", "X", "--pid", "slither"],
    "replay": ["replay", "X", "--puzzle", "slither/2/1/d2"],
    "replay saved": ["replay", "X"],
    "slink": ["slink", "X"],
    "cover": ["cover", "X"],
    "rectangle": ["rectangle", "--rows-from", "X", "--size", "3x3"],
}
MISSING = {
    "missing.txt": "no such file: missing.txt",
    "sub/missing.txt": "no such file: sub/missing.txt",
    "sub/3/missing.txt": "no such file: sub/3/missing.txt",
    "/nowhere/missing": "no such file: /nowhere/missing",
    "folder": "folder is a folder",
    "binary.dat": "binary.dat is no text (at byte 1)",
    "nul.txt": "nul.txt is no text (at character 1)",
    "large.txt": "large.txt is too long; expected at most 8 MiB",
}
EMPTY = {"rectangle": "none of the 0 words"}
"""Commands whose own reader says that nothing is there."""


@pytest.fixture
def files(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.txt").touch()
    (tmp_path / "blank.txt").write_text("\n \n")
    (tmp_path / "binary.dat").write_bytes(b"\x7f\xff\xd8")
    (tmp_path / "nul.txt").write_bytes(b"2\x00 2")
    (tmp_path / "large.txt").write_bytes(b"2 2\n" * (MAX_BYTES // 4 + 1))


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_with_a_text_in_it_is_told_apart(e2: Run, tmp_path: Path, command: str) -> None:
    there = sorted(tmp_path.iterdir())
    nothing = {name: EMPTY.get(command, f"nothing is in {name}") for name in ("empty.txt", "blank.txt")}
    wanted = {**MISSING, **nothing}
    wanted |= {name: f"no such file: {name}" for name in ("missing", "two words.txt")}
    if command != "rectangle":
        wanted["-"] = EMPTY.get(command, "nothing is in standard input")
    for name, said in wanted.items():
        arguments = [name if argument == "X" else argument for argument in COMMANDS[command]]
        ran = e2("pencil", *arguments)
        assert (ran.code, ran.out) == (2, ""), name
        assert said in ran.err, name
        assert "error" in e2("pencil", *arguments, "--json").records[-1], name
    assert sorted(tmp_path.iterdir()) == there


@pytest.mark.parametrize(
    "link", ["slither", "slither_edit/2/1/d.tx", "pzprv3/slither/1/1/d", "type=editor&slither/2/1/d.d", "x?slither.d"]
)
def test_a_link_that_looks_like_a_file_is_a_link(e2: Run, link: str) -> None:
    assert "no such file" not in e2("pencil", "decode", link).err


def test_an_unknown_puzzle_is_told_from_a_missing_file(e2: Run) -> None:
    assert "'sudoku' is no puzzle known here" in e2("pencil", "decode", "sudoku/9/9/h").err
    assert "no such file: sudoku/boards" in e2("pencil", "solve", "sudoku/boards").err
    for nothing in ("", " ", "\n"):
        assert (e2("pencil", "decode", nothing).code, e2("pencil", "solve", nothing).code) == (2, 2)


def test_a_byte_order_mark_is_no_part_of_a_text(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "link.txt").write_text("\ufeffslither/2/1/e\n", "utf-8")
    (tmp_path / "boards.txt").write_text("2 2\n2 2\n2 2\n0 0\n", "utf-16")
    assert e2("pencil", "solve", "link.txt").out.startswith("2x1, 1 clue: one loop")
    assert e2("pencil", "solve", "boards.txt").out.startswith("2x2, 4 clues: one loop")
