"""Depth-first placement over the tables of `e2.kernels.tables`: strict, and with a schedule of mismatched seams.

A depth's words still to try are the set bits of one mask, so used pieces are never read. **Look-ahead**: before a
piece is laid down for good, the list of the next cell is formed; if it is empty the piece is counted and dropped
without touching a table. That leaves the tree as it is, since such a node has no children.

All state is in `control`, `frames`, `words` and `avail`, so a call may end after any node. A budget ends a call only
where a word is waiting to be tried, so a search with nothing left says so in the same call as its last node.

Everything that indexes is uint64: numba then needs no test for negative indices. Mixing in an int64 would give a
float, so every literal is wrapped.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from e2.kernels import tables as layout
from e2.kernels.compile import inlined, lean_kernel, lowest_bit
from e2.kernels.tables import NEVER, Array, Tables

# control: int64. A call adds to NODES, SOLUTIONS; the caller may set them to 0 between calls.
DEPTH, FLOOR, CEILING, STATUS, NODES, SOLUTIONS, MAX_DEPTH, BEST_SCORE, BEST_DEPTH, CELL_CAP, SYNC_FROM, SYNC_TO = (
    range(12)
)
CONTROL_WIDTH = 12

# STATUS after a call. FRESH before the first: the list at FLOOR is not formed yet.
FRESH, RUNNING, AT_BOARD, AT_CEILING, FINISHED = range(5)

# frames: uint64, one row a depth that is not the current one's alone; the current one's row is written on leaving.
F_MASK = 0  # words of the current chunk still to try
F_SLOT = 1  # first chunk's slot of the current list
F_CHUNK = 3
F_STAGE = 5  # mismatch kernel: which of the four lists
F_SPENT = 7  # mismatch kernel: mismatched seams before this depth's piece
F_FIRST = 2  # where the current chunk's words begin
F_REST = 4  # the next depth's exact slot, but for the part that this depth's piece decides
F_ASKED = 6  # mismatch kernel: the colours that the key sides ask for
FRAME_WIDTH = 8

ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))
_PLAN, _STAGES, _STAGE = (np.uint64(width) for width in (layout.PLAN_WIDTH, layout.STAGES_WIDTH, layout.STAGE_FIELDS))
_FRAME, _CHECK = np.uint64(FRAME_WIDTH), np.uint64(layout.CHECK_WIDTH)
_CELL, _SPECIAL = np.uint64(layout.CELL), np.uint64(layout.SPECIAL)
_CHECK_FIRST, _CHECK_END = np.uint64(layout.CHECK_FIRST), np.uint64(layout.CHECK_END)
_V_SOURCE, _V_SHIFT, _REST_V = (np.uint64(field) for field in (layout.V_SOURCE, layout.V_SHIFT, layout.REST_V_MASK))
_H_SOURCE, _H_SHIFT, _REST_H = (np.uint64(field) for field in (layout.H_SOURCE, layout.H_SHIFT, layout.REST_H_MASK))
_V_MASK, _H_MASK = np.uint64(layout.V_MASK), np.uint64(layout.H_MASK)
_OWN_V, _OWN_H = np.uint64(layout.OWN_V_SHIFT), np.uint64(layout.OWN_H_SHIFT)
_LINK_SHIFT, _LINK_MASK = np.uint64(layout.LINK_SHIFT), np.uint64(layout.LINK_MASK)
_SLOT, _CHUNKS, _PLANE = (np.uint64(field) for field in (layout.SLOT, layout.CHUNKS, layout.PLANE))
_S_SLOT, _S_CHUNKS = np.uint64(layout.STAGE_SLOT), np.uint64(layout.STAGE_CHUNKS)
_S_PLANE, _S_COST = np.uint64(layout.STAGE_PLANE), np.uint64(layout.STAGE_COST)
_C_SOURCE, _C_SHIFT = np.uint64(layout.CHECK_SOURCE), np.uint64(layout.CHECK_SHIFT)
_C_OWN, _C_MASK = np.uint64(layout.CHECK_OWN_SHIFT), np.uint64(layout.CHECK_MASK)
_C_MAY = np.uint64(layout.CHECK_MAY_MISMATCH)
_F_MASK, _F_SLOT, _F_CHUNK, _F_STAGE = (np.uint64(field) for field in (F_MASK, F_SLOT, F_CHUNK, F_STAGE))
_F_SPENT, _F_FIRST, _F_REST, _F_ASKED = (np.uint64(field) for field in (F_SPENT, F_FIRST, F_REST, F_ASKED))
_PIECE = np.uint64(2)  # a placement code is 4 * piece + rot
_SIX, _LOW = np.uint64(6), np.uint64(63)  # a toggle is 64 * slot + bit


def state_arrays(tables: Tables) -> tuple[Array, Array, Array, Array, Array, Array, Array]:
    """control, frames, words, avail, synced, counts, best: a search that has not begun. The kernels write into them."""
    depths = tables.depths
    control = np.zeros(CONTROL_WIDTH, np.int64)
    control[CEILING] = depths
    control[CELL_CAP] = 2
    return (
        control,
        np.zeros((depths + 1) * FRAME_WIDTH, np.uint64),
        tables.words.copy(),
        tables.avail.copy(),
        np.zeros(depths, np.uint64),
        np.zeros(depths + 1, np.int64),
        np.zeros(depths, np.int64),
    )


def table_arguments(tables: Tables) -> tuple[Array, Array, Array, Array, Array, Array, int, int, Array]:
    """What both kernels take after their limits."""
    return (
        tables.plan,
        tables.stages,
        tables.checks,
        tables.entries,
        tables.first,
        tables.toggles,
        tables.toggle_width,
        tables.code_shift,
        tables.seams,
    )


@inlined
def _rest(row: Any, plan: Array, words: Array) -> Any:
    """The slot of a depth's exact list, as far as the depth before it does not decide it."""
    slot = np.uint64(plan[row + _SLOT])
    mask = np.uint64(plan[row + _REST_V])
    if mask != ZERO:
        slot += (words[np.uint64(plan[row + _V_SOURCE])] >> np.uint64(plan[row + _V_SHIFT])) & mask
    mask = np.uint64(plan[row + _REST_H])
    if mask != ZERO:
        slot += (words[np.uint64(plan[row + _H_SOURCE])] >> np.uint64(plan[row + _H_SHIFT])) & mask
    return slot


@lean_kernel
def _fitting(mask: Any, start: Any, row: Any, plan: Array, checks: Array, words: Array, entries: Array) -> Any:
    """The bits of `mask` whose words also fit the cell's checks."""
    check, end = np.uint64(plan[row + _CHECK_FIRST]), np.uint64(plan[row + _CHECK_END])
    while check < end and mask != ZERO:
        colours = np.uint64(checks[check + _C_MASK])
        own = np.uint64(checks[check + _C_OWN])
        asked = (words[np.uint64(checks[check + _C_SOURCE])] >> np.uint64(checks[check + _C_SHIFT])) & colours
        left = mask
        while left != ZERO:
            bit = lowest_bit(left)
            left &= left - ONE
            if (entries[start + bit] >> own) & colours != asked:
                mask ^= ONE << bit
        check += _CHECK
    return mask


@lean_kernel
def _next_chunk(
    slot: Any,
    chunk: Any,
    row: Any,
    plan: Array,
    checks: Array,
    words: Array,
    entries: Array,
    avail: Array,
    first: Array,
) -> Any:
    """The first chunk from `chunk` on with a word that fits, and its mask; mask 0 if there is none."""
    chunks, plane = np.uint64(plan[row + _CHUNKS]), np.uint64(plan[row + _PLANE])
    while chunk < chunks:
        at = slot + chunk * plane
        mask = avail[at]
        if mask != ZERO:
            mask = _fitting(mask, np.uint64(first[at]), row, plan, checks, words, entries)
            if mask != ZERO:
                return chunk, mask
        chunk += ONE
    return chunk, ZERO


@inlined
def toggle(word: Any, code_shift: Any, avail: Array, toggles: Array, width: Any) -> None:
    """Take the piece of `word` out of all lists, or put it back."""
    at = (word >> (code_shift + _PIECE)) * width
    end = at + width
    while at < end:
        one, two = np.uint64(toggles[at]), np.uint64(toggles[at + ONE])
        three, four = np.uint64(toggles[at + TWO]), np.uint64(toggles[at + THREE])
        avail[one >> _SIX] ^= ONE << (one & _LOW)
        avail[two >> _SIX] ^= ONE << (two & _LOW)
        avail[three >> _SIX] ^= ONE << (three & _LOW)
        avail[four >> _SIX] ^= ONE << (four & _LOW)
        at += FOUR


@lean_kernel
def _gate(deepest: Any, best_score: Any, seams: Array) -> Any:
    """The least depth at which a piece can make a full board, a deeper one, or one with a higher score."""
    depth = min(deepest, len(seams) - 2)
    while depth > 0 and seams[depth] > best_score:
        depth -= 1
    return np.uint64(depth)


@lean_kernel
def _sync(
    start: Any,
    end: Any,
    depth: Any,
    plan: Array,
    words: Array,
    avail: Array,
    synced: Array,
    code_shift: Any,
    stage_toggles: Array,
    width: Any,
) -> Any:
    """Bring the lists with mismatches up to date with the `depth` pieces on the board; returns `depth`.

    `synced[k]` is the word of depth k that those lists know of, for k < `end`; below `start` nothing has changed since.
    Most excursions never ask for these lists, so they are not kept free of used pieces at every step.
    """
    for k in range(start, max(depth, end)):
        at = np.uint64(k)
        now = words[np.uint64(plan[at * _PLAN + _CELL])] if at < depth else ZERO
        if synced[at] != now:
            if synced[at] != ZERO:
                toggle(synced[at], code_shift, avail, stage_toggles, width)
            if now != ZERO:
                toggle(now, code_shift, avail, stage_toggles, width)
            synced[at] = now
    return depth


@lean_kernel
def descend(
    control: Array,
    frames: Array,
    words: Array,
    avail: Array,
    synced: Array,
    counts: Array,
    best: Array,
    node_limit: int,
    solution_limit: int,
    plan: Array,
    stages: Array,
    checks: Array,
    entries: Array,
    first: Array,
    toggles: Array,
    toggle_width: int,
    code_shift: int,
    seams: Array,
) -> None:
    """Strict search: every seam between filled cells matches.

    Makes at most `node_limit` nodes and stops after `solution_limit` boards (STATUS says which). `counts[k]` grows by
    the pieces laid at depth k; `best` gets the codes of the deepest board, first reached.
    """
    width, shift = np.uint64(toggle_width), np.uint64(code_shift)
    depth = np.uint64(control[DEPTH])
    floor, ceiling = np.uint64(control[FLOOR]), np.uint64(control[CEILING])
    last = np.uint64(len(seams) - 2)
    deepest = np.uint64(control[BEST_DEPTH])
    gate = min(deepest, last)  # depths from here on need a closer look: a new best, or a full board
    nodes, solutions = 0, 0
    row, frame = depth * _PLAN, depth * _FRAME
    if control[STATUS] == FRESH:
        slot = _rest(row, plan, words)
        chunk, mask = _next_chunk(slot, ZERO, row, plan, checks, words, entries, avail, first)
        frames[frame + _F_SLOT] = slot
        frames[frame + _F_CHUNK] = chunk
        frames[frame + _F_FIRST] = np.uint64(first[slot + chunk * np.uint64(plan[row + _PLANE])]) if mask else ZERO
        frames[frame + _F_REST] = _rest(row + _PLAN, plan, words)
    else:
        mask = frames[frame + _F_MASK]
    start = frames[frame + _F_FIRST]
    rest = frames[frame + _F_REST]
    link_shift, link_mask = np.uint64(plan[row + _PLAN + _LINK_SHIFT]), np.uint64(plan[row + _PLAN + _LINK_MASK])
    status = RUNNING
    while True:
        if mask == ZERO:
            if np.uint64(plan[row + _CHUNKS]) > ONE:
                slot = frames[frame + _F_SLOT]
                chunk, mask = _next_chunk(
                    slot, frames[frame + _F_CHUNK] + ONE, row, plan, checks, words, entries, avail, first
                )
                frames[frame + _F_CHUNK] = chunk
                if mask != ZERO:
                    start = np.uint64(first[slot + chunk * np.uint64(plan[row + _PLANE])])
                    frames[frame + _F_FIRST] = start
                    continue
            if depth == floor:
                status = FINISHED
                break
            depth -= ONE
            row -= _PLAN
            frame -= _FRAME
            toggle(words[np.uint64(plan[row + _CELL])], shift, avail, toggles, width)
            mask, start, rest = frames[frame + _F_MASK], frames[frame + _F_FIRST], frames[frame + _F_REST]
            link_shift = np.uint64(plan[row + _PLAN + _LINK_SHIFT])
            link_mask = np.uint64(plan[row + _PLAN + _LINK_MASK])
            continue
        if nodes == node_limit:
            break
        nodes += 1
        counts[depth] += 1
        word = entries[start + lowest_bit(mask)]
        mask &= mask - ONE
        if depth >= gate:
            if depth >= deepest:
                words[np.uint64(plan[row + _CELL])] = word
                deepest = depth + ONE
                gate = min(deepest, last)
                for k in range(deepest):
                    best[k] = words[np.uint64(plan[np.uint64(k) * _PLAN + _CELL])] >> shift
            if depth == last:
                solutions += 1
                if solutions == solution_limit:
                    status = AT_BOARD
                    break
                continue
        slot = rest + ((word >> link_shift) & link_mask)
        cell = np.uint64(plan[row + _CELL])
        if plan[row + _PLAN + _SPECIAL]:
            words[cell] = word
            chunk, ahead = _next_chunk(slot, ZERO, row + _PLAN, plan, checks, words, entries, avail, first)
            frames[frame + _FRAME + _F_SLOT] = slot
            frames[frame + _FRAME + _F_CHUNK] = chunk
            slot += chunk * np.uint64(plan[row + _PLAN + _PLANE])
        else:
            ahead = avail[slot]
        if ahead == ZERO:
            continue
        words[cell] = word
        toggle(word, shift, avail, toggles, width)
        frames[frame + _F_MASK] = mask
        depth += ONE
        row += _PLAN
        frame += _FRAME
        mask = ahead & avail[slot]
        start = np.uint64(first[slot])
        rest = _rest(row + _PLAN, plan, words)
        link_shift = np.uint64(plan[row + _PLAN + _LINK_SHIFT])
        link_mask = np.uint64(plan[row + _PLAN + _LINK_MASK])
        frames[frame + _F_FIRST] = start
        frames[frame + _F_REST] = rest
        if depth == ceiling:
            status = AT_CEILING
            break
    frames[frame + _F_MASK] = mask
    control[DEPTH] = depth
    control[STATUS] = status
    control[NODES] += nodes
    control[SOLUTIONS] += solutions
    control[BEST_DEPTH] = deepest
    control[BEST_SCORE] = seams[deepest]
    control[MAX_DEPTH] = deepest


@lean_kernel
def descend_mismatched(
    control: Array,
    frames: Array,
    words: Array,
    avail: Array,
    synced: Array,
    counts: Array,
    best: Array,
    node_limit: int,
    allowed: Array,
    stage_toggles: Array,
    stage_width: int,
    plan: Array,
    stages: Array,
    checks: Array,
    entries: Array,
    first: Array,
    toggles: Array,
    toggle_width: int,
    code_shift: int,
    seams: Array,
) -> None:
    """Search with mismatched seams: after the piece at depth k there may be `allowed[k]` of them, pins' own included.

    A cell is tried with the words that fit, then with those that miss on one key side, then on both; no cell may
    have more than control[CELL_CAP]. Returns at every full board, so that the caller can tighten `allowed`, which
    takes effect at once. `best` gets the codes of the board with the highest score, first reached.
    """
    width, stage_bits, shift = np.uint64(toggle_width), np.uint64(stage_width), np.uint64(code_shift)
    sync_from, sync_to = np.uint64(control[SYNC_FROM]), np.uint64(control[SYNC_TO])
    depth = np.uint64(control[DEPTH])
    floor = np.uint64(control[FLOOR])
    cap = control[CELL_CAP]
    last = np.uint64(len(seams) - 2)
    deepest = control[MAX_DEPTH]
    best_score = control[BEST_SCORE]
    gate = _gate(deepest, best_score, seams)
    nodes = 0
    row, frame = depth * _PLAN, depth * _FRAME
    if control[STATUS] == FRESH:
        slot = _rest(row, plan, words)
        frames[frame + _F_SLOT] = slot
        frames[frame + _F_CHUNK] = ZERO
        frames[frame + _F_STAGE] = ZERO
        frames[frame + _F_ASKED] = slot - np.uint64(plan[row + _SLOT])
        frames[frame + _F_MASK] = avail[slot]
        frames[frame + _F_FIRST] = np.uint64(first[slot])
        frames[frame + _F_REST] = _rest(row + _PLAN, plan, words)
    mask, start, rest = frames[frame + _F_MASK], frames[frame + _F_FIRST], frames[frame + _F_REST]
    stage = frames[frame + _F_STAGE]
    spent = np.int64(frames[frame + _F_SPENT])
    slack = min(allowed[depth] - spent, cap)
    link_shift, link_mask = np.uint64(plan[row + _PLAN + _LINK_SHIFT]), np.uint64(plan[row + _PLAN + _LINK_MASK])
    status = RUNNING
    while True:
        if mask == ZERO:
            if stage < FOUR and (slack > 0 or np.uint64(plan[row + _CHUNKS]) > ONE):
                lists = depth * _STAGES
                at_stage = lists + stage * _STAGE
                chunk = frames[frame + _F_CHUNK] + ONE
                if chunk < np.uint64(stages[at_stage + _S_CHUNKS]):
                    if stage != ZERO:
                        sync_to = _sync(
                            sync_from, sync_to, depth, plan, words, avail, synced, shift, stage_toggles, stage_bits
                        )
                        sync_from = depth
                    frames[frame + _F_CHUNK] = chunk
                    slot = frames[frame + _F_SLOT] + chunk * np.uint64(stages[at_stage + _S_PLANE])
                    mask, start = avail[slot], np.uint64(first[slot])
                    continue
                stage += ONE
                while stage < FOUR and np.int64(stages[lists + stage * _STAGE + _S_COST]) > slack:
                    stage += ONE
                frames[frame + _F_STAGE] = stage
                frames[frame + _F_CHUNK] = ZERO
                if stage < FOUR:
                    slot = np.uint64(stages[lists + stage * _STAGE + _S_SLOT])
                    if stage == ONE:
                        slot += frames[frame + _F_ASKED] & np.uint64(stages[lists + _V_MASK])
                    elif stage == TWO:
                        slot += frames[frame + _F_ASKED] & np.uint64(stages[lists + _H_MASK])
                    frames[frame + _F_SLOT] = slot
                    sync_to = _sync(
                        sync_from, sync_to, depth, plan, words, avail, synced, shift, stage_toggles, stage_bits
                    )
                    sync_from = depth
                    mask, start = avail[slot], np.uint64(first[slot])
                    continue
            if depth == floor:
                status = FINISHED
                break
            depth -= ONE
            row -= _PLAN
            frame -= _FRAME
            sync_from = min(sync_from, depth)
            toggle(words[np.uint64(plan[row + _CELL])], shift, avail, toggles, width)
            mask, start, rest = frames[frame + _F_MASK], frames[frame + _F_FIRST], frames[frame + _F_REST]
            stage = frames[frame + _F_STAGE]
            spent = np.int64(frames[frame + _F_SPENT])
            slack = min(allowed[depth] - spent, cap)
            link_shift = np.uint64(plan[row + _PLAN + _LINK_SHIFT])
            link_mask = np.uint64(plan[row + _PLAN + _LINK_MASK])
            continue
        if nodes == node_limit:
            break
        word = entries[start + lowest_bit(mask)]
        mask &= mask - ONE
        cost = np.int64(0)
        if stage != ZERO:
            lists = depth * _STAGES
            v_mask, h_mask = np.uint64(stages[lists + _V_MASK]), np.uint64(stages[lists + _H_MASK])
            shown = (word >> np.uint64(stages[lists + _OWN_V])) & v_mask
            shown |= (word >> np.uint64(stages[lists + _OWN_H])) & h_mask
            differs = shown ^ frames[frame + _F_ASKED]
            # A word that fits after all has had its turn in an earlier stage.
            if stage != TWO and differs & h_mask == ZERO:
                continue
            if stage != ONE and differs & v_mask == ZERO:
                continue
            cost = np.int64(stages[lists + stage * _STAGE + _S_COST])
        if plan[row + _SPECIAL]:
            check, end = np.uint64(plan[row + _CHECK_FIRST]), np.uint64(plan[row + _CHECK_END])
            while check < end:
                there = words[np.uint64(checks[check + _C_SOURCE])] >> np.uint64(checks[check + _C_SHIFT])
                if ((word >> np.uint64(checks[check + _C_OWN])) ^ there) & np.uint64(checks[check + _C_MASK]) != ZERO:
                    cost += 1 if checks[check + _C_MAY] else NEVER
                check += _CHECK
        if cost > slack:
            continue
        nodes += 1
        counts[depth] += 1
        cost += spent
        if depth >= gate:
            deepest = max(deepest, np.int64(depth) + 1)
            score = seams[depth + ONE] - cost
            if score > best_score:
                best_score = score
                words[np.uint64(plan[row + _CELL])] = word
                for k in range(depth + ONE):
                    best[k] = words[np.uint64(plan[np.uint64(k) * _PLAN + _CELL])] >> shift
                control[BEST_DEPTH] = depth + ONE
            gate = _gate(deepest, best_score, seams)
            if depth == last:
                status = AT_BOARD
                break
        slot = rest + ((word >> link_shift) & link_mask)
        ahead = avail[slot]
        slack_ahead = allowed[depth + ONE] - cost
        if ahead == ZERO and slack_ahead <= 0 and not plan[row + _PLAN + _SPECIAL]:
            continue
        frames[frame + _F_MASK], frames[frame + _F_FIRST] = mask, start
        words[np.uint64(plan[row + _CELL])] = word
        toggle(word, shift, avail, toggles, width)
        depth += ONE
        row += _PLAN
        frame += _FRAME
        mask, start = avail[slot], np.uint64(first[slot])
        stage = ZERO
        spent = cost
        slack = min(slack_ahead, cap)
        rest = _rest(row + _PLAN, plan, words)
        link_shift, link_mask = np.uint64(plan[row + _PLAN + _LINK_SHIFT]), np.uint64(plan[row + _PLAN + _LINK_MASK])
        frames[frame + _F_SLOT], frames[frame + _F_CHUNK], frames[frame + _F_STAGE] = slot, ZERO, ZERO
        frames[frame + _F_ASKED] = slot - np.uint64(plan[row + _SLOT])
        frames[frame + _F_REST], frames[frame + _F_SPENT] = rest, np.uint64(spent)
    frames[frame + _F_MASK], frames[frame + _F_FIRST] = mask, start
    control[DEPTH] = depth
    control[SYNC_FROM], control[SYNC_TO] = sync_from, sync_to
    control[STATUS] = status
    control[NODES] += nodes
    control[SOLUTIONS] += int(status == AT_BOARD)
    control[MAX_DEPTH] = deepest
    control[BEST_SCORE] = best_score
