"""Break schedules and quotas that people have published, for a 16x16 board.

A schedule lists the depths from which one more seam may be mismatched. Depths count from 1; the sources of Blackwood's
count from 0, so theirs are one less. His are made for the fill order `blackwood` with turn 2, Verhaard's for a comb of
12 full rows.
"""

from __future__ import annotations

NO_QUOTA, BLACKWOOD, BLACKWOOD_OLD = "none", "blackwood", "blackwood-old"
"""What e2.search.quota knows by name."""

_BLACKWOOD_470 = (202, 207, 212, 217, 222, 226, 230, 234, 238, 240)

LADDERS: dict[str, tuple[int, ...]] = {
    "blackwood-470": _BLACKWOOD_470,
    "blackwood-470b": (198, 204, 211, 217, 222, 226, 230, 234, 237, 239),
    "blackwood-471": _BLACKWOOD_470[1:],
    "blackwood-469": (*_BLACKWOOD_470, 242),
    "blackwood-468": (*_BLACKWOOD_470, 242, 244),
    "blackwood-467": (201, 206, 211, 216, 221, 226, 231, 236, 241, 242, 243, 244, 245),
    "blackwood-466": (202, 207, 212, 217, 222, 226, 230, 234, 236, 238, 240, 242, 244, 246),
    "verhaard-468": (193, 202, 209, 214, 218, 222, 226, 229, 232, 235, 238, 240),
    "verhaard-468b": (193, 202, 209, 216, 221, 226, 230, 234, 237, 240),
}
"""The number is the score that the ladder aims at, a `b` a second form of it."""
