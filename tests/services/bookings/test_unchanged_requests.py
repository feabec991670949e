"""A vendor answers the request they were shown, or is refused."""

from typing import Any

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError
from rental_app.infrastructure.db import write
from rental_app.schemas.bookings import BookingView, StatusChange
from rental_app.services.bookings import decide
from tests.support.booking_steps import book, status_of
from tests.support.races import at_once
from tests.support.shop import Shop, actor, moment, wanted, wire
from tests.support.trips import move, refusal


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
    return write(decide.change_status, actor(shop.vendor), change)


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


def test_a_change_and_an_answer_at_once_have_one_winner(shop: Shop) -> None:
    for day in range(3, 11, 2):
        asked = book(shop.customer, wanted(shop.vehicle, days=day))
        codes = at_once(
            lambda made=asked, day=day: move(shop, made.id, moment(day + 30), moment(day + 31)),  # type: ignore[misc]
            lambda made=asked: answer(shop, made.id, "confirmed", as_shown(made)),  # type: ignore[misc]
        )
        assert codes in (["", "request_changed"], ["already_decided", ""])
