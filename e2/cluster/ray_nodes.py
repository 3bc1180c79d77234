"""Questions to each node of a Ray cluster: whether it fits the driver, and whether it is ready for a long run.

A question is a task that takes no core and is pinned to its node, so a busy one answers too. Since a task pinned to a
host that died may wait for ever, answers are awaited for a bounded time only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from e2.cluster import versions as versions_module
from e2.cluster.checkup import NodeReport, examined
from e2.cluster.ray_session import connected, last_line
from e2.cluster.versions import differences, versions
from e2.errors import ClusterError

_ANSWER = 30.0  # seconds: a node may have to start a process first
_PROMPT = 5.0  # seconds in which a node answers that is not in trouble
_EXAMINED = 300.0  # seconds: it may have to compile everything, with all its cores at work on something else
_TRIES = 7  # empty slices, of which the quickest tells most
_TOLD = 5  # nodes that an error names


@dataclass(frozen=True)
class _Node:
    """A living node as Ray knows it. `cores` and `memory`, in bytes, are what it gives away."""

    id: str
    address: str
    host: str
    cores: int
    memory: int


@dataclass(frozen=True)
class _Silence:
    """No answer, and why."""

    reason: str


def refuse_other_versions(ray: Any) -> None:
    """ClusterError if a node that would get slices has another e2, Python, Ray, numba or numpy than the driver.

    A node that does not answer is left to the leases, one that joins later to the check in each slice.
    """
    ours = versions()
    nodes = [node for node in _nodes(ray) if node.cores]
    answers = _versions_of(ray, nodes)
    wrong = []
    for node, answer in zip(nodes, answers, strict=True):
        other = "" if isinstance(answer, _Silence) else differences(answer, ours)
        if other:
            wrong.append(f"{node.host} ({node.address}) has {other}")
    if wrong:
        more = f"; and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
        raise ClusterError(f"{'; '.join(wrong[:_TOLD])}{more}; expected what this machine has")
    if nodes and all(isinstance(answer, _Silence) for answer in answers):
        raise ClusterError(f"no node of the cluster answers: {answers[0].reason}")


def checked_nodes(address: str | None) -> list[NodeReport]:
    """What each node of the cluster at `address` says, or of an embedded one. ClusterError where there is no cluster.

    Only a node that has this e2 is asked for more than its versions.
    """
    ours = versions()
    with connected(address) as ray:
        nodes = _nodes(ray)
        reports = []
        fit = []
        for node, answer in zip(nodes, _versions_of(ray, nodes), strict=True):
            report = NodeReport(node.host, node.address, node.cores, node.memory, None)
            if isinstance(answer, _Silence):
                report = replace(report, silent=answer.reason)
            else:
                report = replace(report, versions=answer)
                fit += [node] if answer == ours else []
            reports.append(report)
        looked = dict(
            zip((node.id for node in fit), _asked(ray, fit, _question(ray, examined), _EXAMINED), strict=True)
        )
        for at, node in enumerate(nodes):
            answer = looked.get(node.id)
            if isinstance(answer, _Silence):
                reports[at] = replace(reports[at], silent=answer.reason)
            elif answer is not None:
                reports[at] = _timed(ray, node, replace(reports[at], examined=answer))
        return reports


class Doubts:
    """Which nodes are silent. Ray may take minutes to see that a host is cut off, and sends it slices until then.

    A silent node is asked once, and is trusted again when its answer comes. The driver's own is not asked: somewhere
    slices must go.
    """

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._here = ray.get_runtime_context().get_node_id()
        self._asked: dict[Any, str] = {}

    def ask(self) -> None:
        """Wait a few seconds for all nodes to answer."""
        known, question = {self._here, *self.silent()}, _question(self._ray, _now)
        nodes = [node for node in _nodes(self._ray) if node.cores and node.id not in known]
        asked = {question.options(scheduling_strategy=_pinned_to(node)).remote(): node.id for node in nodes}
        self._asked |= asked
        if asked:
            self._ray.wait(list(asked), num_returns=len(asked), timeout=_PROMPT)

    def silent(self) -> list[str]:
        """The nodes that have not answered yet."""
        if self._asked:
            answered, _ = self._ray.wait(list(self._asked), num_returns=len(self._asked), timeout=0)
            for reference in answered:
                del self._asked[reference]
        return sorted(self._asked.values())


def _nodes(ray: Any) -> list[_Node]:
    return [
        _Node(
            node["NodeID"],
            node["NodeManagerAddress"],
            node["NodeManagerHostname"],
            int(node["Resources"].get("CPU", 0)),
            int(node["Resources"].get("memory", 0)),
        )
        for node in ray.nodes()
        if node["Alive"]
    ]


def _versions_of(ray: Any, nodes: Sequence[_Node]) -> list[Any]:
    ray.cloudpickle.register_pickle_by_value(versions_module)
    try:
        return _asked(ray, nodes, _question(ray, versions), _ANSWER)
    finally:
        ray.cloudpickle.unregister_pickle_by_value(versions_module)


def _question(ray: Any, function: Callable[[], Any]) -> Any:
    return ray.remote(num_cpus=0, max_retries=0)(function)


def _asked(ray: Any, nodes: Sequence[_Node], question: Any, seconds: float) -> list[Any]:
    """What each node answers, or why it does not."""
    references = [question.options(scheduling_strategy=_pinned_to(node)).remote() for node in nodes]
    came = set()
    if references:
        came = set(ray.wait(references, num_returns=len(references), timeout=seconds)[0])
    answers: list[Any] = []
    for reference in references:
        if reference not in came:
            ray.cancel(reference, force=True)
            answers.append(_Silence(f"nothing within {seconds:.0f} s"))
            continue
        try:
            answers.append(ray.get(reference))
        except ray.exceptions.RayError as error:
            answers.append(_Silence(last_line(str(error))))
    return answers


def _pinned_to(node: _Node) -> Any:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node.id, soft=False)


def _timed(ray: Any, node: _Node, report: NodeReport) -> NodeReport:
    """The report with the round trip of an empty slice, and the node's clock against ours.

    The node's time is taken to be that of the middle of the round trip, so it is off by half of it at most.
    """
    question = _question(ray, _now)
    for _ in range(_TRIES):
        sent, began = time.time(), time.perf_counter()
        (answer,) = _asked(ray, [node], question, _ANSWER)
        took = time.perf_counter() - began
        if isinstance(answer, _Silence):
            return replace(report, silent=answer.reason)
        if report.round_trip is None or took < report.round_trip:
            clock = answer - (sent + took / 2)
            report = replace(report, round_trip=took, clock=clock, clock_within=took / 2)
    return report


def _now() -> float:
    return time.time()
