import sys
from dataclasses import replace

import pytest

from e2.cluster import checkup
from e2.cluster.checkup import Examined, NodeReport, node_faults, own_faults
from e2.cluster.versions import versions

OURS = {"e2": "1.0+aa", "Python": "3.11.7", "Ray": "2.60.0", "numba": "0.68.1", "numpy": "2.4.6"}
ITSELF = Examined(8, 16_000_000_000, "/tmp", 50_000_000_000, 0.5, True)
SOUND = NodeReport("far", "10.0.0.2", 8, 9, OURS, "", ITSELF, round_trip=0.002, clock=0.01, clock_within=0.001)


def test_a_node_that_is_as_it_should_be_has_no_faults():
    assert node_faults(SOUND, OURS) == []


@pytest.mark.parametrize(
    ("node", "said"),
    [
        (
            replace(SOUND, versions=None, silent="nothing within 30 s"),
            "does not answer: nothing within 30 s; look at it",
        ),
        (replace(SOUND, versions={**OURS, "numba": "0.61"}), "has numba 0.61 in place of 0.68.1; install there"),
        (replace(SOUND, versions={**OURS, "e2": "none+none"}), "has e2 none+none in place of 1.0+aa; install there"),
        (replace(SOUND, examined=None, silent="OSError: full"), "cannot run e2: OSError: full"),
        (replace(SOUND, cores=16), "gives 16 cores and has 8; start Ray with --num-cpus 8"),
        (replace(SOUND, examined=replace(ITSELF, memory=500_000_000)), "has 0.5 GB of memory free for 8 workers"),
        (replace(SOUND, examined=replace(ITSELF, kernels_kept=False)), "set XDG_CACHE_HOME to a folder it may write"),
        (replace(SOUND, examined=replace(ITSELF, temp_free=10**8)), "has 0.1 GB free in /tmp; free some"),
        (replace(SOUND, clock=-90.0), "has a clock that is off by -90.0 s; set it by NTP"),
        (replace(SOUND, round_trip=0.5), "takes 0.50 s for an empty slice; look at its load"),
        (replace(SOUND, clock=None, silent="nothing within 30 s"), "answers no more: nothing within 30 s"),
    ],
)
def test_each_fault_is_named_with_what_to_do(node, said):
    (fault,) = node_faults(node, OURS)
    assert said in fault


def test_a_slow_way_to_a_node_makes_its_clock_uncertain_and_is_no_fault_of_the_clock():
    assert node_faults(replace(SOUND, clock=1.1, clock_within=0.2), OURS) == []


def test_a_full_disk_here_and_a_cluster_without_cores_are_faults(tmp_path):
    assert own_faults(tmp_path, 10**10, [SOUND]) == []
    full, empty = own_faults(tmp_path, 10**8, [replace(SOUND, cores=0)])
    assert full.startswith("this machine: 0.1 GB free for ")
    assert empty.startswith("the cluster: no node gives a core")


def test_the_room_for_a_folder_that_is_not_there_yet_is_that_of_its_disk(tmp_path):
    assert checkup.free_for_runs(tmp_path / "a" / "b") > 0


def test_the_version_of_e2_changes_with_any_source(tmp_path, monkeypatch):
    for name in ("one", "other"):
        (tmp_path / name / "e2").mkdir(parents=True)
        (tmp_path / name / "e2" / "__init__.py").write_text(f"NAME = {name!r}\n")
    digests = []
    for name in ("one", "other"):
        with monkeypatch.context() as patch:
            patch.syspath_prepend(tmp_path / name)
            patch.delitem(sys.modules, "e2", raising=False)
            digests.append(versions()["e2"].partition("+")[2])
    assert len({*digests, versions()["e2"].partition("+")[2]}) == 3


def test_a_package_that_is_missing_is_none(monkeypatch):
    from e2.cluster import versions as module

    def missing(package):
        raise module.metadata.PackageNotFoundError(package)

    monkeypatch.setattr(module.metadata, "version", missing)
    assert versions()["numba"] == "none"
