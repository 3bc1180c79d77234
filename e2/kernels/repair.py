"""Repair: a region of a full board is emptied and filled again by a small beam, with all around it as it was.

**Parity of colours** tells early what a filling will cost. Take the sides that are still to be joined: those of the
region's unused pieces, and those that wait for a neighbour. A matched seam takes two sides of one colour from them, a
mismatched one a side of each of two colours, and in the end none is left. So every two colours that stand on an odd
number of such sides cost one mismatched seam more, and `mismatched + odd / 2` bounds the whole. It follows that a
mismatched seam alone can never be mended, and that another is only cheap where its colours are odd.

A second term of the key are the **ways** to join what is left: a waiting side takes an unused one of its colour, the
other unused ones pair up among themselves. Their logarithm is a sum over colours, so a child changes a few terms of it.
One mismatched seam is worth a factor of about 60 in the number of boards, which is the exchange rate.

A state knows its unused pieces as bits, so the pieces that fit a cell are a few ANDs for each turn, whatever the number
of its known sides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from e2.kernels.compile import bit_count, inlined, lean_kernel, lowest_bit
from e2.kernels.tables import Array

RIM, OUTSIDE, EARLIER, LATER = range(4)
"""What lies across a side: the rim, a cell outside, or one of the region that is filled earlier or later."""

SCALE = 64
"""Key units in one seam. Smaller keys are better."""
KEYS = 4096
_MIDDLE = KEYS // 4  # the key of a child as good as its parent, where that is the best of its layer
MOST = 64
"""Cells of a region, so that a set of its pieces is one word."""
CHILDREN_A_STATE = 8
ZERO, ONE = np.uint64(0), np.uint64(1)

# Entries of `tally`, which the kernels add to; BETTER is the NODES at which the best board last became better.
NODES, TRIALS, FILLED, MOVED, GAINED, BETTER = range(6)
TALLY_WIDTH = 6


class Puzzle(NamedTuple):
    """What does not change. Colours are dense, grey is 0; more than 64 share bits of parity, which only weakens it."""

    shows: Array  # int64[codes, 4]
    around: Array  # int64[cells, 4]: the neighbour across each side, -1 for the rim
    pinned: Array  # bool[cells]
    size: Array  # int64[2]: width, height
    shapes: Array  # int64[k, 2]: width and height of the rectangles to free


class Region(NamedTuple):
    """The cells of one trial, first filled first, and what is known of each before it begins."""

    cells: Array  # int64[most]
    place: Array  # int64[cells]: where a cell stands in `cells`, -1 outside
    pieces: Array  # int64[most]: the pieces to lay, in bit order
    has: Array  # uint64[4, colours]: pieces with a colour on a catalogue side
    fits: Array  # uint64[most, 4]: pieces that turn grey to the rim and nowhere else, for each turn
    across: Array  # int64[most, 4]
    value: Array  # int64[most, 4]: the colour OUTSIDE; else the slot that a state keeps the colour in
    rigid: Array  # bool[most, 4]: the seam may not be mismatched


class Beam(NamedTuple):
    """The states of two layers in turn, how they came about, and the groups of the next one."""

    free: Array  # uint64[2, width]: unused pieces
    opened: Array  # int64[2, width, slots]: colours that wait for a neighbour
    lost: Array  # int64[2, width]: mismatched seams
    odd: Array  # uint64[2, width]: colours on an odd number of sides still to be joined
    cost: Array  # int64[2, width]: bound less ways, in key units
    unused: Array  # int16[2, width, colours]: sides of unused pieces
    waiting: Array  # int16[2, width, colours]: sides that wait for a neighbour, outside ones too
    ways: Array  # int64[MOST * 4 + 1, MOST * 4 + 1]: by unused and waiting sides of a colour, in key units
    parent: Array  # int64[most, width]
    laid: Array  # int64[most, width]: codes
    child_parent: Array  # int64[CHILDREN_A_STATE * width]
    child_move: Array  # int64: 4 * bit of the piece + rot
    child_key: Array  # int64
    histogram: Array  # int64[KEYS]
    hand: Array  # int64[6]: see KEPT
    changes: Array  # int64[4, colours]: see `_changes`
    sides: Array  # int64[4]: of the cell in turn the known sides, then those of later cells
    asked: Array  # int64[4]: the colours that one parent shows there
    odd_sided: Array  # uint64[4]: pieces with an odd colour on a catalogue side


# Entries of `Beam.hand`: children in hand, those of them whose keys are final, the key from which on they are of no
# use, the mean of the ways that fitting ones gained, and of the cell the known sides and those that are not on the rim.
KEPT, WEIGHED, THRESHOLD, MEAN_GAIN, KNOWN, SIDES = range(6)
# Rows of `Beam.changes`.
JOINED, OPENED, LOST, LEFT = range(4)


@inlined
def below(random, bound):  # type: ignore[no-untyped-def]
    """A number of 0..bound-1, by Marsaglia's xorshift on `random[0]`, which is never 0."""
    word = random[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    random[0] = word
    return np.int64(((word >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@inlined
def _colour_bit(colour):  # type: ignore[no-untyped-def]
    return ONE << np.uint64(colour & 63)


@inlined
def _all_pieces(n):  # type: ignore[no-untyped-def]
    return ~ZERO if n == MOST else (ONE << np.uint64(n)) - ONE


@inlined
def _on_rim(around, cell):  # type: ignore[no-untyped-def]
    return min(min(around[cell, 0], around[cell, 1]), min(around[cell, 2], around[cell, 3])) < 0


@lean_kernel
def lay_out(board, n, puzzle, region):  # type: ignore[no-untyped-def]
    """Fill in `region` for its first `n` cells. Returns mismatched seams, odd colours and slots, all as they are now.

    A seam between two frame cells may be mismatched only if one in the region is now: frame colours are too few to come
    back.
    """
    shows, around = puzzle.shows, puzzle.around
    cells, place, has = region.cells, region.place, region.has
    for side in range(4):
        for colour in range(has.shape[1]):
            has[side, colour] = ZERO
    odd = ZERO
    for i in range(n):
        place[cells[i]] = i
        piece = board[cells[i]] >> 2
        region.pieces[i] = piece
        for side in range(4):
            colour = shows[4 * piece, side]
            has[side, colour] |= ONE << np.uint64(i)
            if colour:
                odd ^= _colour_bit(colour)
    lost = 0
    frame_lost = 0
    slots = 0
    taken = ZERO
    for i in range(n):
        cell = cells[i]
        for side in range(4):
            other = around[cell, side]
            if other >= 0 and 0 <= place[other] < i:
                region.across[i, side] = EARLIER
                region.value[i, side] = region.value[place[other], (side + 2) & 3]
                taken &= ~(ONE << np.uint64(region.value[i, side]))
        for side in range(4):
            other = around[cell, side]
            region.rigid[i, side] = False
            if other < 0:
                region.across[i, side] = RIM
                continue
            frame = _on_rim(around, cell) and _on_rim(around, other)
            region.rigid[i, side] = frame
            there = shows[board[other], (side + 2) & 3]
            wrong = there != shows[board[cell], side]
            if place[other] < 0:
                region.across[i, side] = OUTSIDE
                region.value[i, side] = there
                odd ^= _colour_bit(there)
            elif place[other] > i:
                slot = np.int64(lowest_bit(~taken))
                taken |= ONE << np.uint64(slot)
                slots = max(slots, slot + 1)
                region.across[i, side] = LATER
                region.value[i, side] = slot
            else:
                continue
            lost += wrong
            frame_lost += wrong and frame
        for rot in range(4):
            pieces = _all_pieces(n)
            for side in range(4):
                grey = has[(side - rot) & 3, 0]
                pieces &= grey if around[cell, side] < 0 else ~grey
            region.fits[i, rot] = pieces
    for i in range(n):
        place[cells[i]] = -1
        if frame_lost:
            for side in range(4):
                region.rigid[i, side] = False
    return lost, odd, slots


@inlined
def _asked_colours(i, here, p, known, region, beam):  # type: ignore[no-untyped-def]
    for j in range(known):
        value = region.value[i, beam.sides[j]]
        if region.across[i, beam.sides[j]] == EARLIER:
            value = beam.opened[here, p, value]
        beam.asked[j] = value


@inlined
def _bound(lost, odd):  # type: ignore[no-untyped-def]
    return lost + (np.int64(bit_count(odd)) >> 1)


@inlined
def _join(i, code, layer, p, sign, puzzle, region, beam, slots_layer, slots_p):  # type: ignore[no-untyped-def]
    """Count the sides of a piece as joined or waiting (sign 1), or take that back (-1); returns the ways gained."""
    unused, waiting, ways = beam.unused, beam.waiting, beam.ways
    gain = 0
    for side in range(4):
        across = region.across[i, side]
        if across == RIM:
            continue
        own = puzzle.shows[code, side]
        gain -= ways[unused[layer, p, own], waiting[layer, p, own]]
        unused[layer, p, own] -= sign
        if across == LATER:
            waiting[layer, p, own] += sign
        gain += ways[unused[layer, p, own], waiting[layer, p, own]]
        if across == LATER:
            continue
        colour = region.value[i, side]
        if across == EARLIER:
            colour = beam.opened[slots_layer, slots_p, colour]
        gain -= ways[unused[layer, p, colour], waiting[layer, p, colour]]
        waiting[layer, p, colour] -= sign
        gain += ways[unused[layer, p, colour], waiting[layer, p, colour]]
    return gain


@lean_kernel
def _select(width, beam):  # type: ignore[no-untyped-def]
    """Keep the `width` children with the smallest keys; of those at the limit, the first."""
    keys, histogram = beam.child_key, beam.histogram
    for key in range(KEYS):
        histogram[key] = 0
    for child in range(beam.hand[KEPT]):
        histogram[keys[child]] += 1
    total = 0
    cut = 0
    while total + histogram[cut] <= width:
        total += histogram[cut]
        cut += 1
    ties = width - total
    kept = 0
    for child in range(beam.hand[KEPT]):
        key = keys[child]
        if key > cut or (key == cut and ties == 0):
            continue
        if key == cut:
            ties -= 1
        keys[kept] = key
        beam.child_parent[kept] = beam.child_parent[child]
        beam.child_move[kept] = beam.child_move[child]
        kept += 1
    beam.hand[KEPT] = beam.hand[WEIGHED] = kept
    beam.hand[THRESHOLD] = cut


@lean_kernel
def _changes(here, p, beam):  # type: ignore[no-untyped-def]
    """What the ways change by for a side of each colour: joined, laid open, laid amiss, left waiting in vain."""
    ways, changes = beam.ways, beam.changes
    for colour in range(beam.unused.shape[2]):
        unused, waiting = beam.unused[here, p, colour], beam.waiting[here, p, colour]
        now = ways[unused, waiting]
        if unused > 0:
            changes[OPENED, colour] = ways[unused - 1, waiting + 1] - now
            changes[LOST, colour] = ways[unused - 1, waiting] - now
        if waiting > 0:
            changes[LEFT, colour] = ways[unused, waiting - 1] - now
            if unused > 0:
                changes[JOINED, colour] = ways[unused - 1, waiting - 1] - now


@lean_kernel
def _weigh(i, here, known, noise, width, puzzle, region, beam, random):  # type: ignore[no-untyped-def]
    """Put the ways and the noise into the keys of the children that lack them, and drop those of no use.

    The four sides are taken as if they changed the ways apart, which is not so where two have one colour.
    """
    hand, changes = beam.hand, beam.changes
    kept = hand[WEIGHED]
    gained = 0
    parent = -1
    for child in range(hand[WEIGHED], hand[KEPT]):
        p, move = beam.child_parent[child], beam.child_move[child]
        if p != parent:
            parent = p
            _asked_colours(i, here, p, known, region, beam)
            _changes(here, p, beam)
        code = 4 * region.pieces[move >> 2] + (move & 3)
        gain = 0
        for j in range(known):
            own, asked = puzzle.shows[code, beam.sides[j]], beam.asked[j]
            gain += changes[JOINED, own] if own == asked else changes[LOST, own] + changes[LEFT, asked]
        for j in range(known, hand[SIDES]):
            gain += changes[OPENED, puzzle.shows[code, beam.sides[j]]]
        gained += gain
        key = max(0, min(beam.child_key[child] - gain + below(random, noise), KEYS - 1))
        if key < hand[THRESHOLD]:
            beam.child_key[kept] = key
            beam.child_parent[kept] = p
            beam.child_move[kept] = move
            kept += 1
    if hand[KEPT] > hand[WEIGHED] and hand[MEAN_GAIN] == -KEYS:
        hand[MEAN_GAIN] = gained // (hand[KEPT] - hand[WEIGHED])
    hand[KEPT] = hand[WEIGHED] = kept
    if kept > width:
        _select(width, beam)


@inlined
def _add(pieces, rot, p, key, beam):  # type: ignore[no-untyped-def]
    """Take `pieces` at a turn as children of a parent. `key` counts all but the ways and the noise."""
    while pieces:
        at = beam.hand[KEPT]
        beam.child_key[at] = key
        beam.child_parent[at] = p
        beam.child_move[at] = 4 * np.int64(lowest_bit(pieces)) + rot
        beam.hand[KEPT] = at + 1
        pieces &= pieces - ONE


@lean_kernel
def _fitting(i, here, live, known, base, noise, width, puzzle, region, beam, random):  # type: ignore[no-untyped-def]
    """The children without a mismatch."""
    for p in range(live):
        if beam.hand[KEPT] + 8 * MOST > beam.child_key.size:
            _weigh(i, here, known, noise, width, puzzle, region, beam, random)
        _asked_colours(i, here, p, known, region, beam)
        key = _MIDDLE + beam.cost[here, p] - base
        for rot in range(4):
            pieces = region.fits[i, rot] & beam.free[here, p]
            for j in range(known):
                pieces &= region.has[(beam.sides[j] - rot) & 3, beam.asked[j]]
            if pieces:
                _add(pieces, rot, p, key, beam)
    _weigh(i, here, known, noise, width, puzzle, region, beam, random)


@inlined
def _odd_sided(odd, region, beam):  # type: ignore[no-untyped-def]
    """Which pieces have an odd colour on a catalogue side."""
    for side in range(4):
        beam.odd_sided[side] = ZERO
    while odd:
        colour = np.int64(lowest_bit(odd))
        odd &= odd - ONE
        while colour < region.has.shape[1]:
            for side in range(4):
                beam.odd_sided[side] |= region.has[side, colour]
            colour += 64


@lean_kernel
def _mismatching(  # type: ignore[no-untyped-def]
    i, here, live, known, more, limit, base, noise, width, puzzle, region, beam, random
):
    """The children with one mismatched seam that raises the bound by `more`, if they may come under the threshold.

    Of the two colours at the seam, `more` are even before.
    """
    for p in range(live):
        if beam.hand[KEPT] + 8 * MOST > beam.child_key.size:
            _weigh(i, here, known, noise, width, puzzle, region, beam, random)
        lost, odd = beam.lost[here, p], beam.odd[here, p]
        key = _MIDDLE + beam.cost[here, p] - base + SCALE * more
        if lost >= limit or _bound(lost, odd) + more > limit:
            continue
        # The fitting children have shown how many ways a piece gains.
        if key - beam.hand[MEAN_GAIN] >= beam.hand[THRESHOLD]:
            continue
        _asked_colours(i, here, p, known, region, beam)
        open_seams = 0
        for j in range(known):
            odd_here = 1 if odd & _colour_bit(beam.asked[j]) else 0
            if not region.rigid[i, beam.sides[j]] and 0 <= odd_here + more - 1 <= 1:
                open_seams |= 1 << j
        if open_seams == 0:
            continue
        _odd_sided(odd, region, beam)
        for rot in range(4):
            for j in range(known):
                if open_seams >> j & 1 == 0:
                    continue
                turned = (beam.sides[j] - rot) & 3
                pieces = region.fits[i, rot] & beam.free[here, p] & ~region.has[turned, beam.asked[j]]
                for k in range(known):
                    if k != j:
                        pieces &= region.has[(beam.sides[k] - rot) & 3, beam.asked[k]]
                even_here = 0 if odd & _colour_bit(beam.asked[j]) else 1
                pieces &= beam.odd_sided[turned] if even_here == more else ~beam.odd_sided[turned]
                _add(pieces, rot, p, key, beam)
    _weigh(i, here, known, noise, width, puzzle, region, beam, random)


@lean_kernel
def _misfits(  # type: ignore[no-untyped-def]
    i, here, live, known, limit, base, noise, width, puzzle, region, beam, random
):
    """The children with two or more mismatched seams: for corners of a region, and where the beam has room."""
    for p in range(live):
        if beam.hand[KEPT] + 8 * MOST > beam.child_key.size:
            _weigh(i, here, known, noise, width, puzzle, region, beam, random)
        key = _MIDDLE + beam.cost[here, p] - base
        if beam.lost[here, p] + 2 > limit or key - beam.hand[MEAN_GAIN] >= beam.hand[THRESHOLD]:
            continue
        _asked_colours(i, here, p, known, region, beam)
        for rot in range(4):
            pieces = region.fits[i, rot] & beam.free[here, p]
            while pieces:
                bit = pieces & (~pieces + ONE)
                pieces ^= bit
                code = 4 * region.pieces[np.int64(lowest_bit(bit))] + rot
                lost, odd = beam.lost[here, p], beam.odd[here, p]
                allowed = True
                for j in range(known):
                    colour = puzzle.shows[code, beam.sides[j]]
                    if colour != beam.asked[j]:
                        allowed &= not region.rigid[i, beam.sides[j]]
                        lost += 1
                        odd ^= _colour_bit(colour) ^ _colour_bit(beam.asked[j])
                if allowed and lost >= beam.lost[here, p] + 2 and _bound(lost, odd) <= limit:
                    more = _bound(lost, odd) - _bound(beam.lost[here, p], beam.odd[here, p])
                    _add(bit, rot, p, key + SCALE * more, beam)
    _weigh(i, here, known, noise, width, puzzle, region, beam, random)


@lean_kernel
def _make(i, here, known, slots, puzzle, region, beam):  # type: ignore[no-untyped-def]
    """Write the states of the children in hand."""
    there = 1 - here
    for child in range(beam.hand[KEPT]):
        p = beam.child_parent[child]
        bit = ONE << np.uint64(beam.child_move[child] >> 2)
        code = 4 * region.pieces[beam.child_move[child] >> 2] + (beam.child_move[child] & 3)
        _asked_colours(i, here, p, known, region, beam)
        lost, odd = beam.lost[here, p], beam.odd[here, p]
        before = _bound(lost, odd)
        for j in range(known):
            colour = puzzle.shows[code, beam.sides[j]]
            if colour != beam.asked[j]:
                lost += 1
                odd ^= _colour_bit(colour) ^ _colour_bit(beam.asked[j])
        beam.lost[there, child] = lost
        beam.odd[there, child] = odd
        beam.free[there, child] = beam.free[here, p] ^ bit
        for colour in range(beam.unused.shape[2]):
            beam.unused[there, child, colour] = beam.unused[here, p, colour]
            beam.waiting[there, child, colour] = beam.waiting[here, p, colour]
        gain = _join(i, code, there, child, 1, puzzle, region, beam, here, p)
        beam.cost[there, child] = beam.cost[here, p] + SCALE * (_bound(lost, odd) - before) - gain
        for slot in range(slots):
            beam.opened[there, child, slot] = beam.opened[here, p, slot]
        for side in range(4):
            if region.across[i, side] == LATER:
                beam.opened[there, child, region.value[i, side]] = puzzle.shows[code, side]
        beam.parent[i, child] = p
        beam.laid[i, child] = code


@inlined
def _list_sides(i, region, beam):  # type: ignore[no-untyped-def]
    # Counted in the array: numba would compile each callee once more for a count that begins as a literal.
    beam.hand[KNOWN] = 0
    for side in range(4):
        if region.across[i, side] == OUTSIDE or region.across[i, side] == EARLIER:
            beam.sides[beam.hand[KNOWN]] = side
            beam.hand[KNOWN] += 1
    beam.hand[SIDES] = beam.hand[KNOWN]
    for side in range(4):
        if region.across[i, side] == LATER:
            beam.sides[beam.hand[SIDES]] = side
            beam.hand[SIDES] += 1


@lean_kernel
def _open(n, odd, puzzle, region, beam):  # type: ignore[no-untyped-def]
    """The one state of the first layer: nothing laid."""
    beam.hand[KEPT] = 1
    beam.free[0, 0] = _all_pieces(n)
    beam.lost[0, 0] = 0
    beam.odd[0, 0] = odd
    beam.cost[0, 0] = 0
    for colour in range(beam.unused.shape[2]):
        beam.unused[0, 0, colour] = 0
        beam.waiting[0, 0, colour] = 0
    for i in range(n):
        for side in range(4):
            if region.across[i, side] == OUTSIDE:
                beam.waiting[0, 0, region.value[i, side]] += 1
            beam.unused[0, 0, puzzle.shows[4 * region.pieces[i], side]] += 1


@lean_kernel
def refill(  # type: ignore[no-untyped-def]
    board, n, limit, odd, slots, width, noise, puzzle, region, beam, random, tally
):
    """Fill the region with at most `limit` mismatched seams; returns how many, or -1 if no filling was found.

    A random one of the best fillings that differ from the present one is laid; if there is only that, it stays.
    """
    _open(n, odd, puzzle, region, beam)
    live = beam.hand[KEPT]
    for i in range(n):
        here = i & 1
        _list_sides(i, region, beam)
        known = beam.hand[KNOWN]
        base = beam.cost[here, 0]
        for p in range(live):
            base = min(base, beam.cost[here, p])
        beam.hand[KEPT] = beam.hand[WEIGHED] = 0
        beam.hand[THRESHOLD] = KEYS
        beam.hand[MEAN_GAIN] = -KEYS
        _fitting(i, here, live, known, base, noise, width, puzzle, region, beam, random)
        if beam.hand[KEPT] == 0:
            beam.hand[MEAN_GAIN] = KEYS
        for more in range(3):
            _mismatching(i, here, live, known, more, limit, base, noise, width, puzzle, region, beam, random)
        if known > 2 or beam.hand[KEPT] < width:
            _misfits(i, here, live, known, limit, base, noise, width, puzzle, region, beam, random)
        live = beam.hand[KEPT]
        if live == 0:
            return -1
        _make(i, here, known, slots, puzzle, region, beam)
        tally[NODES] += live
    return _lay(board, n, live, region, beam, random, tally)


@lean_kernel
def _lay(board, n, live, region, beam, random, tally):  # type: ignore[no-untyped-def]
    """Lay a random one of the best states, but not the present filling if there is another."""
    best = beam.lost[n & 1, 0]
    for p in range(live):
        best = min(best, beam.lost[n & 1, p])
    start = below(random, live)
    for turn in range(live):
        p = (start + turn) % live
        if beam.lost[n & 1, p] != best:
            continue
        changed = False
        at = p
        for i in range(n - 1, -1, -1):
            changed |= board[region.cells[i]] != beam.laid[i, at]
            at = beam.parent[i, at]
        if changed:
            tally[MOVED] += 1
            at = p
            for i in range(n - 1, -1, -1):
                board[region.cells[i]] = beam.laid[i, at]
                at = beam.parent[i, at]
            break
    return best


@lean_kernel
def _pick_seam(board, puzzle, random):  # type: ignore[no-untyped-def]
    """A random mismatched seam that a free cell touches: cell and side, or -1 and 0."""
    at, towards, found = -1, 0, 0
    for cell in range(puzzle.around.shape[0]):
        for side in range(1, 3):
            other = puzzle.around[cell, side]
            if other < 0 or puzzle.shows[board[cell], side] == puzzle.shows[board[other], side + 2 & 3]:
                continue
            if puzzle.pinned[cell] and puzzle.pinned[other]:
                continue
            found += 1
            if below(random, found) == 0:
                at, towards = cell, side
    return at, towards


@lean_kernel
def choose(board, puzzle, region, random):  # type: ignore[no-untyped-def]
    """Free cells of a random rectangle around a mismatched seam, in one of eight orders; returns how many."""
    cell, side = _pick_seam(board, puzzle, random)
    if cell < 0:
        return 0
    width, height = puzzle.size[0], puzzle.size[1]
    shape = below(random, puzzle.shapes.shape[0])
    w, h = puzzle.shapes[shape, 0], puzzle.shapes[shape, 1]
    row, column = cell // width, cell % width
    top, left = max(0, row + (side == 2 and h > 1) - h + 1), max(0, column + (side == 1 and w > 1) - w + 1)
    top += below(random, min(row, height - h) - top + 1)
    left += below(random, min(column, width - w) - left + 1)
    by_rows, upwards, leftwards = below(random, 2), below(random, 2), below(random, 2)
    n = 0
    for k in range(w * h):
        r, c = (k // w, k % w) if by_rows else (k % h, k // h)
        if upwards:
            r = h - 1 - r
        if leftwards:
            c = w - 1 - c
        cell = (top + r) * width + left + c
        if not puzzle.pinned[cell]:
            region.cells[n] = cell
            n += 1
    return n


@inlined
def _adopt(boards, lost, member, other):  # type: ignore[no-untyped-def]
    for cell in range(boards.shape[1]):
        boards[member, cell] = boards[other, cell]
    lost[member] = lost[other]


@lean_kernel
def repair(boards, lost, best, fewest, nodes, width, noise, puzzle, region, beam, random, tally):  # type: ignore[no-untyped-def]
    """Repair members of a population (int64[members, cells], int64[members]) in random turn, one trial after another.

    Ends after the trial that brings `tally[NODES]` to `nodes`; returns True where there is nothing left to repair: a
    member has no mismatched seam that a free cell touches. A member that falls more than one seam behind becomes a copy
    of the better one. `best` is the first board that lost as few seams as `fewest[0]`, whatever drifts on from it.
    """
    while tally[NODES] < nodes:
        member = below(random, lost.size)
        board = boards[member]
        n = choose(board, puzzle, region, random)
        if n == 0:
            return True
        before, odd, slots = lay_out(board, n, puzzle, region)
        after = refill(board, n, before, odd, slots, width, noise, puzzle, region, beam, random, tally)
        tally[TRIALS] += 1
        if after < 0:
            continue
        tally[FILLED] += 1
        tally[GAINED] += before - after
        lost[member] += after - before
        if lost[member] < fewest[0]:
            fewest[0] = lost[member]
            tally[BETTER] = tally[NODES]
            for cell in range(board.size):
                best[cell] = board[cell]
        for other in range(lost.size):
            if lost[other] > lost[member] + 1:
                _adopt(boards, lost, other, member)
    return False
