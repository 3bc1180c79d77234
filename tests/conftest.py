import signal

import pytest

# A shell has what it puts in the background ignore Ctrl-C, and all below it: tests send one.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def ray_executor():
    """The one embedded Ray of the whole suite: two workers."""
    from e2.cluster.ray_pool import RayExecutor

    with RayExecutor(workers=2) as executor:
        yield executor


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A finished run of three tasks, to be copied."""
    from e2.cluster.observer import Silent
    from e2.cluster.run import solve
    from e2.cluster.study import run_settings
    from e2.core.generate import generated

    path = tmp_path_factory.mktemp("made") / "run"
    settings = run_settings({"strategy": "breaks", "tasks": 3, "nodes": 400, "executor": "inline"})
    solve(settings, generated(4, 4, 3, seed=1).instance, path, Silent())
    return path
