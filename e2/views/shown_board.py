"""A board that shows itself where pictures can be seen, such as in a notebook."""

from __future__ import annotations

from e2.formats.convert import document
from e2.formats.judge import Judged
from e2.views.board_svg import board_svg


class ShownBoard(Judged):
    """A judged board with a picture of itself."""

    @classmethod
    def of(cls, judged: Judged) -> ShownBoard:
        """The same board and audit."""
        return cls(judged.reading, judged.grid, judged.quads, judged.board, judged.instance, judged.audit)

    def svg(self, *, style: str = "motifs", cell: int = 40) -> str:
        """The picture as SVG: see `e2.views.board_svg`. FormatError where cells show no piece of the board's set."""
        return board_svg(document(self, self.instance), style=style, cell=cell)

    def _repr_svg_(self) -> str:
        return self.svg()
