from __future__ import annotations

import pytest
from cli.conftest import Run

from e2.cluster import ray_nodes
from e2.cluster.checkup import Examined, NodeReport
from e2.cluster.versions import versions

ITSELF = Examined(2, 8_000_000_000, "/tmp", 50_000_000_000, 0.5, True)


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> list[NodeReport]:
    """What the cluster answers: one sound node, and what a test adds."""
    found = [NodeReport("near", "10.0.0.1", 2, 9, versions(), "", ITSELF, 0.002, 0.001, 0.001)]
    monkeypatch.setattr(ray_nodes, "checked_nodes", lambda address: found)
    return found


def test_a_sound_cluster_is_said_to_be_well(e2: Run, nodes: list[NodeReport]) -> None:
    ran = e2("cluster", "check", "--address", "near:6379")
    assert ran.code == 0
    assert ran.out.splitlines()[0] == (
        "near (10.0.0.1): 2 cores, 8.0 GB of memory, 50.0 GB free in /tmp, kernels in 0.5 s, clock +0.001 s, "
        "a slice and back in 2 ms"
    )
    assert ran.out.splitlines()[-1] == "all well: 1 node, 2 cores"


def test_faults_are_lines_that_name_the_host_and_the_answer_is_no(e2: Run, nodes: list[NodeReport]) -> None:
    nodes.append(NodeReport("far", "10.0.0.2", 2, 9, {**versions(), "numba": "0.1"}))
    ran = e2("cluster", "check", "--address", "near:6379")
    assert ran.code == 1
    (fault,) = [line for line in ran.out.splitlines() if line.startswith("fault: ")]
    assert fault.startswith("fault: far (10.0.0.2) has numba 0.1 in place of ")


def test_programs_get_one_object_a_node_and_then_the_verdict(e2: Run, nodes: list[NodeReport]) -> None:
    nodes.append(NodeReport("far", "10.0.0.2", 2, 9, None, "nothing within 30 s"))
    ran = e2("cluster", "check", "--address", "near:6379", "--json")
    near, far, whole = ran.records
    assert ran.code == 1
    assert (near["host"], near["faults"], near["memory"]) == ("near", [], 8_000_000_000)
    assert near.keys() == far.keys()
    assert far["versions"] is None
    assert (whole["ok"], whole["nodes"], whole["cores"], len(whole["faults"])) == (False, 2, 4, 1)


def test_a_cluster_that_cannot_be_reached_is_bad_input(e2: Run) -> None:
    ran = e2("cluster", "check", "--address", "127.0.0.1:1")
    assert ran.code == 2
    assert ran.err.startswith("error: no Ray cluster answers at 127.0.0.1:1")
