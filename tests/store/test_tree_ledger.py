import sqlite3

import pytest

from e2.errors import RunError
from e2.store.ledger import DONE, FAILED, OPEN
from e2.store.tree_ledger import ELSEWHERE, Account, Branch, TreeEntry, TreeLedger, TreeUnit

HOST, PID = "host", 7


def entry(*nodes, solutions=0, boards=(), given=(), place=None, share=0.0, done=False):
    return TreeEntry(nodes, solutions, boards, given, place, share, done, 0.5, HOST, PID)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def ledger(path):
    ledger = TreeLedger.create(path)
    ledger.add_branches([Branch((), 1.0)], [OPEN])
    yield ledger
    ledger.close()


def stand(ledger):
    """All that a result may change, but for the slices that tell who came late."""
    totals = ledger.totals()
    return (
        list(ledger.accounts()),
        ledger.boards(),
        ledger.waiting(100, ()),
        ledger.open_share(),
        ledger.share_elsewhere(),
        ledger.nodes_by_depth(4),
        (totals.units, totals.done, totals.failed, totals.nodes, totals.solutions, totals.boards),
    )


def test_branches_come_back_as_they_were_entered(ledger):
    branches = [Branch((3, 1023), 0.25), Branch((3, 0), 1 / 3, rank=-2.5)]
    assert ledger.add_branches(branches, [OPEN, OPEN]) == [
        TreeUnit(1, (3, 1023), None, 0, 0.25, 0.0),
        TreeUnit(2, (3, 0), None, 0, 1 / 3, -2.5),
    ]
    assert {unit.number: (unit.path, unit.place, unit.share) for unit in ledger.waiting(9, ())} == {
        0: ((), None, 1.0),
        1: ((3, 1023), None, 0.25),
        2: ((3, 0), None, 1 / 3),
    }


def test_units_wait_by_rank_and_then_in_the_order_they_came(ledger):
    ranks = [0.5, -1.0, 0.5, -2.0, 0.0]
    ledger.add_branches([Branch((code,), 0.1, rank) for code, rank in enumerate(ranks)], [OPEN] * 5)
    assert [(unit.number, unit.rank) for unit in ledger.waiting(9, ())] == [
        *[(4, -2.0), (2, -1.0), (0, 0.0), (5, 0.0), (1, 0.5), (3, 0.5)]
    ]


def test_at_most_so_many_wait_and_none_that_is_known(ledger):
    ledger.add_branches([Branch((code,), 0.1) for code in range(9)], [OPEN] * 9)
    assert [unit.number for unit in ledger.waiting(3, ())] == [0, 1, 2]
    assert [unit.number for unit in ledger.waiting(3, {0, 2, 3})] == [1, 4, 5]
    assert [unit.number for unit in ledger.waiting(3, dict.fromkeys(range(8)))] == [8, 9]
    assert ledger.waiting(3, range(10)) == []
    assert ledger.waiting(0, ()) == []


def test_what_is_done_failed_or_for_others_does_not_wait(ledger):
    ledger.add_branches([Branch((code,), 0.25) for code in range(4)], [OPEN, ELSEWHERE, OPEN, ELSEWHERE])
    assert ledger.settle(1, 0, entry(done=True))
    assert ledger.give_up(3, 0, failed="it broke")
    assert [unit.number for unit in ledger.waiting(9, ())] == [0]
    assert ledger.open_share() == (1, 1.0)
    assert ledger.share_elsewhere() == (2, 0.5)
    assert ledger.totals().units == 5


def test_only_open_branches_are_handed_back(ledger):
    units = ledger.add_branches([Branch((code,), 0.1) for code in range(3)], [ELSEWHERE, OPEN, ELSEWHERE])
    assert [(unit.number, unit.path) for unit in units] == [(2, (1,))]


def test_a_unit_for_others_takes_no_result(ledger):
    ledger.add_branches([Branch((1,), 0.5)], [ELSEWHERE])
    before = stand(ledger)
    assert not ledger.settle(1, 0, entry(0, 5, done=True))
    assert stand(ledger) == before
    assert ledger.totals().late == 1


def test_a_result_is_entered_with_all_that_it_says(ledger):
    given = (Branch((5, 2), 0.25), Branch((5, 9), 0.125))
    boards = ((2**64 - 1, (-1, 4, 1023)), (7, (1, 2, 3)))
    assert ledger.settle(0, 0, entry(3, 5, 0, 0, solutions=2, boards=boards, given=given, place=(1, 8, 4), share=0.5))
    assert list(ledger.accounts()) == [Account((), OPEN, (3, 5), 2, 2, 0.5, (1, 8, 4))]
    assert ledger.waiting(9, ()) == [TreeUnit(0, (), (1, 8, 4), 1, 0.5, 0.0)]
    assert ledger.boards() == [(7, (1, 2, 3)), (2**64 - 1, (-1, 4, 1023))]
    totals = ledger.totals()
    assert (totals.units, totals.nodes, totals.solutions, totals.boards, totals.late) == (1, 8, 2, 2, 0)


def test_results_of_one_unit_add_up(ledger):
    ledger.settle(0, 0, entry(3, 5, 0, 0, solutions=1, given=(Branch((5, 2), 0.25),), place=(0, 1), share=0.5))
    ledger.settle(0, 1, entry(1, 0, 7, 2, solutions=4, given=(Branch((6,), 0.25),) * 2, done=True))
    assert list(ledger.accounts()) == [Account((), DONE, (4, 5, 7, 2), 5, 3, 0.0, None)]


def test_a_result_that_comes_twice_is_late_and_changes_nothing(ledger):
    once = entry(3, 5, solutions=2, boards=((7, (1, 2)),), given=(Branch((5,), 0.5),), place=(0, 1), share=0.5)
    assert ledger.settle(0, 0, once)
    before = stand(ledger)
    assert not ledger.settle(0, 0, once)
    assert stand(ledger) == before
    assert ledger.totals().late == 1


@pytest.mark.parametrize("lease", [0, 1, 3, -1])
def test_a_result_under_another_lease_is_late_and_changes_nothing(ledger, lease):
    ledger.give_up(0, 0)
    ledger.give_up(0, 1)
    before = stand(ledger)
    late = entry(3, 5, solutions=2, boards=((7, (1, 2)),), given=(Branch((5,), 0.5),), place=(0, 1), done=True)
    assert not ledger.settle(0, lease, late)
    assert stand(ledger) == before
    assert ledger.totals().late == 1
    assert ledger.settle(0, 2, late)


def test_nothing_more_is_entered_for_a_unit_that_is_done_or_failed(ledger):
    ledger.add_branches([Branch((5,), 0.5)], [OPEN])
    ledger.settle(0, 0, entry(3, 5, done=True))
    ledger.give_up(1, 0, failed="it broke")
    before = stand(ledger)
    for number, lease in [(0, 0), (0, 1), (1, 0), (1, 1)]:
        assert not ledger.settle(number, lease, entry(0, 9, boards=((7, (1,)),), done=True))
    assert stand(ledger) == before
    assert ledger.totals().late == 4


def test_a_result_of_an_unknown_unit_changes_nothing(ledger):
    before = stand(ledger)
    assert not ledger.settle(99, 0, entry(3, 5, boards=((7, (1,)),), done=True))
    assert stand(ledger) == before


def test_a_board_that_two_units_found_is_kept_once(ledger):
    ledger.add_branches([Branch((5,), 0.5)], [OPEN])
    ledger.settle(0, 0, entry(1, 0, solutions=1, boards=((7, (1, 2)),), done=True))
    ledger.settle(1, 0, entry(0, 1, solutions=1, boards=((7, (1, 2)),), done=True))
    assert ledger.boards() == [(7, (1, 2))]
    assert ledger.totals().boards == 1


def test_a_solution_is_kept_with_the_time_it_was_entered_first(ledger, monkeypatch):
    ledger.add_branches([Branch((5,), 0.5)], [OPEN])
    monkeypatch.setattr("time.time", lambda: 1000.0)
    ledger.settle(0, 0, entry(1, 0, solutions=1, boards=((7, (1, 2)),), done=True))
    monkeypatch.setattr("time.time", lambda: 2000.0)
    ledger.settle(1, 0, entry(0, 1, solutions=2, boards=((7, (1, 2)), (2**64 - 1, (2, 1))), done=True))
    assert ledger.found_clocks() == {7: 1000.0, 2**64 - 1: 2000.0}


def test_nodes_are_counted_at_their_depth_in_the_whole_tree(ledger):
    ledger.add_branches([Branch((5,), 0.5), Branch((5, 1, 0), 0.1)], [OPEN, OPEN])
    assert ledger.nodes_by_depth(4) == (0, 0, 0, 0)
    ledger.settle(0, 0, entry(3, 5, 0, 0))
    ledger.settle(1, 0, entry(0, 2, 1, 0))
    ledger.settle(1, 1, entry(0, 1, 0, 4))
    ledger.settle(2, 0, entry(0, 0, 0, 9, done=True))
    assert ledger.nodes_by_depth(4) == (3, 8, 1, 13)
    assert [account.nodes for account in ledger.accounts()] == [(3, 5), (3, 1, 4), (9,)]
    assert ledger.totals().nodes == 25


def test_depths_beyond_64_bits_together_are_exact(ledger):
    ledger.add_branches([Branch((5,), 0.5)], [OPEN])
    ledger.settle(0, 0, entry(0, 2**62 + 1))
    ledger.settle(1, 0, entry(0, 2**62 - 1 + 2**61))
    assert ledger.nodes_by_depth(2) == (0, 2**63 + 2**61)


def test_accounts_come_with_each_unit_after_the_one_that_gave_it(ledger):
    paths = [(300,), (2, 5), (2,), (300, 1), (256, 9), (256,), (2, 5, 255)]
    ledger.add_branches([Branch(path, 0.1) for path in paths], [OPEN] * 7)
    listed = [account.path for account in ledger.accounts()]
    assert sorted(listed) == sorted([(), *paths])
    assert all(path[:-1] in listed[:at] for at, path in enumerate(listed) if path)


def test_accounts_from_elsewhere_come_back_as_they_were_entered(path):
    accounts = [
        Account((), DONE, (3, 0, 2**61), 4, 3),
        Account((0,), OPEN, (7,), 0, 0, 0.25, (2, 0, 5, 9)),
        Account((0, 1), FAILED, (), 0, 0, 0.125),
        Account((0, 2), ELSEWHERE, (), 0, 0, 0.5),
    ]
    ledger = TreeLedger.create(path)
    for account in accounts:
        ledger.add_account(account)
    ledger.add_boards([(9, (1, 0)), (9, (1, 0)), (4, (3, 2))])
    assert ledger.found_clocks() == {}, "nobody here knows when others found them"
    assert list(ledger.accounts()) == accounts
    assert ledger.boards() == [(4, (3, 2)), (9, (1, 0))]
    assert [(unit.number, unit.path, unit.place) for unit in ledger.waiting(9, ())] == [(1, (0,), (2, 0, 5, 9))]
    assert (ledger.totals().nodes, ledger.totals().solutions) == (10 + 2**61, 4)
    ledger.close()


def test_opening_again_renews_the_leases_of_what_is_open_and_of_nothing_else(ledger, path):
    ledger.add_branches([Branch((code,), 0.2) for code in range(4)], [OPEN, OPEN, ELSEWHERE, OPEN])
    ledger.settle(1, 0, entry(0, 5, done=True))
    ledger.give_up(2, 0, failed="it broke")
    ledger.close()
    again = TreeLedger.open(path)
    with sqlite3.connect(path) as raw:
        rows = raw.execute("SELECT number, lease, status FROM units ORDER BY number").fetchall()
    raw.close()
    assert rows == [(0, 1, OPEN), (1, 1, DONE), (2, 2, OPEN), (3, 0, ELSEWHERE), (4, 1, OPEN)]
    assert not again.settle(0, 0, entry(9, 9, done=True))
    assert again.settle(0, 1, entry(9, 9, done=True))
    again.close()


def test_what_is_entered_together_is_there_as_a_whole_or_not_at_all(ledger):
    before = stand(ledger)

    def broken_off():
        with ledger.together():
            ledger.settle(0, 0, entry(3, 5, boards=((7, (1,)),), given=(Branch((5,), 0.5),), done=True))
            ledger.add_branches([Branch((5,), 0.5)], [OPEN])
            raise KeyError

    with pytest.raises(KeyError):
        broken_off()
    assert stand(ledger) == before


def test_a_full_disk_enters_nothing_of_a_result(ledger):
    raw = ledger._connection
    (pages,) = raw.execute("PRAGMA page_count").fetchone()
    raw.execute(f"PRAGMA max_page_count={pages}")
    before = stand(ledger)
    with pytest.raises(RunError, match="full"):
        ledger.settle(0, 0, entry(1, 0, solutions=1, boards=((7, tuple(range(5000))),), done=True))
    assert stand(ledger) == before
