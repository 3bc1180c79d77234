from __future__ import annotations

import runpy
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_the_pictures_of_the_docs_are_those_that_the_script_makes() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "make_pictures.py"))["pictures"]()
    kept = {
        path.name: path.read_text("utf-8") for path in (ROOT / "docs" / "pictures").glob("*.svg") if path.name in made
    }
    # Where a picture has changed on purpose: python scripts/make_pictures.py
    assert sorted(kept) == sorted(made)
    assert [name for name in made if kept[name] != made[name]] == []
    for picture in made.values():
        ElementTree.fromstring(picture)
        assert len(picture) < 200_000


def test_the_page_shows_every_picture() -> None:
    page = (ROOT / "docs" / "pictures.md").read_text("utf-8")
    for name in runpy.run_path(str(ROOT / "scripts" / "make_pictures.py"))["pictures"]():
        assert f"(pictures/{name})" in page
