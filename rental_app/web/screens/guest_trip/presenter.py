"""The page of a guest's booking, for whoever has its link."""

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.booking_events import meaning_of
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.money import format_rupees
from rental_app.schemas.trips import TripView
from rental_app.services.bookings.guests import CodeSent
from rental_app.services.bookings.ledger import open_balance
from rental_app.services.throttle import Caller
from rental_app.services.trips import guest_page
from rental_app.web.parts.presenters.bookings import line_label, note_of, other_bookings
from rental_app.web.parts.presenters.customer_account import (
    AccountLine,
    ProposalText,
    account_lines,
    asks_about_handover,
    is_recent,
    proposal_text,
)
from rental_app.web.parts.presenters.links import vehicle_url
from rental_app.web.parts.presenters.objections import Objection, objections
from rental_app.web.parts.presenters.readings import Reading, reading_text
from rental_app.web.parts.presenters.texts import Fact, Link, kilometres, lines
from rental_app.web.parts.presenters.trip_words import event_time


class GuestTrip(BaseModel):
    """What the page says; texts are blank where there is nothing to say. `calendar` and `receipt` are addresses."""

    title: str
    vehicle: str
    reference: str
    note: str
    proposal: ProposalText | None
    code_to: str
    may_cancel: bool
    window: str
    handover: Reading | None
    returned: Reading | None
    may_object: bool
    objections: list[Objection]
    other_bookings: list[Link]
    facts: list[Fact]
    prices: list[Fact]
    account: list[AccountLine]
    rent: str
    deposit: str
    vendor: str
    phone: str
    call: str
    address: str
    maps: str
    bring: list[str]
    terms: list[str]
    history: list[Fact]
    calendar: str
    receipt: str


def guest_trip(session: Session, caller: Caller, secret: str) -> GuestTrip:
    """The page of a secret; raises NotFoundError for one that is wrong or has ended."""
    return trip_page(guest_page.trip_for(session, caller, secret))


def trip_page(view: TripView) -> GuestTrip:
    """The page of a guest's booking."""
    balance, contact, instant = open_balance(view, for_customer=True), view.contact, clock.now()
    handed_over = view.handover.written_at if view.handover else None
    return GuestTrip(
        title=view.car.title,
        vehicle=vehicle_url(view.car.id),
        reference=view.reference,
        note=note_of(view, instant),
        proposal=proposal_text(view),
        code_to=view.code_to,
        may_cancel=view.status == BookingStatus.CONFIRMED and view.stage == TripStage.BOOKED,
        window=f"{clock.friendly(view.pickup)} to {clock.friendly(view.return_at)}",
        handover=reading_text(view.handover),
        returned=reading_text(view.returned, view.handover),
        may_object=asks_about_handover(view) and is_recent(handed_over, instant),
        objections=objections(view),
        other_bookings=other_bookings(view),
        facts=_facts(view),
        prices=[Fact(label=line_label(line), value=format_rupees(line.amount)) for line in view.lines],
        account=account_lines(view, instant),
        rent=balance.rent_text,
        deposit=balance.deposit_text,
        vendor=view.vendor_name,
        phone=contact.phone if contact else "",
        call=f"tel:{contact.phone}" if contact else "",
        address=contact.address if contact else "",
        maps=contact.maps if contact else "",
        bring=view.bring if view.stage == TripStage.BOOKED and view.status == BookingStatus.CONFIRMED else [],
        terms=lines(view.terms) + lines(view.vendor_terms),
        history=[Fact(label=meaning_of(event.what).word, value=event_time(event)) for event in view.timeline],
        calendar=f"{view.files}/calendar.ics",
        receipt=f"{view.files}/receipt.pdf" if view.ledger else "",
    )


def _facts(view: TripView) -> list[Fact]:
    facts = [
        ("Pickup", clock.friendly(view.pickup)),
        ("Return", clock.friendly(view.return_at)),
        ("Kilometres included", kilometres(view.kms_included)),
        ("Total", format_rupees(view.price)),
        ("Security deposit", format_rupees(view.deposit)),
        ("Receipt number", view.receipt_number or ""),
    ]
    return [Fact(label=label, value=value) for label, value in facts if value]


def code_sent_text(sent: CodeSent) -> str:
    """Where a code has gone, and until when it works."""
    return f"A code went to {sent.to}. It works until {clock.indian(sent.until):%-I:%M %p}."
