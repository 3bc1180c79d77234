"""Where an input comes from: a file, standard input, or the argument itself."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from e2.errors import FormatError
from e2.formats.pasted import BYTE_ORDER_MARK

MAX_BYTES = 8 * 1024 * 1024
"""More than any board or puzzle needs; a longer input is refused before it is decoded."""

_LOOKS_LIKE_A_PATH = re.compile(r"(?![0-9]+\.[0-3](-|$))[^\s=?&#]{1,255}")  # 34.1-45.1 are hints
_HAS_A_SUFFIX_OR_FOLDER = re.compile(r"[\\/]|\.[A-Za-z0-9]{1,8}$")


@dataclass(frozen=True)
class Source:
    """A text and what to call it: the path, `-`, or the start of the argument."""

    label: str
    text: str


def read_source(argument: str) -> Source:
    """The text behind an argument of the command line.

    `-` is standard input, the name of a file is that file, anything else is the text itself: a link, letters, a block
    of parameters. Raises FormatError for a file that is missing, unreadable, too long or no text.
    """
    if argument == "-":
        try:
            return Source("-", _decoded(sys.stdin.buffer.read(MAX_BYTES + 1), "-"))
        except OSError as error:
            raise FormatError("input", f"cannot read -: {error.strerror}", expected="readable input") from error
    if len(argument) < 4096 and "\0" not in argument and os.path.exists(argument):
        return read_file(Path(argument))
    if _LOOKS_LIKE_A_PATH.fullmatch(argument) and _HAS_A_SUFFIX_OR_FOLDER.search(argument):
        raise FormatError("input", f"no such file: {argument}", expected="a file, - or the text of a board or puzzle")
    if len(argument) > MAX_BYTES:
        raise _too_long("the argument")
    return Source(argument if len(argument) <= 60 else argument[:57] + "...", argument)


def read_stream(argument: str) -> Source:
    """The text of standard input for `-`, else of the file of that name, whatever the name looks like.

    Raises FormatError for one that is missing, unreadable, empty, too long or no text.
    """
    source = read_source("-") if argument == "-" else read_file(Path(argument))
    if not source.text.strip():
        where = "standard input" if argument == "-" else argument
        raise FormatError("input", f"nothing is in {where}", expected="a text")
    return source


def read_file(path: Path) -> Source:
    """The text of one file, or a FormatError that says why not."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise FormatError("input", f"no such file: {path}", expected="a file") from None
    except IsADirectoryError:
        raise FormatError("input", f"{path} is a folder", expected="a file") from None
    except OSError as error:
        raise FormatError("input", f"cannot read {path}: {error.strerror}", expected="a readable file") from error
    return Source(str(path), _decoded(data, str(path)))


def _decoded(data: bytes, label: str) -> str:
    """UTF-8, or UTF-16 where its byte order mark says so (what a Windows shell redirects into), without the mark."""
    if len(data) > MAX_BYTES:
        raise _too_long(label)
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _no_text(label, f"byte {error.start}", encoding) from error
    if "\0" in text:
        raise _no_text(label, f"character {text.index(chr(0))}", encoding)
    return text.removeprefix(BYTE_ORDER_MARK)


def _no_text(label: str, place: str, encoding: str) -> FormatError:
    return FormatError("input", f"{label} is no text", place=place, expected=f"{encoding} text")


def _too_long(label: str) -> FormatError:
    return FormatError("input", f"{label} is too long", expected=f"at most {MAX_BYTES // 1024 // 1024} MiB")
