"""Bookings as the rows of the vendor's table."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage, VendorPart, WhyCancelled, time_left
from rental_app.domain.handover import handover_refusal
from rental_app.domain.money import format_rupees
from rental_app.domain.pictures import Picture
from rental_app.schemas.bookings import VendorBookingView
from rental_app.web.parts.presenters.bookings import URGENT, ExpectedRequest, shown
from rental_app.web.parts.presenters.links import vendor_booking_url
from rental_app.web.parts.reviews.presenter import customer_line

_ENDS = {
    "system": "Not answered in time",
    "customer": "Cancelled by the customer",
    "operator": "Cancelled by support",
}
PARTS: dict[str, str] = {
    VendorPart.WAITING: "Waiting",
    VendorPart.UPCOMING: "Upcoming",
    VendorPart.OUT: "Out",
    VendorPart.TO_SETTLE: "To settle",
    VendorPart.PAST: "Past",
    VendorPart.ALL: "All",
}
_HALF_DAY, _DAY = timedelta(hours=12), timedelta(days=1)


class PartTab(BaseModel):
    """A part of the list: how many bookings it has, and its address with the filters that are set."""

    name: str
    label: str
    count: int
    href: str


class BookingTableRow(BaseModel):
    """A booking in its vendor's table.

    `phone` is blank before confirmation, `time_left` and the customer's `rating` once decided. `stage` says how far it
    is, `money` what is open, `step` what is to be done next, if anything is, at `step_href`. `shown` is what a decision
    is sent with. `heading` stands above the first of those answered today.
    """

    id: int
    reference: str
    href: str
    title: str
    plate: str
    image: str
    customer: str
    rating: str
    phone: str
    days: str
    times: str
    total: str
    status: str
    time_left: str
    urgent: bool
    stage: str
    money: str
    step: str
    step_href: str
    shown: ExpectedRequest
    heading: str = ""


def booking_tabs(counts: Mapping[VendorPart, int], addresses: Mapping[str, str]) -> list[PartTab]:
    """The parts of the list with their numbers and addresses."""
    return [
        PartTab(name=part, label=label, count=counts[VendorPart(part)], href=addresses[part])
        for part, label in PARTS.items()
    ]


def booking_rows(views: Sequence[VendorBookingView], part: str, instant: datetime) -> list[BookingTableRow]:
    """The rows of a part of the list; of those that wait, the ones answered today stand below a heading."""
    rows = [booking_table_row(view, instant) for view in views]
    answered = (row for row in rows if row.status != BookingStatus.PENDING)
    if part == VendorPart.WAITING and (first := next(answered, None)):
        first.heading = "Answered today"
    return rows


def booking_table_row(view: VendorBookingView, instant: datetime) -> BookingTableRow:
    """A booking as its vendor's table shows it at an instant."""
    pending = view.status == BookingStatus.PENDING
    today = clock.indian_today(instant)
    first, last = (clock.friendly_day(clock.indian(end).date(), today) for end in (view.pickup, view.return_at))
    step, step_href = _step(view, instant)
    return BookingTableRow(
        id=view.id,
        reference=view.reference,
        href=vendor_booking_url(view.reference),
        title=view.car.title,
        plate=view.rc_number,
        image=Picture(view.car.image).card,
        customer=view.customer_name,
        rating=customer_line(view.customer_rating, view.customer_reviews),
        phone=view.customer_phone,
        days=f"{first} to {last}",
        times=f"{clock.hour_text(view.pickup)} to {clock.hour_text(view.return_at)}, {_length(view)}",
        total=format_rupees(view.price),
        status=view.status,
        time_left=time_left(view.answer_by, instant) if pending else "",
        urgent=pending and view.answer_by - instant < URGENT,
        stage=_stage(view, instant),
        money=", ".join(_money(view)),
        step=step,
        step_href=step_href,
        shown=shown(view),
    )


def _length(view: VendorBookingView) -> str:
    """How long a rental is, in the half days that are charged."""
    half_days = -((view.pickup - view.return_at) // _HALF_DAY)
    days, rest = divmod(half_days, _DAY // _HALF_DAY)
    if not rest:
        return f"{days} day{'' if days == 1 else 's'}"
    return f"{days}½ days" if days else "½ day"


def _is_over(view: VendorBookingView) -> bool:
    return view.status == BookingStatus.CANCELLED or view.stage not in (TripStage.BOOKED, TripStage.OUT)


def _stage(view: VendorBookingView, instant: datetime) -> str:
    """How far a booking is, in few words; '' for a request."""
    if view.status == BookingStatus.PENDING:
        return ""
    if view.status == BookingStatus.CANCELLED:
        return _end(view, instant)
    if view.stage == TripStage.BOOKED:
        return _before_the_trip(view, instant)
    if view.stage == TripStage.OUT:
        back = clock.day_or_today(view.return_at, instant)
        return f"Late, was due back {back}" if instant > view.return_at else f"Out, back {back}"
    if view.stage == TripStage.NO_SHOW:
        return "No-show"
    return "Settled" if view.stage == TripStage.SETTLED and not _money(view) else "Returned"


def _end(view: VendorBookingView, instant: datetime) -> str:
    if view.cancelled_by != "vendor":
        return _ENDS.get(view.cancelled_by or "", "Cancelled")
    is_today = view.decided_at and clock.indian_today(view.decided_at) == clock.indian_today(instant)
    at = f" at {clock.hour_text(view.decided_at)}" if view.decided_at and is_today else ""
    return f"{'Cancelled' if view.cancel_reason == WhyCancelled.BY_VENDOR else 'Declined'} by you{at}"


def _before_the_trip(view: VendorBookingView, instant: datetime) -> str:
    if view.return_at <= instant:
        return "Never handed over"
    if view.pickup < instant:
        return f"Was to go out {clock.day_or_today(view.pickup, instant)}"
    is_today = clock.indian_today(view.pickup) == clock.indian_today(instant)
    return f"Goes out {clock.hour_text(view.pickup)}" if is_today else "Booked"


def _money(view: VendorBookingView) -> list[str]:
    """What is due, to be given back, or held for now."""
    balance, is_over = view.balance, _is_over(view)
    if view.status == BookingStatus.PENDING:
        return []
    due = max(0, balance.rent) + max(0, balance.deposit)
    back = max(0, -balance.rent) + max(0, -balance.deposit)
    amounts = {"due": due, "to give back": back, "held": 0 if is_over else balance.held}
    return [f"{format_rupees(paise)} {what}" for what, paise in amounts.items() if paise]


def _step(view: VendorBookingView, instant: datetime) -> tuple[str, str]:
    """What a vendor does next about a booking, and where; blank for nothing yet."""
    page = vendor_booking_url(view.reference)
    if view.status == BookingStatus.PENDING:
        return "", ""
    if view.status == BookingStatus.CONFIRMED and view.stage == TripStage.OUT:
        return "Receive", f"{page}/return"
    if not _is_over(view) and view.return_at > instant:
        return ("", "") if handover_refusal(view.pickup, view.return_at, instant) else ("Hand over", f"{page}/handover")
    if view.balance.rent < 0 or view.balance.deposit < 0:
        return "Give back", page
    to_settle = not _is_over(view) or view.stage == TripStage.RETURNED or view.balance.rent > 0
    return ("Settle", page) if to_settle else ("", "")
