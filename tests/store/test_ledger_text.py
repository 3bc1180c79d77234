from dataclasses import replace

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from e2.core.fingerprint import board_hash
from e2.core.generate import generated
from e2.errors import FormatError
from e2.store import ledger_text
from e2.store.ledger import DONE, FAILED, OPEN
from e2.store.ledger_text import Book, Header, lines, read
from e2.store.tree_ledger import ELSEWHERE, Account

HEADER = Header(
    "1.0",
    "0123456789abcdef",
    generated(4, 4, 5, seed=1, pins=1).instance,
    {"parameters": {"fill_order": "rows"}, "merge": ["pieces"], "region": [0, 0, 2, 3]},
)
ACCOUNTS = (
    Account((), DONE, (4, 6), 0, 3),
    Account((0,), DONE, (5, 0, 2**61), 2, 1),
    Account((0, 7), OPEN, (3,), 0, 0, 0.125, (3, 0, 7, 9, 12)),
    Account((4,), ELSEWHERE, (), 0, 0, 1 / 3),
    Account((9,), FAILED, (), 0, 0, 0.25),
)
BOARDS = tuple((board_hash(codes), codes) for codes in [tuple(range(0, 64, 4)), (-1, *range(3, 63, 4))])
WHOLE = tuple(replace(account, status=DONE, share=0.0, place=None) for account in ACCOUNTS)
TEXT = list(lines(HEADER, ACCOUNTS, BOARDS))
FIRST, SUMS = 0, len(TEXT) - 1


def forged(records):
    """Lines with checksums that hold, whatever they say: each is a record, or the bytes of one."""
    chain = ledger_text._Chain()
    return [
        chain._sum(record).encode() + b" " + record + b"\n" if isinstance(record, bytes) else chain.line(record)
        for record in records
    ]


def records():
    return [orjson.loads(line.partition(b" ")[2]) for line in TEXT]


def changed(at, **values):
    """The ledger with another value or two in one line, and all checksums made right again."""
    found = records()
    found[at] |= values
    return forged(found)


def refused(text):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert caught.value.format == "ledger"
    return str(caught.value)


@pytest.mark.parametrize(
    ("accounts", "boards"),
    [(ACCOUNTS, BOARDS), (WHOLE, BOARDS), (ACCOUNTS, ()), ((Account((), OPEN, share=1.0),), ())],
    ids=["in work", "whole", "no boards", "begun"],
)
def test_what_is_written_is_read_back(accounts, boards):
    text = list(lines(HEADER, accounts, boards))
    book = read(text)
    assert book == Book(HEADER, accounts, boards)
    assert list(lines(book.header, book.accounts, book.boards)) == text
    assert book.is_whole == all(account.status == DONE for account in accounts)


def test_a_book_sums_up_its_units():
    book = read(TEXT)
    assert book.nodes == 4 + 6 + 5 + 2**61 + 3
    assert book.solutions == 2
    assert book.left == pytest.approx(0.125 + 1 / 3 + 0.25)
    assert book.nodes_by_depth() == (4, 11, 3, 2**61)
    assert not book.is_whole
    assert read(lines(HEADER, WHOLE, ())).left == 0


def test_forged_lines_are_those_that_are_written():
    assert forged(records()) == TEXT


@pytest.mark.parametrize("at", range(len(TEXT) - 1))
def test_a_byte_that_changed_is_found_in_its_line(at):
    for where in (0, 15, 16, 17, len(TEXT[at]) // 2, len(TEXT[at]) - 2):
        line = bytearray(TEXT[at])
        line[where] ^= 1
        said = refused([*TEXT[:at], bytes(line), *TEXT[at + 1 :]])
        wrong = "the checksum does not hold" if at else "this is no ledger"
        assert f"{wrong} (at line {at + 1})" in said


@pytest.mark.parametrize("at", range(1, len(TEXT) - 2))
def test_a_line_that_was_taken_out_is_missed_where_it_was(at):
    assert f"the checksum does not hold (at line {at + 1})" in refused(TEXT[:at] + TEXT[at + 1 :])


@pytest.mark.parametrize("at", range(1, len(TEXT) - 1))
def test_two_lines_that_changed_places_are_found_at_the_first(at):
    text = [*TEXT[:at], TEXT[at + 1], TEXT[at], *TEXT[at + 2 :]]
    assert f"the checksum does not hold (at line {at + 1})" in refused(text)


@pytest.mark.parametrize("at", range(1, len(TEXT) - 1))
def test_a_line_that_is_there_twice_is_found(at):
    assert f"the checksum does not hold (at line {at + 2})" in refused([*TEXT[: at + 1], *TEXT[at:]])


def test_lines_of_two_ledgers_do_not_mix():
    other = list(lines(replace(HEADER, e2="2.0"), ACCOUNTS, BOARDS))
    assert "the checksum does not hold (at line 2)" in refused([other[0], *TEXT[1:]])


@pytest.mark.parametrize("last", range(1, len(TEXT)))
def test_a_torn_last_line_is_set_aside(last):
    before = read(TEXT[:last])
    assert before.set_aside == "it ends before its sums"
    for length in range(1, len(TEXT[last])):
        book = read([*TEXT[:last], TEXT[last][:length]])
        assert book == replace(before, set_aside="its last line is cut off")
        assert not book.is_whole


@pytest.mark.parametrize("length", [0, 1, 17, 40, len(TEXT[0]) - 1])
def test_a_ledger_that_is_torn_in_its_first_line_is_none(length):
    assert "this is no ledger (at line 1)" in refused([TEXT[0][:length], *TEXT[1:]])
    assert "this is no ledger (at line 1); expected a first line with a checksum that holds" in refused(
        [TEXT[0][:length]] if length else []
    )


def test_a_last_line_that_was_changed_is_set_aside_too():
    text = list(lines(HEADER, WHOLE, BOARDS))
    for where in range(len(text[-1])):
        line = bytearray(text[-1])
        line[where] ^= 1
        assert not read([*text[:-1], bytes(line)]).is_whole


def test_a_ledger_is_not_whole_without_its_sums():
    text = list(lines(HEADER, WHOLE, BOARDS))
    assert read(text).is_whole
    book = read(text[:-1])
    assert (book.is_whole, book.set_aside, book.accounts) == (False, "it ends before its sums", WHOLE)


@pytest.mark.parametrize("more", [b"\n", b"{}\n", TEXT[1], TEXT[SUMS], b"0"])
def test_nothing_may_follow_the_sums(more):
    assert f"something follows the sums (at line {len(TEXT) + 1}); expected the end" in refused([*TEXT, more])


def test_a_line_is_never_longer_than_a_reader_can_hold(monkeypatch):
    monkeypatch.setattr(ledger_text, "LONGEST_LINE", max(map(len, TEXT)))
    read(TEXT)
    monkeypatch.setattr(ledger_text, "LONGEST_LINE", len(TEXT[0]) - 1)
    assert f"a line is too long (at line 1); expected at most {len(TEXT[0]) - 1} characters" in refused(TEXT)


FIRST_LINES = [
    ({"ledger": 2}, "version 2 is newer than this e2 (at line 1); expected version 1; install a newer e2"),
    ({"ledger": 0}, 'this is no ledger (at line 1); expected "ledger": 1'),
    ({"ledger": "1"}, 'this is no ledger (at line 1); expected "ledger": 1'),
    ({"ledger": None}, 'this is no ledger (at line 1); expected "ledger": 1'),
    ({"ledger": True}, 'this is no ledger (at line 1); expected "ledger": 1'),
    ({"tree": 5}, "the first line is not whole (at line 1); expected e2, tree, settings and puzzle"),
    ({"e2": "1" * 65}, "the first line is not whole (at line 1)"),
    ({"settings": []}, "the first line is not whole (at line 1)"),
    ({"puzzle": None}, "the puzzle is none: puzzle_json: the JSON is a NoneType"),
    ({"puzzle": {"pieces": [[0, 1, 2]], "width": 1, "height": 1}}, "(at line 1); expected a puzzle as Puzzle JSON"),
    ({"puzzle": {"pieces": [[0, 0, 0, 0]] * 4, "width": 2, "height": 2}}, "(at line 1); expected a puzzle as Puzzle"),
]


@pytest.mark.parametrize(("values", "said"), FIRST_LINES, ids=[said[:40] for _, said in FIRST_LINES])
def test_a_first_line_that_is_none_is_refused(values, said):
    assert said in refused(changed(FIRST, **values))


UNITS = [
    ({"unit": None}, "unit is no list (at line 4); expected a list of integers"),
    ({"unit": "0,7"}, "unit is no list (at line 4)"),
    ({"unit": [0, -1]}, "unit has a number that cannot be (at line 4); expected integers of 0 to 2147483647"),
    ({"unit": [0, 1 << 31]}, "unit has a number that cannot be (at line 4)"),
    ({"unit": [0, 1 << 63]}, "unit has a number that cannot be (at line 4)"),
    ({"unit": [0, 7.0]}, "unit has a number that cannot be (at line 4)"),
    ({"unit": [0, True]}, "unit has a number that cannot be (at line 4)"),
    ({"nodes": {}}, "nodes is no list (at line 4)"),
    ({"nodes": [-1]}, "nodes has a number that cannot be (at line 4)"),
    ({"nodes": [1 << 62]}, "nodes has a number that cannot be (at line 4)"),
    ({"place": [3, 0, 1 << 40]}, "place has a number that cannot be (at line 4)"),
    ({"place": 3}, "place is no list (at line 4)"),
    ({"status": "finished"}, "status 'finished' (at line 4); expected open or done or failed or elsewhere"),
    ({"status": None}, "status 'None' (at line 4)"),
    ({"status": ["done"]}, "(at line 4); expected open or done or failed or elsewhere"),
    ({"share": -0.1}, "share is out of range (at line 4); expected 0 to 1"),
    ({"share": 1.5}, "share is out of range (at line 4)"),
    ({"share": "all"}, "share is out of range (at line 4)"),
    ({"share": True}, "share is out of range (at line 4)"),
    ({"share": None}, "share is out of range (at line 4)"),
    ({"solutions": -1}, "solutions is no number (at line 4); expected an integer of 0 or more"),
    ({"solutions": 1.0}, "solutions is no number (at line 4)"),
    ({"gave": None}, "gave is no number (at line 4)"),
    ({"gave": 1 << 62}, "gave is no number (at line 4)"),
    ({"unit": [0]}, "unit [0] is there twice (at line 4); expected units that do not overlap"),
    ({"unit": [4]}, "unit [4] is there twice (at line 5)"),
    ({"unit": [4, 3]}, "unit [0] has given 1 branches away, but 0 lie below it (at line 3)"),
    ({"unit": [3]}, "unit [] has given 3 branches away, but 4 lie below it (at line 2)"),
    ({"gave": 1}, "unit [0,7] has given 1 branches away, but 0 lie below it (at line 4)"),
    ({"nodes": [1 << 61, 1 << 61]}, f"more nodes or solutions than a run can count; expected {(1 << 62) - 1} at most"),
    ({"nodes": [4]}, f"nodes {records()[SUMS]['nodes']} is not the sum of the lines (at line {len(TEXT)})"),
    ({"solutions": 1}, f"solutions 2 is not the sum of the lines (at line {len(TEXT)}); expected 3"),
]


@pytest.mark.parametrize(("values", "said"), UNITS, ids=[f"{values}" for values, _ in UNITS])
def test_a_unit_that_cannot_be_is_refused(values, said):
    assert said in refused(changed(3, **values))


def test_units_that_neither_overlap_nor_leave_anything_out_are_expected():
    assert refused(changed(3, unit=[3])).endswith("expected units that neither overlap nor leave anything out")


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (3, "unit [0] has given 1 branches away, but 0 lie below it (at line 3)"),
        (4, "unit [] has given 3 branches away, but 2 lie below it (at line 2)"),
        (5, "unit [] has given 3 branches away, but 2 lie below it (at line 2)"),
    ],
)
def test_a_unit_that_is_missing_is_missed_by_the_one_that_gave_it(at, said):
    found = records()
    del found[at]
    assert said in refused(forged(found))


def test_a_unit_whose_only_branch_takes_its_place_is_missed_by_the_sums():
    found = records()
    del found[2]
    assert "units 5 is not the sum of the lines (at line 8); expected 4" in refused(forged(found))


def test_a_ledger_without_the_whole_tree_is_refused():
    found = records()
    del found[1]
    assert 'the unit of the whole tree is missing; expected a line with "unit": []' in refused(forged(found))
    assert "the unit of the whole tree is missing" in refused(forged([found[FIRST], found[-1]]))


def test_units_that_overlap_are_refused_in_a_torn_ledger_too():
    found = records()[:-1]
    found.insert(3, {**found[5], "unit": [1]})
    assert "unit [] has given 3 branches away, but 4 lie below it (at line 2)" in refused(forged(found))
    assert read(forged([*found[:2], *found[5:]])).set_aside


def test_units_may_come_in_any_order():
    found = records()
    shuffled = read(forged([found[FIRST], *reversed(found[1:-1]), found[SUMS]]))
    assert set(shuffled.accounts) == set(ACCOUNTS)
    assert shuffled.accounts != ACCOUNTS


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"board_hash": "5"}, f"board_hash is not that of the board (at line 7); expected {BOARDS[0][0]}"),
        ({"board_hash": BOARDS[0][0]}, f"board_hash is not that of the board (at line 7); expected {BOARDS[0][0]}"),
        ({"board_hash": None}, "board_hash is not that of the board (at line 7)"),
        ({"board": None}, "board is no list (at line 7)"),
        ({"board": [-2]}, "board has a number that cannot be (at line 7); expected integers of -1 to 262143"),
        ({"board": [1 << 18]}, "board has a number that cannot be (at line 7)"),
        ({"board": [1 << 61]}, "board has a number that cannot be (at line 7)"),
        ({"board": BOARDS[1][1], "board_hash": str(BOARDS[1][0])}, f"board {BOARDS[1][0]} is there twice (at line 8)"),
    ],
    ids=str,
)
def test_a_board_that_cannot_be_is_refused(values, said):
    assert said in refused(changed(6, **values))


@pytest.mark.parametrize(
    ("key", "value", "due"),
    [
        ("units", 4, "5"),
        ("nodes", 0, str(18 + 2**61)),
        ("solutions", 3, "2"),
        ("boards", None, "2"),
        ("whole", True, "False"),
        ("whole", "no" * 50, "False"),
    ],
)
def test_sums_that_are_not_those_of_the_lines_are_refused(key, value, due):
    said = refused(changed(SUMS, **{key: value}))
    assert said == f"ledger: {key} {str(value)[:24]} is not the sum of the lines (at line {len(TEXT)}); expected {due}"


@pytest.mark.parametrize("data", [b"[]", b"1", b"null", b'"unit"'])
def test_a_line_that_is_no_object_is_refused(data):
    found = records()
    assert "no object (at line 3); expected an object" in refused(forged([*found[:2], data, *found[2:]]))
    assert "no object (at line 1); expected an object" in refused(forged([data]))


BROKEN = [b"", b"{", b'{"unit":NaN}', b"\xff", b'{"unit":["\\ud800"]}', b"[" * 5000, b'{"unit":[]}}']


@pytest.mark.parametrize("data", BROKEN, ids=lambda data: repr(data[:12]))
def test_a_line_that_is_no_json_is_refused(data):
    found = records()
    assert "(at line 3); expected an object" in refused(forged([*found[:2], data, *found[2:]]))


def book_or_error(text):
    """What becomes of a text; all but a book and a FormatError fails here."""
    try:
        return read(text), None
    except FormatError as error:
        return None, error


@given(st.lists(st.binary(max_size=60), max_size=4), st.integers(0, len(TEXT)))
def test_random_bytes_are_set_aside_or_refused(more, kept):
    book, _ = book_or_error([*TEXT[:kept], *more])
    assert book is None or (len(more) <= 1 and book.accounts == ACCOUNTS[: max(0, kept - 1)])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = sorted({key for record in records() for key in record})


@given(st.integers(0, SUMS), st.dictionaries(st.sampled_from(KEYS), JSON, min_size=1, max_size=3))
def test_a_line_with_anything_in_it_is_read_or_refused(at, values):
    book, error = book_or_error(changed(at, **values))
    if error is None:
        assert sum(account.gave for account in book.accounts) == len(book.accounts) - 1
    else:
        assert error.format == "ledger"
        assert error.expected


@given(st.binary(max_size=80))
def test_a_first_line_of_random_bytes_is_refused_whatever_its_checksum(data):
    refused(forged([data]))


NO_OBJECT = st.binary(max_size=80).filter(lambda data: b"{" not in data)


@given(st.lists(NO_OBJECT, min_size=1, max_size=3), st.integers(1, SUMS))
def test_lines_of_random_bytes_are_refused_whatever_their_checksum(data, at):
    found = records()
    assert f"(at line {at + 1})" in refused(forged([*found[:at], *data, *found[at:]]))
