"""Runs that e2 itself made, small and once a session; each test has copies of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from live_pages import INSTANCE, Copy, client_of
from starlette.testclient import TestClient

from e2.cluster.observer import Silent
from e2.cluster.run import solve
from e2.cluster.study import run_settings


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three tasks."""
    path = tmp_path_factory.mktemp("made") / "run"
    settings = run_settings({"strategy": "breaks", "tasks": 3, "nodes": 400, "executor": "inline"})
    solve(settings, INSTANCE, path, Silent())
    return path


@pytest.fixture
def runs(tmp_path: Path, made: Path) -> Path:
    """A folder with the run `good` in it."""
    folder = tmp_path / "runs"
    folder.mkdir()
    shutil.copytree(made, folder / "good")
    return folder


@pytest.fixture
def client(runs: Path) -> TestClient:
    return client_of(runs)


@pytest.fixture
def another(runs: Path, made: Path) -> Copy:
    """Make one more run with a name."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(made, runs / name))

    return copy
