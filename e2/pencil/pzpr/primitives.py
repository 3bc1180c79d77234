"""The primitives that pzprjs builds its bodies from. Each is one table of tokens that is read in both directions.

A reader is as lenient as pzprjs is: what it skips, clips or cannot read it notes as a fault, and goes on.
A writer is canonical: the first token of the table that fits is written, each as long as it can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from e2.errors import FormatError
from e2.pencil.pzpr.board import BLANK, MARK, UNKNOWN, UNREADABLE

FORMAT = "pzpr"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MOST_FAULTS = 100
"""Faults of a text that are told."""
Arrow = tuple[int, int]
"""A number with its direction."""

T = TypeVar("T")


@dataclass(frozen=True)
class Fault:
    """What a strict reader would refuse."""

    message: str
    place: str = ""
    expected: str = ""

    def error(self) -> FormatError:
        return FormatError(FORMAT, self.message, place=self.place, expected=self.expected)

    def __str__(self) -> str:
        return f"{self.message} (at {self.place})" if self.place else self.message


@dataclass
class Body:
    """A body being read: `at` is the next character."""

    text: str
    at: int = 0
    faults: list[Fault] = field(default_factory=list)

    def blame(self, message: str, at: int, expected: str) -> None:
        """Note a fault; of a text that is all faults only the first ones."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(message, f"character {at + 1} of the body", expected))

    @property
    def rest(self) -> str:
        return self.text[self.at :]


@dataclass(frozen=True)
class Read(Generic[T]):
    """What one token says: its values, its number of characters, and what is wrong with it."""

    values: list[T]
    taken: int
    wrong: str = ""


class Token(Protocol[T]):
    """One kind of token: how it is read, and how it is written."""

    def read(self, text: str, at: int) -> Read[T] | None:
        """The token that begins at `at`, or None where another kind of token does."""

    def write(self, values: Sequence[T], at: int) -> tuple[str, int] | None:
        """The token for the values from `at` on and how many of them it covers, or None where it does not fit."""


def run_of(values: Sequence[T], blank: T, at: int, most: int) -> int:
    """How many blanks lie at `at`, up to `most`."""
    end = at
    while end < len(values) and end - at < most and values[end] == blank:
        end += 1
    return end - at


@dataclass(frozen=True)
class Run(Generic[T]):
    """1 to `most` blanks in one character, counted from `first`."""

    first: str
    most: int
    blank: T

    def read(self, text: str, at: int) -> Read[T] | None:
        count = DIGITS.find(text[at]) - DIGITS.index(self.first) + 1
        return Read([self.blank] * count, 1) if 1 <= count <= self.most else None

    def write(self, values: Sequence[T], at: int) -> tuple[str, int] | None:
        count = run_of(values, self.blank, at, self.most)
        return (DIGITS[DIGITS.index(self.first) + count - 1], count) if count else None


@dataclass(frozen=True)
class Sign(Generic[T]):
    """One value that has a character of its own."""

    sign: str
    value: T

    def read(self, text: str, at: int) -> Read[T] | None:
        return Read([self.value], 1) if text[at] == self.sign else None

    def write(self, values: Sequence[T], at: int) -> tuple[str, int] | None:
        return (self.sign, 1) if values[at] == self.value else None


@dataclass(frozen=True)
class Spaced:
    """A number below `numbers` with up to `gaps - 1` blanks after it. Cells beyond the board count as blank."""

    numbers: int
    gaps: int

    def read(self, text: str, at: int) -> Read[int] | None:
        digit = DIGITS.find(text[at])
        if not 0 <= digit < self.numbers * self.gaps:
            return None
        gap, number = divmod(digit, self.numbers)
        return Read([number] + [BLANK] * gap, 1)

    def write(self, values: Sequence[int], at: int) -> tuple[str, int] | None:
        if not 0 <= values[at] < self.numbers:
            return None
        gap = run_of(values, BLANK, at + 1, self.gaps - 1)
        if at + 1 + gap >= len(values):
            gap = self.gaps - 1
        return DIGITS[values[at] + self.numbers * gap], 1 + gap


@dataclass(frozen=True)
class Placed:
    """The one value of a sparse board with up to `most` blanks of the board after it."""

    value: int
    most: int

    def read(self, text: str, at: int) -> Read[int] | None:
        gap = DIGITS.find(text[at])
        return Read([self.value] + [BLANK] * gap, 1) if 0 <= gap <= self.most else None

    def write(self, values: Sequence[int], at: int) -> tuple[str, int] | None:
        if values[at] != self.value:
            return None
        gap = run_of(values, BLANK, at + 1, self.most)
        return DIGITS[gap], 1 + gap


@dataclass(frozen=True)
class Span:
    """Numbers that share a prefix: `digits` hex digits hold the number less `offset`. Every prefix is read, the first
    is written."""

    prefixes: str
    digits: int
    offset: int
    low: int
    high: int


NUMBER16 = (
    Span("-", 2, 0, 16, 255),
    Span("+", 3, 0, 256, 4095),
    Span("=", 3, 4096, 4096, 8191),
    Span("@%", 3, 8192, 8192, 12239),
    Span("*", 4, 12240, 12240, 77775),
    Span("$", 5, 77776, 77776, 1126351),
)
"""The spans of Number16 beside 0 to 15. The last one has no successor: what is larger would be cut by the reader."""


@dataclass(frozen=True)
class Hex:
    """A number from 0 on: one hex digit, or a prefix and more of them."""

    spans: tuple[Span, ...] = NUMBER16

    def read(self, text: str, at: int) -> Read[int] | None:
        if is_hex(text[at]):
            return Read([int(text[at], 16)], 1)
        for span in self.spans:
            if text[at] in span.prefixes:
                number, wrong = read_hex(text[at + 1 : at + 1 + span.digits], span.digits)
                return Read([number if number == UNREADABLE else number + span.offset], 1 + span.digits, wrong)
        return None

    def write(self, values: Sequence[int], at: int) -> tuple[str, int] | None:
        number = values[at]
        if 0 <= number < 16:
            return f"{number:x}", 1
        for span in self.spans:
            if span.low <= number <= span.high:
                return f"{span.prefixes[0]}{number - span.offset:0{span.digits}x}", 1
        return None


@dataclass(frozen=True)
class Digit:
    """A number from 0 to 9."""

    def read(self, text: str, at: int) -> Read[int] | None:
        return Read([int(text[at])], 1) if text[at] in DIGITS[:10] else None

    def write(self, values: Sequence[int], at: int) -> tuple[str, int] | None:
        return (str(values[at]), 1) if 0 <= values[at] <= 9 else None


@dataclass(frozen=True)
class ArrowHex:
    """A number with a direction: `d` and one digit, `d + 5` and two, `-d` and three. `d.` is an arrow alone."""

    def read(self, text: str, at: int) -> Read[Arrow] | None:
        if text[at] == "-":
            direction, wrong = read_hex(text[at + 1 : at + 2], 1)
            if direction > 4:
                wrong, direction = f"{text[at + 1]!r} is no direction", 0
            number, more = read_hex(text[at + 2 : at + 5], 3)
            return Read([(number, max(direction, 0))], 5, wrong or more)
        if text[at] not in DIGITS[:10]:
            return None
        wide, direction = divmod(int(text[at]), 5)
        if not wide and text[at + 1 : at + 2] == ".":
            return Read([(UNKNOWN, direction)], 2)
        number, wrong = read_hex(text[at + 1 : at + 2 + wide], 1 + wide)
        return Read([(number, direction)], 2 + wide, wrong)

    def write(self, values: Sequence[Arrow], at: int) -> tuple[str, int] | None:
        number, direction = values[at]
        if number == UNKNOWN:
            return f"{direction}.", 1
        if 0 <= number < 16:
            return f"{direction}{number:x}", 1
        if 16 <= number < 256:
            return f"{direction + 5}{number:x}", 1
        return (f"-{direction}{number:x}", 1) if 256 <= number < 4096 else None


def is_hex(character: str) -> bool:
    return character in DIGITS[:16]


def read_hex(text: str, digits: int) -> tuple[int, str]:
    """The number in front of a text, as pzprjs takes it, and what is wrong if it has not `digits` digits."""
    good = 0
    while good < len(text) and is_hex(text[good].lower()):
        good += 1
    number = int(text[:good], 16) if good else UNREADABLE
    return number, "" if good == digits else f"{text!r} is not {digits} hex digits"


@dataclass(frozen=True)
class Listed(Generic[T]):
    """A list of cells (or crosses, or rooms) as tokens. A strange character moves on by `junk` cells; None ends it."""

    name: str
    tokens: tuple[Token[T], ...]
    blank: T
    junk: int | None = 1

    def read(self, body: Body, length: int, unit: str = "cell") -> list[T]:
        """`length` values from the text; it ends with the token that fills the last one."""
        values: list[T] = []
        while len(values) < length and body.at < len(body.text):
            at = body.at
            read = next((read for token in self.tokens if (read := token.read(body.text, at))), None)
            if read is None:
                body.at += 1
                body.blame(f"{body.text[at]!r} is nothing in {self.name}", at, f"a token of {self.name}")
                if self.junk is None:
                    break
                values += [self.blank] * self.junk
                continue
            if read.wrong:
                body.blame(read.wrong, at, f"a token of {self.name}")
            values += read.values
            if len(values) > length and read.values[0] == self.blank:
                body.blame(f"a run of {len(read.values)} goes past the last {unit}", at, "a run that ends there")
            body.at = min(at + read.taken, len(body.text))
        if len(values) < length:
            body.blame(f"the text ends at {unit} {len(values)} of {length}", body.at, f"{length} {unit}s")
        return (values + [self.blank] * length)[:length]

    def write(self, values: Sequence[T], unit: str = "cell") -> str:
        """The canonical text. Raises FormatError for a value that could not be read back."""
        text, at = "", 0
        while at < len(values):
            written = next((made for token in self.tokens if (made := token.write(values, at))), None)
            if written is None:
                raise FormatError(
                    FORMAT,
                    f"{values[at]} cannot be written in {self.name}",
                    place=f"{unit} {at}",
                    expected=f"a value that {self.name} can hold",
                )
            text += written[0]
            at += written[1]
        return text


@dataclass(frozen=True)
class Packed:
    """Values below `radix`, `per` of them in a character, the first with the greatest weight; no runs."""

    name: str
    radix: int
    per: int

    def read(self, body: Body, length: int) -> list[int]:
        """`length` values; characters that are missing or strange count as zeros."""
        values: list[int] = []
        for _ in range(-(-length // self.per)):
            code = 0
            if body.at < len(body.text):
                code = DIGITS.find(body.text[body.at].lower())
                if not 0 <= code < self.radix**self.per:
                    body.blame(f"{body.text[body.at]!r} is nothing in {self.name}", body.at, self._expected())
                    code = 0
                body.at += 1
            else:
                body.blame(f"the text ends before {length - len(values)} values", body.at, self._expected())
                return values + [0] * (length - len(values))
            values += [code // self.radix**power % self.radix for power in reversed(range(self.per))]
        if any(values[length:]):
            body.blame("a value after the last place", body.at - 1, "zeros there")
        return values[:length]

    def write(self, values: Sequence[int]) -> str:
        padded = [*values, *[0] * (-len(values) % self.per)]
        text = ""
        for start in range(0, len(padded), self.per):
            code = 0
            for value in padded[start : start + self.per]:
                code = code * self.radix + value
            text += DIGITS[code]
        return text

    def _expected(self) -> str:
        return f"0 to {DIGITS[self.radix**self.per - 1]}"


_QUESTION = Sign(".", UNKNOWN)
FOUR = Listed("4Cell", (Run("g", 20, BLANK), Spaced(5, 3), _QUESTION, Sign("f", BLANK)), BLANK)
NUMBER_10 = Listed("Number10", (Run("a", 26, BLANK), Digit(), _QUESTION), BLANK)
NUMBER_16 = Listed("Number16", (Run("g", 20, BLANK), Hex(), _QUESTION), BLANK, junk=0)
OUTSIDE_16 = Listed("Number16 outside the board", (Run("g", 20, BLANK), Hex(NUMBER16[:1]), _QUESTION), BLANK)
ARROWS = Listed[Arrow]("ArrowNumber16", (Run("a", 26, (BLANK, 0)), ArrowHex(), Sign("+", (MARK, 0))), (BLANK, 0))
ONE = Listed("1Cell", (Run("i", 18, BLANK), Placed(1, 17)), BLANK, junk=None)
CIRCLE = Packed("Circle", 3, 3)
BINARY = Packed("Binary", 2, 5)


@dataclass(frozen=True)
class Either:
    """Number10, or `-` and Number16 where a number needs it: Number10or16."""

    name: str = "Number10or16"

    def read(self, body: Body, length: int, unit: str = "cell") -> list[int]:
        if body.text[body.at : body.at + 1] == "-":
            body.at += 1
            return NUMBER_16.read(body, length, unit)
        return NUMBER_10.read(body, length, unit)

    def write(self, values: Sequence[int], unit: str = "cell") -> str:
        if any(value > 9 for value in values):
            return "-" + NUMBER_16.write(values, unit)
        return NUMBER_10.write(values, unit)


NUMBER_10_OR_16 = Either()
