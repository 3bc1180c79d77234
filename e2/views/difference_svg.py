"""Two boards of one size, cell by cell: what lies in both, what is turned, what is another piece, what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from e2.core.board import EMPTY
from e2.core.quad import shape
from e2.errors import SettingsError
from e2.formats.format import Document
from e2.views.board_svg import CELL, FOOT, board_rim, check_look, corner, picture, told_name
from e2.views.glyphs import START, drawn, strokes, written

SAME, TURNED, OTHER, ONLY_FIRST, ONLY_SECOND, EMPTY_IN_BOTH = range(6)
"""How a cell of the second board stands to that of the first."""
WORDS = (
    "same piece and turn",
    "same piece turned",
    "other piece",
    "only in the first",
    "only in the second",
    "empty in both",
)

_GROUNDS = ("#f4f2ec", "#f3c969", "#24507f", "#ffffff", "#ffffff", "#e2dfd8")
_INKS = ("#8d8a82", "#3f2a00", "#ffffff", "#22252a", "#22252a", "#8d8a82")
_PATTERNS = ("#f4f2ec", "#b27a00", "#3d6a9b", "#22252a", "#22252a", "#8d8a82")
_SLANT = "m0 10l10-10m-10 20l20-20m-20 30l30-30m-30 40l40-40m-30 40l30-30m-20 30l20-20m-10 20l10-10"
_MARKS = (
    "",
    _SLANT,
    "m0 10h40m-40 10h40m-40 10h40m-30-30v40m10-40v40m10-40v40",
    "m2 2h36v36h-36zm0 0l36 36",
    "m2 2h36v36h-36zm36 0l-36 36",
    "m11 20h18m-9-9v18",
)
"""What is drawn on a cell beside its colour, from its top left corner."""
_LINE = 20.0  # one line of the legend
_SIZE = 8.0


def differences(first: Document, second: Document) -> tuple[int, ...]:
    """For each cell one of SAME ... EMPTY_IN_BOTH.

    Placements decide where both boards have them from one set; else what the cells show. Raises SettingsError where
    the boards differ in size.
    """
    sizes = [f"{given.width}x{given.height}" for given in (first, second)]
    if sizes[0] != sizes[1]:
        raise SettingsError(f"a board of {sizes[0]} and one of {sizes[1]} have no cells to compare")
    if first.codes is not None and second.codes is not None and first.catalogue == second.catalogue:
        return tuple(
            _relation(
                None if one == EMPTY else (one >> 2, one),
                None if two == EMPTY else (two >> 2, two),
            )
            for one, two in zip(first.codes, second.codes, strict=True)
        )
    nothing = (None,) * first.grid.cells
    return tuple(
        _relation(None if one is None else (shape(one), one), None if two is None else (shape(two), two))
        for one, two in zip(first.quads or nothing, second.quads or nothing, strict=True)
    )


def _relation(one: tuple[object, object] | None, two: tuple[object, object] | None) -> int:
    """Of (piece, piece with its turn) in each board."""
    if one is None or two is None:
        return EMPTY_IN_BOTH if one is two else ONLY_SECOND if one is None else ONLY_FIRST
    if one == two:
        return SAME
    return TURNED if one[0] == two[0] else OTHER


def difference_svg(first: Document, second: Document, *, cell: int = 40) -> str:
    """The differences as the text of an SVG file, with piece numbers where the set is known, and a legend with counts.

    `cell` is the side of a cell in pixels. Raises SettingsError for boards of two sizes, or a size out of range.
    """
    check_look("motifs", cell)
    grid = first.grid
    found = differences(first, second)
    counts = [found.count(kind) for kind in range(len(WORDS))]
    names = f"{told_name(first)} against {told_name(second)}"
    told = [f"{names}: " + ", ".join(f"{word} {count}" for word, count in zip(WORDS, counts, strict=True)) + "."]
    for kind in range(1, EMPTY_IN_BOTH):
        cells = [grid.name(number) for number, relation in enumerate(found) if relation == kind]
        if cells:
            told.append(f"{WORDS[kind]}: {', '.join(cells)}.")
    parts = [*_tiles(first, second, found), *board_rim(grid), *_legend(CELL * grid.height, counts)]
    foot = FOOT + _LINE * (sum(map(bool, counts)) - 1)
    # The widest line of the legend needs the room of four cells.
    return picture(grid, cell, names, "\n".join(told), parts, foot=foot, least_width=4 * CELL)


def _tiles(first: Document, second: Document, found: tuple[int, ...]) -> Iterator[str]:
    grid = first.grid
    for kind in range(len(WORDS)):
        cells = [number for number, relation in enumerate(found) if relation == kind]
        corners = ["M{:g} {:g}".format(*corner(grid, number)) for number in cells]
        if not cells:
            continue
        yield f'<path fill="{_GROUNDS[kind]}" d="{"".join(at + "h40v40h-40z" for at in corners)}"/>'
        if _MARKS[kind]:
            path = "".join(at + _MARKS[kind] for at in corners)
            yield f'<path fill="none" stroke="{_PATTERNS[kind]}" stroke-width="1.6" d="{path}"/>'
        numbers = "".join(_cell_numbers(first, second, number, kind) for number in cells)
        if numbers:
            yield drawn(numbers, _SIZE, _GROUNDS[kind], weight=5)
            yield drawn(numbers, _SIZE, _INKS[kind], weight=1.1)
    lines = "".join(f"M0 {CELL * row:g}h{CELL * grid.width:g}" for row in range(grid.height + 1))
    lines += "".join(f"M{CELL * column:g} 0v{CELL * grid.height:g}" for column in range(grid.width + 1))
    yield f'<path fill="none" stroke="#000" stroke-opacity=".45" stroke-width=".8" d="{lines}"/>'


def _cell_numbers(first: Document, second: Document, cell: int, kind: int) -> str:
    """The piece number; of two different pieces the first board's above the second's."""
    x, y = corner(first.grid, cell)
    codes = [given.codes[cell] for given in (first, second) if given.codes is not None]
    shown = [str((code >> 2) + 1) for code in codes if code != EMPTY]
    if kind != OTHER:
        shown = shown[:1]
    tops = (24.0,) if len(shown) == 1 else (18.0, 30.0)
    return "".join(strokes(text, x + 20, y + top, _SIZE) for text, top in zip(shown, tops, strict=False))


def _legend(bottom: float, counts: list[int]) -> Iterator[str]:
    line = bottom + 8
    for kind, count in enumerate(counts):
        if not count:
            continue
        yield (
            f'<g transform="translate(0 {line:g}) scale(.375)"><path d="M0 0h40v40h-40z" fill="{_GROUNDS[kind]}"/>'
            f'<path d="M0 0{_MARKS[kind]}" fill="none" stroke="{_PATTERNS[kind]}" stroke-width="2.5"/>'
            f'<path d="M0 0h40v40h-40z" fill="none" stroke="#000" stroke-opacity=".45" stroke-width="2"/></g>'
        )
        yield written(f"{WORDS[kind]}: {count}", 22, line + 11.5, _SIZE, "#22252a", anchor=START)
        line += _LINE
