from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cli.conftest import Run

TINY = Path(__file__).parents[1] / "counts" / "tomy_4x4.json"
CONFIGS = Path(__file__).parents[2] / "configs"

STUDY = """
puzzles = ["tiny.json"]
seeds = 2
nodes = 300
executor = "inline"
arms.one.strategy = "breaks"
arms.two.strategy = "strict"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    shutil.copy(TINY, tmp_path / "tiny.json")
    (tmp_path / "small.toml").write_text(STUDY, "utf-8")
    return Path("small.toml")


def test_a_study_has_the_promised_keys_and_a_picture(e2: Run, file: Path, tmp_path: Path) -> None:
    ran = e2("study", file, "--json")
    assert ran.code == 0
    (record,) = ran.records
    assert list(record) == ["study", "complete", "arms", "differences", "picture"]
    assert (record["study"], record["complete"]) == ("runs/study-small", True)
    arm = "arm tasks due best worst nodes seconds mean interval per_puzzle"
    assert [" ".join(standing) for standing in record["arms"]] == [arm, arm]
    (difference,) = record["differences"]
    assert " ".join(difference) == "arm control pairs better equal worse mean interval verdict"
    assert (difference["arm"], difference["control"], difference["pairs"]) == ("two", "one", 2)
    assert (tmp_path / record["picture"]).read_text("utf-8").startswith("<svg")


def test_the_same_command_goes_on_and_prints_the_tables(e2: Run, file: Path) -> None:
    assert "one  2/2" in e2("study", file, "--out", "here").out.replace("    ", "  ")
    grown = e2("study", file, "--out", "here", "--seeds", 3)
    assert grown.code == 0
    assert [line.split()[:2] for line in grown.out.splitlines()[1:3]] == [["one", "3/3"], ["two", "3/3"]]
    assert grown.out.splitlines()[4].startswith("less one")


def test_a_wrong_study_is_bad_input_and_leaves_no_folder(e2: Run, file: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text(STUDY.replace("nodes = 300", "nodes = 0"), "utf-8")
    ran = e2("study", "wrong.toml")
    assert ran.code == 2
    assert ran.err == "error: arm one: nodes = 0: Input should be greater than or equal to 1\n"
    assert e2("study", "nothing.toml").code == 2
    assert not (tmp_path / "runs").exists()


def test_the_studies_that_come_with_e2_are_sound() -> None:
    from e2.cluster.survey import read_study

    texts = {path: path.read_text("utf-8") for path in CONFIGS.glob("*.toml")}
    studies = [read_study(text, CONFIGS) for text in texts.values() if "[arms." in text]
    assert studies
    assert all(len(study.parts) >= 2 for study in studies)
