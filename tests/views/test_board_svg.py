from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from views.pixels import lab, part, pixels

from e2.errors import SettingsError
from e2.formats import board_edges
from e2.formats.convert import document
from e2.formats.format import Document, ReadHint
from e2.formats.load import load_board
from e2.views.board_svg import CELL, STYLES, board_svg
from e2.views.terminal import printable

CASES = Path(__file__).parent.parent / "cases"
SVG = "{http://www.w3.org/2000/svg}"
WRONG, EMPTY = "#b80018", "#e9e7e1"


def case(name: str) -> Document:
    """A board of the cases, with the hints of the puzzle that it belongs to."""
    judged = load_board((CASES / name).read_text("utf-8"))
    return document(judged, judged.instance)


@pytest.fixture(scope="module")
def blackwood() -> Document:
    """470 of 480, ten seams mismatched, one of five hints kept."""
    return case("url-470-blackwood.txt")


@pytest.fixture(scope="module")
def partial() -> Document:
    """204 of 256 cells, 374 seams matched, the others beside empty cells."""
    return case("doc-wrong-score.json")


def parsed(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def path_with(root: ElementTree.Element, **attributes: str) -> str:
    """The data of the one path that has these attributes, empty if there is none."""
    wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
    found = [path.get("d") or "" for path in root.iter(f"{SVG}path") if wanted.items() <= path.attrib.items()]
    assert len(found) < 2
    return found[0] if found else ""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("cell", [20, 48])
def test_a_board_of_256_cells_is_below_200_kb(blackwood: Document, style: str, cell: int) -> None:
    svg = board_svg(blackwood, style=style, cell=cell)
    assert parsed(svg).get("width") == f"{(16 * CELL + 44) * cell / CELL:g}"
    assert 10_000 < len(svg.encode()) < 200_000


@pytest.mark.parametrize("style", STYLES)
def test_a_picture_says_what_it_shows(blackwood: Document, style: str) -> None:
    root = parsed(board_svg(blackwood, style=style))
    title, told = root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")
    assert title == "Joshua_Blackwood_470, 470 / 480"
    assert told is not None
    assert blackwood.quads is not None
    assert "470 of 480 seams matched" in told
    assert board_edges.letters_of("board_edges", blackwood.quads) in told
    seams = told.split("Mismatched seams: ")[1].split(".")[0].split(", ")
    assert len(seams) == 10
    assert "B6-C6" in seams
    assert "I8" in told.split("Hints: ")[1]


def test_nothing_in_it_needs_a_font_a_script_or_a_file(blackwood: Document) -> None:
    for style in STYLES:
        svg = board_svg(blackwood, style=style)
        tags = {element.tag.removeprefix(SVG) for element in parsed(svg).iter()}
        assert tags <= {"svg", "title", "desc", "rect", "path", "g", "defs", "use", "circle"}
        assert set(re.findall(r'href="(.)', svg)) <= {"#"}
        assert "url(" not in svg
        assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_one_id_is_one_drawing_on_all_boards(blackwood: Document, partial: Document) -> None:
    drawings: dict[str, set[bytes]] = {}
    for given in (blackwood, partial, case("url-sample-4x4.txt")):
        for style in STYLES:
            for element in parsed(board_svg(given, style=style)).iter():
                if (name := element.get("id")) is not None:
                    drawings.setdefault(name, set()).add(ElementTree.tostring(element).strip())
    assert len(drawings) == 22
    assert all(len(same) == 1 for same in drawings.values())


@pytest.mark.parametrize(
    "name",
    ["<script>alert(1)</script>", '"><img src=x onerror=y>', "a\x1b[2Jb\x00\ufffe", "\u202egnp.exe", "x" * 10_000],
)
def test_a_strangers_name_is_only_text(blackwood: Document, name: str) -> None:
    svg = board_svg(replace(blackwood, name=name))
    root = parsed(svg)
    assert root.findtext(f"{SVG}title") == f"{printable(name, 80)}, 470 / 480"
    assert len(svg) < 200_000
    assert "<script" not in svg
    assert "\u202e" not in svg


def test_every_mismatched_seam_has_a_bar_and_no_open_one(blackwood: Document, partial: Document) -> None:
    root = parsed(board_svg(blackwood))
    assert path_with(root, stroke=WRONG).count("M") == 10
    assert path_with(root, stroke_dasharray="4 4") == ""
    root = parsed(board_svg(partial))
    assert path_with(root, stroke=WRONG) == ""
    # 106 seams are not matched: those between two empty cells have no mark.
    assert partial.quads is not None
    empty = {cell for cell, quad in enumerate(partial.quads) if quad is None}
    open_seams = 106 - sum(seam.cell in empty and seam.neighbour in empty for seam in partial.grid.seams)
    assert path_with(root, stroke_dasharray="4 4").count("M") == open_seams
    told = root.findtext(f"{SVG}desc") or ""
    assert told.split("empty cell: ")[1].split(".")[0].count(", ") + 1 == open_seams


def test_marks_on_seams_are_seen_in_grey(blackwood: Document) -> None:
    """Across the mismatched seam between B6 and C6, a quarter of a cell from its end: white, dark, white."""
    across = lab(part(board_svg(blackwood), 5.25 * CELL, 2 * CELL - 5, 4, 10), "grey")[..., 0]
    assert across[9:11].max() < 45
    assert across[1:4].min() > 95
    assert across[-4:-1].min() > 95


def test_a_mismatched_seam_and_an_open_one_differ_in_grey(blackwood: Document) -> None:
    """Along the seam between B6 and C6, with and without the piece at C6: the bar is solid, the line broken."""
    codes, quads, cell = blackwood.codes, blackwood.quads, 2 * 16 + 5
    assert codes is not None
    assert quads is not None
    without = replace(
        blackwood, codes=(*codes[:cell], -1, *codes[cell + 1 :]), quads=(*quads[:cell], None, *quads[cell + 1 :])
    )
    lines = [
        lab(part(board_svg(given), 5.1 * CELL, 2 * CELL - 0.5, 32, 1), "grey")[..., 0] for given in (blackwood, without)
    ]
    assert np.ptp(lines[0]) < 5
    assert np.ptp(lines[1]) > 60


def test_empty_cells_are_shown_as_such(partial: Document) -> None:
    root = parsed(board_svg(partial))
    assert path_with(root, stroke="#b9b5aa").count("M") == 256 - 204
    seen = part(board_svg(partial), 8.2 * CELL, 14.2 * CELL, 4, 4)  # in O9, which is empty, off its middle
    assert (np.round(seen * 255) == [int(EMPTY[at : at + 2], 16) for at in (1, 3, 5)]).all()


def test_a_pin_is_full_where_the_hint_is_kept(blackwood: Document, partial: Document) -> None:
    def pins(given: Document) -> list[str | None]:
        return [
            path.get("fill") for path in parsed(board_svg(given)).iter(f"{SVG}path") if "M0 9" in (path.get("d") or "")
        ]

    assert sorted(map(str, pins(blackwood))) == ["#22252a", *["#fff"] * 4]
    assert pins(partial) == ["#22252a"] * 5
    assert pins(replace(partial, hints=())) == []


@pytest.mark.parametrize("style", STYLES)
def test_the_score_stands_in_the_corner_without_any_font(blackwood: Document, style: str) -> None:
    corners = [
        part(board_svg(given, style=style), 14 * CELL, 16 * CELL + 5, 80, 20, scale=1)
        for given in (blackwood, case("edges-465.txt"))
    ]
    assert corners[0].min() < 0.3  # strokes on paper
    assert abs(corners[0] - corners[1]).max() > 0.5  # 465 is not written as 470


def test_piece_numbers_stand_where_they_can_be_read(blackwood: Document) -> None:
    def numbers(style: str, cell: int) -> bool:
        return 'transform="scale(0.5)"' in board_svg(blackwood, style=style, cell=cell)

    assert numbers("letters", 48)
    assert numbers("colours", 48)
    assert not numbers("letters", 40)
    assert not numbers("motifs", 80)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 3), (12, 6), (64, 3), (1, 64)])
def test_any_size_and_any_colour_is_drawn(style: str, width: int, height: int) -> None:
    cells = width * height
    quads = tuple((cell % 30, cell % 977, 25, 65534) if cell % 5 != 4 else None for cell in range(cells))
    given = Document(width=width, height=height, quads=quads, hints=(ReadHint(0, None, 0),))
    svg = board_svg(given, style=style, cell=4)
    assert f"{2 * cells - width - height}" in (parsed(svg).findtext(f"{SVG}title") or "")
    seen = pixels(svg)
    assert seen.shape[:2] == (round((height * CELL + 52) / 10), round((width * CELL + 44) / 10))
    assert np.ptp(seen) > 0.4


def test_a_colour_without_a_letter_is_written_as_its_number() -> None:
    told = parsed(board_svg(Document(width=1, height=1, quads=((0, 22, 26, 1000),)))).findtext(f"{SVG}desc")
    assert told is not None
    assert told.endswith("board_edges: aw[26][1000]")


def test_a_matched_seam_shows_one_whole_motif() -> None:
    """Around the seam between two matched cells, the picture is the same after half a turn."""
    given = Document(width=2, height=1, quads=((0, 9, 0, 0), (0, 0, 0, 9)))
    motif = part(board_svg(given), CELL - 16, 4, 32, 32)
    assert abs(motif - motif[::-1, ::-1]).max() < 0.25  # thin lines only
    assert abs(motif - motif[:, ::-1]).max() > 0.5  # colour 9 is slanted: a mirror would be another thing


@pytest.mark.parametrize(
    ("style", "cell", "said"), [("fancy", 40, "no style"), ("motifs", 0, "0 pixels"), ("motifs", 401, "401")]
)
def test_an_unknown_look_is_refused(blackwood: Document, style: str, cell: int, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        board_svg(blackwood, style=style, cell=cell)
