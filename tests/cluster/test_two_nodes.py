"""Clusters of more than one node, for real: raylets on this machine, and two hosts where it allows to make them.

Everything runs in processes of its own, since a process knows one Ray, and the suite has one already.
"""

import json
import os
import re
import secrets
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from far_driver import GRACE, instance

from e2.cluster import run
from e2.cluster.observer import Silent
from e2.cluster.study import run_settings
from e2.store.ledger import Ledger

HERE = Path(__file__).parent
HOSTS = HERE.parents[1] / "scripts" / "two_hosts.sh"
PATIENCE = 90.0  # seconds for what takes a few on an idle machine
SLICE = 0.2
TASKS = {"strategy": f"{HERE / 'toy.py'}:Toy", "tasks": 6, "nodes": 4000, "slice_seconds": SLICE}


def clean_environment(**more):
    """Without what the suite's own Ray has set."""
    return {**{name: value for name, value in os.environ.items() if not name.startswith("RAY_")}, **more}


def until(true, what):
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


class Raylets:
    """Nodes of one host. What leaves is killed with its workers, which Ray notices at once."""

    seconds_to_notice = 1.0

    def __init__(self, folder):
        self._environment = clean_environment(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "raylets.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=self._environment,
        )
        self.address = self._process.stdout.readline().strip()
        self._joined = None

    def start(self, command):
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self._environment
        )

    def join(self, **environment):
        self._joined = int(self._ask(f"join {json.dumps(environment)}"))

    def leave(self):
        assert self._ask("kill") == "killed"

    def is_by_the_joined(self, host, pid):
        parent = subprocess.run(["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True).stdout
        return parent.strip() == str(self._joined)

    def _ask(self, line):
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def close(self):
        self._process.stdin.close()
        self._process.wait(PATIENCE)


class Hosts:
    """Two hosts with a cable between them. What leaves is cut off: it works on, and Ray does not know."""

    address = "198.18.0.1:6379"
    seconds_to_notice = 3 * (SLICE + 0.5) + GRACE  # the longest that a lease of the lost slices lasts

    def __init__(self, folder):
        self._folder = str(folder / "hosts")
        self._environment = clean_environment(E2_PYTHON=sys.executable)
        self._do("up")
        self._do("head")

    def start(self, command):
        return subprocess.Popen(
            [str(HOSTS), self._folder, "on", "1", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._environment,
        )

    def join(self):
        self._do("join")

    def leave(self):
        self._do("cut")

    def is_by_the_joined(self, host, pid):
        return host == "e2-host-2"

    def close(self):
        self._do("down")

    def _do(self, *words):
        subprocess.run([str(HOSTS), self._folder, *words], check=True, env=self._environment, timeout=PATIENCE)


def ways():
    """How nodes can be made here: hosts need the right to make namespaces."""
    allowed = sys.platform == "linux" and os.geteuid() == 0
    probe = (
        "ip link add eth9 type veth peer name eth8 && ip link add bridge9 type bridge && mount -t tmpfs tmpfs /dev/shm"
    )
    try:
        made = allowed and subprocess.run(
            ["unshare", "--net", "--uts", "--pid", "--mount", "--fork", "--kill-child", "bash", "-c", probe],
            capture_output=True,
        )
    except FileNotFoundError:
        made = False
    return [Raylets, Hosts] if made and made.returncode == 0 else [Raylets]


@pytest.fixture(scope="module", params=ways(), ids=lambda way: way.__name__)
def nodes(request, tmp_path_factory):
    """A cluster of one node with one core, which others may join."""
    made = request.param(tmp_path_factory.mktemp("nodes"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def inline(tmp_path_factory):
    path = tmp_path_factory.mktemp("inline") / "run"
    run.solve(run_settings({**TASKS, "executor": "inline"}), instance(), path, Silent())
    return account(path)


def account(path):
    """Every task's board, and all nodes: what must not depend on who did the work."""
    ledger = Ledger.open(path / "ledger.sqlite")
    try:
        totals = ledger.totals()
        return [(number, best.board_hash) for number, best in ledger.bests()], totals.nodes, totals.done
    finally:
        ledger.close()


def workers_of(path):
    """Host and process of all that have handed in a slice."""
    if not (path / "settings.toml").exists():  # it is written last
        return set()
    ledger = sqlite3.connect(path / "ledger.sqlite")
    try:
        return set(ledger.execute("SELECT host, pid FROM slices"))
    finally:
        ledger.close()


def test_a_node_that_joins_gets_work_and_one_that_leaves_costs_nothing(nodes, inline, tmp_path):
    path, gate = tmp_path / "run", tmp_path / "slowly"
    gate.touch()
    parameters = {"pause": 0.5, "while_there_is": str(gate)}
    settings = {**TASKS, "address": nodes.address, "parameters": parameters}
    driver = nodes.start([sys.executable, str(HERE / "far_driver.py"), str(path), json.dumps(settings)])
    # Slowly until the node is gone, so that it is in the middle of something.
    until(lambda: workers_of(path) or driver.poll() is not None, "no slice came back")
    nodes.join()
    until(
        lambda: any(nodes.is_by_the_joined(*worker) for worker in workers_of(path)) or driver.poll() is not None,
        "the node that joined got no work",
    )
    assert driver.poll() is None, driver.communicate()
    nodes.leave()
    time.sleep(nodes.seconds_to_notice)
    gate.unlink()
    out, err = driver.communicate(timeout=PATIENCE)
    *notes, last = out.splitlines()
    assert (driver.returncode, last) == (0, "ended"), (out, err)
    assert account(path) == inline
    # What was in the middle of something is lost, and nothing else is.
    assert all("worker lost" in note or "did not come back in time" in note for note in notes)


@pytest.mark.parametrize("nodes", [Raylets], indirect=True, ids=["Raylets"])
def test_a_node_with_another_e2_is_refused_before_anything_is_written(nodes, tmp_path):
    other = tmp_path / "site" / "e2-9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: e2\nVersion: 9.9\n")
    nodes.join(PYTHONPATH=os.pathsep.join([str(other.parent), os.environ.get("PYTHONPATH", "")]))
    e2 = [sys.executable, "-m", "e2"]
    check = nodes.start([*e2, "cluster", "check", "--json", "--address", nodes.address])
    count = nodes.start(
        [*e2, "count", "--puzzle", "clue_1", "--address", nodes.address, "--out", str(tmp_path / "run")]
    )
    _, refusal = count.communicate(timeout=PATIENCE)
    assert count.returncode == 2, refusal
    assert re.search(r"error: \S+ \(\S+\) has e2 9\.9\+\w+ in place of \S+; expected what this machine has", refusal)
    assert not (tmp_path / "run").exists()
    *found, whole = map(json.loads, check.communicate(timeout=PATIENCE)[0].splitlines())
    assert check.returncode == 1
    assert (whole["ok"], whole["nodes"]) == (False, 2)
    assert sorted(node["versions"]["e2"].startswith("9.9+") for node in found) == [False, True]
    (sound,) = [node for node in found if not node["versions"]["e2"].startswith("9.9+")]
    assert sound["kernels_seconds"] > 0
    assert abs(sound["clock"]) <= sound["clock_within"] + 0.05
    nodes.leave()
