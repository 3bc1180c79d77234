"""The ledger of a search of a whole tree: units named by their paths, each counted once."""

from __future__ import annotations

import struct
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from e2.store.ledger import DONE, FAILED, OPEN, Ledger, packed_codes, unpacked_codes

ELSEWHERE = "elsewhere"
"""The status of a unit that another run is to do."""


@dataclass(frozen=True)
class Branch:
    """A part of a tree: all that lies below a path. `share` is how large it is guessed to be, of the whole tree.

    Branches of lesser `rank` are to be searched first.
    """

    path: tuple[int, ...]
    share: float
    rank: float = 0.0


@dataclass(frozen=True)
class TreeUnit:
    """A branch as the ledger has it, with something left to do. `place` is where its search stands."""

    number: int
    path: tuple[int, ...]
    place: (
        tuple[int, ...] | None
    )  # the floor, then the codes of a search.tree_search.Place; None before the first slice
    lease: int
    share: float
    rank: float


@dataclass(frozen=True)
class TreeEntry:
    """What one slice did to a unit. `nodes` are those with 1, 2, ... pieces on the board, as a Stretch has them.

    `boards` are new solutions as (board_hash, codes).
    """

    nodes: tuple[int, ...]
    solutions: int
    boards: tuple[tuple[int, tuple[int, ...]], ...]
    given: tuple[Branch, ...]
    place: tuple[int, ...] | None
    share: float
    done: bool
    seconds: float
    host: str
    pid: int


@dataclass(frozen=True)
class Account:
    """What a unit has come to, without what lies below the branches that it gave away.

    `nodes` are those one deeper than the path, then two, ..., up to the last that there are. `gave` is the number of
    branches, `share` what is left; `place` is None for a unit that is done or has not begun.
    """

    path: tuple[int, ...]
    status: str
    nodes: tuple[int, ...] = ()
    solutions: int = 0
    gave: int = 0
    share: float = 0.0
    place: tuple[int, ...] | None = None


class TreeLedger(Ledger):
    """The open ledger of a tree, for one driver in one thread."""

    _sound = (*Ledger._sound, ("units", "typeof(path) = 'blob' AND coalesce(length(state) % 4, 0) = 0"))

    def add_branches(self, branches: Sequence[Branch], statuses: Sequence[str]) -> list[TreeUnit]:
        """Enter new units, and return those that are open."""
        with self._transaction():
            (number,) = self._connection.execute("SELECT coalesce(max(number), -1) FROM units").fetchone()
            numbered = list(enumerate(zip(branches, statuses, strict=True), number + 1))
            self._connection.executemany(
                "INSERT INTO units (number, seed, path, share, rank, status) VALUES (?, 0, ?, ?, ?, ?)",
                [(at, packed_codes(one.path), one.share, one.rank, status) for at, (one, status) in numbered],
            )
        return [
            TreeUnit(at, one.path, None, 0, one.share, one.rank) for at, (one, status) in numbered if status == OPEN
        ]

    def add_account(self, account: Account) -> None:
        """Enter a unit with what it has come to elsewhere."""
        with self._transaction():
            (number,) = self._connection.execute("SELECT coalesce(max(number), -1) + 1 FROM units").fetchone()
            self._connection.execute(
                "INSERT INTO units (number, seed, path, state, share, status, nodes, solutions, counts, gave)"
                " VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    number,
                    packed_codes(account.path),
                    None if account.place is None else packed_codes(account.place),
                    account.share,
                    account.status,
                    sum(account.nodes),
                    account.solutions,
                    _packed_counts(account.nodes),
                    account.gave,
                ),
            )

    def add_boards(self, boards: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        """Enter solutions that were found elsewhere."""
        with self._transaction():
            self._keep(0, boards, None)

    def waiting(self, most: int, known: Collection[int]) -> list[TreeUnit]:
        """Open units, least rank first, without those whose numbers are `known`: at most so many."""
        with self._guarded():
            rows = self._connection.execute(
                "SELECT number, path, state, lease, share, rank FROM units WHERE status = 'open'"
                " ORDER BY rank, number LIMIT ?",
                (most + len(known),),
            ).fetchall()
        units = [
            TreeUnit(number, unpacked_codes(path), None if place is None else unpacked_codes(place), lease, share, rank)
            for number, path, place, lease, share, rank in rows
            if number not in known
        ]
        return units[:most]

    def open_share(self) -> tuple[int, float]:
        """How many units are open, and the part of the tree that is left in them."""
        return self._share_of(OPEN)

    def share_elsewhere(self) -> tuple[int, float]:
        """How many units are for other runs, and the part of the tree in them."""
        return self._share_of(ELSEWHERE)

    def failed_share(self) -> tuple[int, float]:
        """How many units have failed, and the part of the tree that is left in them."""
        return self._share_of(FAILED)

    def _share_of(self, status: str) -> tuple[int, float]:
        with self._guarded():
            row = self._connection.execute(
                "SELECT count(*), total(share) FROM units WHERE status = ?", (status,)
            ).fetchone()
        return int(row[0]), float(row[1])

    def settle(self, number: int, lease: int, entry: TreeEntry) -> bool:
        """Enter a slice's result if `lease` is the unit's own; False, and one more late slice, if it is not.

        What the slice gave away is not entered here: the caller adds it in the same transaction.
        """
        nodes = sum(entry.nodes)
        with self._transaction():
            row = self._connection.execute(
                "SELECT path, counts FROM units WHERE number = ? AND lease = ? AND status = 'open'", (number, lease)
            ).fetchone()
            if row is None:
                self._note_slice(number, entry.host, entry.pid, late=1)
                return False
            path, before = row
            counts = _packed_counts(entry.nodes[len(path) // 4 :])
            self._raise_lease(
                "state = ?, status = ?, share = ?, nodes = nodes + ?, solutions = solutions + ?, gave = gave + ?,"
                " counts = ?",
                (
                    None if entry.place is None else packed_codes(entry.place),
                    DONE if entry.done else OPEN,
                    entry.share,
                    nodes,
                    entry.solutions,
                    len(entry.given),
                    counts if before is None else _added_counts(before, counts),
                ),
                number,
                lease,
            )
            if entry.boards:
                self._keep(number, entry.boards, time.time())
            self._note_slice(number, entry.host, entry.pid, slices=1, nodes=nodes, seconds=entry.seconds)
        return True

    def nodes_by_depth(self, depths: int) -> tuple[int, ...]:
        """Nodes with 1, 2, ... pieces on the board, of all units."""
        total = np.zeros(depths, object)
        with self._guarded():
            for path, counts in self._connection.execute("SELECT path, counts FROM units WHERE counts IS NOT NULL"):
                first = len(path) // 4
                total[first : first + len(counts) // 8] += np.frombuffer(counts, "<i8").astype(object)
        return tuple(int(number) for number in total)

    def accounts(self) -> Iterator[Account]:
        """All units, each after the one that gave it away."""
        with self._guarded():
            rows = self._connection.execute(
                "SELECT path, status, counts, solutions, gave, share, state FROM units ORDER BY path"
            )
            for path, status, counts, solutions, gave, share, place in rows:
                yield Account(
                    unpacked_codes(path),
                    status,
                    _unpacked_counts(counts),
                    solutions,
                    gave,
                    share,
                    None if place is None else unpacked_codes(place),
                )

    def seconds_by_path(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """What the slices of each unit took, for units that had one."""
        with self._guarded():
            rows = self._connection.execute(
                "SELECT path, sum(seconds) FROM units JOIN slices ON unit = number GROUP BY number"
            )
            for path, seconds in rows:
                yield unpacked_codes(path), seconds

    def boards(self) -> list[tuple[int, tuple[int, ...]]]:
        """The solutions that are kept, as (board_hash, codes), by hash."""
        with self._guarded():
            rows = self._connection.execute("SELECT board_hash, codes FROM boards").fetchall()
        return sorted((int(name), unpacked_codes(codes)) for name, codes in rows)

    def _keep(self, number: int, boards: Sequence[tuple[int, tuple[int, ...]]], clock: float | None) -> None:
        self._connection.executemany(
            "INSERT OR IGNORE INTO boards (board_hash, unit, codes, clock) VALUES (?, ?, ?, ?)",
            [(str(name), number, packed_codes(codes), clock) for name, codes in boards],
        )


def _packed_counts(counts: tuple[int, ...]) -> bytes:
    packed = struct.pack(f"<{len(counts)}q", *counts)
    return packed[: -(-len(packed.rstrip(b"\0")) // 8) * 8]


def _added_counts(one: bytes, other: bytes) -> bytes:
    short, long = sorted((one, other), key=len)
    total = np.frombuffer(long, "<i8").copy()
    total[: len(short) // 8] += np.frombuffer(short, "<i8")
    return total.tobytes()


def _unpacked_counts(counts: bytes | None) -> tuple[int, ...]:
    return () if counts is None else tuple(np.frombuffer(counts, "<i8").tolist())
