"""Templates to pages. Whatever is put into one is escaped; a stranger's text goes through `shown` first."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from e2.views.contest_text import duel_words, p_text
from e2.views.progress import clock, with_prefix
from e2.views.terminal import printable

TEMPLATES = Path(__file__).parent.parent / "templates"
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
_ENVIRONMENT.filters |= {"p": p_text, "duel_words": duel_words}


def page(template: str, status: int = 200, *, headers: Mapping[str, str] | None = None, **values: Any) -> HTMLResponse:
    """The page that a template makes of the values."""
    return HTMLResponse(_ENVIRONMENT.get_template(template).render(**values), status, headers)
