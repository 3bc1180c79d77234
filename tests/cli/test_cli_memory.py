"""e2 solve --memory: a beam as wide as fits."""

from pathlib import Path

import pytest

from e2.cluster.study import settings_from_toml

LIGHT = ("--executor", "inline", "--tasks", "1", "--json")


def test_memory_chooses_the_width_of_a_beam(e2, tmp_path):
    ran = e2("solve", *LIGHT, "--puzzle", "clue_1", "--strategy", "beam", "--memory", "201MB", "--out", "run")
    assert ran.code == 0
    settings = settings_from_toml((tmp_path / "run" / "settings.toml").read_text("utf-8"))
    assert settings.memory == 201_000_000
    assert 1000 < settings.parameters["width"] < 10_000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--strategy", "strict", "--memory", "1GB"), "strategy strict chooses nothing by it"),
        (("--strategy", "beam", "--memory", "100MB"), "beam takes"),
        (("--strategy", "beam", "--memory", "1GB", "--set", "width=5000000"), "beam takes"),
        (("--strategy", "beam", "--set", "width=9000000000"), "9000000000 takes"),
        (("--memory", "lots"), "memory = 'lots'"),
    ],
    ids=str,
)
def test_memory_that_cannot_be_is_refused_before_anything_runs(e2, arguments, said):
    ran = e2("solve", *LIGHT, *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert not Path("runs").exists()
