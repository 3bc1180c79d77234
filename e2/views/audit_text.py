"""The audit of a board in words, each fault apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.core.audit import Audit
    from e2.formats.judge import Judged


def audit_lines(judged: Judged) -> Iterator[tuple[str, str]]:
    """The audit for people: a word and what it says, each fault apart."""
    audit = judged.audit
    yield "score", f"{audit.score} of {audit.max_score}, {audit.breaks} breaks, {audit.mismatched} mismatched seams"
    yield "placed", f"{audit.placed} of {audit.width * audit.height} cells, longest run {audit.longest_run}"
    yield "pieces", _pieces(audit)
    if audit.frame_violations:
        yield "frame", f"{audit.frame_violations} cells turn grey inside or a colour to the rim"
    if audit.hints_total:
        yield "hints", f"{audit.hints_kept} of {audit.hints_total} kept{_mandatory(audit)}"
    if audit.board_hash is not None:
        yield "board_hash", str(audit.board_hash)
        yield "symmetry_hash", str(audit.symmetry_hash)
    if audit.motifs_order is not None:
        yield "motifs_order", audit.motifs_order
    for reason in audit.illegal:
        yield "ILLEGAL", printable(reason)
    for warning in audit.warnings:
        yield "note", printable(warning)


def _pieces(audit: Audit) -> str:
    if audit.official_set:
        return "of the official set, none twice"
    if audit.board_hash is None:
        return "of no known set" if not audit.outside_set else f"{audit.outside_set} cells outside the set"
    if audit.duplicates:
        return f"{len(audit.duplicates)} used more than once"
    return "of the puzzle's set, none twice"


def _mandatory(audit: Audit) -> str:
    if audit.mandatory_hint_kept is None:
        return ""
    return ", the mandatory one too" if audit.mandatory_hint_kept else ", not the mandatory one"
