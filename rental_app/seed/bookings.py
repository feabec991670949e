"""Bookings in every status around the day they are seeded, inside the vendors' hours and never overlapping."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from sqlmodel import Session

from rental_app.content.legal import TERMS_VERSION
from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, WhyCancelled, answer_by
from rental_app.domain.clock import Window
from rental_app.domain.hours import OpeningHours
from rental_app.domain.policies import FIRST
from rental_app.domain.pricing import FULL_DAY, Plan, Tariff, quote
from rental_app.models import Booking, BookingEvent, Snapshot, User, Vehicle, opening_entries, snapshots
from rental_app.seed import tables
from rental_app.seed.fleet import LISTINGS, prices
from rental_app.seed.people import vendor_hours
from rental_app.seed.tables import row_id
from rental_app.seed.trips import add_trips

LISTING_BY_PLATE = {listing.plate: listing for listing in LISTINGS}
CANCEL_REASONS = {
    "customer": "My plans have changed",
    "vendor": "The vehicle is in the workshop that day",
    "system": WhyCancelled.LAPSED,
}


@dataclass(frozen=True, slots=True)
class Story:
    """One row of bookings.csv.

    `outcome` is confirmed, pending or who cancelled; `day` counts from the day of seeding, `hour` is Indian time;
    `hours_before` is how many hours before pickup, or before now when the pickup lies ahead, the request was made.
    """

    customer: str
    plate: str
    outcome: str
    day: int
    hour: int
    days: int
    hours: int
    hours_before: float

    @property
    def opening_hours(self) -> OpeningHours:
        """The hours in which the vehicle's vendor hands over."""
        return vendor_hours(LISTING_BY_PLATE[self.plate].vendor)

    def window(self, now: datetime) -> Window:
        """Its window; a pickup or return on a closing day moves to the next open one."""
        first = self._open_day(clock.indian_today(now) + timedelta(days=self.day))
        last = self._open_day(first + timedelta(days=self.days))
        return Window(clock.at(first, time(self.hour)), clock.at(last, time(self.hour + self.hours)))

    def _open_day(self, day: date) -> date:
        while self.opening_hours.closed_on(clock.at(day, time(self.hour))):
            day += timedelta(days=1)
        return day

    def requested(self, now: datetime) -> datetime:
        """When the request was made (UTC)."""
        return min(now, self.window(now).pickup) - timedelta(hours=self.hours_before)


STORIES = tuple(
    Story(
        customer=row["customer"] + "@example.com",
        plate=row["plate"],
        outcome=row["outcome"],
        day=int(row["day"]),
        hour=int(row["hour"]),
        days=int(row["days"]),
        hours=int(row["hours"]),
        hours_before=float(row["asked"]),
    )
    for row in tables.rows("bookings.csv")
)


def booking(story: Story, now: datetime, vehicle_id: int, customer_id: int, deposit: int, booked: Snapshot) -> Booking:
    """The row of a story on the day it is seeded (deposit in paise); nothing is inserted."""
    window, requested = story.window(now), story.requested(now)
    price_rows = prices(LISTING_BY_PLATE[story.plate], vehicle_id)
    plans = tuple(Plan(p.price_name, p.price_paise, p.kms_limit) for p in price_rows if p.status == "Active")
    cost = quote(window, Tariff(plans), deposit)
    deadline = answer_by(requested, window.pickup, FIRST)
    cancelled_by = story.outcome if story.outcome in CANCEL_REASONS else None
    return Booking(
        vehicle_id=vehicle_id,
        customer_id=customer_id,
        pickup_at=window.pickup,
        return_at=window.return_at,
        status=BookingStatus.CANCELLED if cancelled_by else story.outcome,
        price_paise=cost.total,
        deposit_paise=cost.deposit,
        full_day_paise=next(plan.price for plan in plans if plan.name == FULL_DAY),
        kms_included=cost.kms_included,
        lines=[line._asdict() for line in cost.lines],
        booked=booked.model_dump(),
        created_at=requested,
        answer_by=deadline,
        decided_at=_decided(story.outcome, requested, deadline),
        cancelled_by=cancelled_by,
        cancel_reason=CANCEL_REASONS.get(story.outcome, ""),
        terms_version=TERMS_VERSION,
        terms_accepted_at=requested,
        policies=FIRST.booked,
    )


def _decided(outcome: str, requested: datetime, deadline: datetime) -> datetime | None:
    """People decide after a quarter of the time they have, the system when it has run out."""
    if outcome == BookingStatus.PENDING:
        return None
    return deadline if outcome == "system" else requested + (deadline - requested) / 4


def add_bookings(
    session: Session, now: datetime, fleet: dict[str, Vehicle], customers: dict[str, User]
) -> list[Booking]:
    """Insert the bookings, earliest request first."""
    booked = snapshots(session)
    stories = sorted(STORIES, key=lambda story: story.requested(now))
    added = [
        booking(
            story,
            now,
            row_id(fleet[story.plate]),
            row_id(customers[story.customer]),
            fleet[story.plate].deposit_paise,
            booked[row_id(fleet[story.plate])],
        )
        for story in stories
    ]
    session.add_all(added)
    session.flush()
    for story, made in zip(stories, added, strict=True):
        if made.status == BookingStatus.CONFIRMED:
            session.add_all(opening_entries(made, made.decided_at or made.created_at))
        session.add_all(_events(made, fleet[story.plate].vendor_id))
    session.flush()
    add_trips(session, now, [(story.plate, made) for story, made in zip(stories, added, strict=True)], fleet)
    return added


def _events(made: Booking, vendor_id: int) -> list[BookingEvent]:
    who = {"customer": made.customer_id, "vendor": vendor_id}
    happened = [(EventKind.REQUESTED, "customer", made.created_at)]
    if made.decided_at:
        by = made.cancelled_by or ""
        what = {"vendor": EventKind.DECLINED, "system": EventKind.LAPSED}.get(by, EventKind(made.status))
        happened.append((what, made.cancelled_by or "vendor", made.decided_at))
    return [
        BookingEvent(booking_id=row_id(made), what=what.value, side=side, at=at, who_id=who.get(side))
        for what, side, at in happened
    ]
