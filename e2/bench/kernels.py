"""The strict kernel against its C twins, and the mismatch kernel's own rate. Ratios hold, single rates do not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

from e2.bench.report import Report
from e2.bench.twins import Twin, generic_twin, per_cell_twin
from e2.core.instance import Instance
from e2.kernels.tables import build_tables
from e2.search import open_search
from e2.search.descent import Descent
from e2.search.task import Task
from e2.store.inputs import the_puzzle

PUZZLES = ("variant_00", "eternity2_one_hint", "eternity2_no_hint")
"""The last object's ratios are the least of these."""
BESIDE = ("bench_easy",)
FLOORS = (("floor to C", 1.3), ("floor to C per cell", 0.9))

GENERIC, PER_CELL, OURS, MISMATCHED = "c_generic", "c_per_cell", "strict", "mismatched"


def kernels_report(instances: Iterable[Instance] | None = None, nodes: int = 3_000_000, rounds: int = 25) -> Report:
    """Every twin in turn, `rounds` times, in CPU time; a ratio is the median of the rounds' own ratios.

    SettingsError without a C compiler.
    """
    instances = [the_puzzle(name) for name in (*PUZZLES, *BESIDE)] if instances is None else list(instances)
    records = [_compared(instance, nodes, rounds) for instance in instances]
    judged = [record for record in records if record["puzzle"] not in BESIDE]
    last = {
        "ratio_to_c_generic": min(record["ratio_to_c_generic"] for record in judged),
        "ratio_to_c_per_cell": min(record["ratio_to_c_per_cell"] for record in judged),
        "nodes_equal": all(record["nodes_equal"] for record in records),
    }
    lines = [
        f"{'puzzle':20} {'to C':>6} {'per cell':>9} {'strict ns/node':>15} {'C ns/node':>10} {'mismatched M/s':>15}"
        "  nodes and depth"
    ]
    lines += [
        f"{record['puzzle'][:20]:20} {record['ratio_to_c_generic']:6.2f} {record['ratio_to_c_per_cell']:9.2f} "
        f"{1e9 / record['strict_per_second']:15.1f} {1e9 / record['c_generic_per_second']:10.1f} "
        f"{record['mismatched_per_second'] / 1e6:15.1f}  "
        f"{'the same' if record['nodes_equal'] else 'DIFFERENT'}, deepest {record['deepest']}"
        for record in records
    ]
    bars = [
        (f"{record['puzzle']} {name}", float(record[key]))
        for record in records
        for name, key in (("to C", "ratio_to_c_generic"), ("to C per cell", "ratio_to_c_per_cell"))
    ]
    return Report("strict kernel against C", tuple(lines), (*records, last), "times as fast", tuple(bars), FLOORS)


def strict_search(instance: Instance) -> Twin:
    """Our kernel as a twin: row by row from the beginning, candidates in piece order."""
    tables = build_tables(instance, range(instance.grid.cells))

    def run(nodes: int) -> tuple[int, int]:
        descent = Descent(instance, tables)
        made, _ = descent.run(nodes)
        return made, descent.deepest

    return run


def _mismatched_search(instance: Instance) -> Twin:
    search = open_search(Task(instance, "breaks"))

    def run(nodes: int) -> tuple[int, int]:
        stats = search.step(nodes).stats
        return stats.nodes, stats.max_depth

    return run


def _compared(instance: Instance, nodes: int, rounds: int) -> dict[str, Any]:
    runs = {
        GENERIC: generic_twin(instance),
        PER_CELL: per_cell_twin(instance),
        OURS: strict_search(instance),
        MISMATCHED: _mismatched_search(instance),
    }
    seconds, results = interleaved(runs, nodes, rounds)
    made, deepest = results[OURS]
    return {
        "puzzle": instance.name,
        "ratio_to_c_generic": _ratio(seconds[GENERIC], seconds[OURS]),
        "ratio_to_c_per_cell": _ratio(seconds[PER_CELL], seconds[OURS]),
        "nodes_equal": results[GENERIC] == results[PER_CELL] == results[OURS],
        "nodes": made,
        "deepest": deepest,
        "strict_per_second": made / median(seconds[OURS]),
        "c_generic_per_second": made / median(seconds[GENERIC]),
        "mismatched_per_second": results[MISMATCHED][0] / median(seconds[MISMATCHED]),
    }


def interleaved(
    runs: dict[str, Twin], nodes: int, rounds: int, clock: Callable[[], float] = time.process_time
) -> tuple[dict[str, list[float]], dict[str, tuple[int, int]]]:
    """Seconds of each run in each round, after a round that does not count; and what each last returned."""
    results = {name: run(nodes) for name, run in runs.items()}
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            begin = clock()
            results[name] = run(nodes)
            seconds[name].append(max(clock() - begin, 1e-9))
    return seconds, results


def _ratio(theirs: list[float], ours: list[float]) -> float:
    return median(their / our for their, our in zip(theirs, ours, strict=True))
