"""Service tests run on both databases."""

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Both databases in turn."""
    chosen: str = request.param
    return chosen
