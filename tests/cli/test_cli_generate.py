from __future__ import annotations

from pathlib import Path

from cli.conftest import Run

from e2.formats.load import load_puzzle


def test_a_generated_puzzle_is_read_again(e2: Run) -> None:
    ran = e2("generate", "--size", "6x4", "--colours", "7", "--seed", "3", "--framed", "--pins", "2")
    instance = load_puzzle(ran.out)
    assert (instance.width, instance.height, len(instance.hints)) == (6, 4, 2)


def test_count_puzzles_go_to_one_file_each(e2: Run, tmp_path: Path) -> None:
    assert e2("generate", "--size", "4", "--colours", "4", "--count", "3", "--out", tmp_path / "made").code == 0
    names = [path.stem for path in sorted((tmp_path / "made").iterdir())]
    assert names == ["planted_4x4_c4_s1", "planted_4x4_c4_s2", "planted_4x4_c4_s3"]


def test_a_place_that_cannot_be_written_is_told(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "made" / "planted_4x4_c4_s1.json").mkdir(parents=True)
    for out, said in (("file", "file cannot be made: File exists"), ("made", "cannot be written: it is a folder")):
        ran = e2("generate", "--size", "4", "--colours", "4", "--out", out)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err


def test_json_is_one_puzzle_a_line(e2: Run) -> None:
    ran = e2("generate", "--size", "4", "--colours", "4", "--count", "2", "--json")
    assert [record["width"] for record in ran.records] == [4, 4]


def test_nonsense_is_refused(e2: Run) -> None:
    for arguments, said in (
        (("--size", "x"), "neither a number nor WIDTHxHEIGHT"),
        (("--size", "65"), "width 65"),
        (("--count", "0"), "count: 0"),
        (("--pins", "99"), "pins: 99"),
    ):
        ran = e2("generate", *arguments)
        assert ran.code == 2
        assert said in ran.err
