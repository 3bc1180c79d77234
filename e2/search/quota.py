"""Which colours are to be used up first, and how fast: Blackwood's quota.

A search that spends a few colours early keeps the pieces left for the end easy to join: they show fewer colours. The
quota says how many sides of the favoured colours the pieces up to a depth must show together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from e2.core.instance import Instance
from e2.core.quad import BORDER
from e2.errors import SettingsError
from e2.kernels.tables import Array
from e2.search.ladders import BLACKWOOD, BLACKWOOD_OLD, NO_QUOTA

_LAST = {BLACKWOOD: 160, BLACKWOOD_OLD: 156}  # the last depth, from 0, that has a quota


def _blackwood(depth: int) -> int:
    """Sides of favoured colours after the piece at `depth`, counted from 0."""
    if depth <= 26:
        return max(0, 28 * (depth - 16) // 10)
    if depth <= 56:
        return 143333 * (depth - 26) // 100000 + 28
    if depth <= 76:
        return 9 * (depth - 56) // 10 + 71
    if depth <= 102:
        return 6538 * (depth - 76) // 10000 + 89
    return 10000 * (depth - 102) // 44615 + 106


def _blackwood_old(depth: int) -> int:
    """The same, as the ladders for 466 to 469 were run with."""
    if depth <= 26:
        return max(0, 31 * (depth - 16) // 10)
    if depth <= 56:
        return 143333 * (depth - 26) // 100000 + 31
    if depth <= 96:
        return 65 * (depth - 56) // 100 + 74
    return 100 * (depth - 96) // 375 + 100


QUOTAS: dict[str, Callable[[int], int]] = {BLACKWOOD: _blackwood, BLACKWOOD_OLD: _blackwood_old}


def quota_by_depth(spec: str | list[int], cells: int) -> list[int]:
    """For each depth what the pieces so far must show. SettingsError for a list that is no quota.

    A list holds pairs: a depth (from 1, pins included) and the sides that are due from there to the next one.
    """
    if spec == NO_QUOTA:
        return [0] * cells
    if isinstance(spec, str):
        if cells != 256:
            raise SettingsError(f"breaks: quota {spec!r} is for 256 cells, not {cells}")
        return [QUOTAS[spec](depth) if depth <= _LAST[spec] else 0 for depth in range(cells)]
    if len(spec) % 2:
        raise SettingsError(f"breaks: quota has {len(spec)} numbers; expected pairs of a depth and the sides due")
    quota = [0] * cells
    for before, depth in pairwise([0, *spec[::2]]):
        if not before < depth <= cells:
            raise SettingsError(f"breaks: quota lists depth {depth} after {before}; expected rising, 1 to {cells}")
    for depth, due in zip(spec[::2], spec[1::2], strict=True):
        if due < 0:
            raise SettingsError(f"breaks: quota asks for {due} sides at depth {depth}; expected 0 or more")
        quota[depth - 1 :] = [due] * (cells - depth + 1)
    return quota


@dataclass(frozen=True)
class Guard:
    """What the guarded kernel holds each piece against."""

    worth: Array  # int64[pieces]: sides of favoured colours
    least: Array  # int64[free cells]: what the pieces of the search up to there must be worth
    prune: int  # free cells before the ledger is looked at


def guard(
    instance: Instance, fill_order: Sequence[int], favoured: list[int], spec: str | list[int], prune: int
) -> Guard | None:
    """The guard of a search, None if nothing is asked for. `prune` is a depth from 1, pins included; 0: never.

    A pin counts from its place in the fill order on. SettingsError for a colour that the pieces do not have, and for a
    quota that no choice of pieces can meet.
    """
    cells = instance.grid.cells
    colours = instance.pieces.half_seams
    for colour in favoured:
        if colour == BORDER or colour not in colours:
            raise SettingsError(f"breaks: favoured colour {colour} is on no piece of {instance.name}")
    if spec != NO_QUOTA and not favoured:
        raise SettingsError(f"breaks: quota = {spec!r:.60} needs favoured colours")
    if prune > cells:
        raise SettingsError(f"breaks: prune = {prune}; expected a depth up to {cells}, or 0")
    quota = quota_by_depth(spec, cells)
    worth = worths(instance, favoured)
    most = np.cumsum(-np.sort(-worth))
    for depth, due in enumerate(quota, 1):
        if due > most[depth - 1]:
            raise SettingsError(
                f"breaks: quota asks for {due} favoured sides at depth {depth}; {depth} pieces show {most[depth - 1]}"
            )
    if spec == NO_QUOTA and not prune:
        return None
    least, pins = [], 0
    for cell, due in zip(fill_order, quota, strict=True):
        hint = instance.pinned.get(cell)
        if hint is None:
            least.append(due - pins)
        else:
            pins += int(worth[hint.piece])
            if least:
                least[-1] = max(least[-1], due - pins)
    start = sum(cell not in instance.pinned for cell in fill_order[: prune - 1]) if prune else len(least)
    return Guard(worth, np.array(least, np.int64), start)


def worths(instance: Instance, favoured: Sequence[int]) -> Array:
    """int64[pieces]: how many sides of each show a favoured colour."""
    return np.array([sum(colour in favoured for colour in quad) for quad in instance.pieces.quads], np.int64)


def favoured_first(ranks: Array | None, worth: Array) -> Array:
    """Ranks that put the codes of worthier pieces first, and keep the order within a worth."""
    ties = np.arange(4 * len(worth)) if ranks is None else ranks
    order = np.lexsort((ties, -np.repeat(worth, 4)))
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places
