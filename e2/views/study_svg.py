"""A study's verdict as a picture: a point and its interval for each arm, and for each difference from the control."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from e2.store.estimate import Estimate
from e2.store.verdict import Verdict
from e2.views.axes import linear_axis

_WIDTH, _LEFT, _RIGHT, _ROW = 720, 200, 120, 28  # pixels
_PLOT = _WIDTH - _LEFT - _RIGHT
_INK, _FAINT, _GOOD, _BAD = "#222", "#bbb", "#0a7d32", "#b3261e"
_COLOURS = {"better": _GOOD, "worse": _BAD}

_Row = tuple[str, Estimate | None, str]


def study_svg(title: str, verdict: Verdict) -> str:
    """The picture as the text of a SVG file. Names are escaped."""
    arms: list[_Row] = [(standing.arm, standing.score, _INK) for standing in verdict.standings]
    body, height = _panel("mean score, 95 % interval", arms, 44, zero=False)
    if verdict.differences:
        control = verdict.differences[0].control
        rows: list[_Row] = [
            (difference.arm, difference.score, _COLOURS.get(difference.verdict, _INK))
            for difference in verdict.differences
        ]
        more, height = _panel(f"less {control}, by puzzle and seed", rows, height + 16, zero=True)
        body += more
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
            f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="13">',
            f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
            f'<text x="16" y="26" font-size="16" font-weight="bold">{escape(title)}</text>',
            *body,
            "</svg>\n",
        ]
    )


def _panel(heading: str, rows: Sequence[_Row], top: int, *, zero: bool) -> tuple[list[str], int]:
    """The parts of one panel that begins at `top`, and where it ends. `zero` keeps zero in view, with a line."""
    ends = [end for _, score, _ in rows if score is not None for end in (score.mean, score.low, score.high)]
    values = [end for end in ends if end is not None] + ([0.0] if zero else [])
    scale = linear_axis(values)
    low, high = scale.low, scale.high
    bottom = top + 24 + _ROW * len(rows)

    def at(value: float) -> float:
        return _LEFT + _PLOT * (value - low) / (high - low)

    parts = [f'<text x="16" y="{top + 14}" fill="#555">{escape(heading)}</text>']
    for value in scale.ticks:
        ink = _INK if zero and value == 0 else _FAINT
        parts.append(f'<path d="M{at(value):.1f} {top + 22}V{bottom}" stroke="{ink}"/>')
        parts.append(f'<text x="{at(value):.1f}" y="{bottom + 16}" text-anchor="middle">{value:g}</text>')
    for index, (name, score, ink) in enumerate(rows):
        y = top + 24 + _ROW * index + _ROW // 2
        parts.append(f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        if score is None:
            continue
        if score.low is not None and score.high is not None:
            span = f"M{at(score.low):.1f} {y}H{at(score.high):.1f}"
            parts.append(f'<path d="{span}" stroke="{ink}" stroke-width="2"/>')
        parts.append(f'<circle cx="{at(score.mean):.1f}" cy="{y}" r="4.5" fill="{ink}"/>')
        label = f"{score.mean:+.2f}" if zero else f"{score.mean:.2f}"
        parts.append(f'<text x="{_WIDTH - _RIGHT + 16}" y="{y + 4}" fill="{ink}">{label}</text>')
    return parts, bottom + 24
