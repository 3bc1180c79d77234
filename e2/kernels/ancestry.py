"""The lines of descent of a beam in progress, packed: who descends from whom, and by which placement.

All else about a beam follows from them, so they are what a saved beam consists of. The children of a layer are made in
a few passes over the parents, hence their parents ascend but for a few drops: a step up to the next parent is one byte,
and FAR stands for a drop or a longer step, whose parent is then written out. So a state takes 3 bytes a layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from e2.errors import SettingsError
from e2.kernels.tables import Array

FAR = 255

VARYING = ("steps", "far", "codes")
"""The arrays of `packed_lines` whose length depends on how many states there are."""

Line = tuple[Array, Array]
"""A layer: the parent (uint32) and the placement code (uint16) of each state."""


def lines_to(ancestry: Sequence[Line], states: Array) -> list[Line]:
    """The lines of some states of the last layer alone: these in the given order, all before them in their own."""
    lines: list[Line] = []
    for parents, placed in reversed(ancestry):
        before, ranks = np.unique(parents[states], return_inverse=True)
        lines.append((ranks.astype(np.uint32), placed[states]))
        states = before
    return lines[::-1]


def codes_along(ancestry: Sequence[Line], states: Array) -> Array:
    """uint16[n, layers]: what was placed in each layer on the way to some states of the last."""
    codes = np.empty((len(states), len(ancestry)), np.uint16)
    for layer in range(len(ancestry) - 1, -1, -1):
        parents, placed = ancestry[layer]
        codes[:, layer] = placed[states]
        states = parents[states]
    return codes


def packed_lines(ancestry: Sequence[Line], layers: int) -> dict[str, Array]:
    """The lines as four arrays.

    `kept` is int64[layers], the states of each layer, 0 for one that is still to come; `steps` (uint8) and `codes`
    (uint16) have an entry for each of them, `far` (uint32) one for each step that is FAR.
    """
    kept = np.zeros(layers, np.int64)
    kept[: len(ancestry)] = [len(parents) for parents, _ in ancestry]
    steps, far, codes = np.empty(kept.sum(), np.uint8), [np.zeros(0, np.uint32)], np.empty(kept.sum(), np.uint16)
    at = 0
    for parents, placed in ancestry:
        ahead = np.diff(parents.astype(np.int64), prepend=0)
        is_far = (ahead < 0) | (ahead >= FAR)
        ahead[is_far] = FAR
        steps[at : at + len(parents)] = ahead
        codes[at : at + len(parents)] = placed
        far.append(parents[is_far])
        at += len(parents)
    return {"kept": kept, "steps": steps, "far": np.concatenate(far), "codes": codes}


def unpacked_lines(arrays: Mapping[str, Array]) -> Iterator[Line]:
    """The lines again; SettingsError where the arrays do not fit together or a parent is none."""
    kept, steps, far, codes = (arrays[name] for name in ("kept", "steps", "far", "codes"))
    filled = np.count_nonzero(kept)
    if kept.min(initial=0) < 0 or kept.max(initial=0) > len(steps) or kept[filled:].any():
        raise SettingsError("a saved beam has layers of impossible widths")
    if not len(steps) == len(codes) == kept.sum():
        raise SettingsError("the layers of a saved beam do not fit together")
    at = far_at = 0
    before = 1
    for count in kept[:filled].tolist():
        ahead = steps[at : at + count].astype(np.int64)
        places = np.flatnonzero(ahead == FAR)
        written = far[far_at : far_at + len(places)].astype(np.int64)
        if len(written) < len(places):
            raise SettingsError("a saved beam lacks parents")
        ahead[places] = 0
        reached = np.cumsum(ahead)
        # A written parent holds from its place on: what the steps before it came to is taken off.
        ahead[places] = np.diff(written - reached[places], prepend=0)
        parents = np.cumsum(ahead)
        if parents.max() >= before:
            raise SettingsError(f"a saved beam names parent {parents.max()} of {before}")
        yield parents.astype(np.uint32), codes[at : at + count].copy()
        at, far_at, before = at + count, far_at + len(places), count
    if far_at < len(far):
        raise SettingsError("a saved beam has parents for nobody")
