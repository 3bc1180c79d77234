"""Exact cover with colours as flat arrays: the options, and what each choice takes away, as masks.

An option is one bit of `live`, 64 to a word. Choosing an option takes away all options that share a primary item or an
uncoloured one with it, and all that give one of its coloured items another colour (or none). Each such set is fixed,
so it is laid out once as a **list** of words and masks: the set of options still possible is cut by a few ANDs, and
what they took away is all that need be remembered to go back. Nothing depends on how the search got where it stands,
as the order in a dancing list or a sparse set does, so a path of options is the whole state of a search.

Lists are short where the options of an item lie together: put them in that order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from e2.core.cover import CoverProblem
from e2.errors import SettingsError
from e2.kernels.tables import Array

UNCOLOURED = 0

MAX_SIZES = 20_000_000
"""Primary items times depths, 8 bytes each: a search keeps the sizes of all items at every depth."""
MAX_MASKS = 20_000_000
"""Of the colours of all items, 16 bytes each: about as many as a board of 16x16 with 1600 colours needs."""


@dataclass(frozen=True, eq=False)
class Options:
    """What can be chosen. Items 0 to `primary` - 1 must be covered exactly once, the others may be.

    Option `o` has the items `item[starts[o]:starts[o + 1]]`, each once and the primary ones first (one or more of
    them), with the colours at the same places of `colour`: UNCOLOURED or 1 and more. Primary items have no colour.
    """

    primary: int
    items: int
    starts: Array  # int64, options + 1
    item: Array  # int64, one for each item of each option
    colour: Array  # int64, as long

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def owner(self) -> Array:
        """The option of each place of `item`."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def middle(self) -> Array:
        """Where the primary items of each option end: int64, by option."""
        if not len(self):
            return np.zeros(0, np.int64)
        return self.starts[:-1] + np.add.reduceat((self.item < self.primary).astype(np.int64), self.starts[:-1])

    @cached_property
    def depths(self) -> int:
        """The most options that a solution can have."""
        fewest = (self.middle - self.starts[:-1]).min(initial=max(1, self.primary))
        return self.primary // int(fewest)


@dataclass(frozen=True, eq=False)
class CoverTables:
    """The masks of `options`. The list of place `p` is `words[at[p]:end[p]]` with the masks at the same places."""

    options: Options
    item_at: Array  # int64, items + 1: the list of all options of an item
    at: Array  # int64, by place
    end: Array  # int64, by place
    words: Array  # int64
    masks: Array  # uint64
    live: Array  # uint64: all options
    sizes: Array  # int64, by primary item: how many options it has


def build_cover(options: Options) -> CoverTables:
    """Lay out the masks. SettingsError where that takes more than MAX_MASKS, or a search more than MAX_SIZES."""
    owner, item, colour = options.owner, options.item, options.colour
    is_primary = item < options.primary
    bits = np.uint64(1) << (owner & 63).astype(np.uint64)
    words = (len(options) + 63) // 64
    # All options of an item: one mask for each word that has some of them.
    keys, masks, place = _merged(item * words + (owner >> 6), bits)
    item_at = np.searchsorted(keys, np.arange(options.items + 1) * words)
    # Those with one colour of the item, and where the words of its list are among those of the item.
    coloured = np.flatnonzero(colour != UNCOLOURED)
    stride = int(colour.max(initial=0)) + 1
    pairs, pair_of = np.unique(item[coloured] * stride + colour[coloured], return_inverse=True)
    pair_item = pairs // stride
    lengths = item_at[pair_item + 1] - item_at[pair_item]
    pair_at = np.concatenate(([0], np.cumsum(lengths)))
    if pair_at[-1] > MAX_MASKS:
        raise SettingsError(f"cover: {pair_at[-1]} masks of 64 options would be needed; expected at most {MAX_MASKS}")
    source = np.arange(pair_at[-1]) - np.repeat(pair_at[:-1] - item_at[pair_item], lengths)
    others = masks[source]
    shared = pair_at[pair_of] + place[coloured] - item_at[item[coloured]]
    kept, own, _ = _merged(shared, bits[coloured])
    others[kept] &= ~own
    left = others != 0
    ends = np.concatenate(([0], np.cumsum(left)))[pair_at] + len(masks)
    at, end = item_at[item], item_at[item + 1]
    at[coloured], end[coloured] = ends[pair_of], ends[pair_of + 1]
    live = np.full(words, ~np.uint64(0))
    if len(options) % 64:
        live[-1] = (np.uint64(1) << np.uint64(len(options) % 64)) - np.uint64(1)
    tables = CoverTables(
        options,
        item_at.astype(np.int64),
        at.astype(np.int64),
        end.astype(np.int64),
        np.concatenate((keys % max(words, 1), keys[source[left]] % max(words, 1))).astype(np.int64),
        np.concatenate((masks, others[left])),
        live,
        np.bincount(item[is_primary], minlength=options.primary).astype(np.int64),
    )
    sizes = options.primary * (options.depths + 1)
    if sizes > MAX_SIZES:
        raise SettingsError(
            f"cover: {options.primary} primary items, {options.depths} options in a solution; expected a product of at "
            f"most {MAX_SIZES}"
        )
    return tables


def _merged(keys: Array, bits: Array) -> tuple[Array, Array, Array]:
    """The keys, each once and sorted, the OR of the bits of each, and where each given key is among them."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    is_first = np.ones(len(keys), bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    firsts = np.flatnonzero(is_first)
    place = np.empty(len(keys), np.int64)
    place[order] = np.cumsum(is_first) - 1
    masks = np.bitwise_or.reduceat(bits[order], firsts) if len(keys) else bits
    return ordered[firsts], masks, place


def laid_out(problem: CoverProblem) -> Options:
    """The options of a problem that is given by names. Colours count from 1, in the order in which they appear."""
    colours: dict[str, int] = {"": UNCOLOURED}
    primary = len(problem.primary)
    starts, item, colour = [0], [], []
    for option in problem.options:
        # Sorting is stable and its key a bool: primary items first, else as they stand.
        for number, name in sorted(option, key=lambda part: part[0] >= primary):
            item.append(number)
            colour.append(colours.setdefault(name, len(colours)))
        starts.append(len(item))
    arrays = (np.array(numbers, np.int64) for numbers in (starts, item, colour))
    return Options(primary, primary + len(problem.secondary), *arrays)
