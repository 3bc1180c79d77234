"""Executor in processes on this machine, one pipe each. A killed worker costs the slice it was in, nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Self, cast

from e2.cluster.slice import Job, Outcome, SliceFailure
from e2.cluster.worker import READY
from e2.errors import ClusterError

_STILLBORN = 3  # workers in a row that died before they were ready: the next would too


@dataclass
class _Worker:
    process: subprocess.Popen[bytes]
    pipe: Connection
    job: Job | None = None


class LocalExecutor:
    """A pool of `workers` processes, by default one for each core that this process may use."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or usable_cores()
        self.in_flight = self.workers
        self._pool: list[_Worker] = []
        self._queue: deque[Job] = deque()
        self._stillborn = 0

    def __enter__(self) -> Self:
        self._pool = [_start() for _ in range(self.workers)]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for worker in self._pool:
            worker.process.kill()
            worker.pipe.close()
        for worker in self._pool:
            worker.process.wait()
        self._pool.clear()
        self._queue.clear()

    @property
    def pids(self) -> list[int]:
        """The worker processes alive now."""
        return [worker.process.pid for worker in self._pool]

    def submit(self, job: Job) -> None:
        self._queue.append(job)
        self._hand_out()

    def collect(self, seconds: float) -> list[Outcome]:
        came_back: list[Outcome] = []
        pipes = {worker.pipe: worker for worker in self._pool}
        for pipe in wait(list(pipes), seconds):
            worker = pipes[cast(Connection, pipe)]
            try:
                message = worker.pipe.recv()
            except (EOFError, OSError):
                came_back += self._bury(worker)
                continue
            self._stillborn = 0
            if message != READY:
                worker.job = None
                came_back.append(message)
        self._hand_out()
        return came_back

    def abandon(self, job: Job) -> None:
        if job in self._queue:
            self._queue.remove(job)
        for worker in list(self._pool):
            if worker.job == job:
                # It may hang in a bite that never ends: nothing else stops it. What it has sent goes too.
                worker.process.kill()
                worker.job = None
                self._bury(worker)

    def _hand_out(self) -> None:
        for worker in self._pool:
            if worker.job is None and self._queue:
                job = self._queue.popleft()
                try:
                    worker.pipe.send(job)
                except OSError:
                    # It died idle; its pipe says so to the next collect.
                    self._queue.appendleft(job)
                    continue
                worker.job = job

    def _bury(self, worker: _Worker) -> list[SliceFailure]:
        self._stillborn += 1
        worker.pipe.close()
        code = worker.process.wait()
        if self._stillborn >= _STILLBORN * self.workers:
            raise ClusterError(f"local workers die before they start (exit code {code})")
        self._pool[self._pool.index(worker)] = _start()
        if worker.job is None:
            return []
        return [SliceFailure(worker.job.number, f"worker died (exit code {code})", lost=True)]


def usable_cores() -> int:
    """The cores that this process may use: fewer than the machine has in a container or under a batch system."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _start() -> _Worker:
    ours, theirs = Pipe()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "e2.cluster.worker", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    except OSError as error:
        raise ClusterError(f"a local worker cannot be started: {error.strerror}") from error
    finally:
        theirs.close()
    return _Worker(process, ours)
