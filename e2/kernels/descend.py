"""Depth-first placement over the tables of `e2.kernels.tables`: strict, and with a schedule of mismatched seams.

A depth's words still to try are the set bits of one mask, so used pieces are never read. **Look-ahead**: before a
piece is laid down for good, the list of the next cell is formed; if it is empty the piece is counted and dropped
without touching a table. That leaves the tree as it is, since such a node has no children.

All state is in `control` and `memory`, so a call may end after any node. A budget ends a call only where a word is
waiting to be tried, so a search with nothing left says so in the same call as its last node.

A fill order whose known sides are always the same two, as in rows from any corner, has *plain* tables: the kernel is
compiled once more for those, without the shifts and tests that only other orders need. Same nodes, a tenth faster.

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

ZERO, ONE, TWO, FOUR, EIGHT = (np.uint64(number) for number in (0, 1, 2, 4, 8))
_STAGE_BITS, _CHUNK_SHIFT = np.uint64(7), np.uint64(3)  # LIST is 8 * chunk + stage
_EXACT_STAGE, _V_STAGE, _H_STAGE, _STAGES = (np.uint64(number) for number in (0, 1, 2, 4))
_ROW, _DETAILS, _STAGE = (np.uint64(width) for width in (layout.ROW, layout.DETAILS, layout.STAGE_FIELDS))
_MASK, _START, _REST, _WORD = (np.uint64(at) for at in (layout.MASK, layout.START, layout.REST, layout.WORD))
_COUNT, _EXACT, _LIST, _SPENT = (np.uint64(at) for at in (layout.COUNT, layout.EXACT, layout.LIST, layout.SPENT))
_NEXT_BASE, _SOURCE, _SHIFT = (np.uint64(at) for at in (layout.NEXT_BASE, layout.SOURCE, layout.SHIFT))
_FIELD, _LINK_SHIFT = np.uint64(layout.FIELD), np.uint64(layout.LINK_SHIFT)
_LINK_FIELD, _NOTES, _ALLOWED = (np.uint64(at) for at in (layout.LINK_FIELD, layout.NOTES, layout.ALLOWED))
_NEXT_CHECKED, _NEXT_SECOND = np.uint64(layout.NEXT_CHECKED), np.uint64(layout.NEXT_SECOND)
_CHUNKED, _CHECKED = np.uint64(layout.CHUNKED), np.uint64(layout.CHECKED)
_NEXT_CHUNKED = np.uint64(layout.NEXT_CHUNKED)
_S_LIST, _S_CHUNKS = np.uint64(layout.STAGE_LIST), np.uint64(layout.STAGE_CHUNKS)
_S_PLANE, _S_COST = np.uint64(layout.STAGE_PLANE), np.uint64(layout.STAGE_COST)
_V_FIELD, _H_FIELD = np.uint64(layout.V_FIELD), np.uint64(layout.H_FIELD)
_OWN_V, _OWN_H = np.uint64(layout.OWN_V_SHIFT), np.uint64(layout.OWN_H_SHIFT)
_CHECKS_AT, _CHECKS_END = np.uint64(layout.CHECKS_AT), np.uint64(layout.CHECKS_END)
_SECOND_SOURCE, _SECOND_SHIFT = np.uint64(layout.SECOND_SOURCE), np.uint64(layout.SECOND_SHIFT)
_SECOND_FIELD = np.uint64(layout.SECOND_FIELD)
_C_SOURCE, _C_SHIFT = np.uint64(layout.CHECK_SOURCE), np.uint64(layout.CHECK_SHIFT)
_C_OWN, _C_FIELD = np.uint64(layout.CHECK_OWN_SHIFT), np.uint64(layout.CHECK_FIELD)
_C_MAY, _CHECK = np.uint64(layout.CHECK_MAY_MISMATCH), np.uint64(layout.CHECK)
_PIECE = np.uint64(2)  # a placement code is 4 * piece + rot
_SIX, _LOW = np.uint64(6), np.uint64(63)  # a toggle is 64 * address + bit
_BOUNDLESS = np.int64(1 << 30)


def fresh_control(tables: Tables) -> Array:
    """The control of a search that has not begun."""
    control = np.zeros(CONTROL_WIDTH, np.int64)
    control[CEILING] = tables.depths
    control[CELL_CAP] = 2
    return control


@inlined
def key_above(row: Any, details_at: Any, memory: Array, plain: bool) -> Any:
    """Address of the list of the depth after `row`, as far as the word at `row` does not decide it."""
    colour = memory[memory[row + _SOURCE]] >> (ZERO if plain else memory[row + _SHIFT])
    address = memory[row + _NEXT_BASE] + ((colour & memory[row + _FIELD]) << ONE)
    if not plain and memory[row + _NOTES] & _NEXT_SECOND != ZERO:
        details = details_at + (row // _ROW + ONE) * _DETAILS
        shown = memory[memory[details + _SECOND_SOURCE]] >> memory[details + _SECOND_SHIFT]
        address += (shown & memory[details + _SECOND_FIELD]) << ONE
    return address


@lean_kernel
def fitting(mask: Any, start: Any, details: Any, memory: Array) -> Any:
    """The bits of `mask` whose words also fit the cell's checks."""
    check, end = memory[details + _CHECKS_AT], memory[details + _CHECKS_END]
    while check < end and mask != ZERO:
        colours, own = memory[check + _C_FIELD], memory[check + _C_OWN]
        asked = (memory[memory[check + _C_SOURCE]] >> memory[check + _C_SHIFT]) & colours
        left = mask
        while left != ZERO:
            bit = lowest_bit(left)
            left &= left - ONE
            if (memory[start + bit] >> own) & colours != asked:
                mask ^= ONE << bit
        check += _CHECK
    return mask


@lean_kernel
def _next_chunk(exact: Any, chunk: Any, details: Any, memory: Array) -> Any:
    """The first chunk from `chunk` on with a word that fits, and its mask; mask 0 if there is none."""
    chunks, plane = memory[details + _S_CHUNKS], memory[details + _S_PLANE]
    while chunk < chunks:
        at = exact + chunk * plane
        mask = memory[at]
        if mask != ZERO:
            mask = fitting(mask, memory[at + ONE], details, memory)
            if mask != ZERO:
                return chunk, mask
        chunk += ONE
    return chunk, ZERO


@inlined
def toggle(word: Any, piece_shift: Any, memory: Array, toggles: Any, width: Any) -> None:
    """Take the piece of `word` out of all lists, or put it back."""
    at = toggles + (word >> piece_shift) * width
    end = at + width
    while True:
        for step in range(4):
            place = memory[at + np.uint64(step)]
            memory[place >> _SIX] ^= ONE << (place & _LOW)
        at += FOUR
        if at == end:
            break


@lean_kernel
def _keep_best(best: Array, row: Any, code_shift: Any, memory: Array) -> None:
    """Copy the codes of all depths up to `row`."""
    at = ZERO
    while at <= row:
        best[at // _ROW] = memory[at + _WORD] >> code_shift
        at += _ROW


@lean_kernel
def _gate(deepest: Any, best_score: Any, seams: Array) -> Any:
    """The row of the least depth at which a piece can make a full board, a deeper one, or one with a higher score."""
    depth = min(deepest, len(seams) - 2)
    while depth > 0 and seams[depth] > best_score:
        depth -= 1
    return np.uint64(depth) * _ROW


@lean_kernel
def _sync(
    start: Any, end: Any, depth: Any, memory: Array, synced: Array, piece_shift: Any, toggles: Any, width: Any
) -> Any:
    """Bring the lists with mismatches up to date with the `depth` pieces on the board; returns `depth`.

    `synced[k]` is the word of depth k that those lists know of, for k < `end`; below `start` nothing has changed since.
    Most excursions never ask for these lists, so they are not kept free of used pieces at every step.
    """
    for k in range(start, max(depth, end)):
        at = np.uint64(k)
        now = memory[at * _ROW + _WORD] if at < depth else ZERO
        if synced[at] != now:
            if synced[at] != ZERO:
                toggle(synced[at], piece_shift, memory, toggles, width)
            if now != ZERO:
                toggle(now, piece_shift, memory, toggles, width)
            synced[at] = now
    return depth


def _descend(plain: bool, merged: bool = False) -> Any:
    """Strict search: every seam between filled cells matches.

    With `merged`, tables may put a copy of a piece into lists where that one is laid: so the look ahead comes after.

    Makes at most `node_limit` nodes and stops after `solution_limit` boards (STATUS says which). Each row's COUNT grows
    by the pieces laid there; `best` gets the codes of the deepest board, first reached.
    """

    @lean_kernel
    def kernel(
        control: Array, memory: Array, best: Array, node_limit: int, solution_limit: int, places: Array, seams: Array
    ) -> None:
        toggles, width = np.uint64(places[layout.TOGGLES_AT]), FOUR if plain else np.uint64(places[layout.TOGGLE_WIDTH])
        code_shift = np.uint64(places[layout.CODE_SHIFT])
        piece_shift = code_shift + _PIECE
        row = np.uint64(control[DEPTH]) * _ROW
        details_at = np.uint64(places[layout.DETAILS_AT])
        floor, ceiling = np.uint64(control[FLOOR]) * _ROW, np.uint64(control[CEILING]) * _ROW
        last = np.uint64(len(seams) - 2) * _ROW
        deepest = np.uint64(control[BEST_DEPTH]) * _ROW
        gate = min(deepest, last)  # rows from here on need a closer look: a new best, or a full board
        left, solutions = node_limit, 0
        if control[STATUS] == FRESH:
            exact = memory[row + _EXACT]
            details = details_at + row // _ROW * _DETAILS
            chunk, mask = _next_chunk(exact, ZERO, details, memory)
            memory[row + _LIST] = chunk * EIGHT
            if mask != ZERO:
                memory[row + _START] = memory[exact + chunk * memory[details + _S_PLANE] + ONE]
            memory[row + _REST] = key_above(row, details_at, memory, plain)
        else:
            mask = memory[row + _MASK]
        start, rest = memory[row + _START], memory[row + _REST]
        link_shift, link_field = ZERO if plain else memory[row + _LINK_SHIFT], memory[row + _LINK_FIELD]
        status = RUNNING
        while True:
            if mask == ZERO:
                if not plain and memory[row + _NOTES] & _CHUNKED != ZERO:
                    exact = memory[row + _EXACT]
                    details = details_at + row // _ROW * _DETAILS
                    chunk, mask = _next_chunk(exact, (memory[row + _LIST] >> _CHUNK_SHIFT) + ONE, details, memory)
                    memory[row + _LIST] = chunk * EIGHT
                    if mask != ZERO:
                        start = memory[exact + chunk * memory[details + _S_PLANE] + ONE]
                        memory[row + _START] = start
                        continue
                if row == floor:
                    status = FINISHED
                    break
                row -= _ROW
                toggle(memory[row + _WORD], piece_shift, memory, toggles, width)
                mask, start, rest = memory[row + _MASK], memory[row + _START], memory[row + _REST]
                link_shift, link_field = ZERO if plain else memory[row + _LINK_SHIFT], memory[row + _LINK_FIELD]
                continue
            if left == 0:
                break
            left -= 1
            memory[row + _COUNT] += ONE
            word = memory[start + lowest_bit(mask)]
            mask &= mask - ONE
            if row >= gate:
                if row >= deepest:
                    memory[row + _WORD] = word
                    deepest = row + _ROW
                    gate = min(deepest, last)
                    _keep_best(best, row, code_shift, memory)
                if row == last:
                    solutions += 1
                    if solutions == solution_limit:
                        memory[row + _WORD] = word
                        status = AT_BOARD
                        break
                    continue
            at = rest + (((word >> link_shift) & link_field) << ONE)
            ahead = memory[at]
            notes = memory[row + _NOTES]
            if not merged and ahead == ZERO and (plain or notes & _NEXT_CHUNKED == ZERO):
                continue
            if merged:
                toggle(word, piece_shift, memory, toggles, width)
            if merged or notes & _NEXT_CHECKED != ZERO:
                memory[row + _WORD] = word
                details = details_at + (row // _ROW + ONE) * _DETAILS
                chunk, ahead = _next_chunk(at, ZERO, details, memory)
                memory[row + _ROW + _EXACT] = at
                memory[row + _ROW + _LIST] = chunk * EIGHT
                at += chunk * memory[details + _S_PLANE]
                if ahead == ZERO:
                    if merged:
                        toggle(word, piece_shift, memory, toggles, width)
                    continue
            memory[row + _MASK] = mask
            memory[row + _WORD] = word
            if not merged:
                toggle(word, piece_shift, memory, toggles, width)
            row += _ROW
            mask = ahead & memory[at]
            start = memory[at + ONE]
            rest = key_above(row, details_at, memory, plain)
            link_shift, link_field = ZERO if plain else memory[row + _LINK_SHIFT], memory[row + _LINK_FIELD]
            memory[row + _START] = start
            memory[row + _REST] = rest
            if row == ceiling:
                status = AT_CEILING
                break
        memory[row + _MASK] = mask
        control[DEPTH] = row // _ROW
        control[STATUS] = status
        control[NODES] += node_limit - left
        control[SOLUTIONS] += solutions
        control[BEST_DEPTH] = control[MAX_DEPTH] = deepest // _ROW
        control[BEST_SCORE] = seams[deepest // _ROW]

    return kernel


descend, descend_plain, descend_merged = _descend(False), _descend(True), _descend(False, merged=True)


@inlined
def _stage_address(row: Any, details: Any, stage: Any, memory: Array) -> Any:
    """The list of a stage at its key."""
    address = memory[details + stage * _STAGE + _S_LIST]
    asked = memory[row + _EXACT] - memory[details + _S_LIST]
    if stage == _EXACT_STAGE:
        address += asked
    elif stage == _V_STAGE:
        address += asked & (memory[details + _V_FIELD] << ONE)
    elif stage == _H_STAGE:
        address += asked & (memory[details + _H_FIELD] << ONE)
    return address


@lean_kernel
def _next_list(row: Any, details: Any, slack: Any, memory: Array) -> Any:
    """Go on to the next chunk or the next stage that `slack` pays for, and write LIST; returns its address, or 0."""
    chunk, stage = memory[row + _LIST] >> _CHUNK_SHIFT, memory[row + _LIST] & _STAGE_BITS
    if stage == _STAGES:
        return ZERO
    chunk += ONE
    if chunk == memory[details + stage * _STAGE + _S_CHUNKS]:
        chunk = ZERO
        stage += ONE
        while stage < _STAGES and np.int64(memory[details + stage * _STAGE + _S_COST]) > slack:
            stage += ONE
    memory[row + _LIST] = chunk * EIGHT + stage
    if stage == _STAGES:
        return ZERO
    return _stage_address(row, details, stage, memory) + chunk * memory[details + stage * _STAGE + _S_PLANE]


@lean_kernel
def _cost(word: Any, row: Any, details: Any, memory: Array) -> Any:
    """Mismatched seams that `word` brings; NEVER if it may not lie here, or had its turn in an earlier stage."""
    stage = memory[row + _LIST] & _STAGE_BITS
    cost = np.int64(0)
    if stage != _EXACT_STAGE:
        v_field, h_field = memory[details + _V_FIELD], memory[details + _H_FIELD]
        shown = (word >> memory[details + _OWN_V]) & v_field
        shown |= (word >> memory[details + _OWN_H]) & h_field
        differs = shown ^ ((memory[row + _EXACT] - memory[details + _S_LIST]) >> ONE)
        if (stage != _H_STAGE and differs & h_field == ZERO) or (stage != _V_STAGE and differs & v_field == ZERO):
            return np.int64(NEVER)
        cost = np.int64(memory[details + stage * _STAGE + _S_COST])
    check, end = memory[details + _CHECKS_AT], memory[details + _CHECKS_END]
    while check < end:
        there = memory[memory[check + _C_SOURCE]] >> memory[check + _C_SHIFT]
        if ((word >> memory[check + _C_OWN]) ^ there) & memory[check + _C_FIELD] != ZERO:
            cost += 1 if memory[check + _C_MAY] != ZERO else NEVER
        check += _CHECK
    return cost


@lean_kernel
def settle(depth: Any, word: Any, step: int, sides: Array, balance: Array, memory: Array, field: Any) -> None:
    """Enter `word` on `depth` into the ledger, or take it out again (`step` -1).

    A side that finds its colour pays a demand with its own supply: nothing changes. An open one takes from the supply
    and adds to the demand.
    """
    for side in range(4):
        own = (word >> sides[depth, side, layout.SIDE_OWN_SHIFT]) & field
        source = sides[depth, side, layout.SIDE_SOURCE]
        if source == ZERO:
            balance[own] -= 2 * step
        else:
            there = (memory[source] >> sides[depth, side, layout.SIDE_SHIFT]) & field
            if there != own:
                balance[own] -= step
                balance[there] += step


@lean_kernel
def _is_hopeless(balance: Array, mismatches: int) -> Any:
    """Whether the pieces left cannot close all open sides with so many mismatched seams more.

    A side whose colour has no partner left costs a mismatch. So do two colours with an odd balance: a matched seam
    takes one colour twice, a mismatched one takes two colours once, and in the end all balances are 0.
    """
    owed = odd = 0
    for colour in range(1, len(balance)):
        owed -= min(balance[colour], 0)
        odd += balance[colour] & 1
    return owed > mismatches or odd > 2 * mismatches


def _descend_mismatched(guarded: bool) -> Any:
    """Search with mismatched seams: after the piece at depth k there may be `allowed[k]` of them, pins' own included.

    A cell is tried with the words that fit, then with those that miss on one key side, then on both; no cell may
    have more than control[CELL_CAP]. Returns at every full board, so that the caller can tighten `allowed`, which
    takes effect at once. `best` gets the codes of the board with the highest score, first reached.

    A guarded search also keeps a quota and, from depth `prune` on, a ledger. `worth[piece]` is what a piece adds to the
    quota, `least[depth]` what the pieces up to that depth must have together; lists must begin with the worthiest
    words, so that the first that is worth too little ends its list. `sides` and `opening_balance` are those of the
    tables, `balance` is room for a copy.
    """

    @lean_kernel
    def kernel(
        control: Array,
        memory: Array,
        best: Array,
        node_limit: int,
        allowed: Array,
        synced: Array,
        places: Array,
        seams: Array,
        worth: Array,
        least: Array,
        prune: int,
        sides: Array,
        opening_balance: Array,
        balance: Array,
    ) -> None:
        toggles, width = np.uint64(places[layout.TOGGLES_AT]), np.uint64(places[layout.TOGGLE_WIDTH])
        stage_toggles = np.uint64(places[layout.STAGE_TOGGLES_AT])
        stage_width = np.uint64(places[layout.STAGE_TOGGLE_WIDTH])
        code_shift = np.uint64(places[layout.CODE_SHIFT])
        piece_shift = code_shift + _PIECE
        sync_from, sync_to = np.uint64(control[SYNC_FROM]), np.uint64(control[SYNC_TO])
        row = np.uint64(control[DEPTH]) * _ROW
        details_at = np.uint64(places[layout.DETAILS_AT])
        floor, last = np.uint64(control[FLOOR]) * _ROW, np.uint64(len(seams) - 2) * _ROW
        cap = control[CELL_CAP]
        deepest, best_score = control[MAX_DEPTH], control[BEST_SCORE]
        gate = _gate(deepest, best_score, seams)
        nodes = 0
        for depth in range(len(seams)):
            memory[np.uint64(depth) * _ROW + _ALLOWED] = np.uint64(allowed[depth])
        field = (ONE << (code_shift >> TWO)) - ONE
        favour, mismatches = np.int64(0), allowed[len(seams) - 1]
        if guarded:
            for colour in range(len(balance)):
                balance[colour] = opening_balance[colour]
            for depth in range(control[DEPTH]):
                word = memory[np.uint64(depth) * _ROW + _WORD]
                favour += worth[word >> piece_shift]
                settle(depth, word, 1, sides, balance, memory, field)
        if control[STATUS] == FRESH:
            exact = np.uint64(places[layout.ROOT])
            memory[row + _EXACT] = exact
            memory[row + _MASK], memory[row + _START] = memory[exact], memory[exact + ONE]
            memory[row + _REST] = key_above(row, details_at, memory, False)
        mask, start, rest = memory[row + _MASK], memory[row + _START], memory[row + _REST]
        link_shift, link_field = memory[row + _LINK_SHIFT], memory[row + _LINK_FIELD]
        spent = np.int64(memory[row + _SPENT])
        slack = min(np.int64(memory[row + _ALLOWED]) - spent, cap)
        # What may still go wrong at the next depth; boundless where an empty first chunk proves nothing.
        loose = np.int64(memory[row + _ROW + _ALLOWED]) - spent
        if memory[row + _NOTES] & _NEXT_CHUNKED != ZERO:
            loose = _BOUNDLESS
        closer = (memory[row + _NOTES] & _CHECKED) | (memory[row + _LIST] & _STAGE_BITS)
        if slack < 0:
            mask = ZERO
        status = RUNNING
        while True:
            if mask == ZERO:
                if slack > 0 or (slack == 0 and memory[row + _NOTES] & _CHUNKED != ZERO):
                    at = _next_list(row, details_at + row // _ROW * _DETAILS, slack, memory)
                    if at != ZERO:
                        closer = (memory[row + _NOTES] & _CHECKED) | (memory[row + _LIST] & _STAGE_BITS)
                        if memory[row + _LIST] & _STAGE_BITS != ZERO:
                            depth_now = row // _ROW
                            sync_to = _sync(
                                sync_from, sync_to, depth_now, memory, synced, piece_shift, stage_toggles, stage_width
                            )
                            sync_from = depth_now
                        mask, start = memory[at], memory[at + ONE]
                        continue
                if row == floor:
                    status = FINISHED
                    break
                row -= _ROW
                sync_from = min(sync_from, row // _ROW)
                toggle(memory[row + _WORD], piece_shift, memory, toggles, width)
                if guarded:
                    favour -= worth[memory[row + _WORD] >> piece_shift]
                    settle(row // _ROW, memory[row + _WORD], -1, sides, balance, memory, field)
                mask, start, rest = memory[row + _MASK], memory[row + _START], memory[row + _REST]
                link_shift, link_field = memory[row + _LINK_SHIFT], memory[row + _LINK_FIELD]
                spent = np.int64(memory[row + _SPENT])
                slack = min(np.int64(memory[row + _ALLOWED]) - spent, cap)
                loose = np.int64(memory[row + _ROW + _ALLOWED]) - spent
                if memory[row + _NOTES] & _NEXT_CHUNKED != ZERO:
                    loose = _BOUNDLESS
                closer = (memory[row + _NOTES] & _CHECKED) | (memory[row + _LIST] & _STAGE_BITS)
                if slack < 0:
                    mask = ZERO
                continue
            if nodes == node_limit:
                break
            word = memory[start + lowest_bit(mask)]
            mask &= mask - ONE
            if guarded and favour + worth[word >> piece_shift] < least[row // _ROW]:
                mask = ZERO
                continue
            cost = np.int64(0)
            if closer != ZERO:
                cost = _cost(word, row, details_at + row // _ROW * _DETAILS, memory)
                if cost > slack:
                    continue
            nodes += 1
            memory[row + _COUNT] += ONE
            if row >= gate:
                placed = np.int64(row // _ROW) + 1
                deepest = max(deepest, placed)
                score = seams[placed] - spent - cost
                if score > best_score:
                    best_score = score
                    memory[row + _WORD] = word
                    _keep_best(best, row, code_shift, memory)
                    control[BEST_DEPTH] = placed
                gate = _gate(deepest, best_score, seams)
                if row == last:
                    status = AT_BOARD
                    break
            at = rest + (((word >> link_shift) & link_field) << ONE)
            if memory[at] == ZERO and loose <= cost:
                continue
            if guarded:
                settle(row // _ROW, word, 1, sides, balance, memory, field)
                if np.int64(row // _ROW) >= prune and _is_hopeless(balance, mismatches - spent - cost):
                    settle(row // _ROW, word, -1, sides, balance, memory, field)
                    continue
                favour += worth[word >> piece_shift]
            memory[row + _MASK], memory[row + _START], memory[row + _WORD] = mask, start, word
            toggle(word, piece_shift, memory, toggles, width)
            row += _ROW
            spent += cost
            mask, start = memory[at], memory[at + ONE]
            rest = key_above(row, details_at, memory, False)
            link_shift, link_field = memory[row + _LINK_SHIFT], memory[row + _LINK_FIELD]
            slack = min(np.int64(memory[row + _ALLOWED]) - spent, cap)
            loose = np.int64(memory[row + _ROW + _ALLOWED]) - spent
            if memory[row + _NOTES] & _NEXT_CHUNKED != ZERO:
                loose = _BOUNDLESS
            closer = memory[row + _NOTES] & _CHECKED
            memory[row + _EXACT], memory[row + _LIST] = at, ZERO
            memory[row + _REST], memory[row + _SPENT] = rest, np.uint64(spent)
        memory[row + _MASK], memory[row + _START] = mask, start
        control[DEPTH] = row // _ROW
        control[SYNC_FROM], control[SYNC_TO] = sync_from, sync_to
        control[STATUS] = status
        control[NODES] += nodes
        control[SOLUTIONS] += int(status == AT_BOARD)
        control[MAX_DEPTH] = deepest
        control[BEST_SCORE] = best_score

    return kernel


descend_mismatched, descend_guarded = _descend_mismatched(False), _descend_mismatched(True)


@lean_kernel
def lay_opening(control: Array, memory: Array, words: Array, mismatches: int, places: Array) -> None:
    """Lay a word on each of the first depths, for good: what follows is a search with mismatches below them.

    `memory` must be fresh; nobody asks whether the words fit, `mismatches` is how many of their seams do not. Rows of
    the opening have nothing left to try.
    """
    toggles, width = np.uint64(places[layout.TOGGLES_AT]), np.uint64(places[layout.TOGGLE_WIDTH])
    piece_shift = np.uint64(places[layout.CODE_SHIFT]) + _PIECE
    details_at = np.uint64(places[layout.DETAILS_AT])
    row, at = ZERO, np.uint64(places[layout.ROOT])
    for word in words:
        memory[row + _WORD], memory[row + _EXACT], memory[row + _LIST] = word, at, _STAGES
        rest = key_above(row, details_at, memory, False)
        memory[row + _REST] = rest
        toggle(word, piece_shift, memory, toggles, width)
        at = rest + (((word >> memory[row + _LINK_SHIFT]) & memory[row + _LINK_FIELD]) << ONE)
        row += _ROW
    memory[row + _EXACT], memory[row + _LIST], memory[row + _SPENT] = at, ZERO, np.uint64(mismatches)
    memory[row + _MASK], memory[row + _START] = memory[at], memory[at + ONE]
    memory[row + _REST] = key_above(row, details_at, memory, False)
    control[DEPTH] = control[FLOOR] = len(words)
    control[SYNC_FROM] = control[SYNC_TO] = 0
    control[STATUS] = RUNNING
