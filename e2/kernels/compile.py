"""The project's one way to compile, and where the machine code is kept.

Numba's own cache does not see a change in another file that a kernel calls. The folder is therefore named by
everything that goes into the code: all kernel sources, the versions, the processor, and whether bounds are checked.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import llvmlite.binding  # type: ignore[import-untyped]
import numpy as np

BOUNDS_CHECK = os.environ.get("E2_BOUNDS_CHECK") == "1"
"""Every index checked, 3 to 4 times slower: for one pass of the tests."""


def _cache_name() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    parts = (
        version("numba"),
        np.__version__,
        platform.python_version(),
        platform.machine(),
        llvmlite.binding.get_host_cpu_name(),
        str(BOUNDS_CHECK),
    )
    digest.update("\n".join(parts).encode())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """A folder of our own that can be written: the user's cache, or a private one that goes with the process."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = home / "e2" / "kernels" / _cache_name()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="e2-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder


CACHE_FOLDER = _cache_folder()
# Numba reads the variable once, when it is imported; somebody may have imported it before us.
os.environ["NUMBA_CACHE_DIR"] = str(CACHE_FOLDER)
import numba  # noqa: E402
from numba.core import types  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]


_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "boundscheck": BOUNDS_CHECK}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop over flat arrays: without the GIL, kept in the cache folder."""
    compiled: Callable[..., Any] = numba.njit(**_OPTIONS)(function)
    return compiled


def lean_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop that neither makes arrays nor assigns slices, without numba's runtime.

    The runtime counts references to every array that is passed on, with atomic adds. In a hot loop that can halve the
    speed.
    """
    compiled: Callable[..., Any] = numba.njit(_nrt=False, **_OPTIONS)(function)  # type: ignore[call-overload]
    return compiled


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a part of a lean kernel into its callers: a call would pass each of its arrays as seven words."""
    compiled: Callable[..., Any] = numba.njit(inline="always", _nrt=False, **_OPTIONS)(  # type: ignore[call-overload]
        function
    )
    return compiled


def _lowest_bit(typing_context: Any, word: Any) -> Any:
    """The index of the lowest set bit of a uint64 that is not 0."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), code


lowest_bit: Any = intrinsic(_lowest_bit)


def _bit_count(typing_context: Any, word: Any) -> Any:
    """How many bits of a uint64 are set."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), code


bit_count: Any = intrinsic(_bit_count)
