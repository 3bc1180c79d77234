"""Look at a run that may be running, broken or a stranger's: nothing is written or made, no link is followed."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from e2.errors import RunError
from e2.store.ledger import Ledger

_LONGEST_LOOK = 2.0  # seconds
_STEPS = 20_000  # of SQLite's machine between looks at the clock
_LOCK_BYTE = 0x40000002  # the first byte that every reader of a SQLite file locks, by its file format
_ONE_AT_A_TIME = threading.Lock()

AnyLedger = TypeVar("AnyLedger", bound=Ledger)


def read_plain(path: Path, most: int) -> bytes:
    """The bytes of a plain file; RunError for a link, a pipe, more than `most` bytes, or one that cannot be read."""
    with _opened(path) as handle, open(handle, "rb", closefd=False) as file:
        try:
            data = file.read(most + 1)
        except OSError as error:
            raise RunError(f"{path.name} cannot be read: {error.strerror}") from error
    if len(data) > most:
        raise RunError(f"{path.name} is too long: expected at most {most} bytes")
    return data


def is_driven(lock: Path) -> bool:
    """Whether a driver holds the lock of a run now.

    Asking takes a shared lock for an instant, in which a driver that starts would be turned away: ask only where
    something else says that there is a driver, such as a log beside the ledger.
    """
    try:
        with _opened(lock) as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in (errno.EWOULDBLOCK, errno.EACCES)
    except RunError:
        pass
    return False


@contextlib.contextmanager
def ledger_looked_at(path: Path, kind: type[AnyLedger], seconds: float = _LONGEST_LOOK) -> Iterator[AnyLedger]:
    """The ledger at `path` as it stands, also while a driver works with it. Every read is over within so many seconds.

    RunError where it cannot be read, is no ledger, or takes longer. Anything that SQLite would make or change beside
    the file is kept from it: an idle ledger is read as one that cannot change, the index of a busy one's log is only
    read. The lock, that of any reader, keeps a driver that ends just now from taking the log away in between, since
    SQLite would make a new one.
    """
    log, index = path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")
    # The lock belongs to the process, and closing any handle of the file gives it back: no two looks at a time.
    with _ONE_AT_A_TIME, _opened(path) as handle:
        _hold(handle, path, seconds)
        way = "immutable=1"
        if _plain_size(log):
            if not _plain_size(index):
                raise RunError(f"{log.name} lies there without {index.name}: e2 resume sets that right")
            way = "mode=ro&readonly_shm=1"
        try:
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?{way}", uri=True, isolation_level=None, timeout=seconds / 2
            )
        except sqlite3.Error as error:
            raise RunError(f"{path.name} cannot be used: {error}") from error
        end = time.monotonic() + seconds
        connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
        ledger = kind(Path(path.name), connection)
        try:
            yield ledger
        finally:
            ledger.close()


def _hold(handle: int, path: Path, seconds: float) -> None:
    """Take the lock of a reader; a driver that ends has the file to itself for an instant."""
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.lockf(handle, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, _LOCK_BYTE)
            return
        except OSError as error:
            if time.monotonic() >= end:
                raise RunError(f"{path.name} cannot be locked: {error.strerror}") from error
            time.sleep(0.002)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A handle of a plain file. Opening a pipe would wait for its other end, opening a link lead elsewhere."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        if isinstance(error, OSError) and error.errno == errno.ELOOP:
            reason = "it is a link, not followed"
        raise RunError(f"{path.name} cannot be read: {reason}") from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise RunError(f"{path.name} is no plain file")
        yield handle
    finally:
        os.close(handle)


def _plain_size(path: Path) -> int:
    """The size of a file in bytes, 0 if it is not there; RunError for anything but a plain file."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise RunError(f"{path.name} cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(found.st_mode):
        raise RunError(f"{path.name} is no plain file")
    return found.st_size
