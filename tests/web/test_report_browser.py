"""A report in a real browser: it opens with the network off, asks for nothing, and anybody can read it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from test_web_browser import PATIENCE
from typer.testing import CliRunner

from e2.cli.main import app


@pytest.fixture(scope="module")
def reports(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on one run, and one on two."""
    folder = tmp_path_factory.mktemp("reports")
    for name in ("first", "second"):
        shutil.copytree(made, folder / name)
    for out, runs in (("one.html", ["first"]), ("two.html", ["first", "second"])):
        ran = CliRunner().invoke(app, ["report", *(str(folder / run) for run in runs), "-o", str(folder / out)])
        assert ran.exit_code == 0, ran.stderr
    return folder


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("report", ["one.html", "two.html"])
def test_a_report_opens_offline_and_anybody_can_read_it(
    browser: Browser, reports: Path, report: str, scheme: str
) -> None:
    # The checker is a script, which the report's own policy would keep out.
    context = browser.new_context(offline=True, bypass_csp=True, color_scheme=scheme)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: asked.append(f"console: {message.text}"))
    page.goto((reports / report).as_uri())
    assert asked == [(reports / report).as_uri()]
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    for width in (1280, 400):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    pictures = page.locator("svg").all()
    assert len(pictures) > 3
    assert all((picture.bounding_box() or {"height": 0})["height"] > 50 for picture in pictures if picture.is_visible())
    context.close()


def test_the_policy_of_a_report_keeps_a_script_out(browser: Browser, reports: Path) -> None:
    text = (reports / "one.html").read_text("utf-8")
    (reports / "spoilt.html").write_text(
        text.replace("<main>", "<main><script>document.title = 'taken'</script>"), "utf-8"
    )
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((reports / "spoilt.html").as_uri())
    assert page.title().startswith("Report on ")
    context.close()
