"""What every command does with its results and its failures."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec

import typer

from e2.errors import E2Error, FormatError
from e2.views.terminal import printable

DONE, NO, BAD_INPUT, INTERNAL, INTERRUPTED = 0, 1, 2, 70, 130
"""Exit codes. INTERNAL is a fault of e2 itself, told apart from a "no"."""

Json = dict[str, Any]
Parameters = ParamSpec("Parameters")


def say(text: str = "") -> None:
    """A line of the answer, on standard output."""
    _write(text.encode(sys.stdout.encoding or "utf-8", "replace"))


def say_json(record: Mapping[str, Any]) -> None:
    """One JSON object on one line of standard output. Integers stay exact up to 2**64 - 1."""
    import orjson

    _write(orjson.dumps(record))


def note(text: str) -> None:
    """A remark for people, on standard error."""
    print(text, file=sys.stderr, flush=True)


def _write(line: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


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
            if kwargs.get("json"):
                say_json({"error": error_record(error)})
            note(f"error: {printable(str(error), 20_000)}")
            code = BAD_INPUT
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BrokenPipeError:
            # The reader has left (`| head`); python would complain once more while closing standard output.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = DONE
        except typer.Exit:
            raise
        except Exception:
            traceback.print_exc()
            note("error: this is a fault in e2 itself; please report the lines above")
            code = INTERNAL
        raise typer.Exit(code)

    return run
