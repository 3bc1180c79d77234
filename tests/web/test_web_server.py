"""The server on a socket: what it prints, how it ends, what it makes of a broken request, and what it leaves behind."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote_from_bytes

import httpx2
import pytest
from live_pages import make_endless, tree

from e2.views.web.guard import MOST_BODY
from e2.views.web.server import bound

PATIENCE = 60.0  # seconds for what takes one or two on an idle machine


@dataclass
class Served:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    address: str
    port: int

    def asked(self, request: bytes) -> bytes:
        """Everything that comes back for the bytes of a request."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            with contextlib.suppress(ConnectionError):
                connection.sendall(request)
            answer = b""
            with contextlib.suppress(ConnectionError):
                while part := connection.recv(65_536):
                    answer += part
        return answer


@contextlib.contextmanager
def served(runs: Path, *options: str) -> Iterator[Served]:
    command = [sys.executable, "-m", "e2", "serve", str(runs), "--port", "0", *options]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    try:
        assert process.stdout is not None
        found = re.fullmatch(r"(http://[\w.\[\]:]+:(\d+)/)\n", process.stdout.readline())
        assert found is not None
        yield Served(process, found[1], int(found[2]))
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def server(runs: Path) -> Iterator[Served]:
    with served(runs) as running:
        yield running


@pytest.fixture(scope="module")
def lasting(made: Path) -> Iterator[Served]:
    """A server that several tests ask."""
    with served(made.parent) as running:
        yield running


def test_it_says_where_it_is_and_ends_soon_after_ctrl_c(server: Served) -> None:
    assert httpx2.get(server.address).status_code == 200
    with httpx2.stream("GET", server.address + "events", timeout=PATIENCE) as stream:
        assert "good" in next(line for line in stream.iter_lines() if line.startswith("data:"))
        began = time.monotonic()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(PATIENCE) == 130
        assert time.monotonic() - began < 2
    out, errors = server.process.communicate()
    assert (out, errors) == ("", "")


@pytest.mark.parametrize("name", [b"good", b"late & early, 100%", b"caf\xe9"], ids=str)
def test_a_run_of_any_name_is_followed_by_its_page(server: Served, runs: Path, name: bytes) -> None:
    (runs / "good").rename(os.fsdecode(os.fsencode(runs) + b"/" + name))
    address = quote_from_bytes(name)
    found = re.search('data-live="/([^"]*)"', httpx2.get(f"{server.address}run/{address}").text)
    assert found is not None
    for path in {found[1], f"events?run={address}"} if name.isascii() else {found[1]}:
        with httpx2.stream("GET", server.address + path, timeout=PATIENCE) as stream:
            event = json.loads(next(line for line in stream.iter_lines() if line.startswith("data:"))[5:])
        assert list(event["rows"]) == [address]


def test_it_ends_as_soon_while_it_reads_what_takes_long(server: Served, runs: Path, made: Path) -> None:
    endless = Path(shutil.copytree(made, runs / "endless"))
    (endless / "ledger.sqlite").unlink()
    make_endless(endless / "ledger.sqlite")
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
        connection.sendall(b"GET /run/endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
        until_text(server.address, "endless")
        began = time.monotonic()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(PATIENCE) == 130
        assert time.monotonic() - began < 2


def test_any_address_of_this_machine_alone_needs_no_token(made: Path) -> None:
    with served(made.parent, "--host", "127.0.0.5") as server:
        assert server.address.startswith("http://127.0.0.5:")
        assert httpx2.get(server.address).status_code == 200
        assert httpx2.get(server.address, headers={"host": "127.0.0.6"}).status_code == 421


def test_elsewhere_than_on_this_machine_it_wants_its_token(made: Path) -> None:
    with served(made.parent, "--host", "0.0.0.0", "--token", "a-word-of-16-letters") as server:
        address = f"http://127.0.0.1:{server.port}/"
        assert server.address == f"http://0.0.0.0:{server.port}/"
        assert httpx2.get(address).status_code == 401
        by_name = {"authorization": "Bearer a-word-of-16-letters", "host": "board.example"}
        assert httpx2.get(address, headers=by_name).status_code == 200
        with httpx2.Client(follow_redirects=True) as browser:
            assert "All runs" in browser.get(f"{address}?token=a-word-of-16-letters").text
            assert browser.get(f"{address}style.css").status_code == 200


def test_a_port_in_use_is_an_error(server: Served, runs: Path) -> None:
    second = subprocess.run(
        [sys.executable, "-m", "e2", "serve", str(runs), "--port", str(server.port)], capture_output=True, text=True
    )
    assert second.returncode == 2
    assert f"error: port {server.port} of 127.0.0.1 cannot be used: " in second.stderr
    assert second.stdout == ""


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /viewer?board_edges=" + b"a" * 50_000, b"414"),
        (b"GET /viewer?board_edges=" + b"a" * 500_000, b"414"),
        (b"GET /viewer?board_edges=" + b"a" * 3_000_000, b"414"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 3_000_000, b"431"),
        (b"GET / HTTP/1.1\r\nHost: evil.example", b"421"),
        (b"GET / HTTP/1.1\r\nX: y", b"400"),
        (b"<script> / HTTP/1.1\r\nHost: localhost", b"400"),
        (b"GET /run/../../etc/passwd", b"404"),
        (b"GET /run/%2e%2e/%2e%2e/etc/passwd", b"404"),
        (b"GET /run/good/../../../etc/passwd", b"404"),
        (b"GET //evil.example/run/good", b"404"),
        (b"GET /run/caf\xc3\xa9", b"400"),
    ],
)
def test_a_strange_request_gets_its_status(lasting: Served, head: bytes, status: bytes) -> None:
    rest = b"" if b"HTTP/1.1" in head else b" HTTP/1.1\r\nHost: localhost"
    answer = lasting.asked(head + rest + b"\r\nConnection: close\r\n\r\n")
    assert answer.split(b" ")[:2] == [b"HTTP/1.1", status]
    assert httpx2.get(lasting.address).status_code == 200


def test_a_long_body_is_refused_before_it_has_come(lasting: Served) -> None:
    head = b"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    length = f"Content-Length: {MOST_BODY + 1}\r\n\r\n".encode()
    assert lasting.asked(head + length).startswith(b"HTTP/1.1 413 ")
    chunk = b"10000\r\n" + b"a" * 65_536 + b"\r\n"
    endless = head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * (2 * MOST_BODY // 65_536)
    assert lasting.asked(endless).startswith(b"HTTP/1.1 413 ")


def test_a_socket_that_cannot_be_had_names_its_address() -> None:
    with pytest.raises(ValueError, match=r"host '256\.1\.1\.1' is no address of this machine"):
        bound("256.1.1.1", 0)


DRIVER = """
import sys
from pathlib import Path
from e2.store.layout import RunFolder
from e2.store.ledger import Entry, Ledger, Unit
from e2.search.stats import SearchStats
folder = RunFolder(Path(sys.argv[1]))
with folder.driven():
    ledger = Ledger.open(folder.ledger)
    first = ledger.totals().units
    ledger.add_units([Unit(first, first, 10**9)])
    for lease in range(10**6):
        print("at", lease, flush=True)
        if not sys.stdin.readline():
            break
        ledger.enter(first, lease, Entry(SearchStats(1_000_000), b"", False, None, False, 1.0, "here", 7))
    ledger.close()
"""


@pytest.fixture
def driver(runs: Path) -> Iterator[subprocess.Popen[str]]:
    """A driver that has the run `good`, and enters a slice for each line that it is sent."""
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(runs / "good")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "at 0\n"
    yield process
    process.kill()
    process.communicate()


def slice_entered(driver: subprocess.Popen[str]) -> None:
    assert driver.stdin is not None
    assert driver.stdout is not None
    driver.stdin.write("\n")
    driver.stdin.flush()
    assert driver.stdout.readline().startswith("at ")


def until_text(address: str, text: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while text not in httpx2.get(address).text:
        assert time.monotonic() < deadline, text
        time.sleep(0.05)


def test_a_run_that_goes_on_is_watched_and_not_a_byte_of_it_changes(
    server: Served, runs: Path, driver: subprocess.Popen[str]
) -> None:
    slice_entered(driver)
    before = tree(runs)
    until_text(server.address, 'data-state="running"')
    until_text(server.address + "run/good", 'data-state="running"')
    assert tree(runs) == before
    for _ in range(3):
        slice_entered(driver)
    before = tree(runs)
    until_text(server.address, '<td class="number" data-field="workers">1</td>')
    assert tree(runs) == before


def test_a_driver_that_was_killed_leaves_what_a_look_does_not_touch(
    server: Served, runs: Path, driver: subprocess.Popen[str]
) -> None:
    slice_entered(driver)
    driver.kill()
    driver.wait()
    before = tree(runs)
    assert "good/ledger.sqlite-wal" in before
    until_text(server.address, 'data-state="stopped"')
    page = httpx2.get(server.address + "run/good").text
    assert "What cannot be read" not in page
    assert "1 M" in page
    assert tree(runs) == before


def test_a_run_that_ends_while_it_is_watched_leaves_no_log(
    server: Served, runs: Path, driver: subprocess.Popen[str]
) -> None:
    until_text(server.address, 'data-state="running"')
    driver.communicate()
    until_text(server.address, 'data-state="stopped"')
    assert not [path.name for path in (runs / "good").iterdir() if path.name.endswith(("-wal", "-shm"))]
