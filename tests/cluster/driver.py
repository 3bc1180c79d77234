"""A driver to be killed: `python driver.py RUN SETTINGS_AS_JSON MODE`. Each line it prints is a moment to act on.

MODE `stall` stops for ever at the first report that shows some of the work done; MODE `go` goes on.
"""

import json
import sys
import time
from pathlib import Path

from e2.cluster import manager, run
from e2.cluster.study import run_settings
from e2.core.official import official_instance


class Watcher:
    def __init__(self, stall):
        self.stall = stall

    def progress(self, progress):
        if progress.nodes:
            print(f"nodes {progress.nodes}", flush=True)
            while self.stall:
                time.sleep(60)

    def board(self, found): ...

    def note(self, text): ...


if __name__ == "__main__":
    manager._REPORT = 0.0  # or all might be done before the first report
    made = []
    real = run.executor_of
    run.executor_of = lambda settings: made.append(real(settings)) or made[-1]
    summary = run.solve(
        run_settings(json.loads(sys.argv[2])), official_instance(), Path(sys.argv[1]), Watcher(sys.argv[3] == "stall")
    )
    print("interrupted" if summary.interrupted else "ended", flush=True)
