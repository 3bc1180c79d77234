"""e2 verify: everything that can be wrong with a board, recomputed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.options import From, Json, Lenient, Puzzle
from e2.cli.output import BAD_INPUT, DONE, NO, error_record, note, say, say_json
from e2.errors import E2Error
from e2.store.inputs import Item, items, puzzle_option, readings
from e2.views.audit_text import audit_lines
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.formats.judge import Judged


def verify(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT...", help="Files, folders, -, links or letters.")],
    puzzle: Puzzle = None,
    format: From = None,
    lenient: Lenient = False,
    json: Json = False,
) -> int:
    """Recompute every claim about a board: score, pieces, hints, hashes.

    Exit code 1 if a board is illegal (a piece twice, or not in the set), 2 if an input cannot be read.

    \b
    Example:
      e2 verify tests/cases/url-470-blackwood.txt tests/cases/edges-465.txt
    """
    instance = puzzle_option(puzzle)
    code = DONE
    for argument in inputs:
        try:
            for item in items(argument, instance):
                try:
                    code = max(code, *(_told(judged, item, json) for judged in _judged(item, format, lenient)))
                except E2Error as error:
                    code = _refused(item.label, error, json)
        except E2Error as error:
            code = _refused(argument, error, json)
    return code


def _refused(label: str, error: E2Error, json: bool) -> int:
    if json:
        say_json({"input": printable(label, 200), "error": error_record(error)})
    else:
        note(f"error: {printable(label, 60)}: {printable(str(error), 2000)}")
    return BAD_INPUT


def _judged(item: Item, format: str | None, lenient: bool) -> Iterator[Judged]:
    from e2.formats.judge import judge

    for reading in readings(item, format, lenient):
        yield judge(reading, item.instance)


def _told(judged: Judged, item: Item, json: bool) -> int:
    if json:
        say_json(audit_record(item.label, judged))
    else:
        name = printable(judged.reading.name or "", 60)
        say(f"{printable(item.label, 80)}: {judged.reading.format}" + (f" {name!r}" if name else ""))
        for word, text in audit_lines(judged):
            say(f"  {word:<14} {text}")
    return DONE if judged.audit.is_legal else NO


def audit_record(label: str, judged: Judged) -> dict[str, object]:
    """The promise of `e2 verify --json`."""
    from dataclasses import asdict

    audit = judged.audit
    return {
        "input": printable(label, 200),
        "format": judged.reading.format,
        "width": audit.width,
        "height": audit.height,
        "score": audit.score,
        "max_score": audit.max_score,
        "breaks": audit.breaks,
        "placed": audit.placed,
        "mismatched": audit.mismatched,
        "duplicates": audit.duplicates,
        "outside_set": audit.outside_set,
        "frame_violations": audit.frame_violations,
        "hints_kept": audit.hints_kept,
        "hints_total": audit.hints_total,
        "mandatory_hint_kept": audit.mandatory_hint_kept,
        "longest_run": audit.longest_run,
        "official_set": audit.official_set,
        "board_hash": audit.board_hash,
        "symmetry_hash": audit.symmetry_hash,
        "hash_definition": audit.hash_definition,
        "motifs_order": audit.motifs_order,
        "claimed": asdict(audit.claimed),
        "legal": audit.is_legal,
        "warnings": [printable(warning) for warning in (*audit.illegal, *audit.warnings)],
    }
