import pytest
from toy import Toy

import e2.search
from e2.core.generate import generated


@pytest.fixture
def toy(monkeypatch):
    """The toy strategy, registered in this process."""
    monkeypatch.setattr(e2.search, "STRATEGIES", (*e2.search.STRATEGIES, Toy()))


@pytest.fixture(scope="session")
def small():
    """A 5x5 puzzle with two pins."""
    return generated(5, 5, 6, seed=3, pins=2).instance
