"""Text from strangers made safe for a terminal."""

from __future__ import annotations

import unicodedata

LIMIT = 400
"""Characters of a stranger's text that are shown before it is cut."""


def printable(text: str, limit: int = LIMIT) -> str:
    """The text on one line, with control and invisible characters escaped, cut to `limit` characters.

    Escape sequences, carriage returns and direction marks in a name could rewrite what the user sees.

    >>> printable("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    kept = text[: limit + 1]
    shown = "".join(_escaped(character) for character in kept[:limit])
    return shown + f"... ({len(text)} characters)" if len(text) > limit else shown


def _escaped(character: str) -> str:
    # Cc, Cf, Cs, Co, Cn: controls, format marks, surrogates, private use, unassigned; Zl and Zp break lines.
    if unicodedata.category(character)[0] == "C" or unicodedata.category(character) in ("Zl", "Zp"):
        return character.encode("unicode_escape").decode("ascii")
    return character
