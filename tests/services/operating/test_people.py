"""Operators block people, open accounts again, and change what is locked in them; all are told."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.errors import (
    ForbiddenError,
    InvalidInputError,
    NotAuthenticatedError,
    TooManyRequestsError,
)
from rental_app.infrastructure.db import read, write
from rental_app.models import AccountChange, Booking, Outbox, User
from rental_app.schemas.operating import Blocking, LockedFields, RequestDecision
from rental_app.schemas.readings import ReturnData
from rental_app.schemas.search import PageRequest
from rental_app.schemas.sign_in import Credentials
from rental_app.schemas.trips import PaymentRequest, TripView, VendorCancelRequest
from rental_app.services.accounts import login, sessions
from rental_app.services.accounts.actor import Actor
from rental_app.services.operating import people
from rental_app.services.search import listings
from rental_app.services.trips import cancellations, payments, readings
from tests.conftest import Clock
from tests.support.booking_steps import book
from tests.support.operating import last_entry, letters
from tests.support.shop import (
    PASSWORD,
    VISITOR,
    Shop,
    actor,
    add_user,
    add_vehicle,
    put,
    token_of,
    wanted,
)
from tests.support.trips import at_pickup, confirmed, hand_over, photos, refusal, seen

WHY = Blocking(reason="Three complaints")
BANK = "State Bank of India, 30012345678, SBIN0001234"


def block(operator: User, person: User, **more: Any) -> str:
    return write(people.block, actor(operator), person.id or 0, WHY.model_copy(update=more))


def unblock(operator: User, person: User) -> str:
    return write(people.unblock, actor(operator), person.id or 0, WHY)


def change(operator: User, person: User, **values: Any) -> str:
    request = LockedFields.model_validate({"reason": "Asked by phone"} | values)
    return write(people.change, actor(operator), person.id or 0, request)


def account(person: User) -> User:
    return read(lambda session: session.get_one(User, person.id))


def status(made: int) -> tuple[str, str | None]:
    booking = read(lambda session: session.get_one(Booking, made))
    return booking.status, booking.cancelled_by


def sign_in(person: User) -> str:
    return login.sign_in(Credentials(email=person.email, password=PASSWORD), VISITOR)


def texts(person: User) -> list[str]:
    own = select(col(Outbox.to)).where(col(Outbox.channel) == "sms", col(Outbox.user_id) == person.id)
    return list(read(lambda session: session.scalars(own).all()))


def test_a_blocked_vendor_is_logged_out_hidden_and_their_requests_declined(shop: Shop, operator: User) -> None:
    token = token_of(shop.vendor)
    request = book(shop.customer, wanted(shop.vehicle))
    assert block(operator, shop.vendor) == people.BLOCKED
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, token)
    assert status(request.id) == ("cancelled", "operator")
    assert "Declined: " in letters(shop.customer)[-1]
    assert "Three complaints" in letters(shop.vendor)[-1]
    assert shop.vehicle.id not in {car.id for car in read(listings.listed, VISITOR, page=PageRequest()).vehicles}
    refusal("account_blocked", sign_in, shop.vendor)


def test_a_blocked_customers_requests_end_and_the_vendor_is_told(shop: Shop, operator: User) -> None:
    request = book(shop.customer, wanted(shop.vehicle))
    block(operator, shop.customer)
    assert status(request.id) == ("cancelled", "operator")
    assert "Cancelled: " in letters(shop.vendor)[-1]


def test_confirmed_bookings_stay_and_their_customers_know(shop: Shop, operator: User, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    stays = "1 confirmed booking stays, to be decided in Work."
    assert read(people.what_a_block_does, shop.vendor.id or 0).endswith(stays)
    # A customer's own bookings are as they were.
    assert read(people.what_a_block_does, shop.customer.id or 0) == "They are logged out everywhere."
    block(operator, shop.vendor)
    assert status(trip.id) == ("confirmed", None)
    assert "We have blocked the account of" in letters(shop.customer)[-1]
    unblock(operator, shop.vendor)
    assert "your booking stands" in letters(shop.customer)[-1]
    assert sign_in(shop.vendor)


def test_a_blocked_vendor_takes_back_and_settles_what_is_out_and_does_nothing_else(
    stopped_clock: Clock, shop: Shop, operator: User
) -> None:
    trip = confirmed(shop)
    later = confirmed(replace(shop, vehicle=add_vehicle(shop.vendor)), days=9)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    block(operator, shop.vendor)
    assert sign_in(shop.vendor)
    vendor = replace(actor(shop.vendor), is_blocked=True)
    _refuses_all_else(vendor, later)
    stopped_clock.instant = trip.return_at
    write(readings.take_back, vendor, str(trip.id), ReturnData(odometer=1400, fuel_eighths=8), photos())
    due = seen(shop.customer, trip.id).balance.rent
    write(
        payments.record,
        vendor,
        str(trip.id),
        PaymentRequest(amount=due / 100, method="cash", of="rent", direction="in"),
    )
    assert seen(shop.customer, trip.id).stage == "settled"
    with pytest.raises(ForbiddenError):
        sign_in(shop.vendor)


def _refuses_all_else(vendor: Actor, later: TripView) -> None:
    money = PaymentRequest(amount=100, method="cash", of="rent", direction="in")
    for service, *more in (
        (payments.record, str(later.id), money),
        (cancellations.cancel_as_vendor, str(later.id), VendorCancelRequest(reason="papers")),
    ):
        refusal("account_blocked", write, service, vendor, *more)


def test_operators_are_not_blocked_here_and_nobody_twice(shop: Shop, operator: User) -> None:
    refusal("is_operator", block, operator, add_user("Operator"))
    refusal("not_blocked", unblock, operator, shop.vendor)
    block(operator, shop.vendor)
    refusal("already_blocked", block, operator, shop.vendor)


def test_a_reason_that_nobody_sees_is_none(shop: Shop, operator: User) -> None:
    for unseen in ("", "\u202e", "\u200b \u2060"):
        refused = refusal("invalid_input", block, operator, shop.customer, reason=unseen)
        assert list(refused.fields) == ["reason"]


def test_a_link_goes_to_no_address_that_changed_yesterday(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    send = lambda: write(people.send_reset_link, actor(operator), shop.vendor.id or 0)  # noqa: E731
    assert send() == people.LINK_SENT
    assert "reset-password?token=" in letters(shop.vendor)[-1]
    change(operator, shop.vendor, email="new.address@example.com")
    stopped_clock.instant += timedelta(days=1)
    refusal("address_changed", send)
    stopped_clock.instant += timedelta(days=6, minutes=1)
    assert send() == people.LINK_SENT


@pytest.mark.usefixtures("rate_limits")
def test_no_inbox_is_filled_with_links(shop: Shop, operator: User) -> None:
    for _ in range(5):
        write(people.send_reset_link, actor(operator), shop.vendor.id or 0)
    with pytest.raises(TooManyRequestsError):
        write(people.send_reset_link, actor(operator), shop.vendor.id or 0)
    assert write(people.send_reset_link, actor(operator), shop.customer.id or 0) == people.LINK_SENT


def test_a_changed_account_is_told_at_the_old_address_and_phone(shop: Shop, operator: User) -> None:
    change(operator, shop.vendor, email="New@Example.com", phoneNumber="9876501234", bank=BANK, commission=12.5)
    now = account(shop.vendor)
    assert (now.email, now.phone_number, now.bank_ifsc) == ("new@example.com", "9876501234", "SBIN0001234")
    assert (now.commission_bps, now.name) == (1250, shop.vendor.name)
    own = select(col(Outbox.to)).where(col(Outbox.kind) == "account_changed", col(Outbox.channel) == "email")
    assert set(read(lambda session: session.scalars(own).all())) == {shop.vendor.email, "new@example.com"}
    assert texts(shop.vendor) == [shop.vendor.phone_number]
    entry = last_entry()
    assert json.loads(entry.before)["email"] == f"{shop.vendor.email[0]}...@example.com"
    assert entry.about == "Asked by phone"


def test_a_vendor_may_owe_no_commission(shop: Shop, operator: User) -> None:
    for percent, bps in ((12.5, 1250), (0, 0)):
        change(operator, shop.vendor, commission=percent)
        assert account(shop.vendor).commission_bps == bps


def test_an_address_that_somebody_has_is_refused_and_nothing_changes(shop: Shop, operator: User) -> None:
    refusal("email_taken", change, operator, shop.vendor, email=shop.customer.email, name="Another")
    assert account(shop.vendor).name == shop.vendor.name


def test_a_request_is_granted_or_refused_once_with_a_reason(shop: Shop, operator: User) -> None:
    wish = put(AccountChange(user_id=shop.vendor.id or 0, field="bank", value=BANK))
    decision = lambda **said: write(  # noqa: E731
        people.decide_request, actor(operator), wish.id or 0, RequestDecision.model_validate(said)
    )
    with pytest.raises(InvalidInputError):
        decision(decision="refuse")
    assert "Granted" in decision(decision="grant")
    assert account(shop.vendor).bank_ifsc == "SBIN0001234"
    assert texts(shop.vendor) == [shop.vendor.phone_number]
    refusal("already_decided", decision, decision="refuse", reason="Not theirs")
