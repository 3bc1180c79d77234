"""Which covers count: those whose options share secondary items as is asked, as words do that cross."""

from __future__ import annotations

import numpy as np

from e2.kernels.cover_tables import Options
from e2.kernels.tables import Array

ANY, SOME, EACH, CONNECTED = "any", "some", "each", "connected"
CROSSINGS = (ANY, SOME, EACH, CONNECTED)
"""What options must share: nothing; some two an item; each one with another; all of them hang together."""

_COMPARED = 4_000_000  # words of 64 items that are compared at a time
_BLOCK = 4096  # solutions


def taken(options: Options) -> Array:
    """The secondary items of each option as bits: uint64, options x words of 64 items, and a row of none."""
    secondary = options.items - options.primary
    bits = np.zeros((len(options) + 1, max(1, -(-secondary // 64))), np.uint64)
    is_secondary = options.item >= options.primary
    item = options.item[is_secondary] - options.primary
    np.bitwise_or.at(bits, (options.owner[is_secondary], item // 64), np.uint64(1) << (item % 64).astype(np.uint64))
    return bits


def block_size(depths: int, taken: Array) -> int:
    """How many solutions of up to `depths` options are looked at together."""
    return max(1, min(_BLOCK, _COMPARED // (max(1, depths) ** 2 * int(taken.shape[1]))))


def crossed(block: Array, taken: Array, crossing: str) -> Array:
    """Which rows of `block`, options by number and then -1, share items as `crossing` says: bool, by row."""
    if crossing == ANY:
        return np.ones(len(block), bool)
    options, is_none = block.shape[1], block < 0
    items = taken[block]  # the row of none is the last
    linked: Array = np.any(items[:, :, None] & items[:, None, :], axis=3)
    linked[:, range(options), range(options)] = crossing == CONNECTED
    if crossing == SOME:
        return np.asarray(np.any(linked, axis=(1, 2)))
    if crossing == EACH:
        return np.asarray(np.all(np.any(linked, axis=2) | is_none, axis=1))
    # Squared so often, the links reach as far as there are options.
    for _ in range(options.bit_length()):
        steps = linked.astype(np.int64)
        linked = steps @ steps > 0
    return np.asarray(np.all(linked[:, 0, :] | is_none, axis=1))
