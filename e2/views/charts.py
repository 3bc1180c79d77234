"""Bars as a picture: plain SVG, nothing to install."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WIDTH, _LEFT, _RIGHT, _ROW = 720, 250, 90, 26  # pixels
_PLOT = _WIDTH - _LEFT - _RIGHT
_INK, _BAR, _MARK = "#222", "#4477aa", "#b3261e"


def bars_svg(title: str, unit: str, bars: Sequence[tuple[str, float]], marks: Sequence[tuple[str, float]] = ()) -> str:
    """A bar for each (name, value), and a line across them for each mark. Names are escaped.

    Bars begin at zero, or a little below the least value where all of them lie close together far from zero.
    """
    values = [value for _, value in (*bars, *marks)]
    least, most = min(values, default=0.0), max(values, default=0.0)
    low = least - 0.25 * (most - least) if least > 0.75 * most > 0 else min(0.0, least)
    high = most if most > low else low + 1.0
    top, bottom = 40, 44 + _ROW * len(bars)
    height = bottom + 18 * len(marks) + 12

    def at(value: float) -> float:
        return _LEFT + _PLOT * (value - low) / (high - low)

    parts = []
    for number, (name, value) in enumerate(bars):
        y = top + _ROW * number
        begin, end = sorted((at(max(low, 0.0) if low <= 0 else low), at(value)))
        parts.append(f'<text x="{_LEFT - 10}" y="{y + 17}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect x="{begin:.1f}" y="{y + 4}" width="{end - begin:.1f}" height="18" fill="{_BAR}"/>')
        parts.append(f'<text x="{end + 6:.1f}" y="{y + 17}">{value:.6g}</text>')
    for number, (name, value) in enumerate(marks):
        y = bottom + 18 * number + 14
        parts.append(f'<path d="M{at(value):.1f} {top}V{y - 10}" stroke="{_MARK}" stroke-dasharray="4 3"/>')
        anchor = f'x="{at(value):.1f}" y="{y}" text-anchor="end" fill="{_MARK}"'
        parts.append(f"<text {anchor}>{escape(name)} {value:.6g}</text>")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
            f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="13" fill="{_INK}">',
            f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
            f'<text x="16" y="26" font-size="16" font-weight="bold">{escape(title)}, {escape(unit)}</text>',
            *parts,
            "</svg>\n",
        ]
    )
