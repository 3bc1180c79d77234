import os
import socket
import stat
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from e2.cluster import ray_session
from e2.cluster.ray_pool import RayExecutor
from e2.errors import ClusterError


def test_the_token_is_for_its_owner_only(ray_executor):
    token = ray_session._private_folder() / "token"
    assert os.environ["RAY_AUTH_TOKEN_PATH"] == str(token)
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert stat.S_IMODE(token.parent.stat().st_mode) == 0o700


def test_the_embedded_cluster_listens_on_one_loopback_address(ray_executor):
    host, port = address_of(ray_executor)
    assert host == "127.0.0.1"
    socket.create_connection((host, port), timeout=5).close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", port), timeout=5)


def test_a_stranger_without_the_token_is_turned_away(ray_executor):
    host, port = address_of(ray_executor)
    command = [sys.executable, "-c", ray_session._PROBE_PROGRAM, f"{host}:{port}"]
    ours = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert "ray_version" in ours.stdout
    theirs = subprocess.run(
        command, capture_output=True, text=True, timeout=100, env={**os.environ, "RAY_AUTH_TOKEN": "0" * 64}
    )
    assert theirs.returncode != 0
    assert "ray_version" not in theirs.stdout


def test_a_cluster_with_another_python_is_refused(ray_executor, monkeypatch):
    host, port = address_of(ray_executor)
    monkeypatch.setattr(ray_session.platform, "python_version", lambda: "9.9.9")
    with pytest.raises(ClusterError, match=r"has Python .*, this machine 9\.9\.9"):
        RayExecutor(f"{host}:{port}").__enter__()


def test_an_address_where_nothing_answers_is_refused_at_once():
    began = time.monotonic()
    with pytest.raises(ClusterError, match="no Ray cluster answers"):
        RayExecutor("127.0.0.1:1").__enter__()
    assert time.monotonic() - began < 10


def test_a_server_that_is_no_ray_is_refused_in_bounded_time(monkeypatch):
    monkeypatch.setattr(ray_session, "_PROBE", 3.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(ClusterError, match="is no Ray cluster"):
            RayExecutor(f"127.0.0.1:{port}").__enter__()


@pytest.mark.parametrize(
    ("address", "message"),
    [("nonsense", "expected HOST:PORT"), ("host:port", "expected HOST:PORT"), ("ray://host:1", "Ray Client")],
)
def test_an_address_that_is_none_is_refused(address, message):
    with pytest.raises(ClusterError, match=message):
        RayExecutor(address).__enter__()


def test_the_environment_names_the_cluster_where_nobody_else_does(monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises(ClusterError, match="no Ray cluster answers"):
        RayExecutor().__enter__()


def test_a_ray_that_was_imported_too_early_to_be_closed_is_refused():
    program = "import ray; from e2.cluster.ray_pool import RayExecutor; RayExecutor().__enter__()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert "ClusterError: Ray was imported before this run" in done.stderr


def test_a_ray_whose_processes_die_while_it_starts_cannot_be_used(monkeypatch):
    def init(**options):
        raise Exception("first line\nThe current node timed out during startup.")

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(init=init))
    with pytest.raises(ClusterError, match=r"Ray on this machine cannot be used: The current node timed out"):
        ray_session._begun(address="local")


def test_folders_of_killed_drivers_are_swept_and_those_of_living_ones_stay(tmp_path):
    from filelock import FileLock

    dead, alive, young = (tmp_path / f"e2-ray-{name}" for name in ("dead", "alive", "young"))
    for folder in (dead, alive, young):
        folder.mkdir()
        (folder / "token").touch()
    for folder in (dead, alive):
        os.utime(folder, (0, 0))
    with FileLock(alive / "lock"):
        os.utime(alive, (0, 0))
        ray_session._sweep(tmp_path)
        assert sorted(folder.name for folder in tmp_path.iterdir()) == ["e2-ray-alive", "e2-ray-young"]


def address_of(executor):
    host, _, port = executor._ray.get_runtime_context().gcs_address.rpartition(":")
    return host, int(port)
