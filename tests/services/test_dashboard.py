"""The dashboard's months and its coming week, on both databases."""

from datetime import datetime, timedelta

import pytest

from rental_app.db import read
from rental_app.errors import ForbiddenError
from rental_app.models import Booking, snapshots
from rental_app.rules import clock
from rental_app.services import dashboard
from tests.helpers import Shop, actor, add_vehicle, moment, open_shop, put

DAY = timedelta(days=1)


def add(
    shop: Shop, pickup: datetime, return_at: datetime, paise: int = 10_000, status: str = "confirmed"
) -> int | None:
    """A booking of a vehicle of its own, at any time."""
    vehicle = add_vehicle(shop.vendor)
    booking = Booking(
        vehicle_id=vehicle.id or 0,
        customer_id=shop.customer.id or 0,
        pickup_at=pickup,
        return_at=return_at,
        price_paise=paise,
        deposit_paise=0,
        lines=[],
        booked=read(snapshots)[vehicle.id or 0],
        status=status,
        answer_by=clock.now() + DAY,
        cancelled_by="vendor" if status == "cancelled" else None,
    )
    return put(booking).id


def test_months_are_indian_and_count_confirmed_bookings_by_their_pickup(shop: Shop) -> None:
    this_month, next_month = clock.month_bounds(clock.now())
    minute = timedelta(minutes=1)
    add(shop, this_month, this_month + DAY, 100)
    add(shop, next_month - minute, next_month + DAY, 20)
    add(shop, this_month - minute, this_month + DAY, 3_000)
    add(shop, next_month, next_month + DAY, 400_000)
    add(shop, this_month, this_month + DAY, 5_000_000, "pending")
    add(shop, this_month, this_month + DAY, 5_000_000, "cancelled")
    add(open_shop("Elsewhere"), this_month, this_month + DAY, 5_000_000)

    found = read(dashboard.overview, actor(shop.vendor))
    assert len(found.months) == 12
    assert [(m.revenue, m.bookings) for m in found.months[-3:]] == [(0, 0), (3_000, 1), (120, 2)]
    assert found.months[-1].first_day == clock.indian_today(clock.now()).replace(day=1)
    assert len({m.first_day for m in found.months}) == 12
    assert found.months[-1].revenue == found.figures.monthly_revenue


def test_a_year_ago_is_out_of_the_chart(shop: Shop) -> None:
    oldest = read(dashboard.overview, actor(shop.vendor)).months[0].first_day
    start = clock.at(oldest, datetime.min.time())
    add(shop, start, start + DAY, 7)
    add(shop, start - timedelta(minutes=1), start + DAY, 90)
    months = read(dashboard.overview, actor(shop.vendor)).months
    assert (months[0].revenue, sum(m.revenue for m in months)) == (7, 7)


def test_the_week_holds_seven_indian_days_of_confirmed_handovers_in_order(shop: Shop) -> None:
    today = moment(0, 0)
    long_one = add(shop, moment(-3), moment(2, 9))
    short_one = add(shop, moment(2, 8), moment(4))
    first = add(shop, today, today + 8 * DAY)
    add(shop, today + 7 * DAY, today + 9 * DAY)
    add(shop, moment(-3), today - timedelta(minutes=1))
    add(shop, moment(1), moment(2), status="pending")
    add(open_shop("Elsewhere"), moment(1), moment(2))

    found = read(dashboard.overview, actor(shop.vendor)).handovers
    assert [(h.kind, h.booking_id) for h in found] == [
        ("pickup", first),
        ("pickup", short_one),
        ("return", long_one),
        ("return", short_one),
    ]
    assert found[0].customer == shop.customer.name
    assert found[0].vehicle


def test_customers_have_no_dashboard(shop: Shop) -> None:
    with pytest.raises(ForbiddenError):
        read(dashboard.overview, actor(shop.customer))
