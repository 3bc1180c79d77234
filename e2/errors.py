"""Every failure that e2 raises on purpose. The command line turns each into one line and exit code 2."""

from __future__ import annotations


class E2Error(Exception):
    """The base of all: `except e2.E2Error` catches what bad input or a bad setting can cause."""


class FormatError(E2Error, ValueError):
    """A text that is not what its format promises.

    `format` is the name of the format that was tried, `place` says where ("character 3", "line 7, column 2",
    "pieces[4]"), `expected` what would have been right there.
    """

    def __init__(self, format: str, message: str, *, place: str = "", expected: str = "") -> None:
        self.format = format
        self.message = message
        self.place = place
        self.expected = expected
        super().__init__(format, message, place, expected)

    def __str__(self) -> str:
        text = f"{self.format}: {self.message}"
        if self.place:
            text += f" (at {self.place})"
        if self.expected:
            text += f"; expected {self.expected}"
        return text

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt_format_error, (self.format, self.message, self.place, self.expected)


def _rebuilt_format_error(format: str, message: str, place: str, expected: str) -> FormatError:
    return FormatError(format, message, place=place, expected=expected)


class PuzzleError(E2Error, ValueError):
    """A puzzle that cannot be one. `faults` lists everything that is wrong, not only the first."""

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        self.name = name
        self.faults = faults
        super().__init__(name, faults)

    def __str__(self) -> str:
        if len(self.faults) == 1:
            return f"puzzle {self.name!r}: {self.faults[0]}"
        return f"puzzle {self.name!r} has {len(self.faults)} faults: " + "; ".join(self.faults)


class LossError(E2Error, ValueError):
    """A conversion that would drop something. `losses` names each thing; asking for the loss lets it pass."""

    def __init__(self, target: str, losses: tuple[str, ...]) -> None:
        self.target = target
        self.losses = losses
        super().__init__(target, losses)

    def __str__(self) -> str:
        return f"{self.target} would lose " + "; ".join(self.losses)


class SettingsError(E2Error, ValueError):
    """A setting that no run can have: unknown, out of range, or at odds with another."""


class RunError(E2Error):
    """A run folder that exists already, is missing, is damaged, or belongs to another driver."""


class ClusterError(E2Error):
    """A cluster that cannot be reached or does not fit: another Ray, another Python, no token."""
