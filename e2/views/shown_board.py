"""A board that shows itself where pictures can be seen, such as in a notebook."""

from __future__ import annotations

from e2.formats.convert import document
from e2.formats.format import Document
from e2.formats.judge import Judged
from e2.views.board_svg import board_svg


class ShownBoard(Judged):
    """A judged board with a picture of itself."""

    @classmethod
    def of(cls, judged: Judged) -> ShownBoard:
        """The same board and audit."""
        return cls(judged.reading, judged.grid, judged.quads, judged.board, judged.instance, judged.audit)

    def svg(self, *, style: str = "motifs", cell: int = 40) -> str:
        """The picture as SVG; `cell` is the side of a cell in pixels. SettingsError for an unknown style or size."""
        return board_svg(drawn_document(self), style=style, cell=cell)

    def _repr_svg_(self) -> str:
        return self.svg()


def drawn_document(judged: Judged) -> Document:
    """What a picture of the board is drawn from: with the hints it was held against, and also for an illegal board."""
    if judged.board is not None or not judged.audit.illegal:
        return document(judged, judged.instance)
    return Document(judged.reading.name, judged.grid.width, judged.grid.height, judged.quads)
