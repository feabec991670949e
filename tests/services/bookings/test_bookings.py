"""Booking: adjacent windows, the database's final say, decisions, expiry, repeated calls."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import DatabaseError
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, ForbiddenError, NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, User, VehiclePrice
from rental_app.schemas.bookings import BookingRequest
from rental_app.services.bookings import create as creating
from rental_app.services.bookings import expiry, lists
from rental_app.services.pricing import quotes
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide, status_of
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, VISITOR, Shop, actor, add_user, count, wanted, wire


def test_a_booking_is_pending_with_its_price_kept(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle, length=3))
    assert (made.status, made.price, made.deposit) == ("pending", 3 * DAILY_PAISE, DEPOSIT_PAISE)
    assert (made.kms_included, made.lines[0].quantity) == (300, 3)
    full_day = col(VehiclePrice.vehicle_id) == shop.vehicle.id
    write(lambda session: session.execute(update(VehiclePrice).where(full_day).values(price_paise=1)))
    assert read(lists.of_customer, actor(shop.customer)).items == [made]


def test_a_reference_that_is_taken_is_not_given_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    first = book(shop.customer, wanted(shop.vehicle))
    made = iter((first.reference, first.reference, "PH-000ZZZ"))
    monkeypatch.setattr(creating, "new_reference", lambda: next(made))
    assert book(shop.customer, wanted(shop.vehicle, days=9)).reference == "PH-000ZZZ"
    assert [booking.id for booking in read(lists.of_customer, actor(shop.customer)).items[1:]] == [first.id]


def test_a_quote_is_the_price_of_the_booking(shop: Shop) -> None:
    for length in (1, 2, 30):
        request = wanted(shop.vehicle, days=1 + 30 * (length > 1) + length, length=length)
        quote = read(quotes.quote_for, VISITOR, request)
        made = book(shop.customer, request)
        assert (quote.total, quote.deposit, quote.kms_included) == (made.price, made.deposit, made.kms_included)
        assert quote.lines == made.lines


def test_windows_that_touch_both_fit(shop: Shop) -> None:
    for days in (5, 6, 4):
        book(shop.customer, wanted(shop.vehicle, days=days))
    with pytest.raises(ConflictError, match="just booked"):
        book(shop.customer, wanted(shop.vehicle, days=5))


@pytest.mark.parametrize(("days", "length", "hour"), [(4, 2, 11), (3, 1, 12), (5, 1, 9), (2, 5, 10), (4, 1, 10)])
def test_windows_that_overlap_are_refused(shop: Shop, days: int, length: int, hour: int) -> None:
    book(shop.customer, wanted(shop.vehicle, days=4))
    with pytest.raises(ConflictError) as refused:
        book(add_user(), wanted(shop.vehicle, days, length, hour))
    assert refused.value.code == "dates_taken"


def test_one_of_a_hundred_simultaneous_bookings_wins(shop: Shop) -> None:
    before = count("booking")
    people = [add_user() for _ in range(100)]
    request, start = wanted(shop.vehicle), Barrier(10)

    def attempt(user: User) -> str:
        if user in people[:10]:
            start.wait()
        try:
            return book(user, request).status
        except ConflictError as error:
            return error.code

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(attempt, people))
    assert sorted(answers) == ["dates_taken"] * 99 + ["pending"]
    assert count("booking") == before + 1


@pytest.mark.parametrize("statement", ["INSERT", "UPDATE"])
def test_the_database_itself_refuses_an_overlap(shop: Shop, statement: str) -> None:
    first = book(shop.customer, wanted(shop.vehicle, days=4))
    second = book(shop.customer, wanted(shop.vehicle, days=8))
    columns = (
        "vehicle_id, customer_id, pickup_at, return_at, status, price_paise, deposit_paise, lines, created_at,"
        " answer_by, cancel_reason"
    )
    raw = {
        "INSERT": f"INSERT INTO booking ({columns}) SELECT {columns} FROM booking WHERE id = {first.id}",
        "UPDATE": "UPDATE booking SET pickup_at = (SELECT pickup_at FROM booking WHERE id = "
        f"{first.id}) WHERE id = {second.id}",
    }
    with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
        write(lambda session: session.execute(text(raw[statement])))


def test_reviving_a_cancelled_booking_is_guarded_too(shop: Shop) -> None:
    first = book(shop.customer, wanted(shop.vehicle))
    decide(shop.vendor, first.id, "cancelled")
    book(shop.customer, wanted(shop.vehicle))
    with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
        alter(Booking, first.id, status="pending", cancelled_by=None)


def test_a_decision_is_final(shop: Shop) -> None:
    for decision in ("confirmed", "cancelled"):
        made = book(shop.customer, wanted(shop.vehicle))
        assert decide(shop.vendor, made.id, "pending") == "Booking left pending"
        assert decide(shop.vendor, made.id, decision) == f"Booking {decision}"
        for change in ("pending", "confirmed", "cancelled"):
            with pytest.raises(ConflictError, match="already decided"):
                decide(shop.vendor, made.id, change)
        assert status_of(made.id) == decision
        alter(Booking, made.id, status="cancelled", cancelled_by="operator")


def test_racing_decisions_have_one_winner(shop: Shop) -> None:
    for _ in range(5):
        made = book(shop.customer, wanted(shop.vehicle))
        start = Barrier(4)

        def attempt(change: str, booking_id: int = made.id, start: Barrier = start) -> str:
            start.wait()
            try:
                return decide(shop.vendor, booking_id, change).removeprefix("Booking ")
            except ConflictError:
                return "late"

        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(attempt, ["confirmed", "cancelled"] * 2))
        assert answers.count("late") == 3
        assert status_of(made.id) in answers
        alter(Booking, made.id, status="cancelled", cancelled_by="operator")


def test_other_peoples_bookings_stay_theirs(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    other = add_user("Vendor", location_id=shop.place.id)
    with pytest.raises(NotFoundError):
        decide(other, made.id, "confirmed")
    with pytest.raises(ForbiddenError):
        decide(shop.customer, made.id, "confirmed")
    assert status_of(made.id) == "pending"
    assert read(lists.of_customer, actor(other)).items == []
    assert read(lists.of_vendor, actor(other)).items == []


def test_a_phone_number_is_shown_once_confirmed(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    assert read(lists.of_vendor, actor(shop.vendor)).items[0].customer_phone == ""
    decide(shop.vendor, made.id, "confirmed")
    assert read(lists.of_vendor, actor(shop.vendor)).items[0].customer_phone == shop.customer.phone_number


def test_an_unanswered_request_lapses_at_once_and_frees_its_dates(shop: Shop, stopped_clock: Clock) -> None:
    # Its days are counted from today, and eight hours later it may be tomorrow.
    wish = wanted(shop.vehicle)
    made = book(shop.customer, wish)
    assert made.answer_by == stopped_clock.instant + timedelta(hours=8)
    stopped_clock.move(hours=8)
    shown = read(lists.of_customer, actor(shop.customer)).items[0]
    assert (shown.status, shown.cancelled_by) == ("cancelled", "system")
    assert read(lists.of_vendor, actor(shop.vendor)).items[0].status == "cancelled"
    with pytest.raises(ConflictError, match="already decided"):
        decide(shop.vendor, made.id, "confirmed")
    again = book(add_user(), wish)
    assert (status_of(made.id), status_of(again.id)) == ("cancelled", "pending")


def test_a_pickup_just_past_is_held_against_what_ended_after_it(shop: Shop, stopped_clock: Clock) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    decide(shop.vendor, made.id, "confirmed")
    stopped_clock.instant = made.return_at + timedelta(minutes=2)
    early = made.return_at - timedelta(minutes=2)
    wish = BookingRequest(car=shop.vehicle.id, pickup=wire(early), return_at=wire(early + timedelta(days=1)))
    with pytest.raises(ConflictError) as refused:
        book(add_user(), wish)
    assert refused.value.code == "dates_taken"


def test_the_task_cancels_what_nobody_answered_and_nothing_else(shop: Shop, stopped_clock: Clock) -> None:
    lapsing, answered = (book(shop.customer, wanted(shop.vehicle, days=days)) for days in (3, 5))
    decide(shop.vendor, answered.id, "confirmed")
    stopped_clock.move(hours=7, minutes=59)
    write(expiry.expire_stale, clock.now())
    assert status_of(lapsing.id) == "pending"
    stopped_clock.move(minutes=1)
    assert write(expiry.expire_stale, clock.now()) >= 1
    assert write(expiry.expire_stale, clock.now()) == 0
    assert (status_of(lapsing.id), status_of(answered.id)) == ("cancelled", "confirmed")
