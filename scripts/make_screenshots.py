"""Make docs/pictures/serve.png: the live page on real runs, one of them going on. Needs the system's Chromium.

python scripts/make_screenshots.py [PICTURE]
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import expect, sync_playwright

RUNS = (
    ("clue_1", ("--puzzle", "clue_1", "--strategy", "breaks", "--tasks", "8", "--nodes", "200000")),
    ("five-hints", ("--puzzle", "eternity2", "--seconds", "40")),
    ("no-hints", ("--puzzle", "eternity2_no_hint", "--seconds", "40", "--seed", "3")),
)
GOING_ON = ("--puzzle", "eternity2", "--seed", "11", "--workers", "2")
E2 = (sys.executable, "-m", "e2")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main(picture: Path) -> None:
    """Run the searches, open the page, and photograph it once its numbers are there."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit("no browser: install the system's package chromium")
    with TemporaryDirectory(prefix="e2-pictures-") as folder:
        runs = Path(folder, "runs")
        for name, options in RUNS:
            solve = [*E2, "solve", *options, "--executor", "local", "--out", str(runs / name)]
            subprocess.run(solve, check=True, stdout=subprocess.DEVNULL)
        going = subprocess.Popen([*E2, "solve", *GOING_ON, "--executor", "local", "--out", str(runs / "hunting")])
        server = subprocess.Popen([*E2, "serve", str(runs), "--port", "0"], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            _photograph(browser, server.stdout.readline().strip(), picture)
        finally:
            for process in (going, server):
                process.terminate()
                process.wait()


def _photograph(browser: str, address: str, picture: Path) -> None:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = opened.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        row = page.locator('tr[data-run="hunting"]')
        expect(row.locator('[data-field="best"]')).to_have_text(re.compile(r"^\d+ of"), timeout=120_000)
        expect(row.locator('[data-field="workers"]')).to_have_text("2", timeout=120_000)
        page.reload(wait_until="load")
        expect(row.locator('[data-field="rate"]')).to_have_text(re.compile(r"^[1-9]"), timeout=120_000)
        page.screenshot(path=picture, full_page=True)
        opened.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs" / "pictures" / "serve.png")
