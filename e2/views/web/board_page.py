"""What a page says of one board: picture, audit, seams, hints, links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from e2.core.board import EMPTY
from e2.core.grid import Seam
from e2.core.instance import Instance
from e2.core.quad import opposite
from e2.core.score import score_quads
from e2.formats import viewer_url
from e2.formats.format import Document, Reading
from e2.formats.judge import Judged, judge
from e2.store.inputs import bundled_puzzles, the_puzzle
from e2.views.audit_text import audit_lines
from e2.views.board_svg import board_svg, colour_name
from e2.views.links import viewer_links
from e2.views.shown_board import drawn_document


@dataclass(frozen=True)
class PinRow:
    """A hint as a table shows it: cell, piece number and turn as far as they are known, and whether it is kept."""

    cell: str
    piece: int | None
    rot: int
    kept: bool | None


@dataclass(frozen=True)
class SeamRow:
    """A seam that is not matched: both cells, and the letters or numbers of the two colours that meet there."""

    cell: str
    neighbour: str
    colours: tuple[str, str]


@dataclass(frozen=True)
class BoardPage:
    """All that is shown of a board. `links` are (label, address); `own_link` is the viewer's path on this server."""

    name: str
    score: int
    max_score: int
    svg: str
    facts: tuple[tuple[str, str], ...]
    seams: tuple[SeamRow, ...]
    open_seams: int
    pins: tuple[PinRow, ...]
    links: tuple[tuple[str, str], ...]
    own_link: str | None


def judged_of_link(reading: Reading) -> Judged:
    """The board of a reading, held against the puzzle that comes with e2 under the same name, where its cells fit."""
    if reading.has_board and reading.catalogue is None:
        puzzle = _bundled(reading.name)
        if puzzle is not None and (puzzle.width, puzzle.height) == (reading.width, reading.height):
            judged = judge(reading, puzzle)
            if judged.board is not None:
                return judged
    return judge(reading)


def board_page(judged: Judged, instance: Instance | None = None, *, style: str = "motifs") -> BoardPage:
    """What to show of a board that has been judged. `instance` gives the hints of a board that brings none."""
    given = drawn_document(judged, instance)
    # A link pins what its own text pinned: the hints of a puzzle belong to the puzzle.
    shared = given if judged.reading.hints else replace(given, hints=())
    links = viewer_links(shared)
    own = links.get(viewer_url.HOST)
    score = score_quads(judged.grid, judged.quads)
    return BoardPage(
        name=judged.reading.name or "",
        score=score.matched,
        max_score=score.max_score,
        svg=board_svg(given, style=style),
        facts=tuple(audit_lines(judged)),
        seams=tuple(_seam_row(judged, seam) for seam in score.mismatched),
        open_seams=score.breaks - len(score.mismatched),
        pins=tuple(_pins(given)),
        links=tuple(links.items()),
        own_link=own and own.removeprefix(f"https://{viewer_url.HOST}"),
    )


def _bundled(name: str | None) -> Instance | None:
    """The puzzle that comes with e2 and has that name, folders written as `_`."""
    if name is None:
        return None
    key = next(
        (key for key in bundled_puzzles() if viewer_url.written_name(key) == viewer_url.written_name(name)), None
    )
    return None if key is None else the_puzzle(key)


def _seam_row(judged: Judged, seam: Seam) -> SeamRow:
    here, there = judged.quads[seam.cell], judged.quads[seam.neighbour]
    assert here is not None
    assert there is not None
    colours = colour_name(here[seam.side]), colour_name(there[opposite(seam.side)])
    return SeamRow(judged.grid.name(seam.cell), judged.grid.name(seam.neighbour), colours)


def _pins(given: Document) -> Iterator[PinRow]:
    for hint in given.hints:
        kept = None
        if given.codes is not None and hint.piece is not None:
            kept = given.codes[hint.cell] == 4 * hint.piece + hint.rot
        elif given.codes is not None:
            code = given.codes[hint.cell]
            kept = code != EMPTY and code & 3 == hint.rot
        yield PinRow(given.grid.name(hint.cell), None if hint.piece is None else hint.piece + 1, hint.rot, kept)
