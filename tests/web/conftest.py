"""A clock that tests of states set."""

from datetime import datetime, timedelta

import pytest

from rental_app.domain import clock
from tests.support.shop import moment


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The clock, as a list that holds the present instant."""
    instant = [moment(1, 9) + timedelta(minutes=30)]
    monkeypatch.setattr(clock, "now", lambda: instant[0])
    return instant
