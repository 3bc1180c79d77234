from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import Run

from e2.cli.main import COMMANDS, GROUPS
from e2.cli.output import say_json

HEAVY = ("numba", "ray", "numpy", "pydantic", "sqlite3")


def test_help_needs_nothing_heavy() -> None:
    code = (
        "import sys\nsys.argv = ['e2', '--help']\nfrom e2.cli.main import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_the_help_of_each_command_has_an_example_of_it(e2: Run, command: object) -> None:
    name = getattr(command, "__name__", "")
    ran = e2(name, "--help")
    assert ran.code == 0
    assert re.search(rf"Example:\n\s+e2 {name} ", ran.out)


def test_every_command_takes_json_but_those_that_the_page_for_programs_names() -> None:
    page = (Path(__file__).parents[2] / "docs" / "programs.md").read_text("utf-8")
    grouped = [command for _, commands in GROUPS.values() for command in commands.values()]
    without = [one.__name__ for one in (*COMMANDS, *grouped) if "json" not in inspect.signature(one).parameters]
    assert f"Every command but {' and '.join(f'`{name}`' for name in without)} takes `--json`" in page


def test_an_unknown_command_or_option_is_a_usage_error(e2: Run) -> None:
    assert e2("slove").code == 2
    assert e2("show", "--colour", "x").code == 2


def in_a_shell(script: str, *arguments: str | Path, unbuffered: bool = False) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which "$E2" is the command and "$1", "$2", ... are the arguments."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1" if unbuffered else ""}
    line = ["bash", "-c", f'E2() {{ {sys.executable} -m e2 "$@"; }}; {script}', "-", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, env=environment, timeout=60)


@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.parametrize("command", ["verify", "verify --json", "convert --to viewer_url", "convert --json"])
def test_a_full_disk_is_told_in_one_line(cases: Path, command: str, unbuffered: bool) -> None:
    ran = in_a_shell(f'E2 {command} "$1" > /dev/full', cases / "edges-470.txt", unbuffered=unbuffered)
    message = b"standard output cannot be written: No space left on device\n"
    assert (ran.returncode, ran.stderr.endswith(message), ran.stderr.count(b"\n")) == (2, True, 1)


def test_what_cannot_be_told_changes_no_exit_code(cases: Path) -> None:
    assert in_a_shell("E2 verify nothing.json 2> /dev/full").returncode == 2
    assert in_a_shell("E2 convert --json nothing.json | true; exit ${PIPESTATUS[0]}").returncode == 2


def test_closed_streams_are_empty_and_swallow_all(cases: Path) -> None:
    ran = in_a_shell("E2 verify - <&-")
    assert (ran.returncode, b"input is empty" in ran.stderr) == (2, True)
    ran = in_a_shell('E2 show "$1" >&-', cases / "edges-470.txt")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    ran = in_a_shell("E2 verify nothing.json <&- >&- 2>&-")
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, b"", b"")


def test_a_name_that_is_no_utf_8_is_shown_escaped(e2: Run, cases: Path, tmp_path: Path) -> None:
    name = "x\udcff.json"
    (tmp_path / name).write_bytes((cases / "puzzle-official.json").read_bytes())
    assert e2("show", name, "--json").records[0]["input"] == r"x\udcff.json"
    ran = e2("verify", "aaaa", "--from", "\udcff", "--json")
    assert (ran.code, json.loads(ran.out)["error"]["format"]) == (2, "\udcff")


def test_a_number_of_more_than_64_bits_stays_exact(capsys: pytest.CaptureFixture[str]) -> None:
    say_json({"apart": 10**30, "merged": ("pieces",)})
    assert capsys.readouterr().out == '{"apart":1000000000000000000000000000000,"merged":["pieces"]}\n'


def test_python_m_e2_is_the_same_door() -> None:
    ran = subprocess.run([sys.executable, "-m", "e2", "verify", "nothing.json"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: nothing.json: input: no such file")
