"""Make the pictures of README.md and docs/pictures.md: python scripts/make_pictures.py, from the checkout's folder."""

from __future__ import annotations

from pathlib import Path

import e2
from e2.formats.format import Document
from e2.views.board_svg import board_svg
from e2.views.difference_svg import difference_svg
from e2.views.motif_legend import legend_svg
from e2.views.shown_board import drawn_document

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pictures"


def drawn(place: str) -> Document:
    """A board of the checkout."""
    return drawn_document(e2.load_board(ROOT / place))


def pictures() -> dict[str, str]:
    """File name -> the picture."""
    record = drawn("tests/cases/url-470-blackwood.txt")
    partial, full = drawn("tests/cases/doc-wrong-score.json"), drawn("tests/cases/url-keyring-460.txt")
    return {
        "board.svg": board_svg(record),
        "letters.svg": board_svg(record, style="letters"),
        "colours.svg": board_svg(record, style="colours", cell=24),
        "partial.svg": board_svg(partial, cell=24),
        "difference.svg": difference_svg(partial, full, cell=32),
        "motifs.svg": legend_svg(),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        (FOLDER / name).write_text(picture, "utf-8")
        print(f"wrote {(FOLDER / name).relative_to(ROOT)}")
