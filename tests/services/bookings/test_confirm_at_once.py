"""Bookings that are confirmed as they are made: by whom, under which conditions, and what that leaves alone."""

from datetime import timedelta
from functools import partial

import pytest
from sqlmodel import col, select

from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, Booking, BookingEvent, LedgerEntry, Outbox, User
from rental_app.schemas.bookings import ConfirmAtOnceSettings
from rental_app.services.bookings import confirm_at_once, events
from rental_app.services.pricing import quotes
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide, status_of
from tests.support.races import at_once
from tests.support.shop import VISITOR, Shop, actor, add_user, add_vehicle, open_shop, wanted
from tests.support.trips import refusal


def settings(on: bool = True, **changes: object) -> ConfirmAtOnceSettings:
    return ConfirmAtOnceSettings.model_validate({"on": on} | changes)


def turn_on(shop: Shop, **changes: object) -> None:
    write(confirm_at_once.save, actor(shop.vendor), settings(**changes))


def verify(user: User) -> User:
    """Confirm somebody's mobile number."""
    alter(User, user.id, verified_phone=user.phone_number)
    return user


def answer_to(user: User | None, shop: Shop, days: int = 3) -> tuple[bool, bool]:
    caller = actor(user) if user else VISITOR
    quote = read(quotes.quote_for, caller, wanted(shop.vehicle, days))
    return quote.confirmed_at_once, quote.confirm_mobile_first


@pytest.mark.databases
def test_a_booking_is_confirmed_charged_and_told_as_it_is_made(shop: Shop) -> None:
    assert answer_to(verify(shop.customer), shop) == (False, False)
    turn_on(shop)
    assert answer_to(shop.customer, shop) == (True, False)
    made = book(shop.customer, wanted(shop.vehicle).model_copy(update={"expected_at_once": True}))
    assert (made.status, made.contact is not None) == ("confirmed", True)
    stored = read(lambda session: session.get_one(Booking, made.id))
    assert (stored.confirmed_at_once, stored.decided_at) == (True, stored.created_at)
    of_it = select(BookingEvent.what).where(BookingEvent.booking_id == made.id).order_by(col(BookingEvent.id))
    assert read(lambda session: list(session.exec(of_it))) == ["confirmed", "booked"]
    lines = select(LedgerEntry.paise).where(LedgerEntry.booking_id == made.id)
    assert sum(read(lambda session: list(session.exec(lines)))) == made.price
    letters = select(Outbox.kind, Outbox.user_id).where(Outbox.booking_id == made.id)
    told = sorted(read(lambda session: list(session.exec(letters))))
    assert told == [("booked", shop.vendor.id), ("confirmed", shop.customer.id)]
    # A vendor's answer comes too late.
    refusal("already_decided", decide, shop.vendor, made.id, "cancelled")


def test_each_condition_makes_it_a_request(shop: Shop) -> None:
    turn_on(shop, hoursAhead=48, mostOpen=1)
    assert answer_to(shop.customer, shop) == answer_to(None, shop) == (False, True)
    assert book(shop.customer, wanted(shop.vehicle, days=12)).status == "pending"
    regular = verify(add_user())
    assert answer_to(regular, shop, days=1) == (False, False)
    assert book(regular, wanted(shop.vehicle, days=20)).status == "confirmed"
    assert answer_to(regular, shop, days=30) == (False, False)
    assert book(regular, wanted(shop.vehicle, days=30)).status == "pending"
    # A number that the account no longer has proves nothing.
    moved = verify(add_user())
    alter(User, moved.id, phone_number="9000000001")
    assert answer_to(moved, shop, days=40) == (False, True)


def test_what_was_shown_is_what_happens_or_nothing(shop: Shop) -> None:
    verify(shop.customer)
    shown = wanted(shop.vehicle).model_copy(update={"expected_at_once": False})
    turn_on(shop)
    error = refusal("price_changed", book, shop.customer, shown)
    assert "now confirmed at once" in error.message
    assert getattr(error.details["quote"], "confirmed_at_once", False)
    turn_on(shop, on=False)
    error = refusal("price_changed", book, shop.customer, shown.model_copy(update={"expected_at_once": True}))
    assert error.message == "The vendor now answers such requests"
    assert book(shop.customer, shown).status == "pending"


def test_a_vehicle_may_differ_from_its_shop_either_way(shop: Shop) -> None:
    verify(shop.customer)
    other = add_vehicle(shop.vendor)
    turn_on(shop, exceptions=[shop.vehicle.id])
    assert answer_to(shop.customer, shop) == (False, False)
    assert book(shop.customer, wanted(other)).status == "confirmed"
    turn_on(shop, on=False, exceptions=[shop.vehicle.id], verifiedMobile=False)
    assert answer_to(None, shop) == (True, False)
    assert read(confirm_at_once.of_vendor, actor(shop.vendor)).exceptions == [shop.vehicle.id]
    # One listed from now on does as the shop.
    assert book(shop.customer, wanted(add_vehicle(shop.vendor))).status == "pending"


def test_only_ones_own_vehicles_are_exceptions(shop: Shop) -> None:
    strange = open_shop("Otherpur").vehicle
    refusal("unknown_vehicle", turn_on, shop, exceptions=[shop.vehicle.id, strange.id])
    assert not read(confirm_at_once.of_vendor, actor(shop.vendor)).is_on
    refusal("vendors_only", write, confirm_at_once.save, actor(shop.customer), settings())


def test_it_leaves_how_soon_the_vendor_answers_alone(shop: Shop, stopped_clock: Clock) -> None:
    pending = [book(add_user(), wanted(shop.vehicle, days=day)) for day in range(5, 5 + events.FEWEST)]
    stopped_clock.move(hours=1)
    for booking in pending:
        decide(shop.vendor, booking.id, "confirmed")
    turn_on(shop, mostOpen=20, verifiedMobile=False)
    for day in range(20, 20 + events.LATEST):
        assert book(add_user(), wanted(shop.vehicle, days=day)).status == "confirmed"
    assert read(lambda session: events.answers_in(session, shop.vendor.id or 0)) == timedelta(hours=1)


@pytest.mark.databases
def test_a_customer_has_no_more_open_than_the_vendor_lets_them(shop: Shop) -> None:
    verify(shop.customer)
    turn_on(shop, mostOpen=2)
    cars = [add_vehicle(shop.vendor) for _ in range(4)]
    assert at_once(*[partial(book, shop.customer, wanted(car)) for car in cars]) == [""] * 4
    made = select(Booking.status).where(Booking.customer_id == shop.customer.id)
    assert sorted(read(lambda session: list(session.exec(made)))) == ["confirmed"] * 2 + ["pending"] * 2


def test_requests_that_wait_already_still_wait(shop: Shop) -> None:
    made = book(verify(shop.customer), wanted(shop.vehicle))
    turn_on(shop)
    assert status_of(made.id) == "pending"
    trail = select(AuditEntry).where(AuditEntry.act == "confirm_at_once.changed")
    entry = read(lambda session: session.exec(trail).one())
    assert (entry.before, entry.after) == ('{"is_on":false}', '{"is_on":true}')
