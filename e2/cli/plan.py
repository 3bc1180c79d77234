"""e2 plan and e2 estimate: how large a tree is, and into which units it may be cut, before anything is searched."""

from __future__ import annotations

import math
import time
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.count import AnyHints, Merge, Region, tree_settings
from e2.cli.options import FillOrder, Json, Puzzle
from e2.cli.output import DONE, say, say_json
from e2.cli.solve import run_arguments
from e2.errors import SettingsError
from e2.views.progress import clock, with_prefix

if TYPE_CHECKING:
    from e2.search.estimate import Branch, Probed
    from e2.search.tree import Tree
    from e2.store.estimate import Estimate

Seed = Annotated[int, typer.Option(help="Of the probes.")]

_RATE_SECONDS = 0.5  # of search, to know how fast this machine is


def estimate(
    puzzle: Puzzle = None,
    fill_order: FillOrder = None,
    region: Region = None,
    any_hints: AnyHints = False,
    merge: Merge = None,
    width: Annotated[int, typer.Option(help="Nodes that stand for a layer; 1: Knuth's probes.")] = 1000,
    probes: Annotated[int, typer.Option(help="How many times to go down the tree.")] = 20,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Guess how many nodes and solutions a tree has, from random probes, with the error of the guess.

    \b
    Example:
      e2 estimate --puzzle brendan/06x06
    """
    from e2.search.estimate import Probes
    from e2.store.estimate import estimate as mean_of

    for name, number, most in (("width", width, 1_000_000), ("probes", probes, 1_000_000)):
        if not 1 <= number <= most:
            raise SettingsError(f"--{name} {number}: expected 1 to {most}")
    tree = _tree(puzzle, fill_order, region, any_hints, merge)
    probed = Probes(tree, width).total(runs=probes, seed=seed)
    nodes, solutions = mean_of([probed.totals]), mean_of([probed.solutions])
    if json:
        say_json(
            {
                "nodes": nodes.mean,
                "interval": _interval(nodes),
                "solutions": solutions.mean,
                "solutions_interval": _interval(solutions),
                "probes": list(probed.totals),
                "nodes_by_depth": list(probed.nodes),
            }
        )
        return DONE
    for word, text in _estimate_lines(tree, probed, nodes, solutions):
        say(f"{word:<10} {text}")
    return DONE


def plan(
    puzzle: Puzzle = None,
    fill_order: FillOrder = None,
    region: Region = None,
    any_hints: AnyHints = False,
    merge: Merge = None,
    prefix_depth: Annotated[
        int | None, typer.Option("--prefix-depth", help="Pieces on the board where the tree is cut.")
    ] = None,
    rank: Annotated[
        str, typer.Option(help="Best first: probes (most nodes, by random probes) or model (most solutions expected).")
    ] = "probes",
    most: Annotated[int, typer.Option(help="Judge at most so many units: of more, a random sample.")] = 2000,
    rows: Annotated[int, typer.Option(min=0, help="How many units to list.")] = 10,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Say into which units a tree would be cut: how many, how large, best first. Nothing is searched.

    \b
    Example:
      e2 plan --puzzle brendan/06x06 --prefix-depth 4
    """
    from e2.search.estimate import cut_at

    if prefix_depth is None:
        raise SettingsError("plan needs --prefix-depth")
    if rank not in ("probes", "model"):
        raise SettingsError(f"--rank {rank[:20]!r}: expected probes or model")
    if not 1 <= most <= 1_000_000:
        raise SettingsError(f"--most {most}: expected 1 to 1000000")
    tree = _tree(puzzle, fill_order, region, any_hints, merge)
    cut = cut_at(tree, prefix_depth, most, seed)
    ordered = sorted(cut.branches, key=lambda one: (-_worth(one, rank), one.path))
    if json:
        for branch in ordered:
            say_json({"unit": branch.path, "nodes": branch.nodes, "error": branch.error, "solutions": branch.solutions})
        say_json({"units": cut.count, "judged": len(ordered), "exact": cut.is_whole, "depth": cut.depth})
        return DONE
    number = f"{cut.count:.0f} units" if cut.is_whole else f"about {cut.count:.3g} units, {len(ordered)} of them judged"
    say(f"{number} with {prefix_depth} of {len(tree.order)} pieces on the board")
    if not ordered:
        return DONE
    sizes = [branch.nodes for branch in ordered]
    middle = with_prefix(median(sizes))
    say(f"nodes of a unit: {with_prefix(min(sizes))} to {with_prefix(max(sizes))}, half of them above {middle}")
    say(f"{'nodes':>10} {'error':>8} {'solutions':>10}  unit")
    for branch in ordered[:rows]:
        path = " ".join(map(str, branch.path))
        likely = math.exp(branch.solutions)
        say(f"{with_prefix(branch.nodes):>10} {with_prefix(branch.error):>8} {likely:>10.3g}  {path}")
    return DONE


def _worth(branch: Branch, rank: str) -> float:
    return branch.nodes if rank == "probes" else branch.solutions


def _tree(puzzle: str | None, fill_order: str | None, region: str | None, any_hints: bool, merge: str | None) -> Tree:
    from e2.cluster.study import strict_tree

    given = tree_settings(region, merge)
    instance, settings = run_arguments("count", puzzle, None, given, [], fill_order, any_hints=any_hints)
    return strict_tree(settings, instance)


def _estimate_lines(tree: Tree, probed: Probed, nodes: Estimate, solutions: Estimate) -> list[tuple[str, str]]:
    lines = [("nodes", _with_error(nodes))]
    if any(probed.solutions):
        lines.append(("solutions", _with_error(solutions)))
    else:
        lines.append(("solutions", "no probe met one"))
    if probed.nodes:
        widest = max(range(len(probed.nodes)), key=lambda depth: probed.nodes[depth])
        at = f"{with_prefix(probed.nodes[widest])} nodes with {widest + 1} of {len(probed.nodes)} pieces"
        lines.append(("widest", at))
    lines.append(("probes", f"{with_prefix(min(probed.totals))} to {with_prefix(max(probed.totals))}"))
    rate = _rate(tree)
    if rate:
        lines.append(
            ("time", f"about {clock(nodes.mean / rate)} on a core of this machine, {with_prefix(rate)} nodes/s")
        )
    return lines


def _with_error(found: Estimate) -> str:
    interval = _interval(found)
    if interval is None:
        return with_prefix(found.mean)
    low, high = (with_prefix(max(0.0, end)) for end in interval)
    return f"{with_prefix(found.mean)}, 95 % interval {low} to {high}"


def _interval(found: Estimate) -> list[float] | None:
    return None if found.low is None or found.high is None else [found.low, found.high]


def _rate(tree: Tree) -> float:
    """Nodes a second of this tree here; 0 where it is searched before that can be told."""
    from e2.search.tree_search import TreeSearch

    search, nodes = TreeSearch(tree), 0
    search.open(())
    began = time.process_time()
    while not search.finished and time.process_time() - began < _RATE_SECONDS:
        nodes += sum(search.run(1_000_000).nodes)
    seconds = time.process_time() - began
    return nodes / seconds if seconds > 0.01 else 0.0
