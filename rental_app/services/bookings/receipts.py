"""Receipts: what they say, and when they get their number."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.content.account_words import METHODS, word_of
from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, IssuedLine, IssuedPaper, LedgerEntry, ReceiptSnapshot, Snapshot, User, Vehicle
from rental_app.models.booking import CANCELLED, NO_SHOW, RETURNED, SETTLED
from rental_app.models.issued_paper import RECEIPT
from rental_app.services import issued_papers
from rental_app.services.bookings import account, events
from rental_app.services.files.pdf import when

# How many receipts of the version before one sweep freezes: each takes some milliseconds.
MOST_FROZEN = 50


def settle_if_even(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> None:
    """Close a returned trip once nobody owes anybody anything."""
    now = account.standing(session, booking)
    if booking.stage == RETURNED and not now.rent and not now.deposit:
        booking.stage = SETTLED
        give_number(session, booking, vendor_id, instant)
        events.record(session, booking, EventKind.SETTLED, "system", instant)
    session.flush()


def give_number(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> None:
    """Number the receipt of a trip that is over, which freezes it, if its vendor has a GST number and the receipt has
    no number yet."""
    vendor = issued_papers.hold_issuer(session, vendor_id)
    if vendor.gst_number and not paper_of(session, booking, vendor_id):
        said = to_say(session, booking, vendor_id, instant)
        issued_papers.number(session, vendor, RECEIPT, booking.reference, said, instant)


def paper_of(session: Session, booking: Booking, vendor_id: int) -> IssuedPaper | None:
    """The numbered receipt of a booking; None while it has no number."""
    return issued_papers.find(session, vendor_id, RECEIPT, booking.reference)


def number_of(session: Session, booking: Booking, vendor_id: int) -> str | None:
    """A receipt's number as printed: '2026-27/0042'."""
    paper = paper_of(session, booking, vendor_id)
    return paper.number_text if paper else None


def numbered(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> IssuedPaper | None:
    """The numbered receipt of a booking with what it says; None while it has no number.

    One of the version before is frozen as it is first read. Raises StoreFirstError as `issued_papers.frozen` does.
    """
    paper = paper_of(session, booking, vendor_id)
    if paper is None or paper.snapshot is not None:
        return paper
    return issued_papers.frozen(session, vendor_id, RECEIPT, booking.reference, instant, _say_of_before)


def freeze_those_of_before(session: Session, instant: datetime) -> None:
    """Freeze some of the receipts that were numbered before there were snapshots, if there are any left."""
    left = (col(IssuedPaper.kind) == RECEIPT, col(IssuedPaper.snapshot).is_(None))
    for paper in session.scalars(
        select(IssuedPaper).where(*left).order_by(col(IssuedPaper.id)).limit(MOST_FROZEN)
    ).all():
        issued_papers.frozen(session, paper.vendor_id, RECEIPT, paper.about, instant, _say_of_before)


def _say_of_before(session: Session, paper: IssuedPaper) -> ReceiptSnapshot:
    """What is known today, under the GST number that the series is of."""
    booking = session.scalars(select(Booking).where(col(Booking.reference) == paper.about)).one()
    said = to_say(session, booking, paper.vendor_id, paper.made_at)
    return said.model_copy(update={"gst_number": paper.gst_number or said.gst_number})


def to_say(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> ReceiptSnapshot:
    """What a receipt of a booking says if it is made at an instant."""
    booked, now = Snapshot(**booking.booked), account.standing(session, booking)
    vendor, customer = session.get_one(User, vendor_id), session.get_one(User, booking.customer_id)
    return ReceiptSnapshot(
        at=instant,
        product=settings().product_name,
        reference=booking.reference,
        vehicle=f"{booked.title}, {booked.year}, {booked.color}",
        plate=session.get_one(Vehicle, booking.vehicle_id).rc_number,
        pickup_at=booking.pickup_at,
        return_at=booking.return_at,
        vendor=vendor.gst_name or vendor.name,
        address=booked.pickup_address,
        gst_number=vendor.gst_number,
        customer=customer.name,
        lines=issued_lines(account.lines(session, booking)),
        rent=now.rent,
        deposit=now.deposit,
        held=now.held,
        holder=vendor.name,
        came_back=events.noted_at(session, booking, "return"),
        back_at=events.read_at(session, booking, "return"),
        ended=booking.status == CANCELLED or booking.stage == NO_SHOW,
    )


def issued_lines(lines: Sequence[LedgerEntry]) -> list[IssuedLine]:
    """The lines of an account as a paper shows them."""
    return [
        IssuedLine(
            at=line.at,
            paid_at=line.paid_at,
            what=word_of(line.shown_kind),
            note=line.note,
            how=METHODS.get(line.method, line.method),
            paise=line.paise,
        )
        for line in lines
    ]


def when_paid(line: IssuedLine) -> str:
    """When a line was written, after the day on which the money was paid if that was an earlier one."""
    if line.paid_at is None:
        return when(line.at)
    return f"{clock.full_day(clock.indian_today(line.paid_at))}, noted {when(line.at)}"
