"""The settings in configs/ are settings: they fit their puzzle, and each says how it is run."""

from __future__ import annotations

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from e2.cluster.run import settled
from e2.cluster.study import settings_from_toml
from e2.cluster.survey import read_study
from e2.store.inputs import the_puzzle

CONFIGS = sorted((Path(__file__).parent.parent / "configs").glob("*.toml"))


STUDIES = [path for path in CONFIGS if "# e2 study" in path.read_text("utf-8")]
RUNS = [path for path in CONFIGS if path not in STUDIES]


def comment(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line.startswith("# e2 ")]


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_a_file_says_how_it_is_run(path: Path) -> None:
    assert comment(path)
    assert all(f"configs/{path.name}" in line or line.startswith("# e2 resume") for line in comment(path))


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.name)
def test_a_study_has_arms_that_fit_its_puzzles(path: Path) -> None:
    assert len(read_study(path.read_text("utf-8"), path.parent).parts) >= 2


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.name)
def test_settings_fit_their_puzzle(path: Path) -> None:
    settings = settings_from_toml(path.read_text("utf-8"))
    instance = the_puzzle(settings.puzzle)
    assert settled(settings, instance).puzzle == instance.name


def test_there_are_settings_for_a_minute_an_hour_a_week_and_each_number_of_hints() -> None:
    names = {path.stem for path in CONFIGS}
    assert names >= {"minute", "hour", "week", "one_hint", "no_hint", "record-hunt"}


PAGE = (Path(__file__).parent.parent / "docs" / "cluster.md").read_text("utf-8")
CLUSTER = sorted((Path(__file__).parent.parent / "configs" / "cluster").iterdir())


@pytest.mark.parametrize("path", CLUSTER, ids=lambda path: path.name)
def test_a_file_for_a_cluster_says_how_it_is_used_and_parses(path: Path) -> None:
    assert f"configs/cluster/{path.name}" in "".join(path.read_text("utf-8").splitlines(keepends=True)[:12])
    assert path.name in PAGE
    if path.suffix == ".sh":
        assert path.stat().st_mode & 0o111
        assert subprocess.run(["bash", "-n", path], check=True, capture_output=True).stderr == b""
    else:
        assert all(isinstance(document, dict) for document in yaml.safe_load_all(path.read_text("utf-8")))


def test_the_cluster_launcher_would_take_its_file() -> None:
    import jsonschema  # it comes with Ray, like yaml

    # Found without importing Ray, which would keep the suite's embedded cluster from being closed to the network.
    schema = Path(find_spec("ray").submodule_search_locations[0]) / "autoscaler" / "ray-schema.json"
    (launcher,) = [path for path in CLUSTER if path.name == "launcher.yaml"]
    jsonschema.validate(yaml.safe_load(launcher.read_text("utf-8")), json.loads(schema.read_text("utf-8")))
