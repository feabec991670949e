"""The dashboard's months and what a vendor has left to do, on both databases."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.due import DueToday
from rental_app.domain.errors import ForbiddenError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, BookingEvent, LedgerEntry, snapshots
from rental_app.schemas.bookings import BookingFilter
from rental_app.schemas.earnings import EarningsRequest
from rental_app.services.bookings.lists import of_vendor
from rental_app.services.earnings import dashboard
from rental_app.services.earnings import figures as earnings
from rental_app.services.earnings.dashboard import VendorDay
from rental_app.services.trips import cancellations
from tests.conftest import Clock
from tests.support.busy_day import busy_day
from tests.support.shop import Shop, actor, add_user, add_vehicle, moment, open_shop, put, statements
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


@pytest.mark.databases
def test_a_day_is_what_is_still_to_be_done(shop: Shop, stopped_clock: Clock) -> None:
    instant = clock.now()
    minutes = timedelta(minutes=1)
    late_back = add(shop, moment(-3), instant - 90 * minutes, stage="out")
    back_tonight = add(shop, moment(-3), instant + 5 * minutes, stage="out")
    unfetched = add(shop, instant - minutes, moment(3))
    tonight = add(shop, instant + minutes, moment(3))
    add(shop, moment(2, 8), moment(4))
    add(shop, moment(-3), moment(20), stage="out")
    unsquared = add(shop, moment(-3), moment(-1), stage="returned")
    add(shop, moment(-3), instant - minutes)
    add(shop, moment(1), moment(2), status="cancelled")
    add(open_shop("Elsewhere"), moment(1), moment(2))

    day = read(dashboard.day_of_vendor, actor(shop.vendor))
    lists = {due: [view.reference for view in part.items] for due, part in day.due.items()}
    assert lists == {
        DueToday.ANSWER: [],
        DueToday.GOING_OUT: [unfetched, tonight],
        DueToday.COMING_BACK: [late_back, back_tonight],
        # The rent of those that come back tonight is unpaid, too.
        DueToday.MONEY: [unsquared, late_back, back_tonight],
        DueToday.OBJECTIONS: [],
    }
    assert (day.overdue, day.give_back, day.collect) == (1, 0, 30_000)
    view = day.due[DueToday.GOING_OUT].items[0]
    assert (view.customer_name, view.customer_phone) == (shop.customer.name, shop.customer.phone_number)
    # The lists of all, which the counts lead to, are the same.
    for due, references in lists.items():
        found = read(of_vendor, actor(shop.vendor), None, BookingFilter(due=due)).items
        assert sorted(view.reference for view in found) == sorted(references)
    overdue = read(of_vendor, actor(shop.vendor), None, BookingFilter(due=DueToday.OVERDUE)).items
    assert [view.reference for view in overdue] == [late_back]


@pytest.mark.databases
def test_an_objection_is_open_until_the_vendor_answers_an_operator_decides_or_the_line_goes(shop: Shop) -> None:
    answered, judged, taken_back, open_one = (add(shop, moment(-9), moment(-8), stage="settled") for _ in range(4))

    def objections() -> list[str]:
        part = read(dashboard.day_of_vendor, actor(shop.vendor)).due[DueToday.OBJECTIONS]
        assert part.count == len(part.items)
        return [view.reference for view in part.items]

    lines = {reference: object_to(reference) for reference in (answered, judged, taken_back, open_one)}
    assert sorted(objections()) == sorted(lines)
    note(answered, EventKind.OBJECTION_ANSWERED, "vendor", lines[answered])
    note(judged, EventKind.JUDGED, "operator", lines[judged])
    line = read(lambda session: session.get_one(LedgerEntry, lines[taken_back].entry_id))
    put(LedgerEntry(booking_id=line.booking_id, kind=line.kind, paise=-line.paise, at=clock.now(), reverses=line.id))
    assert objections() == [open_one]


def object_to(reference: str) -> BookingEvent:
    """Object to the rent of a booking."""
    booking = read(lambda session: session.exec(select(Booking).where(Booking.reference == reference)).one())
    own = select(LedgerEntry.id).where(LedgerEntry.booking_id == booking.id)
    entry = read(lambda session: session.exec(own).one())
    event = {"what": EventKind.OBJECTED.value, "at": clock.now(), "side": "customer", "note": "No"}
    return put(BookingEvent(booking_id=booking.id or 0, entry_id=entry, **event))


def note(reference: str, what: EventKind, side: str, objection: BookingEvent) -> None:
    """Note an answer to an objection, as its own service does."""
    about = objection.id if what == EventKind.OBJECTION_ANSWERED else None
    event = {"what": what.value, "at": clock.now(), "side": side, "about_id": about, "entry_id": objection.entry_id}
    put(BookingEvent(booking_id=objection.booking_id, **event))


def test_a_long_day_shows_five_of_each_and_costs_no_more_queries_than_a_short_one(shop: Shop) -> None:
    def day() -> tuple[VendorDay, int]:
        with statements() as sent:
            overview = read(dashboard.overview, actor(shop.vendor))
        return overview.day, len(sent)

    _, few = day()
    busy_day(shop)
    found, many = day()
    assert few == many
    counts = {due: (len(part.items), part.count) for due, part in found.due.items()}
    assert counts == {
        DueToday.ANSWER: (5, 12),
        DueToday.GOING_OUT: (5, 20),
        DueToday.COMING_BACK: (5, 20),
        DueToday.MONEY: (5, 20),
        DueToday.OBJECTIONS: (5, 8),
    }
    assert (found.overdue, found.give_back, len(found.papers), found.papers_count) == (5, 20 * 100_000, 5, 8)


def test_the_first_days_end_with_what_is_done_or_a_few_bookings(shop: Shop) -> None:
    newcomer = add_user("Vendor", location_id=shop.place.id)

    def done() -> list[str]:
        steps = read(dashboard.day_of_vendor, actor(newcomer)).first_steps
        assert [step.name for step in steps] in ([], ["vehicle", "offered", "phone", "payment", "booking"])
        return [step.name for step in steps if step.is_done]

    assert done() == []
    own = replace(shop, vendor=newcomer)
    add(own, moment(1), moment(2))
    assert done() == ["vehicle", "offered", "booking"]
    for _ in range(2):
        add(own, moment(1), moment(2))
    assert read(dashboard.day_of_vendor, actor(newcomer)).first_steps == []


def test_requests_stand_by_their_deadline_and_lapsed_ones_are_gone(shop: Shop) -> None:
    hours = timedelta(hours=1)
    last, first, lapsed = (
        add(shop, moment(5), moment(6), status="pending", answer_by=clock.now() + wait)
        for wait in (3 * hours, 1 * hours, -1 * hours)
    )
    add(open_shop("Elsewhere"), moment(5), moment(6), status="pending")
    found = read(dashboard.day_of_vendor, actor(shop.vendor)).due[DueToday.ANSWER].items
    assert [view.reference for view in found] == [first, last]
    assert lapsed
    assert found[0].customer_phone == ""
    for page in (dashboard.overview, dashboard.day_of_vendor):
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
