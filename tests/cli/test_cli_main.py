from __future__ import annotations

import re
import subprocess
import sys

import pytest
from cli.conftest import Run

from e2.cli.main import COMMANDS

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


def test_an_unknown_command_or_option_is_a_usage_error(e2: Run) -> None:
    assert e2("slove").code == 2
    assert e2("show", "--colour", "x").code == 2


def test_python_m_e2_is_the_same_door() -> None:
    ran = subprocess.run([sys.executable, "-m", "e2", "verify", "nothing.json"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: nothing.json: input: no such file")
