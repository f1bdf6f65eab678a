import pytest

from model.runtime import Runtime


@pytest.fixture(scope="session")
def runtime() -> Runtime:
    """The model that the repository ships."""
    return Runtime.load()
