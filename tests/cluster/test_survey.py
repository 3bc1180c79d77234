import os
import shutil
from pathlib import Path

import pytest

from e2.cluster import run
from e2.cluster.observer import Silent
from e2.cluster.study import settings_from_toml
from e2.cluster.survey import read_study, run_study
from e2.errors import FormatError, RunError, SettingsError
from e2.store.ledger import Ledger

GREEDY = Path(__file__).parents[2] / "docs" / "examples" / "greedy.py"
TINY = Path(__file__).parents[1] / "counts" / "tomy_4x4.json"

STUDY = """
puzzles = ["tiny.json", "clue_1"]
seeds = 3
seed = 7
nodes = 400
executor = "inline"

[arms.control]
strategy = "breaks"

[arms.own]
strategy = "mine.py:Greedy"
parameters = { tries = 9 }
"""


@pytest.fixture
def folder(tmp_path):
    shutil.copy(TINY, tmp_path / "tiny.json")
    shutil.copy(GREEDY, tmp_path / "mine.py")
    return tmp_path


class Ending(Silent):
    """Asks the run to stop, as Ctrl-C does, after some boards."""

    def __init__(self, boards):
        self.left = boards

    def board(self, found):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), 2)


def results(study, out, observer=None):
    return run_study(study, out, observer or Silent())


def test_every_arm_has_every_puzzle_and_seed_as_an_ordinary_run(folder, tmp_path):
    study = read_study(STUDY, folder)
    summary = results(study, tmp_path / "out")
    assert (summary.failures, summary.interrupted, summary.verdict.complete) == ((), False, True)
    assert [standing.arm for standing in summary.verdict.standings] == ["control", "own"]
    assert [standing.tasks for standing in summary.verdict.standings] == [6, 6]
    assert summary.verdict.differences[0].pairs == 6
    assert {path.name for path in (tmp_path / "out" / "own").iterdir()} == {"tiny", "clue_1"}
    ledger = Ledger.open(tmp_path / "out" / "own" / "tiny" / "ledger.sqlite")
    assert [outcome.seed for outcome in ledger.outcomes()] == [7, 8, 9]
    ledger.close()
    assert run.resume(tmp_path / "out" / "own" / "tiny", Silent()).complete


def scores(verdict):
    return [(standing.score, standing.by_puzzle, standing.nodes) for standing in verdict.standings]


def test_a_study_that_was_stopped_goes_on_to_the_same_verdict(folder, tmp_path):
    study = read_study(STUDY, folder)
    whole = results(study, tmp_path / "whole").verdict
    first = results(study, tmp_path / "out", Ending(2))
    assert first.interrupted
    assert not first.verdict.complete
    second = results(study, tmp_path / "out")
    assert scores(second.verdict) == scores(whole)
    assert second.verdict.complete


def test_another_executor_gives_the_same_verdict(folder, tmp_path):
    inline = results(read_study(STUDY, folder), tmp_path / "inline").verdict
    local = read_study(STUDY, folder, {"executor": "local", "workers": 2})
    assert scores(results(local, tmp_path / "local").verdict) == scores(inline)


def test_a_study_grows_by_seeds_arms_and_puzzles_and_keeps_what_it_has(folder, tmp_path, monkeypatch):
    small = STUDY.replace('"tiny.json", "clue_1"', '"tiny.json"').replace("seeds = 3", "seeds = 2")
    results(read_study(small, folder), tmp_path / "out")
    grown = read_study(STUDY + '\n[arms.third]\nstrategy = "strict"\n', folder)
    assert scores(results(grown, tmp_path / "out").verdict) == scores(results(grown, tmp_path / "fresh").verdict)
    monkeypatch.setattr(run, "executor_of", lambda settings: pytest.fail("a complete study starts no executor"))
    again = results(read_study(small, folder), tmp_path / "out").verdict
    assert [standing.tasks for standing in again.standings] == [2, 2]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("nodes = 400", "nodes = 401", "was begun with nodes = 400, the study has 401"),
        ("seed = 7", "seed = 8", "was begun with seed = 7, the study has 8"),
        ("tries = 9", "tries = 8", "was begun with parameters = {'tries': 9}, the study has {'tries': 8}"),
        ('strategy = "breaks"', 'strategy = "strict"', "was begun with strategy = 'breaks', the study has 'strict'"),
    ],
)
def test_a_folder_with_runs_of_another_study_is_refused(folder, tmp_path, old, new, said):
    results(read_study(STUDY, folder), tmp_path / "out")
    with pytest.raises(SettingsError) as refused:
        results(read_study(STUDY.replace(old, new), folder), tmp_path / "out")
    assert said in str(refused.value)


def test_a_strategy_whose_text_has_changed_is_another_one(folder, tmp_path):
    results(read_study(STUDY, folder), tmp_path / "out")
    (folder / "mine.py").write_text((folder / "mine.py").read_text() + "\n")
    with pytest.raises(SettingsError, match="was begun with strategy_hash = "):
        results(read_study(STUDY, folder), tmp_path / "out")


def test_a_folder_that_a_killed_driver_left_unfinished_is_made_anew(folder, tmp_path):
    study = read_study(STUDY, folder)
    left = tmp_path / "out" / "own" / "tiny"
    left.mkdir(parents=True)
    for name in ("ledger.sqlite", "ledger.sqlite-wal", ".lock", ".settings.toml.tmp"):
        (left / name).touch()
    assert results(study, tmp_path / "out").verdict.complete


@pytest.mark.parametrize("kept", ["boards/60_1.json", "notes.txt", "boards-2", ".mine"])
def test_a_folder_without_settings_in_which_something_is_kept_is_not_removed(folder, tmp_path, kept):
    study = read_study(STUDY, folder)
    part = tmp_path / "out" / "own" / "tiny"
    (part / "boards").mkdir(parents=True)
    (part / kept).write_text("mine")
    with pytest.raises(RunError, match=f"own/tiny is no run, and {Path(kept).name} is in it"):
        results(study, tmp_path / "out")
    assert (part / kept).read_text() == "mine"


def test_a_file_in_the_place_of_a_part_is_an_error(folder, tmp_path):
    (tmp_path / "out" / "control").mkdir(parents=True)
    (tmp_path / "out" / "control" / "tiny").write_text("mine")
    with pytest.raises(RunError, match="tiny cannot be removed: Not a directory"):
        results(read_study(STUDY, folder), tmp_path / "out")


def test_a_task_that_fails_is_named_and_the_rest_is_judged(folder, tmp_path):
    text = (folder / "mine.py").read_text()
    (folder / "mine.py").write_text(
        text.replace("made = boards = deepest = 0", "made = boards = deepest = 0 // (self.seed - 8)")
    )
    summary = results(read_study(STUDY, folder), tmp_path / "out")
    assert len(summary.failures) == 2
    assert summary.failures[0].startswith("own on tiny: unit 1: task ")
    assert "ZeroDivisionError" in summary.failures[0]
    assert [standing.tasks for standing in summary.verdict.standings] == [6, 4]
    assert summary.verdict.differences[0].pairs == 4


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("nodes = 400", "", "one budget for every task: nodes or seconds"),
        ("nodes = 400", "nodes = 400\nseconds = 1", "one budget for every task: nodes or seconds"),
        ("nodes = 400", "nodes = 0", "arm control: nodes = 0"),
        ("nodes = 400", "nodes = true", "nodes = True"),
        ("nodes = 400", "seconds = '5'", "seconds = '5'"),
        ("seed = 7", "seed = '7'", "seed = '7'"),
        ("nodes = 400", "seconds = -1", "arm control: task_seconds = -1"),
        ("seeds = 3", "seeds = 0", "seeds = 0"),
        ("seed = 7", "seed = -7", "arm control: seed = -7"),
        ("seed = 7", "seed = 7\ncolour = 3", "'colour' is no setting"),
        ('"clue_1"', '"tiny.json"', "puzzles: 'tiny' stands there twice"),
        ('["tiny.json", "clue_1"]', "[]", "puzzles = []"),
        ("[arms.own]", '[arms."../own"]', "arms.../own"),
        ('executor = "inline"', 'executor = "dask"', "arm control: executor = 'dask'"),
        ("mine.py:Greedy", "nothing.py:Greedy", "arm own: input: no such file"),
        ("seeds = 3", "seeds = = 3", "the study is no TOML"),
        ("seeds = 3", f"seeds = {5000 * '3'}", "the study is no TOML"),
        ("seeds = 3", f"seeds = {20_000 * '['}", "the study is no TOML"),
    ],
)
def test_a_study_that_cannot_be_is_refused_in_one_line(folder, old, new, said):
    with pytest.raises(SettingsError) as refused:
        read_study(STUDY.replace(old, new), folder)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_puzzle_that_is_none_is_refused(folder):
    with pytest.raises(FormatError, match="is no puzzle"):
        read_study(STUDY.replace("clue_1", "no_such_puzzle"), folder)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("tries", "tires", "arm own on tiny: greedy has no parameter 'tires'"),
        ("mine.py:Greedy", "mine.py:Mine", "arm own on tiny: mine.py has no class 'Mine'; it has Greedy, GreedySearch"),
        ('"breaks"', '"annealing"', "arm control on tiny: strategy 'annealing' is unknown"),
    ],
)
def test_an_arm_that_cannot_run_is_refused_before_any_runs(folder, tmp_path, old, new, said):
    with pytest.raises(SettingsError) as refused:
        results(read_study(STUDY.replace(old, new), folder), tmp_path / "out")
    assert said in str(refused.value)
    assert [path for path in tmp_path.glob("out/*") if path.is_dir()] == []


def test_an_arm_that_suits_itself_to_the_budget_goes_on_with_what_it_chose(folder, tmp_path):
    text = STUDY.replace('"breaks"', '"beam"').replace("nodes = 400", "nodes = 4000")
    results(read_study(text, folder), tmp_path / "out")
    chosen = settings_from_toml((tmp_path / "out" / "control" / "tiny" / "settings.toml").read_text()).parameters
    assert chosen["width"] >= 1
    assert results(read_study(text, folder, {"seeds": 4}), tmp_path / "out").verdict.complete


def test_seconds_of_a_core_are_a_budget_too(folder, tmp_path):
    text = STUDY.replace("nodes = 400", "seconds = 0.2\nslice_seconds = 0.1").replace("seeds = 3", "seeds = 2")
    text = text.replace('"tiny.json", "clue_1"', '"clue_1"')
    verdict = results(read_study(text, folder), tmp_path / "out").verdict
    assert verdict.complete
    # A slice ends after its seconds, by a bite of a hundredth; breaks may prove its puzzle done before.
    assert verdict.standings[1].seconds >= 0.2
