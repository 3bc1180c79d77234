"""Ctrl-C and SIGTERM: the first asks the run to stop, the second ends it at once."""

from __future__ import annotations

import contextlib
import signal
import threading
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from e2.errors import RunError

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """While it is entered, signals set `asked` and make the file `stop`, which workers on this disk look for.

    The file is what stops a slice that runs in this very thread. Off the main thread, where Python allows no handlers,
    signals are left alone. Handlers that were there before come back.
    """

    def __init__(self, stop: Path) -> None:
        self.asked = False
        self._stop = stop
        self._before: dict[signal.Signals, object] = {}

    def __enter__(self) -> Self:
        try:
            self._stop.unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"{self._stop} cannot be removed: {error.strerror}") from error
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        with contextlib.suppress(OSError):
            self._stop.unlink(missing_ok=True)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        # Where it cannot be made, slices end with their seconds.
        with contextlib.suppress(OSError):
            self._stop.touch()
