"""A pencil puzzle as a picture, with what is drawn on it: an SVG that stands alone, in the look of the boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from e2.pencil.pzpr.board import BLANK, UNKNOWN, PencilBoard
from e2.pencil.pzpr.history import Session
from e2.pencil.pzpr.puzzle import Puzzle
from e2.views.board_svg import CELL, board_rim, check_look, corner, picture
from e2.views.glyphs import LETTERS, strokes
from e2.views.glyphs import drawn as drawn_strokes
from e2.views.pencil_text import LOOPS, cell_labels, pencil_lines, session_lines

_PAPER, _INK, _GRID = "#fff", "#22252a", "#a9a59a"
_LOOP = "#0b6e4f"
_SHADE = "#7d838c"
_COLOURS = {1: "#d9ecd0", 2: "#fbe5c8"}
_SIZE = 17.0  # height of a figure in a cell
_TRIANGLES = {2: "v{c:g}h{c:g}z", 3: "m{c:g} 0v{c:g}h-{c:g}z", 4: "h{c:g}v{c:g}z", 5: "h{c:g}l-{c:g} {c:g}z"}
"""The triangles of shakashaka by their value, from the upper left of a cell; the first is black at its lower left."""
_ARROWS = ("", "M-4 3l4-6l4 6", "M-4-3l4 6l4-6", "M3-4l-6 4l6 4", "M-3-4l6 4l-6 4")
FOOT = 8.0
"""Room below a board without a line of text."""


def pencil_svg(puzzle: Puzzle, board: PencilBoard, *, cell: int = 40) -> str:
    """The board as the text of an SVG file; `cell` is the side of a cell in pixels.

    The description holds the board as text. SettingsError for a size out of range.
    """
    return _picture(puzzle, board, cell, pencil_lines(puzzle, board))


def session_svg(session: Session, *, cell: int = 40) -> str:
    """A board with what is drawn on it: lines, crosses on sides, shaded cells, triangles or lamps, colours, and dots.

    Numbers that are done with are grey. The description holds the board as text. SettingsError for a size out of range.
    """
    board, below = session.givens, (*_coloured(session), *_shaded(session), *_triangles(session))
    above = (*_drawn_lines(session), *_marks(session))
    done = {board.grid.cell(y // 2, x // 2) for x, y in _places(session, "cell", "qcmp", 1)}
    return _picture(session.puzzle, board, cell, session_lines(session), below, above, done)


def _picture(
    puzzle: Puzzle,
    board: PencilBoard,
    cell: int,
    told: Sequence[str],
    below: Iterable[str] = (),
    above: Iterable[str] = (),
    done: Set[int] = frozenset(),
) -> str:
    check_look("colours", cell)
    parts = [
        f'<rect width="{CELL * board.cols:g}" height="{CELL * board.rows:g}" fill="{_PAPER}"/>',
        *_walls(puzzle, board),
        *below,
        *(_points(board) if puzzle.pid in LOOPS else _lines(board)),
        *_borders(board),
        *_circles(puzzle, board),
        *_numbers(puzzle, board, done),
        *_crosses(board),
        *(_outside(board) if board.outside else board_rim(board.grid)),
        *above,
    ]
    title = f"{puzzle.urlid} {board.cols}x{board.rows}"
    return picture(board.grid, cell, title, "\n".join(told), parts, foot=FOOT)


def _middle(board: PencilBoard, cell: int) -> tuple[float, float]:
    x, y = corner(board.grid, cell)
    return x + CELL / 2, y + CELL / 2


def _is_wall(puzzle: Puzzle, value: int) -> bool:
    """Whether a cell is black: in akari and shakashaka every given is."""
    return puzzle.grid == "walls" and value != BLANK


def _walls(puzzle: Puzzle, board: PencilBoard) -> Iterator[str]:
    path = "".join(
        "M{:g} {:g}h{c:g}v{c:g}h-{c:g}z".format(*corner(board.grid, cell), c=CELL)
        for cell, value in enumerate(board.cells)
        if _is_wall(puzzle, value)
    )
    if path:
        yield f'<path d="{path}" fill="{_INK}"/>'


def _lines(board: PencilBoard) -> Iterator[str]:
    """Thin lines between the cells and a thick one around them."""
    width, height = CELL * board.cols, CELL * board.rows
    path = "".join(f"M0 {CELL * row:g}h{width:g}" for row in range(1, board.rows))
    path += "".join(f"M{CELL * column:g} 0v{height:g}" for column in range(1, board.cols))
    yield f'<path d="{path}" fill="none" stroke="{_GRID}"/>'
    yield f'<rect width="{width:g}" height="{height:g}" fill="none" stroke="{_INK}" stroke-width="2.4"/>'


def _points(board: PencilBoard) -> Iterator[str]:
    """The points that a loop runs through."""
    path = "".join(
        f"M{CELL * column:g} {CELL * row:g}v0" for row in range(board.rows + 1) for column in range(board.cols + 1)
    )
    yield f'<path d="{path}" stroke="{_INK}" stroke-width="4.4" stroke-linecap="round"/>'


def _borders(board: PencilBoard) -> Iterator[str]:
    path = ""
    for index, present in enumerate(board.upright):
        if present:
            row, column = divmod(index, board.cols - 1)
            path += f"M{CELL * (column + 1):g} {CELL * row:g}v{CELL:g}"
    for index, present in enumerate(board.level):
        if present:
            row, column = divmod(index, board.cols)
            path += f"M{CELL * column:g} {CELL * (row + 1):g}h{CELL:g}"
    if path:
        yield f'<path d="{path}" stroke="{_INK}" stroke-width="2.4" stroke-linecap="square"/>'


def _circles(puzzle: Puzzle, board: PencilBoard) -> Iterator[str]:
    if puzzle.pid != "mashu":
        return
    for cell, value in enumerate(board.cells):
        if value in (1, 2):
            x, y = _middle(board, cell)
            fill = _PAPER if value == 1 else _INK
            yield f'<circle cx="{x:g}" cy="{y:g}" r="14" fill="{fill}" stroke="{_INK}" stroke-width="2"/>'


def _numbers(puzzle: Puzzle, board: PencilBoard, done: Set[int]) -> Iterator[str]:
    """What stands in the cells: light on walls, grey if done with, an arrow above a number that has a direction."""
    if puzzle.pid == "mashu":
        return
    for cell, label in enumerate(cell_labels(puzzle, board)):
        value = board.cells[cell]
        if not label or (_is_wall(puzzle, value) and value == UNKNOWN):
            continue
        x, y = _middle(board, cell)
        ink = _SHADE if cell in done else _PAPER if _is_wall(puzzle, value) else _INK
        direction = board.directions[cell] if board.directions else 0
        if direction:
            yield (
                f'<path d="{_ARROWS[direction]}" transform="translate({x:g} {y - 13:g})" fill="none" '
                f'stroke="{ink}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>'
            )
        yield _text(label[1:] if direction else label, x, y + (4 if direction else 0), ink)


def _text(label: str, x: float, y: float, ink: str, size: float = _SIZE) -> str:
    """A number around a point, smaller where it is long; a question mark is drawn by hand."""
    size = size if len(label) < 3 else size * 2.4 / len(label)
    if not set(label) <= LETTERS:
        # ?, + and ! have no glyph: a hook over a dot says "something is here that is no number".
        return (
            f'<path d="M{x - 4:g} {y - 4:g}a4 4 0 1 1 4 4v3m0 5v.1" fill="none" stroke="{ink}" stroke-width="2" '
            f'stroke-linecap="round"/>'
        )
    return drawn_strokes(strokes(label, x, y + size / 2, size), size, ink, weight=1.2)


def _crosses(board: PencilBoard) -> Iterator[str]:
    """Numbers in small circles on the corners of the cells."""
    for index, value in enumerate(board.crosses):
        if value != BLANK:
            row, column = divmod(index, board.cols + 1)
            x, y = CELL * column, CELL * row
            yield f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="{_PAPER}" stroke="{_INK}" stroke-width="1.4"/>'
            yield _text(str(value) if value >= 0 else "?", x, y, _INK, 10)


def _outside(board: PencilBoard) -> Iterator[str]:
    for index, value in enumerate(board.outside):
        if value != BLANK:
            line = index - board.cols
            x, y = (CELL * (index + 0.5), -11.0) if line < 0 else (-11.0, CELL * (line + 0.5))
            yield _text(str(value) if value >= 0 else "?", x, y, _INK, 10)


def _places(session: Session, group: str, property: str, value: int) -> list[tuple[int, int]]:
    """Where a group of pieces, cells or borders, has that value: half cells, from left to right."""
    found = (place for place, now in session.values.items() if place[:2] == (group, property) and now == value)
    return sorted(place[3:] for place in found)


def _coloured(session: Session) -> Iterator[str]:
    """The cells of slither that a player has coloured."""
    for value, colour in _COLOURS.items() if session.puzzle.pid in LOOPS else ():
        for x, y in _places(session, "cell", "qsub", value):
            yield _square(x, y, colour)


def _shaded(session: Session) -> Iterator[str]:
    """Shaded cells, or the lamps of akari."""
    for x, y in _places(session, "cell", "qans", 1):
        if session.puzzle.pid == "lightup":
            yield f'<circle cx="{x * CELL / 2:g}" cy="{y * CELL / 2:g}" r="13" fill="{_LOOP}"/>'
        else:
            yield _square(x, y, _SHADE)


def _square(x: int, y: int, fill: str) -> str:
    """The cell around a point in half cells."""
    left, top = (x - 1) * CELL / 2, (y - 1) * CELL / 2
    return f'<rect x="{left:g}" y="{top:g}" width="{CELL:g}" height="{CELL:g}" fill="{fill}"/>'


def _triangles(session: Session) -> Iterator[str]:
    """The halves of cells that are black in shakashaka."""
    path = "".join(
        f"M{(x - 1) * CELL / 2:g} {(y - 1) * CELL / 2:g}" + shape.format(c=CELL)
        for value, shape in _TRIANGLES.items()
        for x, y in _places(session, "cell", "qans", value)
    )
    if path:
        yield f'<path d="{path}" fill="{_SHADE}"/>'


def _drawn_lines(session: Session) -> Iterator[str]:
    """Lines along the sides, in yajilin across them."""
    path = ""
    for x, y in _places(session, "border", "line", 1):
        level = (y % 2 == 0) is (session.puzzle.pid in LOOPS)
        start_x, start_y = (x - level) * CELL / 2, (y - (not level)) * CELL / 2
        path += f"M{start_x:g} {start_y:g}" + (f"h{CELL:g}" if level else f"v{CELL:g}")
    if path:
        yield f'<path d="{path}" stroke="{_LOOP}" stroke-width="5" stroke-linecap="round"/>'


def _marks(session: Session) -> Iterator[str]:
    """Dots in cells that no line goes through, crosses on sides."""
    lines = set(_places(session, "border", "line", 1))
    dots = "".join(
        f"M{x * CELL / 2:g} {y * CELL / 2:g}v0"
        for x, y in (() if session.puzzle.pid in LOOPS else _places(session, "cell", "qsub", 1))
        if lines.isdisjoint(((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)))
    )
    if dots:
        yield f'<path d="{dots}" stroke="{_LOOP}" stroke-width="6" stroke-linecap="round"/>'
    crosses = "".join(
        f"M{x * CELL / 2 - 4:g} {y * CELL / 2 - 4:g}l8 8m0-8l-8 8" for x, y in _places(session, "border", "qsub", 2)
    )
    if crosses:
        yield f'<path d="{crosses}" stroke="{_LOOP}" stroke-width="1.6" stroke-linecap="round"/>'
