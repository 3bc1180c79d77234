"""A strategy of the user's own: a class in one Python file, named `my.py:Name`, that follows the two-step protocol.

The text of the file travels in the task, and each process compiles it once. Nothing is run before a search is opened
(or its strategy asked for): reading a run folder never does.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import sys
import tempfile
import traceback
import types
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from e2.errors import SettingsError
from e2.search.strategy import Parameter, Strategy

RAISED: tuple[type[BaseException], ...] = (Exception, SystemExit)
"""What a user's code may raise and is told of: a strategy that calls sys.exit is at fault, as any that raises."""

_NAME = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)", re.DOTALL)


def file_and_class(strategy: str) -> tuple[Path, str] | None:
    """The two parts of `FILE.py:CLASS`; None for the name of a registered strategy.

    >>> file_and_class("mine/greedy.py:Greedy")
    (PosixPath('mine/greedy.py'), 'Greedy')
    """
    parts = _NAME.fullmatch(strategy)
    return None if parts is None else (Path(parts["file"]), parts["name"])


def source_hash(source: str) -> str:
    """SHA-256 of the text, 64 hex digits."""
    return hashlib.sha256(source.encode()).hexdigest()


@lru_cache(maxsize=16)
def own_strategy(strategy: str, source: str) -> Strategy:
    """The strategy `FILE.py:CLASS` whose file holds `source`.

    SettingsError, with the line, for a text that is no Python, that raises, or whose class is missing or does not have
    what the protocol asks for.
    """
    parts = file_and_class(strategy)
    assert parts is not None
    file, name = parts[0].name, parts[1]
    path = _kept(file, source)
    try:
        tree = ast.parse(source, str(path))
        code = compile(tree, str(path), "exec")
    except SyntaxError as error:
        raise SettingsError(f"{file}, line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{file} is no Python: {error}") from None
    # Dataclasses and numba look a class's module up by its name.
    module = types.ModuleType(f"e2_own_{path.parent.name}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    _calling(strategy, source, lambda: exec(code, module.__dict__))
    lines = {node.name: node.lineno for node in tree.body if isinstance(node, ast.ClassDef)}
    made = vars(module).get(name)
    if not isinstance(made, type):
        known = f"; it has {', '.join(lines)}" if lines else ""
        raise SettingsError(f"{file} has no class {name!r}{known}")
    found = _calling(strategy, source, made)
    for fault in _faults(found):
        raise SettingsError(f"{file}, line {lines.get(name, 1)}: class {name} {fault}")
    return cast(Strategy, found)


def told(error: BaseException, strategy: str, source: str) -> str:
    """What a strategy raised, with the line of its file: `ValueError: no such colour (my.py:12)`.

    The line is the last one of that file on the way to the error; without one nothing is added.
    """
    text = f"{type(error).__name__}: {error}"
    parts = file_and_class(strategy)
    if parts is None or not source:
        return text
    path = str(_kept(parts[0].name, source))
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f"{text} ({parts[0].name}:{lines[-1]})" if lines else text


def _calling(strategy: str, source: str, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except RAISED as error:
        # The file is the user's: whatever it raises is a fault of the setting that names it.
        raise SettingsError(f"{strategy}: {told(error, strategy, source)}") from error


def _faults(found: Any) -> list[str]:
    """What the protocol asks of a strategy and this one does not have."""
    parameters = getattr(found, "parameters", None)
    budget: Any = getattr(found, "default_nodes", None)
    patience: Any = getattr(found, "patience", None)
    wanted = {
        "name": (isinstance(getattr(found, "name", None), str), "a text"),
        "summary": (isinstance(getattr(found, "summary", None), str), "a text, one line"),
        "parameters": (
            isinstance(parameters, tuple) and all(isinstance(parameter, Parameter) for parameter in parameters),
            "a tuple of Parameter",
        ),
        "default_nodes": (type(budget) is int and budget >= 1, "an integer, 1 or more: the budget of a task"),
        "patience": (type(patience) in (int, float) and patience >= 0, "seconds that one step may need, 0.0 or more"),
        "prepare": (callable(getattr(found, "prepare", None)), "a method (instance, parameters, seed) -> Search"),
    }
    return [
        f"has {'no' if not hasattr(found, name) else 'another'} {name}; expected {expected}"
        for name, (is_right, expected) in wanted.items()
        if not is_right
    ]


@lru_cache(maxsize=16)
def _kept(file: str, source: str) -> Path:
    """The text as a file in the cache: only then does numba keep its machine code, and do tracebacks show its lines."""
    from e2.kernels.compile import CACHE_FOLDER  # brings numba, with its cache folder set

    path = CACHE_FOLDER / "own" / source_hash(source)[:16] / file
    if not path.is_file() or path.read_bytes() != source.encode():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as output:
            output.write(source.encode())
        os.replace(draft, path)
    return path
