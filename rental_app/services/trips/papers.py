"""The papers of a trip: its receipt as a PDF, and its entry in a calendar."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from icalendar import Calendar, Event, vCalAddress
from icalendar.enums import STATUS
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.booking_events import meaning_of
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.errors import ConflictError
from rental_app.domain.money import format_rupees
from rental_app.domain.policies import Policies
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, IssuedLine, IssuedPaper, ReceiptSnapshot, Snapshot, User, Vehicle
from rental_app.services import issued_papers, throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, ledger
from rental_app.services.bookings.access import Trip, find
from rental_app.services.bookings.guests import page_for
from rental_app.services.bookings.ledger import OpenBalance
from rental_app.services.files.pdf import add_facts, add_table, blank, when

COLUMNS = (45, 32, 71, 14, 28)


_STATUS: dict[str, STATUS] = {BookingStatus.CONFIRMED: STATUS.CONFIRMED, BookingStatus.CANCELLED: STATUS.CANCELLED}


def receipt_of(session: Session, actor: Actor, ref: str) -> bytes:
    """The receipt as a PDF; raises NotFoundError, ConflictError if the booking was never confirmed, and StoreFirstError
    as `receipts.numbered` does."""
    throttle.count("look", actor)
    return receipt(session, find(session, actor, ref))


def receipt(session: Session, trip: Trip) -> bytes:
    """The same for a side that is known to have access: what a numbered one said when it got its number, otherwise the
    account as it stands."""
    instant = clock.now()
    if paper := ledger.numbered(session, trip.booking, trip.vendor_id, instant):
        return _page(issued_papers.read(paper, ReceiptSnapshot), trip.side, paper)
    snapshot = ledger.receipt_snapshot(session, trip.booking, trip.vendor_id, instant)
    if trip.booking.status == BookingStatus.PENDING or not snapshot.lines:
        raise ConflictError("There is a receipt once the booking is confirmed", code="not_confirmed")
    return _page(snapshot, trip.side)


def _page(snapshot: ReceiptSnapshot, side: str, paper: IssuedPaper | None = None) -> bytes:
    """A receipt as a PDF, made from its snapshot alone; the vendor's people see the plate as well."""
    page = blank(f"Receipt {snapshot.reference}", "receipt", snapshot.at, snapshot.product)
    number = [("Receipt number", paper.number_text), ("Date", when(paper.made_at))] if paper else []
    facts = [
        ("Booking", snapshot.reference),
        ("Vehicle", snapshot.vehicle),
        ("RC number", snapshot.plate if side == "vendor" else ""),
        ("Window", f"{when(snapshot.pickup_at)} to {when(snapshot.return_at)}"),
        ("Came back", _came_back(snapshot)),
        ("Vendor", f"{snapshot.vendor}, {snapshot.address}"),
        ("GST number", snapshot.gst_number),
        ("Customer", snapshot.customer),
    ]
    add_facts(page, [*number, *[(label, text) for label, text in facts if text]])
    add_table(page, COLUMNS, 1, _lines(snapshot.lines))
    now = _open(snapshot)
    add_facts(page, [("Rent", now.rent_text), ("Deposit", now.deposit_text)])
    return bytes(page.output())


def _open(snapshot: ReceiptSnapshot) -> OpenBalance:
    begin, end = snapshot.refunds
    return OpenBalance(
        rent=snapshot.rent,
        deposit=snapshot.deposit,
        held=snapshot.held,
        vendor=snapshot.holder,
        return_at=snapshot.return_at,
        came_back=snapshot.came_back,
        ended=snapshot.ended,
        for_customer=False,
        policies=Policies(refunds_from=begin, refunds_to=end),
        read_at=snapshot.at,
    )


def _came_back(snapshot: ReceiptSnapshot) -> str:
    """When the vehicle came back, and when that was noted if it was later; '' while it has not."""
    if snapshot.back_at is None or snapshot.came_back is None:
        return ""
    noted = f", noted {when(snapshot.came_back)}" if snapshot.came_back != snapshot.back_at else ""
    return f"{when(snapshot.back_at)}{noted}"


def _lines(lines: Sequence[IssuedLine]) -> Iterable[Sequence[str]]:
    yield "When", "What", "Note", "How", "Amount"
    for line in lines:
        yield ledger.when_paid(line), line.what, line.note, line.how, format_rupees(line.paise)


def calendar_of(session: Session, actor: Actor, ref: str) -> bytes:
    """The booking as a calendar file; raises NotFoundError for anyone but its two sides and operators."""
    throttle.count("look", actor)
    trip = find(session, actor, ref)
    return calendar(session, trip.booking, trip.side, clock.now())


def calendar(session: Session, booking: Booking, side: str, instant: datetime, to: User | None = None) -> bytes:
    """The same for a side that is known to have access; `to` is whom it is sent to.

    A cancelled booking or a no-show removes its entry.
    """
    moved = [event for event in events.events(session, booking) if meaning_of(event.what).moves_calendars]
    lapsed = booking.status not in _STATUS and booking.answer_by <= instant
    is_off = lapsed or booking.stage == TripStage.NO_SHOW
    status = STATUS.CANCELLED if is_off else _STATUS.get(booking.status, STATUS.TENTATIVE)
    url = f"{settings().public_url}/{page_for(session, booking, side)}"
    stamps = [booking.created_at, *(event.at for event in moved), *([booking.answer_by] if lapsed else [])]
    plate = f", {session.get_one(Vehicle, booking.vehicle_id).rc_number}" if side == "vendor" else ""
    entry = _entry(booking, url, status, len(stamps) - 1, stamps[-1], plate)
    entry.attendees = [_attendee(to, booking)] if to else []
    made = Calendar.new(
        prodid=f"-//{settings().product_name}//Bookings//EN",
        method="CANCEL" if status == STATUS.CANCELLED else "REQUEST" if to else "PUBLISH",
        subcomponents=[entry],
    )
    return bytes(made.to_ical())


def uid(name: str) -> str:
    """The UID of an entry; by its host, imported calendars' entries are recognised as our own."""
    return f"{name}@{settings().host}"


def _entry(booking: Booking, url: str, status: STATUS, sequence: int, stamp: datetime, plate: str) -> Event:
    booked = Snapshot(**booking.booked)
    return Event.new(
        uid=uid(booking.reference),
        sequence=sequence,
        stamp=stamp,
        last_modified=stamp,
        start=booking.pickup_at,
        end=booking.return_at,
        summary=f"{booked.title}{plate} ({settings().product_name})",
        description=f"Booking {booking.reference}",
        location=booking.address if "drop_off" in (booking.extras or []) else booked.pickup_address,
        status=status,
        url=url,
        organizer=vCalAddress.new(settings().support_email, cn=settings().product_name),
    )


def _attendee(user: User, booking: Booking) -> vCalAddress:
    """Somebody who need not answer: who books, or is booked, takes part."""
    address = booking.guest_email or "" if user.is_guest else user.email
    return vCalAddress.new(address, cn=user.name, role="REQ-PARTICIPANT", partstat="ACCEPTED", rsvp=False)
