"""Scores over time or nodes as a picture: a line of steps for each run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from e2.views.axes import COLOURS, DASHES, LEFT, Frame, linear_axis, picture, spread_axis
from e2.views.terminal import printable

_TOP, _BOTTOM, _ROW = 44, 264, 20  # pixels
_LONGEST_NAME = 80

Curve = tuple[str, Sequence[tuple[float, float]]]
"""A name, and points (x, y) with x rising: from x on the value is y, up to the last point."""


def curves_svg(title: str, label_x: str, curves: Sequence[Curve], form_x: Callable[[float], str]) -> str:
    """The picture as the text of a SVG file; names are escaped, and below where there are several curves.

    `form_x` writes the numbers across.

    The axis across is logarithmic where the points lie far apart. Curves are told apart by their dashes too.
    """
    drawn = [(name, list(points)) for name, points in curves if points]
    across = spread_axis([x for _, points in drawn for x, _ in points])
    up = linear_axis([y for _, points in drawn for _, y in points], least_step=1.0)
    frame = Frame(across, up, _TOP, _BOTTOM, form_x, "{:g}".format)
    parts = frame.parts(label_x)
    for number, (_, points) in enumerate(drawn):
        parts.append(f'<path d="{_steps(frame, points)}" {_look(number)}/>')
        if len(points) == 1:
            x, y = points[0]
            parts.append(f'<circle cx="{frame.across(x):.1f}" cy="{frame.up(y):.1f}" r="4" fill="{_colour(number)}"/>')
    bottom = _BOTTOM + 52
    if len(drawn) > 1:
        for number, (name, _) in enumerate(drawn):
            y = bottom + _ROW * number
            parts.append(f'<path d="M{LEFT} {y}h44" {_look(number)}/>')
            parts.append(f'<text x="{LEFT + 54}" y="{y + 4}">{escape(printable(name, _LONGEST_NAME))}</text>')
        bottom += _ROW * len(drawn)
    return picture(title, _told(label_x, drawn), bottom, parts)


def _steps(frame: Frame, points: Sequence[tuple[float, float]]) -> str:
    x, y = points[0]
    path = f"M{frame.across(x):.1f} {frame.up(y):.1f}"
    for x, y in points[1:]:
        path += f"H{frame.across(x):.1f}V{frame.up(y):.1f}"
    return path


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _look(number: int) -> str:
    dashes = DASHES[number % len(DASHES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'fill="none" stroke="{_colour(number)}" stroke-width="2.5"{dashed}'


def _told(label_x: str, drawn: Sequence[tuple[str, Sequence[tuple[float, float]]]]) -> str:
    """What the curves show, in words."""
    if not drawn:
        return "nothing to show yet"
    ends = [(printable(name, _LONGEST_NAME), points[0], points[-1]) for name, points in drawn]
    said = [f"{name}: {first[1]:g} at {first[0]:.4g}, {last[1]:g} at {last[0]:.4g}" for name, first, last in ends]
    return f"over {label_x}: {'; '.join(said)}"
