import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time

import pytest

from e2.cluster import ray_pool
from e2.cluster.manager import Manager
from e2.cluster.observer import Silent
from e2.cluster.ray_pool import RayExecutor
from e2.cluster.slice import SliceJob
from e2.cluster.study import run_settings
from e2.cluster.task_plan import TaskPlan
from e2.core.generate import generated
from e2.errors import ClusterError
from e2.search.task import Task
from e2.store.archive import Archive
from e2.store.layout import RunFolder
from e2.store.ledger import Ledger, Unit

INSTANCE = generated(8, 8, 8, seed=2, framed=True).instance


def workers_in(ledger_path):
    """The processes that have handed in a result, the busiest first."""
    ledger = sqlite3.connect(ledger_path)
    try:
        return [pid for (pid,) in ledger.execute("SELECT pid FROM slices ORDER BY nodes DESC")]
    finally:
        ledger.close()


class Killer(Silent):
    """Kills the Ray worker that handed in the first result."""

    def __init__(self, ledger_path):
        self.path, self.killed, self.notes = ledger_path, None, []

    def progress(self, progress):
        if self.killed is None and progress.nodes:
            self.killed = workers_in(self.path)[0]
            os.kill(self.killed, signal.SIGKILL)

    def note(self, text):
        self.notes.append(text)


def driven(path, executor, observer_of=lambda path: Silent()):
    settings = run_settings({"strategy": "breaks", "tasks": 4, "nodes": 4_000_000, "slice_seconds": 0.2})
    folder = RunFolder.create(path)
    ledger = Ledger.create(folder.ledger)
    observer = observer_of(folder.ledger)
    try:
        ledger.add_units([Unit(number, number, settings.nodes) for number in range(4)])
        plan = TaskPlan(settings, INSTANCE, ledger, Archive(folder, INSTANCE), str(folder.stop))
        Manager(
            settings,
            plan,
            ledger,
            executor,
            observer,
            stop=folder.stop,
            stopping=lambda: False,
        ).run()
        return [(number, best.board_hash) for number, best in ledger.bests()], ledger.totals().nodes, observer
    finally:
        ledger.close()


def test_a_killed_ray_worker_changes_no_board(ray_executor, tmp_path):
    boards, nodes, _ = driven(tmp_path / "calm", ray_executor)
    stormy_boards, stormy_nodes, killer = driven(tmp_path / "stormy", ray_executor, Killer)
    assert killer.killed is not None
    assert (stormy_boards, stormy_nodes) == (boards, nodes)
    assert all("worker" in note for note in killer.notes)


def test_the_token_is_for_its_owner_only(ray_executor):
    token = ray_pool._private_folder() / "token"
    assert os.environ["RAY_AUTH_TOKEN_PATH"] == str(token)
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert stat.S_IMODE(token.parent.stat().st_mode) == 0o700


def test_the_embedded_cluster_listens_on_one_loopback_address(ray_executor):
    host, port = address_of(ray_executor)
    assert host == "127.0.0.1"
    socket.create_connection((host, port), timeout=5).close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", port), timeout=5)


def test_a_stranger_without_the_token_is_turned_away(ray_executor):
    host, port = address_of(ray_executor)
    command = [sys.executable, "-c", ray_pool._PROBE_PROGRAM, f"{host}:{port}"]
    ours = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert "ray_version" in ours.stdout
    theirs = subprocess.run(
        command, capture_output=True, text=True, timeout=100, env={**os.environ, "RAY_AUTH_TOKEN": "0" * 64}
    )
    assert theirs.returncode != 0
    assert "ray_version" not in theirs.stdout


def test_a_cluster_with_another_python_is_refused(ray_executor, monkeypatch):
    host, port = address_of(ray_executor)
    monkeypatch.setattr(ray_pool.platform, "python_version", lambda: "9.9.9")
    with pytest.raises(ClusterError, match=r"has Python .*, this machine 9\.9\.9"):
        RayExecutor(f"{host}:{port}").__enter__()


def test_an_address_where_nothing_answers_is_refused_at_once():
    began = time.monotonic()
    with pytest.raises(ClusterError, match="no Ray cluster answers"):
        RayExecutor("127.0.0.1:1").__enter__()
    assert time.monotonic() - began < 10


def test_a_server_that_is_no_ray_is_refused_in_bounded_time(monkeypatch):
    monkeypatch.setattr(ray_pool, "_PROBE", 3.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(ClusterError, match="is no Ray cluster"):
            RayExecutor(f"127.0.0.1:{port}").__enter__()


@pytest.mark.parametrize(
    ("address", "message"),
    [("nonsense", "expected HOST:PORT"), ("host:port", "expected HOST:PORT"), ("ray://host:1", "Ray Client")],
)
def test_an_address_that_is_none_is_refused(address, message):
    with pytest.raises(ClusterError, match=message):
        RayExecutor(address).__enter__()


def test_the_environment_names_the_cluster_where_nobody_else_does(monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises(ClusterError, match="no Ray cluster answers"):
        RayExecutor().__enter__()


def test_a_ray_that_was_imported_too_early_to_be_closed_is_refused():
    program = "import ray; from e2.cluster.ray_pool import RayExecutor; RayExecutor().__enter__()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert "ClusterError: Ray was imported before this run" in done.stderr


def test_folders_of_killed_drivers_are_swept_and_those_of_living_ones_stay(tmp_path):
    from filelock import FileLock

    dead, alive, young = (tmp_path / f"e2-ray-{name}" for name in ("dead", "alive", "young"))
    for folder in (dead, alive, young):
        folder.mkdir()
        (folder / "token").touch()
    for folder in (dead, alive):
        os.utime(folder, (0, 0))
    with FileLock(alive / "lock"):
        os.utime(alive, (0, 0))
        ray_pool._sweep(tmp_path)
        assert sorted(folder.name for folder in tmp_path.iterdir()) == ["e2-ray-alive", "e2-ray-young"]


class DeadNode:
    """Stands for a ray whose node has died: every slice fails the way they do then."""

    class exceptions:
        class RayError(Exception): ...

        class RayTaskError(RayError): ...

        class LocalRayletDiedError(RayError): ...

    def wait(self, references, num_returns, timeout):
        return references[:num_returns], references[num_returns:]

    def get(self, reference):
        raise self.exceptions.LocalRayletDiedError("the node is gone")


def executor_on_a_dead_node(monkeypatch, address):
    """An executor with two slices in flight, and how often it was started."""
    starts = []
    monkeypatch.setattr(RayExecutor, "_start", lambda self: starts.append(self))
    executor = RayExecutor(address).__enter__()
    executor._ray = DeadNode()
    for number in range(2):
        executor._jobs[number] = SliceJob(number, number, 7, Task(INSTANCE, "strict"), None, None, 1.0, "stop")
    return executor, starts


def test_an_embedded_node_that_dies_is_started_again_and_its_slices_are_lost(monkeypatch):
    executor, starts = executor_on_a_dead_node(monkeypatch, None)
    outcomes = executor.collect(1.0)
    assert [(outcome.job, outcome.lost) for outcome in outcomes] == [(0, True), (1, True)]
    assert len(starts) == 2
    assert not executor._jobs


def test_a_node_that_dies_again_and_again_ends_the_sitting(monkeypatch):
    executor, starts = executor_on_a_dead_node(monkeypatch, None)
    job = executor._jobs[0]
    for _ in range(ray_pool._RESTARTS):
        executor.collect(1.0)
        executor._jobs[0] = job
    with pytest.raises(ClusterError, match="node of this machine is gone"):
        executor.collect(1.0)
    assert len(starts) == 1 + ray_pool._RESTARTS


def test_a_node_of_a_cluster_that_is_not_ours_is_not_started(monkeypatch):
    executor, starts = executor_on_a_dead_node(monkeypatch, "somewhere:6379")
    with pytest.raises(ClusterError, match="node of this machine is gone"):
        executor.collect(1.0)
    assert len(starts) == 1


def address_of(executor):
    host, _, port = executor._ray.get_runtime_context().gcs_address.rpartition(":")
    return host, int(port)
