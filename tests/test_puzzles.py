"""The puzzles that come with e2: every file is one, the page beside them names it, and its numbers hold."""

import re
from pathlib import Path

import pytest

from e2.search.estimate import Probes
from e2.search.tree import Tree
from e2.store.inputs import bundled_puzzles, the_puzzle

FOLDER = Path(__file__).parent.parent / "puzzles"
PAGE = (FOLDER / "README.md").read_text("utf-8")
NAMES = list(bundled_puzzles())


def rows():
    """Puzzle -> cells of its row; `a/10x10` ... `a/12x12` stands for all that lie between."""
    found = {}
    for line in re.findall(r"^\| `.+$", PAGE, re.MULTILINE):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        names = re.findall(r"`([^`]+)`", cells[0])
        between = [name for name in NAMES if "..." in cells[0] and names[0] <= name <= names[-1]]
        found |= dict.fromkeys([*names, *between], cells)
    return found


def test_the_page_names_each_puzzle_and_no_other():
    assert set(rows()) == set(NAMES)
    assert {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.json")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_is_as_large_as_the_page_says(name):
    instance = the_puzzle(name)
    _, _, size, hints, _ = rows()[name]
    assert f"{instance.width}x{instance.height}" in size or "..." in size
    assert str(len(instance.hints)) == hints


@pytest.mark.parametrize(
    ("name", "merged", "nodes"),
    [("brendan/06x06", {"board"}, 14_518_614), ("brendan/07x07", {"board"}, 67_667_477_363)],
)
def test_probes_agree_with_the_published_nodes(name, merged, nodes):
    instance = the_puzzle(name)
    tree = Tree(instance, tuple(range(instance.grid.cells)), frozenset(merged))
    totals = Probes(tree, 1000).total(runs=40, seed=1).totals
    assert abs(sum(totals) / len(totals) / nodes - 1) < 0.1
