"""The boards of a run as files. No engine is believed: every board is judged here before it is written."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from e2.core.board import Board
from e2.core.fingerprint import board_hash
from e2.core.instance import Instance
from e2.errors import RunError
from e2.store.documents import board_document
from e2.store.layout import RunFolder, sync_folder, write_durably


@dataclass(frozen=True)
class Found:
    """A board that has been judged and written. `url` opens it in a viewer."""

    board: Board
    score: int
    board_hash: int
    path: Path
    url: str


class Archive:
    """boards/ of a run: the best board of each unit, one file a board."""

    def __init__(self, folder: RunFolder, instance: Instance) -> None:
        self._folder = folder
        self.instance = instance

    @property
    def max_score(self) -> int:
        """The score of a board without a break."""
        return self.instance.grid.max_score

    def write(self, codes: tuple[int, ...], score: int) -> Found:
        """Write a board that has no faults. When this returns, a power cut does not lose it any more."""
        board = Board(self.instance.width, self.instance.height, codes)
        name = board_hash(codes)
        document = board_document(board, self.instance)
        found = Found(board, score, name, self._path(score, name), document.url)
        if not found.path.exists():
            write_durably(found.path, document.data)
            (self._folder.earlier / found.path.name).unlink(missing_ok=True)
        return found

    def retire(self, score: int, name: int, *, announced: bool) -> None:
        """Take a surpassed board out of boards/: to earlier/ if anybody was told of it, else away."""
        path = self._path(score, name)
        try:
            if announced:
                self._set_aside(path)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"{path} cannot be moved: {error.strerror}") from error

    def settle(self, bests: set[tuple[int, int]]) -> None:
        """Make boards/ agree with the ledger after a crash: what is no (score, board_hash) of `bests` is set aside.

        Such a file was written just before the ledger could say so, or was surpassed just before it could be moved.
        """
        kept = {self._path(score, name).name for score, name in bests}
        try:
            for path in list(self._folder.boards.iterdir()):
                if path.name.endswith(".tmp"):
                    path.unlink()
                elif path.is_file() and path.name not in kept:
                    self._set_aside(path)
        except OSError as error:
            raise RunError(f"{self._folder.boards} cannot be read: {error.strerror}") from error

    def _path(self, score: int, name: int) -> Path:
        return self._folder.boards / f"{score}_{name}.json"

    def _set_aside(self, path: Path) -> None:
        self._folder.earlier.mkdir(exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            os.replace(path, self._folder.earlier / path.name)
            sync_folder(self._folder.earlier)
