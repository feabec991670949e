"""The account of a booking: lines are only ever added, balances follow from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.content.account_words import word_of
from rental_app.domain import account
from rental_app.domain.errors import NotFoundError
from rental_app.domain.money import format_rupees
from rental_app.models import Booking, LedgerEntry, opening_entries
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings.rows import deposit_wanted


@dataclass(frozen=True, slots=True)
class Balances:
    """The state of a booking's account, in paise.

    `agreed` is the price that was confirmed, `charged` the rent as it stands, without late hours and the like, and
    `kept` what a cancellation or a no-show keeps instead; `paid` is the rent paid, `held` what the vendor holds of the
    deposit; `rent` and `deposit` are what the customer owes, negative if they are owed money.
    """

    agreed: int
    charged: int
    kept: int
    paid: int
    rent: int
    held: int
    deposit: int


def lines(session: Session, booking: Booking) -> Sequence[LedgerEntry]:
    """Every line, the oldest first."""
    own = select(LedgerEntry).where(col(LedgerEntry.booking_id) == booking.id).order_by(col(LedgerEntry.id))
    return session.scalars(own).all()


def standing(session: Session, booking: Booking) -> Balances:
    """Both balances of a confirmed or cancelled booking, and what they are made of."""
    written = lines(session, booking)
    entries = [(line.kind, line.paise) for line in written]
    originals = [(line.kind, line.paise) for line in written if line.reverses is None]
    held = account.total(entries, account.DEPOSIT_SIGNS)
    wanted = deposit_wanted(booking)
    return Balances(
        agreed=account.total(originals, account.BOOKED_SIGNS),
        charged=account.total(entries, account.RENT_CHARGE_SIGNS),
        kept=account.total(entries, account.RETAINED_SIGNS),
        paid=account.total(entries, account.PAID_SIGNS),
        rent=account.total(entries, account.RENT_SIGNS),
        held=held,
        deposit=wanted - held,
    )


def named(line: LedgerEntry) -> str:
    """A line in the words of a message: 'Rent paid, ₹400'."""
    return f"{word_of(line.shown_kind)}, {format_rupees(line.paise)}"


def unknown_line() -> NotFoundError:
    """The error for a line that a booking's account does not have."""
    return NotFoundError("There is no such line in this account", code="unknown_entry")


def open_account(session: Session, booking: Booking, instant: datetime) -> None:
    """Charge the price of a booking that has been confirmed."""
    session.add_all(opening_entries(booking, instant))


def post(
    session: Session,
    booking: Booking,
    kind: str,
    paise: int,
    instant: datetime,
    actor: Actor | None = None,
    **more: Any,
) -> LedgerEntry:
    """Add a line; `more` are its other columns."""
    entry = LedgerEntry(
        booking_id=booking.id or 0,
        kind=kind,
        paise=paise,
        at=instant,
        who_id=actor.id if actor else None,
        **({"vehicle_id": booking.vehicle_id} | more),
    )
    session.add(entry)
    session.flush()
    return entry


def reverse(session: Session, booking: Booking, line: LedgerEntry, instant: datetime, actor: Actor, note: str) -> None:
    """Cancel a line by adding its reverse, which is about the same vehicle."""
    same = {"method": line.method, "detail": line.detail, "reverses": line.id}
    same["vehicle_id"] = line.vehicle_id or booking.vehicle_id
    post(session, booking, line.kind, -line.paise, instant, actor, note=note, **same)


def replace_rent(session: Session, booking: Booking, kept: int, instant: datetime, actor: Actor, note: str) -> None:
    """Reverse every charge for the vehicle and charge what a cancellation keeps (paise)."""
    before = lines(session, booking)
    reversed_ids = {line.reverses for line in before}
    for line in before:
        is_charge = line.kind in account.RENT_CHARGES and not account.takes_back(line.kind, line.paise)
        if is_charge and line.id not in reversed_ids:
            reverse(session, booking, line, instant, actor, note)
    if kept:
        post(session, booking, "cancellation", kept, instant, actor, note=note)
