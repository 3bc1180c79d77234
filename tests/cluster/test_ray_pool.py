import os
import signal
import sqlite3
import sys

import pytest

from e2.cluster import ray_pool
from e2.cluster.manager import Manager
from e2.cluster.observer import Silent
from e2.cluster.ray_pool import RayExecutor
from e2.cluster.ray_session import head_process
from e2.cluster.slice import SliceJob
from e2.cluster.study import run_settings
from e2.cluster.task_plan import TaskPlan
from e2.core.generate import generated
from e2.errors import ClusterError
from e2.search.task import Task
from e2.store.archive import Archive
from e2.store.layout import RunFolder
from e2.store.ledger import Ledger, Unit

INSTANCE = generated(10, 10, 12, seed=2, framed=True).instance  # not solved within the budgets


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
    settings = run_settings({"strategy": "breaks", "tasks": 4, "nodes": 12_000_000, "slice_seconds": 0.2})
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
    assert killer.notes
    assert all("worker" in note for note in killer.notes)


class Beheader(Killer):
    """Kills the process that the embedded cluster hangs on, once there is a first result."""

    def progress(self, progress):
        if self.killed is None and progress.nodes:
            self.killed = head_process(sys.modules["ray"])
            self.killed.kill()
            self.killed.wait()


def test_a_run_outlives_the_head_of_its_cluster(ray_executor, tmp_path):
    boards, nodes, _ = driven(tmp_path / "calm", ray_executor)
    stormy_boards, stormy_nodes, killer = driven(tmp_path / "stormy", ray_executor, Beheader)
    assert killer.killed.returncode == -signal.SIGKILL
    assert (stormy_boards, stormy_nodes) == (boards, nodes)
    assert head_process(sys.modules["ray"]).poll() is None
    assert any("started again" in note for note in killer.notes)


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
