from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from e2.cli.main import app

CASES = Path(__file__).parent.parent / "cases"


@dataclass(frozen=True)
class Ran:
    """What a command did: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines; anything else on it fails here."""
        return [orjson.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


@pytest.fixture
def e2(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command in an empty folder, with nothing shown as a traceback."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path, stdin: bytes = b"") -> Ran:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin, prog_name="e2")
        assert "Traceback" not in result.stderr
        return Ran(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def cases() -> Path:
    return CASES
