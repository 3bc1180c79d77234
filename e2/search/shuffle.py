"""Seeded order: random-looking ranks that are the same on every machine and with every numpy."""

from __future__ import annotations

import numpy as np

from e2.kernels.tables import Array

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mixed(word: Array) -> Array:
    """The finaliser of SplitMix64: every bit of the input reaches every bit of the output."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    word ^= word >> np.uint64(31)
    return word


def ranks(seed: int, restart: int, count: int) -> Array:
    """`count` words to sort by. Seed and restart are mixed one after the other, so no two pairs share a stream."""
    word = np.array([seed % (1 << 64)], np.uint64)
    word = _mixed(_mixed(word + _GOLDEN) + np.array([restart], np.uint64) * _GOLDEN)
    return _mixed(word + np.arange(1, count + 1, dtype=np.uint64) * _GOLDEN)


def draws(seed: int, restart: int, count: int) -> list[float]:
    """`count` numbers from 0 up to 1, of the stream of `ranks`."""
    return [int(word >> 11) / (1 << 53) for word in ranks(seed, restart, count).tolist()]
