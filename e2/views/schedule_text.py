"""A break schedule as a chart of characters, and as the file that `--schedule` reads."""

from __future__ import annotations

from math import inf, log10

from e2.search.schedule import Schedule
from e2.views.terminal import printable

_BAR = 40  # characters
_EVERY = 16  # depths without a step that one line stands for


def schedule_lines(title: str, schedule: Schedule) -> list[str]:
    """The depths, the cost, and a line for each step and each sixteenth depth: allowed mismatches, expected nodes."""
    most = max((log10(nodes) for nodes in schedule.nodes if 1.0 < nodes < inf), default=1.0)
    lines = [
        printable(title),
        f"depths          {', '.join(map(str, schedule.depths)) or 'none'}",
        f"nodes per board {schedule.nodes_per_board:.3g}",
        "",
        "depth  allowed     nodes",
    ]
    for depth, (allowed, nodes) in enumerate(zip(schedule.allowed, schedule.nodes, strict=True), 1):
        if depth not in schedule.depths and depth % _EVERY and depth != len(schedule.nodes):
            continue
        filled = round(_BAR * log10(nodes) / most) if 1.0 < nodes < inf else 0
        shown = f"{nodes:.2e}" if nodes else "pin"
        lines.append(f"{depth:5}  {allowed:7}  {shown:>8}  {'#' * filled}".rstrip())
    return lines


def schedule_file(title: str, schedule: Schedule) -> str:
    """One depth a line; the title as a remark."""
    remark = f"# {printable(title)}, {schedule.nodes_per_board:.3g} expected nodes per board\n"
    return remark + "".join(f"{depth}\n" for depth in schedule.depths)
