"""The live page on a socket: bound before anything is said, quiet, and gone soon after it is asked to go."""

from __future__ import annotations

import os
import socket
import sys
import threading
from types import FrameType

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from e2.errors import SettingsError

_MOST_HEAD = 1024 * 1024
"""Bytes of a request's head that are read at all: enough to answer an address that is too long, not to drown in it."""
_LAST_WORDS = 1  # seconds that answers under way may still take
_PATIENCE = 1.4  # seconds after which a thread that has not ended is not waited for


class Protocol(H11Protocol):
    """HTTP as uvicorn speaks it, but for a head beyond all bounds: it has a status of its own."""

    def send_400_response(self, msg: str) -> None:
        error = sys.exc_info()[1]
        status = error.error_status_hint if isinstance(error, h11.RemoteProtocolError) else 400
        if status == 431 and b"\n" not in self.conn.trailing_data[0]:
            status = 414  # the first line itself has no end
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        text = {414: "The address is too long.\n", 431: "The head is too long.\n"}.get(status, f"{msg}\n")
        for event in (
            h11.Response(status_code=status, headers=headers),
            h11.Data(data=text.encode()),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def bound(host: str, port: int) -> socket.socket:
    """A listening socket; SettingsError where the address is none of this machine or is in use."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"host {host[:60]!r} is no address of this machine: {error}") from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SettingsError(f"port {port} of {host} cannot be used: {reason}") from error
    return listening


class Server(uvicorn.Server):
    """A server that is gone soon after a signal, whatever a thread of it still reads: nothing is lost by that."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        last = threading.Timer(_PATIENCE, os._exit, (128 + sig,))
        last.daemon = True
        last.start()
        super().handle_exit(sig, frame)


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Answer until a signal comes, which is raised again afterwards."""
    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=_MOST_HEAD,
        timeout_graceful_shutdown=_LAST_WORDS,
    )
    Server(config).run(sockets=[listening])
