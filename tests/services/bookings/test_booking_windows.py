"""Which vehicles and windows can be booked: limits, hours and papers."""

from datetime import datetime, time

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotFoundError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.infrastructure.db import read
from rental_app.models import User, Vehicle
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.wire import MAX_RUPEES
from rental_app.services.pricing import quotes
from rental_app.services.search import search
from tests.support.booking_steps import alter, ask, book
from tests.support.rows import each
from tests.support.shop import DAILY_PAISE, VISITOR, Shop, add_vehicle, count, moment, search_for, wanted, wire
from tests.support.trips import refusal


@each(
    ("pickup", "return_at", "code"),
    [
        (moment(5), moment(5), "return_before_pickup"),
        (moment(5), moment(6, 9, 59), "too_short"),
        (moment(-1), moment(5), "pickup_in_past"),
        (moment(5), moment(35, 10, 1), "too_long"),
        (moment(95), moment(97), "too_far"),
        (moment(5, 8, 59), moment(7), "outside_hours"),
        (moment(5), moment(7, 20, 1), "outside_hours"),
    ],
)
def test_impossible_windows_are_refused(shop: Shop, pickup: datetime, return_at: datetime, code: str) -> None:
    before = count("booking")
    request = BookingRequest(car=shop.vehicle.id, pickup=wire(pickup), return_at=wire(return_at))
    for call in (lambda: book(shop.customer, request), lambda: read(quotes.quote_for, VISITOR, request)):
        with pytest.raises(InvalidInputError) as refused:
            call()
        assert refused.value.code == code
        assert refused.value.fields
    assert count("booking") == before


def test_the_limits_themselves_are_allowed(shop: Shop) -> None:
    dearest = add_vehicle(shop.vendor, MAX_RUPEES * PAISE_PER_RUPEE)
    assert book(shop.customer, wanted(dearest, length=30)).price == 30 * MAX_RUPEES * PAISE_PER_RUPEE
    edge = BookingRequest(car=shop.vehicle.id, pickup=wire(moment(50, 9)), return_at=wire(moment(52, 20)))
    assert book(shop.customer, edge).price == 3 * DAILY_PAISE


@pytest.mark.parametrize(
    ("table", "change", "code"),
    [
        (Vehicle, {"is_active": False}, "not_bookable"),
        (Vehicle, {"is_approved": False}, "not_bookable"),
        (Vehicle, {"insurance_expiry_date": moment(-1).date()}, "not_bookable"),
        (Vehicle, {"pollution_expiry_date": moment(-1).date()}, "not_bookable"),
        (Vehicle, {"insurance_expiry_date": moment(3).date()}, "papers_expire"),
        (Vehicle, {"pollution_expiry_date": moment(3).date()}, "papers_expire"),
        (User, {"status": "blocked"}, "not_bookable"),
        (User, {"is_deleted": True}, "not_bookable"),
    ],
)
def test_what_cannot_be_booked_is_neither_booked_nor_found(
    shop: Shop, table: type, change: dict[str, object], code: str
) -> None:
    assert len(read(search.available, VISITOR, search_for(shop.place)).vehicles) == 1
    alter(table, (shop.vehicle if table is Vehicle else shop.vendor).id, **change)
    refusal(code, book, shop.customer, wanted(shop.vehicle))
    assert read(search.available, VISITOR, search_for(shop.place)).vehicles == []


def test_papers_are_needed_through_the_indian_day_of_the_return(shop: Shop) -> None:
    alter(User, shop.vendor.id, open_time=time(0), close_time=time(23))
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=moment(4).date())
    refusal("papers_expire", book, shop.customer, wanted(shop.vehicle, days=3, length=2, hour=2))
    assert book(shop.customer, wanted(shop.vehicle, days=3, length=1, hour=2)).status == "pending"


def test_without_a_full_day_price_nothing_is_let(shop: Shop) -> None:
    ask(shop.vehicle, DAILY_PAISE, status="Inactive")
    for vehicle in (add_vehicle(shop.vendor, None), add_vehicle(shop.vendor, 0), shop.vehicle):
        refusal("not_bookable", book, shop.customer, wanted(vehicle))


def test_nobody_books_their_own_or_an_unknown_vehicle(shop: Shop) -> None:
    with pytest.raises(ForbiddenError, match="own vehicle"):
        book(shop.vendor, wanted(shop.vehicle))
    with pytest.raises(NotFoundError):
        book(shop.customer, wanted(shop.vehicle).model_copy(update={"car": 2**31 - 1}))


def test_two_strange_dates_are_refused_together(shop: Shop) -> None:
    with pytest.raises(InvalidInputError) as refused:
        book(shop.customer, BookingRequest(car=shop.vehicle.id, pickup="soon", return_at="later"))
    assert (refused.value.code, [*refused.value.fields]) == ("bad_date", ["pickupDate", "returnDate"])


def test_a_bare_date_means_opening_time(shop: Shop) -> None:
    alter(User, shop.vendor.id, open_time=clock.indian(moment(1, 11, 30)).time())
    days = [f"{clock.indian(moment(day)):%Y-%m-%d}" for day in (3, 5)]
    made = book(shop.customer, BookingRequest(car=shop.vehicle.id, pickup=days[0], return_at=days[1]))
    assert (made.pickup, made.return_at) == (moment(3, 11, 30), moment(5, 11, 30))
