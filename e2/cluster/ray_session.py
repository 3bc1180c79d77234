"""Ray, connected: a cluster of its own on this machine, or one that is already there.

Ray is told to keep quiet before it is imported, since it writes to standard output.

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
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from e2.cluster.local import usable_cores
from e2.errors import ClusterError

_QUIET: dict[str, str | None] = {
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}
_LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}  # on any system: the node's address is then 127.0.0.1
_OBJECT_STORE = 100_000_000  # bytes; most states are a few kB each, and Ray puts on disk what has no room
_ANSWER = 3.0  # seconds for the cluster's port to answer
_PROBE = 20.0  # seconds for the cluster to say what it is
_LEFT_BEHIND = 60.0  # seconds: a younger folder may not have its lock yet
_LONGEST_TEMP = 24  # characters: Ray's sockets lie 80 deeper, and a socket's path has 107

# In a process of its own: Ray's client to an address that does not answer ends the whole process after some time.
_PROBE_PROGRAM = """
import json, sys
from ray._raylet import GcsClient
found = GcsClient(address=sys.argv[1]).internal_kv_get(b"CLUSTER_METADATA", b"cluster", timeout=10)
print(json.dumps(json.loads(found)))
"""


def named_cluster(address: str | None) -> str | None:
    """The cluster that is meant: the one named here, else the one that the environment names, else none."""
    return address or os.environ.get("RAY_ADDRESS") or None


@contextlib.contextmanager
def connected(address: str | None, workers: int | None = None) -> Iterator[Any]:
    """The module ray, connected to the cluster at `address`, or to one that is started here with `workers` cores.

    Raises ClusterError for a cluster that does not answer, or that has another Ray or Python.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(_environment(_QUIET))
        ray = _embedded(workers, stack) if address is None else _joined(address)
        stack.callback(ray.shutdown)
        yield ray


def _embedded(workers: int | None, stack: contextlib.ExitStack) -> Any:
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
    ray = _begun(
        address="local",
        num_cpus=workers or usable_cores(),
        object_store_memory=_OBJECT_STORE,
        include_dashboard=False,
        _temp_dir=str(sessions),
    )
    # It watches for hosts to add, of which there are none, and would make a stop a second longer.
    with contextlib.suppress(AttributeError):
        ray._private.worker._global_node.kill_monitor()
    return ray


def head_process(ray: Any) -> subprocess.Popen[bytes] | None:
    """The process that an embedded cluster hangs on, where this Ray shows it.

    When it dies, Ray says nothing for a minute and then ends the driver too.
    """
    try:
        process: subprocess.Popen[bytes] = ray._private.worker._global_node.all_processes["gcs_server"][0].process
    except (AttributeError, LookupError):
        return None
    return process


def _joined(address: str) -> Any:
    if address.startswith("ray://"):
        raise ClusterError(f"{address} is a Ray Client address; e2 needs the cluster's own, such as HOST:6379")
    if address != "auto":
        _check_versions(address)
    return _begun(address=address)


def _begun(**options: Any) -> Any:
    try:
        import ray

        ray.init(log_to_driver=False, logging_level=logging.ERROR, configure_logging=False, **options)
    except Exception as error:  # Ray raises that very class where one of its processes dies while it starts
        place = options["address"] if options["address"] != "local" else "on this machine"
        raise ClusterError(f"Ray {place} cannot be used: {last_line(str(error))}") from error
    return ray


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


def last_line(text: str) -> str:
    """What an error of Ray's comes down to."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no reason given"
