"""File names under runs/NAME/, how a file gets there without ever being half there, and one driver a folder."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from e2.errors import RunError

_LONGEST_NAME = 64  # characters: leaves room for a number behind it within any file system's limit


def safe_name(text: str) -> str:
    """A file name from a stranger's text: ASCII letters, digits, `_` and `-`; any other run becomes one `_`.

    >>> safe_name("../../etc/passwd")
    'etc_passwd'
    """
    kept = re.sub(r"[^A-Za-z0-9_-]+", "_", text[: 4 * _LONGEST_NAME])[:_LONGEST_NAME].strip("_-")
    return kept or "run"


def write_durably(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Put `data` at `path` so that a crash at any moment leaves the old file or the new one; RunError if it cannot be.

    Data in parts is never in memory as a whole. The folder is synced too: without it a power cut may forget the rename.
    """
    if os.path.isdir(path):
        raise RunError(f"{path} cannot be written: it is a folder")
    if os.path.exists(path) and not os.path.isfile(path):
        # A rename would put a file in the place of a pipe, or of /dev/null.
        raise RunError(f"{path} cannot be written: it is no file")
    draft = path.with_name(f".{path.name}.tmp")
    try:
        # What lies there was left by a crash, or is a link that leads elsewhere.
        draft.unlink(missing_ok=True)
        with draft.open("xb") as file:
            file.writelines((data,) if isinstance(data, bytes) else data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise RunError(f"{path} cannot be written: {error.strerror}") from error


def read_text(path: Path) -> str:
    """A text file of a run; RunError where it cannot be read."""
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"{path} cannot be read: {error}") from error


def sync_folder(path: Path) -> None:
    """Make the names in a folder survive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@dataclass(frozen=True)
class RunFolder:
    """One run on disk. Everything that is needed to go on lies inside it."""

    path: Path

    @classmethod
    def create(cls, path: Path, *, numbered: bool = False) -> RunFolder:
        """A new, empty folder at `path`; RunError if something is there already.

        `numbered` takes the first free one of PATH, PATH-2, PATH-3, ... also when others do so at the same moment.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{path.parent} cannot be made: {error.strerror}") from error
        number = 1
        while True:
            folder = cls(path if number == 1 else path.with_name(f"{path.name}-{number}"))
            try:
                folder.path.mkdir()
                folder.boards.mkdir()
                return folder
            except FileExistsError as error:
                if not numbered:
                    raise _taken(path) from error
            except OSError as error:
                raise RunError(f"{folder.path} cannot be made: {error.strerror}") from error
            number += 1

    @staticmethod
    def refuse_taken(path: Path) -> None:
        """Raise what `create` would, before the work that comes first; `create` still decides."""
        if os.path.lexists(path):
            raise _taken(path)

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """The run at `path`; RunError if there is none."""
        folder = cls(path)
        for part in (folder.settings, folder.cover if os.path.isfile(folder.cover) else folder.puzzle, folder.ledger):
            if not os.path.isfile(part):
                raise RunError(f"{path} is no run: it has no {part.name}")
        return folder

    @contextlib.contextmanager
    def begun_or_gone(self) -> Iterator[None]:
        """Leave no folder behind in which nothing has begun: its name would be taken, and it could not go on."""
        try:
            yield
        finally:
            if not self.settings.is_file():
                with contextlib.suppress(RunError):
                    self.remove_unbegun()

    def remove_unbegun(self) -> None:
        """Remove what a driver left that was killed while it made the folder; RunError if anything else is there."""
        try:
            inside = {entry.name for entry in os.scandir(self.path)}
            begun = [entry.name for entry in os.scandir(self.boards)] if self.boards.name in inside else []
            parts = (self.boards, self.puzzle, self.cover, self.strategy, self.settings, self._lock)
            early = {part.name for part in parts} | {f".{part.name}.tmp" for part in parts}
            early |= {f"{self.ledger.name}{end}" for end in ("", "-wal", "-shm", "-journal")}
            begun += inside - early
            if begun:
                raise RunError(f"{self.path} is no run, and {begun[0]} is in it; expected a run with its settings.toml")
            shutil.rmtree(self.path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise RunError(f"{self.path} cannot be removed: {error.strerror}") from error

    @property
    def settings(self) -> Path:
        """The run's settings in TOML. Written last, so a folder that has it is whole."""
        return self.path / "settings.toml"

    def check_puzzle(self) -> None:
        """Raise the RunError of a count of covers, which has neither a puzzle nor boards to show."""
        if self.cover.is_file() and not self.puzzle.exists():
            raise RunError(
                f"{self.path.name} counts covers, so it has no boards to show; e2 ledger show tells what is counted"
            )

    @property
    def puzzle(self) -> Path:
        return self.path / "puzzle.json"

    @property
    def cover(self) -> Path:
        """Of a count of covers: its problem as text, in place of a puzzle."""
        return self.path / "cover.txt"

    @property
    def strategy(self) -> Path:
        """The file of a strategy that is not registered; there is none for others."""
        return self.path / "strategy.py"

    @property
    def ledger(self) -> Path:
        return self.path / "ledger.sqlite"

    @property
    def ledger_text(self) -> Path:
        """Of a count: its ledger as text, as it was at the end of the last sitting."""
        return self.path / "ledger.txt"

    @property
    def summary(self) -> Path:
        return self.path / "summary.json"

    @property
    def boards(self) -> Path:
        """The best board of each task, as <score>_<board_hash>.json."""
        return self.path / "boards"

    @property
    def earlier(self) -> Path:
        """Boards that were announced and then surpassed by their own task."""
        return self.boards / "earlier"

    @property
    def _lock(self) -> Path:
        return self.path / ".lock"

    @property
    def stop(self) -> Path:
        """A file that is there while the run is asked to stop."""
        return self.path / ".stop"

    @contextlib.contextmanager
    def driven(self) -> Iterator[None]:
        """Hold the folder for one driver; RunError while another has it, and for one with links in it.

        The operating system drops the lock with the process that holds it, so a killed driver leaves none behind.
        """
        self._refuse_links()
        lock = FileLock(self._lock, timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise RunError(f"{self.path} is being run by another driver") from error
        except OSError as error:
            raise RunError(f"{self.path} cannot be locked: {error.strerror}") from error
        try:
            yield
        finally:
            lock.release()

    def _refuse_links(self) -> None:
        """Raise a RunError for a link in the folder: a stranger's would lead what is written and moved elsewhere."""
        for folder in (self.path, self.boards):
            try:
                with os.scandir(folder) as entries:
                    link = next((entry.path for entry in entries if entry.is_symlink()), None)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise RunError(f"{folder} cannot be read: {error.strerror}") from error
            if link is not None:
                raise RunError(f"{link} is a link, not followed; expected what it leads to in its place")


def _taken(path: Path) -> RunError:
    return RunError(f"{path} exists already: resume it, or choose another name")
