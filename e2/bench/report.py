"""What every bench returns: text for people, records for programs, bars for a picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Report:
    """`records` are written one a line, the promised keys in the last; `bars` are (name, value) in `unit`."""

    title: str
    lines: tuple[str, ...]
    records: tuple[dict[str, Any], ...]
    unit: str = ""
    bars: tuple[tuple[str, float], ...] = ()
    marks: tuple[tuple[str, float], ...] = field(default=())
    """Values of others or floors, drawn as lines across the bars."""
