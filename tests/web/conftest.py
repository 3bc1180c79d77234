"""Copies of a run that e2 itself made, and a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_pages import Copy, client_of
from playwright.sync_api import Browser, sync_playwright
from starlette.testclient import TestClient

QUIET = (
    "--no-sandbox",  # root has none
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def the_browser() -> str:
    """Where the system's Chromium is; a failure that names the package where it is not."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise AssertionError("no browser to test the pages with: install the system's package chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=the_browser(), args=list(QUIET))
        yield opened
        opened.close()


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
