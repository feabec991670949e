"""A request's other dates are previewed and guarded like a new booking, and its vendor answers what they were shown."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, InvalidInputError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Offer, User, Vehicle
from rental_app.schemas.bookings import BookingView, StatusChange
from rental_app.schemas.trips import ChangeRequest
from rental_app.services.bookings import requests
from rental_app.services.trips import changes
from tests.conftest import Clock
from tests.support.booking_steps import alter, ask, book, decide, status_of
from tests.support.races import at_once
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, add_user, count, moment, put, wanted, wire
from tests.support.trips import at_pickup, at_return, hand_over, lines, move, refusal, seen, take_back


def test_a_request_moves_to_other_dates_at_the_price_shown(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, days=3))
    stopped_clock.move(hours=1)
    # One day that overlaps the old dates and two after them.
    moved = move(shop, asked.reference, moment(3, 12), moment(6, 12), 3 * DAILY_PAISE)
    assert (moved.pickup, moved.return_at, moved.price) == (moment(3, 12), moment(6, 12), 3 * DAILY_PAISE)
    assert moved.answer_by == asked.answer_by + timedelta(hours=1)
    assert [one.what for one in moved.timeline] == ["requested", "changed"]
    # The old hours are free, the new ones are not.
    assert book(add_user(), wanted(shop.vehicle, days=2, hour=12)).pickup == moment(2, 12)
    refusal("dates_taken", book, add_user(), wanted(shop.vehicle, days=5))
    ask(shop.vehicle, 60_000)
    refusal("price_changed", move, shop, asked.id, moment(8), moment(9), DAILY_PAISE)
    alter(Vehicle, shop.vehicle.id, deposit_paise=25 * DEPOSIT_PAISE)
    refusal("price_changed", move, shop, asked.id, moment(8), moment(9), 60_000, DEPOSIT_PAISE)
    refusal("outside_hours", move, shop, asked.id, moment(8, 5), moment(9, 10))
    refusal("too_short", move, shop, asked.id, moment(8, 10), moment(8, 20))
    refusal("dates_taken", move, shop, asked.id, moment(2), moment(6))
    refusal("dates_missing", write, changes.change, actor(shop.customer), asked.reference, ChangeRequest())
    theirs = (write, changes.change, actor(shop.vendor), asked.reference, ChangeRequest(pickup="", return_at=""))
    assert isinstance(refusal("customers_only", *theirs), ForbiddenError)
    assert seen(shop.customer, asked.id).pickup == moment(3, 12)
    dearer = move(shop, asked.id, moment(8), moment(9), 60_000, 25 * DEPOSIT_PAISE)
    assert (dearer.pickup, dearer.deposit) == (moment(8), 25 * DEPOSIT_PAISE)
    lapsing = book(shop.customer, wanted(shop.vehicle, days=20))
    decide(shop.vendor, asked.id, "confirmed")
    refusal("already_decided", move, shop, asked.id, moment(8), moment(10))
    stopped_clock.instant = lapsing.answer_by
    refusal("already_decided", move, shop, lapsing.id, moment(8), moment(9))


def test_a_request_moved_to_its_own_dates_leaves_its_vendor_no_more_time(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, days=3))
    before = (count("booking_event"), count("outbox"))
    stopped_clock.move(hours=7)
    again = move(shop, asked.reference, asked.pickup, asked.return_at, asked.price)
    assert (again.answer_by, count("booking_event"), count("outbox")) == (asked.answer_by, *before)
    ask(shop.vehicle, 60_000)
    dearer = move(shop, asked.reference, asked.pickup, asked.return_at)
    assert (dearer.price, dearer.answer_by) == (60_000, asked.answer_by + timedelta(hours=7))


def test_a_request_keeps_the_offer_that_was_in_force_when_it_was_made(shop: Shop, stopped_clock: Clock) -> None:
    today = clock.indian_today(clock.now())
    put(Offer(code="ENDING", title="T", terms="", minimum_days=3, off_paise=10_000, starts_on=today, ends_on=today))
    asked = book(shop.customer, wanted(shop.vehicle, days=9, length=4).model_copy(update={"offer": "ENDING"}))
    alter(Booking, asked.id, answer_by=moment(2))
    stopped_clock.move(days=1)
    long, short = (ChangeRequest(pickup=wire(moment(10)), return_at=wire(moment(day))) for day in (13, 12))
    shown = read(changes.new_price, actor(shop.customer), asked.reference, long).total
    assert shown == 3 * DAILY_PAISE - 10_000
    for how, service in ((read, changes.new_price), (write, changes.change)):
        error = refusal("offer_minimum_days", how, service, actor(shop.customer), asked.reference, short)
        assert "3 days" in error.fields["returnDate"], "the request has no field for the offer"
        assert len(error.fields) == 1
    assert move(shop, asked.reference, moment(10), moment(13), shown).price == shown


def test_other_dates_are_priced_before_the_request_moves(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, days=3))
    book(add_user(), wanted(shop.vehicle, days=6))

    def priced(first: int, last: int, user: User = shop.customer) -> int:
        request = ChangeRequest(pickup=wire(moment(first)), return_at=wire(moment(last)))
        return read(changes.new_price, actor(user), asked.reference, request).total

    # Its own old dates do not block it, those of other bookings do.
    assert priced(3, 6) == 3 * DAILY_PAISE
    refusal("dates_taken", priced, 5, 7)
    refusal("unknown_booking", priced, 8, 9, add_user())
    assert seen(shop.customer, asked.id).pickup == asked.pickup
    decide(shop.vendor, asked.id, "confirmed")
    refusal("already_decided", priced, 8, 9)


def test_a_request_that_was_changed_is_late_at_the_price_it_was_changed_to(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    ask(shop.vehicle, 3 * DAILY_PAISE)
    moved = move(shop, asked.reference, moment(6), moment(7), 3 * DAILY_PAISE)
    decide(shop.vendor, asked.id, "confirmed")
    at_pickup(stopped_clock, moved)
    hand_over(shop, asked.reference)
    at_return(stopped_clock, moved, hours=24)
    # More than twice the Full Day price of the first request.
    assert dict(lines(take_back(shop, asked.reference)))["late"] == 24 * 5_000


def as_shown(asked: BookingView) -> dict[str, str]:
    """Return what a vendor's list shows of a request, with the API's field names."""
    listed = asked.model_dump(mode="json", by_alias=True)
    return {
        "expectedPickupDate": listed["pickupDate"],
        "expectedReturnDate": listed["returnDate"],
        "expectedTotal": listed["price"],
    }


def answer(shop: Shop, booking_id: int, status: str, shown: dict[str, Any]) -> str:
    change = StatusChange.model_validate({"bookingId": booking_id, "status": status} | shown)
    return write(requests.change_status, actor(shop.vendor), change)


@pytest.mark.parametrize("status", ["confirmed", "cancelled", "pending"])
def test_a_request_that_moved_is_not_answered_for_the_dates_it_had(shop: Shop, status: str) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, days=3))
    moved = move(shop, asked.id, moment(20), moment(45))
    error = refusal("request_changed", answer, shop, asked.id, status, as_shown(asked))
    assert f"{clock.friendly(moved.pickup)} to {clock.friendly(moved.return_at)}, ₹12,500" in error.message
    assert status_of(asked.id) == "pending"
    answer(shop, asked.id, status, as_shown(moved))
    assert status_of(asked.id) == status


def test_each_of_dates_and_price_counts_and_a_day_stands_for_its_hours(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, days=3))
    shown = as_shown(asked)
    for other in (
        {"expectedPickupDate": wire(moment(4))},
        {"expectedReturnDate": f"{clock.indian_today(moment(5))}"},
        {"expectedTotal": 499},
    ):
        refusal("request_changed", answer, shop, asked.id, "confirmed", shown | other)
    with pytest.raises(InvalidInputError) as nonsense:
        answer(shop, asked.id, "confirmed", {"expectedPickupDate": "tomorrow"})
    assert nonsense.value.fields.keys() == {"expectedPickupDate"}
    days = {name: shown[name][:10] for name in ("expectedPickupDate", "expectedReturnDate")}
    assert answer(shop, asked.id, "confirmed", days | {"expectedTotal": "500"}) == "Booking confirmed"
    refusal("already_decided", answer, shop, asked.id, "confirmed", shown | {"expectedTotal": 1})


def test_without_expectations_the_current_request_is_answered(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, days=3))
    move(shop, asked.id, moment(20), moment(21))
    blank = {"expectedPickupDate": "", "expectedReturnDate": "", "expectedTotal": None}
    assert answer(shop, asked.id, "confirmed", blank) == "Booking confirmed"


@pytest.mark.databases
def test_a_change_and_an_answer_at_once_have_one_winner(shop: Shop) -> None:
    for day in range(3, 15, 2):
        asked = book(shop.customer, wanted(shop.vehicle, days=day))
        shown = as_shown(asked) if day < 9 else {}
        codes = at_once(
            partial(move, shop, asked.id, moment(day + 30), moment(day + 31)),
            partial(answer, shop, asked.id, "confirmed", shown),
        )
        assert codes in (["", "request_changed" if shown else ""], ["already_decided", ""])
        trip = seen(shop.customer, asked.id)
        assert (codes[0] == "") == (trip.pickup == moment(day + 30))
        assert sum(paise for _, paise in lines(trip)) == (trip.price if codes[1] == "" else 0)
