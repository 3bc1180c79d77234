"""A search's arrays as bytes and back. The bytes are a npz archive without pickles: they hold no code."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import numpy as np

from e2.errors import SettingsError
from e2.kernels.tables import Array

_FOREIGN = "this state does not belong to the task"


def foreign_state(reason: str) -> SettingsError:
    """The error for a state that some other task, or nobody, has made."""
    return SettingsError(f"{_FOREIGN}: {reason}")


def packed(arrays: Mapping[str, Array]) -> bytes:
    """The arrays as bytes: the same arrays always give the same bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **dict(arrays))
    return buffer.getvalue()


def unpacked(state: bytes, like: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays of `state`, writable, if their names, types and shapes are those of `like`."""
    found = {}
    try:
        with zipfile.ZipFile(io.BytesIO(state)) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
        due = {f"{name}.npy": array.nbytes for name, array in like.items()}
        if sizes.keys() != due.keys() or any(sizes[name] > due[name] + 1024 for name in due):
            raise foreign_state(f"expected the arrays {', '.join(sorted(like))}")
        with np.load(io.BytesIO(state), allow_pickle=False) as archive:
            for name in like:
                found[name] = np.array(archive[name])
    except (ValueError, OSError, KeyError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, SettingsError):
            raise
        raise foreign_state(f"it cannot be read ({error})") from error
    for name, array in like.items():
        if found[name].dtype != array.dtype or found[name].shape != array.shape:
            raise foreign_state(f"{name} is {found[name].dtype}{found[name].shape}, not {array.dtype}{array.shape}")
    return found
