"""What every command does with its results and its failures."""

from __future__ import annotations

import functools
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TextIO

import typer

from e2.errors import E2Error, FormatError
from e2.views.terminal import printable

DONE, NO, BAD_INPUT, INTERNAL, INTERRUPTED = 0, 1, 2, 70, 130
"""Exit codes. INTERNAL is a fault of e2 itself, told apart from a "no"."""

Json = dict[str, Any]
Parameters = ParamSpec("Parameters")


class _OutputError(Exception):
    """Standard output cannot be written: no fault of an input, so no command takes it for one."""


def say(text: str = "") -> None:
    """A line of the answer, on standard output."""
    write(text.encode(sys.stdout.encoding or "utf-8", "replace") + b"\n")


def say_json(record: Mapping[str, Any]) -> None:
    """One JSON object on one line of standard output. Integers stay exact."""
    import orjson

    try:
        text = orjson.dumps(record)
    except orjson.JSONEncodeError:
        # A number of more than 64 bits, or the name of a file that is no UTF-8.
        text = json.dumps(record, separators=(",", ":")).encode()
    write(text + b"\n")


def note(text: str) -> None:
    """A remark for people, on standard error. Where that cannot be written, nobody can be told."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _abandon(sys.stderr)


def write(data: bytes) -> None:
    """Bytes of the answer, on standard output, at once."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _abandon(sys.stdout)
        raise _OutputError(error.strerror) from error


def _abandon(stream: TextIO) -> None:
    """Send what is left of a stream nowhere: python would complain once more while closing it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_standard_streams() -> None:
    """Open what the caller has closed on the null device, before a file of ours takes its number and its output."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def error_record(error: E2Error) -> Json:
    """The promise for programs: `format place expected message`, all strings."""
    if isinstance(error, FormatError):
        return {
            "format": error.format,
            "place": error.place,
            "expected": error.expected,
            "message": printable(error.message, 2000),
        }
    return {"format": "", "place": "", "expected": "", "message": printable(str(error), 20_000)}


def guarded(command: Callable[Parameters, int]) -> Callable[Parameters, None]:
    """Turn what the command returns or raises into an exit code; no failure of the user's ever shows a traceback.

    With `--json`, a failure is one object on standard output too, so that a program need not read the other stream.
    """

    @functools.wraps(command)
    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        try:
            code = command(*args, **kwargs)
        except E2Error as error:
            note(f"error: {printable(str(error), 20_000)}")
            code = BAD_INPUT
            if kwargs.get("json"):
                try:
                    say_json({"error": error_record(error)})
                except (BrokenPipeError, _OutputError):
                    _abandon(sys.stdout)
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BrokenPipeError:
            # The reader has left (`| head`).
            _abandon(sys.stdout)
            code = DONE
        except _OutputError as error:
            note(f"error: standard output cannot be written: {error}")
            code = BAD_INPUT
        except typer.Exit:
            raise
        except Exception:
            traceback.print_exc()
            note("error: this is a fault in e2 itself; please report the lines above")
            code = INTERNAL
        raise typer.Exit(code)

    return run
