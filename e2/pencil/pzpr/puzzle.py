"""The record of one kind of puzzle: its names, its body, and how files and kanpen write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from e2.pencil.pzpr.board import PencilBoard
from e2.pencil.pzpr.parts import Part
from e2.pencil.pzpr.primitives import Body

Grid = Literal["numbers", "walls", "arrows"]
"""How a token of a cell is read: a number, a number with 5 for a plain wall, or a direction and a number."""
Section = Literal["cells", "rooms", "area", "crosses", "framed"]
"""A section of a file: cells, rooms by number, rooms by border (by number in the oldest files), crosses, or cells with
the numbers outside."""


class OldPart(Protocol):
    """A body that is only read."""

    def read(self, body: Body, board: PencilBoard) -> PencilBoard: ...


@dataclass(frozen=True)
class Puzzle:
    """One line of the registry.

    `pid` is the name inside, `written` the one in a link where it differs; `aliases` are read too. `parts` make up the
    body, in order. `flags` are the letters of a pflag that mean something, in the order they are written, with their
    meaning. `file` lists the sections of a file that hold the givens. `kanpen` is what its links hold.
    """

    pid: str
    parts: tuple[Part, ...]
    aliases: tuple[str, ...] = ()
    written: str = ""
    flags: tuple[tuple[str, str], ...] = ()
    old: OldPart | None = None
    file: tuple[Section, ...] = ("cells",)
    grid: Grid = "numbers"
    kanpen: Literal["", "cells", "squares", "rooms"] = ""

    @property
    def urlid(self) -> str:
        return self.written or self.pid

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that a link may have for it."""
        return tuple(dict.fromkeys((self.pid, self.urlid, *self.aliases)))
