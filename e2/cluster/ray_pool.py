"""Executor on Ray: a cluster of its own on this machine, or one that is already there. The only file that imports ray.

Slices are Ray tasks without retries or placement: which slice counts is the ledger's business, and a task pinned to a
host that died would wait for ever. Ray is told to keep quiet before it is imported, since it writes to standard output.

The embedded cluster is no open door: it listens on the loopback interface only and asks for a token, which lies in a
folder of its owner's alone. The kernel drops the lock on that folder with the driver, so the next driver knows which
folders were left behind by killed ones, and removes them.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib.metadata
import json
import logging
import os
import platform
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from e2.cluster.local import usable_cores
from e2.cluster.slice import Job, Outcome, SliceFailure, attempt
from e2.errors import ClusterError

_QUIET: dict[str, str | None] = {
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}
_LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}  # on any system: the node's address is then 127.0.0.1
_OBJECT_STORE = 100_000_000  # bytes; most states are a few kB each, and Ray puts on disk what has no room
_SPARE = 2  # slices queued beyond the cores, so that none waits for the driver
_ANSWER = 3.0  # seconds for the cluster's port to answer
_PROBE = 20.0  # seconds for the cluster to say what it is
_LEFT_BEHIND = 60.0  # seconds: a younger folder may not have its lock yet
_RESTARTS = 3  # of an embedded cluster within a sitting
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_LONGEST_TEMP = 24  # characters: Ray's sockets lie 80 deeper, and a socket's path has 107

# In a process of its own: Ray's client to an address that does not answer ends the whole process after some time.
_PROBE_PROGRAM = """
import json, sys
from ray._raylet import GcsClient
found = GcsClient(address=sys.argv[1]).internal_kv_get(b"CLUSTER_METADATA", b"cluster", timeout=10)
print(json.dumps(json.loads(found)))
"""


class RayExecutor:
    """Slices as Ray tasks. `address` names a cluster; None takes RAY_ADDRESS, or starts one here with `workers` cores.

    Entering raises ClusterError for a cluster that does not answer, or that has another Ray or Python.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._address = address or os.environ.get("RAY_ADDRESS") or None
        self._wanted = workers
        self._ray: Any = None
        self._remote: Any = None
        self._jobs: dict[Any, Job] = {}
        self._clean_up = contextlib.ExitStack()
        self._restarts = 0

    def __enter__(self) -> Self:
        self._start()
        return self

    def _start(self) -> None:
        with contextlib.ExitStack() as stack:
            stack.enter_context(_environment(_QUIET))
            if self._address is None:
                self._start_embedded(stack)
            else:
                self._connect(self._address)
            stack.callback(self._ray.shutdown)
            self._remote = self._ray.remote(num_cpus=1, max_retries=0)(_attempt_here)
            self._clean_up = stack.pop_all()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._jobs.clear()
        self._clean_up.close()

    @property
    def workers(self) -> int:
        try:
            return int(self._ray.cluster_resources().get("CPU", 0))
        except self._ray.exceptions.RayError as error:
            raise ClusterError(f"the cluster is gone: {_last_line(str(error))}") from error

    @property
    def in_flight(self) -> int:
        return self.workers + _SPARE

    def submit(self, job: Job) -> None:
        self._jobs[self._remote.remote(job, _version())] = job

    def collect(self, seconds: float) -> list[Outcome]:
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
                return outcomes + self._lost_with_the_node(_last_line(str(error)))
        return outcomes

    def abandon(self, job: Job) -> None:
        for reference, known in list(self._jobs.items()):
            if known == job:
                del self._jobs[reference]
                self._ray.cancel(reference, force=True)

    def _outcome(self, reference: Any) -> Outcome:
        job = self._jobs[reference]
        try:
            outcome: Outcome = self._ray.get(reference)
        except self._ray.exceptions.LocalRayletDiedError:
            raise
        except self._ray.exceptions.RayTaskError as error:
            # `attempt` turns what a strategy raises into a failure, so the worker never got that far.
            raise ClusterError(f"a node of the cluster cannot run e2 {_version()}: {_last_line(str(error))}") from None
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

    def _start_embedded(self, stack: contextlib.ExitStack) -> None:
        if "ray" in sys.modules and not _private_folder.cache_info().currsize:
            # Ray reads at import who may reach it, so such a cluster would be open to the network.
            raise ClusterError("Ray was imported before this run; name a cluster's address, or use executor local")
        folder = _private_folder()
        stack.enter_context(
            _environment(
                {
                    **_LOOPBACK,
                    "RAY_AUTH_MODE": "token",
                    "RAY_AUTH_TOKEN_PATH": str(folder / "token"),
                    "RAY_AUTH_TOKEN": None,  # it would win over the path
                    "RAY_ADDRESS": None,
                }
            )
        )
        sessions = folder / "r"
        stack.callback(shutil.rmtree, sessions, ignore_errors=True)
        self._init(
            address="local",
            num_cpus=self._wanted or usable_cores(),
            object_store_memory=_OBJECT_STORE,
            include_dashboard=False,
            _temp_dir=str(sessions),
        )
        # It watches for hosts to add, of which there are none, and would make a stop a second longer.
        with contextlib.suppress(AttributeError):
            self._ray._private.worker._global_node.kill_monitor()

    def _connect(self, address: str) -> None:
        if address.startswith("ray://"):
            raise ClusterError(f"{address} is a Ray Client address; e2 needs the cluster's own, such as HOST:6379")
        if address != "auto":
            _check_versions(address)
        self._init(address=address)

    def _init(self, **options: Any) -> None:
        try:
            import ray

            self._ray = ray
            ray.init(log_to_driver=False, logging_level=logging.ERROR, configure_logging=False, **options)
        except (RuntimeError, ValueError, OSError, ImportError) as error:
            place = options["address"] if options["address"] != "local" else "on this machine"
            raise ClusterError(f"Ray {place} cannot be used: {_last_line(str(error))}") from error


def _attempt_here(job: Job, version: str) -> Outcome:
    """`attempt` on a worker of the cluster; RuntimeError where that has another e2 than the driver."""
    if _version() != version:
        raise RuntimeError(f"{socket.gethostname()} has e2 {_version()}")
    return attempt(job)


@functools.cache
def _version() -> str:
    return importlib.metadata.version("e2")


def _check_versions(address: str) -> None:
    """ClusterError unless a cluster answers at `address` and has this process's Ray and Python; in bounded time."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise ClusterError(f"{address!r} is no cluster address: expected HOST:PORT")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(f"no Ray cluster answers at {address}: {error}") from error
    try:
        probe = subprocess.run(
            [sys.executable, "-c", _PROBE_PROGRAM, address], capture_output=True, text=True, timeout=_PROBE
        )
        found = json.loads(probe.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, ValueError, IndexError):
        raise ClusterError(f"what answers at {address} is no Ray cluster, or does not accept this token") from None
    ours = {"ray_version": importlib.metadata.version("ray"), "python_version": platform.python_version()}
    for key, name in (("ray_version", "Ray"), ("python_version", "Python")):
        if found.get(key) != ours[key]:
            raise ClusterError(f"the cluster at {address} has {name} {found.get(key)}, this machine {ours[key]}")


@functools.cache
def _private_folder() -> Path:
    """A folder of this process, closed to everybody else, with the token in it; gone when the process ends.

    One for the whole life of the process: Ray reads a token once.
    """
    root = Path(tempfile.gettempdir())
    if len(str(root)) > _LONGEST_TEMP:
        root = Path("/tmp")
    _sweep(root)
    folder = Path(tempfile.mkdtemp(prefix="e2-ray-", dir=root))
    lock = FileLock(folder / "lock")
    lock.acquire()
    handle = os.open(folder / "token", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(32))

    def remove() -> None:
        lock.release()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def _sweep(root: Path) -> None:
    """Remove the folders of drivers that were killed."""
    for folder in root.glob("e2-ray-*"):
        with contextlib.suppress(OSError, Timeout):
            status = folder.lstat()  # a stranger's link to a folder of ours is a stranger's
            if status.st_uid == os.getuid() and time.time() - status.st_mtime > _LEFT_BEHIND:
                with FileLock(folder / "lock", timeout=0):
                    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _environment(values: dict[str, str | None]) -> Iterator[None]:
    """Set (or, with None, clear) variables, and put them back after."""
    before = {name: os.environ.get(name) for name in values}
    _set(values)
    try:
        yield
    finally:
        _set(before)


def _set(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no reason given"
