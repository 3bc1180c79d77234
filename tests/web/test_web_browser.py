"""The pages in a real browser: every page on a real run, a run that goes on, the converter and the viewer."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from live_pages import CASES
from playwright.sync_api import Browser, Page, Request, expect
from test_web_server import Served, served

PATIENCE = 60_000.0  # milliseconds for what takes one or two seconds on an idle machine
EDGES_470 = (CASES / "edges-470.txt").read_text().strip()
VIEWER_470 = f"viewer?puzzle=Blackwood&puzzle_size=16&board_edges={EDGES_470}&hints=135.0"


@pytest.fixture(scope="module")
def shown(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Served]]:
    """A folder with two finished runs, and a server for it."""
    runs = tmp_path_factory.mktemp("shown") / "runs"
    for name in ("first", "second"):
        shutil.copytree(made, runs / name)
    with served(runs) as server:
        yield runs, server


@contextlib.contextmanager
def watched(browser: Browser, server: Served, *, dark: bool = False, width: int = 1280) -> Iterator[Page]:
    """A page of which every word on the console and every request to elsewhere is a failure."""
    context = browser.new_context(
        base_url=server.address,
        color_scheme="dark" if dark else "light",
        viewport={"width": width, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))

    def note_loss(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what a page that is left had not got yet
            wrong.append(f"lost: {request.url[:100]}, {request.failure}")

    page.on("requestfailed", note_loss)

    def note_request(url: str) -> None:
        if not url.startswith(server.address):
            wrong.append(f"elsewhere: {url[:100]}")

    page.on("request", lambda request: note_request(request.url))
    yield page
    context.close()
    assert wrong == []


PAGES = {
    "runs": ("", "Runs in runs"),
    "run": ("run/first", "first complete"),
    "board": ("run/first?board={board}", "first complete"),
    "viewer": (VIEWER_470, "Blackwood"),
    "empty viewer": ("viewer", "Viewer"),
    "converter": ("convert", "Convert"),
    "comparison": ("compare?a=first&b=second", "Compare"),
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_and_anybody_can_read_it(browser: Browser, shown: tuple[Path, Served], name: str) -> None:
    runs, server = shown
    address, heading = PAGES[name]
    board = min(path.name for path in (runs / "first" / "boards").iterdir())
    for dark in (False, True):
        with watched(browser, server, dark=dark) as page:
            page.goto(address.format(board=board))
            expect(page.locator("h1")).to_have_text(heading)
            found = Axe().run(page).response["violations"]
            serious = [one for one in found if one["impact"] in ("serious", "critical")]
            assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious] == []
            page.set_viewport_size({"width": 400, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_the_viewer_reads_470_on_the_470_board(browser: Browser, shown: tuple[Path, Served]) -> None:
    with watched(browser, shown[1]) as page:
        page.goto(VIEWER_470)
        expect(page.locator("h2", has_text="Score")).to_have_text("Score 470 of 480")
        expect(page.get_by_role("img", name="470 / 480")).to_be_visible()
        expect(page.get_by_text("10 mismatched").last).to_be_visible()


def test_a_bucas_link_becomes_one_of_eternity2_dev(browser: Browser, shown: tuple[Path, Served]) -> None:
    link = (CASES / "url-470-blackwood.txt").read_text().strip()
    assert "e2.bucas.name" in link
    there = f"https://eternity2.dev/viewer?puzzle=Joshua_Blackwood_470&puzzle_size=16&board_edges={EDGES_470}"
    with watched(browser, shown[1]) as page:
        page.goto("convert")
        page.get_by_label("A board or a puzzle").fill(link)
        page.get_by_role("button", name="Convert").click()
        expect(page.locator("#form-viewer_url")).to_have_text(there)
        expect(page.get_by_role("link", name="eternity2.dev")).to_have_attribute("href", there)
        page.locator("#viewer_url").get_by_role("button", name="Copy").click()
        expect(page.locator("#viewer_url").get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == there
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


def test_a_bucas_link_opens_when_its_host_is_changed(browser: Browser, shown: tuple[Path, Served]) -> None:
    link = (CASES / "url-470-blackwood.txt").read_text().strip()
    with watched(browser, shown[1]) as page:
        page.goto(server_of(link, shown[1]))
        expect(page.locator("h2", has_text="Score")).to_have_text("Score 470 of 480")


def server_of(link: str, server: Served) -> str:
    return re.sub(r"^https://[^/]*/", server.address, link)


def test_pages_work_without_a_script(browser: Browser, shown: tuple[Path, Served]) -> None:
    context = browser.new_context(base_url=shown[1].address, java_script_enabled=False)
    page = context.new_page()
    page.goto("")
    page.get_by_role("link", name="first", exact=True).click()
    expect(page.locator("h1")).to_have_text("first complete")
    page.goto("convert")
    page.get_by_label("A board or a puzzle").fill(EDGES_470)
    page.get_by_role("button", name="Convert").click()
    expect(page.locator("#form-board_edges")).to_have_text(EDGES_470)
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    context.close()


def test_the_numbers_of_a_run_that_goes_on_change_by_themselves(
    browser: Browser, shown: tuple[Path, Served], made: Path
) -> None:
    runs, server = shown
    with watched(browser, server) as page, watched(browser, server) as own:
        page.goto("")
        page.evaluate("window.isThisVeryPage = true")
        command = [sys.executable, "-m", "e2", "solve", "--puzzle", str(made / "puzzle.json"), "--strategy", "breaks"]
        command += ["--executor", "inline", "--nodes", "300000", "--out", str(runs / "going")]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            row = page.locator('tr[data-run="going"]')
            number = re.compile(r"^[1-9]")
            expect(row.locator('[data-field="state"]')).to_have_text("running", timeout=PATIENCE)
            expect(row.locator('[data-field="rate"]')).to_have_text(number, timeout=PATIENCE)
            expect(row.locator('[data-field="workers"]')).to_have_text("1", timeout=PATIENCE)
            expect(row.locator('[data-field="best"]')).to_have_text(re.compile(r"^\d+ of 24$"), timeout=PATIENCE)
            own.goto("run/going")
            for place in (row.locator('[data-field="nodes"]'), own.locator('dd[data-field="nodes"]')):
                before = place.text_content() or ""
                expect(place).not_to_have_text(before, timeout=PATIENCE)
            running.terminate()
            running.wait()
            expect(row.locator('[data-field="state"]')).to_have_text("stopped", timeout=PATIENCE)
            expect(own.locator('h1 [data-field="state"]')).to_have_text("stopped", timeout=PATIENCE)
            assert page.evaluate("window.isThisVeryPage")
        finally:
            running.kill()
            running.wait()
