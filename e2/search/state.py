"""A search's arrays as bytes and back. The bytes are a npz archive without pickles: they hold no code."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Collection, Mapping

import numpy as np

from e2.core.fingerprint import instance_hash
from e2.core.instance import Instance
from e2.errors import SettingsError
from e2.kernels.tables import Array
from e2.search.strategy import Value

# MemoryError and OverflowError: an array says that it is larger than the state is.
_UNREADABLE = ValueError, OSError, KeyError, EOFError, RuntimeError, MemoryError, OverflowError, zipfile.BadZipFile
_FOREIGN = "this state does not belong to the task"


def foreign_state(reason: str) -> SettingsError:
    """The error for a state that some other task, or nobody, has made."""
    return SettingsError(f"{_FOREIGN}: {reason}")


def fingerprint(name: str, instance: Instance, parameters: Mapping[str, Value], seed: int) -> Array:
    """32 bytes that tell apart all tasks but for their budget: a state carries those of its own."""
    parts = [instance_hash(instance), name, str(seed)]
    parts += [f"{key}={value!r}" for key, value in sorted(parameters.items())]
    return np.frombuffer(hashlib.sha256("\n".join(parts).encode()).digest(), np.uint8).copy()


def packed(arrays: Mapping[str, Array]) -> bytes:
    """The arrays as bytes: the same arrays always give the same bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **dict(arrays))
    return buffer.getvalue()


def unpacked(state: bytes, like: Mapping[str, Array], any_length: Collection[str] = ()) -> dict[str, Array]:
    """The arrays of `state`, writable, if their names, types and shapes are those of `like`.

    Those of `any_length` have one axis, as long as it happens to be. An array named `task` is a fingerprint, which must
    be the same too.
    """
    found = {}
    try:
        with zipfile.ZipFile(io.BytesIO(state)) as archive:
            entries = archive.infolist()
        sizes = {entry.filename: entry.file_size for entry in entries if entry.compress_type == zipfile.ZIP_STORED}
        # Arrays are kept as they are, so none is larger than the state: a small state that swells is no state of ours.
        due = {f"{name}.npy": len(state) if name in any_length else array.nbytes for name, array in like.items()}
        if sizes.keys() != due.keys() or any(sizes[name] > due[name] + 1024 for name in due):
            raise foreign_state(f"expected the arrays {', '.join(sorted(like))}")
        with np.load(io.BytesIO(state), allow_pickle=False) as archive:
            for name in like:
                found[name] = np.array(archive[name])
    except _UNREADABLE as error:
        if isinstance(error, SettingsError):
            raise
        raise foreign_state(f"it cannot be read ({error})") from error
    for name, array in like.items():
        shape = found[name].shape[:1] if name in any_length else array.shape
        if found[name].dtype != array.dtype or found[name].shape != shape:
            raise foreign_state(f"{name} is {found[name].dtype}{found[name].shape}, not {array.dtype}{shape}")
    if "task" in like and (found["task"] != like["task"]).any():
        raise foreign_state("instance, strategy, parameters or seed differ")
    return found
