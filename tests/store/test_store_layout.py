import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from e2.cluster.books import read_book
from e2.cluster.survey import read_study
from e2.core.grid import Grid
from e2.errors import E2Error, FormatError, RunError
from e2.search.fill_order import fill_order
from e2.store.best import best_boards
from e2.store.inputs import board_set, fill_order_argument, the_puzzle
from e2.store.layout import RunFolder, safe_name, write_durably
from e2.store.source import read_file, read_source


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("eternity2-breaks_7", "eternity2-breaks_7"),
        ("../../x", "x"),
        ("<script>alert(1)</script>", "script_alert_1_script"),
        ("", "run"),
        ("...", "run"),
        ("a\0b\n\x1b[31m", "a_b_31m"),
        ("x" * 10_000_000, "x" * 64),
        ("Größe", "Gr_e"),
    ],
)
def test_a_strangers_text_becomes_a_harmless_name(text, name):
    assert safe_name(text) == name


def test_a_name_that_exists_is_refused(tmp_path):
    RunFolder.create(tmp_path / "a")
    with pytest.raises(RunError, match="exists already"):
        RunFolder.create(tmp_path / "a")


def test_numbered_runs_share_a_parent_even_when_they_begin_at_once(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: RunFolder.create(tmp_path / "a", numbered=True).path.name, range(8)))
    assert sorted(made) == sorted(["a", *(f"a-{number}" for number in range(2, 9))])


def test_a_parent_that_is_a_file_is_an_error_also_when_numbered(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="cannot be made"):
        RunFolder.create(tmp_path / "file" / "a", numbered=True)


def test_a_folder_without_a_run_in_it_is_no_run(tmp_path):
    with pytest.raises(RunError, match=r"is no run: it has no settings\.toml"):
        RunFolder.open(tmp_path)


def test_a_second_driver_is_refused_while_the_first_lives(tmp_path):
    folder = RunFolder.create(tmp_path / "a")
    with folder.driven(), pytest.raises(RunError, match="another driver"), RunFolder(tmp_path / "a").driven():
        pass
    with folder.driven():
        pass


def test_the_lock_of_a_killed_driver_is_no_obstacle(tmp_path):
    folder = RunFolder.create(tmp_path / "a")
    program = (
        "import sys, time; from pathlib import Path; from e2.store.layout import RunFolder\n"
        "with RunFolder(Path(sys.argv[1])).driven(): print('held', flush=True); time.sleep(600)"
    )
    driver = subprocess.Popen([sys.executable, "-c", program, str(folder.path)], stdout=subprocess.PIPE)
    assert driver.stdout.readline() == b"held\n"
    with pytest.raises(RunError, match="another driver"), folder.driven():
        pass
    driver.kill()
    driver.wait()
    driver.stdout.close()
    with folder.driven():
        pass


def test_a_full_disk_leaves_the_old_file_and_no_draft(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_durably(path, b"old")

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError, match="No space left on device"):
        write_durably(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_link_in_the_place_of_a_draft_is_not_followed(tmp_path):
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / ".file.tmp").symlink_to("precious")
    write_durably(tmp_path / "file", b"data")
    assert not (tmp_path / "file").is_symlink()
    assert ((tmp_path / "file").read_bytes(), (tmp_path / "precious").read_bytes()) == (b"data", b"precious")


@pytest.mark.parametrize("link", ["boards", "ledger.sqlite", ".stop", "boards/earlier"])
def test_a_run_with_a_link_in_it_is_not_driven(tmp_path, link):
    folder = RunFolder.create(tmp_path / "run")
    if link == "boards":
        folder.boards.rmdir()
    (tmp_path / "elsewhere").mkdir()
    (folder.path / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RunError, match=f"run/{link} is a link, not followed"), folder.driven():
        pass
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("path", [".", "/"])
def test_a_folder_is_not_written_over(path):
    with pytest.raises(RunError, match="it is a folder"):
        write_durably(Path(path), b"data")


def test_a_file_is_on_disk_before_it_has_its_name(tmp_path, monkeypatch):
    events = []
    real_sync, real_replace = os.fsync, type(tmp_path).replace
    monkeypatch.setattr(os, "fsync", lambda handle: (events.append("sync"), real_sync(handle)))
    monkeypatch.setattr(type(tmp_path), "replace", lambda self, to: (events.append("rename"), real_replace(self, to)))
    write_durably(tmp_path / "file", b"data")
    assert events == ["sync", "rename", "sync"]


LONG = Path("x" * 300)


@pytest.mark.parametrize(
    ("look", "said"),
    [
        (RunFolder.open, "is no run"),
        (RunFolder.create, "cannot be made: File name too long"),
        (lambda path: write_durably(path, b""), "cannot be written: File name too long"),
        (read_book, "cannot be read: File name too long"),
        (lambda path: best_boards([path], 1, lambda *_: None), "is no folder"),
        (read_file, "cannot read x+: File name too long"),
        (lambda path: the_puzzle(str(path)), "is no puzzle"),
        (lambda path: board_set(str(path), None), "board_edges"),
        (lambda path: fill_order(Grid(4, 4), fill_order_argument(str(path)), 0), "fill_order: 'x+' is unknown"),
        (
            lambda path: read_study(f'puzzles = ["{path}"]\nnodes = 1\narms.a.strategy = "strict"', Path()),
            "is no puzzle",
        ),
    ],
)
def test_a_name_that_no_file_can_have_is_an_error_of_ours(look, said):
    RunFolder.refuse_taken(LONG)
    with pytest.raises(E2Error, match=said):
        look(LONG)


@pytest.mark.parametrize(
    ("path", "said"),
    [("file/x", "no such file"), ("nothing", "no such file"), ("a\0b", "no such file"), (".", "is a folder")],
)
def test_a_file_that_cannot_be_read_is_an_error_of_ours(tmp_path, path, said):
    (tmp_path / "file").touch()
    with pytest.raises(FormatError, match=said):
        read_file(tmp_path / path)


def test_standard_input_that_cannot_be_read_is_an_error_of_ours(monkeypatch):
    class Broken:
        def read(self, most):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=Broken()))
    with pytest.raises(FormatError, match="cannot read -: Input/output error"):
        read_source("-")
