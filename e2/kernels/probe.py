"""The size of a search tree from a few of its nodes, layer by layer.

Of all children of the nodes that stand for a layer, at most `width` are drawn, each set of them equally likely; a
layer with T children then stands for T / width as many. The expected result is the number of nodes, at any width.
With width 1 these are the probes of Knuth (Estimating the efficiency of backtrack programs, 1975); wider ones, the
stochastic enumeration of Rubinstein and Vaisman (2013), vary far less for the same work.
"""

from __future__ import annotations

import numpy as np

from e2.kernels import tables as layout
from e2.kernels.compile import lean_kernel, lowest_bit
from e2.kernels.descend import fitting, key_above, toggle
from e2.kernels.tables import Array

_ZERO, _ONE, _PIECE = np.uint64(0), np.uint64(1), np.uint64(2)
_ROW, _DETAILS = np.uint64(layout.ROW), np.uint64(layout.DETAILS)
_REST, _WORD, _EXACT = (np.uint64(at) for at in (layout.REST, layout.WORD, layout.EXACT))
_LINK_SHIFT, _LINK_FIELD = np.uint64(layout.LINK_SHIFT), np.uint64(layout.LINK_FIELD)
_S_CHUNKS, _S_PLANE = np.uint64(layout.STAGE_CHUNKS), np.uint64(layout.STAGE_PLANE)


@lean_kernel
def _below(random: Array, limit: int) -> int:
    """A number from 0 up to `limit`, by xorshift64*; for limits this small its bias is beyond notice."""
    x = random[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[0] = x
    return int((x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)) % limit


@lean_kernel
def probe(
    memory: Array, paths: Array, drawn: Array, begin: int, end: int, random: Array, places: Array, nodes: Array
) -> int:
    """Go down from depth `begin` to `end` in one probe; how many paths stand for the last layer.

    `memory` is fresh, and is so again after. `paths[0]` holds the words above `begin`; `paths` and `drawn` have a row
    for each node that a layer may keep. `nodes[depth]` gets the estimate of each depth. The paths of the last layer lie
    in `paths`.
    """
    toggles, width = np.uint64(places[layout.TOGGLES_AT]), np.uint64(places[layout.TOGGLE_WIDTH])
    piece_shift = np.uint64(places[layout.CODE_SHIFT]) + _PIECE
    details_at = np.uint64(places[layout.DETAILS_AT])
    standing, weight = 1, 1.0
    for depth in range(begin, end):
        children, details = 0, details_at + np.uint64(depth) * _DETAILS
        plane = memory[details + _S_PLANE]
        for at in range(standing):
            row = _ZERO
            for above in range(depth):
                word = paths[at, above]
                rest = key_above(row, details_at, memory, False)
                memory[row + _WORD] = word
                toggle(word, piece_shift, memory, toggles, width)
                linked = (word >> memory[row + _LINK_SHIFT]) & memory[row + _LINK_FIELD]
                memory[row + _ROW + _EXACT] = rest + (linked << _ONE)
                row += _ROW
            exact = memory[row + _EXACT]
            for number in range(memory[details + _S_CHUNKS]):
                list_at = exact + np.uint64(number) * plane
                mask, start = memory[list_at], memory[list_at + _ONE]
                if mask != _ZERO:
                    mask = fitting(mask, start, details, memory)
                while mask != _ZERO:
                    word = memory[start + lowest_bit(mask)]
                    mask &= mask - _ONE
                    slot = children if children < len(drawn) else _below(random, children + 1)
                    children += 1
                    if slot < len(drawn):
                        for above in range(depth):
                            drawn[slot, above] = paths[at, above]
                        drawn[slot, depth] = word
            for above in range(depth):
                toggle(paths[at, above], piece_shift, memory, toggles, width)
        nodes[depth] = weight * children
        standing = min(children, len(drawn))
        if standing == 0:
            return 0
        weight *= children / standing
        for at in range(standing):
            for above in range(depth + 1):
                paths[at, above] = drawn[at, above]
    return standing
