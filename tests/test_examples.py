"""The files in docs/examples are the ones that the pages show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
EXAMPLES = sorted((DOCS / "examples").iterdir())
SHOWN = {
    block
    for page in DOCS.glob("*.md")
    for block in re.findall(r"^```(?:python|toml)\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
}


@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.is_file()], ids=lambda path: path.name)
def test_a_page_shows_the_file_as_it_is(path: Path) -> None:
    assert path.read_text("utf-8") in SHOWN


def test_there_are_examples() -> None:
    assert {path.name for path in EXAMPLES} >= {"greedy.py", "late.py", "study.toml"}
