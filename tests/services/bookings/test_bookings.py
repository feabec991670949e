"""Booking: what is known before, adjacent windows, the database's final say, decisions, expiry."""

from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking
from rental_app.schemas.bookings import BookingRequest
from rental_app.services.bookings import lists, requests
from rental_app.services.bookings.requests import RequestedVehicle
from rental_app.services.pricing import quotes
from rental_app.services.throttle import Caller
from tests.conftest import Clock
from tests.support.booking_steps import alter, ask, book, booked, decide, status_of
from tests.support.races import at_once
from tests.support.shop import (
    DAILY_PAISE,
    DEPOSIT_PAISE,
    VISITOR,
    Shop,
    actor,
    add_user,
    count,
    moment,
    open_shop,
    wanted,
    wire,
)
from tests.support.trips import refusal


def test_a_booking_is_pending_with_its_price_kept(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle, length=3))
    assert (made.status, made.price, made.deposit) == ("pending", 3 * DAILY_PAISE, DEPOSIT_PAISE)
    assert (made.kms_included, made.lines[0].quantity) == (300, 3)
    ask(shop.vehicle, 1)
    assert read(lists.of_customer, actor(shop.customer)).items == [made]


def test_a_reference_that_is_taken_is_not_given_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    first = book(shop.customer, wanted(shop.vehicle))
    made = iter((first.reference, first.reference, "PH-000ZZZ"))
    monkeypatch.setattr(requests, "new_reference", lambda: next(made))
    assert book(shop.customer, wanted(shop.vehicle, days=9)).reference == "PH-000ZZZ"
    assert [booking.id for booking in read(lists.of_customer, actor(shop.customer)).items[1:]] == [first.id]


def test_a_quote_is_the_price_of_the_booking(shop: Shop) -> None:
    for length in (1, 2, 30):
        request = wanted(shop.vehicle, days=1 + 30 * (length > 1) + length, length=length)
        quote = read(quotes.quote_for, VISITOR, request)
        made = book(shop.customer, request)
        assert (quote.total, quote.deposit, quote.kms_included) == (made.price, made.deposit, made.kms_included)
        assert quote.lines == made.lines


@pytest.mark.databases
def test_windows_that_overlap_are_refused_and_those_that_touch_both_fit(shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle, days=4))
    for days, length, hour in ((4, 2, 11), (3, 1, 12), (5, 1, 9), (2, 5, 10), (4, 1, 10)):
        error = refusal("dates_taken", book, add_user(), wanted(shop.vehicle, days, length, hour))
        assert "just booked" in error.message
    for days in (5, 3):
        assert book(shop.customer, wanted(shop.vehicle, days=days)).status == "pending"


@pytest.mark.databases
def test_one_of_many_simultaneous_bookings_wins(shop: Shop) -> None:
    before, request = count("booking"), wanted(shop.vehicle)
    codes = at_once(*[partial(book, add_user(), request) for _ in range(20)])
    assert sorted(codes) == ["", *["dates_taken"] * 19]
    assert count("booking") == before + 1


@pytest.mark.databases
def test_the_database_itself_refuses_an_overlap(shop: Shop) -> None:
    first, second = (book(shop.customer, wanted(shop.vehicle, days)).id for days in (4, 8))
    declined = book(shop.customer, wanted(shop.vehicle, days=12)).id
    decide(shop.vendor, declined, "cancelled")
    book(shop.customer, wanted(shop.vehicle, days=12))
    columns = (
        "vehicle_id, customer_id, pickup_at, return_at, status, price_paise, deposit_paise, lines, created_at,"
        " answer_by, cancel_reason"
    )
    for statement in (
        f"INSERT INTO booking ({columns}) SELECT {columns} FROM booking WHERE id = {first}",
        f"UPDATE booking SET pickup_at = (SELECT pickup_at FROM booking WHERE id = {first}) WHERE id = {second}",
        f"UPDATE booking SET status = 'pending', cancelled_by = NULL WHERE id = {declined}",
    ):
        with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
            write(Session.execute, text(statement))


def test_a_decision_is_final(shop: Shop) -> None:
    for decision in ("confirmed", "cancelled"):
        made = book(shop.customer, wanted(shop.vehicle))
        assert decide(shop.vendor, made.id, "pending") == "Booking left pending"
        assert decide(shop.vendor, made.id, decision) == f"Booking {decision}"
        for change in ("pending", "confirmed", "cancelled"):
            refusal("already_decided", decide, shop.vendor, made.id, change)
        assert status_of(made.id) == decision
        alter(Booking, made.id, status="cancelled", cancelled_by="operator")


@pytest.mark.databases
def test_racing_decisions_have_one_winner(shop: Shop) -> None:
    for days in range(3, 8):
        made = book(shop.customer, wanted(shop.vehicle, days))
        decisions = ["confirmed", "cancelled"] * 2
        codes = at_once(*[partial(decide, shop.vendor, made.id, decision) for decision in decisions])
        assert sorted(codes) == ["", *["already_decided"] * 3]
        assert status_of(made.id) == decisions[codes.index("")]


def test_other_peoples_bookings_stay_theirs(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    other = add_user("Vendor", location_id=shop.place.id)
    refusal("unknown_booking", decide, other, made.id, "confirmed")
    refusal("vendors_only", decide, shop.customer, made.id, "confirmed")
    assert status_of(made.id) == "pending"
    assert read(lists.of_customer, actor(other)).items == []
    assert read(lists.of_vendor, actor(other)).items == []


def test_an_unanswered_request_lapses_at_once_and_frees_its_dates(shop: Shop, stopped_clock: Clock) -> None:
    # Its days are counted from today, and eight hours later it may be tomorrow.
    wish = wanted(shop.vehicle)
    made = book(shop.customer, wish)
    assert made.answer_by == stopped_clock.instant + timedelta(hours=8)
    stopped_clock.move(hours=8)
    shown = read(lists.of_customer, actor(shop.customer)).items[0]
    assert (shown.status, shown.cancelled_by) == ("cancelled", "system")
    assert read(lists.of_vendor, actor(shop.vendor)).items[0].status == "cancelled"
    assert "already decided" in refusal("already_decided", decide, shop.vendor, made.id, "confirmed").message
    again = book(add_user(), wish)
    assert (status_of(made.id), status_of(again.id)) == ("cancelled", "pending")


def test_a_pickup_just_past_is_held_against_what_ended_after_it(shop: Shop, stopped_clock: Clock) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    decide(shop.vendor, made.id, "confirmed")
    stopped_clock.instant = made.return_at + timedelta(minutes=2)
    early = made.return_at - timedelta(minutes=2)
    wish = BookingRequest(car=shop.vehicle.id, pickup=wire(early), return_at=wire(early + timedelta(days=1)))
    refusal("dates_taken", book, add_user(), wish)


def test_the_task_cancels_what_nobody_answered_and_nothing_else(shop: Shop, stopped_clock: Clock) -> None:
    lapsing, answered = (book(shop.customer, wanted(shop.vehicle, days=days)) for days in (3, 5))
    decide(shop.vendor, answered.id, "confirmed")
    stopped_clock.move(hours=7, minutes=59)
    write(requests.expire_stale, clock.now())
    assert status_of(lapsing.id) == "pending"
    stopped_clock.move(minutes=1)
    assert write(requests.expire_stale, clock.now()) >= 1
    assert write(requests.expire_stale, clock.now()) == 0
    assert (status_of(lapsing.id), status_of(answered.id)) == ("cancelled", "confirmed")


def test_the_terms_accepted_are_kept_with_the_booking(shop: Shop) -> None:
    before = clock.now()
    write(requests.create, actor(shop.customer), wanted(shop.vehicle, 4), terms="2026-11-26")
    kept = booked(shop)
    assert kept.terms_version == "2026-11-26"
    assert kept.terms_accepted_at
    assert before <= kept.terms_accepted_at <= clock.now()
    without = open_shop("Elsewhere")
    book(shop.customer, wanted(without.vehicle, 4))
    assert (booked(without).terms_version, booked(without).terms_accepted_at) == (None, None)


def test_who_has_booked_the_window_or_owns_the_vehicle_is_told_so(shop: Shop) -> None:
    asked, window = book(shop.customer, wanted(shop.vehicle, 4)), Window(moment(4), moment(5))

    def of(caller: Caller, window: Window | None = window) -> RequestedVehicle:
        return read(requests.reviewed, caller, shop.vehicle.id, window)

    assert of(actor(shop.customer)).requested == asked.reference
    assert (of(actor(shop.vendor)).is_own, of(actor(shop.customer)).is_own) == (True, False)
    assert of(actor(shop.customer), Window(moment(5), moment(6))).requested == ""
    assert of(actor(shop.customer), None).requested == ""
    assert of(actor(add_user())).requested == of(VISITOR).requested == ""
    decide(shop.vendor, asked.id, "cancelled")
    assert of(actor(shop.customer)).requested == ""


def test_an_answer_time_is_told_once_there_are_enough_answers(shop: Shop) -> None:
    customer, known = add_user(), []
    for day in (4, 6, 8, 10):
        told = read(requests.reviewed, VISITOR, shop.vehicle.id, Window(moment(4), moment(5))).answers_in
        known.append(told is not None)
        decide(shop.vendor, book(customer, wanted(shop.vehicle, day)).id, "confirmed")
    assert known == [False, False, False, True]
