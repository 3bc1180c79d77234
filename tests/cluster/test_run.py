import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest

from e2.cluster import manager, run
from e2.cluster.books import read_book
from e2.cluster.inline import InlineExecutor
from e2.cluster.interrupt import Interrupts
from e2.cluster.local import LocalExecutor
from e2.cluster.observer import Silent
from e2.cluster.study import run_settings, settings_from_toml, settings_to_toml
from e2.core.fingerprint import instance_hash
from e2.core.generate import generated
from e2.core.official import official_instance
from e2.errors import ClusterError, FormatError, RunError, SettingsError
from e2.search import beam_search, strategy
from e2.search.tree import Tree
from e2.store.ledger import Ledger
from e2.store.look import ledger_looked_at

FOUR = {"strategy": "breaks", "tasks": 4, "nodes": 3_000_000, "seed": 7}
DRIVER = Path(__file__).with_name("driver.py")
PATIENCE = 60.0  # seconds for what takes one or two on an idle machine


def boards(path):
    return sorted(entry.name for entry in (path / "boards").glob("*.json"))


def until(true, what):
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def processes():
    """Process id -> (parent, state, command) of everything that runs."""
    if not Path("/proc/self/stat").exists():
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
        )
        rows = (line.split(None, 3) for line in listed.stdout.splitlines())
        return {int(pid): (int(parent), state, command) for pid, parent, state, command in rows}
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
            found[int(entry.name)] = int(parent), state, (entry / "cmdline").read_text().replace("\0", " ")
    return found


def workers_of(driver):
    """Everything below a driver but the two agents of Ray that try for a minute to report its end."""
    running = processes()
    below = {driver}
    while more := {pid for pid, (parent, *_) in running.items() if parent in below} - below:
        below |= more
    return {pid for pid in below - {driver} if "Agent" not in running[pid][2]}


def are_alive(pids):
    running = processes()
    return any(pid in running and not running[pid][1].startswith("Z") for pid in pids)


def start(path, mode, **settings):
    return subprocess.Popen(
        [sys.executable, str(DRIVER), str(path), json.dumps({"slice_seconds": 0.05, **settings}), mode],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def official():
    return official_instance()


@pytest.fixture(scope="module")
def four(tmp_path_factory, official):
    """The names of the four boards of an undisturbed run."""
    path = tmp_path_factory.mktemp("four") / "run"
    run.solve(run_settings({"executor": "inline", **FOUR}), official, path, Silent())
    assert len(boards(path)) == 4
    return boards(path)


@pytest.mark.parametrize("executor", ["local", "ray"])
def test_a_driver_killed_in_the_middle_is_resumed_to_the_same_boards(executor, tmp_path, four):
    path = tmp_path / "run"
    driver = start(path, "stall", executor=executor, workers=2, slice_seconds=0.02, **FOUR)
    assert driver.stdout.readline().startswith("nodes")
    workers = workers_of(driver.pid)
    assert len(workers) >= 2
    driver.kill()
    driver.wait()
    driver.stdout.close()
    until(lambda: not are_alive(workers), "processes of a killed driver live on")

    ledger = Ledger.open(path / "ledger.sqlite")
    assert 0 < ledger.totals().nodes < 4 * FOUR["nodes"]
    ledger.close()
    summary = run.resume(path, Silent(), {"executor": "inline"})
    assert boards(path) == four
    assert (summary.nodes, summary.tasks, summary.complete) == (4 * FOUR["nodes"], 4, True)
    with ledger_looked_at(path / "ledger.sqlite", Ledger, None) as ledger:
        steps, bests = ledger.improvements(), dict(ledger.bests())
    for unit in range(4):
        scores = [one.score for one in steps if one.unit == unit]
        assert scores == sorted(set(scores)), "an improvement is entered once, in the order of the run's time"
        assert scores[-1] == bests[unit].score
    assert max(one.run_nodes for one in steps) <= summary.nodes


def test_killed_workers_change_no_board(tmp_path, official, four, monkeypatch):
    executors = []

    class Killer(Silent):
        def __init__(self):
            self.kills, self.notes = 0, []

        def progress(self, progress):
            if self.kills < 2 and progress.tasks_done < 3:
                os.kill(executors[0].pids[0], signal.SIGKILL)
                self.kills += 1

        def note(self, text):
            self.notes.append(text)

    monkeypatch.setattr(run, "executor_of", lambda settings: executors.append(LocalExecutor(2)) or executors[0])
    killer = Killer()
    settings = run_settings({"executor": "local", "slice_seconds": 0.2, **FOUR})
    summary = run.solve(settings, official, tmp_path / "run", killer)
    assert killer.kills >= 1
    assert boards(tmp_path / "run") == four
    assert summary.nodes == 4 * FOUR["nodes"]
    assert all("worker died" in note for note in killer.notes)


def test_a_slice_that_is_out_at_the_end_of_a_run_is_no_result_of_the_next(tmp_path, small, toy, monkeypatch):
    class Late(InlineExecutor):
        """Hands the first slice of all in after all others."""

        workers = in_flight = 2

        def collect(self, seconds):
            if len(self._queue) == 1 and self._queue[0].number == 0 and self._queue[0].state is None:
                time.sleep(0.01)
                return []
            self._queue.rotate(-1)
            return super().collect(seconds)

    monkeypatch.setattr(manager, "_PATIENT", 0.0)
    values = {"strategy": "toy", "tasks": 1, "nodes": 400, "executor": "local", "workers": 2, "slice_seconds": 0.01}
    with Late() as executor:
        run.solve(run_settings(values), small, tmp_path / "one", Silent(), executor=executor)
        assert not executor._queue
        run.solve(run_settings({**values, "seed": 9}), small, tmp_path / "two", Silent(), executor=executor)
    run.solve(run_settings({**values, "seed": 9}), small, tmp_path / "alone", Silent(), executor=InlineExecutor())
    assert boards(tmp_path / "two") == boards(tmp_path / "alone") != boards(tmp_path / "one")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_run_soon_with_everything_kept(tmp_path, number):
    path = tmp_path / "run"
    driver = start(path, "go", executor="local", workers=2, strategy="breaks", slice_seconds=1.0)
    assert driver.stdout.readline().startswith("nodes")
    asked = time.monotonic()
    driver.send_signal(number)
    rest, _ = driver.communicate(timeout=PATIENCE)
    seconds = time.monotonic() - asked
    assert rest.splitlines()[-1] == "interrupted"
    assert driver.returncode == 0
    assert seconds < 2 + 2, "two seconds on an idle machine, and room for a busy one"
    summary = orjson.loads((path / "summary.json").read_bytes())
    assert summary["interrupted"]
    assert summary["nodes"] > 0
    assert boards(path)
    assert not (path / ".stop").exists()


def test_a_second_signal_ends_the_run_at_once(tmp_path):
    driver = start(tmp_path / "run", "stall", executor="local", workers=1, strategy="breaks")
    assert driver.stdout.readline().startswith("nodes")
    driver.send_signal(signal.SIGINT)
    until(lambda: (tmp_path / "run" / ".stop").exists(), "the first signal was not noticed")
    driver.send_signal(signal.SIGINT)
    driver.wait(timeout=PATIENCE)
    driver.stdout.close()
    assert driver.returncode in (130, -signal.SIGINT)


def test_a_signal_is_noted_where_its_file_cannot_be_made(tmp_path):
    (tmp_path / "run").mkdir()
    with Interrupts(tmp_path / "run" / ".stop") as interrupts:
        (tmp_path / "run").rmdir()
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupts.asked


def test_a_folder_in_the_place_of_the_stop_file_is_an_error(tmp_path):
    (tmp_path / ".stop").mkdir()
    with pytest.raises(RunError, match="stop cannot be removed"), Interrupts(tmp_path / ".stop"):
        pass


def test_a_run_folder_is_enough_to_go_on_and_a_complete_run_only_says_so(tmp_path, small, toy):
    settings = run_settings({"strategy": "toy", "tasks": 2, "nodes": 300, "executor": "inline", "seed": 5})
    first = run.solve(settings, small, tmp_path / "a", Silent())
    moved = (tmp_path / "a").rename(tmp_path / "b")
    again = run.resume(moved, Silent())
    assert (again.nodes, again.boards, again.complete) == (first.nodes, first.boards, True)
    assert again.best.path == str(moved / "boards" / Path(first.best.path).name)


def test_a_resumed_run_may_get_more_tasks(tmp_path, small, toy):
    values = {"strategy": "toy", "nodes": 300, "executor": "inline", "seed": 5}
    run.solve(run_settings({**values, "tasks": 2}), small, tmp_path / "grown", Silent())
    grown = run.resume(tmp_path / "grown", Silent(), {"tasks": 4})
    whole = run.solve(run_settings({**values, "tasks": 4}), small, tmp_path / "whole", Silent())
    assert (grown.tasks, grown.nodes) == (whole.tasks, whole.nodes)
    assert boards(tmp_path / "grown") == boards(tmp_path / "whole")
    assert settings_from_toml((tmp_path / "grown" / "settings.toml").read_text()).tasks == 4


@pytest.mark.parametrize(
    ("overrides", "message"),
    [({"seed": 1}, "keeps its seed"), ({"tasks": 1}, "only grows"), ({"seconds": 0}, "seconds = 0")],
)
def test_a_resumed_run_keeps_what_decides_its_results(tmp_path, small, toy, overrides, message):
    values = {"strategy": "toy", "nodes": 300, "executor": "inline", "tasks": 2}
    run.solve(run_settings(values), small, tmp_path / "run", Silent())
    with pytest.raises(SettingsError, match=message):
        run.resume(tmp_path / "run", Silent(), overrides)


def test_settings_that_do_not_fit_leave_no_folder(tmp_path, small):
    for values in ({"strategy": "magic"}, {"parameters": {"colour": 1}}, {"puzzle_hash": "0" * 16}):
        with pytest.raises(SettingsError):
            run.solve(run_settings({"executor": "inline", "tasks": 1, **values}), small, tmp_path / "run", Silent())
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_that_does_not_answer_leaves_no_folder(tmp_path, small):
    settings = run_settings({"strategy": "strict", "tasks": 1, "address": "127.0.0.1:1"})
    with pytest.raises(ClusterError, match="no Ray cluster answers"):
        run.solve(settings, small, tmp_path / "run", Silent())
    assert list(tmp_path.iterdir()) == []


def test_a_puzzle_without_letters_for_its_colours_leaves_no_folder(tmp_path):
    many = generated(6, 6, 30, seed=1).instance
    with pytest.raises(FormatError):
        run.solve(run_settings({"executor": "inline", "tasks": 1}), many, tmp_path / "run", Silent())
    assert list(tmp_path.iterdir()) == []


def test_two_runs_share_a_parent_and_a_taken_name_is_refused(tmp_path, small, toy):
    settings = run_settings({"strategy": "toy", "tasks": 1, "nodes": 50, "executor": "inline"})
    run.solve(settings, small, tmp_path / "run", Silent())
    with pytest.raises(RunError, match="exists already"):
        run.solve(settings, small, tmp_path / "run", Silent())
    second = run.solve(settings, small, tmp_path / "run", Silent(), numbered=True)
    assert Path(second.run).name == "run-2"


def test_a_puzzle_that_was_swapped_is_noticed(tmp_path, small, toy, official):
    from e2.store.documents import puzzle_document

    settings = run_settings({"strategy": "toy", "tasks": 1, "nodes": 50, "executor": "inline"})
    run.solve(settings, small, tmp_path / "run", Silent())
    (tmp_path / "run" / "puzzle.json").write_bytes(puzzle_document(official))
    with pytest.raises(RunError, match="is not the puzzle that this run began with"):
        run.resume(tmp_path / "run", Silent())


def test_the_summary_says_where_it_was_made(tmp_path, small, toy):
    settings = run_settings({"strategy": "toy", "tasks": 1, "nodes": 50, "executor": "inline"})
    told = run.solve(settings, small, tmp_path / "run", Silent())
    kept = orjson.loads((tmp_path / "run" / "summary.json").read_bytes())
    assert set(kept["versions"]) == {"e2", "numba", "numpy", "ray", "python"}
    assert kept["cores"] >= 1
    assert kept["best"]["board_hash"] == told.best.board_hash
    assert kept["best"]["url"].startswith("https://")


def test_a_folder_whose_name_is_no_utf8_gets_its_summary_too(tmp_path, small, toy):
    settings = run_settings({"strategy": "toy", "tasks": 1, "nodes": 50, "executor": "inline"})
    path = tmp_path / os.fsdecode(b"r\xf6sel")
    run.solve(settings, small, path, Silent())
    assert orjson.loads((path / "summary.json").read_bytes())["run"].endswith("/r?sel")
    assert run.resume(path, Silent()).complete


def test_solutions_apart_of_more_than_64_bits_are_in_the_summary(tmp_path, small, toy, monkeypatch):
    monkeypatch.setattr(Tree, "apart", 1 << 70)
    told = run.solve(run_settings({"kind": "count", "executor": "inline"}), small, tmp_path / "run", Silent())
    kept = json.loads((tmp_path / "run" / "summary.json").read_bytes())
    assert kept["tree"]["apart"] == told.tree.apart == told.solutions << 70


def test_a_beam_that_rests_is_resumed_to_the_same_board(tmp_path, official, monkeypatch):
    values = {"strategy": "beam", "parameters": {"width": 60}, "tasks": 1, "executor": "inline", "slice_seconds": 0.01}
    whole = run.solve(run_settings(values), official, tmp_path / "whole", Silent())
    monkeypatch.setattr(beam_search, "_REST", 6000)
    short = run_settings({**values, "seconds": 0.02})
    summary, sittings = run.solve(short, official, tmp_path / "cut", Silent()), 1
    while not summary.complete:
        summary, sittings = run.resume(tmp_path / "cut", Silent()), sittings + 1
    assert sittings > 1
    assert (summary.nodes, summary.best.board_hash) == (whole.nodes, whole.best.board_hash)


def test_settling_twice_changes_nothing_and_memory_is_never_exceeded(official):
    once = run.settled(run_settings({"strategy": "beam", "memory": "1GB", "seconds": 1e6}), official)
    assert once.parameters["width"] > 1_000_000
    assert run.settled(once, official) == once
    assert strategy("beam").memory(once.parameters, official) <= 10**9
    with pytest.raises(SettingsError, match=r"memory = 1000000000: beam takes \d+; expected more"):
        run.settled(once.model_copy(update={"parameters": {"width": once.parameters["width"] * 3}}), official)


def test_memory_is_refused_where_nothing_follows_from_it(official):
    with pytest.raises(SettingsError, match="strategy strict chooses nothing by it"):
        run.settled(run_settings({"strategy": "strict", "memory": "1GB"}), official)


@pytest.mark.parametrize(
    ("values", "fit"),
    [
        ({"executor": "inline"}, True),
        ({"executor": "local", "workers": 2}, True),
        ({"executor": "local", "workers": 3}, False),
        ({"executor": "local", "workers": 3, "tasks": 2}, True),
        ({"executor": "ray", "workers": 3}, False),
        ({"executor": "ray", "workers": 3, "address": "elsewhere:6379"}, True),
    ],
    ids=str,
)
def test_all_tasks_at_a_time_must_fit_into_memory_together(official, monkeypatch, tmp_path, values, fit):
    settings = run.settled(run_settings({"strategy": "beam", "parameters": {"width": 1000}, **values}), official)
    needed = strategy("beam").memory(settings.parameters, official)
    monkeypatch.setattr(run, "usable_memory", lambda: 2 * needed)
    monkeypatch.setattr(run, "usable_cores", lambda: 2)
    if fit:
        run.warm_up(settings, official)
        return
    with pytest.raises(SettingsError, match="3 tasks at a time"):
        run.solve(settings, official, tmp_path / "run", Silent())
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("UPDATE units SET best_score = 999", "the engine claims 999 matched seams"),
        ("UPDATE units SET best_codes = x'01000000'", "1 cells, the puzzle has 25"),
        ("UPDATE units SET best_codes = zeroblob(100)", "piece 0 lies on more than one cell"),
    ],
)
def test_a_ledger_with_a_board_that_is_not_what_it_says_is_refused(tmp_path, small, toy, change, fault):
    settings = run_settings({"strategy": "toy", "tasks": 2, "nodes": 300, "executor": "inline"})
    run.solve(settings, small, tmp_path / "run", Silent())
    before = boards(tmp_path / "run")
    with contextlib.closing(sqlite3.connect(tmp_path / "run" / "ledger.sqlite")) as raw, raw:
        raw.execute(change)
    with pytest.raises(RunError, match=rf"ledger\.sqlite is damaged: .*{fault}"):
        run.resume(tmp_path / "run", Silent())
    assert boards(tmp_path / "run") == before


@pytest.mark.parametrize("kind", ["solve", "count"])
def test_a_run_that_cannot_be_written_leaves_no_folder(tmp_path, small, toy, monkeypatch, kind):
    def full(path, data):
        raise RunError(f"{path} cannot be written: No space left on device")

    monkeypatch.setattr(run, "write_durably", full)
    strategy = {"strategy": "toy", "tasks": 3, "nodes": 300} if kind == "solve" else {}
    with pytest.raises(RunError, match="No space left"):
        run.solve(run_settings({"kind": kind, "executor": "inline", **strategy}), small, tmp_path / "run", Silent())
    assert not (tmp_path / "run").exists()


def test_a_run_whose_seeds_pass_all_that_may_be_given_goes_on(tmp_path, small, toy):
    settings = {"strategy": "toy", "tasks": 3, "seed": (1 << 62) - 1, "nodes": 300, "executor": "inline"}
    run.solve(run_settings(settings), small, tmp_path / "run", Silent())
    assert run.resume(tmp_path / "run", Silent(), {"tasks": 4}).tasks == 4


def test_a_count_with_a_solution_that_is_none_is_refused(tmp_path, small):
    run.solve(run_settings({"kind": "count", "executor": "inline"}), small, tmp_path / "run", Silent())
    with contextlib.closing(sqlite3.connect(tmp_path / "run" / "ledger.sqlite")) as raw, raw:
        raw.execute("INSERT INTO boards VALUES ('1', 0, zeroblob(8), NULL)")
    with pytest.raises(RunError, match=r"is damaged: .*2 cells, the puzzle has 25"):
        run.resume(tmp_path / "run", Silent())
    with pytest.raises(FormatError, match="board 1 is no solution: 2 cells"):
        read_book(tmp_path / "run")


def test_a_run_of_tasks_that_calls_itself_a_count_is_refused(tmp_path, small, toy):
    settings = run_settings({"strategy": "toy", "tasks": 2, "nodes": 300, "executor": "inline"})
    run.solve(settings, small, tmp_path / "run", Silent())
    lie = run_settings({"kind": "count", "puzzle_hash": instance_hash(small), "executor": "inline"})
    (tmp_path / "run" / "settings.toml").write_text(settings_to_toml(lie))
    for read in (read_book, lambda path: run.resume(path, Silent())):
        with pytest.raises(RunError, match=r"ledger\.sqlite is damaged: units"):
            read(tmp_path / "run")
