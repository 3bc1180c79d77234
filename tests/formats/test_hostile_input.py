"""Input that means harm, or is only far too big, is refused in time and never written as it came."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

from e2.errors import E2Error, FormatError
from e2.formats import FORMATS
from e2.formats.convert import convert, convert_all
from e2.formats.detect import read, read_all
from e2.formats.format import MAX_NAME, Document
from e2.formats.judge import judge
from e2.formats.viewer_url import written_name

EMPTY_4X4 = "a" * 64


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("../../x", "_x"),
        ("<script>alert(1)</script>", "_script_alert_1_script_"),
        ("a\x1b[31mb\x00c\nd", "a_31mb_c_d"),
        ("keyring-460", "keyring_460"),
        ("J+B", "J_B"),
        ("Größe", "Gr_e"),
        ("", "eternity2_board"),
        (None, "eternity2_board"),
    ],
)
def test_a_written_name_is_plain(name: str | None, written: str) -> None:
    assert written_name(name) == written


@pytest.mark.parametrize("name", ["../../x", "<script>", "\x1b[31m", "x" * 100_000, 'a"b\\'])
def test_no_form_lets_a_name_through_as_it_came(name: str) -> None:
    document = Document(name, 2, 2, (None,) * 4, (-1,) * 4, ((0, 1, 1, 0),) * 4)
    texts, _ = convert_all(document)
    for text in texts.values():
        assert text is None or written_name(name) == name or name not in text


def test_a_long_name_is_cut_when_read() -> None:
    reading = read(f"https://e2.bucas.name/#puzzle={'x' * 5000}&board_w=4&board_h=4&board_edges={EMPTY_4X4}")
    assert len(reading.name or "") == MAX_NAME
    assert any("5000 characters" in warning for warning in reading.warnings)


def refused(text: str) -> FormatError:
    started = time.monotonic()
    with pytest.raises(FormatError) as caught:
        judge(read(text))
    assert time.monotonic() - started < 10
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()
    return caught.value


def test_ten_megabytes_are_refused() -> None:
    assert "10000000 characters" in refused("x" * 10_000_000).message


@pytest.mark.parametrize(
    "text",
    [
        "a" * 4_000_000,
        "0 0 1 1\n" * 500_000,
        "1," * 2_000_000,
        "1/2 " * 1_000_000,
        "[" * 4_000_000,
        '{"pieces":' * 300_000,
        '{"pieces":' + "[" * 4_000_000,
        "https://e2.bucas.name/#board_w=64&board_h=64&board_edges= " + "a " * 1_000_000,
        "https://x/?puzzle=1 " * 200_000,
        "> " * 2_000_000,
        "=\n" * 2_000_000 + "=3D",
        "hints=" + "1-" * 2_000_000,
        "139 8 7 2\n" * 300_000,
    ],
    ids=lambda text: text[:12].strip(),
)
def test_a_flood_is_refused_in_time(text: str) -> None:
    refused(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"board_edges": "aaaa", "size": 1000000000}',
        '{"board_edges": "aaaa", "width": 65, "height": 1}',
        '{"board_edges": "aaaa", "size": 1e9}',
        '{"board_edges": "aaaa", "size": true}',
        '{"board_edges": "aaaa", "size": 1, "score": 1e400}',
        '{"board_edges": "aaaa", "size": 1, "board_hash": 1e300}',
        '{"board_edges": "aaaa", "size": 1, "board_hash": [1]}',
        '{"board_edges": "aaaa", "size": 1, "board": [4]}',
        '{"board_edges": "aaaa", "size": 1, "board": [1.0]}',
        '{"board_edges": 5, "size": 1}',
        '{"board_edges": "aaaa", "size": 1, "name": {}}',
        '{"width": 99999, "height": 99999, "pieces": []}',
        '{"width": 1, "height": 1, "pieces": [[0, 0, 0, 99999999999999999999]]}',
        '{"width": 1, "height": 1, "pieces": [[0, 0, 0, -1]]}',
        '{"width": 1, "height": 1, "pieces": [[0, 0, 0, 0]], "hints": [7]}',
        '{"width": 1, "height": 1, "pieces": [[0, 0, 0, 0]], "hints": {"a": 1}}',
        '{"rows": 1, "cols": 1, "tiles": [[1, 1, 1, 1]], "placed": [{"row": 0, "col": 0, "tile": [2, 1, 1, 1]}]}',
        "{}",
        '["board_edges"]',
        "https://e2.bucas.name/#board_w=99999999999&board_h=1&board_edges=aaaa",
        "https://e2.bucas.name/#board_w=65&board_h=65&board_edges=aaaa",
        "https://e2.bucas.name/#board_w=-1&board_h=1&board_edges=aaaa",
        "https://e2.bucas.name/#board_w=1&board_h=1&board_edges=aaaa&motifs_order=\x1b[31m",
        "65 65\n0 0 0 0",
        "1\n0 0 0 0",
        "99999\n0,0,0,0",
        "\x00\x1b[2J",
    ],
)
def test_a_document_that_lies_is_an_error_with_a_place(text: str) -> None:
    error = refused(text)
    assert error.expected


@pytest.mark.parametrize("format", [format.name for format in FORMATS])
@pytest.mark.parametrize(
    "text",
    [
        "5",
        "word",
        "16\nword",
        f"4\n{'9' * 5000},1,1,1",
        f"{'1' * 16},{'1' * 16},{'0' * 15}1,{'0' * 15}1,{'9' * 5000},0",
        "https://e2.bucas.name/#board_edges=aaaa",
    ],
    ids=lambda text: text[:12],
)
def test_a_text_read_as_a_format_that_it_is_not_is_one_of_our_errors(text: str, format: str) -> None:
    with contextlib.suppress(FormatError):
        read(text, format=format)


def test_a_hash_beyond_64_bits_is_a_claim_that_fits_nothing() -> None:
    judged = judge(read(f'{{"board_edges": "{"a" * 1024}", "size": 16, "board_hash": 18446744073709551616}}'))
    assert judged.audit.hash_definition is None
    assert "fits no known definition" in judged.audit.warnings[0]


@pytest.mark.parametrize("claim", ["-1", '"-5"', '"--5"', '"0x12"', '"' + "9" * 5000 + '"', "1.5e19", "null"])
def test_any_hash_claim_is_survived(claim: str) -> None:
    audit = judge(read(f'{{"board_edges": "{"a" * 1024}", "size": 16, "board_hash": {claim}}}')).audit
    assert audit.placed == 0
    assert all(len(warning) < 200 for warning in audit.warnings)


def test_a_thousand_links_are_each_an_own_reading() -> None:
    text = f"https://e2.bucas.name/#puzzle=x&board_w=4&board_h=4&board_edges={EMPTY_4X4}\n" * 300
    assert len(read_all(text)) == 300


@pytest.mark.parametrize("mangle", [str.upper, lambda text: text[::-1], lambda text: text.replace("=", " ")])
def test_a_mangled_link_is_one_of_our_errors(mangle: Callable[[str], str]) -> None:
    link = convert(Document("x", 2, 2, ((0, 1, 2, 0), None, None, None)), "viewer_url")
    with pytest.raises(E2Error):
        judge(read(mangle(link)))
