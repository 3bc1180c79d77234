"""What a node should be like before a long run begins on it, and what to do where it is not."""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from e2.cluster.local import usable_cores
from e2.cluster.versions import differences
from e2.core.generate import generated
from e2.kernels.compile import CACHE_FOLDER
from e2.search import STRATEGIES, open_search
from e2.search.memory import usable_memory
from e2.search.task import Task
from e2.search.tree import Tree
from e2.search.tree_search import TreeSearch

_DISK = 1_000_000_000  # bytes: Ray refuses work on a full disk, and a run writes its ledger all the time
_WORKER = 250_000_000  # bytes that a worker takes with everything compiled; a wide beam takes more
_CLOCK = 1.0  # seconds: nothing of a run depends on it, but nobody can read logs side by side
_ROUND_TRIP = 0.25  # seconds: a quarter of a slice of the usual length


@dataclass(frozen=True)
class Examined:
    """What a node has found out about itself. Bytes and seconds."""

    cores: int
    memory: int | None
    temp: str
    temp_free: int
    kernels_seconds: float
    kernels_kept: bool


def examined() -> Examined:
    """Look at the machine that this runs on, and compile every kernel on it."""
    seconds = _warmed()
    temp = tempfile.gettempdir()
    # A process that cannot write where kernels are kept has made a folder for itself.
    kept = Path(tempfile.gettempdir()) != CACHE_FOLDER.parent
    return Examined(usable_cores(), usable_memory(), temp, shutil.disk_usage(temp).free, seconds, kept)


def _warmed() -> float:
    """Seconds that it took to load or compile what any search needs."""
    began = time.perf_counter()
    instance = generated(4, 4, 4, seed=1).instance
    for known in STRATEGIES:
        open_search(Task(instance, known.name))
    for merged in (frozenset[str](), frozenset({"pieces"})):
        TreeSearch(Tree(instance, tuple(range(instance.grid.cells)), merged))
    return time.perf_counter() - began


@dataclass(frozen=True)
class NodeReport:
    """A node of a cluster. `cores` and `memory` are what Ray gives away; `clock` is its time less the driver's.

    What could not be found out is None. `clock_within` is how far off the offset may be.
    """

    host: str
    address: str
    cores: int
    memory: int
    versions: dict[str, str] | None
    silent: str = ""
    """Why the node did not answer, or could not look at itself."""
    examined: Examined | None = None
    round_trip: float | None = None
    clock: float | None = None
    clock_within: float | None = None


def node_faults(node: NodeReport, ours: dict[str, str]) -> list[str]:
    """What is wrong with a node for a driver of these versions, each with what to do."""
    if node.versions is None:
        return [f"does not answer: {node.silent}; look at it, or take it out of the cluster"]
    other = differences(node.versions, ours)
    if other:
        return [f"has {other}; install there what this machine has"]
    if node.examined is None:
        return [f"cannot run e2: {node.silent}"]
    faults, its = [], node.examined
    if node.cores > its.cores:
        faults.append(f"gives {node.cores} cores and has {its.cores}; start Ray with --num-cpus {its.cores}")
    if its.memory is not None and its.memory < node.cores * _WORKER:
        faults.append(
            f"has {gigabytes(its.memory)} of memory free for {node.cores} workers of {gigabytes(_WORKER)} and more; "
            "free some, or start Ray with fewer --num-cpus"
        )
    if not its.kernels_kept:
        faults.append(
            "cannot keep compiled kernels, so each worker compiles; set XDG_CACHE_HOME to a folder it may write"
        )
    if its.temp_free < _DISK:
        faults.append(f"has {gigabytes(its.temp_free)} free in {its.temp}; free some, or set TMPDIR to a larger disk")
    if node.clock is None or node.clock_within is None or node.round_trip is None:
        return [*faults, f"answers no more: {node.silent}"]
    if abs(node.clock) > _CLOCK + node.clock_within:
        faults.append(f"has a clock that is off by {node.clock:+.1f} s; set it by NTP")
    if node.round_trip > _ROUND_TRIP:
        faults.append(
            f"takes {node.round_trip:.2f} s for an empty slice; look at its load and network, or set slice_seconds to "
            f"{max(2.0, 40 * node.round_trip):.0f}"
        )
    return faults


def free_for_runs(folder: Path) -> int:
    """Bytes free on the disk where a folder is, or will be."""
    folder = folder.absolute()
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def own_faults(runs: Path, free: int, nodes: list[NodeReport]) -> list[str]:
    """What is wrong with the driver's machine and with the cluster as a whole."""
    faults = []
    if free < _DISK:
        faults.append(f"this machine: {gigabytes(free)} free for {runs}; free some, or keep runs on another disk")
    if not any(node.cores for node in nodes):
        faults.append("the cluster: no node gives a core; start Ray on one with --num-cpus")
    return faults


def gigabytes(size: int) -> str:
    """
    >>> gigabytes(1_234_000_000)
    '1.2 GB'
    """
    return f"{size / 1e9:.1f} GB"
