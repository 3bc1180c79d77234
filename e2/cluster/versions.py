"""Which e2 a process has, and what that stands on.

This file imports nothing of e2: Ray carries its functions to a node as they are, so one with another e2, or with none,
answers too.
"""

from __future__ import annotations

import hashlib
import platform
from importlib import metadata, util
from pathlib import Path

MISSING = "none"


def versions() -> dict[str, str]:
    """The versions of e2, Python, Ray, numba and numpy here. That of e2 ends with a digest of its sources.

    Two checkouts of one version may search differently, and their results would be added up.
    """
    found = {"e2": f"{_installed('e2')}+{_digest('e2')}", "Python": platform.python_version()}
    return found | {name: _installed(name.lower()) for name in ("Ray", "numba", "numpy")}


def _installed(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return MISSING


def _digest(package: str) -> str:
    found = util.find_spec(package)
    if found is None or found.origin is None:
        return MISSING
    folder, digest = Path(found.origin).parent, hashlib.sha256()
    for source in sorted(folder.rglob("*.py")):
        digest.update(source.relative_to(folder).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:8]


def differences(theirs: dict[str, str], ours: dict[str, str]) -> str:
    """What is not the same, in words; empty where all is.

    >>> differences({"e2": "1.0+aa", "numba": "0.61"}, {"e2": "1.0+aa", "numba": "0.68"})
    'numba 0.61 in place of 0.68'
    """
    return ", ".join(
        f"{name} {theirs.get(name, MISSING)} in place of {version}"
        for name, version in ours.items()
        if theirs.get(name) != version
    )
