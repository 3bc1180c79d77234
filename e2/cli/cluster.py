"""e2 cluster: whether a cluster is ready for a long run."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.options import Address, Json
from e2.cli.output import DONE, NO, say, say_json
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.cluster.checkup import NodeReport


def check(
    address: Address = None,
    runs: Annotated[Path, typer.Option(help="Where runs will be kept: room on its disk is looked for.")] = Path("runs"),
    json: Json = False,
) -> int:
    """Look at each node of a Ray cluster before a long run: versions, cores, memory, disk, clock, the way there.

    Compiles every kernel on each node. Exit code 1 if something is not as it should be, each fault on a line with what
    to do; 2 if there is no cluster. Without an address: the same for a cluster of its own on this machine.

    \b
    Example:
      e2 cluster check --address HOST:6379
    """
    from e2.cluster.checkup import free_for_runs, node_faults, own_faults
    from e2.cluster.ray_nodes import checked_nodes
    from e2.cluster.ray_session import named_cluster
    from e2.cluster.versions import versions

    ours, free = versions(), free_for_runs(runs)
    nodes = checked_nodes(named_cluster(address))
    faults = own_faults(runs, free, nodes)
    for node in nodes:
        found = node_faults(node, ours)
        if json:
            say_json({**_record(node), "faults": found})
        else:
            say(f"{printable(node.host)} ({node.address}): {_line(node)}")
        faults += [f"{node.host} ({node.address}) {fault}" for fault in found]
    cores = sum(node.cores for node in nodes)
    if json:
        whole = {"ok": not faults, "nodes": len(nodes), "cores": cores, "versions": ours, "runs_free": free}
        say_json({**whole, "faults": faults})
        return NO if faults else DONE
    say(f"this machine: {', '.join(f'{name} {version}' for name, version in ours.items())}; {_gigabytes(free)} free")
    for fault in faults:
        say(f"fault: {printable(fault)}")
    if not faults:
        say(f"all well: {_counted(len(nodes), 'node')}, {_counted(cores, 'core')}")
    return NO if faults else DONE


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _gigabytes(size: int) -> str:
    from e2.cluster.checkup import gigabytes

    return gigabytes(size)


def _line(node: NodeReport) -> str:
    words = [_counted(node.cores, "core")]
    if node.examined is not None:
        its = node.examined
        words += [] if its.memory is None else [f"{_gigabytes(its.memory)} of memory"]
        words += [
            f"{_gigabytes(its.temp_free)} free in {printable(its.temp)}",
            f"kernels in {its.kernels_seconds:.1f} s",
        ]
    if node.clock is not None and node.round_trip is not None:
        words += [f"clock {node.clock:+.3f} s", f"a slice and back in {1000 * node.round_trip:.0f} ms"]
    return ", ".join(words)


def _record(node: NodeReport) -> dict[str, object]:
    """All keys for every node, null where nothing is known."""
    record = asdict(node)
    found = record.pop("examined") or dict.fromkeys(("memory", "temp", "temp_free", "kernels_seconds", "kernels_kept"))
    record["ray_memory"] = record.pop("memory")
    return {**record, **{name: value for name, value in found.items() if name != "cores"}}
