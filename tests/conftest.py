import pytest


@pytest.fixture(scope="session")
def ray_executor():
    """The one embedded Ray of the whole suite: two workers."""
    from e2.cluster.ray_pool import RayExecutor

    with RayExecutor(workers=2) as executor:
        yield executor
