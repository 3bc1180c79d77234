"""Puzzle links as pzprjs reads and writes them: the grammar, the primitives, and one line for each kind of puzzle."""

from __future__ import annotations

from e2.pencil.pzpr.parts import (
    ARROW_CELLS,
    CELLS_AND_BORDERS,
    CIRCLES,
    CROSSES,
    CROSSES_AND_BORDERS,
    FOUR_CELLS,
    NUMBERED_ROOMS,
    OUTSIDE_AND_TREES,
    ROOMS,
    SIXTEEN_CELLS,
    TEN_CELLS,
    LetterRooms,
    PlainCrosses,
)
from e2.pencil.pzpr.puzzle import Puzzle

_EVERY_POINT = (("f", "the loop visits every point"),)
_EVERY_CELL = (("f", "the loop visits every cell"),)
_OUTSIDE = (("o", "all shaded cells lie outside the loop"),)

PUZZLES = (
    Puzzle("slither", FOUR_CELLS, ("slitherlink",), flags=_EVERY_POINT, kanpen="cells"),
    Puzzle("swslither", TEN_CELLS, flags=_EVERY_POINT),
    Puzzle("vslither", FOUR_CELLS, flags=_EVERY_POINT),
    Puzzle("tslither", FOUR_CELLS, flags=_EVERY_POINT),
    Puzzle("shakashaka", FOUR_CELLS, grid="walls", kanpen="cells"),
    Puzzle("lightup", FOUR_CELLS, ("bijutsukan",), "akari", grid="walls", kanpen="cells"),
    Puzzle("mashu", CIRCLES, ("masyu", "pearl"), flags=_EVERY_CELL, kanpen="cells"),
    Puzzle("nurikabe", SIXTEEN_CELLS, kanpen="cells"),
    Puzzle("shikaku", SIXTEEN_CELLS, kanpen="cells"),
    Puzzle("kurodoko", SIXTEEN_CELLS, kanpen="cells"),
    Puzzle("nurimisaki", SIXTEEN_CELLS),
    Puzzle("cave", SIXTEEN_CELLS, ("bag",)),
    Puzzle("fillomino", CELLS_AND_BORDERS, ("fillomino01",), flags=(("t", "rooms of three"),), kanpen="cells"),
    Puzzle("heyawake", NUMBERED_ROOMS, ("heyawacky",), file=("area", "cells"), kanpen="squares"),
    Puzzle("ayeheya", NUMBERED_ROOMS, file=("area", "cells"), kanpen="squares"),
    Puzzle("akichi", NUMBERED_ROOMS, flags=(("x", "the numbers are the most"),), file=("area", "cells")),
    Puzzle("oneroom", NUMBERED_ROOMS, file=("area", "cells")),
    Puzzle(
        *("yajilin", ARROW_CELLS, ("yajirin",)),
        flags=(*_OUTSIDE, ("b", "grey cells under the numbers")),
        grid="arrows",
        kanpen="cells",
    ),
    Puzzle("yajilin-regions", NUMBERED_ROOMS, ("yajirin-regions",), flags=_OUTSIDE, file=("rooms", "cells")),
    Puzzle("lits", ROOMS, old=LetterRooms(), file=("area",), kanpen="rooms"),
    Puzzle("norinori", ROOMS, file=("area",), kanpen="rooms"),
    Puzzle("sumiwake", CROSSES_AND_BORDERS, file=("crosses", "area")),
    Puzzle("tents", OUTSIDE_AND_TREES, file=("framed",)),
    Puzzle("gokigen", CROSSES, old=PlainCrosses(), file=("crosses",)),
    Puzzle("creek", CROSSES, old=PlainCrosses(), file=("crosses",)),
)
