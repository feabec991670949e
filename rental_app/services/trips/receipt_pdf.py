"""The account of a booking as a page to print."""

from collections.abc import Iterable, Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.content.account_words import METHODS, word_of
from rental_app.domain.errors import ConflictError
from rental_app.domain.money import format_rupees
from rental_app.models import Booking, LedgerEntry, Snapshot, User, Vehicle
from rental_app.models.booking import CANCELLED, NO_SHOW, PENDING
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import account, events, receipts
from rental_app.services.bookings.access import Trip, find
from rental_app.services.bookings.open_balance import OpenBalance
from rental_app.services.files.pdf import add_facts, add_table, blank, when

COLUMNS = (45, 32, 71, 14, 28)


def of(session: Session, actor: Actor, ref: str) -> bytes:
    """The receipt as a PDF; raises NotFoundError, ConflictError if the booking was never confirmed."""
    throttle.count("look", actor)
    return receipt(session, find(session, actor, ref))


def receipt(session: Session, trip: Trip) -> bytes:
    """The same for a side that is known to have access."""
    lines = account.lines(session, trip.booking)
    if trip.booking.status == PENDING or not lines:
        raise ConflictError("There is a receipt once the booking is confirmed", code="not_confirmed")
    vendor, customer = _people(session, trip)
    plate = _plate(session, trip)
    return _page(trip, vendor, customer, lines, _open(session, trip, vendor), _number(session, trip), plate)


def _plate(session: Session, trip: Trip) -> str:
    """The vehicle's RC number for its vendor's people, '' for everybody else."""
    return session.get_one(Vehicle, trip.booking.vehicle_id).rc_number if trip.side == "vendor" else ""


def _open(session: Session, trip: Trip, vendor: User) -> OpenBalance:
    booking, now = trip.booking, account.standing(session, trip.booking)
    return OpenBalance(
        rent=now.rent,
        deposit=now.deposit,
        held=now.held,
        vendor=vendor.name,
        return_at=booking.return_at,
        came_back=events.read_at(session, booking, "return"),
        ended=booking.status == CANCELLED or booking.stage == NO_SHOW,
        for_customer=False,
    )


def _number(session: Session, trip: Trip) -> str:
    return receipts.number_of(session, trip.booking) or ""


def _people(session: Session, trip: Trip) -> tuple[User, User]:
    """Vendor and customer."""
    ids = (trip.vendor_id, trip.booking.customer_id)
    found = {user.id: user for user in session.scalars(select(User).where(col(User.id).in_(ids)))}
    return found[ids[0]], found[ids[1]]


def _page(
    trip: Trip,
    vendor: User,
    customer: User,
    lines: Sequence[LedgerEntry],
    now: OpenBalance,
    number: str,
    plate: str,
) -> bytes:
    page = blank(f"Receipt {trip.booking.reference}", "receipt")
    add_facts(page, _head(trip.booking, vendor, customer, number, plate))
    add_table(page, COLUMNS, 1, _lines(lines))
    add_facts(page, [("Rent", now.rent_text), ("Deposit", now.deposit_text)])
    return bytes(page.output())


def _head(booking: Booking, vendor: User, customer: User, number: str, plate: str) -> list[tuple[str, str]]:
    booked = Snapshot(**booking.booked)
    window = f"{when(booking.pickup_at)} to {when(booking.return_at)}"
    facts = [
        ("Receipt number", number),
        ("Booking", booking.reference),
        ("Vehicle", f"{booked.title}, {booked.year}, {booked.color}"),
        ("RC number", plate),
        ("Window", window),
        ("Vendor", f"{vendor.gst_name or vendor.name}, {booked.pickup_address}"),
        ("GST number", vendor.gst_number),
        ("Customer", customer.name),
    ]
    return [(label, text) for label, text in facts if text]


def _lines(lines: Sequence[LedgerEntry]) -> Iterable[Sequence[str]]:
    yield "When", "What", "Note", "How", "Amount"
    for line in lines:
        how = METHODS.get(line.method, line.method)
        yield when(line.at), word_of(line.shown_kind), line.note, how, format_rupees(line.paise)
