"""How soon the live page lists very many runs: from nothing known to the whole page, and once more."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from e2.bench.report import Report
from e2.cluster.observer import Silent
from e2.cluster.run import solve
from e2.cluster.study import run_settings
from e2.core.generate import generated
from e2.store.layout import RunFolder
from e2.views.web.app import live_page
from e2.views.web.guard import Access

_UNENDED = 10  # one run in so many has no summary, so that its ledger must be opened
_LIMIT = 1.0  # seconds


def views_report(runs: int = 1000, boards: int = 10_000, rounds: int = 3) -> Report:
    """Make a folder of so many runs with so many boards, and list it with an index that begins empty, several times.

    The folder is made by copies of one real run; what is measured is the slowest of the rounds, from the application's
    making to the last byte of its page. Files are in the memory of the operating system, as they are after a search.
    """
    with TemporaryDirectory(prefix="e2-bench-") as folder:
        root = Path(folder)
        _make_runs(root / "runs", root / "first", runs, boards)
        cold, again, work = [], [], []
        for _ in range(rounds):
            began, worked = time.perf_counter(), time.process_time()
            app = live_page(root / "runs", Access())
            page = asyncio.run(_asked(app, "/"))
            cold.append(time.perf_counter() - began)
            work.append(time.process_time() - worked)
            began = time.perf_counter()
            asyncio.run(_asked(app, "/"))
            again.append(time.perf_counter() - began)
    listed = page.count(b"<tr data-run=")
    shown = f"<dd>{boards}</dd>".encode() in page
    seconds = max(cold)
    lines = (
        f"{listed} runs with {boards} boards are listed {seconds:.2f} s after the start ({max(work):.2f} s of a core)",
        f"and {max(again):.2f} s when asked again at once; the page has {len(page) / 1e3:.0f} kB",
    )
    record = {
        "seconds": seconds,
        "core_seconds": max(work),
        "seconds_again": max(again),
        "runs": listed,
        "boards": boards,
        "complete": listed == runs and shown,
    }
    bars = (("first page", seconds), ("asked again", max(again)))
    return Report("the live page", lines, (record,), "seconds", bars, (("limit", _LIMIT),))


def _make_runs(root: Path, first: Path, runs: int, boards: int) -> None:
    """Copies of a small run, each with its share of the boards, under names of their own."""
    settings = run_settings({"strategy": "breaks", "tasks": 2, "nodes": 2000, "executor": "inline"})
    solve(settings, generated(16, 16, 22, seed=1).instance, first, Silent())
    board = next(RunFolder(first).boards.glob("*.json")).read_bytes()
    for run in range(runs):
        folder = RunFolder(root / f"{run:05}")
        shutil.copytree(first, folder.path, ignore=shutil.ignore_patterns("boards"))
        folder.boards.mkdir()
        if run % _UNENDED == 0:
            folder.summary.unlink()
        for number in range(run * boards // runs, (run + 1) * boards // runs):
            (folder.boards / f"{400 + number % 60}_{number}.json").write_bytes(board)
        os.utime(folder.settings, (run, run))


async def _asked(app: Any, path: str) -> bytes:
    """The body of a page, asked as a server would."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "http_version": "1.1",
    }
    parts: list[bytes] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            assert message["status"] == 200
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return b"".join(parts)
