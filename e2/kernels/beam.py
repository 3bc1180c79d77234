"""The beam: all states of a layer are extended by one cell, and the best of all children make the next layer.

A child's **key** is its score and, after it, how concentrated the colours of its unused pieces are: the number of ways
to finish a board grows with the chance that two of their sides agree, and one matched seam is worth a factor of about
60 in that number. So key = matched + concentration * open seams / ln 60 * ln(sum of squared colour counts), in units of
1/SCALE seam. Without the second term a beam spends colours blindly and loses three to four seams on the official set.
Ties fall by random bits that follow from the seed, the layer and the parent, whatever the order of work.

Each layer first makes all children without a mismatch. They give a threshold, which most children with one mismatched
seam fail unseen. Children are selected by counting keys, never by sorting.
"""

from __future__ import annotations

import numpy as np

from e2.kernels.beam_tables import (
    ANY,
    COLOUR,
    DROPPED,
    FIRST,
    KNOWN,
    LIST,
    LISTS,
    OPEN_SIDE,
    OPEN_SLOT,
    OPENED,
    SECOND,
    SIDE,
    SLOT,
)
from e2.kernels.compile import inlined, kernel

SCALE = 1024
"""Key units in one seam."""
RANDOM_BITS = 8
_MIDDLE = 2048 * SCALE  # the key of the best parent: differences to it stay within 2048 seams
_TOP = 4096 * SCALE - 1
_HALF = 15  # bits of a key that are counted at once
BUCKETS = 1 << _HALF

# Entries of `result`.
CHILDREN, NODES = 0, 1


@inlined
def _mixed(word):
    """The finaliser of SplitMix64."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def select(keys, parents, codes, count, width, histogram, threshold):
    """Keep the `width` largest of `count` keys, in place and in order; returns how many. Sets `threshold[0]`."""
    histogram[:] = 0
    for i in range(count):
        histogram[keys[i] >> _HALF] += 1
    above = 0
    high = BUCKETS - 1
    while above + histogram[high] < width:
        above += histogram[high]
        high -= 1
    histogram[:] = 0
    for i in range(count):
        if keys[i] >> _HALF == high:
            histogram[keys[i] & (BUCKETS - 1)] += 1
    low = BUCKETS - 1
    while above + histogram[low] < width:
        above += histogram[low]
        low -= 1
    least = (high << _HALF) | low
    ties = width - above
    kept = 0
    for i in range(count):
        key = keys[i]
        if key < least or (key == least and ties == 0):
            continue
        if key == least:
            ties -= 1
        keys[kept] = key
        parents[kept] = parents[i]
        codes[kept] = codes[i]
        kept += 1
    threshold[0] = least
    return kept


@inlined
def _is_used(used, parent, piece):
    return (used[parent, piece >> np.uint64(6)] >> (piece & np.uint64(63))) & np.uint64(1)


@inlined
def _spread_after(spread, counts, parent, piece, spread_colours, spread_counts, spread_kinds):
    """The sum of squared colour counts once `piece` is used."""
    after = spread[parent]
    for j in range(spread_kinds[piece]):
        often = np.int64(spread_counts[piece, j])
        after -= often * (2 * np.int64(counts[parent, spread_colours[piece, j]]) - often)
    return after


@inlined
def _key(matched, worth, random):
    value = _MIDDLE + matched * SCALE + worth
    value = min(max(value, 0), _TOP)
    return (value << RANDOM_BITS) | np.int64(random & np.uint64((1 << RANDOM_BITS) - 1))


@kernel
def expand(
    row,
    bits,
    starts,
    codes,
    placed,
    spread_colours,
    spread_counts,
    spread_kinds,
    worth,
    worth_shift,
    opened,
    used,
    counts,
    spread,
    score,
    live,
    width,
    mismatching,
    salt,
    child_keys,
    child_parents,
    child_codes,
    histogram,
    threshold,
    result,
    colours,
):
    """Make the children of `live` states and leave the best `width` of them in `child_*`.

    `worth[spread >> worth_shift]` is the key's second term, 0 for the best parent and less for others. At most
    `mismatching` children with a mismatch are made of one parent. `result` gets CHILDREN and NODES (all that were
    made); `colours` is scratch for four. Where no parent has a child, any piece of the cell's class may come: a frame
    may close on a mismatch only then.
    """
    known = row[KNOWN]
    room = child_keys.size
    kept = 0
    nodes = 0
    threshold[0] = -1
    top = np.int64(score[0])
    for parent in range(live):
        top = max(top, np.int64(score[parent]))
    lists = row[LISTS]
    share = mismatching if lists < 3 else max(1, mismatching // (lists - 1))
    for number in range(lists if mismatching > 0 else 1):
        dropped = row[DROPPED + number]
        first = row[FIRST + number]
        second = row[SECOND + number]
        gain = known if dropped < 0 else known - 1
        if number == 1 and kept > width:
            kept = select(child_keys, child_parents, child_codes, kept, width, histogram, threshold)
        for parent in range(live):
            matched = np.int64(score[parent]) - top + gain
            if dropped >= 0:
                best = _key(matched, np.int64(worth[spread[parent] >> worth_shift]), np.uint64(255))
                if best <= threshold[0]:
                    continue
            for j in range(known):
                slot = row[SLOT + j]
                colours[j] = row[COLOUR + j] if slot < 0 else np.int64(opened[parent, slot])
            key = 0
            if first >= 0:
                key = colours[first]
            if second >= 0:
                key |= colours[second] << bits
            begin = np.int64(starts[row[LIST + number] + key])
            end = np.int64(starts[row[LIST + number] + key + 1])
            if begin == end:
                continue
            random = _mixed(salt + np.uint64(parent) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number))
            at = begin
            left = end - begin
            if dropped >= 0:
                at += np.int64(random % np.uint64(left))
            made = 0
            for _ in range(left):
                code = np.int64(codes[at])
                at += 1
                if at == end:
                    at = begin
                piece = np.uint64(code >> 2)
                if _is_used(used, parent, piece):
                    continue
                fits = True
                for j in range(known):
                    if j in (first, second):
                        continue
                    if (np.int64(placed[code, row[SIDE + j]]) == colours[j]) == (j == dropped):
                        fits = False
                        break
                if not fits:
                    continue
                nodes += 1
                made += 1
                random = _mixed(random)
                after = _spread_after(spread, counts, parent, piece, spread_colours, spread_counts, spread_kinds)
                child = _key(matched, np.int64(worth[after >> worth_shift]), random)
                if child > threshold[0]:
                    if kept == room:
                        kept = select(child_keys, child_parents, child_codes, kept, width, histogram, threshold)
                    if child > threshold[0]:
                        child_keys[kept] = child
                        child_parents[kept] = parent
                        child_codes[kept] = code
                        kept += 1
                if dropped >= 0 and made == share:
                    break
    if kept == 0:
        for parent in range(live):
            for at in range(starts[row[ANY]], starts[row[ANY] + 1]):
                code = np.int64(codes[at])
                piece = np.uint64(code >> 2)
                if _is_used(used, parent, piece):
                    continue
                agreed = np.int64(score[parent]) - top
                for j in range(known):
                    slot = row[SLOT + j]
                    colour = row[COLOUR + j] if slot < 0 else np.int64(opened[parent, slot])
                    if colour == np.int64(placed[code, row[SIDE + j]]):
                        agreed += 1
                nodes += 1
                after = _spread_after(spread, counts, parent, piece, spread_colours, spread_counts, spread_kinds)
                random = _mixed(salt + np.uint64(parent) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(at))
                child = _key(agreed, np.int64(worth[after >> worth_shift]), random)
                if kept == room:
                    kept = select(child_keys, child_parents, child_codes, kept, width, histogram, threshold)
                child_keys[kept] = child
                child_parents[kept] = parent
                child_codes[kept] = code
                kept += 1
    if kept > width:
        kept = select(child_keys, child_parents, child_codes, kept, width, histogram, threshold)
    result[CHILDREN] = kept
    result[NODES] = nodes


@kernel
def advance(
    row,
    placed,
    spread_colours,
    spread_counts,
    spread_kinds,
    opened,
    used,
    counts,
    spread,
    score,
    next_opened,
    next_used,
    next_counts,
    next_spread,
    next_score,
    child_parents,
    child_codes,
    children,
):
    """Write the states of the next layer: each child's parent with its piece placed."""
    for child in range(children):
        parent = child_parents[child]
        code = np.int64(child_codes[child])
        piece = np.uint64(code >> 2)
        for j in range(opened.shape[1]):
            next_opened[child, j] = opened[parent, j]
        for j in range(used.shape[1]):
            next_used[child, j] = used[parent, j]
        for j in range(counts.shape[1]):
            next_counts[child, j] = counts[parent, j]
        matched = 0
        for j in range(row[KNOWN]):
            slot = row[SLOT + j]
            colour = row[COLOUR + j] if slot < 0 else np.int64(opened[parent, slot])
            if colour == np.int64(placed[code, row[SIDE + j]]):
                matched += 1
        next_score[child] = score[parent] + matched
        next_spread[child] = _spread_after(spread, counts, parent, piece, spread_colours, spread_counts, spread_kinds)
        for j in range(spread_kinds[piece]):
            next_counts[child, spread_colours[piece, j]] -= np.uint16(spread_counts[piece, j])
        next_used[child, piece >> np.uint64(6)] |= np.uint64(1) << (piece & np.uint64(63))
        for j in range(row[OPENED]):
            next_opened[child, row[OPEN_SLOT + j]] = placed[code, row[OPEN_SIDE + j]]
