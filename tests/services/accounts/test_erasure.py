"""Erasing an account: what stands in the way, what happens at once, and what is left after a week."""

import inspect
from datetime import time, timedelta

import pytest
from sqlalchemy import String, cast, select
from sqlmodel import SQLModel, col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, ForbiddenError, NotAuthenticatedError, NotFoundError, RentalError
from rental_app.domain.retention import FORMER_VENDOR, HOLDINGS, TABLES, End
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, IssuedPaper, Member, User, Vehicle
from rental_app.schemas.calendars import FeedRequest
from rental_app.schemas.search import PageRequest
from rental_app.schemas.sign_in import Credentials
from rental_app.schemas.trips import TripView
from rental_app.schemas.wire import Page
from rental_app.services import vendors
from rental_app.services.accounts import erasure, login, proofs, sessions, traces
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.bookings import ledger
from rental_app.services.calendar.ical import feeds
from rental_app.services.files import storage
from rental_app.services.search import listings
from tests.conftest import Clock
from tests.support.accounts import user_of
from tests.support.booking_steps import alter, booked
from tests.support.erasure import ACCOUNT, PERSON, erase, everything, known, squared, stored
from tests.support.guests import at_counter, secret_of, texts
from tests.support.operating import letters
from tests.support.races import at_once
from tests.support.reviews import public
from tests.support.shop import DAILY_PAISE, PASSWORD, VISITOR, Shop, actor, add_user, moment, put
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, pay, seen, take_back
from tests.support.vendor_requests import book, stored_status


def ask(user: User) -> object:
    return write(erasure.ask, actor(user))


def in_the_way(user: User, stopped: Clock) -> list[str]:
    return [one.code for one in read(lambda session: erasure.obstacles(session, user_of(user.id), stopped.instant))]


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


NAMES = (*PERSON.values(), *ACCOUNT.values(), "Zarathustra", "Quill", "quill")


def found(*but: str) -> set[tuple[str, str]]:
    """Where something of the person is found, in which table."""
    return {
        (table, name) for table, text in everything().items() for name in NAMES if name in text and table not in but
    }


@pytest.mark.databases
def test_nothing_is_left_of_a_customer_a_week_later(shop: Shop, stopped_clock: Clock) -> None:
    trip = squared(shop, stopped_clock)
    known(shop.customer, verified_phone=PERSON["phone_number"])
    alter(Booking, trip.id, address=f"{PERSON['name']}, {PERSON['address']}")
    write(ledger.give_number, booking_of(trip), shop.vendor.id or 0, stopped_clock.instant)
    assert {"user", "review", "outbox", "proof", "audit_entry", "booking"} <= {table for table, _ in found()}
    assert b"Quill" in stored()
    erase(shop.customer, stopped_clock)
    assert found() == set()
    assert b"uill" not in stored()
    view = seen(shop.vendor, trip.reference)
    assert (view.reference, view.customer_name) == (trip.reference, "Former customer")
    assert [line.amount for line in view.ledger] == [line.amount for line in seen(shop.vendor, trip.id).ledger]
    assert [(one.stars, one.text, one.by) for one in public(shop).reviews] == [(4, "", "Former customer")]


def booking_of(trip: TripView) -> Booking:
    return read(lambda session: session.get_one(Booking, trip.id))


@pytest.mark.databases
def test_nothing_is_left_of_a_vendor_a_week_later(shop: Shop, stopped_clock: Clock) -> None:
    trip = squared(shop, stopped_clock)
    known(shop.vendor, **ACCOUNT)
    alter(Vehicle, shop.vehicle.id, owner_name_as_per_rc="Zarathustra Quill", terms="Ask Zarathustra")
    booked = booking_of(trip).booked | {"pickup_address": PERSON["address"], "vendor_terms": ACCOUNT["notes"]}
    alter(Booking, trip.id, booked=booked)
    assert "vehicle" in {table for table, _ in found()}
    pay_commission(shop)
    erase(shop.vendor, stopped_clock)
    assert found() == set()
    assert b"uill" not in stored()
    view = seen(shop.customer, trip.reference)
    assert (view.vendor_name, view.car.title) == ("Former vendor", trip.car.title)
    assert user_of(shop.vendor.id).is_deleted


def pay_commission(shop: Shop) -> None:
    """Note that the vendor has paid what is owed."""
    owed = [one for one in read(lambda s: erasure.obstacles(s, user_of(shop.vendor.id), clock.now()))]
    assert [one.code for one in owed] in ([], ["commission"])
    alter(User, shop.vendor.id, commission_bps=0)


@pytest.mark.databases
def test_the_address_is_free_for_a_new_account(shop: Shop, stopped_clock: Clock) -> None:
    erase(shop.customer, stopped_clock)
    again = add_user(email=shop.customer.email)
    assert again.id != shop.customer.id


def test_an_account_whose_week_is_not_over_stays(shop: Shop, stopped_clock: Clock) -> None:
    ask(shop.customer)
    stopped_clock.move(days=7, seconds=-1)
    erasure.carry_out_due(stopped_clock.instant)
    assert not user_of(shop.customer.id).is_deleted
    stopped_clock.move(seconds=1)
    erasure.carry_out_due(stopped_clock.instant)
    assert user_of(shop.customer.id).is_deleted


@pytest.mark.databases
def test_a_login_at_the_last_second_wins_or_is_refused(shop: Shop, stopped_clock: Clock) -> None:
    ask(shop.customer)
    stopped_clock.move(days=7)
    form = Credentials(email=shop.customer.email, password=PASSWORD)

    def log_in() -> None:
        login.sign_in(form, VISITOR)

    codes = at_once(log_in, lambda: erasure.carry_out_due(stopped_clock.instant))
    user = user_of(shop.customer.id)
    assert user.is_deleted is (codes[0] == "bad_credentials")
    assert (user.erase_asked_at is None) or user.is_deleted


@pytest.mark.databases
def test_a_booking_that_is_made_meanwhile_is_withdrawn_or_refused(shop: Shop) -> None:
    codes = at_once(lambda: book(shop), lambda: ask(shop.customer))
    assert codes[1] == ""
    if codes[0] == "":
        assert booked(shop).status == "cancelled"
    else:
        assert codes[0] == "session_ended"


@pytest.mark.databases
def test_a_booking_of_a_vendor_who_leaves_meanwhile_is_declined_or_refused(shop: Shop) -> None:
    codes = at_once(lambda: book(shop), lambda: ask(shop.vendor))
    assert codes[1] == ""
    assert codes[0] != "" or booked(shop).status == "cancelled"


def test_what_was_begun_meanwhile_ends_first(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=9)
    alter(User, shop.customer.id, erase_asked_at=stopped_clock.instant)
    stopped_clock.move(days=7)
    erasure.carry_out_due(stopped_clock.instant)
    assert not user_of(shop.customer.id).is_deleted
    assert seen(shop.vendor, trip.id).status == "confirmed"


@pytest.mark.databases
def test_a_restored_account_is_erased_again_before_anybody_can_log_in(shop: Shop, stopped_clock: Clock) -> None:
    before = user_of(shop.customer.id).model_dump()
    erase(shop.customer, stopped_clock)
    # As a backup has it.
    alter(User, shop.customer.id, **before)
    other = add_user()
    erasure.replay()
    assert user_of(shop.customer.id).name == "Former customer"
    assert user_of(other.id).name == other.name
    # A number that was given again to somebody else names nobody.
    later = before | {"created_at": before["created_at"] + timedelta(days=1)}
    alter(User, shop.customer.id, **later)
    erasure.replay()
    assert user_of(shop.customer.id).name == before["name"]


def test_what_the_list_lacks_is_put_on_it(shop: Shop, stopped_clock: Clock) -> None:
    erase(shop.customer, stopped_clock)
    (name,) = storage.names("erasures")
    storage.remove([name])
    erasure.replay()
    assert list(storage.names("erasures")) == [name]


@pytest.mark.databases
def test_whoever_works_for_a_vendor_who_leaves_works_for_nobody_until_they_stay(shop: Shop) -> None:
    member = add_user()
    put(Member(user_id=member.id or 0, vendor_id=shop.vendor.id or 0))
    token = write(sessions.open_session, member.id or 0)
    assert read(sessions.authenticate, VISITOR, token).employer == shop.vendor.id
    ask(shop.vendor)
    assert read(sessions.authenticate, VISITOR, token).employer == 0
    login.sign_in(Credentials(email=shop.vendor.email, password=PASSWORD), VISITOR)
    assert read(sessions.authenticate, VISITOR, token).employer == shop.vendor.id


def test_a_calendar_of_a_vendor_who_leaves_shows_nothing(shop: Shop) -> None:
    address = write(feeds.give, actor(shop.vendor), FeedRequest())
    secret = address.rpartition("/")[2].removesuffix(".ics")
    assert read(feeds.read_feed, VISITOR, secret)
    ask(shop.vendor)
    with pytest.raises(NotFoundError):
        read(feeds.read_feed, VISITOR, secret)


def test_the_page_of_a_vendor_who_leaves_is_gone(shop: Shop) -> None:
    ask(shop.vendor)
    with pytest.raises(NotFoundError):
        read(vendors.vendor, VISITOR, shop.vendor.id or 0, Page(), Page())


def test_a_guests_link_ends_with_the_vendor(shop: Shop, stopped_clock: Clock) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(0, 12), moment(0, 20))
    stopped_clock.instant = made.return_at + timedelta(days=91)
    secret = secret_of(texts()[0])
    assert read(proofs.find, Purpose.GUEST_TRIP, secret)
    ask(shop.vendor)
    with pytest.raises(RentalError):
        read(proofs.find, Purpose.GUEST_TRIP, secret)


def test_a_blocked_account_is_erased_by_letter_alone(shop: Shop, stopped_clock: Clock) -> None:
    alter(User, shop.customer.id, status="blocked")
    write(erasure.ask_for, at_the_machine(), shop.customer.email)
    stopped_clock.move(days=7)
    erasure.carry_out_due(stopped_clock.instant)
    assert user_of(shop.customer.id).is_deleted


def test_a_tax_invoice_keeps_the_names_as_the_law_wants(shop: Shop, stopped_clock: Clock) -> None:
    alter(User, shop.vendor.id, gst_number="36ABCDE1234F1Z5", gst_name="Lakshmi Rentals", state="Telangana")
    known(shop.customer)
    squared(shop, stopped_clock)
    assert {table for table, _ in found()} > {"issued_paper"}
    erase(shop.customer, stopped_clock)
    assert {table for table, _ in found()} == {"issued_paper"}
    kinds = select(col(IssuedPaper.kind)).where(cast(IssuedPaper.snapshot, String).contains("Quill"))
    assert set(read(lambda session: session.scalars(kinds).all())) == {"invoice"}


# What of an account's own row may stay, because it says nothing about anybody.
STAYS = {"delivery_supported", "buffer_hours", "gst_rate_bps", "stars_total", "reviews"}
NOTHING: tuple[object, ...] = ("", None, 0, [], FORMER_VENDOR, "0000000000", "000000")
# Erased by what their own services offer.
BY_SERVICES = {"identity_paper", "identity_paper_file"}


def test_every_column_that_ends_with_the_account_is_emptied(shop: Shop, stopped_clock: Clock) -> None:
    filled = ACCOUNT | {name: "x" for name in ("gst_name", "bank_name", "google_maps_link", "state", "county")}
    known(shop.vendor, **filled, booking_whatsapp_no="9812345673", image="/media/public/x.jpg", last_login_from="x")
    alter(User, shop.vendor.id, no_of_staff=3, no_of_years=4, image_bytes=5, trip_bytes=6, open_time=time(8))
    erase(shop.vendor, stopped_clock)
    row = user_of(shop.vendor.id)
    own = {
        column
        for purpose, columns in TABLES["user"].purposes.items()
        if HOLDINGS[purpose].end == End.ACCOUNT and purpose != "account"
        for column in columns.split()
    }
    left = {name: getattr(row, name) for name in own - STAYS if getattr(row, name) not in NOTHING}
    assert left == {"email": f"{row.id}@erased.invalid"}, "empty it in services/accounts/traces.py"


def test_every_table_that_ends_with_an_account_is_named_where_accounts_are_erased() -> None:
    ending = {
        name
        for name, table in TABLES.items()
        if all(HOLDINGS[purpose].end in (End.ACCOUNT, End.VEHICLE) for purpose in table.purposes)
    }
    classes = {mapper.local_table.name: mapper.class_.__name__ for mapper in SQLModel._sa_registry.mappers}  # type: ignore[attr-defined]
    source = inspect.getsource(traces)
    assert {name for name in ending - BY_SERVICES if f"{classes[name]}" not in source} == set()
