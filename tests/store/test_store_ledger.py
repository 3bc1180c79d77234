import contextlib
import sqlite3
import struct

import pytest

from e2.errors import RunError
from e2.search.stats import SearchStats
from e2.store.ledger import Best, Entry, Ledger, Unit
from e2.store.look import ledger_looked_at
from e2.store.tree_ledger import TreeLedger


def entry(nodes=10, *, done=False, best=None, announced=False, state=b"s"):
    return Entry(SearchStats(nodes, solutions=1, max_depth=nodes), state, done, best, announced, 0.5, "host", 7)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def ledger(path):
    ledger = Ledger.create(path)
    ledger.add_units([Unit(number, seed=7 + number, budget=100) for number in range(3)])
    yield ledger
    ledger.close()


def test_units_come_back_as_they_went_in(ledger):
    assert ledger.open_units() == [Unit(0, 7, 100), Unit(1, 8, 100), Unit(2, 9, 100)]


def test_a_result_is_entered_once_and_its_duplicate_is_late(ledger):
    assert ledger.enter(0, 0, entry())
    assert not ledger.enter(0, 0, entry())
    totals = ledger.totals()
    assert (totals.nodes, totals.solutions, totals.late) == (10, 1, 1)
    assert ledger.open_units()[0] == Unit(0, 7, 100, b"s", lease=1, nodes=10, seconds=0.5)


def test_a_result_that_comes_after_its_lease_was_given_up_is_late(ledger):
    assert ledger.give_up(1, 0)
    assert not ledger.enter(1, 0, entry())
    assert ledger.enter(1, 1, entry(25))
    assert (ledger.totals().nodes, ledger.totals().late) == (25, 1)


def test_nothing_more_is_entered_for_a_unit_that_is_done(ledger):
    assert ledger.enter(2, 0, entry(done=True))
    assert not ledger.enter(2, 1, entry())
    assert [unit.number for unit in ledger.open_units()] == [0, 1]
    assert (ledger.totals().done, ledger.totals().late) == (1, 1)


def test_a_unit_that_is_unknown_changes_no_total(ledger):
    assert not ledger.enter(99, 0, entry())
    assert ledger.totals().nodes == 0


def test_a_board_hash_of_64_bits_comes_back_exactly(ledger):
    best = Best(467, 2**64 - 1, (-1, 4, 1023))
    ledger.enter(0, 0, entry(best=best, announced=True))
    assert list(ledger.bests()) == [(0, best)]
    assert ledger.best() == best
    assert ledger.is_best(2**64 - 1)
    assert ledger.was_announced(2**64 - 1)
    assert not ledger.was_announced(2**64 - 2)


def test_a_result_without_a_board_keeps_the_one_before(ledger):
    best = Best(5, 1, (0,))
    ledger.enter(0, 0, entry(best=best))
    ledger.enter(0, 1, entry())
    assert ledger.open_units()[0].best == best


def test_a_failed_unit_says_why_and_gets_another_try_when_the_ledger_is_opened_again(ledger, path):
    ledger.give_up(1, 0, failed="it broke")
    assert ledger.failures() == [(1, "it broke")]
    assert [unit.number for unit in ledger.open_units()] == [0, 2]
    ledger.close()
    again = Ledger.open(path)
    assert [unit.number for unit in again.open_units()] == [0, 1, 2]
    assert again.failures() == []
    again.close()


def test_leases_of_an_earlier_driver_are_void(ledger, path):
    (unit, *_) = ledger.open_units()
    ledger.close()
    again = Ledger.open(path)
    assert not again.enter(unit.number, unit.lease, entry())
    again.close()


def test_who_only_looks_changes_nothing(ledger, path):
    ledger.give_up(1, 0, failed="it broke")
    with ledger_looked_at(path, Ledger, None) as looking:
        assert looking.failures() == [(1, "it broke")]
    assert ledger.enter(0, 0, entry())
    assert ledger.failures() == [(1, "it broke")]


def test_the_seconds_of_all_sittings_add_up(ledger):
    ledger.add_seconds(1.5)
    ledger.add_seconds(2)
    assert ledger.totals().seconds == 3.5


def test_what_is_entered_together_is_there_as_a_whole_or_not_at_all(ledger):
    def broken_off():
        with ledger.together():
            ledger.enter(0, 0, entry(5))
            ledger.give_up(1, 0)
            raise KeyError

    with pytest.raises(KeyError):
        broken_off()
    assert ledger.open_units() == [Unit(0, 7, 100), Unit(1, 8, 100), Unit(2, 9, 100)]
    with ledger.together():
        ledger.enter(0, 0, entry(5))
        ledger.enter(1, 0, entry(6))
    assert ledger.totals().nodes == 11


def test_slices_say_who_did_what(ledger, path):
    ledger.enter(0, 0, entry())
    ledger.enter(0, 1, entry(20))
    ledger.enter(0, 0, entry())
    ledger.reject(0, "host", 7)
    ledger.close()
    with sqlite3.connect(path) as raw:
        rows = raw.execute("SELECT unit, host, pid, slices, nodes, seconds, late, rejected FROM slices").fetchall()
    raw.close()
    assert rows == [(0, "host", 7, 2, 30, 1.0, 1, 1)]


def test_a_missing_ledger_is_not_made(path):
    with pytest.raises(RunError, match="is missing"):
        Ledger.open(path)
    assert not path.exists()


@pytest.mark.parametrize("data", [b"", b"this is no database, however long it may be\n" * 100, bytes(4096)])
def test_a_file_that_is_no_ledger_is_refused(path, data):
    path.write_bytes(data)
    with pytest.raises(RunError, match="no ledger"):
        Ledger.open(path)


@pytest.mark.parametrize("seconds", [2.0, None])
@pytest.mark.parametrize("data", [b"", b"this is no database, however long it may be\n" * 100, bytes(4096)])
def test_who_looks_at_no_ledger_is_told_so(path, data, seconds):
    path.write_bytes(data)
    with pytest.raises(RunError, match="no ledger"), ledger_looked_at(path, Ledger, seconds):
        pass
    assert path.read_bytes() == data


def test_damage_in_a_page_that_nobody_reads_is_seen_by_a_look_without_a_limit(ledger, path):
    ledger.add_units(Unit(number, number, 1, state=bytes(3000)) for number in range(100, 400))
    ledger.close()
    data = bytearray(path.read_bytes())
    (page,) = struct.unpack(">H", data[16:18])
    for start in range(len(data) // 2, len(data) // 2 + 8 * page, page):
        data[start // page * page : start // page * page + page] = b"\xff" * page
    path.write_bytes(data)
    with pytest.raises(RunError, match="damaged"), ledger_looked_at(path, Ledger, None):
        pass


def test_a_ledger_that_another_program_has_locked_is_not_called_damaged(ledger, path, monkeypatch):
    ledger.close()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **more: connect(*given, **{**more, "timeout": 0.01}))
    with contextlib.closing(connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(RunError, match="cannot be used: database is locked"):
            Ledger.open(path)


def test_a_database_of_another_program_is_refused(path):
    raw = sqlite3.connect(path)
    raw.execute("CREATE TABLE units (number)")
    raw.commit()
    raw.close()
    with pytest.raises(RunError, match="is no ledger of e2"):
        Ledger.open(path)


def test_another_schema_is_refused_by_its_number(ledger, path):
    ledger.close()
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version=99")
    raw.close()
    with pytest.raises(RunError, match="has schema 99; this version reads schema 1 to 4"):
        Ledger.open(path)


FIRST_SCHEMA = """
CREATE TABLE units (
    number INTEGER PRIMARY KEY, seed INTEGER NOT NULL, budget INTEGER, state BLOB, lease INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'open', reason TEXT NOT NULL DEFAULT '', nodes INTEGER NOT NULL DEFAULT 0,
    solutions INTEGER NOT NULL DEFAULT 0, restarts INTEGER NOT NULL DEFAULT 0, max_depth INTEGER NOT NULL DEFAULT 0,
    best_score INTEGER, best_hash TEXT, best_codes BLOB
);
CREATE INDEX units_by_status ON units (status, number);
CREATE INDEX units_by_hash ON units (best_hash);
CREATE TABLE slices (
    unit INTEGER NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, slices INTEGER NOT NULL DEFAULT 0,
    nodes INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0, late INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (unit, host, pid)
) WITHOUT ROWID;
CREATE TABLE announced (board_hash TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE totals (
    only INTEGER PRIMARY KEY CHECK (only = 1), nodes INTEGER NOT NULL, solutions INTEGER NOT NULL, seconds REAL NOT NULL
);
INSERT INTO totals VALUES (1, 0, 0, 4.5);
INSERT INTO units (number, seed, budget, state, lease, nodes) VALUES (0, 7, 100, x'73', 1, 10);
INSERT INTO slices VALUES (0, 'host', 7, 1, 10, 0.5, 0, 0);
PRAGMA application_id=0x65324C47; PRAGMA user_version=1;
"""


def test_a_ledger_of_the_first_schema_is_taken_over(path):
    raw = sqlite3.connect(path)
    raw.executescript(FIRST_SCHEMA)
    raw.close()
    taken_over = Ledger.open(path)
    assert taken_over.open_units() == [Unit(0, 7, 100, b"s", lease=2, nodes=10, seconds=0.5)]
    assert taken_over.totals().seconds == 4.5
    taken_over.add_units([Unit(3, 10, 100, start=(4, -1, 9))])
    taken_over.close()
    assert Ledger.open(path).open_units()[1].start == (4, -1, 9)


def raw_ledger(path, script):
    raw = sqlite3.connect(path)
    raw.executescript(script)
    raw.close()


def test_a_ledger_of_an_older_schema_is_looked_at_as_it_is(path):
    raw_ledger(path, FIRST_SCHEMA)
    before = path.read_bytes()
    for seconds in (2.0, None):
        with ledger_looked_at(path, Ledger, seconds) as looking:
            assert (looking.totals().nodes, looking.improvements(), looking.found_clocks()) == (10, [], {})
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_who_only_looks_makes_no_file_and_cannot_write(ledger, path):
    ledger.close()
    before = path.read_bytes()
    with ledger_looked_at(path, Ledger, None) as looking:
        assert looking.totals().units == 3
        with pytest.raises(RunError, match="readonly"):
            looking.enter(0, 0, entry())
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_who_looks_while_a_driver_works_sees_what_it_entered(ledger, path):
    ledger.enter(0, 0, entry(17))
    with ledger_looked_at(path, Ledger, None) as looking:
        assert looking.totals().nodes == 17
        ledger.enter(0, 1, entry(3))
        assert looking.totals().nodes == 20


def improvements(ledger):
    return [(one.unit, one.unit_nodes, one.run_nodes, one.score, one.board_hash) for one in ledger.improvements()]


def test_each_improvement_is_kept_with_the_nodes_of_its_unit_and_of_the_run(ledger):
    ledger.enter(0, 0, entry(10, best=Best(5, 50, (0,))))
    ledger.enter(1, 0, entry(20))
    ledger.enter(1, 1, entry(30, best=Best(7, 2**64 - 1, (1,))))
    ledger.enter(0, 1, entry(40, best=Best(6, 60, (2,))))
    assert improvements(ledger) == [(0, 10, 10, 5, 50), (1, 50, 60, 7, 2**64 - 1), (0, 50, 100, 6, 60)]


def test_what_is_late_or_entered_again_is_no_improvement(ledger):
    best = Best(5, 50, (0,))
    ledger.enter(0, 0, entry(best=best))
    assert not ledger.enter(0, 0, entry(best=best))
    assert not ledger.enter(0, 9, entry(best=Best(8, 80, (1,))))
    before = ledger.improvements()
    ledger.enter(0, 1, entry(done=True, best=best, announced=True))
    assert ledger.improvements() == before
    assert len(before) == 1


def test_what_was_not_entered_leaves_no_improvement_and_no_nodes(ledger):
    ledger.enter(0, 0, entry(10, best=Best(5, 50, (0,))))

    def broken_off():
        with ledger.together():
            ledger.enter(1, 0, entry(1000, best=Best(9, 90, (1,))))
            raise KeyError

    with pytest.raises(KeyError):
        broken_off()
    ledger.enter(1, 0, entry(7, best=Best(6, 60, (1,))))
    assert improvements(ledger) == [(0, 10, 10, 5, 50), (1, 7, 17, 6, 60)]


def test_the_seconds_of_improvements_go_on_over_sittings(ledger, path):
    ledger.begin_sitting()
    ledger.enter(0, 0, entry(best=Best(5, 50, (0,))))
    ledger.add_seconds(100)
    ledger.close()
    again = Ledger.open(path)
    again.begin_sitting()
    again.enter(1, 1, entry(best=Best(6, 60, (0,))))
    first, second = again.improvements()
    assert 0 <= first.seconds < 60
    assert 100 <= second.seconds < 160
    assert second.clock >= first.clock > 1.6e9
    assert again.found_clocks() == {50: first.clock, 60: second.clock}
    again.close()


def test_a_killed_driver_does_not_turn_the_time_of_improvements_back(ledger, path):
    ledger.add_seconds(100)
    ledger.begin_sitting()
    ledger.enter(0, 0, entry(best=Best(5, 50, (0,))))
    ledger.close()
    raw_ledger(path, "UPDATE improvements SET seconds = 4000")
    again = Ledger.open(path)
    again.begin_sitting()
    again.enter(1, 1, entry(best=Best(6, 60, (0,))))
    assert [one.seconds >= 4000 for one in again.improvements()] == [True, True]
    again.close()


def test_workers_and_depths_are_summed_up(ledger):
    ledger.enter(0, 0, entry(10))
    ledger.enter(1, 0, entry(30))
    ledger.enter(0, 1, entry(20))
    (worker,) = ledger.workers()
    assert (worker.host, worker.pid, worker.slices, worker.nodes, worker.seconds) == ("host", 7, 3, 60, 1.5)
    assert ledger.depths() == [20, 30]


def test_the_elite_are_the_best_boards_each_once(ledger):
    for number, best in enumerate([Best(9, 7, (1,)), Best(11, 5, (2,)), Best(9, 7, (1,))]):
        ledger.enter(number, 0, entry(best=best))
    assert ledger.elite(5) == [Best(11, 5, (2,)), Best(9, 7, (1,))]
    assert ledger.elite(1) == [Best(11, 5, (2,))]


def test_the_best_board_is_that_of_the_first_unit_and_no_more_than_one_is_in_memory_at_a_time(ledger):
    assert ledger.best() is None
    for number, best in enumerate([Best(9, 7, (1,)), Best(11, 6, (2,)), Best(11, 5, (3,))]):
        ledger.enter(number, 0, entry(best=best))
    assert ledger.best() == Best(11, 6, (2,))
    bests = ledger.bests()
    assert next(bests) == (0, Best(9, 7, (1,)))
    assert len(list(bests)) == 2


def test_a_damaged_ledger_is_refused(ledger, path):
    ledger.add_units([Unit(number, 0, None, bytes(500)) for number in range(3, 200)])
    ledger.close()
    data = bytearray(path.read_bytes())
    data[4096:20000] = bytes([0xA5]) * (20000 - 4096)
    path.write_bytes(data)
    with pytest.raises(RunError, match="damaged"):
        Ledger.open(path)


def test_a_full_disk_enters_nothing_of_a_result(ledger, path):
    raw = ledger._connection
    (pages,) = raw.execute("PRAGMA page_count").fetchone()
    raw.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(RunError, match="full"):
        ledger.enter(0, 0, entry(best=Best(1, 2, tuple(range(5000)))))
    raw.execute("PRAGMA max_page_count=1000000")
    assert ledger.open_units()[0] == Unit(0, 7, 100)
    assert ledger.totals().nodes == 0
    assert ledger.enter(0, 0, entry())


@pytest.mark.parametrize(
    ("change", "table"),
    [
        ("UPDATE units SET nodes = 'many'", "units"),
        ("UPDATE units SET lease = -1 WHERE number = 2", "units"),
        ("UPDATE units SET status = 'odd'", "units"),
        ("UPDATE units SET state = 'text'", "units"),
        ("UPDATE units SET rank = 'first'", "units"),
        ("UPDATE units SET start = x'010203'", "units"),
        ("UPDATE units SET best_hash = '../x'", "units"),
        ("UPDATE units SET best_codes = x'0102'", "units"),
        ("UPDATE units SET counts = x'01020304'", "units"),
        ("INSERT INTO boards VALUES ('12', 0, 'text', NULL)", "boards"),
        ("INSERT INTO improvements VALUES (0, 1, 1, 9e999, 0, 1, '1')", "improvements"),
        ("INSERT INTO slices VALUES (0, x'00', 1, 1, 1, 1, 0, 0)", "slices"),
        ("UPDATE totals SET seconds = 'long'", "totals"),
        ("DELETE FROM totals", "totals"),
    ],
)
def test_a_ledger_with_what_no_ledger_holds_is_refused(ledger, path, change, table):
    ledger.close()
    Ledger.open(path).close()
    raw_ledger(path, change)
    with pytest.raises(RunError, match=f"is damaged: {table}"):
        Ledger.open(path)
    with pytest.raises(RunError, match=f"is damaged: {table}"), ledger_looked_at(path, Ledger, None):
        pass


def test_a_ledger_of_tasks_is_none_of_a_tree(ledger, path):
    ledger.close()
    with pytest.raises(RunError, match="is damaged: units"):
        TreeLedger.open(path)
