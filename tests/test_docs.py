"""Every example of the README and of docs/ is run, and its output compared.

A `console` block holds lines that begin with `$ `, each followed by what it prints. `...` in an output line stands for
any text, a line of `...` alone for any lines. A `python` block is run as a doctest.
"""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


@dataclass(frozen=True)
class Example:
    page: str
    line: int
    command: str
    expected: str


def examples(page: Path) -> list[Example]:
    """The commands of a page's console blocks, with what they print."""
    found: list[Example] = []
    language = None
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if line.startswith("```"):
            language = line[3:] if language is None else None
        elif language == "console" and line.startswith("$ "):
            found.append(Example(page.name, number, line[2:], ""))
        elif language == "console":
            assert found, f"{page.name}:{number}: output before a command"
            last = found.pop()
            found.append(Example(last.page, last.line, last.command, f"{last.expected}{line}\n"))
    return found


def matches(expected: str, printed: str) -> bool:
    """Whether the output is the expected one, with `...` for any text."""
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ ]*\n"
    return re.fullmatch(pattern, printed if printed.endswith("\n") or not printed else printed + "\n") is not None


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder with the checkout's data beside it, so that the examples leave nothing behind."""
    folder = tmp_path_factory.mktemp("tour")
    for name in ("puzzles", "tests", "configs", "docs", "README.md"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.parametrize("page", [page for page in PAGES if examples(page)], ids=lambda page: page.name)
def test_the_examples_of_a_page_print_what_it_says(page: Path, tour: Path) -> None:
    environment = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    for example in examples(page):
        if example.command.startswith("make "):
            continue
        assert shlex.split(example.command.split("|")[0])[0] in ("e2", "cat", "ls", "python"), example
        ran = subprocess.run(example.command, shell=True, cwd=tour, env=environment, capture_output=True, text=True)
        printed = ran.stdout + ran.stderr
        assert matches(example.expected, printed), f"{example.page}:{example.line}: {example.command}\n{printed}"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if ">>>" in page.read_text("utf-8")], ids=lambda page: page.name
)
def test_the_python_of_a_page_does_what_it_says(page: Path, tour: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tour)
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed


MODULES = [path for path in sorted((ROOT / "e2").rglob("*.py")) if ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_examples_in_a_module_hold(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed


def test_the_two_commands_of_the_readme_are_targets_of_the_makefile() -> None:
    commands = [example.command for example in examples(ROOT / "README.md") if example.command.startswith("make ")]
    assert commands == ["make demo", "make test"]
    for command in commands:
        planned = subprocess.run(
            [*command.split(), "--dry-run", "--always-make"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        assert "--require-hashes -r requirements.lock" in planned
    assert "-m pytest" in planned


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a b d\n", False),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n", "a\nb\n", False),
        ("", "", True),
        ("", "x\n", False),
    ],
)
def test_expected_output_can_fail(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same
