"""What charts have in common: a frame with round numbers on its axes, right on light and on dark paper.

Ink is `currentColor`, so a chart takes the colour of the page that it stands in; alone it is black on white. Curves and
bars have colours with a contrast of 3 and more to white and to the dark of our pages, and never colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 720  # pixels
LEFT, RIGHT = 64, 24
COLOURS = ("#2f7ec2", "#c2571a", "#3a9a4f", "#9a5fc4", "#b5487d", "#7d7d20")
DASHES = ("", "8 4", "2 3", "10 3 2 3", "5 5", "1 5")

_LOG_FROM = 30.0  # times the least that the most is, from which on equal steps would hide most of a curve


@dataclass(frozen=True)
class Axis:
    """One axis: from `low` to `high`, with a tick at each of `ticks`; `log` has equal steps for equal factors."""

    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False

    def part(self, value: float) -> float:
        """Where a value lies, 0 at the low end and 1 at the high; what lies beyond stays at the end."""
        value = min(max(value, self.low), self.high)
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Frame:
    """The plane of a chart, from `top` to `bottom` in pixels; `form_x` and `form_y` write the numbers at the ticks."""

    x: Axis
    y: Axis
    top: int
    bottom: int
    form_x: Callable[[float], str]
    form_y: Callable[[float], str]

    def across(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * self.x.part(value)

    def up(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * self.y.part(value)

    def parts(self, label_x: str) -> list[str]:
        """Lines and numbers, with what the numbers below are."""
        parts = []
        for value in self.y.ticks:
            y = self.up(value)
            parts.append(
                f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity="0.2" fill="none"/>'
            )
            parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(self.form_y(value))}</text>')
        for value in self.x.ticks:
            x = self.across(value)
            parts.append(f'<path d="M{x:.1f} {self.bottom}v5" stroke="currentColor" fill="none"/>')
            parts.append(
                f'<text x="{x:.1f}" y="{self.bottom + 19}" text-anchor="middle">{escape(self.form_x(value))}</text>'
            )
        parts.append(f'<path d="M{LEFT} {self.bottom}H{WIDTH - RIGHT}" stroke="currentColor" fill="none"/>')
        if label_x:
            middle = (LEFT + WIDTH - RIGHT) / 2
            parts.append(f'<text x="{middle:g}" y="{self.bottom + 38}" text-anchor="middle">{escape(label_x)}</text>')
        return parts


def picture(title: str, described: str, height: int, parts: Sequence[str]) -> str:
    """The text of a SVG file, title on top; `described` is what a screen reader says. Both are escaped."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" role="img" font-family="sans-serif" font-size="13" fill="currentColor">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(described)}</desc>",
            f'<text x="16" y="24" font-size="15" font-weight="bold">{escape(title)}</text>',
            *parts,
            "</svg>\n",
        ]
    )


def linear_axis(values: Sequence[float], *, least_step: float = 0.0) -> Axis:
    """Round numbers below and above the values, with ticks 1, 2 or 5 times a power of ten apart.

    `least_step` keeps the ticks of whole numbers whole.
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    span = max(high - low, 1e-6 * max(abs(low), abs(high)), 0.01, 4 * least_step)
    power = 10.0 ** math.floor(math.log10(span / 4))
    tick = next(step * power for step in (1, 2, 5, 10) if step * power >= span / 5)
    first, last = math.floor(low / tick), math.ceil(high / tick)
    last = max(last, first + 1)
    return Axis(first * tick, last * tick, tuple(number * tick for number in range(first, last + 1)))


def log_axis(values: Sequence[float]) -> Axis:
    """From the least value above zero to the most, with ticks at powers of ten, or at 1, 2 and 5 times these."""
    above = [value for value in values if value > 0]
    low, high = min(above, default=1.0), max(above, default=10.0)
    high = max(high, low * 10)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) <= 3 else (1,)
    every = max(1, len(powers) // 7)
    ticks = [step * 10.0**power for power in powers[::every] for step in steps]
    # A tick at the very end stays although the logarithm may have rounded it beyond.
    return Axis(low, high, tuple(tick for tick in ticks if low * 0.999999 <= tick <= high * 1.000001), log=True)


def spread_axis(values: Sequence[float]) -> Axis:
    """A linear axis from zero, or a logarithmic one where the values lie far apart."""
    above = [value for value in values if value > 0]
    if above and max(above) > _LOG_FROM * min(above):
        return log_axis(above)
    return linear_axis([0.0, *values])
