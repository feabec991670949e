"""Service tests run on both databases."""

from collections.abc import Iterator

import pytest

from tests.conftest import forget
from tests.support import gateway as support_gateway
from tests.support.gateway import Gateway
from tests.support.mailbox import Post, running


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Both databases in turn."""
    chosen: str = request.param
    return chosen


@pytest.fixture
def post(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    """A real SMTP server, which the product sends to."""
    with running() as (server, url):
        monkeypatch.setenv("RENTAL_SMTP_URL", url)
        forget()
        yield server


@pytest.fixture
def gateway(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gateway]:
    """A real gateway for texts, which the product sends to."""
    with support_gateway.running() as (server, url):
        monkeypatch.setenv("RENTAL_SMS_URL", url)
        forget()
        yield server
