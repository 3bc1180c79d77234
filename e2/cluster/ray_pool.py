"""Executor on Ray: a cluster of its own on this machine, or one that is already there.

Slices are Ray tasks without retries or placement: which slice counts is the ledger's business, and a task pinned to a
host that died would wait for ever. Once a slice did not come back, others keep away from nodes that do not answer.
"""

from __future__ import annotations

import contextlib
import functools
import signal
import socket
import subprocess
import threading
import time
from types import TracebackType
from typing import Any, Self

from e2.cluster.ray_nodes import Doubts, refuse_other_versions
from e2.cluster.ray_session import connected, head_process, last_line, named_cluster
from e2.cluster.slice import Job, Outcome, SliceFailure, attempt
from e2.cluster.versions import differences, versions
from e2.errors import ClusterError

_SPARE = 2  # slices queued beyond the cores, so that none waits for the driver
_COUNT = 1.0  # seconds between counts of the cores: the answer is as long as the cluster is large
_DOUBT = 10.0  # seconds between looks at which nodes answer, when slices do not come back
_RESTARTS = 3  # of an embedded cluster within a sitting
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class RayExecutor:
    """Slices as Ray tasks. `address` names a cluster; None takes RAY_ADDRESS, or starts one here with `workers` cores.

    Entering raises ClusterError for a cluster that does not answer, and for one with a node that has another e2,
    Python, Ray, numba or numpy than this process. A node that joins later is asked with each slice.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._address = named_cluster(address)
        self._wanted = workers
        self._ray: Any = None
        self._remote: Any = None
        self._expected: dict[str, str] | None = None  # of the workers; those of an embedded cluster are like us
        self._jobs: dict[Any, Job] = {}
        self._doubts: Doubts | None = None  # of an embedded cluster, which has one node, there are none
        self._doubted = -_DOUBT
        self._head: subprocess.Popen[bytes] | None = None  # of an embedded cluster
        self._clean_up = contextlib.ExitStack()
        self._restarts = 0
        self._cores, self._counted = 0, -_COUNT

    def __enter__(self) -> Self:
        self._start()
        return self

    def _start(self) -> None:
        with contextlib.ExitStack() as stack:
            self._ray = stack.enter_context(connected(self._address, self._wanted))
            if self._address is not None:
                refuse_other_versions(self._ray)
                self._expected = versions()
                self._doubts = Doubts(self._ray)
            else:
                self._head = head_process(self._ray)
            self._remote = self._ray.remote(num_cpus=1, max_retries=0)(_attempt_here)
            self._clean_up = stack.pop_all()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._jobs.clear()
        self._clean_up.close()

    @property
    def workers(self) -> int:
        now = time.monotonic()
        if now - self._counted >= _COUNT:
            try:
                self._cores = int(self._ray.cluster_resources().get("CPU", 0))
            except self._ray.exceptions.RayError as error:
                raise ClusterError(f"the cluster is gone: {last_line(str(error))}") from error
            self._counted = now
        return self._cores

    @property
    def in_flight(self) -> int:
        return self.workers + _SPARE

    def submit(self, job: Job) -> None:
        remote = self._remote
        silent = [] if self._doubts is None else self._doubts.silent()
        if silent:
            remote = remote.options(label_selector={"ray.io/node-id": f"!in({','.join(silent)})"})
        self._jobs[remote.remote(job, self._expected)] = job

    def collect(self, seconds: float) -> list[Outcome]:
        if self._head is not None and self._head.poll() is not None:
            return self._lost_with_the_node("its head died")
        if not self._jobs:
            time.sleep(seconds)
            return []
        references = list(self._jobs)
        ready, _ = self._ray.wait(references, num_returns=1, timeout=seconds)
        if ready:
            # Whatever else is there already comes along, without waiting.
            ready, _ = self._ray.wait(references, num_returns=len(references), timeout=0)
        outcomes = []
        for reference in ready:
            try:
                outcomes.append(self._outcome(reference))
            except self._ray.exceptions.LocalRayletDiedError as error:
                return outcomes + self._lost_with_the_node(last_line(str(error)))
        return outcomes

    def abandon(self, job: Job) -> None:
        for reference, known in list(self._jobs.items()):
            if known == job:
                del self._jobs[reference]
                self._ray.cancel(reference, force=True)
        if self._doubts is not None and time.monotonic() - self._doubted >= _DOUBT:
            self._doubts.ask()
            self._doubted = time.monotonic()

    def _outcome(self, reference: Any) -> Outcome:
        job = self._jobs[reference]
        try:
            outcome: Outcome = self._ray.get(reference)
        except self._ray.exceptions.LocalRayletDiedError:
            raise
        except self._ray.exceptions.RayTaskError as error:
            # `attempt` turns what a strategy raises into a failure, so the worker never got that far.
            raise ClusterError(f"a node of the cluster cannot run this e2: {last_line(str(error))}") from None
        except self._ray.exceptions.RayError as error:
            outcome = SliceFailure(job.number, f"worker lost ({type(error).__name__})", lost=True)
        del self._jobs[reference]
        return outcome

    def _lost_with_the_node(self, reason: str) -> list[Outcome]:
        """All slices in flight as failures, and a new embedded cluster for the one whose node died.

        One stray signal is enough: a node ends with any of Ray's own processes. Raises ClusterError where the cluster
        is not ours, or dies again and again.
        """
        if self._address is not None or self._restarts == _RESTARTS:
            raise ClusterError(f"the Ray node of this machine is gone: {reason}")
        self._restarts += 1
        lost = list(self._jobs.values())
        self._jobs.clear()
        self._clean_up.close()
        # Ray sets signal handlers when it starts; those of the run are to stay.
        handlers = {number: signal.getsignal(number) for number in _SIGNALS}
        self._start()
        if threading.current_thread() is threading.main_thread():
            for number, handler in handlers.items():
                signal.signal(number, handler)
        return [SliceFailure(job.number, "Ray's node died and was started again", lost=True) for job in lost]


def _attempt_here(job: Job, expected: dict[str, str] | None) -> Outcome:
    """`attempt` on a worker of the cluster; RuntimeError where that has other versions than the driver."""
    other = "" if expected is None else differences(_versions_here(), expected)
    if other:
        raise RuntimeError(f"{socket.gethostname()} has {other}")
    return attempt(job)


_versions_here = functools.cache(versions)
