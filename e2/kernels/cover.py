"""Exact cover with colours over the masks of `e2.kernels.cover_tables`: smallest item first, resumable.

At each depth the primary item with the fewest options left is covered, the first of them where several have as few,
and its options are tried in their order. An option after whose choice some primary item has none left is counted and
dropped at once. So the tree depends on the set of options alone, and a search is where its path is.

A node is an option chosen where it fits all that were chosen before. A budget ends a call only where an option is
waiting to be tried, so a search with nothing left says so in the same call as its last node.

An **agreement** is a coloured item that is given the colour it already has: a matched seam, a shared letter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from e2.kernels.compile import bit_count, inlined, lean_kernel, lowest_bit
from e2.kernels.cover_tables import UNCOLOURED, CoverTables
from e2.kernels.tables import Array

# control: int64. A call sets NODES, SOLUTIONS, FOUND and GIVEN anew.
DEPTH, FLOOR, STATUS, NODES, SOLUTIONS, FOUND, GIVEN, MAX_DEPTH, BEST_SCORE, BEST_DEPTH, MOST = range(11)
CONTROL_WIDTH = 11
# FLOOR: above it nothing is left to try, whatever the frames say.
# MOST: agreements that no path can exceed; once they are reached, the last item's options are counted in one step.

# STATUS: RUNNING with an option waiting, AT_ROOT where nothing is left to cover, FINISHED.
RUNNING, AT_ROOT, FINISHED = range(3)

# frames: int64, one row a depth. COUNT is of nodes, and for the caller to set to 0.
OPTION, ITEM, AT, TRAIL, AGREED, OPEN, COUNT = range(7)
FRAME = 7

COVERED = 1 << 40
"""The size of an item that is covered: whatever is taken from it, it stays the largest."""

FREE = -1
"""The owner of a coloured item that has no colour yet."""

_ZERO, _ONE = np.uint64(0), np.uint64(1)

State = tuple[Array, ...]
"""live, left, sizes, frames, trail words, trail masks, owner."""


def fresh_state(tables: CoverTables) -> State:
    """The arrays of a search before its first choice."""
    depths, primary = tables.options.depths + 1, tables.options.primary
    sizes = np.zeros((depths, primary), np.int64)
    sizes[0] = tables.sizes
    frames = np.zeros((depths, FRAME), np.int64)
    frames[0, OPEN] = primary
    # Each entry of the trail takes away an option or more, and none is taken away twice.
    trail = np.zeros(len(tables.options), np.int64), np.zeros(len(tables.options), np.uint64)
    owner = np.full(tables.options.items, FREE, np.int64)
    return tables.live.copy(), np.zeros(depths, np.uint64), sizes, frames, *trail, owner


def masks_of(tables: CoverTables) -> tuple[Array, ...]:
    """The arrays that do not change, as the kernels take them."""
    options = tables.options
    places = options.starts, options.middle, options.item, options.colour
    return (*places, tables.item_at, tables.at, tables.end, tables.words, tables.masks)


def _chosen(option: Any, depth: Any, whole: bool, state: Any, masks: Any) -> Any:
    """Take away what does not go with `option`; whether every item that is left still has an option.

    Unless `whole`, nothing more is taken away once an item has none left: the choice will be taken back.
    """
    live, _, sizes, frames, trail_words, trail_masks, owner = state
    starts, middle, items, colours, _, ats, ends, words, lists = masks
    here, above = sizes[depth], sizes[depth + 1]
    for item in range(len(here)):
        above[item] = here[item]
    first, primary_end, last = starts[option], middle[option], starts[option + 1]
    for place in range(first, primary_end):
        above[items[place]] = COVERED
    top, agreed, alive = frames[depth, TRAIL], frames[depth, AGREED], True
    place = last
    while place > first:
        place -= 1
        item = items[place]
        at, end = ats[place], ends[place]
        if colours[place] != UNCOLOURED:
            if owner[item] != FREE:
                agreed += 1
                end = at
            else:
                owner[item] = depth
        if not (alive or whole):
            end = at  # agreements are counted all the same
        while at < end:
            word = words[at]
            gone = live[word] & lists[at]
            if gone != _ZERO:
                trail_words[top], trail_masks[top] = word, gone
                top += 1
                live[word] ^= gone
                while gone != _ZERO:
                    lost = (word << 6) + np.int64(lowest_bit(gone))
                    gone &= gone - _ONE
                    for other in range(starts[lost], middle[lost]):
                        left = above[items[other]] - 1
                        above[items[other]] = left
                        if left == 0:
                            alive = False
            at += 1
    frames[depth, OPTION] = option
    frames[depth + 1, TRAIL], frames[depth + 1, AGREED] = top, agreed
    frames[depth + 1, OPEN] = frames[depth, OPEN] - (primary_end - first)
    return alive


_choose = inlined(_chosen)
_choose_apart = lean_kernel(_chosen)
"""The same as a call, where speed is no matter: it is long, and compiled once."""


@inlined
def _take_back(depth: Any, state: Any, masks: Any) -> None:
    """Undo the choice at `depth`."""
    live, _, _, frames, trail_words, trail_masks, owner = state
    starts, middle, items = masks[0], masks[1], masks[2]
    for entry in range(frames[depth, TRAIL], frames[depth + 1, TRAIL]):
        live[trail_words[entry]] |= trail_masks[entry]
    option = frames[depth, OPTION]
    for place in range(middle[option], starts[option + 1]):
        if owner[items[place]] == depth:
            owner[items[place]] = FREE


@inlined
def _enter(depth: Any, state: Any, masks: Any) -> Any:
    """Choose the item of `depth` and stand before its first option; how many it has."""
    live, left, sizes, frames = state[0], state[1], state[2], state[3]
    item_at, words, lists = masks[4], masks[7], masks[8]
    row = sizes[depth]
    chosen, fewest = 0, row[0]
    for item in range(1, len(row)):
        if row[item] < fewest:
            chosen, fewest = item, row[item]
    at = item_at[chosen]
    frames[depth, ITEM], frames[depth, AT] = chosen, at
    left[depth] = live[words[at]] & lists[at] if fewest > 0 else _ZERO
    if fewest == 0:
        frames[depth, AT] = item_at[chosen + 1]
    return fewest


@lean_kernel
def lay(options: Array, control: Array, state: Any, masks: Any) -> Any:
    """Choose `options` one after the other, whatever their items, and begin below them.

    Returns how many could be chosen: an option that does not go with one before it is not.
    """
    live, frames = state[0], state[3]
    alive, depth = True, 0
    while depth < len(options):
        option = options[depth]
        if live[option >> 6] >> np.uint64(option & 63) & _ONE == _ZERO:
            return depth
        # What is dead stays so; the rest must be taken away all the same, for the next of the options.
        if not _choose_apart(option, depth, True, state, masks):
            alive = False
        depth += 1
    control[DEPTH] = control[FLOOR] = depth
    control[STATUS] = RUNNING
    if frames[depth, OPEN] == 0:
        control[STATUS] = AT_ROOT
    elif not alive or _enter(depth, state, masks) == 0:
        control[STATUS] = FINISHED
    return depth


@lean_kernel
def retrace(path: Array, begun: bool, control: Array, state: Any, masks: Any, fit: Array, before: Array) -> Any:
    """Go down `path` from where `lay` has begun, as a search would: to stand before its last option if the search
    has `begun`, else below it, before the first option there.

    `fit` and `before` get, for each option of the path, how many its item had and how many of them come before it.
    Returns how much of the path could be gone: all of it, or it does not lead that way.
    """
    live, left, sizes, frames = state[0], state[1], state[2], state[3]
    item_at, words, lists = masks[4], masks[7], masks[8]
    depth = control[DEPTH]
    for step in range(len(path)):
        option = path[step]
        item = frames[depth, ITEM]
        at, end = item_at[item], item_at[item + 1]
        before[step] = 0
        while at < end and words[at] != option >> 6:
            before[step] += np.int64(bit_count(live[words[at]] & lists[at]))
            at += 1
        if at == end:
            return step
        bit = np.uint64(option & 63)
        here = live[words[at]] & lists[at]
        rest = here >> bit << bit
        if rest >> bit & _ONE == _ZERO:
            return step
        before[step] += np.int64(bit_count(here ^ rest))
        fit[step] = sizes[depth, item]
        frames[depth, AT], left[depth] = at, rest
        if begun and step == len(path) - 1:
            break
        left[depth] = rest & (rest - _ONE)
        if not _choose_apart(option, depth, False, state, masks) or frames[depth + 1, OPEN] == 0:
            return step
        depth += 1
        _enter(depth, state, masks)
    control[DEPTH] = depth
    return len(path)


@lean_kernel
def advance(control: Array, best: Array, found: Array, given: Array, nodes: Any, state: Any, masks: Any) -> None:
    """Make at most `nodes` nodes, and end after the solution that fills `found`, if that has rows.

    `best` keeps the path with the most agreements; a row of `found` is the path to a solution, then -1. If `given` has
    rows, a node whose path is as long as one gets a row in place of a search below it, unless it ends at once; the call
    ends after the one that fills it.
    """
    live, left, frames = state[0], state[1], state[3]
    item_at, words, lists = masks[4], masks[7], masks[8]
    depth, floor, wanted, room = control[DEPTH], control[FLOOR], len(found), len(given)
    ceiling = given.shape[1] if room else -1
    made = solutions = kept = handed = 0
    while True:
        at, rest = frames[depth, AT], left[depth]
        end = item_at[frames[depth, ITEM] + 1]
        while rest == _ZERO and at + 1 < end:
            at += 1
            rest = live[words[at]] & lists[at]
        frames[depth, AT], left[depth] = at, rest
        if rest == _ZERO:
            if depth == floor:
                control[STATUS] = FINISHED
                break
            depth -= 1
            _take_back(depth, state, masks)
            continue
        if made >= nodes or (wanted and kept == wanted) or (room and handed == room):
            break
        left[depth] = rest & (rest - _ONE)
        made += 1
        frames[depth, COUNT] += 1
        alive = _choose((words[at] << 6) + np.int64(lowest_bit(rest)), depth, False, state, masks)
        control[MAX_DEPTH] = max(control[MAX_DEPTH], depth + 1 - floor)
        if frames[depth + 1, AGREED] > control[BEST_SCORE]:
            control[BEST_SCORE], control[BEST_DEPTH] = frames[depth + 1, AGREED], depth + 1
            for step in range(depth + 1):
                best[step] = frames[step, OPTION]
        if frames[depth + 1, OPEN] == 0:
            solutions += 1
            if kept < wanted:
                for step in range(found.shape[1]):
                    found[kept, step] = frames[step, OPTION] if step <= depth else -1
                kept += 1
        elif alive and depth + 1 == ceiling:
            for step in range(ceiling):
                given[handed, step] = frames[step, OPTION]
            handed += 1
        elif alive:
            size = _enter(depth + 1, state, masks)
            # Every option of the last item is a solution.
            if (
                frames[depth + 1, OPEN] == 1
                and size <= nodes - made
                and not wanted
                and control[BEST_SCORE] >= control[MOST]
            ):
                made += size
                solutions += size
                frames[depth + 1, COUNT] += size
                control[MAX_DEPTH] = max(control[MAX_DEPTH], depth + 2 - floor)
            else:
                depth += 1
                continue
        _take_back(depth, state, masks)
    control[DEPTH] = depth
    control[NODES], control[SOLUTIONS], control[FOUND], control[GIVEN] = made, solutions, kept, handed
