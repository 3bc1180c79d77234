"""A board that shows itself where pictures can be seen, such as in a notebook."""

from __future__ import annotations

from e2.core.instance import Instance
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


def drawn_document(judged: Judged, instance: Instance | None = None) -> Document:
    """The board for the one who draws it: also one that is illegal, with as much as can be said of it."""
    if judged.board is not None and judged.audit.is_legal:
        return document(judged, instance if instance is not None else judged.instance)
    return Document(
        name=judged.reading.name,
        width=judged.grid.width,
        height=judged.grid.height,
        quads=judged.quads,
        codes=None if judged.board is None else judged.board.codes,
        catalogue=None if judged.instance is None else judged.instance.pieces.quads,
        hints=judged.reading.hints or (),
    )
