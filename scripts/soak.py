"""Count a tree while its workers, nodes and drivers are killed, and see whether the account is right in the end.

    python scripts/soak.py RUN PUZZLE NODES SOLUTIONS [--every 30] [--kills 20] [-- e2 count's options]

Every so many seconds one process of the run is killed by SIGKILL, at random: a worker, a raylet, the cluster's head, an
agent, or the driver, which is then resumed; so is a run that is there already. After the kills the run goes on to its
end. The exit code says whether nodes and solutions are those given, no unit failed, and nothing is left of it: no
process, no folder of Ray's, no shared memory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def processes() -> dict[int, tuple[int, str]]:
    """Process id -> (parent, command) of all that run and are no zombies."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, parent, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
            if state != "Z":
                found[int(entry.name)] = int(parent), (entry / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
    return found


def below(root: int) -> dict[int, str]:
    """The descendants of a process, with their commands."""
    running, found, new = processes(), {}, {root}
    while new:
        new = {pid for pid, (parent, _) in running.items() if parent in new}
        found |= {pid: running[pid][1] for pid in new}
    return found


def kind_of(command: str) -> str:
    """What a process is to a run."""
    for word, kind in (("raylet/raylet", "raylet"), ("gcs_server", "head"), ("gent", "agent"), ("ray::", "worker")):
        if word in command:
            return kind
    return "worker" if "e2.cluster.worker" in command else "other"


def left_behind() -> set[str]:
    """Folders and shared memory that runs make."""
    folders = Path(tempfile.gettempdir()).glob("e2-*")
    return {str(path) for path in (*folders, *Path("/dev/shm").glob("*"))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("puzzle")
    parser.add_argument("nodes", type=int)
    parser.add_argument("solutions", type=int)
    parser.add_argument("--every", type=float, default=30.0, help="seconds between kills")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    ours, _, options = " ".join(sys.argv[1:]).partition(" -- ")
    arguments = parser.parse_args(ours.split())
    chance, before, seen = random.Random(arguments.seed), left_behind(), set()
    count = ["count", "--puzzle", arguments.puzzle, "--out", str(arguments.run), *options.split()]
    kills: dict[str, int] = {}
    command, began = ["resume", str(arguments.run)] if arguments.run.exists() else count, time.monotonic()
    while True:
        driver = subprocess.Popen(
            [sys.executable, "-m", "e2", *command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        command = ["resume", str(arguments.run)]
        while driver.poll() is None and sum(kills.values()) < arguments.kills:
            try:
                driver.wait(arguments.every)
            except subprocess.TimeoutExpired:
                family = below(driver.pid)
                seen |= family.keys() | {driver.pid}
                victims: dict[str, list[int]] = {"driver": [driver.pid]}
                for pid, text in family.items():
                    victims.setdefault(kind_of(text), []).append(pid)
                victims.pop("other", None)
                if not (arguments.run / "settings.toml").is_file():
                    continue  # nothing to resume yet
                kind = chance.choice(sorted(victims))
                os.kill(chance.choice(victims[kind]), signal.SIGKILL)
                kills[kind] = kills.get(kind, 0) + 1
                print(f"{time.monotonic() - began:7.0f} s: killed a {kind}", flush=True)
        out, errors = driver.communicate()
        print(errors, end="", flush=True)
        records = [json.loads(line) for line in out.splitlines()]
        if driver.returncode == 0 and records and records[-1].get("complete"):
            break
        if driver.returncode not in (0, -signal.SIGKILL):
            print(f"the driver ended with {driver.returncode}")
    summary = records[-1]
    print(f"{summary['nodes']} nodes, {summary['solutions']} solutions after {sum(kills.values())} kills: {kills}")
    deadline = time.monotonic() + 90
    while (alive := seen & processes().keys()) and time.monotonic() < deadline:
        time.sleep(1)
    # Folders of killed drivers are swept away by the next run on Ray, once they are a minute old.
    time.sleep(60)
    with tempfile.TemporaryDirectory() as folder:
        small = ["--puzzle", "eternity2", "--region", "0,0,2,2", "--out", f"{folder}/run"]
        subprocess.run([sys.executable, "-m", "e2", "count", *small], check=True, capture_output=True)
    left = left_behind() - before
    for what, things in (("processes", alive), ("files", left)):
        if things:
            print(f"left behind: {what} {sorted(map(str, things))}")
    right = (summary["nodes"], summary["solutions"]) == (arguments.nodes, arguments.solutions)
    return 0 if right and summary["whole"] and not alive and not left else 1


if __name__ == "__main__":
    sys.exit(main())
