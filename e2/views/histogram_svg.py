"""How many tasks have which score, or nodes which depth: bars as a picture, a panel for each run on one scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from e2.views.axes import COLOURS, LEFT, Axis, Frame, linear_axis, log_axis, picture
from e2.views.progress import with_prefix
from e2.views.terminal import printable

_TOP, _PANEL, _NAME, _GAP = 40, 130, 20, 34  # pixels
_MOST_BARS = 60
_LONGEST_NAME = 80

Group = tuple[str, Mapping[int, float]]
"""A name, and how much there is of each whole number."""


def histogram_svg(title: str, label_x: str, groups: Sequence[Group], *, log: bool = False) -> str:
    """The picture as the text of a SVG file; names are escaped, and on top of their panels where there are several.

    Whole numbers are put together, 2, 5, 10, ... to a bar, where there are very many. `log` has equal steps up for
    equal factors, for amounts that lie far apart; a bar then begins below one.
    """
    numbers = sorted({number for _, amounts in groups for number, amount in amounts.items() if amount})
    first, last = (numbers[0], numbers[-1]) if numbers else (0, 1)
    width = _bar_width(last - first + 1)
    first -= first % width
    binned = [(name, _binned(amounts, width)) for name, amounts in groups]
    most = [float(amount) for _, bars in binned for amount in bars.values()]
    up = log_axis([0.5, *most]) if log else linear_axis([0.0, *most], least_step=0.25)
    up = Axis(up.low, up.high, tuple(tick for tick in up.ticks if tick == round(tick)), up.log)
    across = _whole_axis(first, last + width - last % width if width > 1 else last + 1)
    parts: list[str] = []
    top = _TOP
    for number, (name, bars) in enumerate(binned):
        if len(binned) > 1:
            parts.append(f'<text x="{LEFT}" y="{top + 12}">{escape(printable(name, _LONGEST_NAME))}</text>')
            top += _NAME
        frame = Frame(across, up, top, top + _PANEL, "{:g}".format, with_prefix)
        parts += frame.parts(label_x if number == len(binned) - 1 else "")
        parts += [_bar(frame, at, width, amount, number, label_x) for at, amount in sorted(bars.items()) if amount]
        top += _PANEL + _GAP
    return picture(title, _told(label_x, groups), top + (14 if binned else 0), parts)


def counted(values: Sequence[int]) -> Mapping[int, float]:
    """How often each value comes.

    >>> counted([3, 5, 3])
    {3: 2.0, 5: 1.0}
    """
    return {value: float(count) for value, count in sorted(Counter(values).items())}


def _bar_width(span: int) -> int:
    """How many whole numbers make a bar."""
    power = 1
    while True:
        for step in (1, 2, 5):
            if span <= _MOST_BARS * step * power:
                return step * power
        power *= 10


def _binned(amounts: Mapping[int, float], width: int) -> dict[int, float]:
    bars: dict[int, float] = {}
    for number, amount in amounts.items():
        bars[number - number % width] = bars.get(number - number % width, 0.0) + amount
    return bars


def _whole_axis(first: int, end: int) -> Axis:
    """From `first` up to `end`, exclusive, since a bar goes up to the next number; ticks at whole numbers only."""
    ticks = linear_axis([first, end], least_step=0.25).ticks
    return Axis(first, end, tuple(tick for tick in ticks if first <= tick < end and tick == round(tick)))


def _bar(frame: Frame, at: int, width: int, amount: float, number: int, unit: str) -> str:
    # A number stands under the left end of its bar, as ticks of a range do.
    left, right, top = frame.across(at), frame.across(at + width), frame.up(amount)
    gap = min(1.0, (right - left) / 4)
    numbers = f"{at}" if width == 1 else f"{at} to {at + width - 1}"
    return (
        f'<rect x="{left + gap / 2:.1f}" y="{top:.1f}" width="{right - left - gap:.1f}" '
        f'height="{max(0.0, frame.bottom - top):.1f}" fill="{COLOURS[number % len(COLOURS)]}">'
        f"<title>{escape(unit)} {numbers}: {amount:.6g}</title></rect>"
    )


def _told(unit: str, groups: Sequence[Group]) -> str:
    """What the bars show, in words."""
    said = []
    for name, amounts in groups:
        there = [number for number, amount in amounts.items() if amount]
        if there:
            most = max(there, key=lambda number: amounts[number])
            said.append(
                f"{printable(name, _LONGEST_NAME)}: {min(there)} to {max(there)}, most at {most} ({amounts[most]:.6g})"
            )
    return f"{unit}: {'; '.join(said)}" if said else "nothing to show yet"
