"""What a count, or a search of a whole tree, has come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from e2.cli.output import say, say_json
from e2.views.progress import clock

if TYPE_CHECKING:
    from e2.cluster.run import RunSummary, TreeSummary

_SAYS = {
    "pieces": "equal pieces in each other's place",
    "turns": "turns of a piece that look the same",
    "board": "turns of the board",
}


def say_counted(summary: RunSummary, tree: TreeSummary, target: int | None, json: bool) -> None:
    """The numbers, and what they are numbers of."""
    if json:
        say_json(_record(summary, tree))
        return
    if target is not None and summary.best is not None:
        say(f"a solution, after {summary.nodes} nodes in {clock(summary.seconds)}")
        say(summary.best.url)
        return
    whole = "" if tree.whole else " so far"
    solutions = "1 solution" if summary.solutions == 1 else f"{summary.solutions} solutions"
    say(f"{solutions}, {summary.nodes} nodes{whole} in {clock(summary.seconds)}")
    for word in tree.merged:
        say(f"counted once: {_SAYS[word]}")
    if tree.merged and tree.apart is not None:
        say(f"counted apart: {tree.apart} solutions")
    if tree.elsewhere:
        say(f"{tree.elsewhere} units are for other parts, about {100 * tree.left:.3g} % of the tree")
    if target is not None and whole == "" and not summary.solutions:
        say("there is no solution: the whole tree has been searched")


def _record(summary: RunSummary, tree: TreeSummary) -> dict[str, object]:
    return {
        "solutions": summary.solutions,
        "nodes": summary.nodes,
        "seconds": summary.seconds,
        "complete": summary.complete,
        "whole": tree.whole,
        "merged": list(tree.merged),
        "apart": tree.apart,
        "nodes_by_depth": list(tree.nodes_by_depth),
        "elsewhere": tree.elsewhere,
        "best": None if summary.best is None else summary.best.path,
        "run": summary.run,
    }
