"""Text grids of `number/rot`: the paste box of a viewer, Blackwood's saves, and solvers that imitate them.

One line a row, `139/2` = piece number 139 after 2 clockwise turns, `---/-` an empty cell. The turns count from the
author's own piece file, for most of them half a turn away from the published catalogue; `turns_unsure` leaves the
choice to whoever has the set. A save ends in a link to the same board, whose edges then win.

      4/1  60/2 ---/-

Carries which piece lies where and its turn; loses the colours and the name.
"""

from __future__ import annotations

import re
from dataclasses import replace

from e2.core.board import EMPTY
from e2.core.grid import MAX_SIDE
from e2.errors import FormatError
from e2.formats.format import Asked, Format, Reading, checked_size
from e2.formats.pasted import links
from e2.formats.viewer_url import read_link

NAME = "pid_rot_grid"
_CELL = r"(?:[0-9]{1,4}/[0-9]|-+/-)"
_ROW = re.compile(rf"\s*{_CELL}(?:\s+{_CELL})*\s*")


def looks_right(text: str) -> bool:
    first = text.lstrip("\n").split("\n", 1)[0]
    return len(first) < 16 * MAX_SIDE and _ROW.fullmatch(first) is not None


def read(text: str, asked: Asked) -> Reading:
    """Read the grid, and the link below it if there is one."""
    rows: list[list[int]] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not _ROW.fullmatch(line):
            if links(line):
                break
            raise FormatError(
                NAME, f"{line.strip()[:40]!r} is no row", place=f"line {number}", expected="number/rot ..."
            )
        rows.append([_code(cell, number) for cell in line.split()])
        if len(rows[-1]) != len(rows[0]) or len(rows) > MAX_SIDE:
            raise FormatError(NAME, f"{len(rows[-1])} cells", place=f"line {number}", expected=f"{len(rows[0])} cells")
    if not rows:
        raise FormatError(NAME, "there is no row of cells in it", place="line 1", expected="number/rot ...")
    width, height = checked_size(NAME, len(rows[0]), len(rows))
    codes = tuple(code for row in rows for code in row)
    if any(code >= 4 * len(codes) for code in codes):
        number = (max(codes) >> 2) + 1
        raise FormatError(NAME, f"piece number {number} is out of range", expected=f"1 to {len(codes)}")
    reading = Reading(NAME, width, height, codes=codes, turns_unsure=True)
    found = links(text)
    if not found:
        return reading
    below = read_link(NAME, found[0], asked)
    if (below.width, below.height) != (width, height):
        raise FormatError(NAME, "the link below the grid has another size", expected=f"{width}x{height}")
    return replace(
        reading, name=below.name, quads=below.quads, motifs_order=below.motifs_order, warnings=below.warnings
    )


def _code(cell: str, line: int) -> int:
    number, rot = cell.split("/")
    if rot == "-":
        return EMPTY
    if int(rot) > 3 or int(number) < 1:
        raise FormatError(NAME, f"{cell!r} is no placement", place=f"line {line}", expected="number from 1, rot 0 to 3")
    return 4 * (int(number) - 1) + int(rot)


FORMAT = Format(NAME, "grid of piece number/rot", frozenset(), looks_right, read)
