from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cli.conftest import Run
from cluster.cutting import Dying, Killed, counted, cutting

from e2.cluster import books
from e2.core.generate import generated
from e2.store import ledger_text
from e2.store.documents import puzzle_document

INSTANCE = generated(5, 5, 4, seed=1).instance
DEPTH = 4
SHOWN = {"tree", "puzzle", "settings", "units", "nodes", "nodes_by_depth", "solutions", "boards", "left", "whole"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole count, one that kept one board, one in two parts, and one that broke off."""
    path = tmp_path_factory.mktemp("runs")
    with cutting(30):
        counted(INSTANCE, path / "whole")
        counted(INSTANCE, path / "one-board", keep=1)
        for number in (1, 2):
            counted(INSTANCE, path / f"part-{number}", prefix_depth=DEPTH, part=f"{number}/2")
        with pytest.raises(Killed):
            counted(INSTANCE, path / "broken", Dying(5))
    return path


@pytest.fixture(scope="module")
def nodes(runs: Path) -> int:
    return books.read_book(runs / "whole").nodes


def falsified(runs: Path, path: Path) -> Path:
    """The whole ledger with a node too many in one unit, and sums and checksums that are right."""
    book = books.read_book(runs / "whole")
    at, unit = max(enumerate(book.accounts), key=lambda one: sum(one[1].nodes))
    wrong = replace(unit, nodes=(unit.nodes[0] + 1, *unit.nodes[1:]))
    accounts = (*book.accounts[:at], wrong, *book.accounts[at + 1 :])
    path.write_bytes(b"".join(ledger_text.lines(book.header, accounts, book.boards)))
    return path


def test_show_says_what_a_whole_ledger_proves(e2: Run, runs: Path, nodes: int) -> None:
    ran = e2("ledger", "show", runs / "whole")
    tree = books.read_book(runs / "whole").header.tree
    units = len(books.read_book(runs / "whole").accounts)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"{runs / 'whole'}: tree {tree} of {INSTANCE.name}, 5x5",
        "  settings   rows",
        f"  units      {units} done",
        f"  nodes      {nodes}",
        "  solutions  4, 4 kept as boards",
        "  proof      the whole tree is searched: these 4 boards are all solutions",
    ]


def test_show_claims_no_boards_that_are_not_there(e2: Run, runs: Path) -> None:
    lines = e2("ledger", "show", runs / "one-board").out.splitlines()
    assert lines[-2:] == [
        "  solutions  4, 1 kept as boards",
        "  proof      the whole tree is searched: it holds exactly 4 solutions",
    ]


def test_show_says_how_much_of_a_part_is_left(e2: Run, runs: Path) -> None:
    paths = (runs / "part-1", runs / "part-2" / "ledger.txt")
    lines = e2("ledger", "show", *paths).out.splitlines()
    tree = books.read_book(runs / "whole").header.tree
    assert [line for line in lines if not line.startswith("  ")] == [
        f"{path}: tree {tree} of {INSTANCE.name}, 5x5" for path in paths
    ]
    assert lines[1] == f"  settings   prefix_depth {DEPTH}"
    assert " done, " in lines[2]
    assert lines[2].endswith(" elsewhere")
    assert lines[-1].startswith("  left       about ")
    assert lines[-1].endswith("% of the tree")


def test_show_as_json_has_a_record_a_ledger(e2: Run, runs: Path, nodes: int) -> None:
    whole, part = e2("ledger", "show", "--json", runs / "whole", runs / "part-1").records
    assert set(whole) == set(part) == {*SHOWN, "ledger", "set_aside"}
    assert (whole["nodes"], sum(whole["nodes_by_depth"]), whole["solutions"], whole["boards"]) == (nodes, nodes, 4, 4)
    assert (whole["whole"], whole["left"], set(whole["units"])) == (True, 0, {"done"})
    assert (part["whole"], set(part["units"]), part["settings"]["prefix_depth"]) == (
        False,
        {"done", "elsewhere"},
        DEPTH,
    )
    assert 0 < part["left"] < 1


def test_show_says_where_a_text_is_torn(e2: Run, runs: Path, tmp_path: Path) -> None:
    text = (runs / "whole" / "ledger.txt").read_bytes()
    (tmp_path / "torn.txt").write_bytes(text[:-20])
    ran = e2("ledger", "show", "torn.txt")
    assert ran.code == 0
    assert "  torn       its last line is cut off: set aside" in ran.out.splitlines()
    assert "proof" not in ran.out
    (record,) = e2("ledger", "show", "--json", "torn.txt").records
    assert (record["whole"], record["set_aside"]) == (False, "its last line is cut off")


def test_showing_a_ledger_changes_no_text_of_it(e2: Run, runs: Path) -> None:
    before = (runs / "part-1" / "ledger.txt").read_bytes()
    once = e2("ledger", "show", runs / "part-1").out
    assert e2("ledger", "show", runs / "part-1").out == once
    assert (runs / "part-1" / "ledger.txt").read_bytes() == before


def test_what_is_no_ledger_is_refused(e2: Run, runs: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "letter.txt").write_text("Dear reader,\nthis is no ledger.\n")
    (tmp_path / "nothing.txt").write_bytes(b"")
    changed = (runs / "whole" / "ledger.txt").read_bytes().replace(b'"solutions":0', b'"solutions":1', 1)
    (tmp_path / "changed.txt").write_bytes(changed)
    for path, said in [
        ("empty", "empty is no run: it has no settings.toml"),
        ("letter.txt", "ledger: this is no ledger (at line 1); expected a first line with a checksum that holds"),
        ("nothing.txt", "ledger: this is no ledger (at line 1); expected a first line with a checksum that holds"),
        ("changed.txt", "ledger: the checksum does not hold (at line "),
        ("nowhere", "nowhere cannot be read: No such file or directory"),
    ]:
        for arguments in (["show", path], ["verify", path], ["merge", path, "--out", "new"]):
            ran = e2("ledger", *arguments)
            assert (ran.code, ran.out) == (2, "")
            assert len(ran.err.splitlines()) == 1
            assert said in ran.err
    assert not (tmp_path / "new").exists()
    (record,) = e2("ledger", "show", "--json", "letter.txt").records
    assert record["error"]["format"] == "ledger"
    assert record["error"]["place"] == "line 1"
    assert record["error"]["expected"] == "a first line with a checksum that holds"


def test_a_run_of_tasks_has_no_ledger_of_a_tree(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "puzzle.json").write_bytes(puzzle_document(INSTANCE))
    options = ["--strategy", "strict", "--tasks", "1", "--nodes", "100", "--executor", "inline", "--out", "tasks"]
    assert e2("solve", "--puzzle", "puzzle.json", *options).code == 0
    for command in ("show", "verify"):
        ran = e2("ledger", command, "tasks")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == "error: tasks is a run of tasks; expected a count, or a solve with --exhaustive\n"


def test_parts_are_merged_to_the_whole(e2: Run, runs: Path, nodes: int) -> None:
    ran = e2("ledger", "merge", runs / "part-2", runs / "part-1" / "ledger.txt", "--out", "joined")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0].startswith("joined: tree ")
    assert f"  nodes      {nodes}" in ran.out.splitlines()
    assert ran.out.splitlines()[-1] == "  proof      the whole tree is searched: these 4 boards are all solutions"
    (shown,) = e2("ledger", "show", "--json", "joined").records
    assert (shown["whole"], shown["nodes"], shown["solutions"]) == (True, nodes, 4)
    assert len(list(Path("joined/boards").glob("40_*.json"))) == 4
    (done,) = e2("resume", "joined", "--json").records
    assert (done["whole"], done["nodes"]) == (True, nodes)


def test_what_a_merge_leaves_open_is_done_by_resume(e2: Run, runs: Path, nodes: int) -> None:
    (record,) = e2("ledger", "merge", runs / "part-2", runs / "broken", "--out", "joined", "--json").records
    assert set(record) == {*SHOWN, "run", "set_aside"}
    assert (record["run"], record["whole"]) == ("joined", False)
    assert record["units"]["open"] > 0
    done = e2("resume", "joined", "--executor", "inline", "--json").records[-1]
    assert (done["whole"], done["nodes"], done["solutions"]) == (True, nodes, 4)
    assert e2("ledger", "verify", "joined", "--units", "1000").code == 0


def test_a_merge_takes_no_place_that_is_taken(e2: Run, runs: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    ran = e2("ledger", "merge", runs / "whole", "--out", "taken")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: taken exists already: resume it, or choose another name\n"
    assert list((tmp_path / "taken").iterdir()) == []


def test_ledgers_that_do_not_fit_are_not_merged(e2: Run, runs: Path, tmp_path: Path) -> None:
    columns, wrong = tmp_path / "columns", falsified(runs, tmp_path / "wrong.txt")
    counted(INSTANCE, columns, parameters={"fill_order": "columns"})
    torn = tmp_path / "torn.txt"
    torn.write_bytes(b"".join((runs / "whole" / "ledger.txt").read_bytes().splitlines(keepends=True)[:4]))
    for paths, said in [
        ([runs / "whole", columns], "expected the same fill order and rules: "),
        ([runs / "whole", wrong], "the ledgers disagree about unit "),
        ([torn], "is not all there; expected a ledger whose end is not cut off"),
    ]:
        ran = e2("ledger", "merge", *paths, "--out", "new")
        assert (ran.code, ran.out) == (2, "")
        assert len(ran.err.splitlines()) == 1
        assert said in ran.err
    assert not (tmp_path / "new").exists()


def test_a_true_ledger_is_verified(e2: Run, runs: Path, nodes: int) -> None:
    units = len(books.read_book(runs / "whole").accounts)
    ran = e2("ledger", "verify", runs / "whole", "--units", "1000")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{units} of {units} units searched again, {nodes} nodes: all as the ledger has them\n"


def test_a_sample_says_how_sure_the_rest_is(e2: Run, runs: Path) -> None:
    ran = e2("ledger", "verify", runs / "whole" / "ledger.txt", "--units", "5", "--seed", "3")
    assert ran.code == 0
    assert ran.out.startswith("5 of ")
    # 1 - 0.05 ** (1 / 5)
    assert ran.out.endswith(": as the ledger has them; with 95 % confidence at most 45.07% are wrong\n")
    assert e2("ledger", "verify", runs / "whole", "--units", "5", "--seed", "3").out == ran.out
    first, second = (e2("ledger", "verify", runs / "whole", "--units", "5", "--json").records[0] for _ in range(2))
    assert set(first) == {"units", "checked", "nodes", "wrong", "at_most_wrong", "seed"}
    assert first["seed"] != second["seed"]
    assert (first["checked"], first["wrong"]) == (5, [])
    assert first["at_most_wrong"] == pytest.approx(0.4507, abs=1e-4)
    again = e2("ledger", "verify", runs / "whole", "--units", "5", "--seed", str(first["seed"]), "--json").records[0]
    assert again == first


def test_a_falsified_ledger_is_found_out(e2: Run, runs: Path, tmp_path: Path) -> None:
    wrong = falsified(runs, tmp_path / "wrong.txt")
    ran = e2("ledger", "verify", wrong, "--units", "1000")
    assert (ran.code, ran.err) == (1, "")
    fault, total = ran.out.splitlines()
    assert fault.startswith("wrong: unit [")
    assert ", the ledger has " in fault
    assert total.endswith(" nodes: 1 came out otherwise")
    json = e2("ledger", "verify", wrong, "--units", "1000", "--json")
    assert json.code == 1
    assert [f"wrong: {one}" for one in json.records[0]["wrong"]] == [fault]


@pytest.mark.parametrize("units", ["0", "-3"])
def test_a_sample_of_none_is_refused(e2: Run, runs: Path, units: str) -> None:
    ran = e2("ledger", "verify", runs / "whole", "--units", units)
    assert (ran.code, ran.out, ran.err) == (2, "", f"error: --units {units}: expected 1 or more\n")


def test_a_ledger_cannot_write_to_the_terminal(e2: Run, runs: Path, tmp_path: Path) -> None:
    book = books.read_book(runs / "whole")
    hostile = replace(book.header, problem=replace(book.header.problem, name="a\x1b[2Jb"))
    (tmp_path / "hostile.txt").write_bytes(b"".join(ledger_text.lines(hostile, book.accounts, book.boards)))
    for arguments in (["show", "hostile.txt"], ["merge", "hostile.txt", "--out", "new"], ["verify", "hostile.txt"]):
        ran = e2("ledger", *arguments)
        assert "\x1b" not in ran.out + ran.err


@pytest.mark.parametrize("command", ["show", "merge", "verify"])
def test_the_help_of_each_ledger_command_has_an_example_of_it(e2: Run, command: str) -> None:
    ran = e2("ledger", command, "--help")
    assert ran.code == 0
    assert f"e2 ledger {command} " in ran.out.partition("Example:")[2]
