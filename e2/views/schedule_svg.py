"""A break schedule as a picture: expected nodes by depth as a curve, allowed mismatches as steps."""

from __future__ import annotations

from html import escape
from math import ceil, inf, log10

from e2.search.schedule import Schedule

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 360, 60, 60, 44, 310  # pixels
_INK, _FAINT, _NODES, _STEPS = "#222", "#ddd", "#4477aa", "#b3261e"


def schedule_svg(title: str, schedule: Schedule) -> str:
    """The picture as the text of a SVG file. The title is escaped; depths with less than one node are not drawn."""
    cells = len(schedule.allowed)
    logs = [(depth, log10(nodes)) for depth, nodes in enumerate(schedule.nodes, 1) if 1.0 <= nodes < inf]
    high = max(1, ceil(max((log for _, log in logs), default=1.0)))

    def x(depth: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * depth / cells

    def y(part: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * part

    parts = []
    for power in range(0, high + 1, max(1, high // 6)):
        at = y(power / high)
        parts.append(f'<path d="M{_LEFT} {at:.1f}H{_WIDTH - _RIGHT}" stroke="{_FAINT}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{at + 4:.1f}" text-anchor="end" fill="{_NODES}">1e{power}</text>')
    parts += [
        f'<text x="{x(depth):.1f}" y="{_BOTTOM + 18}" text-anchor="middle">{depth}</text>'
        for depth in range(0, cells + 1, max(1, cells // 8))
    ]
    if logs:
        curve = " ".join(f"{x(depth):.1f},{y(log / high):.1f}" for depth, log in logs)
        parts.append(f'<polyline points="{curve}" fill="none" stroke="{_NODES}" stroke-width="2"/>')
    steps = f"M{x(0):.1f} {y(0):.1f}"
    for allowed, depth in enumerate(schedule.depths, 1):
        steps += f"H{x(depth - 1):.1f}V{y(allowed / schedule.mismatches):.1f}"
    parts.append(f'<path d="{steps}H{x(cells):.1f}" fill="none" stroke="{_STEPS}" stroke-width="2"/>')
    right = _WIDTH - _RIGHT + 8
    parts.append(f'<text x="{right}" y="{y(0) + 4:.1f}" fill="{_STEPS}">0</text>')
    if schedule.mismatches:
        parts.append(f'<text x="{right}" y="{y(1) + 4:.1f}" fill="{_STEPS}">{schedule.mismatches}</text>')
    legend = f"expected nodes by depth ({schedule.nodes_per_board:.3g} per board)"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
            f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="13" fill="{_INK}">',
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
            f'<text x="16" y="26" font-size="16" font-weight="bold">{escape(title)}</text>',
            *parts,
            f'<text x="{_LEFT}" y="{_BOTTOM + 40}" fill="{_NODES}">{legend}</text>',
            f'<text x="{right}" y="{_BOTTOM + 40}" text-anchor="end" fill="{_STEPS}">allowed mismatches</text>',
            "</svg>\n",
        ]
    )
