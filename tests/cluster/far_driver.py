"""A driver on a cluster: `python far_driver.py RUN SETTINGS_AS_JSON`. It prints what the run notes, then `ended`.

Its leases have seconds of grace in place of a minute.
"""

import functools
import json
import sys
from pathlib import Path

from e2.cluster import run
from e2.cluster.manager import Manager
from e2.cluster.observer import Silent
from e2.cluster.study import run_settings
from e2.core.generate import generated

GRACE = 5.0


class Notes(Silent):
    def note(self, text):
        print(text, flush=True)


def instance():
    return generated(5, 5, 4, seed=4, pins=2).instance


if __name__ == "__main__":
    run.Manager = functools.partial(Manager, grace=GRACE)
    run.solve(run_settings(json.loads(sys.argv[2])), instance(), Path(sys.argv[1]), Notes())
    print("ended", flush=True)
