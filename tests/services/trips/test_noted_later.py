"""What is noted after it has happened: walk-ins, handovers and returns, and money."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.acts import Act
from rental_app.domain.errors import InvalidInputError
from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, User
from rental_app.schemas.counter import ChoicesRequest
from rental_app.schemas.earnings import EarningsRequest
from rental_app.schemas.operating import PaidCommission
from rental_app.schemas.readings import SettlementRequest
from rental_app.schemas.trips import ObjectRequest, TripView
from rental_app.services.bookings import counter
from rental_app.services.earnings import dashboard
from rental_app.services.earnings import figures as earnings
from rental_app.services.operating import commission
from rental_app.services.trips import answers, readings
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.guests import at_counter
from tests.support.shop import DAILY_PAISE, Shop, actor, add_user, moment, wire
from tests.support.trips import (
    at_pickup,
    confirmed,
    hand_over,
    lines,
    pay,
    refusal,
    reverse,
    seen,
    take_back,
)

pytestmark = pytest.mark.usefixtures("stopped_clock")


def india(text: str) -> datetime:
    """An instant by what Indian clocks show."""
    return datetime.fromisoformat(f"{text}+05:30").astimezone(UTC)


def refused(code: str, field: str, call: Any, *args: Any, **more: Any) -> None:
    """Check that a call is refused, naming the field."""
    assert list(refusal(code, call, *args, **more).fields) == [field]


@pytest.mark.databases
def test_a_walk_in_of_the_evening_before(shop: Shop, stopped_clock: Clock) -> None:
    stopped_clock.instant = india("2026-12-02T00:10")
    left = india("2026-12-01T23:30")
    made = at_counter(shop.vendor, shop.vehicle, left, left + timedelta(days=1))
    happening = seen(shop.vendor, made.id).timeline[-1]
    assert (made.pickup, happening.happened_at, happening.at) == (left, left, stopped_clock.instant)
    assert happening.who == shop.vendor.name
    # Overlapping it, from the past too.
    refusal("dates_taken", at_counter, shop.vendor, shop.vehicle, left - timedelta(hours=2), left + timedelta(hours=1))
    earlier = at_counter(shop.vendor, shop.vehicle, left - timedelta(hours=2), left, reason="The phone was flat")
    assert earlier.return_at == left
    ahead = at_counter(shop.vendor, shop.vehicle, moment(3), moment(4))
    assert seen(shop.vendor, ahead.id).timeline[-1].happened_at is None


def test_more_than_twelve_hours_ago_or_over_needs_a_reason(shop: Shop, stopped_clock: Clock) -> None:
    now, vehicle = stopped_clock.instant, shop.vehicle
    two_days = (now - timedelta(days=2), now + timedelta(hours=1))
    over = (now - timedelta(hours=3), now - timedelta(hours=1))
    refused("pickup_in_past", "reason", at_counter, shop.vendor, vehicle, *two_days)
    refused("return_in_past", "reason", at_counter, shop.vendor, vehicle, *over)
    week = timedelta(days=7, minutes=1)
    refused("pickup_in_past", "pickupDate", at_counter, shop.vendor, vehicle, now - week, now, reason="Forgotten")
    # What is free then is offered, and priced.
    asked = ChoicesRequest(pickup=wire(two_days[0]), return_at=wire(two_days[1]))
    assert [one.id for one in read(counter.choices, actor(shop.vendor), asked)] == [vehicle.id]
    made = at_counter(shop.vendor, vehicle, *two_days, reason="No network on the ferry", note="Paid")
    assert seen(shop.vendor, made.id).timeline[-1].note == "No network on the ferry; Paid"
    trail = select(AuditEntry).where(col(AuditEntry.act) == Act.BOOKING_NOTED_LATE)
    entry = read(lambda session: session.scalars(trail).one())
    assert (entry.subject_id, "No network on the ferry" in entry.after) == (made.id, True)


@pytest.mark.databases
def test_a_walk_in_does_not_begin_while_the_vehicle_was_out(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    stopped_clock.move(hours=5)
    take_back(shop, trip.id)
    back = stopped_clock.instant
    stopped_clock.move(hours=2)
    refusal("dates_taken", at_counter, shop.vendor, shop.vehicle, back - timedelta(hours=1), moment(4))
    at_counter(shop.vendor, shop.vehicle, back, back + timedelta(days=1))


def test_a_rental_noted_when_it_was_over(shop: Shop, stopped_clock: Clock) -> None:
    left, back = stopped_clock.instant - timedelta(days=1), stopped_clock.instant - timedelta(hours=2)
    made = at_counter(shop.vendor, shop.vehicle, left, back, reason="The shop had no network")
    out = hand_over(shop, made.id)
    assert out.handover
    assert (out.handover.at, out.handover.noted_at) == (left, stopped_clock.instant)
    done = take_back(shop, made.id, cameBackAt=wire(back))
    assert "late" not in dict(lines(done))


def test_a_rental_booked_long_after_its_pickup_went_out_then(shop: Shop, stopped_clock: Clock) -> None:
    left, back = stopped_clock.instant - timedelta(hours=2), stopped_clock.instant + timedelta(days=1)
    made = at_counter(shop.vendor, shop.vehicle, left, back)
    out = hand_over(shop, made.id)
    assert out.handover
    assert (out.handover.at, out.handover.noted_at) == (left, stopped_clock.instant)


def test_late_hours_are_charged_by_when_the_vehicle_came_back(shop: Shop, out: TripView, stopped_clock: Clock) -> None:
    due = out.return_at
    came, typed = due + timedelta(hours=1, minutes=30), due + timedelta(hours=5)
    stopped_clock.instant = typed

    def quote(came_back: str = "") -> dict[str, int]:
        request = SettlementRequest.model_validate({"cameBackAt": came_back, "odometer": 1400})
        found = read(readings.preview, actor(shop.vendor), out.reference, request)
        return {line.kind: line.amount for line in found.lines}

    assert (quote()["late"], quote(wire(came))["late"]) == (5 * 5000, 2 * 5000)
    for at, code in (
        (wire(typed + timedelta(minutes=1)), "in_future"),
        (wire(out.pickup - timedelta(minutes=1)), "too_early"),
    ):
        refused(code, "cameBackAt", quote, at)
        refused(code, "cameBackAt", take_back, shop, out.id, cameBackAt=at)
    done = take_back(shop, out.id, cameBackAt=wire(came))
    assert dict(lines(done))["late"] == 2 * 5000
    for user, who in ((shop.vendor, shop.vendor.name), (shop.customer, "")):
        view = seen(user, out.id)
        assert view.returned
        assert (view.returned.at, view.returned.noted_at, view.returned.noted_by) == (came, typed, who)
        event = next(one for one in view.timeline if one.what == "returned")
        assert (event.at, event.happened_at) == (typed, came)
    # The deposit goes back after it was typed, however long ago that was.
    assert done.deposit_back
    assert done.deposit_back.end > typed


def test_the_customer_may_object_to_what_was_noted_days_later(shop: Shop, out: TripView, stopped_clock: Clock) -> None:
    came = out.return_at + timedelta(hours=3)
    stopped_clock.instant = came + timedelta(days=2)
    done = take_back(shop, out.id, cameBackAt=wire(came))
    late = next(line for line in done.ledger if line.kind == "late")
    stopped_clock.move(hours=23)
    objection = ObjectRequest(entry=late.id, note="I was there at six")
    found = write(answers.object_to, actor(shop.customer), str(out.id), objection)
    assert next(line for line in found.ledger if line.id == late.id).objected


def test_a_handover_noted_later(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    at_pickup(stopped_clock, trip, hours=6)
    refused("too_early", "wentOutAt", hand_over, shop, trip.id, at=trip.pickup - timedelta(hours=3))
    refused("in_future", "wentOutAt", hand_over, shop, trip.id, at=stopped_clock.instant + timedelta(minutes=1))
    out = hand_over(shop, trip.id, at=trip.pickup)
    assert out.handover
    assert (out.handover.at, out.handover.noted_at) == (trip.pickup, stopped_clock.instant)


@pytest.fixture
def november(shop: Shop, stopped_clock: Clock) -> TripView:
    """A trip that began in November; it is the first of December now."""
    stopped_clock.instant = india("2026-11-27T11:00")
    alter(User, shop.vendor.id, commission_bps=1000, created_at=india("2026-11-01T00:00"))
    trip = confirmed(shop, days=1, length=5)
    stopped_clock.instant = india("2026-12-01T09:00")
    return trip


def received(shop: Shop) -> dict[str, int]:
    """What the vendor received by month, as earnings have it."""
    asked = EarningsRequest.model_validate({"from": "2026-11-01", "to": "2026-12-31"})
    return {row.key: row.received for row in read(earnings.of_vendor, actor(shop.vendor), asked).rows}


LAST = date(2026, 11, 30)


@pytest.mark.databases
def test_money_counts_in_the_month_it_was_paid(shop: Shop, november: TripView) -> None:
    pay(shop, november.id, DAILY_PAISE, on=LAST)
    view = pay(shop, november.id, 2 * DAILY_PAISE)
    assert [line.paid_on for line in view.ledger[-2:]] == [LAST, None]
    assert received(shop) == {"2026-11": DAILY_PAISE, "2026-12": 2 * DAILY_PAISE}
    assert read(dashboard.of_vendor, actor(shop.vendor)).monthly_received == 2 * DAILY_PAISE
    # A line is taken back on the day of the mistake, not in the past.
    reverse(shop, november.id, view.ledger[-2].id)
    assert received(shop) == {"2026-11": DAILY_PAISE, "2026-12": DAILY_PAISE}


def test_days_on_which_nothing_was_paid(shop: Shop, november: TripView) -> None:
    refused("in_future", "paidOn", pay, shop, november.id, 100, on=date(2026, 12, 2))
    refused("too_early", "paidOn", pay, shop, november.id, 100, on=date(2026, 11, 26))
    key = {"key": "once"}
    pay(shop, november.id, 100, on=LAST, **key)
    assert len(pay(shop, november.id, 100, on=LAST, **key).ledger) == len(seen(shop.vendor, november.id).ledger)
    refusal("idempotency_key_reused", pay, shop, november.id, 100, on=date(2026, 11, 29), **key)


@pytest.mark.databases
def test_a_settled_month_stays_as_it_is(shop: Shop, november: TripView, stopped_clock: Clock) -> None:
    operator = add_user("Operator")
    pay(shop, november.id, DAILY_PAISE, on=LAST)

    def settle(**more: Any) -> None:
        paid = PaidCommission.model_validate({"amount": 1, "reference": "UTR 1", **more})
        write(commission.note_paid, actor(operator), shop.vendor.id or 0, "2026-11", paid)

    with pytest.raises(InvalidInputError):
        settle(paidOn="2026-12-02")
    settle(paidOn="2026-12-01")
    before = received(shop)["2026-11"]
    for of in ("rent", "deposit"):
        refused("month_settled", "paidOn", pay, shop, november.id, 100, of, on=LAST)
    pay(shop, november.id, 100, on=stopped_clock.instant.date())
    assert received(shop)["2026-11"] == before
    # It was noted by mistake, but the statement it was paid for is frozen.
    stopped_clock.move(minutes=1)
    settle(direction="out", reference="UTR 2")
    refused("month_settled", "paidOn", pay, shop, november.id, 100, on=LAST)
