"""Ctrl-C and SIGTERM: the first asks the run to stop, the second ends it at once."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

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
        self._stop.unlink(missing_ok=True)
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        self._stop.unlink(missing_ok=True)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        self._stop.touch()
