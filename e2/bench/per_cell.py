"""C source for one instance and fill order: code of its own for every cell, with our masks and our look-ahead.

The style of the community's fastest engine, and the upper limit for the compiled kernel: every table offset, neighbour
and pin is a constant of the code. `long per_cell(long limit, int *deepest)` begins anew, makes at most `limit` nodes
and returns how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from e2.core.instance import Instance
from e2.errors import SettingsError
from e2.kernels import tables as layout
from e2.kernels.tables import Array, build_tables

_HEAD = """#include <stdint.h>
#include <string.h>
{tables}
#define CELL static __attribute__((noinline)) long
#define PART static inline __attribute__((always_inline))
static uint64_t avail[{slots}], masks[{depths}];
static uint32_t starts[{depths}];
static word words[{depths}];
static int deepest;

PART void toggle(word placed)
{{
    const uint32_t *bits = toggles + (placed >> {piece_shift}) * {width};
    for (int i = 0; i < {width}; i++) avail[bits[i] >> 6] ^= 1ull << (bits[i] & 63);
}}

PART uint64_t fitting(uint64_t mask, uint32_t start, int own, word colours, word asked)
{{
    for (uint64_t left = mask; left; left &= left - 1) {{
        int bit = __builtin_ctzll(left);
        if (((entries[start + bit] >> own) & colours) != asked) mask ^= 1ull << bit;
    }}
    return mask;
}}

"""

_CELL = """CELL cell{depth}(uint64_t mask, uint32_t start, long nodes, long limit)
{{
    while (mask) {{
        if (nodes == limit) return nodes;
        nodes++;
        word placed = entries[start + __builtin_ctzll(mask)];
        mask &= mask - 1;
        if (deepest < {depth} + 1) deepest = {depth} + 1;
{ahead}    }}
{back}}}
"""

_AHEAD = """        uint32_t slot = {slot};
        uint64_t ahead = avail[slot];
        if (!ahead) continue;
{checks}        masks[{depth}] = mask;
        starts[{depth}] = start;
        words[{depth}] = placed;
        toggle(placed);
        return cell{next}(ahead & avail[slot], first[slot], nodes, limit);
"""

_CHECK = """        {mask} = fitting({mask}, first[slot], {own}, {colours}u, {asked});
"""

_BACK = """    toggle(words[{before}]);
    return cell{before}(masks[{before}], starts[{before}], nodes, limit);
"""

_TAIL = """
long per_cell(long limit, int *deepest_out)
{{
    memcpy(avail, fresh, sizeof fresh);
    deepest = 0;
    uint32_t slot = {root};
    uint64_t mask = avail[slot];
{root_checks}    long nodes = cell0(mask, first[slot], 0, limit);
    *deepest_out = deepest;
    return nodes;
}}
"""


def per_cell_source(instance: Instance, fill_order: Sequence[int]) -> str:
    """The C text. SettingsError for lists of more than 64 words, which the twin does not know."""
    return _Emitter(instance, fill_order).source()


class _Emitter:
    def __init__(self, instance: Instance, fill_order: Sequence[int]) -> None:
        self.tables = build_tables(instance, fill_order)
        self.memory = self.tables.memory.tolist()
        self.places = self.tables.places.tolist()
        self.rows = [self.memory[layout.ROW * depth :][: layout.ROW] for depth in range(self.tables.depths)]
        if any(row[layout.NOTES] & layout.CHUNKED for row in self.rows):
            raise SettingsError(f"{instance.name}: the per-cell twin holds lists of at most 64 pieces")

    def source(self) -> str:
        memory, depths = self.tables.memory, range(self.tables.depths)
        lists_at, entries_at, details_at, toggles_at, width, toggles_end = self.places[: layout.STAGE_TOGGLES_AT + 1]
        entries, toggles = memory[entries_at:details_at], memory[toggles_at:toggles_end].astype(np.int64)
        lists = memory[lists_at:entries_at]
        arrays = (
            _array("word", "entries", entries),
            _array("uint32_t", "first", np.maximum(lists[1::2].astype(np.int64) - entries_at, 0)),
            _array("uint64_t", "fresh", lists[0::2]),
            _array("uint32_t", "toggles", self._slots(toggles >> 6) << 6 | toggles & 63),
        )
        head = _HEAD.format(
            tables="\n".join((f"typedef {'uint64_t' if int(entries.max()) >> 32 else 'uint32_t'} word;", *arrays)),
            slots=len(lists) // 2,
            depths=len(depths),
            width=width,
            piece_shift=self.places[layout.CODE_SHIFT] + 2,
        )
        names = (f"CELL cell{depth}(uint64_t mask, uint32_t start, long nodes, long limit);\n" for depth in depths)
        root = self._slots(self.places[layout.ROOT])
        tail = _TAIL.format(root=root, root_checks=self._checks(0, "mask"))
        return "".join((head, *names, "\n", *(self._cell(depth) for depth in depths), tail))

    def _slots(self, addresses: Any) -> Any:
        """The twin keeps masks and first words in arrays of their own, both by slot."""
        return (addresses - self.places[layout.LISTS_AT]) // 2

    def _cell(self, depth: int) -> str:
        ahead = ""
        if depth + 1 < self.tables.depths:
            checks = self._checks(depth + 1, "ahead")
            if checks:
                checks += "        if (!ahead) continue;\n"
            ahead = _AHEAD.format(slot=self._slot(depth), depth=depth, next=depth + 1, checks=checks)
        back = _BACK.format(before=depth - 1) if depth else "    return nodes;\n"
        return _CELL.format(depth=depth, ahead=ahead, back=back)

    def _slot(self, before: int) -> str:
        """The slot of the list after depth `before`, whose word is in `placed`."""
        row = self.rows[before]
        terms = [str(self._slots(row[layout.NEXT_BASE]))]
        sources = [row[layout.SOURCE : layout.FIELD + 1]]
        if row[layout.NOTES] & layout.NEXT_SECOND:
            sources.append(self.tables.details(before + 1)[layout.SECOND_SOURCE :].tolist())
        terms += [f"({self._word(source)} >> {shift} & {field})" for source, shift, field in sources if field]
        if row[layout.LINK_FIELD]:
            terms.append(f"(placed >> {row[layout.LINK_SHIFT]} & {row[layout.LINK_FIELD]})")
        return " + ".join(terms)

    def _word(self, address: int) -> str:
        """What lies at the address of a word: a pin is a constant."""
        depth = address // layout.ROW
        return f"words[{depth}]" if depth < self.tables.depths else f"{self.memory[address]}ull"

    def _checks(self, depth: int, mask: str) -> str:
        """Lines that hold the words of `mask` against further known sides."""
        lines = ""
        first, end = self.tables.details(depth)[layout.CHECKS_AT : layout.CHECKS_END + 1].tolist()
        for at in range(first, end, layout.CHECK):
            source, shift, own, colours, _ = self.memory[at : at + layout.CHECK]
            held = "placed" if source // layout.ROW == depth - 1 else self._word(source)
            asked = f"({held} >> {shift} & {colours})"
            lines += _CHECK.format(mask=mask, own=own, colours=colours, asked=asked)
        return lines


def _array(kind: str, name: str, values: Array) -> str:
    numbers = ",".join(f"{value}u" if kind != "uint64_t" else f"{value}ull" for value in values.tolist())
    return f"static const {kind} {name}[] = {{{numbers}}};"
