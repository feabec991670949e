"""Bookings that a vendor makes at the counter."""

from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import counter as rules
from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.domain.retention import GUESTS_ERASED_AFTER
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Member, Outbox, User, Vehicle
from rental_app.schemas.accounts import Registration
from rental_app.schemas.counter import ChoicesRequest, CounterChoice
from rental_app.schemas.earnings import EarningsRequest
from rental_app.schemas.reviews import ReviewRequest
from rental_app.schemas.sign_in import Credentials, ForgottenPassword
from rental_app.schemas.validation import validated
from rental_app.schemas.wire import Page
from rental_app.services import maintenance, vendors
from rental_app.services.accounts import passwords
from rental_app.services.accounts.login import sign_in
from rental_app.services.bookings import counter
from rental_app.services.earnings import figures as earnings
from rental_app.services.mail import messages
from rental_app.services.reviews import writing
from tests.conftest import Clock
from tests.support.booking_steps import alter, book
from tests.support.guests import GUEST, at_counter, guest_of, texts
from tests.support.mailbox import text_of
from tests.support.races import at_once
from tests.support.shop import (
    DAILY_PAISE,
    DEPOSIT_PAISE,
    VISITOR,
    Shop,
    actor,
    add_user,
    add_vehicle,
    moment,
    open_shop,
    put,
    wanted,
    wire,
)
from tests.support.trips import at_return, give_up, hand_over, kinds_to, lines, owed, pay, refusal, seen, take_back

pytestmark = pytest.mark.usefixtures("stopped_clock")


def choices(user: User, pickup: datetime, return_at: datetime) -> list[CounterChoice]:
    """What the counter offers."""
    return read(counter.choices, actor(user), ChoicesRequest(pickup=wire(pickup), return_at=wire(return_at)))


def letters(kind: str) -> list[EmailMessage | None]:
    """The messages of a kind, the oldest first: nothing is written to who left no address."""
    own = select(col(Outbox.id)).where(col(Outbox.kind) == kind).order_by(col(Outbox.id))
    made = [read(messages.compose, number or 0) for number in read(lambda s: s.scalars(own).all())]
    return [one.message if one and isinstance(one.message, EmailMessage) else None for one in made]


def test_a_walk_in_is_a_trip_like_any_other(shop: Shop, stopped_clock: Clock) -> None:
    # From this morning, before opening, for less than a day.
    made = at_counter(shop.vendor, shop.vehicle, moment(0, 6), moment(0, 23), note="Pays in cash")
    assert (made.status, made.source, made.price, made.deposit) == ("confirmed", "counter", DAILY_PAISE, DEPOSIT_PAISE)
    assert (made.customer_name, made.customer_phone) == ("Suresh Babu", "9000020288")
    ref = made.reference
    assert seen(shop.vendor, ref).timeline[-1].note == "Pays in cash"
    pay(shop, ref, DAILY_PAISE)
    pay(shop, ref, DEPOSIT_PAISE, "deposit")
    hand_over(shop, ref)
    at_return(stopped_clock, seen(shop.vendor, ref))
    take_back(shop, ref)
    done = pay(shop, ref, DEPOSIT_PAISE, "deposit", "out")
    assert (done.stage, owed(done)) == ("settled", (0, 0))
    assert done.reviews.until is None
    review = ReviewRequest(stars=5, text="Fine")
    refusal("booked_at_counter", write, writing.write, actor(shop.vendor), ref, review)
    page = Page.first(1)
    shown = read(vendors.vendor, VISITOR, shop.vendor.id or 0, page, page)
    assert (shown.trips, shown.answers_in) == (0, None)


def test_another_total_is_a_line_of_its_own(shop: Shop) -> None:
    first, last = moment(1), moment(2)
    for paise, code, fields in (
        (0, "bad_total", ["total"]),
        (3 * DAILY_PAISE + 1, "bad_total", ["total"]),
        (DAILY_PAISE - 1, "invalid_input", ["reason"]),
    ):
        refused = refusal(code, at_counter, shop.vendor, shop.vehicle, first, last, total=paise / 100)
        assert list(refused.fields) == fields
    less = at_counter(shop.vendor, shop.vehicle, first, last, total=420, reason="Regular customer")
    assert (less.price, owed(seen(shop.vendor, less.id))) == (42_000, (42_000, DEPOSIT_PAISE))
    assert lines(seen(shop.vendor, less.id)) == [("rental", DAILY_PAISE), ("discount", 42_000 - DAILY_PAISE)]
    most = at_counter(shop.vendor, shop.vehicle, moment(3), moment(4), total=3 * DAILY_PAISE / 100, reason="Festival")
    assert lines(seen(shop.vendor, most.id)) == [("rental", DAILY_PAISE), ("extra", 2 * DAILY_PAISE)]


def test_what_cannot_be_booked_at_the_counter(shop: Shop) -> None:
    def refused(code: str, pickup: datetime, return_at: datetime, user: User = shop.vendor, **more: Any) -> Any:
        return refusal(code, at_counter, user, more.pop("vehicle", shop.vehicle), pickup, return_at, **more)

    hold = book(shop.customer, wanted(shop.vehicle, days=3))
    assert refused("dates_taken", moment(3, 8), moment(3, 12)).nearest
    assert list(refused("pickup_in_past", moment(-8, 23), moment(1)).fields) == ["pickupDate"]
    refused("return_in_past", moment(0, 6), moment(0, 7))
    refused("return_before_pickup", moment(1), moment(1))
    refused("too_long", moment(5), moment(36))
    refused("too_far", moment(95), moment(96))
    abroad = GUEST | {"phone": "+44 7911 123456"}
    assert list(refused("invalid_input", moment(5), moment(6), customer=abroad).fields) == ["customer.phone"]
    nobody = GUEST | {"email": "x@guest.invalid"}
    assert list(refused("invalid_input", moment(5), moment(6), customer=nobody).fields) == ["customer.email"]
    assert isinstance(refused("vendors_only", moment(5), moment(6), user=shop.customer), ForbiddenError)
    theirs = add_vehicle(add_user("Vendor", location_id=shop.place.id))
    assert isinstance(refused("unknown_vehicle", moment(5), moment(6), vehicle=theirs), NotFoundError)
    assert isinstance(refused("no_price", moment(5), moment(6), vehicle=add_vehicle(shop.vendor, None)), ConflictError)
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=moment(5).date())
    refused("papers_expire", moment(5), moment(7))
    assert seen(shop.customer, hold.id).status == "pending"


def test_a_guest_is_nobody_who_can_log_in_and_is_mailed_only_where_they_asked(shop: Shop) -> None:
    known = add_user(phone_number="9000020288")
    first = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2))
    other = at_counter(shop.vendor, shop.vehicle, moment(2), moment(3), customer=GUEST | {"email": "S.B@Example.com"})
    guests = guest_of(first), guest_of(other)
    assert len({known.id, *(guest.id for guest in guests)}) == 3
    assert all(guest.is_guest and guest.email.endswith("@guest.invalid") for guest in guests)
    form = Credentials(email=guests[0].email, password="no account has this password")
    refusal("bad_credentials", sign_in, form, VISITOR)
    with pytest.raises(InvalidInputError) as error:
        validated(Registration, {"email": guests[0].email})
    assert "not" in error.value.fields["email"]
    before = kinds_to(guests[0])
    write(passwords.ask_for_link, VISITOR, ForgottenPassword(email=guests[0].email))
    assert kinds_to(guests[0]) == before
    silent, told = letters("confirmed")[-2:]
    assert silent is None
    assert told
    assert told["To"] == "s.b@example.com"
    assert "guest.invalid" not in told.as_string()


@pytest.mark.usefixtures("rate_limits")
def test_nobodys_inbox_is_flooded_from_a_counter(shop: Shop) -> None:
    other = open_shop("Elsewhere")
    customer = GUEST | {"email": "nobody.asked@example.com"}
    for day, own in enumerate([shop, other] * 2 + [shop], 1):
        at_counter(own.vendor, own.vehicle, moment(day), moment(day + 1), customer=customer)
    refusal("too_many_requests", at_counter, shop.vendor, shop.vehicle, moment(7), moment(8), customer=customer)
    at_counter(shop.vendor, shop.vehicle, moment(7), moment(8))


def test_no_vendor_sends_a_link_to_an_address_that_was_typed_at_the_counter(shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2), customer=GUEST | {"email": "s.b@example.com"})
    give_up(shop.vendor, made.reference, "other", note="Win ₹1,030.50 at https://evil.example/x")
    (told,) = letters("vendor_cancelled")[-1:]
    assert told
    assert "₹1,030.50 at https:// evil. example/x" in text_of(told)


def test_the_platforms_share_is_that_of_the_counter(shop: Shop) -> None:
    alter(User, shop.vendor.id, commission_bps=1000)
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2))
    pay(shop, made.id, DAILY_PAISE)
    assert rules.COMMISSION_BPS == 0
    found = read(earnings.of_vendor, actor(shop.vendor), validated(EarningsRequest, {}))
    assert (found.total.received, found.total.commission) == (DAILY_PAISE, 0)


def test_members_book_too_and_free_vehicles_come_first(shop: Shop) -> None:
    member = add_user()
    put(Member(user_id=member.id or 0, vendor_id=shop.vendor.id or 0))
    other = add_vehicle(shop.vendor, is_active=False)
    add_vehicle(shop.vendor, None)
    at_counter(member, shop.vehicle, moment(1), moment(2))
    at_counter(member, other, moment(4), moment(5))
    found = choices(shop.vendor, moment(1), moment(1, 22))
    assert [(one.id, one.total, one.free_until, one.taken_until) for one in found] == [
        (other.id, DAILY_PAISE, moment(4), None),
        (shop.vehicle.id, DAILY_PAISE, None, moment(2)),
    ]
    refusal("vendors_only", choices, shop.customer, moment(1), moment(2))


@pytest.mark.databases
def test_of_two_members_who_book_one_vehicle_at_once_one_does(shop: Shop) -> None:
    codes = at_once(*[lambda: at_counter(shop.vendor, shop.vehicle, moment(1), moment(2))] * 3)
    assert sorted(codes) == ["", "dates_taken", "dates_taken"]


def test_what_is_known_of_a_guest_is_erased_half_a_year_after_the_trip(shop: Shop, stopped_clock: Clock) -> None:
    customer = GUEST | {"email": "s@example.com"}
    made = at_counter(shop.vendor, shop.vehicle, moment(0, 12), moment(0, 20), customer=customer)
    stopped_clock.instant = made.return_at + GUESTS_ERASED_AFTER - timedelta(seconds=1)
    write(maintenance.sweep, stopped_clock.instant)
    assert guest_of(made).name == "Suresh Babu"
    stopped_clock.move(seconds=1)
    write(maintenance.sweep, stopped_clock.instant)
    assert (guest_of(made).name, guest_of(made).phone_number) == ("A guest", "0000000000")
    assert read(lambda session: session.get_one(Booking, made.id)).guest_email is None
    assert texts() == []
