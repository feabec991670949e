"""Erasing an account: what stands in the way, what happens at once, and what is left after a week."""

from datetime import timedelta

import pytest

from rental_app.domain.errors import ConflictError, ForbiddenError, NotAuthenticatedError
from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.schemas.search import PageRequest
from rental_app.schemas.sign_in import Credentials
from rental_app.services.accounts import erasure, login, sessions
from rental_app.services.search import listings
from tests.conftest import Clock
from tests.support.accounts import user_of
from tests.support.operating import letters
from tests.support.shop import DAILY_PAISE, PASSWORD, VISITOR, Shop, actor, add_user
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, pay, take_back
from tests.support.vendor_requests import book, stored_status


def ask(user: User) -> object:
    return write(erasure.ask, actor(user))


def in_the_way(user: User, clock: Clock) -> list[str]:
    return [one.code for one in read(lambda session: erasure.obstacles(session, user_of(user.id), clock.instant))]


@pytest.mark.databases
def test_a_customer_who_asks_is_logged_out_and_their_requests_are_withdrawn(shop: Shop, stopped_clock: Clock) -> None:
    token = write(sessions.open_session, shop.customer.id or 0)
    booking = book(shop)
    assert ask(shop.customer) == (stopped_clock.instant + timedelta(days=7)).date()
    assert stored_status(booking) == "cancelled"
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, token)
    assert "will be erased" in letters(shop.customer)[-1]


@pytest.mark.databases
def test_a_login_takes_it_back(shop: Shop) -> None:
    ask(shop.customer)
    login.sign_in(Credentials(email=shop.customer.email, password=PASSWORD), VISITOR)
    assert user_of(shop.customer.id).erase_asked_at is None
    assert "Your account stays" in letters(shop.customer)[-1]


@pytest.mark.databases
def test_a_vendor_who_asks_is_shown_no_more_and_shown_again_after_a_login(shop: Shop) -> None:
    def shown() -> bool:
        return f'"id":{shop.vehicle.id},' in str(read(listings.written, VISITOR, PageRequest()).body)

    assert shown()
    ask(shop.vendor)
    assert not shown()
    login.sign_in(Credentials(email=shop.vendor.email, password=PASSWORD), VISITOR)
    assert shown()


def test_asking_twice_starts_no_second_week(shop: Shop, stopped_clock: Clock) -> None:
    first = ask(shop.customer)
    stopped_clock.move(days=2)
    assert ask(shop.customer) == first


def test_operators_stay(shop: Shop) -> None:
    with pytest.raises(ForbiddenError, match="machine"):
        ask(add_user("Operator"))


def test_trips_and_money_stand_in_the_way_of_both_sides(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    for side in (shop.customer, shop.vendor):
        assert in_the_way(side, stopped_clock) == ["trip"]
        with pytest.raises(ConflictError) as refused:
            ask(side)
        assert refused.value.code == "open_trips"
        assert refused.value.details["obstacles"] == [
            {
                "code": "trip",
                "text": f"{trip.reference}: the trip is not over. Cancel it, or wait until it is.",
                "reference": trip.reference,
            }
        ]
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    assert in_the_way(shop.customer, stopped_clock) == ["trip"]
    at_return(stopped_clock, trip)
    take_back(shop, trip.id)
    assert in_the_way(shop.customer, stopped_clock) == ["balance"]
    pay(shop, trip.id, 2 * DAILY_PAISE)
    assert in_the_way(shop.customer, stopped_clock) == ["late_charges"]
    stopped_clock.move(days=8)
    assert in_the_way(shop.customer, stopped_clock) == []
