"""Every form that is written is read back to the same thing, for rectangles and for sets that are not distinct."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from e2.core.board import EMPTY
from e2.core.instance import Hint, Instance
from e2.core.pieces import PieceSet
from e2.core.quad import turned
from e2.errors import FormatError
from e2.formats.convert import convert
from e2.formats.detect import detected, read
from e2.formats.format import Document, ReadHint
from e2.formats.judge import judge
from e2.formats.motifs_order import LETTERS, MOTIFS_ORDERS


@st.composite
def boards(draw: st.DrawFn, largest: int = 6, colours: int = 9) -> Document:
    """A rim of grey around random colours, its pieces shuffled and turned, and some cells emptied."""
    width = draw(st.integers(2, largest))
    height = draw(st.integers(2, largest))
    paint = draw(st.randoms(use_true_random=False))
    across = [[paint.randint(1, colours) for _ in range(width - 1)] for _ in range(height)]
    down = [[paint.randint(1, colours) for _ in range(width)] for _ in range(height - 1)]
    quads = [
        (
            down[row - 1][column] if row else 0,
            across[row][column] if column < width - 1 else 0,
            down[row][column] if row < height - 1 else 0,
            across[row][column - 1] if column else 0,
        )
        for row in range(height)
        for column in range(width)
    ]
    order = list(range(len(quads)))
    paint.shuffle(order)
    catalogue = [(0, 0, 0, 0)] * len(quads)
    codes = []
    for cell, piece in enumerate(order):
        rot = paint.randrange(4)
        catalogue[piece] = turned(quads[cell], -rot)
        codes.append(4 * piece + rot if paint.random() < 0.8 else EMPTY)
    shown = tuple(None if code == EMPTY else quad for code, quad in zip(codes, quads, strict=True))
    pinned = [cell for cell, code in enumerate(codes) if code != EMPTY and code & 3 and paint.random() < 0.3]
    hints = tuple(ReadHint(cell, codes[cell] >> 2, codes[cell] & 3) for cell in pinned)
    return Document("generated_board", width, height, shown, tuple(codes), tuple(catalogue), True, hints)


def instance_of(document: Document) -> Instance:
    assert document.catalogue is not None
    hints = tuple(Hint(hint.cell, hint.piece or 0, hint.rot) for hint in document.hints)
    return Instance("generated", document.grid.width, document.grid.height, PieceSet(document.catalogue), hints)


def size_of(document: Document) -> tuple[int, int]:
    return (document.grid.width, document.grid.height)


@settings(max_examples=60, deadline=None)
@given(boards())
@pytest.mark.parametrize("target", ["viewer_url", "bucas_url", "board_doc", "board_edges"])
def test_a_board_comes_back_from_its_text(target: str, document: Document) -> None:
    text = convert(document, target, lossy=True)
    reading = read(text, format=target, size=size_of(document))
    assert reading.quads == document.quads
    judged = judge(reading, instance_of(document))
    assert judged.board is not None
    assert judged.board.quads(PieceSet(document.catalogue or ())) == document.quads
    assert convert(judged, target, lossy=True) == text


@settings(max_examples=60, deadline=None)
@given(boards(colours=2))
def test_a_board_doc_keeps_identity_and_turns_where_edges_do_not_tell_them(document: Document) -> None:
    judged = judge(read(convert(document, "board_doc", lossy=True)), instance_of(document))
    assert judged.board is not None
    assert judged.board.codes == document.codes
    assert convert(judged, "board_doc", lossy=True) == convert(document, "board_doc", lossy=True)


@settings(max_examples=60, deadline=None)
@given(boards(colours=2))
def test_a_link_keeps_identity_where_edges_do_not_tell_it(document: Document) -> None:
    judged = judge(read(convert(document, "viewer_url", lossy=True)), instance_of(document))
    assert judged.board is not None
    assert [code >> 2 for code in judged.board.codes] == [code >> 2 for code in document.codes or ()]


@settings(max_examples=40, deadline=None)
@given(boards())
def test_a_puzzle_comes_back_from_its_json(document: Document) -> None:
    text = convert(document, "puzzle_json", lossy=True)
    reading = read(text)
    assert (reading.width, reading.height) == size_of(document)
    assert (reading.catalogue, reading.hints) == (document.catalogue, document.hints)
    assert convert(reading, "puzzle_json") == text


@settings(max_examples=40, deadline=None)
@given(boards())
def test_a_puzzle_comes_back_from_its_csv_if_it_is_square(document: Document) -> None:
    if not document.is_square:
        with pytest.raises(FormatError, match="no square"):
            convert(document, "puzzle_csv", lossy=True)
        return
    text = convert(document, "puzzle_csv", lossy=True)
    reading = read(text)
    assert reading.catalogue == document.catalogue
    assert sorted(reading.hints or (), key=str) == sorted(document.hints, key=str)
    assert convert(reading, "puzzle_csv") == text


@settings(max_examples=40, deadline=None)
@given(boards())
def test_a_catalogue_comes_back_from_e2pieces(document: Document) -> None:
    text = convert(document, "e2pieces", lossy=True)
    reading = read(text, format="e2pieces")
    assert (reading.width, reading.height) == size_of(document)
    assert reading.catalogue == document.catalogue
    assert convert(reading, "e2pieces") == text


@settings(max_examples=40, deadline=None)
@given(boards())
def test_a_full_board_comes_back_from_e2pieces_as_placed(document: Document) -> None:
    if None in (document.quads or ()):
        with pytest.raises(FormatError, match="cells are empty"):
            convert(document, "e2pieces_placed", lossy=True)
        return
    assert read(convert(document, "e2pieces_placed", lossy=True), format="e2pieces_placed").quads == document.quads


@settings(max_examples=40, deadline=None)
@given(boards())
def test_piece_numbers_come_back_from_board_pieces(document: Document) -> None:
    text = convert(document, "board_pieces", lossy=True)
    reading = read(text, format="board_pieces", size=size_of(document))
    assert reading.numbers == tuple(code >> 2 for code in document.codes or ())


@settings(max_examples=40, deadline=None)
@given(boards())
def test_hints_come_back_from_their_text(document: Document) -> None:
    if document.hints:
        text = convert(document, "hints", lossy=True)
        reading = read(text)
        assert [(hint.cell, hint.rot) for hint in reading.hints or ()] == [(h.cell, h.rot) for h in document.hints]
        assert convert(reading, "hints") == text


@settings(max_examples=20, deadline=None)
@given(boards(colours=LETTERS - 1))
@pytest.mark.parametrize("order", MOTIFS_ORDERS)
def test_a_link_is_written_and_read_in_every_letter_order(order: str, document: Document) -> None:
    text = convert(document, "bucas_url", lossy=True, motifs_order=order)
    assert read(text).quads == document.quads


@settings(max_examples=20, deadline=None)
@given(boards())
@pytest.mark.parametrize("target", ["viewer_url", "bucas_url", "board_doc", "puzzle_json"])
def test_what_is_written_is_recognised(target: str, document: Document) -> None:
    assert detected(convert(document, target, lossy=True)).name == target
