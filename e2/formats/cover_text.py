r"""Exact cover problems as text: the items in one line, then one option a line.

    | a line that begins with a bar is a remark
    p q r | x y
    p q x y:A
    p r x:A y
    p x:B

Words are parted by blanks. In the line of items, those after the bar are secondary. An option names its items, and
the colour of a secondary one behind a colon. This is what Knuth's programs read, with one difference: they pass over
an option without primary items, which is an error here, since it can be a part of no solution.

Carries everything but remarks and blank lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from e2.core.cover import CoverProblem
from e2.errors import FormatError
from e2.formats.pasted import BYTE_ORDER_MARK

_NAME = "cover"


def read_cover(text: str) -> CoverProblem:
    """The problem of a text. FormatError, with the line, for what is not of the form."""
    lines = _lines(text)
    first = next(lines, None)
    if first is None:
        raise FormatError(_NAME, "there is no line", expected="a line of items, then one option a line")
    primary, secondary = _items(*first)
    numbers = {name: number for number, name in enumerate(primary + secondary)}
    options = tuple(_option(line, words, numbers, len(primary)) for line, words in lines)
    return CoverProblem(primary, secondary, options)


def write_cover(problem: CoverProblem) -> str:
    """The text of a problem, which `read_cover` reads as the same problem."""
    bar = ("|", *problem.secondary) if problem.secondary else ()
    lines = [" ".join((*problem.primary, *bar))]
    lines += [write_option(problem, option) for option in range(len(problem.options))]
    return "\n".join(lines) + "\n"


def write_option(problem: CoverProblem, option: int) -> str:
    """The line of one option."""
    items, parts = problem.items, problem.options[option]
    return " ".join(f"{items[item]}:{colour}" if colour else items[item] for item, colour in parts)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines with something in them, as (line number, words)."""
    for number, line in enumerate(text.removeprefix(BYTE_ORDER_MARK).splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("|"):
            yield number, words


def _items(line: int, words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    bars = [at for at, word in enumerate(words) if word == "|"]
    if len(bars) > 1:
        raise _wrong(line, "two bars", "one, between primary and secondary items")
    seen = set()
    for word in words:
        if word != "|" and (":" in word or "|" in word):
            raise _wrong(line, f"{word[:40]!r} is no name of an item", "no colon and no bar in it")
        if word in seen:
            raise _wrong(line, f"the item {word[:40]!r} stands there twice", "different items")
        seen.add(word)
    at = bars[0] if bars else len(words)
    return tuple(words[:at]), tuple(words[at + 1 :])


def _option(line: int, words: list[str], numbers: dict[str, int], primary: int) -> tuple[tuple[int, str], ...]:
    option: dict[int, str] = {}
    for word in words:
        name, colon, colour = word.partition(":")
        item = numbers.get(name)
        if item is None:
            raise _wrong(line, f"{name[:40]!r} is no item", "one of the first line")
        if item in option:
            raise _wrong(line, f"the item {name[:40]!r} stands there twice", "each item once")
        if colon and item < primary:
            raise _wrong(line, f"the primary item {name[:40]!r} has a colour", "colours of secondary items only")
        if colon and not colour:
            raise _wrong(line, f"{word[:40]!r} has no colour behind its colon", "ITEM:COLOUR")
        option[item] = colour
    if min(option) >= primary:
        raise _wrong(line, "an option without a primary item", "one or more")
    return tuple(option.items())


def _wrong(line: int, message: str, expected: str) -> FormatError:
    return FormatError(_NAME, message, place=f"line {line}", expected=expected)
