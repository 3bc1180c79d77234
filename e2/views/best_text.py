"""The best boards for people, for a forum and for a spreadsheet."""

from __future__ import annotations

import csv
import io
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from e2.core.board import EMPTY
from e2.errors import FormatError
from e2.formats import board_pieces, bucas_url, viewer_url
from e2.formats.convert import document
from e2.formats.format import Document
from e2.store.best import Ranked
from e2.views.links import viewer_links
from e2.views.terminal import printable

_LINKS = ((viewer_url.HOST, "viewer_url"), (bucas_url.HOST, "bucas_url"))
_MARKUP = frozenset(string.punctuation) - frozenset("<>&\"',;")
_FORMULA = frozenset("=+-@")


def best_record(rank: int, ranked: Ranked) -> dict[str, Any]:
    """The promise of `e2 best --json`: all of it recomputed from the board, None where a form cannot hold it."""
    audit = ranked.judged.audit
    given = document(ranked.judged)
    links = viewer_links(given)
    return {
        "rank": rank,
        "score": audit.score,
        "max_score": audit.max_score,
        "unmatched": audit.breaks,
        "mismatched": audit.mismatched,
        "placed": audit.placed,
        "distinct_pieces": len(set(given.codes or ()) - {EMPTY}),
        "official_set": audit.official_set,
        "hints_kept": audit.hints_kept,
        "hints_total": audit.hints_total,
        "mandatory_hint_kept": audit.mandatory_hint_kept,
        "board_hash": audit.board_hash,
        "symmetry_hash": audit.symmetry_hash,
        "turn_of": ranked.turn_of,
        "name": printable(ranked.judged.reading.name or "", 200),
        "files": [printable(str(path), 1000) for path in ranked.paths],
        "viewer_url": links.get(viewer_url.HOST),
        "bucas_url": links.get(bucas_url.HOST),
        "board_pieces": _written(board_pieces.write, given),
    }


def best_lines(record: Mapping[str, Any]) -> Iterator[str]:
    """One board for the terminal."""
    yield f"{record['rank']}. {_score(record)}  {record['name']}".rstrip()
    yield f"  audit   {audit_sentence(record)}"
    yield f"  hash    {record['board_hash']}, symmetry_hash {record['symmetry_hash']}{_turn(record)}"
    for number, name in enumerate(record["files"]):
        yield f"  {'found  ' if not number else '       '} {name}"
    for word, key in (("pieces", "board_pieces"), ("viewer", "viewer_url"), ("bucas", "bucas_url")):
        if record[key] is not None:
            yield f"  {word:<7} {record[key]}"


def best_markdown(records: Sequence[Mapping[str, Any]]) -> str:
    """A forum post: a table, then each board with its links and piece numbers. Names and files are escaped."""
    lines = ["| | score | unmatched | hints | pieces | board_hash |", "|---:|---:|---:|---:|---|---|"]
    for record in records:
        cells = (_score(record), str(record["unmatched"]), _hints(record) or "-", _pieces(record))
        lines.append(f"| {record['rank']} | {' | '.join(cells)} | `{record['board_hash']}`{_turn(record)} |")
    for record in records:
        links = [f"[{word}]({record[key]})" for word, key in _LINKS if record[key] is not None]
        lines += ["", f"**{record['rank']}. {_score(record)}** {markdown_text(record['name'])}".rstrip()]
        lines += ["", f"{audit_sentence(record)}."]
        lines += ["", " \u00b7 ".join(links)] if links else []
        if record["board_pieces"] is not None:
            lines += ["", "```", record["board_pieces"], "```"]
    return "\n".join(lines)


def best_csv(records: Sequence[Mapping[str, Any]]) -> str:
    """A table with a head line; several files of one board are separated by ` | `."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(records[0].keys())
    for record in records:
        writer.writerow([_spreadsheet_cell(value) for value in record.values()])
    return text.getvalue().rstrip("\n")


def audit_sentence(record: Mapping[str, Any]) -> str:
    """What a forum asks of a board, in one line."""
    parts = [f"{_score(record)} matched", f"{record['unmatched']} unmatched ({record['mismatched']} mismatched)"]
    if hints := _hints(record):
        parts.append(f"hints {hints}{_mandatory(record)}")
    return ", ".join((*parts, _pieces(record)))


def markdown_text(text: str) -> str:
    """A stranger's words as plain text in Markdown, and in HTML that may be made of it.

    >>> markdown_text("[x](y) <b>")
    '\\\\[x\\\\]\\\\(y\\\\) &lt;b&gt;'
    """
    plain = "".join(f"\\{letter}" if letter in _MARKUP else letter for letter in text)
    return escape(plain)


def _score(record: Mapping[str, Any]) -> str:
    return f"{record['score']} / {record['max_score']}"


def _hints(record: Mapping[str, Any]) -> str:
    return f"{record['hints_kept']} of {record['hints_total']}" if record["hints_total"] else ""


def _mandatory(record: Mapping[str, Any]) -> str:
    if record["mandatory_hint_kept"] is None:
        return ""
    return " (the mandatory one too)" if record["mandatory_hint_kept"] else " (not the mandatory one)"


def _pieces(record: Mapping[str, Any]) -> str:
    of = "of the official set" if record["official_set"] else "of the puzzle's own set"
    return f"{record['distinct_pieces']} distinct pieces {of}"


def _turn(record: Mapping[str, Any]) -> str:
    return "" if record["turn_of"] is None else f", the whole board {record['turn_of']} turned"


def _written(write: Callable[[Document], str], given: Document) -> str | None:
    try:
        return write(given)
    except FormatError:
        return None


def _spreadsheet_cell(value: object) -> object:
    """Text that a spreadsheet would run as a formula gets a quotation mark in front; several files become one text."""
    if isinstance(value, list):
        value = " | ".join(value)
    return f"'{value}" if isinstance(value, str) and value[:1] in _FORMULA else value
