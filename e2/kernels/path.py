"""Places in a strict search tree as lists of words: how a search gets there, and what it leaves untried on the way.

A place needs no more than its words: which others had their turn before follows from the order of the lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from e2.kernels import tables as layout
from e2.kernels.compile import bit_count, lean_kernel, lowest_bit
from e2.kernels.descend import DEPTH, FLOOR, FRESH, RUNNING, STATUS, fitting, key_above, toggle
from e2.kernels.tables import Array

_ZERO, _ONE, _EIGHT, _PIECE = (np.uint64(number) for number in (0, 1, 8, 2))
_ROW, _DETAILS = np.uint64(layout.ROW), np.uint64(layout.DETAILS)
_MASK, _START, _REST, _WORD = (np.uint64(at) for at in (layout.MASK, layout.START, layout.REST, layout.WORD))
_EXACT, _LIST = np.uint64(layout.EXACT), np.uint64(layout.LIST)
_LINK_SHIFT, _LINK_FIELD = np.uint64(layout.LINK_SHIFT), np.uint64(layout.LINK_FIELD)
_S_CHUNKS, _S_PLANE = np.uint64(layout.STAGE_CHUNKS), np.uint64(layout.STAGE_PLANE)


@lean_kernel
def _form(row: Any, word: Any, memory: Array, details_at: Any) -> tuple[Any, Any]:
    """Form the list at `row`, and leave there what comes from `word` on; how many words fit, and how many came before.

    Without `word` in the list nothing is left, and as many came before as fit.
    """
    exact, details = memory[row + _EXACT], details_at + row // _ROW * _DETAILS
    plane = memory[details + _S_PLANE]
    fit, before, found = _ZERO, _ZERO, False
    for number in range(memory[details + _S_CHUNKS]):
        chunk = np.uint64(number)
        at = exact + chunk * plane
        mask, start = memory[at], memory[at + _ONE]
        if mask != _ZERO:
            mask = fitting(mask, start, details, memory)
        fit += bit_count(mask)
        while mask != _ZERO and not found:
            found = memory[start + lowest_bit(mask)] == word
            if found:
                memory[row + _MASK], memory[row + _START], memory[row + _LIST] = mask, start, chunk * _EIGHT
            else:
                mask &= mask - _ONE
                before += _ONE
    if not found:
        memory[row + _MASK], memory[row + _LIST] = _ZERO, memory[details + _S_CHUNKS] * _EIGHT
    return fit, before


@lean_kernel
def lay_path(
    control: Array, memory: Array, words: Array, begun: bool, floor: int, places: Array, fit: Array, before: Array
) -> int:
    """Lay `words` on the first depths of fresh memory, for a strict search that stays below depth `floor`.

    If it has `begun`, the last word is not laid but comes next, and each depth from the floor on keeps what comes after
    its word. `fit` and `before` get, by depth, how many words fit and how many came before. Returns how many words were
    found: fewer than all where one does not fit.
    """
    toggles, width = np.uint64(places[layout.TOGGLES_AT]), np.uint64(places[layout.TOGGLE_WIDTH])
    piece_shift = np.uint64(places[layout.CODE_SHIFT]) + _PIECE
    details_at = np.uint64(places[layout.DETAILS_AT])
    row = _ZERO
    for depth in range(len(words)):
        word = words[depth]
        fit[depth], before[depth] = _form(row, word, memory, details_at)
        if fit[depth] == before[depth]:
            return depth
        memory[row + _REST] = key_above(row, details_at, memory, False)
        if begun and depth == len(words) - 1:
            control[DEPTH], control[FLOOR], control[STATUS] = depth, floor, RUNNING
            return len(words)
        if depth < floor:
            memory[row + _MASK] = _ZERO
            memory[row + _LIST] = memory[details_at + row // _ROW * _DETAILS + _S_CHUNKS] * _EIGHT
        else:
            memory[row + _MASK] &= memory[row + _MASK] - _ONE
        memory[row + _WORD] = word
        toggle(word, piece_shift, memory, toggles, width)
        linked = (word >> memory[row + _LINK_SHIFT]) & memory[row + _LINK_FIELD]
        memory[row + _ROW + _EXACT] = memory[row + _REST] + (linked << _ONE)
        row += _ROW
    control[DEPTH], control[FLOOR], control[STATUS] = len(words), floor, FRESH
    return len(words)


@lean_kernel
def _has_words(row: Any, memory: Array, details_at: Any) -> bool:
    """Whether any word fits at `row`, to which EXACT has been written."""
    exact, details = memory[row + _EXACT], details_at + row // _ROW * _DETAILS
    for chunk in range(memory[details + _S_CHUNKS]):
        at = exact + np.uint64(chunk) * memory[details + _S_PLANE]
        if memory[at] != _ZERO and fitting(memory[at], memory[at + _ONE], details, memory) != _ZERO:
            return True
    return False


@lean_kernel
def branches(memory: Array, depth: int, word: Any, found: Array, places: Array) -> tuple[int, int]:
    """The words that come after `word` in the list at `depth`, which is not the last; what lies before must be laid.

    `found` gets, in order, those after which something fits on the next cell. Returns how many, and how many words
    come after `word` in all.
    """
    toggles, width = np.uint64(places[layout.TOGGLES_AT]), np.uint64(places[layout.TOGGLE_WIDTH])
    piece_shift = np.uint64(places[layout.CODE_SHIFT]) + _PIECE
    details_at, row = np.uint64(places[layout.DETAILS_AT]), np.uint64(depth) * _ROW
    _form(row, word, memory, details_at)
    exact, details = memory[row + _EXACT], details_at + row // _ROW * _DETAILS
    rest = memory[row + _REST] = key_above(row, details_at, memory, False)
    chunk, mask, start = memory[row + _LIST] // _EIGHT, memory[row + _MASK], memory[row + _START]
    mask &= mask - _ONE
    live, total = 0, 0
    while True:
        while mask != _ZERO:
            word = memory[start + lowest_bit(mask)]
            mask &= mask - _ONE
            total += 1
            memory[row + _WORD] = word
            linked = (word >> memory[row + _LINK_SHIFT]) & memory[row + _LINK_FIELD]
            memory[row + _ROW + _EXACT] = rest + (linked << _ONE)
            toggle(word, piece_shift, memory, toggles, width)
            if _has_words(row + _ROW, memory, details_at):
                found[live] = word
                live += 1
            toggle(word, piece_shift, memory, toggles, width)
        chunk += _ONE
        if chunk >= memory[details + _S_CHUNKS]:
            return live, total
        at = exact + chunk * memory[details + _S_PLANE]
        mask, start = memory[at], memory[at + _ONE]
        if mask != _ZERO:
            mask = fitting(mask, start, details, memory)
