"""The periodic sweep."""

from datetime import timedelta

import pytest
from sqlmodel import select

from rental_app.db import read, write
from rental_app.models import LoginSession
from rental_app.rules import clock
from rental_app.services import accounts, upkeep
from tests.helpers import VISITOR, add_user


@pytest.mark.usefixtures("database")
def test_sessions_past_their_time_are_forgotten_and_others_stay() -> None:
    user = add_user()
    token = write(accounts.open_session, user.id or 0)
    write(upkeep.sweep, clock.now())
    assert read(accounts.authenticate, VISITOR, token).id == user.id
    write(upkeep.sweep, clock.now() + timedelta(days=8))
    assert (
        read(lambda session: session.exec(select(LoginSession.jti).where(LoginSession.user_id == user.id)).all()) == []
    )
