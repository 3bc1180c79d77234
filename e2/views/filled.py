"""Templates to pages. Whatever is put into one is escaped; a stranger's text goes through `shown` first."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from e2.views.progress import clock, with_prefix
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.store.contest import Duel

TEMPLATES = Path(__file__).parent / "templates"
NOTHING = "\N{EN DASH}"
"""Stands where a number is not known."""


def when(seconds: float) -> str:
    """A time since 1970 as this machine's date and time of day."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):
        return NOTHING


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters |= {"shown": printable, "prefix": with_prefix, "clock": clock, "when": when}


def _p(p: float | None) -> str:
    # What is behind it starts scipy, which takes a second: only who compares is to wait for that.
    from e2.views.contest_text import p_text

    return p_text(p)


def _duel_words(duel: Duel) -> str:
    from e2.views.contest_text import duel_words

    return duel_words(duel)


_ENVIRONMENT.filters |= {"p": _p, "duel_words": _duel_words}


def filled(template: str, **values: Any) -> str:
    """The text of a page that a template makes of the values."""
    return _ENVIRONMENT.get_template(template).render(**values)
