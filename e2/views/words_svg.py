"""Words on a grid as text and as a picture: the letters, and a band along each word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from e2.core.grid import Grid
from e2.pencil.word_search import Placed
from e2.views.board_svg import CELL, board_rim, check_look, corner, picture
from e2.views.glyphs import drawn, strokes

_PAPER, _INK, _FAINT, _GRID = "#fff", "#22252a", "#8b8f96", "#d8d5cd"
_BANDS = ("#e4a11b", "#2f7f9e", "#b5496b", "#5a8f3c", "#7b62b8", "#c4622d")
_SIZE = 15.0  # height of a letter
_BAND = 26.0  # width of a band
_FOOT = 8.0


def grid_lines(grid: Grid, letters: Sequence[str]) -> list[str]:
    """The rows of the grid, a blank between two letters and a dot in an empty cell."""
    shown = [letter or "." for letter in letters]
    return [" ".join(shown[row * grid.width : (row + 1) * grid.width]) for row in range(grid.height)]


def words_svg(grid: Grid, letters: Sequence[str], placed: Sequence[Placed], *, cell: int = 40) -> str:
    """The grid as the text of an SVG file; `cell` is the side of a cell in pixels.

    `letters` are capitals, "" in an empty cell. The description holds the grid and the words as text. SettingsError
    for a size out of range.
    """
    check_look("letters", cell)
    width, height = CELL * grid.width, CELL * grid.height
    lines = "".join(f"M0 {CELL * row:g}h{width:g}" for row in range(1, grid.height))
    lines += "".join(f"M{CELL * column:g} 0v{height:g}" for column in range(1, grid.width))
    parts = [
        f'<rect width="{width:g}" height="{height:g}" fill="{_PAPER}" stroke="{_INK}" stroke-width="2.4"/>',
        f'<path d="{lines}" stroke="{_GRID}"/>' if lines else "",
        *_bands(grid, placed),
        *_letters(grid, letters, {at for word in placed for at in word.cells}),
        *board_rim(grid),
    ]
    words = [f"{word.word} from {grid.name(word.cells[0])} to {grid.name(word.cells[-1])}" for word in placed]
    told = "\n".join([*grid_lines(grid, letters), *words])
    title = f"{len(placed)} word{'' if len(placed) == 1 else 's'}, {grid.width}x{grid.height}"
    return picture(grid, cell, title, told, filter(None, parts), foot=_FOOT)


def _middle(grid: Grid, cell: int) -> tuple[float, float]:
    x, y = corner(grid, cell)
    return x + CELL / 2, y + CELL / 2


def _bands(grid: Grid, placed: Sequence[Placed]) -> Iterator[str]:
    """A band from the first letter of each word to its last; that of one letter is a disc."""
    for number, word in enumerate(placed):
        (x, y), (end_x, end_y) = _middle(grid, word.cells[0]), _middle(grid, word.cells[-1])
        yield (
            f'<path d="M{x:g} {y:g}L{end_x:g} {end_y:g}" stroke="{_BANDS[number % len(_BANDS)]}" '
            f'stroke-width="{_BAND:g}" stroke-opacity=".38" stroke-linecap="round"/>'
        )


def _letters(grid: Grid, letters: Sequence[str], used: set[int]) -> Iterator[str]:
    """The letters of words dark, those between them light."""
    for ink, is_ink in ((_FAINT, False), (_INK, True)):
        path = ""
        for cell, letter in enumerate(letters):
            if letter and (cell in used) is is_ink:
                x, y = _middle(grid, cell)
                path += strokes(letter, x, y + _SIZE / 2, _SIZE)
        if path:
            yield drawn(path, _SIZE, ink, weight=1.2)
