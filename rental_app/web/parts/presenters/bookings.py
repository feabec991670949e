"""Prices and bookings as customers read them."""

from datetime import date, datetime, timedelta

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage, WhyCancelled, answer_by
from rental_app.domain.clock import Window
from rental_app.domain.errors import RentalError
from rental_app.domain.money import format_rupees, to_rupees
from rental_app.domain.pricing import FULL_DAY, HALF_DAY, slots_of
from rental_app.schemas.bookings import BookingView, GuestBooking, VendorBookingView
from rental_app.schemas.calendars import BookingInTheWay, Stretch
from rental_app.schemas.quotes import QuoteLine, QuoteView
from rental_app.schemas.search import PageSearch
from rental_app.services.bookings import lists
from rental_app.services.bookings.ledger import open_texts
from rental_app.web.parts.presenters.links import (
    ENDS,
    read_query,
    search_url,
    vehicle_url,
    vendor_booking_url,
    wall_text,
)
from rental_app.web.parts.presenters.texts import Fact, Link, kilometres

PARTS = lists.PARTS
# How a row of the list looks: on the road, late, waiting for its answer, still to come, past, or ended before its time.
ON_ROAD, LATE, WAITING, COMING, DONE, ENDED = "road", "late", "waiting", "coming", "done", "ended"
_ENDS = {
    "customer": "Cancelled by you",
    "vendor": "Declined by the vendor",
    "system": "Lapsed: no answer in time",
}
# For how long a request is marked as new in the list.
NEW_FOR = timedelta(hours=1)
# A request with less time than this to be answered is marked.
URGENT = timedelta(hours=1)


class FreeDates(BaseModel):
    """A window to take instead, as text for people and as values for pickers."""

    text: str
    pickup: str
    return_at: str


class Price(BaseModel):
    """A live price: lines as label and amount, all texts, and in paise what a booking at this price must cost.

    `saving` and `cheaper` are blank if there is none; `cheaper_return` is the picker's text for the latter.
    """

    lines: list[Fact]
    total: str
    deposit: str
    due: str
    kms: str
    next_step: str
    saving: str
    cheaper: str
    cheaper_return: str
    answer: str
    total_paise: int
    deposit_paise: int
    numbers: str


class BookingCard(BaseModel):
    """A booking in its customer's list; `part` is its part of the list: Now, Upcoming or Past.

    `stage` says in words how far it is, `look` which icon and colour that has, `money` what is held or owed. The row
    has one action; it is `urgent` if the customer has to do something today.
    """

    id: int
    part: str
    ref: str
    title: str
    image: str
    href: str
    subtitle: str
    location: str
    pickup: str
    return_at: str
    status: str
    is_new: bool
    stage: str
    look: str
    money: str
    price: str
    created_at: str
    action: str
    action_href: str
    urgent: bool


def price_text(view: QuoteView) -> Price:
    """A quote as the booking form shows it."""
    return Price(
        lines=[Fact(label=line_label(line), value=format_rupees(line.amount)) for line in view.lines],
        total=format_rupees(view.total),
        deposit=format_rupees(view.deposit),
        due=format_rupees(view.total + view.deposit),
        kms=kilometres(view.kms_included),
        next_step=_next_step(view),
        saving=_saving(view),
        cheaper=_cheaper(view),
        cheaper_return=wall_text(view.cheaper.return_at) if view.cheaper else "",
        answer=f"the vendor answers by {clock.friendly(answer_by(clock.now(), view.pickup, view.policies))}",
        total_paise=view.total,
        deposit_paise=view.deposit,
        numbers=view.numbers,
    )


def _next_step(view: QuoteView) -> str:
    """Until when the vehicle may be kept for the same half days, the unit of all plans."""
    half_days = slots_of(Window(view.pickup, view.return_at))
    return f"After {clock.friendly(view.pickup + half_days * HALF_DAY)} a half day is added."


def line_label(line: QuoteLine) -> str:
    """A line of a price in words."""
    is_plain = line.kind != "plan" and line.quantity == 1
    return line.label if is_plain else f"{line.quantity} × {line.label} at {format_rupees(line.rate)}"


def _saving(view: QuoteView) -> str:
    if not view.saving:
        return ""
    # Full Days may be among the plans, but they are not what makes it cheaper than Full Days alone.
    plan = next(line.plan for line in view.lines if line.plan not in ("", FULL_DAY))
    return f"{plan} price: you save {format_rupees(view.saving)}"


def _cheaper(view: QuoteView) -> str:
    if view.cheaper is None:
        return ""
    return_at = clock.indian(view.cheaper.return_at)
    is_same_day = return_at.date() == clock.indian_today(view.return_at)
    by = clock.hour_text(return_at) if is_same_day else clock.friendly(return_at)
    return f"Return by {by} and save {format_rupees(view.total - view.cheaper.total)}"


def free_dates(window: Stretch) -> FreeDates:
    """A free window as the booking form offers it."""
    text = clock.friendly_span(window.pickup, window.return_at)
    return FreeDates(text=text, pickup=wall_text(window.pickup), return_at=wall_text(window.return_at))


def booking_url(reference: str) -> str:
    """A booking's page for its customer."""
    return f"/my-bookings/{reference}"


def booking_card(view: BookingView, instant: datetime) -> BookingCard:
    """A booking as its customer's list shows it."""
    look = _look(view, instant)
    action, action_href = _action(view, look, instant)
    return BookingCard(
        id=view.id,
        part=view.part,
        ref=view.reference,
        title=view.car.title,
        image=view.car.card,
        href=booking_url(view.reference),
        subtitle=f"{view.car.year} · {view.car.body_type}",
        location=view.car.service_location,
        pickup=clock.friendly(view.pickup),
        return_at=clock.friendly(view.return_at),
        status=view.status,
        is_new=view.status == BookingStatus.PENDING and instant - view.created_at < NEW_FOR,
        stage=_stage_words(view, look, instant),
        look=look,
        money="; ".join(open_texts(view, for_customer=True)),
        price=format_rupees(view.price),
        created_at=clock.friendly_day(clock.indian(view.created_at).date()),
        action=action,
        action_href=action_href,
        urgent=look == LATE or _next_end(view, look) == clock.indian_today(instant),
    )


def _next_end(view: BookingView, look: str) -> date | None:
    """The day on which the customer has to do something next: pick the vehicle up, or bring it back."""
    end = {COMING: view.pickup, ON_ROAD: view.return_at}.get(look)
    return clock.indian(end).date() if end else None


def _look(view: BookingView, instant: datetime) -> str:
    if view.status == BookingStatus.CANCELLED or view.stage == TripStage.NO_SHOW:
        return ENDED
    if view.status == BookingStatus.PENDING:
        return WAITING
    if view.stage == TripStage.OUT:
        return LATE if instant > view.return_at else ON_ROAD
    return COMING if view.stage == TripStage.BOOKED and view.return_at > instant else DONE


def _stage_words(view: BookingView, look: str, instant: datetime) -> str:
    if look == ENDED:
        return "No-show" if view.stage == TripStage.NO_SHOW else end_text(view)
    if look == DONE:
        return (
            "Completed"
            if view.stage == TripStage.SETTLED
            else "Returned"
            if view.stage == TripStage.RETURNED
            else "Over"
        )
    begins = clock.day_or_today(view.pickup, instant)
    return {
        WAITING: f"Waiting until {clock.day_or_today(view.answer_by, instant)}",
        LATE: f"Late, return was due {clock.day_or_today(view.return_at, instant)}",
        ON_ROAD: f"On the road, return {clock.day_or_today(view.return_at, instant)}",
        COMING: f"Pickup {begins}" if instant < view.pickup else f"Pickup was due {begins}",
    }[look]


def end_text(view: BookingView) -> str:
    """How a cancelled booking ended: a vendor declines a request, and cancels what they had confirmed."""
    if view.cancelled_by == "vendor" and view.cancel_reason == WhyCancelled.BY_VENDOR:
        return WhyCancelled.BY_VENDOR
    return _ENDS.get(view.cancelled_by or "", "Cancelled")


def _action(view: BookingView, look: str, instant: datetime) -> tuple[str, str]:
    """The words of a row's action, and where it leads: what a customer most likely wants from such a booking."""
    if look in (ON_ROAD, LATE) and view.contact:
        return "Call", f"tel:{view.contact.phone}"
    if look == ENDED and view.cancelled_by in ("vendor", "system") and view.pickup > instant:
        return "See others", search_url(same_dates(view))
    if look == DONE and view.stage == TripStage.SETTLED:
        return "Book again", vehicle_url(view.car.id)
    return "View", booking_url(view.reference)


def same_dates(view: BookingView) -> PageSearch:
    """A search for the dates of a booking."""
    ends = (clock.indian(end).isoformat(timespec="minutes") for end in (view.pickup, view.return_at))
    return read_query(zip(ENDS, ends, strict=True))


def in_the_way(refusal: RentalError) -> list[Link]:
    """Links to the bookings for which a vehicle cannot go off; none if it was refused for something else."""
    bookings = refusal.details.get("bookings")
    return [booking_in_the_way(one) for one in (bookings if isinstance(bookings, list) else [])]


def booking_in_the_way(booking: BookingInTheWay) -> Link:
    """A link to the page on which a booking can be moved to another vehicle, or cancelled."""
    return Link(
        text=f"{booking.reference}, {booking.customer}",
        href=vendor_booking_url(booking.reference),
        note=f"{booking.vehicle}, {clock.friendly_span(booking.begin, booking.end)}",
    )


def guest_booking(booking: GuestBooking) -> Link:
    """A booking that a vendor made for somebody's number; its `href` is its reference."""
    when = clock.friendly_span(booking.pickup, booking.return_at)
    return Link(text=f"{booking.vehicle}, from {booking.vendor_name}", href=booking.reference, note=when)


def note_of(view: BookingView, instant: datetime) -> str:
    """What a booking's customer should know about it first, and what is held or owed."""
    open_now = open_texts(view, for_customer=True)
    return "; ".join([_note(view, instant, is_open=bool(open_now)), *open_now])


def _note(view: BookingView, instant: datetime, *, is_open: bool) -> str:
    if view.status == BookingStatus.PENDING:
        return f"The vendor answers by {clock.friendly(view.answer_by)}"
    if view.status == BookingStatus.CANCELLED:
        by = {"system": "The vendor did not answer in time", "vendor": end_text(view)}
        return by.get(view.cancelled_by or "", "Cancelled")
    if view.stage in (TripStage.RETURNED, TripStage.SETTLED):
        return "Returned" if is_open else "Returned and settled"
    if view.stage != TripStage.BOOKED:
        return _STAGES.get(view.stage, "").format(return_at=clock.friendly(view.return_at))
    return "This rental is over" if view.return_at <= instant else "Bring your original documents to the pickup"


_STAGES = {
    "out": "On the road until {return_at}",
    "no_show": "The vehicle was not picked up",
}


class ExpectedRequest(BaseModel):
    """A request's dates and price as they were shown: the fields of a `StatusChange` with which a decision is sent."""

    expected_pickup: str
    expected_return: str
    expected_total: str


def shown(view: VendorBookingView) -> ExpectedRequest:
    """A request's dates and price, as they are sent with a decision about it."""
    pickup, return_at = (clock.indian(end).isoformat(timespec="seconds") for end in (view.pickup, view.return_at))
    total = str(to_rupees(view.price))
    return ExpectedRequest(expected_pickup=pickup, expected_return=return_at, expected_total=total)
