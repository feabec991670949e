"""A vendor's bookings by status and date, and how many wait for an answer."""

from datetime import date, timedelta

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, InvalidInputError
from rental_app.infrastructure.db import read, write
from rental_app.schemas.bookings import BookingFilter, StatusChange
from rental_app.schemas.validation import validated
from rental_app.schemas.wire import Page
from rental_app.services.bookings import create, lists
from rental_app.services.bookings import decide as bookings_decide
from tests.conftest import Clock
from tests.support.shop import Shop, actor, moment, open_shop, wanted


def book(shop: Shop, days: int) -> int:
    return write(create.create, actor(shop.customer), wanted(shop.vehicle, days=days)).id


def decide(shop: Shop, booking_id: int, status: str) -> None:
    write(bookings_decide.change_status, actor(shop.vendor), StatusChange(booking_id=booking_id, status=status))


def listed(shop: Shop, limit: int | None = None, **only: object) -> list[int]:
    part = read(lists.of_vendor, actor(shop.vendor), Page(limit=limit), validated(BookingFilter, only))
    return [booking.id for booking in part.items]


def day(ahead: int) -> date:
    return clock.indian_today(moment(ahead))


def test_by_status_a_lapsed_request_counts_as_cancelled(shop: Shop, stopped_clock: Clock) -> None:
    confirmed, declined, lapsed = book(shop, 3), book(shop, 5), book(shop, 7)
    decide(shop, confirmed, "confirmed")
    decide(shop, declined, "cancelled")
    assert listed(shop, status="pending") == [lapsed]
    assert read(lists.unanswered, actor(shop.vendor)) == 1
    stopped_clock.move(hours=8)
    assert listed(shop, status="cancelled") == [lapsed, declined]
    assert listed(shop, status="confirmed") == [confirmed]
    assert listed(shop, status="pending") == []
    assert read(lists.unanswered, actor(shop.vendor)) == 0


def test_by_the_days_a_vehicle_is_on_the_road(shop: Shop) -> None:
    early, late = book(shop, 3), book(shop, 6)
    assert listed(shop, first_day=day(4)) == [late, early]
    assert listed(shop, first_day=day(5)) == [late]
    assert listed(shop, last_day=day(5)) == [early]
    assert listed(shop, last_day=day(6)) == [late, early]
    assert listed(shop, first_day=day(5), last_day=day(5)) == []
    assert listed(shop, limit=1, first_day=day(4)) == [late]


@pytest.mark.parametrize("bound", [date(1, 1, 1), date(1899, 12, 31), date(2200, 1, 1), date.max])
def test_days_at_the_calendars_ends_are_refused(bound: date) -> None:
    for name in ("first_day", "last_day"):
        with pytest.raises(InvalidInputError):
            validated(BookingFilter, {name: bound})
    assert validated(BookingFilter, {"last_day": date(2200, 1, 1) - timedelta(days=1)})


def test_one_booking_and_nobody_elses(shop: Shop) -> None:
    first, second, foreign = book(shop, 3), book(shop, 6), book(open_shop("Elsewhere"), 3)
    assert listed(shop, booking=first) == [first]
    assert listed(shop, booking=second, status="confirmed") == []
    assert listed(shop, booking=foreign) == []
    assert read(lists.unanswered, actor(shop.vendor)) == 2


def test_customers_are_turned_away(shop: Shop) -> None:
    for service in (lists.of_vendor, lists.unanswered):
        with pytest.raises(ForbiddenError):
            read(service, actor(shop.customer))
