"""Which way imports point: the table of the house, held against every import statement in it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent / "e2"

MAY_IMPORT = {
    "errors": set(),
    "core": {"errors"},
    "formats": {"errors", "core"},
    "kernels": {"errors", "core"},
    "search": {"errors", "core", "kernels"},
    "pencil": {"errors", "core", "kernels", "search"},
    "store": {"errors", "core", "formats", "search"},
    "cluster": {"errors", "core", "formats", "kernels", "search", "store"},
    "views": {"errors", "core", "formats", "search", "pencil", "store"},
    "bench": {"errors", "core", "formats", "kernels", "search", "store", "cluster", "views"},
    "cli": {"errors", "core", "formats", "kernels", "search", "pencil", "store", "cluster", "views", "bench"},
    "__init__": {"errors", "core", "formats", "search", "store", "cluster", "views", "cli"},
    "__main__": {"cli"},
}

ONLY_IN = {"numba": ("kernels/",), "llvmlite": ("kernels/",), "ray": ("cluster/ray_",), "pickle": ()}


def imported_modules(path: Path) -> list[tuple[int, str]]:
    """Every module that the file imports, at the top or inside a function, with its line."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import hides which way it points"
            module = node.module or ""
            found += [(node.lineno, f"{module}.{alias.name}" if module == "e2" else module) for alias in node.names]
    return found


def wrong_arrows(path: Path, house: Path = HOUSE) -> list[str]:
    """Imports of the file that the tables forbid, each as file:line: what."""
    place = path.relative_to(house).as_posix()
    room = place.split("/")[0].removesuffix(".py")
    wrong = []
    for line, module in imported_modules(path):
        top, _, rest = module.partition(".")
        if top == "e2":
            target = rest.split(".")[0]
            if target != room and target not in MAY_IMPORT[room]:
                wrong.append(f"e2/{place}:{line}: {room} must not import {target or 'e2'}")
        elif top in ONLY_IN and not place.startswith(ONLY_IN[top] or ("nowhere",)):
            wrong.append(f"e2/{place}:{line}: {top} is not for this file")
    return wrong


def test_every_import_points_down_the_house() -> None:
    files = sorted(HOUSE.rglob("*.py"))
    assert len(files) > 30
    assert [arrow for path in files for arrow in wrong_arrows(path)] == []


@pytest.mark.parametrize(
    ("place", "code", "said"),
    [
        ("core/bad.py", "import e2.formats.hints", "e2/core/bad.py:1: core must not import formats"),
        ("core/bad.py", "from e2 import search", "e2/core/bad.py:1: core must not import search"),
        ("search/bad.py", "def f():\n    import numba", "e2/search/bad.py:2: numba is not for this file"),
        ("store/bad.py", "import pickle", "e2/store/bad.py:1: pickle is not for this file"),
        ("cluster/local.py", "from ray import get", "e2/cluster/local.py:1: ray is not for this file"),
    ],
)
def test_a_wrong_arrow_is_named_with_file_and_line(tmp_path: Path, place: str, code: str, said: str) -> None:
    path = tmp_path / "e2" / place
    path.parent.mkdir(parents=True)
    path.write_text(code, "utf-8")
    assert wrong_arrows(path, tmp_path / "e2") == [said]
