"""A task: everything that can change the result of a search, and the name that follows from it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from e2.core.fingerprint import instance_hash
from e2.core.instance import Instance
from e2.search.own import source_hash
from e2.search.strategy import Value


@dataclass(frozen=True)
class Task:
    """One search with a budget. `nodes` is None for a search that runs until it finishes.

    `source` is the text of the file that a strategy named FILE.py:CLASS lies in, empty for a registered one.

    Two tasks with the same `id` give the same `board_hash` on any machine, with any number of workers.
    """

    instance: Instance
    strategy: str
    parameters: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 0
    nodes: int | None = None
    source: str = ""

    @property
    def id(self) -> str:
        """SHA-256 (16 hex digits) of instance, strategy, parameters in name order, seed, budget and source."""
        parts = [instance_hash(self.instance), self.strategy, str(self.seed), str(self.nodes)]
        parts += [f"{name}={value!r}" for name, value in sorted(self.parameters.items())]
        parts += [source_hash(self.source)] if self.source else []
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
