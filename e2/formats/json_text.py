"""JSON as the document formats share it: one object, numbers that are what they should be, a place for every fault."""

from __future__ import annotations

from typing import Any

import orjson

from e2.errors import FormatError


def json_object(format: str, text: str) -> dict[str, Any]:
    """The object in the text. Bad syntax, and nesting without end, is a FormatError with line and column."""
    try:
        value = orjson.loads(text.encode("utf-8", "surrogatepass"))
    except orjson.JSONDecodeError as error:
        raise FormatError(
            format, f"not JSON: {error.msg}", place=f"line {error.lineno}, column {error.colno}", expected="JSON"
        ) from None
    if not isinstance(value, dict):
        raise FormatError(format, f"the JSON is a {type(value).__name__}", expected="a JSON object")
    return value


def integer(format: str, value: object, place: str, low: int, high: int) -> int:
    """The whole number, or a FormatError. A JSON true is no number here."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise FormatError(format, f"{shown(value)} is no whole number", place=place, expected=f"{low} to {high}")
    if not low <= value <= high:
        raise FormatError(format, f"{shown(value)} is out of range", place=place, expected=f"{low} to {high}")
    return value


def text_or_none(format: str, value: object, place: str) -> str | None:
    """The text, None where it is absent or null, or a FormatError."""
    if value is not None and not isinstance(value, str):
        raise FormatError(format, f"{shown(value)} is no text", place=place, expected="a text")
    return value


def array(format: str, value: object, place: str, most: int) -> list[Any]:
    """The array, or a FormatError where it is none or longer than anything believed."""
    if not isinstance(value, list):
        raise FormatError(format, f"{shown(value)} is no list", place=place, expected="a list")
    if len(value) > most:
        raise FormatError(format, f"a list of {len(value)}", place=place, expected=f"at most {most}")
    return value


def shown(value: object) -> str:
    """A value for a message: short, and with control characters escaped."""
    if isinstance(value, (list, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    text = ascii(value)
    return text if len(text) <= 40 else text[:37] + "..."
