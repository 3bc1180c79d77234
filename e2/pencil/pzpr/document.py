"""A decoded board as the record that programs read, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from e2.errors import FormatError
from e2.pencil.pzpr.board import BLANK, MARK, UNREADABLE, PencilBoard, checked_size
from e2.pencil.pzpr.decode import Decoded, blank_board
from e2.pencil.pzpr.link import ADDRESS, parse_link
from e2.pencil.pzpr.primitives import FORMAT
from e2.pencil.pzpr.puzzle import Puzzle

_LARGEST = 10_000_000


def decoded_record(decoded: Decoded) -> dict[str, Any]:
    """The promise of `e2 pencil decode --json`. A number that the link spoils is null."""
    board, link = decoded.board, decoded.link
    record: dict[str, Any] = {
        "pid": decoded.puzzle.pid,
        "urlid": decoded.puzzle.urlid,
        "variant": link.variant,
        "pflag": link.pflag,
        "cols": board.cols,
        "rows": board.rows,
        "cells": [None if value == UNREADABLE else value for value in board.cells],
        "canonical": decoded.canonical,
        "leftover": decoded.leftover,
        "warnings": list(decoded.warnings),
    }
    if board.directions:
        record["qdir"] = list(board.directions)
    if _has_borders(board):
        record["borders"] = {"v": "".join(map(str, board.upright)), "h": "".join(map(str, board.level))}
    if board.crosses:
        record["cross"] = [None if value == UNREADABLE else value for value in board.crosses]
    if board.outside:
        record["outside"] = [None if value == UNREADABLE else value for value in board.outside]
    return record


def _has_borders(board: PencilBoard) -> bool:
    return bool(board.upright or board.level)


def board_of_record(puzzle: Puzzle, record: Mapping[str, Any]) -> PencilBoard:
    """The board of a record: `cols rows cells`, and `qdir borders cross outside` where the puzzle has them.

    FormatError for anything that is not as `decoded_record` has it, before anything of the size is made, and for a
    record that says that it is of another puzzle.
    """
    pid = _text(record, "pid")
    if pid is not None and pid not in puzzle.names:
        raise FormatError(FORMAT, f"the object is of {pid[:40]!r}", place="pid", expected=puzzle.pid)
    cols, rows = _side(record, "cols"), _side(record, "rows")
    board = blank_board(puzzle, *checked_size(FORMAT, cols, rows))
    board = replace(board, cells=_values(record, "cells", len(board.cells)))
    if board.directions:
        board = replace(board, directions=_values(record, "qdir", len(board.cells), low=0, high=4))
    if board.crosses:
        board = replace(board, crosses=_values(record, "cross", len(board.crosses)))
    if board.outside:
        board = replace(board, outside=_values(record, "outside", len(board.outside)))
    if _has_borders(board):
        borders = record.get("borders")
        if not isinstance(borders, dict):
            raise FormatError(FORMAT, "no borders", place="borders", expected='{"v": "01...", "h": "01..."}')
        board = replace(
            board, upright=_bits(borders, "v", len(board.upright)), level=_bits(borders, "h", len(board.level))
        )
    return board


def _side(record: Mapping[str, Any], name: str) -> int:
    side = record.get(name)
    if not isinstance(side, int) or isinstance(side, bool):
        raise FormatError(FORMAT, f"{name} is no whole number", place=name, expected="a whole number")
    return side


def _values(record: Mapping[str, Any], name: str, count: int, low: int = MARK, high: int = _LARGEST) -> tuple[int, ...]:
    values = record.get(name)
    if not isinstance(values, list) or len(values) != count:
        found = f"{len(values)} values" if isinstance(values, list) else "no list"
        raise FormatError(FORMAT, found, place=name, expected=f"a list of {count}")
    for index, value in enumerate(values):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high):
            raise FormatError(
                FORMAT, "a value that none can have", place=f"{name}[{index}]", expected=f"{low} to {high}"
            )
    return tuple(BLANK if value is None else value for value in values)


def _bits(borders: Mapping[str, Any], name: str, count: int) -> tuple[int, ...]:
    text = borders.get(name)
    if not isinstance(text, str) or len(text) != count or set(text) - set("01"):
        raise FormatError(FORMAT, "no borders", place=f"borders.{name}", expected=f"{count} characters 0 or 1")
    return tuple(map(int, text))


def flags_of_record(puzzle: Puzzle, record: Mapping[str, Any]) -> str:
    """The letters of the record's pflag that mean something, in the order they are written."""
    letters = _text(record, "pflag") or ""
    return "".join(letter for letter, _ in puzzle.flags if letter in letters)


def variant_of_record(record: Mapping[str, Any]) -> str | None:
    """The record's variant. FormatError for one that a link would not give back."""
    variant = _text(record, "variant")
    if variant is not None and (
        not (variant.isascii() and variant.isprintable())
        or set(variant) & set("/?&=")
        or parse_link(f"{ADDRESS}slither/v:{variant}/1/1/").variant != variant
    ):
        raise FormatError(FORMAT, "a variant that a link cannot hold", place="variant", expected="a plain name")
    return variant


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise FormatError(FORMAT, f"{name} is no text", place=name, expected="a text")
    return value
