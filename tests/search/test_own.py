import textwrap

import pytest

from e2.core.generate import generated
from e2.errors import FormatError, SettingsError
from e2.search import open_search, strategy
from e2.search.own import file_and_class, own_strategy, told
from e2.search.task import Task
from e2.store.inputs import strategy_argument

SMALL = generated(4, 4, 4, seed=11).instance

SOUND = textwrap.dedent(
    """
    from e2.search.strategy import Parameter

    class Mine:
        name = "mine"
        summary = "does nothing"
        parameters = (Parameter("width", 1, "how wide"),)
        default_nodes = 10
        patience = 0.0

        def prepare(self, instance, parameters, seed):
            raise ValueError("not yet")
    """
)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\nclass Mine:\n  def f(:\n", "mine.py, line 3: invalid syntax"),
        ("x = 1\n\nraise KeyError('oh')\n", "mine.py:Mine: KeyError: 'oh' (mine.py:3)"),
        ("import sys\nsys.exit(3)\n", "mine.py:Mine: SystemExit: 3 (mine.py:2)"),
        ("import no_such_module\n", "No module named 'no_such_module' (mine.py:1)"),
        ("class Other:\n  pass\n", "mine.py has no class 'Mine'; it has Other"),
        ("Mine = 3\n", "mine.py has no class 'Mine'"),
        ("\0", "mine.py"),
        ("(" * 5000, "mine.py"),
        (
            SOUND.replace("self, instance", "self, instance").replace(
                "class Mine:", "class Mine:\n    def __init__(self, n): ..."
            ),
            "missing 1 required positional argument",
        ),
        (SOUND.replace("    patience = 0.0\n", ""), "mine.py, line 4: class Mine has no patience; expected seconds"),
        (
            SOUND.replace("patience = 0.0", "patience = -1.0"),
            "line 4: class Mine has another patience; expected seconds",
        ),
        (SOUND.replace("= 10", "= 0"), "another default_nodes; expected an integer, 1 or more"),
        (
            SOUND.replace("(Parameter(", "[Parameter(").replace('wide"),)', 'wide")]'),
            "another parameters; expected a tuple",
        ),
        (SOUND.replace("def prepare", "def prepaer"), "has no prepare; expected a method"),
    ],
    ids=range(14),
)
def test_a_file_that_holds_no_strategy_is_told_with_its_line(source, message):
    with pytest.raises(SettingsError) as caught:
        own_strategy("mine.py:Mine", source)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_it_raises_is_told_with_its_own_line():
    found = own_strategy("mine.py:Mine", SOUND)
    with pytest.raises(ValueError, match="not yet") as caught:
        found.prepare(SMALL, {}, 0)
    assert told(caught.value, "mine.py:Mine", SOUND) == "ValueError: not yet (mine.py:12)"
    assert told(ValueError("elsewhere"), "mine.py:Mine", SOUND) == "ValueError: elsewhere"
    assert told(ValueError("ours"), "strict", "") == "ValueError: ours"


def test_the_text_and_the_class_name_the_task_and_the_path_does_not(tmp_path):
    (tmp_path / "mine.py").write_text(SOUND)
    name, source = strategy_argument(str(tmp_path / "mine.py") + ":Mine")
    assert (name, source) == ("mine.py:Mine", SOUND)
    assert strategy_argument("mine.py:Mine", tmp_path) == (name, source)
    tasks = [
        Task(SMALL, name, source=source),
        Task(SMALL, name, source=source + "\n"),
        Task(SMALL, "mine.py:Other", source=source),
        Task(SMALL, "strict"),
    ]
    assert len({task.id for task in tasks}) == 4
    assert Task(SMALL, "strict").id == Task(SMALL, "strict", source="").id


def test_a_file_with_a_byte_order_mark_and_windows_line_ends_is_read(tmp_path):
    (tmp_path / "mine.py").write_bytes(b"\xef\xbb\xbf" + SOUND.replace("\n", "\r\n").encode())
    assert strategy(*strategy_argument(f"{tmp_path}/mine.py:Mine")).name == "mine"


def test_a_missing_or_empty_file_is_refused(tmp_path):
    with pytest.raises(FormatError, match=r"no such file: .*nothing\.py"):
        strategy_argument(f"{tmp_path}/nothing.py:Mine")
    (tmp_path / "empty.py").write_text("\n")
    with pytest.raises(SettingsError, match="is empty; expected a class Mine"):
        strategy_argument(f"{tmp_path}/empty.py:Mine")


@pytest.mark.parametrize("name", ["strict", "my.py", "my.py:", ":Mine", ".py:3x", "my.py:Mine()", "my.pyc:Mine"])
def test_other_names_are_no_files(name):
    assert file_and_class(name) is None
    assert strategy_argument(name) == (name, "")


def test_nothing_is_run_before_a_search_is_opened(tmp_path):
    task = Task(SMALL, "mine.py:Mine", source=f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    assert task.id
    assert not (tmp_path / "ran").exists()
    with pytest.raises(SettingsError, match="has no class"):
        open_search(task)
    assert (tmp_path / "ran").exists()
