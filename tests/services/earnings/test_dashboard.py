"""The dashboard's months and what a vendor has left to do, on both databases."""

from datetime import datetime, timedelta

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, LedgerEntry, snapshots
from rental_app.schemas.earnings import EarningsRequest
from rental_app.services.earnings import dashboard
from rental_app.services.earnings import dashboard as earnings_today
from rental_app.services.earnings import figures as earnings
from rental_app.services.trips import cancellations
from tests.conftest import Clock
from tests.support.shop import Shop, actor, add_vehicle, moment, open_shop, put
from tests.support.trips import at_pickup, confirmed, pay, reverse

DAY = timedelta(days=1)


def add(
    shop: Shop,
    pickup: datetime,
    return_at: datetime,
    paise: int = 10_000,
    status: str = "confirmed",
    stage: str = "booked",
    answer_by: datetime | None = None,
) -> str:
    """Add a booking with its own vehicle, at any time; return its reference."""
    vehicle = add_vehicle(shop.vendor)
    booking = Booking(
        vehicle_id=vehicle.id or 0,
        customer_id=shop.customer.id or 0,
        pickup_at=pickup,
        return_at=return_at,
        price_paise=paise,
        deposit_paise=0,
        lines=[],
        booked=read(snapshots)[vehicle.id or 0].model_dump(),
        status=status,
        stage=stage,
        answer_by=answer_by or clock.now() + DAY,
        cancelled_by="vendor" if status == "cancelled" else None,
    )
    made = put(booking)
    if status == "confirmed":
        put(LedgerEntry(booking_id=made.id or 0, kind="rental", paise=paise, at=pickup))
    return made.reference


def test_a_no_show_earns_what_is_kept_as_in_the_earnings(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    pay(shop, trip.id, 20_000)
    before = read(dashboard.overview, actor(shop.vendor))
    assert before.figures
    assert before.figures.monthly_revenue == before.months[-1].revenue == trip.price
    at_pickup(stopped_clock, trip, hours=2)
    write(cancellations.mark_no_show, actor(shop.vendor), trip.reference)
    found = read(dashboard.overview, actor(shop.vendor))
    today = clock.indian_today(clock.now())
    asked = EarningsRequest.model_validate({"from": found.months[0].first_day.isoformat(), "to": today.isoformat()})
    earned = read(earnings.of_vendor, actor(shop.vendor), asked)
    assert sum(month.revenue for month in found.months) == earned.total.charged == 20_000


@pytest.mark.databases
def test_months_are_indian_and_count_lines_by_their_date_and_bookings_by_their_pickup(shop: Shop) -> None:
    this_month, next_month = clock.month_bounds(clock.now())
    minute = timedelta(minutes=1)
    add(shop, this_month, this_month + DAY, 100)
    add(shop, next_month - minute, next_month + DAY, 20)
    add(shop, this_month - minute, this_month + DAY, 3_000)
    add(shop, next_month, next_month + DAY, 400_000)
    add(shop, this_month, this_month + DAY, 5_000_000, "pending")
    add(shop, this_month, this_month + DAY, 5_000_000, "cancelled")
    add(open_shop("Elsewhere"), this_month, this_month + DAY, 5_000_000)
    oldest = read(dashboard.overview, actor(shop.vendor)).months[0].first_day
    year_ago = clock.at(oldest, datetime.min.time())
    add(shop, year_ago, year_ago + DAY, 7)
    add(shop, year_ago - minute, year_ago + DAY, 90)

    found = read(dashboard.overview, actor(shop.vendor))
    assert len(found.months) == 12
    assert [(m.revenue, m.bookings) for m in found.months[-3:]] == [(0, 0), (3_000, 1), (120, 2)]
    assert found.months[-1].first_day == clock.indian_today(clock.now()).replace(day=1)
    assert len({m.first_day for m in found.months}) == 12
    assert (found.months[0].revenue, sum(m.revenue for m in found.months)) == (7, 7 + 3_000 + 120)
    assert found.months[-1].revenue == found.figures.monthly_revenue


def test_a_day_is_what_is_still_to_be_done(shop: Shop) -> None:
    instant = clock.now()
    minutes = timedelta(minutes=1)
    late_back = add(shop, moment(-3), instant - 90 * minutes, stage="out")
    unfetched = add(shop, instant - minutes, moment(3))
    later = add(shop, moment(2, 8), moment(4))
    long_away = add(shop, moment(-3), moment(20), stage="out")
    add(shop, moment(0, 0) + 7 * DAY, moment(9))
    add(shop, moment(-3), moment(2), stage="returned")
    add(shop, moment(-3), instant - minutes)
    add(shop, moment(1), moment(2), status="cancelled")
    add(open_shop("Elsewhere"), moment(1), moment(2))

    day = read(earnings_today.day_of_vendor, actor(shop.vendor))
    # In the minutes after an Indian midnight the late ones may be yesterday's; they are still listed under today.
    assert [(each.kind, each.reference, each.late, each.is_out) for each in day.today] == [
        ("return", late_back, True, True),
        ("pickup", unfetched, True, False),
    ]
    week = [(each.kind, each.reference) for each in day.week]
    assert week == [("pickup", later), ("return", unfetched), ("return", later)]
    assert [each.reference for each in day.out] == [late_back, long_away]
    assert (day.today[0].customer, day.today[0].phone) == (shop.customer.name, shop.customer.phone_number)
    assert (day.today[0].vehicle, day.today[0].rc_number[:2]) == ("Honda Activa 6G", "TS")


def test_requests_stand_by_their_deadline_and_lapsed_ones_are_gone(shop: Shop) -> None:
    hours = timedelta(hours=1)
    last, first, lapsed = (
        add(shop, moment(5), moment(6), status="pending", answer_by=clock.now() + wait)
        for wait in (3 * hours, 1 * hours, -1 * hours)
    )
    add(open_shop("Elsewhere"), moment(5), moment(6), status="pending")
    found = read(earnings_today.day_of_vendor, actor(shop.vendor)).requests
    assert [view.reference for view in found] == [first, last]
    assert lapsed
    assert found[0].customer_phone == ""
    for page in (dashboard.overview, earnings_today.day_of_vendor):
        with pytest.raises(ForbiddenError):
            read(page, actor(shop.customer))


@pytest.mark.databases
def test_received_is_what_came_and_stayed_this_month(shop: Shop, stopped_clock: Clock) -> None:
    def received() -> int:
        return read(dashboard.of_vendor, actor(shop.vendor)).monthly_received

    trip = confirmed(shop)
    assert received() == 0
    pay(shop, trip.id, 60_000)
    paid = pay(shop, trip.id, 20_000)
    pay(shop, trip.id, trip.deposit, "deposit")
    # The deposit that is held still belongs to the customer.
    assert received() == 80_000
    reverse(shop, trip.id, paid.ledger[-1].id)
    assert received() == 60_000
    assert read(dashboard.of_vendor, actor(open_shop("Elsewhere").vendor)).monthly_received == 0
    stopped_clock.move(days=32)
    assert received() == 0
