"""A board as a picture: an SVG that stands alone or in a page, with the text of the board in it.

Nothing in it needs a font, a script or another file. The only ids are those of the motifs, which are the same drawing
in every picture, so that many boards may stand on one page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from e2.core.board import EMPTY
from e2.core.grid import Grid, Seam
from e2.core.quad import RIGHT, Quad
from e2.core.score import score_quads
from e2.errors import SettingsError
from e2.formats.format import Document
from e2.views.board_text import MATCHED, MISMATCHED, OPEN, seam_state
from e2.views.glyphs import END, START, drawn, strokes, text_width, written
from e2.views.motifs import HALF, motif
from e2.views.terminal import printable

STYLES = ("motifs", "colours", "letters")
CELLS = (4, 400)
"""The least and the most pixels of a cell."""

CELL = 2 * HALF
"""A cell, in the units of the picture. The board begins at (0, 0)."""
FOOT = 30.0
"""Room for one line below the board."""
_MARGIN = 22.0
_PAPER, _INK, _FAINT, _EMPTY = "#fbfaf7", "#22252a", "#6b6f76", "#e9e7e1"
_WRONG = "#b80018"
_NUMBER = 5.0  # height of a piece number
_NUMBERED_FROM = 48  # pixels: in smaller cells numbers crowd out the rest
_LETTER = 9.5  # height of a capital
_LETTER_AT = ((0, -14), (14, 0), (0, 14), (-14, 0))  # from the middle of a cell, by side
_TRIANGLES = ("l-20-20h40z", "l20-20v40z", "l20 20h-40z", "l-20 20v-40z")  # from the middle of a cell, by side


def board_svg(given: Document, *, style: str = "motifs", cell: int = 40) -> str:
    """The board as the text of an SVG file; `cell` is the side of a cell in pixels.

    A document without a board is drawn empty. Raises SettingsError for an unknown style or a size out of range.
    """
    check_look(style, cell)
    grid = given.grid
    quads = given.quads or (None,) * grid.cells
    numbered = style != "motifs" and cell >= _NUMBERED_FROM
    parts = [
        *_ground(grid, quads),
        *_SIDES[style](grid, quads),
        *_lines(grid, quads),
        *_seam_marks(grid, quads),
        *(_numbers(given, grid) if numbered else ()),
        *_pins(given, grid, numbered),
        *board_rim(grid),
        *_foot(grid, quads),
    ]
    return picture(grid, cell, *_told(given, grid, quads), parts)


def check_look(style: str, cell: int) -> None:
    """Raise the SettingsError that a style or a size deserves."""
    if style not in STYLES:
        raise SettingsError(f"{printable(style, 40)!r} is no style; expected one of {', '.join(STYLES)}")
    if not CELLS[0] <= cell <= CELLS[1]:
        raise SettingsError(f"a cell of {cell} pixels; expected {CELLS[0]} to {CELLS[1]}")


def picture(
    grid: Grid, cell: int, title: str, told: str, parts: Iterable[str], *, foot: float = FOOT, least_width: float = 0
) -> str:
    """The whole file around the parts of a board: paper, title and description; `foot` is the room below the board."""
    width = max(CELL * grid.width, least_width) + 2 * _MARGIN
    height = CELL * grid.height + _MARGIN + foot
    scale = cell / CELL
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.6g}" height="{height * scale:.6g}" '
            f'viewBox="{-_MARGIN:g} {-_MARGIN:g} {width:g} {height:g}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(told)}</desc>",
            f'<rect x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="{width:g}" height="{height:g}" rx="6" fill="{_PAPER}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _told(given: Document, grid: Grid, quads: Sequence[Quad | None]) -> tuple[str, str]:
    """Title and description: what the picture shows, in words and letters."""
    score = score_quads(grid, quads)
    name = told_name(given)
    placed = sum(quad is not None for quad in quads)
    lines = [
        f"{name}: {grid.width}x{grid.height}, {placed} of {grid.cells} cells filled, "
        f"{score.matched} of {score.max_score} seams matched, {score.breaks} unmatched."
    ]
    if score.mismatched:
        lines.append("Mismatched seams: " + ", ".join(_seam_name(grid, seam) for seam in score.mismatched) + ".")
    open_seams = [seam for seam in grid.seams if seam_state(grid, quads, seam.cell, seam.side) == OPEN]
    if open_seams:
        lines.append("Seams beside an empty cell: " + ", ".join(_seam_name(grid, seam) for seam in open_seams) + ".")
    if given.hints:
        lines.append("Hints: " + ", ".join(grid.name(hint.cell) for hint in given.hints) + ".")
    lines.append("board_edges: " + "".join(map(_cell_letters, quads)))
    return f"{name}, {score.matched} / {score.max_score}", "\n".join(lines)


def told_name(given: Document) -> str:
    """The name of a board as a picture may say it."""
    return printable(given.name or "board", 80)


def _seam_name(grid: Grid, seam: Seam) -> str:
    return f"{grid.name(seam.cell)}-{grid.name(seam.neighbour)}"


def _cell_letters(quad: Quad | None) -> str:
    """The four letters of a cell; colours without one as numbers in brackets."""
    return "".join(colour_name(colour) if colour < 26 else f"[{colour}]" for colour in quad or (0, 0, 0, 0))


def colour_name(colour: int) -> str:
    """The letter of eternity2.dev, or the number of a colour that has none."""
    return chr(ord("a") + colour) if colour < 26 else str(colour)


def corner(grid: Grid, cell: int) -> tuple[float, float]:
    """Where the top left corner of a cell lies."""
    row, column = grid.row_column(cell)
    return CELL * column, CELL * row


def _middle(grid: Grid, cell: int) -> tuple[float, float]:
    x, y = corner(grid, cell)
    return x + HALF, y + HALF


def _ground(grid: Grid, quads: Sequence[Quad | None]) -> Iterator[str]:
    width, height = CELL * grid.width, CELL * grid.height
    yield f'<rect width="{width:g}" height="{height:g}" fill="{_EMPTY}"/>'
    empty = "".join(
        f"M{_middle(grid, cell)[0] - 3:g} {_middle(grid, cell)[1]:g}h6m-3-3v6"
        for cell, quad in enumerate(quads)
        if quad is None
    )
    if empty:
        yield f'<path d="{empty}" stroke="#b9b5aa" stroke-width="1.5"/>'


def _triangles(grid: Grid, quads: Sequence[Quad | None]) -> Iterator[str]:
    """The grounds of all sides, one path for each colour. A thin pen of the same colour closes hairlines."""
    paths: dict[str, list[str]] = defaultdict(list)
    for cell, quad in enumerate(quads):
        x, y = _middle(grid, cell)
        for side, colour in enumerate(quad or ()):
            paths[motif(colour).ground].append(f"M{x:g} {y:g}{_TRIANGLES[side]}")
    for ground, path in sorted(paths.items()):
        yield f'<path fill="{ground}" d="{"".join(path)}"/>'


def _motifs(grid: Grid, quads: Sequence[Quad | None]) -> Iterator[str]:
    yield from _triangles(grid, quads)
    colours = sorted({colour for quad in quads for colour in quad or () if motif(colour).shape})
    yield "<defs>"
    for colour in colours:
        drawing = motif(colour)
        yield f'<path id="e2-motif-{colour}" fill="{drawing.ink}" d="{drawing.shape}"/>'
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


def _letters(grid: Grid, quads: Sequence[Quad | None]) -> Iterator[str]:
    yield from _triangles(grid, quads)
    paths: dict[str, list[str]] = defaultdict(list)
    for cell, quad in enumerate(quads):
        x, y = _middle(grid, cell)
        for (dx, dy), colour in zip(_LETTER_AT, quad or (), strict=False):
            letter = strokes(colour_name(colour), x + dx, y + dy + 0.35 * _LETTER, _LETTER)
            paths[motif(colour).ink].append(letter)
    for ink, path in sorted(paths.items()):
        yield drawn("".join(path), _LETTER, ink, weight=1.15)


_SIDES: dict[str, Callable[[Grid, Sequence[Quad | None]], Iterator[str]]] = {
    "motifs": _motifs,
    "colours": _triangles,
    "letters": _letters,
}


def _lines(grid: Grid, quads: Sequence[Quad | None]) -> Iterator[str]:
    """Thin lines around the cells and between the sides of a piece."""
    inner = "".join(
        "M{:g} {:g}l40 40m0-40l-40 40".format(*(value - HALF for value in _middle(grid, cell)))
        for cell, quad in enumerate(quads)
        if quad is not None
    )
    yield f'<path d="{inner}" fill="none" stroke="#000" stroke-opacity=".35" stroke-width=".6"/>'
    width, height = CELL * grid.width, CELL * grid.height
    outer = "".join(f"M0 {CELL * row:g}h{width:g}" for row in range(grid.height + 1))
    outer += "".join(f"M{CELL * column:g} 0v{height:g}" for column in range(grid.width + 1))
    yield f'<path d="{outer}" fill="none" stroke="#000" stroke-opacity=".5" stroke-width=".8"/>'


def _seam_marks(grid: Grid, quads: Sequence[Quad | None]) -> Iterator[str]:
    """A solid bar on a mismatched seam, a dashed line on an open one."""
    bars: list[str] = []
    dashes: list[str] = []
    for seam in grid.seams:
        state = seam_state(grid, quads, seam.cell, seam.side)
        if state == MATCHED:
            continue
        x, y = _middle(grid, seam.neighbour)
        line = f"M{x - HALF:g} {y - HALF:g}" + ("v40" if seam.side == RIGHT else "h40")
        (bars if state == MISMATCHED else dashes).append(line)
    if dashes:
        yield f'<path d="{"".join(dashes)}" stroke="#fff" stroke-width="3.4"/>'
        yield f'<path d="{"".join(dashes)}" stroke="{_INK}" stroke-width="2" stroke-dasharray="4 4"/>'
    if bars:
        path = "".join(bars)
        yield f'<path d="{path}" stroke="{_INK}" stroke-width="11.5" stroke-linecap="round"/>'
        yield f'<path d="{path}" stroke="#fff" stroke-width="10" stroke-linecap="round"/>'
        yield f'<path d="{path}" stroke="{_WRONG}" stroke-width="5.2" stroke-linecap="round"/>'


def _numbers(given: Document, grid: Grid) -> Iterator[str]:
    """The piece number in the middle of each cell, with a halo."""
    paths = []
    for cell, code in enumerate(given.codes or ()):
        if code != EMPTY:
            x, y = _middle(grid, cell)
            paths.append(strokes(str((code >> 2) + 1), x, y + _NUMBER / 2, _NUMBER))
    path = "".join(paths)
    if path:
        yield drawn(path, _NUMBER, "#fff", weight=4)
        yield drawn(path, _NUMBER, _INK)


def _pins(given: Document, grid: Grid, numbered: bool) -> Iterator[str]:
    """A pin on each hint, above a number: full where its piece lies as it should, else hollow."""
    place = "translate(0 -10.5) scale(.8)" if numbered else ""
    for hint in given.hints:
        x, y = _middle(grid, hint.cell)
        code = None if hint.piece is None else 4 * hint.piece + hint.rot
        kept = given.codes is not None and given.codes[hint.cell] == code
        inside, outside = (_INK, "#fff") if kept else ("#fff", _INK)
        yield (
            f'<g transform="translate({x:g} {y:g}) {place}">'
            f'<path d="M0 9C-2 3-8-0-8-5.5a8 8 0 0 1 16 0C8 0 2 3 0 9z" fill="{inside}" stroke="{outside}" '
            f'stroke-width="2"/><circle cy="-5.5" r="3" fill="{outside}"/></g>'
        )


def board_rim(grid: Grid) -> Iterator[str]:
    """Row letters and column numbers, as people write cells."""
    size = 8.0
    paths = [strokes(str(column + 1), CELL * column + HALF, -7, size) for column in range(grid.width)]
    for row in range(grid.height):
        name = grid.name(row * grid.width).rstrip("0123456789")
        paths.append(strokes(name, -11, CELL * row + HALF + size / 2, size))
    yield drawn("".join(paths), size, _FAINT)


def _foot(grid: Grid, quads: Sequence[Quad | None]) -> Iterator[str]:
    """The score in the right corner; in the left one what keeps it from the full one, where there is room."""
    score = score_quads(grid, quads)
    right, line = CELL * grid.width, CELL * grid.height + 21
    text = f"{score.matched} / {score.max_score}"
    yield written(text, right, line, 12, _INK, anchor=END, weight=1.2)
    mismatched = len(score.mismatched)
    note = f"{mismatched} mismatched"
    if score.breaks > mismatched:
        note += f", {score.breaks - mismatched} at empty cells"
    if text_width(note, 8) + 12 <= right - text_width(text, 12):
        yield written(note, 0, line, 8, _FAINT, anchor=START)
