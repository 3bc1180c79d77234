"""Clients, folders as they were, and an instance: what several tests of the pages need."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from starlette.testclient import TestClient

from e2.core.generate import generated
from e2.views.web.app import live_page
from e2.views.web.guard import Access

CASES = Path(__file__).parent.parent / "cases"
INSTANCE = generated(4, 4, 3, seed=1).instance

Tree = dict[str, tuple[int, str]]
Copy = Callable[[str], Path]


def client_of(runs: Path, access: Access | None = None, **options: bool) -> TestClient:
    return TestClient(live_page(runs, access or Access()), base_url="http://localhost:8265", **options)


def tree(folder: Path) -> Tree:
    """Every file below a folder: when it changed, and the hash of what is in it."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else "",
        )
        for path in sorted(folder.rglob("*"))
    }


def make_endless(path: Path, schema: int = 4) -> None:
    """A ledger that somebody made so that asking it for its units never ends."""
    raw = sqlite3.connect(path)
    raw.executescript(
        f"PRAGMA application_id={0x65324C47}; PRAGMA user_version={schema};"
        "CREATE VIEW units AS WITH RECURSIVE n(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n)"
        " SELECT number, 0 AS seed, 'done' AS status, 1 AS nodes, 0 AS solutions, NULL AS best_hash FROM n;"
        "CREATE TABLE boards (board_hash); CREATE TABLE totals (seconds); INSERT INTO totals VALUES (0);"
        "CREATE TABLE slices (unit, host, pid, slices, nodes, seconds, late, rejected);"
    )
    raw.close()
