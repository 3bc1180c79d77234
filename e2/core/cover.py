"""Exact cover with colours, as a value: items to be covered, and options that cover some of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class CoverProblem:
    """Choose options so that each primary item is in exactly one of them.

    A secondary item may be in none, in one, or in several that all give it the same colour. Items are numbered, the
    primary ones first. Each option lists (item, colour), an item once and a primary one at least; "" is no colour,
    the only one that a primary item may have, and an uncoloured item is in one option at most.
    """

    primary: tuple[str, ...]
    secondary: tuple[str, ...]
    options: tuple[tuple[tuple[int, str], ...], ...]

    @cached_property
    def items(self) -> tuple[str, ...]:
        return self.primary + self.secondary
