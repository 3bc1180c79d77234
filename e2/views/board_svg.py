"""A board as a picture: an SVG that stands alone or in a page, with the text of the board in it.

Nothing in it needs a font, a script or another file. The only ids are those of the motifs, which are the same drawing
in every picture, so that many boards may stand on one page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from html import escape

from e2.core.grid import Grid, Seam
from e2.core.quad import Quad
from e2.core.score import score_quads
from e2.errors import SettingsError
from e2.formats.format import Document
from e2.views.board_text import MATCHED, MISMATCHED, seam_state
from e2.views.glyphs import END, START, drawn, strokes, text_width, written
from e2.views.motifs import HALF, motif
from e2.views.terminal import printable

STYLES = ("motifs", "colours", "letters")
CELLS = (4, 400)
"""The least and the most pixels of a cell."""

_SIDE = 2 * HALF  # a cell, in the units of the picture
_MARGIN, _FOOT = 22.0, 30.0
_PAPER, _INK, _FAINT, _EMPTY = "#fbfaf7", "#22252a", "#6b6f76", "#e9e7e1"
_TRIANGLES = ("l-20-20h40z", "l20-20v40z", "l20 20h-40z", "l-20 20v-40z")  # from the middle of a cell, by side


def board_svg(given: Document, *, style: str = "motifs", cell: int = 40) -> str:
    """The board as the text of an SVG file; `cell` is the side of a cell in pixels.

    A document without a board is drawn empty. Raises SettingsError for an unknown style or a size out of range.
    """
    check_look(style, cell)
    grid = given.grid
    quads = given.quads or (None,) * grid.cells
    parts = [
        *_ground(grid, quads),
        *_SIDES[style](grid, quads),
        *_lines(grid, quads),
        *_seam_marks(grid, quads),
        *_pins(given, grid),
        *_rim(grid),
        *_foot(given, grid, quads),
    ]
    return _picture(grid, cell, *_told(given, grid, quads), parts)


def check_look(style: str, cell: int) -> None:
    """Raise the SettingsError that a style or a size deserves."""
    if style not in STYLES:
        raise SettingsError(f"{printable(style, 40)!r} is no style; expected one of {', '.join(STYLES)}")
    if not CELLS[0] <= cell <= CELLS[1]:
        raise SettingsError(f"a cell of {cell} pixels; expected {CELLS[0]} to {CELLS[1]}")


def _picture(grid: Grid, cell: int, title: str, told: str, parts: list[str]) -> str:
    width = _SIDE * grid.width + 2 * _MARGIN
    height = _SIDE * grid.height + _MARGIN + _FOOT
    scale = cell / _SIDE
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.5g}" height="{height * scale:.5g}" '
            f'viewBox="{-_MARGIN:g} {-_MARGIN:g} {width:g} {height:g}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(told)}</desc>",
            f'<rect x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="{width:g}" height="{height:g}" rx="6" fill="{_PAPER}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _told(given: Document, grid: Grid, quads: tuple[Quad | None, ...]) -> tuple[str, str]:
    """Title and description: what the picture shows, in words and letters."""
    score = score_quads(grid, quads)
    name = printable(given.name or "board", 80)
    placed = sum(quad is not None for quad in quads)
    lines = [
        f"{name}: {grid.width}x{grid.height}, {placed} of {grid.cells} cells filled, "
        f"{score.matched} of {score.max_score} seams matched."
    ]
    if score.mismatched:
        lines.append("Mismatched seams: " + ", ".join(_seam_name(grid, seam) for seam in score.mismatched) + ".")
    if given.hints:
        lines.append("Hints: " + ", ".join(grid.name(hint.cell) for hint in given.hints) + ".")
    lines.append("board_edges: " + "".join(map(_cell_letters, quads)))
    return f"{name}, {score.matched} / {score.max_score}", "\n".join(lines)


def _seam_name(grid: Grid, seam: Seam) -> str:
    return f"{grid.name(seam.cell)}-{grid.name(seam.neighbour)}"


def _cell_letters(quad: Quad | None) -> str:
    """The four letters of a cell; colours without one as numbers in brackets."""
    return "".join(colour_name(colour) if colour < 26 else f"[{colour}]" for colour in quad or (0, 0, 0, 0))


def colour_name(colour: int) -> str:
    """The letter of eternity2.dev, or the number of a colour that has none."""
    return chr(ord("a") + colour) if colour < 26 else str(colour)


def _middle(grid: Grid, cell: int) -> tuple[float, float]:
    row, column = grid.row_column(cell)
    return _SIDE * column + HALF, _SIDE * row + HALF


def _ground(grid: Grid, quads: tuple[Quad | None, ...]) -> Iterator[str]:
    width, height = _SIDE * grid.width, _SIDE * grid.height
    yield f'<rect width="{width:g}" height="{height:g}" fill="{_EMPTY}"/>'
    empty = "".join(
        f"M{_middle(grid, cell)[0] - 3:g} {_middle(grid, cell)[1]:g}h6m-3-3v6"
        for cell, quad in enumerate(quads)
        if quad is None
    )
    if empty:
        yield f'<path d="{empty}" stroke="#b9b5aa" stroke-width="1.5"/>'


def _triangles(grid: Grid, quads: tuple[Quad | None, ...]) -> Iterator[str]:
    """The grounds of all sides, one path for each colour. A thin pen of the same colour closes hairlines."""
    paths: dict[str, list[str]] = defaultdict(list)
    for cell, quad in enumerate(quads):
        x, y = _middle(grid, cell)
        for side, colour in enumerate(quad or ()):
            paths[motif(colour).ground].append(f"M{x:g} {y:g}{_TRIANGLES[side]}")
    for ground, path in sorted(paths.items()):
        yield f'<path fill="{ground}" d="{"".join(path)}"/>'


def _motifs(grid: Grid, quads: tuple[Quad | None, ...]) -> Iterator[str]:
    yield from _triangles(grid, quads)
    colours = sorted({colour for quad in quads for colour in quad or () if motif(colour).shape})
    yield "<defs>"
    for colour in colours:
        drawing = motif(colour)
        yield f'<path id="e2-motif-{colour}" fill="{drawing.ink}" fill-rule="evenodd" d="{drawing.shape}"/>'
    yield "</defs>"
    for side in range(4):
        uses = []
        for cell, quad in enumerate(quads):
            if quad is None or not motif(quad[side]).shape:
                continue
            x, y = _middle(grid, cell)
            # The group is turned, so the middle of the cell is turned back.
            for _ in range(side):
                x, y = y, -x
            uses.append(f'<use href="#e2-motif-{quad[side]}" x="{x:g}" y="{y - HALF:g}"/>')
        yield f'<g transform="rotate({90 * side})">{"".join(uses)}</g>'


def _letters(grid: Grid, quads: tuple[Quad | None, ...]) -> Iterator[str]:
    yield from _triangles(grid, quads)
    size = 7.0
    paths = []
    for cell, quad in enumerate(quads):
        x, y = _middle(grid, cell)
        for side, colour in enumerate(quad or ()):
            dx, dy = ((0, -13), (13, 0), (0, 13), (-13, 0))[side]
            paths.append(strokes(colour_name(colour), x + dx, y + dy + 2.5, size))
    yield drawn("".join(paths), size, _INK)


_SIDES = {"motifs": _motifs, "colours": _triangles, "letters": _letters}


def _lines(grid: Grid, quads: tuple[Quad | None, ...]) -> Iterator[str]:
    """Thin lines around the cells and between the sides of a piece."""
    inner = "".join(
        "M{:g} {:g}l40 40m0-40l-40 40".format(*(value - HALF for value in _middle(grid, cell)))
        for cell, quad in enumerate(quads)
        if quad is not None
    )
    yield f'<path d="{inner}" fill="none" stroke="#000" stroke-opacity=".35" stroke-width=".6"/>'
    width, height = _SIDE * grid.width, _SIDE * grid.height
    outer = "".join(f"M0 {_SIDE * row:g}h{width:g}" for row in range(grid.height + 1))
    outer += "".join(f"M{_SIDE * column:g} 0v{height:g}" for column in range(grid.width + 1))
    yield f'<path d="{outer}" fill="none" stroke="#000" stroke-opacity=".5" stroke-width=".8"/>'


def _seam_marks(grid: Grid, quads: tuple[Quad | None, ...]) -> Iterator[str]:
    """A solid bar on a mismatched seam, a dashed line on an open one."""
    bars, dashes = [], []
    for seam in grid.seams:
        state = seam_state(grid, quads, seam.cell, seam.side)
        if state == MATCHED:
            continue
        x, y = _middle(grid, seam.neighbour)
        line = f"M{x - HALF:g} {y - HALF:g}" + ("v40" if seam.neighbour == seam.cell + 1 else "h40")
        (bars if state == MISMATCHED else dashes).append(line)
    if dashes:
        yield f'<path d="{"".join(dashes)}" stroke="#fff" stroke-width="3.4"/>'
        yield f'<path d="{"".join(dashes)}" stroke="{_INK}" stroke-width="2" stroke-dasharray="4 4"/>'
    if bars:
        path = "".join(bars)
        yield f'<path d="{path}" stroke="#fff" stroke-width="8" stroke-linecap="round"/>'
        yield f'<path d="{path}" stroke="#c00018" stroke-width="4.6" stroke-linecap="round"/>'


def _pins(given: Document, grid: Grid) -> Iterator[str]:
    """A pin on each hint: full where its piece lies there as it should, hollow where not."""
    for hint in given.hints:
        x, y = _middle(grid, hint.cell)
        code = None if hint.piece is None else 4 * hint.piece + hint.rot
        kept = given.codes is not None and given.codes[hint.cell] == code
        yield (
            f'<path transform="translate({x:g} {y:g})" d="M0 7C-2 2-6.5 0-6.5-4.5a6.5 6.5 0 0 1 13 0C6.5 0 2 2 0 7z" '
            f'fill="{_INK if kept else "#fff"}" stroke="{"#fff" if kept else _INK}" stroke-width="1.6"/>'
        )
        yield f'<circle cx="{x:g}" cy="{y - 4.5:g}" r="2.4" fill="{"#fff" if kept else _INK}"/>'


def _rim(grid: Grid) -> Iterator[str]:
    """Row letters and column numbers, as people write cells."""
    size = 8.0
    paths = [strokes(str(column + 1), _SIDE * column + HALF, -7, size) for column in range(grid.width)]
    for row in range(grid.height):
        name = grid.name(row * grid.width).rstrip("0123456789")
        paths.append(strokes(name, -11, _SIDE * row + HALF + size / 2, size))
    yield drawn("".join(paths), size, _FAINT)


def _foot(given: Document, grid: Grid, quads: tuple[Quad | None, ...]) -> Iterator[str]:
    score = score_quads(grid, quads)
    line = _SIDE * grid.height + 21
    text = f"{score.matched} / {score.max_score}"
    yield written(text, _SIDE * grid.width, line, 12, _INK, anchor=END, weight=1.2)
    left = _SIDE * grid.width - text_width(text, 12) - 16
    note = f"{len(score.mismatched)} mismatched"
    if text_width(note, 8) <= left:
        yield written(note, 0, line, 8, _FAINT, anchor=START)
