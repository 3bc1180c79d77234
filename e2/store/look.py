"""Look at a run that may be running, broken or a stranger's: nothing is written or made, no link is followed."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import math
import os
import sqlite3
import stat
import threading
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import orjson

from e2.errors import RunError
from e2.store.layout import RunFolder
from e2.store.ledger import Ledger

MOST_BYTES = 1 << 20
"""Of settings.toml, summary.json and puzzle.json: longer ones are not believed."""

_LONGEST_LOOK = 2.0  # seconds
_PATIENCE = 10.0  # seconds that a look without a limit waits for a lock
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


def settings_in(folder: RunFolder) -> dict[str, Any]:
    """The settings of a run as its file has them, checked for nothing but TOML; RunError where it is none."""
    data = read_plain(folder.settings, MOST_BYTES)
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise RunError(f"{folder.settings.name} is damaged: {error}") from error


def summary_in(folder: RunFolder) -> dict[str, Any]:
    """What the last sitting of a run has written at its end, unchecked; RunError where it is no JSON object."""
    return json_object(read_plain(folder.summary, MOST_BYTES), folder.summary.name)


def json_object(data: bytes, name: str) -> dict[str, Any]:
    """The object in a file of that name; RunError where there is none."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise RunError(f"{name} is damaged: {error}") from error
    if not isinstance(value, dict):
        raise RunError(f"{name} is damaged: no object")
    return value


@contextlib.contextmanager
def named(run: Path) -> Iterator[None]:
    """Put the path of the run before what goes wrong: a look names files without it, for pages that anybody sees."""
    try:
        yield
    except RunError as error:
        raise RunError(f"{run}: {error}") from error


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
def ledger_looked_at(path: Path, kind: type[AnyLedger], seconds: float | None = _LONGEST_LOOK) -> Iterator[AnyLedger]:
    """The ledger at `path` as it stands, also while a driver works with it. Every read is over within so many seconds;
    with None it takes as long as it takes, and the whole file is checked before anything is read.

    RunError where it cannot be read, is no ledger, is damaged, or takes longer. Anything that SQLite would make or
    change beside the file is kept from it: an idle ledger is read as one that cannot change, the index of a busy one's
    log is only read. The lock, that of any reader, keeps a driver that ends just now from taking the log away in
    between, since SQLite would make a new one.
    """
    patience = _PATIENCE if seconds is None else seconds
    log, index = path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")
    # The lock belongs to the process, and closing any handle of the file gives it back: no two looks at a time.
    with _ONE_AT_A_TIME, _opened(path) as handle:
        _hold(handle, path, patience)
        way = "immutable=1"
        if _plain_size(log):
            if not _plain_size(index):
                raise RunError(f"{log.name} lies there without {index.name}: e2 resume sets that right")
            way = "mode=ro&readonly_shm=1"
        try:
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?{way}", uri=True, isolation_level=None, timeout=patience / 2
            )
        except sqlite3.Error as error:
            raise RunError(f"{path.name} cannot be used: {error}") from error
        end = math.inf if seconds is None else time.monotonic() + seconds
        ledger = kind(Path(path.name), connection)
        try:
            ledger.prepare_to_look(lambda: time.monotonic() > end, _STEPS)
            if seconds is None:
                ledger.check()
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
