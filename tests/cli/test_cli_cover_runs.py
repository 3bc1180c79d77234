"""Counts of covers as runs: kept, interrupted, resumed, looked at; and how a count that keeps nothing is stopped."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.conftest import Ran, Run
from cluster.cutting import cutting

from e2.cli import pencil_count
from e2.cli.solve import Watcher
from e2.cluster import manager
from e2.cluster.observer import Progress

XCC = Path(__file__).parent.parent / "cases" / "xcc"
COVER = ("pencil", "cover", XCC / "em5_4_3_2.dlx", "--count")
WORDS = ("pencil", "words", "ABEL", "CANTOR", "GAUSS", "EULER", "--count")
LONG = ("ABEL", "CANTOR", "GAUSS", "EULER", "NOETHER", "RIEMANN", "HILBERT", "FERMAT")
"""Words that lie on 9x9 cells in more ways than anybody can count in a test."""


def whole_nodes(ran: Ran) -> int:
    """The nodes that a count has told, which is over."""
    told = re.fullmatch(r"\d+ solutions, (\d+) nodes in \d+:\d\d\n", ran.out)
    assert told is not None, ran.out
    return int(told[1])


def test_a_count_in_a_folder_says_the_same_and_can_be_looked_at(e2: Run) -> None:
    assert e2(*COVER).out == "37 solutions\n"
    ran = e2(*COVER, "--out", "run")
    assert (ran.code, ran.out, ran.err) == (0, "37 solutions\n", "")
    shown = e2("ledger", "show", "run").out.splitlines()
    assert re.fullmatch(r"run: tree [0-9a-f]{16} of a cover problem, 90 items and 478 options", shown[0])
    assert shown[1].split() == ["settings", "strategy", "cover"]
    assert shown[4].split(maxsplit=1) == ["solutions", "37, which are not kept"]
    assert shown[5].split(maxsplit=1) == ["proof", "the whole tree is searched: it holds exactly 37 solutions"]
    assert e2("pencil", "cover", "run/cover.txt", "--count", "--json").records == [{"solutions": 37}]
    assert e2("ledger", "verify", "run/ledger.txt").code == 0


class Impatient(Watcher):
    """Presses Ctrl-C when it is told for the first time how far the count is."""

    told = 0

    def progress(self, progress: Progress) -> None:
        if not self.told:
            signal.raise_signal(signal.SIGINT)
        self.told += 1


def test_an_interrupted_count_goes_on_where_it_stood(e2: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert e2(*COVER, "--out", "whole").code == 0
    known = whole_nodes(e2("resume", "whole"))
    with monkeypatch.context() as patch, cutting(20):
        patch.setattr(manager, "_REPORT", 0.0)
        patch.setattr(pencil_count, "Watcher", Impatient)
        ran = e2(*COVER, "--out", "run")
    assert (ran.code, ran.err) == (130, "to go on: e2 resume run\n")
    assert re.fullmatch(r"\d+ solutions so far\n", ran.out)
    shown = e2("ledger", "show", "run", "--json").records[0]
    assert 0 < shown["nodes"] < known
    assert shown["left"] > 0
    ran = e2("resume", "run")
    assert ran.out.startswith("37 solutions, ")
    assert whole_nodes(ran) == known


def test_a_count_that_is_out_of_time_says_how_to_go_on(e2: Run) -> None:
    with cutting(20):
        ran = e2(*COVER, "--out", "run", "--seconds", "0.001", "--json")
    (record,) = ran.records
    assert (ran.code, ran.err) == (0, "to go on: e2 resume run\n")
    assert (record["complete"], record["run"]) == (False, "run")
    done = e2("resume", "run", "--seconds", "1e6", "--json").records[0]
    assert (done["solutions"], done["complete"]) == (37, True)


@pytest.mark.parametrize(
    ("options", "ways"),
    [((), 244_792), (("--crossing",), 43_448)],
)
def test_words_that_cross_are_counted_in_parts_too(e2: Run, options: tuple[str, ...], ways: int) -> None:
    where = ("--out", "run", "--executor", "local", "--workers", "2")
    assert e2(*WORDS, *options, *where).out == f"{ways:,} ways to place 4 words on 6x6\n"
    again = e2("resume", "run", "--json").records[0]
    assert (again["solutions"], again["complete"]) == (ways, True)


def test_rectangles_are_counted_in_a_folder(e2: Run, tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("CAT\nDOG\nEEL\nCDE\nAOE\nTGL\n")
    run = ("pencil", "rectangle", "--rows-from", "all.txt", "--size", "3x3", "--count", "--out", "run")
    assert e2(*run).out == "2 rectangles of 3x3\n"
    assert e2("ledger", "show", "run").out.splitlines()[0].endswith("15 items and 36 options")


def test_none_in_a_folder_is_a_no(e2: Run) -> None:
    ran = e2("pencil", "cover", "-", "--count", "--out", "run", stdin=b"a b\na\n")
    assert (ran.code, ran.out) == (1, "0 solutions\n")


def test_a_folder_that_is_there_is_left_alone(e2: Run, tmp_path: Path) -> None:
    assert e2(*COVER, "--out", "run").code == 0
    before = sorted((path.name, path.stat().st_mtime_ns) for path in (tmp_path / "run").iterdir())
    ran = e2(*WORDS, "--out", "run")
    assert (ran.code, ran.err) == (2, "error: run exists already: resume it, or choose another name\n")
    assert sorted((path.name, path.stat().st_mtime_ns) for path in (tmp_path / "run").iterdir()) == before


def test_the_problem_of_another_count_is_refused(e2: Run) -> None:
    assert e2(*COVER, "--out", "run").code == 0
    assert e2(*WORDS, "--out", "words").code == 0
    Path("run/cover.txt").write_bytes(Path("words/cover.txt").read_bytes())
    ran = e2("resume", "run")
    assert (ran.code, ran.err) == (2, "error: run/cover.txt is not the problem that this run began with\n")


def test_ledgers_of_two_problems_are_not_joined(e2: Run) -> None:
    assert e2("pencil", "cover", "-", "--count", "--out", "one", stdin=b"a b\na\nb\n").code == 0
    assert e2("pencil", "cover", "-", "--count", "--out", "two", stdin=b"a b\na b\n").code == 0
    ran = e2("ledger", "merge", "one", "two", "--out", "both")
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(
        r"error: ledger: tree \w{16} is not tree \w{16}; expected ledgers of the same problem\n", ran.err
    )
    assert not Path("both").exists()


@pytest.mark.parametrize(
    "command", [("report", "run", "--output", "page.html"), ("compare", "run", "run")], ids=lambda command: command[0]
)
def test_what_shows_boards_says_that_there_are_none(e2: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    assert e2(*COVER, "--out", "run").code == 0
    ran = e2(*command)
    said = "error: run counts covers, so it has no boards to show; e2 ledger show tells what is counted\n"
    assert (ran.code, ran.err) == (2, said)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_board_is_counted_by_cover_as_by_the_strict_tree(e2: Run) -> None:
    assert e2("generate", "--size", "4", "--colours", "5", "--framed", "--out", ".").code == 0
    run = ("count", "--puzzle", "planted_4x4_c5_s1_framed.json", "--executor", "inline", "--keep", "5", "--json")
    strict = e2(*run, "--out", "strict").records[-1]
    cover = e2(*run, "--strategy", "cover", "--prefix-depth", "3", "--out", "cover").records[-1]
    assert (strict["solutions"], cover["solutions"]) == (6912, 6912)
    assert (len(cover["nodes_by_depth"]), cover["nodes_by_depth"][-1]) == (16, 6912)
    assert cover["nodes"] < strict["nodes"]
    assert len(list(Path("cover/boards").glob("24_*.json"))) == 5
    shown = e2("ledger", "show", "cover", "--json").records[0]
    assert (shown["settings"]["strategy"], shown["puzzle"]) == ("cover", "planted_4x4_c5_s1_framed")
    assert e2("verify", cover["best"]).code == 0


def test_a_solution_or_the_proof_that_there_is_none_by_cover(e2: Run) -> None:
    assert e2("generate", "--size", "5", "--colours", "8", "--framed", "--out", ".").code == 0
    run = ("solve", "--exhaustive", "--strategy", "cover", "--executor", "inline", "--puzzle")
    record = e2(*run, "planted_5x5_c8_s1_framed.json", "--out", "run", "--json").records[-1]
    assert (record["solutions"], record["complete"]) == (1, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--merge", "board"), "merge has no meaning for a count by cover, which chooses its own order"),
        (("--fill-order", "spiral-in"), "parameters has no meaning for a count by cover, which chooses its own order"),
        (("--rank", "model"), "rank has no meaning for a count by cover, which chooses its own order"),
        (("--prefix-depth", "16"), "prefix_depth = 16: expected less than the 16 cells that are filled"),
    ],
)
def test_what_only_strict_trees_have_is_refused(e2: Run, cases: Path, options: tuple[str, str], said: str) -> None:
    puzzle = cases.parent / "counts" / "tomy_4x4.json"
    ran = e2("count", "--puzzle", puzzle, "--strategy", "cover", "--executor", "inline", "--out", "run", *options)
    assert (ran.code, ran.err) == (2, f"error: {said}\n")
    assert not Path("run").exists()


class Terminal:
    """e2 in a process of its own, with a terminal to write its live line on."""

    def __init__(self, *arguments: str) -> None:
        self._shown, end = pty.openpty()
        self.text = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "e2", *arguments],
            stdout=subprocess.PIPE,
            stderr=end,
            env={**os.environ, "COLUMNS": "200", "TERM": "xterm"},
        )
        os.close(end)

    def read_until(self, word: str) -> None:
        end = time.monotonic() + 120
        while word not in self.text:
            ready, _, _ = select.select([self._shown], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{word!r} was not shown: {self.text}"
            self.text += os.read(self._shown, 65536).decode()

    def interrupted(self) -> tuple[int, float, bytes]:
        """Exit code, seconds and answer after a Ctrl-C."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(60)
        seconds = time.monotonic() - began
        assert self.process.stdout is not None
        with self.process.stdout as out:
            answer = out.read()
        while True:
            try:
                more = os.read(self._shown, 65536)
            except OSError:
                break
            self.text += more.decode()
        os.close(self._shown)
        return code, seconds, answer


def test_a_count_that_keeps_nothing_shows_how_far_it_is_and_stops_at_once() -> None:
    terminal = Terminal("pencil", "words", *LONG, "--rows", "9", "--cols", "9", "--count")
    terminal.read_until(" % searched")
    code, seconds, answer = terminal.interrupted()
    assert (code, answer) == (130, b"")
    assert seconds < 2
    assert "with --out RUN a count can go on later" in terminal.text


def test_a_count_in_a_folder_stops_soon_and_goes_on(e2: Run, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    where = ("--out", run, "--executor", "local", "--workers", "2")
    terminal = Terminal("pencil", "words", *LONG, "--rows", "9", "--cols", "9", "--count", "--crossing", *where)
    terminal.read_until(" left")  # shown as soon as a part has come back
    code, seconds, answer = terminal.interrupted()
    assert code == 130
    assert seconds < 2
    assert re.fullmatch(rb"[\d,]+ ways to place 8 words on 9x9 so far\n", answer)
    assert f"to go on: e2 resume {run}" in terminal.text.replace("\r\n", "")
    before = e2("ledger", "show", "run", "--json").records[0]
    assert 0 < before["left"] < 1
    ran = e2("resume", "run", "--executor", "inline", "--seconds", "0.2", "--json")
    after = ran.records[-1]
    assert (ran.code, after["complete"]) == (0, False)
    assert after["nodes"] > before["nodes"]
    assert after["solutions"] >= before["solutions"]
