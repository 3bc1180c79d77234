"""The index of all runs: what it lists, what it reads again, and what it says of a run by its files."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from e2.core.generate import generated
from e2.errors import RunError
from e2.store import index as index_module
from e2.store import look
from e2.store.index import BROKEN, COMPLETE, DEEPEST, STOPPED, Listed, RunIndex, RunList, board_files
from e2.store.layout import RunFolder
from e2.store.ledger import Ledger, Unit
from e2.store.look import is_driven, ledger_looked_at, read_plain

INSTANCE = generated(4, 4, 3, seed=1).instance


@pytest.fixture
def run(tmp_path: Path, made: Path) -> RunFolder:
    shutil.copytree(made, tmp_path / "runs" / "one")
    return RunFolder(tmp_path / "runs" / "one")


class Walks:
    """An index that is asked again and again, each time as if a while had passed."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._now = 0.0
        self._index = RunIndex(root)
        monkeypatch.setattr(index_module, "time", SimpleNamespace(monotonic=lambda: self._now))

    def list(self) -> RunList:
        self._now += 100.0
        return self._index.runs()

    def one(self) -> Listed:
        (listed,) = self.list().runs
        return listed


@pytest.fixture
def walks(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> Walks:
    return Walks(run.path.parent, monkeypatch)


def test_a_finished_run_is_listed_with_what_its_files_say(walks: Walks, run: RunFolder) -> None:
    listed = walks.one()
    summary = json.loads(run.summary.read_text())
    assert (listed.name, listed.state, listed.faults) == ("one", COMPLETE, ())
    assert (listed.puzzle, listed.strategy, listed.kind) == (INSTANCE.name, "breaks", "solve")
    assert (listed.nodes, listed.tasks, listed.due) == (summary["nodes"], 3, 3)
    assert (listed.boards, listed.max_score) == (summary["boards"], INSTANCE.grid.max_score)
    assert listed.best is not None
    assert listed.best.score == summary["best"]["score"]
    assert (run.boards / f"{listed.best.score}_{listed.best.board_hash}.json").is_file()


def test_what_did_not_change_is_not_read_again(walks: Walks, monkeypatch: pytest.MonkeyPatch) -> None:
    first = walks.one()
    for module in (index_module, look):
        monkeypatch.setattr(module, "read_plain", lambda path, most: pytest.fail(f"{path} was read again"))
    assert walks.one() is first


def test_what_changed_is_read_again(walks: Walks, run: RunFolder) -> None:
    first = walks.one()
    board = board_files(run)[0]
    (run.boards / board.name).rename(run.boards / f"{board.score + 1}_7.json")
    second = walks.one()
    assert second.best is not None
    assert first.best is not None
    assert (second.best.score, second.best.board_hash) == (first.best.score + 1, 7)
    run.settings.write_text(run.settings.read_text().replace('"breaks"', '"strict"'))
    assert walks.one().strategy == "strict"
    shutil.rmtree(run.path)
    assert walks.list().runs == ()


def test_asked_again_at_once_the_answer_is_the_same(run: RunFolder) -> None:
    index = RunIndex(run.path.parent)
    first = index.runs()
    shutil.rmtree(run.path)
    assert index.runs() is first


@pytest.mark.parametrize("way", ["gone", "torn", "old"])
def test_without_a_summary_of_the_last_sitting_the_ledger_says_how_it_stands(
    walks: Walks, run: RunFolder, way: str
) -> None:
    nodes = json.loads(run.summary.read_text())["nodes"]
    if way == "gone":
        run.summary.unlink()
    elif way == "torn":
        run.summary.write_text(run.summary.read_text()[:100])
    else:
        run.summary.write_text('{"nodes": 1, "complete": false}')
        os.utime(run.summary, (1.0, 1.0))
    listed = walks.one()
    assert (listed.nodes, listed.tasks, listed.state) == (nodes, 3, COMPLETE)
    assert [fault.startswith("summary.json is damaged") for fault in listed.faults] == ([True] if way == "torn" else [])


def test_a_run_with_something_left_to_do_is_stopped(walks: Walks, run: RunFolder) -> None:
    ledger = Ledger.open(run.ledger)
    ledger.add_units([Unit(3, 3, 400)])
    ledger.close()
    run.summary.unlink()
    assert walks.one().state == STOPPED


def test_a_run_without_settings_is_broken_and_says_so(walks: Walks, run: RunFolder) -> None:
    run.settings.unlink()
    listed = walks.one()
    assert listed.state == BROKEN
    assert listed.faults == ("settings.toml cannot be read: No such file or directory",)


def test_folders_of_folders_are_looked_through_so_deep_and_no_deeper(walks: Walks, run: RunFolder) -> None:
    deep = run.path.parent.joinpath(*"abcdefgh"[: DEEPEST - 1])
    shutil.copytree(run.path, deep / "two")
    shutil.copytree(run.path, deep / "x" / "three")
    found = walks.list()
    assert {listed.name for listed in found.runs} == {"one", f"{'/'.join('abcdefgh'[: DEEPEST - 1])}/two"}
    assert found.left_out == (f"{'/'.join('abcdefgh'[: DEEPEST - 1])}/x/three: too deep, not looked into",)


def test_a_run_is_found_by_its_name_and_by_its_address_only(walks: Walks, run: RunFolder) -> None:
    run.path.rename(run.path.with_name("a b%20c"))
    found = walks.list()
    assert found.run("a b%20c") is found.runs[0]
    assert found.run("a%20b%2520c") is found.runs[0]
    for name in ("", ".", "./a b%20c", "../runs/a b%20c", str(found.runs[0].folder.path)):
        assert found.run(name) is None


def test_a_driver_is_seen_by_its_lock(run: RunFolder) -> None:
    lock = run.path / ".lock"
    lock.unlink()
    assert not is_driven(lock)
    assert not lock.exists()
    with run.driven():
        assert is_driven(lock)
    assert not is_driven(lock)
    lock.unlink(missing_ok=True)
    lock.symlink_to(run.settings)
    assert not is_driven(lock)


def test_a_log_without_its_index_is_named_and_none_is_made(run: RunFolder) -> None:
    run.path.joinpath("ledger.sqlite-wal").write_bytes(b"x" * 4096)
    with (
        pytest.raises(RunError, match=r"ledger\.sqlite-wal lies there without ledger\.sqlite-shm"),
        ledger_looked_at(run.ledger, Ledger),
    ):
        pass
    assert not run.path.joinpath("ledger.sqlite-shm").exists()


def test_a_look_takes_no_longer_than_it_may(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "_STEPS", 1)
    with (
        pytest.raises(RunError, match=r"ledger\.sqlite cannot be used: interrupted"),
        ledger_looked_at(run.ledger, Ledger, seconds=0.0) as ledger,
    ):
        ledger.totals()


def test_only_so_much_of_a_plain_file_is_read(run: RunFolder) -> None:
    size = run.puzzle.stat().st_size
    assert len(read_plain(run.puzzle, size)) == size
    with pytest.raises(RunError, match="too long"):
        read_plain(run.puzzle, size - 1)
    with pytest.raises(RunError, match=r"boards is no plain file|Is a directory"):
        read_plain(run.boards, size)
    with pytest.raises(RunError, match="null byte"):
        read_plain(Path("a\0b"), size)
