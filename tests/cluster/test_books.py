import itertools
from dataclasses import replace

import pytest
from cutting import Dying, Killed, counted, cutting
from oracles.depth_first_oracle import whole_tree

from e2.cluster import run
from e2.cluster.books import begin_run, merged, read_book, settings_behind, tree_behind, verified
from e2.cluster.observer import Silent
from e2.core.fingerprint import board_hash
from e2.core.generate import generated
from e2.errors import FormatError, RunError
from e2.search.fill_order import fill_order
from e2.store import ledger_text
from e2.store.ledger import DONE, FAILED, OPEN
from e2.store.ledger_text import Book
from e2.store.tree_ledger import ELSEWHERE, Account, TreeLedger

INSTANCE = generated(5, 5, 4, seed=1).instance
PARTS = ("1/3", "2/3", "3/3")
DEPTH = 5


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Runs of one tree: whole, in three parts, and each part broken off early and late."""
    path, made = tmp_path_factory.mktemp("books"), {}
    with cutting(30):
        made["whole"] = counted(INSTANCE, path / "whole")
        for part in PARTS:
            made[part] = counted(INSTANCE, path / part[0], prefix_depth=DEPTH, part=part)
        for part, slices in itertools.product(PARTS, (1, 8, 30)):
            with pytest.raises(Killed):
                counted(INSTANCE, path / f"{part[0]}-{slices}", Dying(slices), prefix_depth=DEPTH, part=part)
    return path


@pytest.fixture(scope="module")
def whole(folders):
    return read_book(folders / "whole")


@pytest.fixture(scope="module")
def parts(folders):
    return [read_book(folders / part[0]) for part in PARTS]


@pytest.fixture(scope="module")
def truth():
    found = whole_tree(INSTANCE, fill_order(INSTANCE.grid, "rows"))
    codes = [tuple(board[cell] for cell in range(INSTANCE.grid.cells)) for board in found.boards]
    return tuple(found.counts), len(found.boards), sorted((board_hash(board), board) for board in codes)


def come_to(book):
    return book.nodes_by_depth(), book.solutions, sorted(book.boards)


def as_text(book, path):
    """The book as a file whose sums and checksums are right, whatever it says."""
    path.write_bytes(b"".join(ledger_text.lines(book.header, book.accounts, book.boards)))
    return path


def with_unit(book, path, **values):
    """The book with another account of one unit."""
    accounts = [replace(account, **values) if account.path == path else account for account in book.accounts]
    assert accounts != list(book.accounts)
    return replace(book, accounts=tuple(accounts))


def largest(book):
    return max((account for account in book.accounts if account.path), key=lambda account: sum(account.nodes))


def test_the_whole_is_cut_into_many_units_and_comes_to_the_truth(whole, truth):
    assert come_to(whole) == truth
    assert whole.is_whole
    assert len(whole.accounts) > 20
    assert len({len(account.path) for account in whole.accounts}) > 2


def test_a_part_alone_knows_what_is_left_to_the_others(parts, whole):
    for part in parts:
        assert not part.is_whole
        assert {account.status for account in part.accounts} == {DONE, ELSEWHERE}
        assert 0 < part.nodes < whole.nodes
        assert 0 < part.left < 1


def test_each_unit_of_the_prefix_depth_is_done_by_one_part(parts):
    doing = [
        {account.path for account in part.accounts if len(account.path) == DEPTH and account.status == DONE}
        for part in parts
    ]
    cut = {account.path for account in parts[0].accounts if len(account.path) == DEPTH}
    assert set.union(*doing) == cut
    assert sum(map(len, doing)) == len(cut) > 50
    assert all(doing)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_parts_merge_to_the_whole_in_any_order(parts, truth, order):
    both = merged([parts[at] for at in order])
    assert come_to(both) == truth
    assert both.is_whole
    assert both.left == 0


@pytest.mark.parametrize(("one", "two", "three"), list(itertools.permutations(range(3))), ids=str)
def test_parts_merge_to_the_whole_one_after_the_other(parts, truth, one, two, three):
    first = merged([parts[one], parts[two]])
    assert not first.is_whole
    assert 0 < first.left < min(parts[one].left, parts[two].left)
    for both in (merged([first, parts[three]]), merged([parts[three], first])):
        assert come_to(both) == truth
        assert both.is_whole


def test_a_merge_that_was_written_and_read_merges_on(parts, truth, tmp_path):
    begin_run(merged(parts[:2]), tmp_path / "two")
    first = read_book(tmp_path / "two" / "ledger.txt")
    assert first == read_book(tmp_path / "two")
    assert come_to(merged([first, parts[2]])) == truth


@pytest.mark.parametrize("slices", [1, 8, 30])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_part_that_was_broken_off_merges_with_the_others(folders, parts, truth, tmp_path, slices, at):
    broken = read_book(folders / f"{at + 1}-{slices}")
    assert any(account.status == OPEN for account in broken.accounts)
    both = merged([broken, *parts[:at], *parts[at + 1 :]])
    assert not both.is_whole
    begin_run(both, tmp_path / "run")
    with cutting(30):
        summary = run.resume(tmp_path / "run", Silent(), {"executor": "inline"})
    assert summary.complete
    assert (summary.tree.nodes_by_depth, summary.solutions) == truth[:2]
    assert come_to(read_book(tmp_path / "run")) == truth


def test_a_part_that_was_broken_off_and_resumed_is_the_part(folders, parts, truth, tmp_path):
    with cutting(30):
        with pytest.raises(Killed):
            counted(INSTANCE, tmp_path / "2", Dying(5), prefix_depth=DEPTH, part="2/3")
        summary = run.resume(tmp_path / "2", Silent())
    again = read_book(tmp_path / "2")
    assert summary.complete
    assert summary.tree.elsewhere == sum(account.status == ELSEWHERE for account in parts[1].accounts)
    assert come_to(again) == come_to(parts[1])
    assert come_to(merged([parts[0], again, parts[2]])) == truth


@pytest.mark.parametrize(("bites", "slices"), [((35, 80), (4, 9)), ((80, 35), (2, 30)), ((50, 50), (12, 12))], ids=str)
def test_runs_that_were_cut_differently_merge_and_go_on_to_the_truth(truth, tmp_path, bites, slices):
    for number in range(2):
        with cutting(bites[number]), pytest.raises(Killed):
            counted(INSTANCE, tmp_path / str(number), Dying(slices[number]))
    books = [read_book(tmp_path / str(number)) for number in range(2)]
    assert books[0].accounts != books[1].accounts or slices[0] == slices[1]
    both = merged(books)
    assert both.left <= min(book.left for book in books)
    begin_run(both, tmp_path / "run")
    with cutting(30):
        summary = run.resume(tmp_path / "run", Silent(), {"executor": "inline"})
    assert (summary.tree.nodes_by_depth, summary.solutions, summary.complete) == (*truth[:2], True)


def test_a_ledger_merged_with_itself_is_the_same(whole, parts, folders):
    assert (
        merged([whole, whole]) == merged([whole]) == replace(whole, accounts=tuple(sorted(whole.accounts, key=_path)))
    )
    broken = read_book(folders / "2-8")
    assert come_to(merged([broken] * 3)) == come_to(broken)
    assert len(merged([broken] * 3).accounts) == len(broken.accounts)
    assert come_to(merged([parts[0], parts[0]])) == come_to(parts[0])


def _path(account):
    return account.path


def test_units_that_lie_below_each_other_thousands_deep_merge(whole):
    codes = tuple(range(2000))
    chain = [Account(codes[:depth], "done", (), 0, int(depth < 1999)) for depth in range(2000)]
    book = replace(whole, accounts=tuple(chain), boards=())
    assert merged([book, book]).accounts == book.accounts


def test_what_was_left_to_others_is_open_in_a_merge(parts):
    both = merged(parts[:2])
    left = {account.path for account in both.accounts if account.status == OPEN}
    elsewhere = [{account.path for account in part.accounts if account.status == ELSEWHERE} for part in parts]
    assert left == elsewhere[0] & elsewhere[1]
    assert left


def test_the_whole_wins_over_whatever_is_merged_with_it(folders, whole, parts):
    others = [read_book(folders / f"{at}-8") for at in (1, 2, 3)]
    assert merged([*others, whole]).accounts == merged([whole, *parts]).accounts == merged([whole]).accounts


@pytest.mark.parametrize(
    ("instance", "settings", "said"),
    [
        (generated(5, 5, 4, seed=2).instance, {}, "expected ledgers of the same puzzle"),
        (generated(5, 5, 4, seed=1, pins=1).instance, {}, "expected ledgers of the same puzzle"),
        (INSTANCE, {"parameters": {"fill_order": "columns"}}, "expected the same fill order and rules: "),
        (INSTANCE, {"merge": ["turns"]}, "expected the same fill order and rules: "),
        (INSTANCE, {"region": [0, 0, 2, 2]}, "expected the same fill order and rules: "),
    ],
    ids=["puzzle", "hint", "fill order", "merge", "region"],
)
def test_a_ledger_of_another_tree_is_refused_with_the_reason(whole, tmp_path, instance, settings, said):
    with pytest.raises(Killed):
        counted(instance, tmp_path / "other", Dying(0), **settings)
    other = read_book(tmp_path / "other")
    for books in ([whole, other], [other, whole], [other, other, whole]):
        with pytest.raises(FormatError) as caught:
            merged(books)
        assert f"tree {books[-1].header.tree} is not tree {books[0].header.tree}" in str(caught.value)
        assert said in str(caught.value)
        for value in settings.values():
            assert str(value) in str(caught.value)


def test_ledgers_that_disagree_are_refused(whole, parts):
    unit = largest(whole)
    wrong = with_unit(whole, unit.path, nodes=(unit.nodes[0] + 1, *unit.nodes[1:]))
    with pytest.raises(
        FormatError, match=rf"disagree about unit \[\]: {whole.nodes} nodes, 4 solutions and {wrong.nodes}"
    ):
        merged([whole, wrong])
    wrong = with_unit(whole, unit.path, solutions=unit.solutions + 1)
    with pytest.raises(FormatError, match=r"4 solutions and \d+ nodes, 5 solutions; expected the same from both"):
        merged([whole, wrong])


def test_ledgers_that_disagree_about_a_part_that_both_have_searched_are_refused(parts):
    unit = largest(parts[0])
    wrong = with_unit(parts[0], unit.path, nodes=(*unit.nodes[:-1], unit.nodes[-1] + 1))
    with pytest.raises(FormatError, match="disagree about unit"):
        merged([parts[0], parts[1], wrong])


def test_nodes_at_another_depth_are_a_disagreement_too(whole):
    unit = next(account for account in whole.accounts if len(account.nodes) > 1)
    first, second, *rest = unit.nodes
    with pytest.raises(FormatError, match="disagree about unit"):
        merged([whole, with_unit(whole, unit.path, nodes=(first - 1, second + 1, *rest))])


def torn(folder, path, lines):
    """The first lines of a run's ledger, and a bit of the next."""
    text = (folder / "ledger.txt").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(text[:lines]) + text[lines][:30])
    return read_book(path)


@pytest.mark.parametrize("lines", [1, 2, 9, -6])
def test_a_ledger_whose_units_are_cut_off_is_not_taken_for_a_whole_one(folders, whole, tmp_path, lines):
    cut = torn(folders / "whole", tmp_path / "torn.txt", lines)
    assert cut.set_aside
    assert len(cut.accounts) < len(whole.accounts)
    with pytest.raises(
        FormatError, match=r"unit \[.*\].* is not all there; expected a ledger whose end is not cut off"
    ):
        merged([cut])


def test_what_is_left_of_a_torn_ledger_is_used(folders, whole, parts, tmp_path, truth):
    for lines in (1, 2, 9, -6, -1):
        cut = torn(folders / "1", tmp_path / "torn.txt", lines)
        assert merged([cut, whole]).accounts == merged([whole]).accounts
        both = merged([cut, *parts[1:]])
        assert both.is_whole == (lines == -1)
        assert both.solutions <= truth[1]
        assert verified(cut, 1000, 0, silent).wrong == ()
    assert come_to(both) == truth


def test_a_merged_run_keeps_the_tree_and_not_the_part(parts, tmp_path):
    folder = begin_run(merged(parts[1:]), tmp_path / "run")
    text = folder.settings.read_text()
    assert f"prefix_depth = {DEPTH}" in text
    assert "part" not in text
    assert sorted(path.name for path in folder.boards.iterdir()) == sorted(
        f"40_{name}.json" for name, _ in merged(parts[1:]).boards
    )


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_merged_run_is_resumed_to_the_end(parts, truth, tmp_path, first):
    begin_run(merged([parts[first]]), tmp_path / "run")
    with cutting(30):
        summary = run.resume(tmp_path / "run", Silent(), {"executor": "inline"})
    assert (summary.tree.nodes_by_depth, summary.solutions, summary.complete) == (*truth[:2], True)
    assert summary.boards == truth[1]
    assert summary.tree.elsewhere == summary.tree.left == 0
    book = read_book(tmp_path / "run" / "ledger.txt")
    assert book.is_whole
    assert come_to(book) == truth


def test_a_merged_run_that_is_whole_is_complete(parts, truth, tmp_path):
    begin_run(merged(parts), tmp_path / "run")
    summary = run.resume(tmp_path / "run", Silent())
    assert (summary.tree.nodes_by_depth, summary.solutions, summary.complete) == (*truth[:2], True)


def test_a_failed_unit_is_tried_again_after_a_merge(whole, truth, tmp_path):
    leaf = next(account for account in whole.accounts if account.path and not account.gave)
    begin_run(merged([with_unit(whole, leaf.path, status=FAILED, nodes=(), solutions=0, share=0.1)]), tmp_path / "run")
    summary = run.resume(tmp_path / "run", Silent(), {"executor": "inline"})
    assert (summary.tree.nodes_by_depth, summary.solutions, summary.complete) == (*truth[:2], True)


def test_a_merged_run_does_not_take_a_place_that_is_taken(whole, tmp_path):
    (tmp_path / "run").mkdir()
    with pytest.raises(RunError, match="exists already"):
        begin_run(whole, tmp_path / "run")
    assert list((tmp_path / "run").iterdir()) == []


def silent(done, of):
    """Progress that nobody looks at."""


def test_a_true_ledger_stands_up_to_all_of_it_done_again(whole, parts, folders):
    for book in (whole, *parts, *(read_book(folders / f"{at}-8") for at in (1, 2, 3))):
        finished = [account for account in book.accounts if account.status == DONE]
        told = []
        verdict = verified(book, 10_000, 5, lambda done, of, told=told: told.append((done, of)))
        assert verdict.wrong == ()
        assert (verdict.units, verdict.checked) == (len(finished), len(finished))
        assert verdict.nodes == sum(sum(account.nodes) for account in finished)
        assert verdict.at_most_wrong == 0
        assert told == [(number, len(finished)) for number in range(len(finished) + 1)]


def falsified(book, tmp_path, path, **values):
    return read_book(as_text(with_unit(book, path, **values), tmp_path / "false.txt"))


def wrong_units(book, sample=10_000, seed=0):
    return [fault.partition(":")[0] for fault in verified(book, sample, seed, silent).wrong]


@pytest.mark.parametrize("which", range(0, 25, 4))
def test_a_falsified_unit_is_found(whole, tmp_path, which):
    unit = [account for account in whole.accounts if account.nodes][which]
    for nodes in ((unit.nodes[0] + 1, *unit.nodes[1:]), (*unit.nodes[:-1], unit.nodes[-1] - 1)):
        wrong = falsified(whole, tmp_path, unit.path, nodes=nodes)
        assert wrong_units(wrong) == [f"unit {list(unit.path)}"]
    wrong = falsified(whole, tmp_path, unit.path, solutions=unit.solutions + 1)
    assert wrong_units(wrong) == [f"unit {list(unit.path)}"]


def test_nodes_moved_to_another_depth_are_found(whole, tmp_path):
    unit = next(account for account in whole.accounts if len(account.nodes) > 1)
    first, second, *rest = unit.nodes
    wrong = falsified(whole, tmp_path, unit.path, nodes=(first - 1, second + 1, *rest))
    assert wrong_units(wrong) == [f"unit {list(unit.path)}"]


def test_the_fault_of_a_falsified_unit_says_both_counts(whole, tmp_path):
    unit = largest(whole)
    nodes = sum(unit.nodes)
    wrong = falsified(whole, tmp_path, unit.path, nodes=(unit.nodes[0] + 1, *unit.nodes[1:]))
    assert verified(wrong, 10_000, 0, silent).wrong == (
        f"unit {list(unit.path)}: {nodes} nodes and {unit.solutions} solutions, "
        f"the ledger has {nodes + 1} and {unit.solutions}",
    )


def test_a_branch_that_is_missing_is_found(whole, tmp_path):
    leaf = next(account for account in whole.accounts if account.nodes and account.path and not account.gave)
    giver = max((one for one in whole.accounts if one.path == leaf.path[: len(one.path)] and one != leaf), key=_depth)
    without = with_unit(whole, giver.path, gave=giver.gave - 1)
    without = replace(without, accounts=tuple(one for one in without.accounts if one.path != leaf.path))
    assert wrong_units(read_book(as_text(without, tmp_path / "false.txt"))) == [f"unit {list(giver.path)}"]


def _depth(account):
    return len(account.path)


def test_a_branch_that_does_not_exist_is_found(whole, tmp_path):
    giver = largest(whole)
    codes = range(4 * len(INSTANCE.pieces))
    path = next((*giver.path, code) for code in codes if code >> 2 in {used >> 2 for used in giver.path})
    more = with_unit(whole, giver.path, gave=giver.gave + 1)
    more = replace(more, accounts=(*more.accounts, Account(path, DONE)))
    found = verified(read_book(as_text(more, tmp_path / "false.txt")), 10_000, 0, silent).wrong
    assert f"unit {list(giver.path)}: branch {list(path)} is not there" in found
    assert any(fault.startswith(f"unit {list(path)}: the path ") for fault in found)


def test_a_falsified_unit_is_found_by_a_sample_that_it_is_in(whole, tmp_path):
    unit = largest(whole)
    wrong = falsified(whole, tmp_path, unit.path, nodes=(*unit.nodes, 1))
    found = [wrong_units(wrong, len(whole.accounts) // 2, seed) for seed in range(12)]
    assert [f"unit {list(unit.path)}"] in found
    assert [] in found
    assert found == [wrong_units(wrong, len(whole.accounts) // 2, seed) for seed in range(12)]


def test_a_board_that_is_no_solution_is_refused(whole, parts, tmp_path):
    (_, codes), *others = whole.boards
    for wrong in ((codes[1], codes[0], *codes[2:]), (codes[0], codes[0], *codes[2:]), codes[:-1], (-1, *codes[1:])):
        false = replace(whole, boards=((board_hash(wrong), wrong), *others))
        with pytest.raises(FormatError, match=f"board {board_hash(wrong)} is no solution: "):
            read_book(as_text(false, tmp_path / "false.txt"))
        with pytest.raises(FormatError, match=f"board {board_hash(wrong)} is no solution: "):
            verified(false, 1, 0, silent)
        with pytest.raises(FormatError, match=f"board {board_hash(wrong)} is no solution: "):
            merged([parts[0], false])


def test_the_more_units_are_done_again_the_fewer_may_be_wrong(whole):
    chances = [verified(whole, sample, 0, silent).at_most_wrong for sample in (1, 5, 20)]
    assert chances[0] == pytest.approx(0.95)
    assert chances == sorted(chances, reverse=True)
    for sample, chance in zip((1, 5, 20), chances, strict=True):
        assert (1 - chance) ** sample == pytest.approx(0.05)
    assert verified(whole, len(whole.accounts), 0, silent).at_most_wrong == 0


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"tree": "0" * 16}, "the tree is named 0000000000000000 (at line 1); expected "),
        ({"settings": {"parameters": {"fill_order": "columns"}}}, "the tree is named "),
        ({"settings": {"parameters": {"fill_order": "zigzag"}}}, "the settings do not fit the puzzle: "),
        ({"settings": {"parameters": {"colour": 1}}}, "the settings do not fit the puzzle: "),
        ({"settings": {"merge": ["board"], "region": [0, 0, 2, 2]}}, "the settings do not fit the puzzle: "),
        ({"settings": {"region": [0, 0, 9, 9]}}, "the settings do not fit the puzzle: "),
        ({"settings": {"prefix_depth": 25}}, "the settings do not fit the puzzle: "),
        ({"settings": {"merge": ["colours"]}}, "the settings are none of a count: "),
        ({"settings": {"part": "1/2", "prefix_depth": 2}}, "the settings are none of a count: 'part' decides no tree"),
        ({"settings": {"address": "elsewhere:6379"}}, "the settings are none of a count: 'address' decides no tree"),
        ({"settings": {"kind": "solve"}}, "the settings are none of a count: 'kind' decides no tree"),
        ({"settings": {"strategy_hash": "0"}}, "'strategy_hash' decides no tree"),
    ],
    ids=str,
)
def test_a_text_whose_settings_make_another_tree_is_refused(whole, tmp_path, values, said):
    path = as_text(replace(whole, header=replace(whole.header, **values)), tmp_path / "false.txt")
    with pytest.raises(FormatError) as caught:
        read_book(path)
    assert said in str(caught.value)
    assert "(at line 1)" in str(caught.value)


UNIT = Account((), OPEN, (4,), 0, 0, 1.0)


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        (replace(UNIT, nodes=(1,) * 26), "unit [] is deeper than the tree, or of other pieces"),
        (replace(UNIT, place=()), "unit [] stands at a place that is not below it"),
        (replace(UNIT, place=(0,)), "unit [] stands at a place that is not below it"),
        (replace(UNIT, place=(2, 4, 8)), "unit [] stands at a place that is not below it"),
        (replace(UNIT, place=(0, 100)), "unit [] is deeper than the tree, or of other pieces"),
        (replace(UNIT, place=(0, *[0] * 26)), "unit [] is deeper than the tree, or of other pieces"),
    ],
    ids=lambda value: "" if isinstance(value, str) else f"{len(value.nodes)} nodes, place {value.place}"[:40],
)
def test_a_unit_that_no_tree_of_the_puzzle_has_is_refused(whole, tmp_path, unit, said):
    path = as_text(Book(whole.header, (unit,), ()), tmp_path / "false.txt")
    with pytest.raises(FormatError) as caught:
        read_book(path)
    assert said in str(caught.value)


@pytest.mark.parametrize(("path", "place"), [((100,), None), (tuple(range(0, 104, 4)), None), ((0,), (1, 4, 8))])
def test_a_branch_that_no_tree_of_the_puzzle_has_is_refused(whole, tmp_path, path, place):
    accounts = (Account((), DONE, (1,), 0, 1), Account(path, OPEN, (), 0, 0, 0.5, place))
    with pytest.raises(FormatError, match=r"unit \[\d+.*\] (is deeper than the tree|stands at a place)"):
        read_book(as_text(Book(whole.header, accounts, ()), tmp_path / "false.txt"))


def test_a_place_is_written_read_and_gone_on_from(folders, tmp_path, truth):
    with cutting(30), pytest.raises(Killed):
        counted(INSTANCE, tmp_path / "a", Dying(5))
    book = read_book(tmp_path / "a")
    assert any(account.place for account in book.accounts)
    begin_run(read_book(as_text(book, tmp_path / "a.txt")), tmp_path / "b")
    summary = run.resume(tmp_path / "b", Silent(), {"executor": "inline"})
    assert (summary.tree.nodes_by_depth, summary.solutions) == truth[:2]


def test_reading_a_text_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(RunError, match="cannot be read"):
        read_book(tmp_path / "nothing.txt")
    with pytest.raises(RunError, match="is no run"):
        read_book(tmp_path)


def test_a_header_leads_back_to_its_settings_and_its_tree(parts):
    settings = settings_behind(parts[0].header)
    assert (settings.kind, settings.prefix_depth, settings.part) == ("count", DEPTH, None)
    assert tree_behind(parts[0].header).id == parts[0].header.tree


def test_a_run_and_its_text_say_the_same(folders, parts):
    for part, book in zip(PARTS, parts, strict=True):
        assert read_book(folders / part[0] / "ledger.txt") == book


def test_reading_a_run_takes_nothing_from_it(folders):
    ledger = TreeLedger.open(folders / "whole" / "ledger.sqlite")
    before = list(ledger.accounts())
    ledger.close()
    assert read_book(folders / "whole").accounts == tuple(before)
