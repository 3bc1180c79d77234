"""The other end of a local worker's pipe: `python -m e2.cluster.worker DESCRIPTOR`.

A process of its own, in place of a fork or of multiprocessing's spawn, which runs the caller's main module again. It
ends when the pipe does, so workers of a killed driver are gone after the slice they are in.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from multiprocessing.connection import Connection

READY = "ready"
"""The first message: the worker has imported what it needs."""


def serve(pipe: Connection) -> None:
    """Answer jobs until the driver hangs up."""
    from e2.cluster.slice import attempt

    pipe.send(READY)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            pipe.send(attempt(pipe.recv()))


if __name__ == "__main__":
    # A terminal sends Ctrl-C to the whole group; the driver decides when its workers end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve(Connection(int(sys.argv[1])))
