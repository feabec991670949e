"""The periodic sweep."""

from datetime import time, timedelta

import pytest
from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import LoginSession, Outbox, Vehicle
from rental_app.services import maintenance
from rental_app.services.accounts import sessions
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.shop import VISITOR, Shop, add_user
from tests.support.trips import at_pickup, confirmed


@pytest.mark.usefixtures("database")
def test_sessions_past_their_time_are_forgotten_and_others_stay() -> None:
    user = add_user()
    token = write(sessions.open_session, user.id or 0)
    write(maintenance.sweep, clock.now())
    assert read(sessions.authenticate, VISITOR, token).id == user.id
    write(maintenance.sweep, clock.now() + timedelta(days=8))
    assert (
        read(lambda session: session.exec(select(LoginSession.jti).where(LoginSession.user_id == user.id)).all()) == []
    )


def swept(shop: Shop) -> list[str]:
    """Return the kinds of reminders that two sweeps send to the people of a shop."""
    wanted = select(Outbox).where(col(Outbox.user_id).in_([shop.customer.id, shop.vendor.id]))
    before = {letter.key for letter in read(lambda session: session.exec(wanted).all())}
    for _ in range(2):
        write(maintenance.sweep, clock.now())
    return [letter.kind for letter in read(lambda session: session.exec(wanted).all()) if letter.key not in before]


def test_reminders_missed_while_nothing_ran_are_sent_once_if_still_relevant(shop: Shop, stopped_clock: Clock) -> None:
    trip, last = confirmed(shop, days=62), clock.indian_today(clock.now()) + timedelta(days=60)
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=last, pollution_expiry_date=last + timedelta(days=400))
    told = {}
    # Nothing ran 30 days, 7 days and a day before, nor 24 hours before the pickup.
    for left in (31, 20, 19, 5, 0, -1):
        stopped_clock.instant = clock.at(last - timedelta(days=left), time(9))
        told[left] = swept(shop)
    papers = ["papers_expiring"]
    assert told == {31: [], 20: papers, 19: [], 5: papers, 0: papers, -1: []}
    at_pickup(stopped_clock, trip, hours=-2)
    assert sorted(swept(shop)) == ["before_pickup", "day_digest"]
    at_pickup(stopped_clock, trip, hours=1)
    assert "before_pickup" not in swept(shop)
