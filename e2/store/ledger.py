"""The ledger of a run: its units, what was done to them and by whom. SQLite, one transaction a result.

Slices run at least once and count exactly once. A unit carries a lease number, and a result is entered only if it
names the number that the unit carries now; entering it raises the number, as does giving a slice up. A slice that
arrives twice, or after it was given to somebody else, finds another number and is counted as late, nothing more.
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from e2.errors import RunError
from e2.search.stats import SearchStats

OPEN, DONE, FAILED = "open", "done", "failed"

_APPLICATION = 0x65324C47  # "e2LG", in the header of the file
_SCHEMA = 4

_IMPROVEMENTS = """
CREATE TABLE improvements (                 -- each time that a unit's best became better: once, whatever died
    unit       INTEGER NOT NULL,
    unit_nodes INTEGER NOT NULL,            -- of the unit, the slice that found it included
    run_nodes  INTEGER NOT NULL,            -- of all units, likewise
    seconds    REAL NOT NULL,               -- of all drivers until then
    clock      REAL NOT NULL,               -- when it was entered: seconds since 1970, by the driver's clock
    score      INTEGER NOT NULL,
    board_hash TEXT NOT NULL,
    PRIMARY KEY (unit, score)
) WITHOUT ROWID;
"""
_TABLES = f"""
CREATE TABLE units (
    number     INTEGER PRIMARY KEY,
    seed       INTEGER NOT NULL,
    budget     INTEGER,                     -- nodes; NULL runs until the search finishes
    start      BLOB,                        -- codes of the board that it begins with, as best_codes; NULL for none
    state      BLOB,                        -- NULL before the first slice
    lease      INTEGER NOT NULL DEFAULT 0,  -- the number that the next result must name
    status     TEXT NOT NULL DEFAULT 'open',
    reason     TEXT NOT NULL DEFAULT '',    -- why a failed unit failed
    nodes      INTEGER NOT NULL DEFAULT 0,
    solutions  INTEGER NOT NULL DEFAULT 0,
    restarts   INTEGER NOT NULL DEFAULT 0,
    max_depth  INTEGER NOT NULL DEFAULT 0,
    best_score INTEGER,
    best_hash  TEXT,                        -- decimal: an unsigned 64-bit number does not fit an INTEGER
    best_codes BLOB,                        -- i32 little endian
    path       BLOB,                        -- of a tree: codes above the unit, as best_codes; see tree_ledger.py
    counts     BLOB,                        -- of a tree: nodes by depth, from the first below the path on; i64 LE
    gave       INTEGER NOT NULL DEFAULT 0,  -- of a tree: how many branches the unit has given away
    share      REAL NOT NULL DEFAULT 0,     -- of a tree: the part of it that is left here
    rank       REAL NOT NULL DEFAULT 0      -- least first
);
CREATE TABLE boards (                       -- of a tree: its solutions, as far as they are kept
    board_hash TEXT PRIMARY KEY,
    unit       INTEGER NOT NULL,
    codes      BLOB NOT NULL,
    clock      REAL                         -- as of an improvement; NULL where it is not known
) WITHOUT ROWID;
{_IMPROVEMENTS}
CREATE INDEX units_by_status ON units (status, rank, number);
CREATE INDEX units_by_path ON units (path) WHERE path IS NOT NULL;
CREATE INDEX units_by_hash ON units (best_hash);
CREATE TABLE slices (                       -- who did what
    unit     INTEGER NOT NULL,
    host     TEXT NOT NULL,
    pid      INTEGER NOT NULL,
    slices   INTEGER NOT NULL DEFAULT 0,
    nodes    INTEGER NOT NULL DEFAULT 0,
    seconds  REAL NOT NULL DEFAULT 0,
    late     INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (unit, host, pid)
) WITHOUT ROWID;
CREATE TABLE announced (                    -- boards that an observer has heard of
    board_hash TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE totals (                       -- one row: what belongs to the run and to none of its units
    only      INTEGER PRIMARY KEY CHECK (only = 1),
    seconds   REAL NOT NULL                 -- of all drivers
);
INSERT INTO totals VALUES (1, 0);
"""
_NEWER = {
    1: "ALTER TABLE units ADD COLUMN start BLOB;",
    2: """
ALTER TABLE units ADD COLUMN path BLOB;
ALTER TABLE units ADD COLUMN counts BLOB;
ALTER TABLE units ADD COLUMN gave INTEGER NOT NULL DEFAULT 0;
ALTER TABLE units ADD COLUMN share REAL NOT NULL DEFAULT 0;
ALTER TABLE units ADD COLUMN rank REAL NOT NULL DEFAULT 0;
CREATE TABLE boards (board_hash TEXT PRIMARY KEY, unit INTEGER NOT NULL, codes BLOB NOT NULL) WITHOUT ROWID;
DROP INDEX units_by_status;
CREATE INDEX units_by_status ON units (status, rank, number);
CREATE INDEX units_by_path ON units (path) WHERE path IS NOT NULL;
ALTER TABLE totals DROP COLUMN nodes;
ALTER TABLE totals DROP COLUMN solutions;
""",
    3: f"{_IMPROVEMENTS} ALTER TABLE boards ADD COLUMN clock REAL;",
}
"""What makes a ledger of an older schema one of the next."""


def _all(condition: str, names: str) -> str:
    return " AND ".join(condition.format(name) for name in names.split())


# SQLite puts texts and blobs behind all numbers.
_NUMBERS = f"coalesce({{0}}, 0) BETWEEN 0 AND {(1 << 63) - 1}"
_HASHES = "length({0}) BETWEEN 1 AND 20 AND {0} NOT GLOB '*[^0-9]*'"
_PACKED = "typeof({0}) IN ('blob', 'null') AND coalesce(length({0}) % 4, 0) = 0"
_SOUND = (
    ("units", _all(_NUMBERS, "seed budget lease nodes solutions restarts max_depth best_score gave share")),
    ("units", _all(_PACKED, "start best_codes path counts") + " AND coalesce(length(counts) % 8, 0) = 0"),
    ("units", "typeof(state) IN ('blob', 'null') AND typeof(reason) = 'text' AND typeof(rank) = 'real'"),
    ("units", "status IN ('open', 'done', 'failed', 'elsewhere')"),
    ("units", f"best_hash IS NULL OR {_all(_HASHES, 'best_hash')}"),
    ("boards", f"{_all(_HASHES, 'board_hash')} AND {_all(_PACKED, 'codes')} AND {_all(_NUMBERS, 'unit clock')}"),
    ("improvements", f"{_all(_HASHES, 'board_hash')} AND {_all(_NUMBERS, 'unit_nodes run_nodes seconds clock score')}"),
    ("slices", f"typeof(host) = 'text' AND {_all(_NUMBERS, 'pid slices nodes seconds late rejected')}"),
    ("totals", _all(_NUMBERS, "seconds")),
)
"""What holds for every row of a table: SQLite keeps a text in the place of a number without a word."""
_PART: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
_SECONDS = "(SELECT coalesce(sum(seconds), 0.0) FROM slices WHERE unit = number)"


@dataclass(frozen=True)
class Best:
    """The best board of a unit."""

    score: int
    board_hash: int
    codes: tuple[int, ...]


@dataclass(frozen=True)
class Unit:
    """A unit of work as the ledger has it. `budget` is in nodes, None for a search that runs until it finishes.

    `start` holds the codes of the board that the search begins with, where the run gave it one of its best.
    """

    number: int
    seed: int
    budget: int | None
    state: bytes | None = None
    lease: int = 0
    nodes: int = 0
    best: Best | None = None
    seconds: float = 0.0  # that its slices took
    start: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Entry:
    """What one slice did to a unit. `best` is None where the slice did not improve it; `announced` says whether an
    observer is about to be told of it.
    """

    stats: SearchStats
    state: bytes
    done: bool
    best: Best | None
    announced: bool
    seconds: float
    host: str
    pid: int


@dataclass(frozen=True)
class Outcome:
    """What a unit that is done has come to. `score` is 0 where it has no board; `seconds` is what its slices took."""

    number: int
    seed: int
    score: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Improvement:
    """A unit's best became better. Nodes are those of the unit and of the run, the slice that found it included.

    `seconds` are those of all drivers until then, `clock` is the time of day of the driver, in seconds since 1970. The
    board was found up to a slice earlier.
    """

    unit: int
    unit_nodes: int
    run_nodes: int
    seconds: float
    clock: float
    score: int
    board_hash: int


@dataclass(frozen=True)
class Worker:
    """What one process on one host has done for a run. `seconds` are those of its slices."""

    host: str
    pid: int
    slices: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Totals:
    """Sums over a run. `seconds` is driver time, over all sittings; `late` and `rejected` count slices."""

    units: int
    done: int
    failed: int
    nodes: int
    solutions: int
    seconds: float
    late: int
    rejected: int
    boards: int


class Ledger:
    """The open ledger of a run, for one driver in one thread."""

    _sound: tuple[tuple[str, str], ...] = _SOUND

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._nodes: int | None = None  # of the run, once somebody has asked
        self._sitting: tuple[float, float] | None = None  # when it began by our own clock, and the seconds before it

    @classmethod
    def create(cls, path: Path) -> Self:
        """A new ledger without units."""
        ledger = cls(path, _connect(path))
        with ledger._guarded():
            ledger._connection.executescript(
                f"PRAGMA application_id={_APPLICATION}; BEGIN; {_TABLES} PRAGMA user_version={_SCHEMA}; COMMIT;"
            )
        return ledger

    @classmethod
    def open(cls, path: Path) -> Self:
        """The ledger at `path`; RunError where it is damaged, another program's, or another version's.

        Leases are renewed: whatever an earlier driver handed out is late from now on. Failed units get another try.
        Who only wants to look uses look.ledger_looked_at.
        """
        if not path.is_file():
            raise RunError(f"{path} is missing")
        ledger = cls(path, _connect(path))
        with ledger._guarded():
            ledger._renew(ledger._schema())
        ledger.check()
        with ledger._transaction():
            ledger._connection.execute(
                "UPDATE units SET lease = lease + 1, status = 'open', reason = '' WHERE status IN ('open', 'failed')"
            )
        return ledger

    def prepare_to_look(self, is_over: Callable[[], bool], steps: int) -> None:
        """Make a ledger behind a connection that cannot write one of this version; RunError where it is none of e2.

        One of an older schema is copied into memory, and the copy brought up to date. This and every read from now on
        is broken off when `is_over`, which is asked after so many steps of SQLite's machine.
        """
        self._connection.set_progress_handler(is_over, steps)
        with self._guarded():
            schema = self._schema()
            if schema < _SCHEMA:
                self._connection = _copied(self._connection, is_over)
                self._connection.set_progress_handler(is_over, steps)
                self._renew(schema)

    def check(self) -> None:
        """Raise the RunError of a damaged file, or of one with what no ledger holds. Goes through all of it."""
        with self._guarded():
            (verdict,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise RunError(f"{self._path} is damaged: {verdict}")
            for table, sound in self._sound:
                rows = self._connection.execute(f"SELECT 1 FROM {table} WHERE ({sound}) IS NOT TRUE LIMIT 1")
                if rows.fetchone() is not None:
                    raise RunError(f"{self._path} is damaged: {table} has a row that e2 does not write")
            if self._connection.execute("SELECT 1 FROM totals").fetchone() is None:
                raise RunError(f"{self._path} is damaged: totals are missing")

    def _schema(self) -> int:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (schema,) = self._connection.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION:
            raise RunError(f"{self._path} is no ledger of e2")
        if not 1 <= schema <= _SCHEMA:
            raise RunError(f"{self._path} has schema {schema}; this version reads schema 1 to {_SCHEMA}")
        return int(schema)

    def _renew(self, schema: int) -> None:
        for older in range(schema, _SCHEMA):
            self._connection.executescript(f"BEGIN; {_NEWER[older]} PRAGMA user_version={older + 1}; COMMIT;")

    def close(self) -> None:
        self._connection.close()

    def add_units(self, units: Iterable[Unit]) -> None:
        """Enter new units; all of them or none."""
        with self._transaction():
            self._connection.executemany(
                "INSERT INTO units (number, seed, budget, state, start) VALUES (?, ?, ?, ?, ?)",
                (
                    (unit.number, unit.seed, unit.budget, unit.state, unit.start and packed_codes(unit.start))
                    for unit in units
                ),
            )

    def open_units(self) -> list[Unit]:
        """All units that have something left to do, in order."""
        with self._guarded():
            rows = self._connection.execute(
                f"SELECT number, seed, budget, state, lease, nodes, {_SECONDS}, start,"
                " best_score, best_hash, best_codes FROM units WHERE status = 'open' ORDER BY number"
            ).fetchall()
        return [
            Unit(number, seed, budget, state, lease, nodes, _best(*best), seconds, start and unpacked_codes(start))
            for number, seed, budget, state, lease, nodes, seconds, start, *best in rows
        ]

    def outcomes(self) -> list[Outcome]:
        """What has become of each unit that is done, in order."""
        with self._guarded():
            rows = self._connection.execute(
                f"SELECT number, seed, coalesce(best_score, 0), nodes, {_SECONDS}"
                " FROM units WHERE status = 'done' ORDER BY number"
            ).fetchall()
        return [Outcome(*row) for row in rows]

    def enter(self, number: int, lease: int, entry: Entry) -> bool:
        """Enter a slice's result if `lease` is the unit's own; False, and one more late slice, if it is not."""
        stats, best = entry.stats, entry.best
        with self._transaction():
            kept = self._raise_lease(
                "state = ?, status = ?, nodes = nodes + ?, solutions = solutions + ?, restarts = restarts + ?,"
                " max_depth = max(max_depth, ?)",
                (
                    entry.state,
                    DONE if entry.done else OPEN,
                    stats.nodes,
                    stats.solutions,
                    stats.restarts,
                    stats.max_depth,
                ),
                number,
                lease,
            )
            if kept and self._nodes is not None:
                self._nodes += stats.nodes
            if kept and best is not None:
                self._connection.execute(
                    "UPDATE units SET best_score = ?, best_hash = ?, best_codes = ? WHERE number = ?",
                    (best.score, str(best.board_hash), packed_codes(best.codes), number),
                )
                self._note_improvement(number, best)
                if entry.announced:
                    self._connection.execute("INSERT OR IGNORE INTO announced VALUES (?)", (str(best.board_hash),))
            if kept:
                self._note_slice(number, entry.host, entry.pid, slices=1, nodes=stats.nodes, seconds=entry.seconds)
            else:
                self._note_slice(number, entry.host, entry.pid, late=1)
        return kept

    def reject(self, number: int, host: str, pid: int) -> None:
        """Count a result that was not believed."""
        with self._transaction():
            self._note_slice(number, host, pid, rejected=1)

    def give_up(self, number: int, lease: int, *, failed: str | None = None) -> bool:
        """Void a lease; with a reason, mark the unit as failed. False where the lease was void already."""
        status, reason = (OPEN, "") if failed is None else (FAILED, failed)
        with self._transaction():
            return self._raise_lease("status = ?, reason = ?", (status, reason), number, lease)

    def begin_sitting(self) -> None:
        """From now on, improvements count their seconds on from those of earlier sittings."""
        with self._guarded():
            # A driver that was killed could not add its seconds; its improvements say how long it ran at least.
            (before,) = self._connection.execute(
                "SELECT max(seconds, (SELECT coalesce(max(seconds), 0.0) FROM improvements)) FROM totals"
            ).fetchone()
        self._sitting = time.monotonic(), before

    def add_seconds(self, seconds: float) -> None:
        """Add the time of one sitting."""
        with self._transaction():
            self._connection.execute("UPDATE totals SET seconds = seconds + ?", (seconds,))

    def totals(self) -> Totals:
        """The sums of the run as it stands."""
        with self._guarded():
            units = self._connection.execute(
                "SELECT count(*), coalesce(sum(status = 'done'), 0), coalesce(sum(status = 'failed'), 0),"
                " coalesce(sum(nodes), 0), coalesce(sum(solutions), 0), count(DISTINCT best_hash),"
                " (SELECT count(*) FROM boards), (SELECT seconds FROM totals) FROM units"
            ).fetchone()
            late, rejected = self._connection.execute(
                "SELECT coalesce(sum(late), 0), coalesce(sum(rejected), 0) FROM slices"
            ).fetchone()
        count, done, failed, nodes, solutions, bests, boards, seconds = units
        return Totals(count, done, failed, nodes, solutions, seconds, late, rejected, bests + boards)

    def bests(self) -> Iterator[tuple[int, Best]]:
        """The best boards, by unit, one at a time; units without one are left out."""
        with self._guarded():
            rows = self._connection.execute(
                "SELECT number, best_score, best_hash, best_codes FROM units"
                " WHERE best_hash IS NOT NULL ORDER BY number"
            )
            for number, *parts in rows:
                if best := _best(*parts):
                    yield number, best

    def best(self) -> Best | None:
        """The best board of all units, of equal ones that of the first."""
        with self._guarded():
            row = self._connection.execute(
                "SELECT best_score, best_hash, best_codes FROM units WHERE best_hash IS NOT NULL"
                " ORDER BY best_score DESC, number LIMIT 1"
            ).fetchone()
        return row and _best(*row)

    def elite(self, most: int) -> list[Best]:
        """The best boards of all units, each once: at most so many, best first, ties by hash."""
        with self._guarded():
            rows = self._connection.execute(
                "SELECT best_score, best_hash, best_codes FROM units WHERE best_hash IS NOT NULL"
                " GROUP BY best_hash ORDER BY best_score DESC, best_hash LIMIT ?",
                (most,),
            ).fetchall()
        return [best for row in rows if (best := _best(*row))]

    def improvements(self) -> list[Improvement]:
        """How the bests of all units became better, in the order of the run's time.

        A ledger that was begun before they were kept has none of that time.
        """
        with self._guarded():
            rows = self._connection.execute(
                "SELECT unit, unit_nodes, run_nodes, seconds, clock, score, board_hash FROM improvements"
                " ORDER BY seconds, run_nodes, unit, score"
            ).fetchall()
        return [Improvement(*(*numbers, int(name))) for *numbers, name in rows]

    def found_clocks(self) -> dict[int, float]:
        """When each board was entered first, by board_hash: seconds since 1970, as far as the ledger knows."""
        with self._guarded():
            rows = self._connection.execute(
                "SELECT board_hash, min(clock) FROM (SELECT board_hash, clock FROM improvements"
                " UNION ALL SELECT board_hash, clock FROM boards WHERE clock IS NOT NULL) GROUP BY board_hash"
            ).fetchall()
        return {int(name): clock for name, clock in rows}

    def workers(self) -> list[Worker]:
        """Who has done what, by host and process."""
        with self._guarded():
            rows = self._connection.execute(
                "SELECT host, pid, sum(slices), sum(nodes), sum(seconds) FROM slices GROUP BY host, pid"
            ).fetchall()
        return [Worker(*row) for row in rows]

    def depths(self) -> list[int]:
        """How deep each unit's search got, in cells, by unit; units that have not begun are left out."""
        with self._guarded():
            rows = self._connection.execute("SELECT max_depth FROM units WHERE max_depth > 0 ORDER BY number")
            return [depth for (depth,) in rows]

    def is_best(self, board_hash: int) -> bool:
        """Whether any unit has this board as its best."""
        with self._guarded():
            row = self._connection.execute("SELECT 1 FROM units WHERE best_hash = ? LIMIT 1", (str(board_hash),))
            return row.fetchone() is not None

    def was_announced(self, board_hash: int) -> bool:
        """Whether an observer was told of this board."""
        with self._guarded():
            row = self._connection.execute("SELECT 1 FROM announced WHERE board_hash = ?", (str(board_hash),))
            return row.fetchone() is not None

    def failures(self) -> list[tuple[int, str]]:
        """Failed units and why."""
        with self._guarded():
            return self._connection.execute(
                "SELECT number, reason FROM units WHERE status = 'failed' ORDER BY number"
            ).fetchall()

    def _raise_lease(self, change: str, values: tuple[object, ...], number: int, lease: int) -> bool:
        done = self._connection.execute(
            f"UPDATE units SET lease = lease + 1, {change} WHERE number = ? AND lease = ? AND status = 'open'",
            (*values, number, lease),
        )
        return done.rowcount == 1

    def _note_improvement(self, number: int, best: Best) -> None:
        """Keep that a unit's best is this one from now on; a best that is entered again adds nothing."""
        if self._nodes is None:
            (self._nodes,) = self._connection.execute("SELECT sum(nodes) FROM units").fetchone()
        if self._sitting is None:
            self.begin_sitting()
        assert self._sitting is not None
        began, before = self._sitting
        self._connection.execute(
            "INSERT OR IGNORE INTO improvements SELECT number, nodes, ?, ?, ?, best_score, best_hash FROM units"
            " WHERE number = ?",
            (self._nodes, before + time.monotonic() - began, time.time(), number),
        )

    def _note_slice(self, unit: int, host: str, pid: int, **amounts: float) -> None:
        self._connection.execute(_added_to_slices(tuple(amounts)), (unit, host, pid, *amounts.values()))

    def together(self) -> contextlib.AbstractContextManager[None]:
        """Enter several results as one: all of them or none, and one wait for the disk."""
        return self._transaction()

    def _transaction(self) -> contextlib.AbstractContextManager[None]:
        """A transaction of its own, or part of the one that is open."""
        return _PART if self._connection.in_transaction else self._begun()

    @contextlib.contextmanager
    def _begun(self) -> Iterator[None]:
        with self._guarded():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._nodes = None
                # A full disk may have ended the transaction already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise RunError(f"{self._path} cannot be used: {error}") from error
        except sqlite3.DatabaseError as error:
            raise RunError(f"{self._path} is damaged or no ledger: {error}") from error


@functools.cache
def _added_to_slices(columns: tuple[str, ...]) -> str:
    change = ", ".join(f"{column} = {column} + excluded.{column}" for column in columns)
    return (
        f"INSERT INTO slices (unit, host, pid, {', '.join(columns)}) VALUES (?, ?, ?{', ?' * len(columns)})"
        f" ON CONFLICT (unit, host, pid) DO UPDATE SET {change}"
    )


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=10)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
    except sqlite3.OperationalError as error:
        raise RunError(f"{path} cannot be used: {error}") from error
    except sqlite3.DatabaseError as error:
        raise RunError(f"{path} is damaged or no ledger: {error}") from error
    return connection


def _copied(connection: sqlite3.Connection, is_over: Callable[[], bool]) -> sqlite3.Connection:
    """The same in memory, where it may be brought up to date."""

    def check(*_: int) -> None:
        if is_over():
            raise sqlite3.OperationalError("interrupted")

    copy = sqlite3.connect(":memory:", isolation_level=None)
    with contextlib.closing(connection):
        connection.backup(copy, pages=1000, progress=check)
    return copy


def _best(score: int | None, board_hash: str | None, codes: bytes | None) -> Best | None:
    if score is None or board_hash is None or codes is None:
        return None
    return Best(score, int(board_hash), unpacked_codes(codes))


def unpacked_codes(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 4}i", packed)


def packed_codes(codes: tuple[int, ...]) -> bytes:
    return struct.pack(f"<{len(codes)}i", *codes)
