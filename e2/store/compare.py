"""Two or more sets of boards side by side: which are in all, which in one only, and how good each set is.

Boards are matched by their placement hash, computed here. A document may claim a hash by another of the published
definitions: it is the same board all the same, and the comparison says which definition it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from e2.core.board import Board
from e2.core.fingerprint import PLACEMENT, board_hash, recognised, symmetry_hash

UNKNOWN = "unknown"
"""Stands for the definition of a claimed hash that none of the published ones gives."""


@dataclass(frozen=True)
class Candidate:
    """One board of a set. `claimed` is the hash that its document carries, `board_edges` its letters in default order,
    which some definitions hash; None where there is none.
    """

    board: Board
    score: int
    claimed: int | str | None = None
    board_edges: str | None = None

    @cached_property
    def board_hash(self) -> int:
        return board_hash(self.board.codes)

    @cached_property
    def symmetry_hash(self) -> int:
        return symmetry_hash(self.board)


@dataclass(frozen=True)
class BoardSet:
    """The boards of a run, of a file or of several, under one name."""

    name: str
    boards: tuple[Candidate, ...]


@dataclass(frozen=True)
class Standing:
    """How good one set is. Scores are of its distinct boards, None for an empty set.

    `definitions` counts the claimed hashes by definition, the placement hash left out.
    """

    name: str
    boards: int
    best: int | None
    worst: int | None
    mean: float | None
    definitions: tuple[tuple[str, int], ...]

    @property
    def spread(self) -> int | None:
        """Best less worst."""
        return None if self.best is None or self.worst is None else self.best - self.worst


@dataclass(frozen=True)
class Comparison:
    """What sets of boards share. `only` and `inputs` are in the order of the sets; hashes are sorted.

    `common` and `only` hold board hashes; `common_turned` the symmetry hashes that all sets share, so boards that are
    equal up to a quarter turn of the whole board.
    """

    common: tuple[int, ...]
    common_turned: tuple[int, ...]
    only: tuple[tuple[int, ...], ...]
    inputs: tuple[Standing, ...]
    same: bool
    same_turned: bool

    @property
    def verdict(self) -> str:
        """The answer in words."""
        if self.same:
            return "the same boards"
        if self.same_turned:
            return "the same boards up to a quarter turn"
        return "different boards"


def compared(sets: Sequence[BoardSet]) -> Comparison:
    """Compare two or more sets. Two empty sets are the same."""
    assert len(sets) >= 2
    hashes = [{candidate.board_hash for candidate in group.boards} for group in sets]
    turned = [{candidate.symmetry_hash for candidate in group.boards} for group in sets]
    elsewhere = Counter(name for group in hashes for name in group)
    return Comparison(
        common=tuple(sorted(set.intersection(*hashes))),
        common_turned=tuple(sorted(set.intersection(*turned))),
        only=tuple(tuple(sorted(name for name in group if elsewhere[name] == 1)) for group in hashes),
        inputs=tuple(_standing(group) for group in sets),
        same=all(group == hashes[0] for group in hashes),
        same_turned=all(group == turned[0] for group in turned),
    )


@dataclass(frozen=True)
class Meeting:
    """A board that several runs have found, up to a quarter turn of the whole board.

    `clocks` say for each set when it was found first, in seconds since 1970; None for a set that has it not, or does
    not know when. `first` is the number of the set that found it first, None where two of them did at once.
    """

    score: int
    symmetry_hash: int
    clocks: tuple[float | None, ...]

    @property
    def first(self) -> int | None:
        known = sorted((clock, number) for number, clock in enumerate(self.clocks) if clock is not None)
        return None if known[0][0] == known[1][0] else known[0][1]


def meetings(sets: Sequence[BoardSet], clocks: Sequence[Mapping[int, float]]) -> tuple[Meeting, ...]:
    """The boards that two or more sets know to have found, best first; `clocks` are by board_hash, for each set."""
    found: dict[int, list[float | None]] = {}
    scores: dict[int, int] = {}
    for number, (group, known) in enumerate(zip(sets, clocks, strict=True)):
        for candidate in group.boards:
            clock = known.get(candidate.board_hash)
            if clock is not None:
                scores[candidate.symmetry_hash] = candidate.score
                times = found.setdefault(candidate.symmetry_hash, [None] * len(sets))
                before = times[number]
                times[number] = clock if before is None else min(before, clock)
    shared = [
        Meeting(scores[name], name, tuple(times))
        for name, times in found.items()
        if sum(clock is not None for clock in times) > 1
    ]
    return tuple(sorted(shared, key=lambda meeting: (-meeting.score, meeting.symmetry_hash)))


def _standing(group: BoardSet) -> Standing:
    scores = list({candidate.board_hash: candidate.score for candidate in group.boards}.values())
    definitions = Counter(
        recognised(candidate.claimed, candidate.board.codes, candidate.board_edges) or UNKNOWN
        for candidate in group.boards
        if candidate.claimed is not None
    )
    del definitions[PLACEMENT]
    return Standing(
        name=group.name,
        boards=len(scores),
        best=max(scores, default=None),
        worst=min(scores, default=None),
        mean=sum(scores) / len(scores) if scores else None,
        definitions=tuple(sorted(definitions.items())),
    )
