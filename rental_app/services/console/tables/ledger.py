"""The lines of bookings' accounts."""

from typing import Any

from sqlalchemy import func, join
from sqlalchemy.orm import aliased
from sqlmodel import col

from rental_app.domain.account import LedgerKind
from rental_app.models import Booking, LedgerEntry, User, Vehicle
from rental_app.services.console.table import Column, Filter, Option, Table

_Customer: Any = aliased(User)
_Vendor: Any = aliased(User)
_Writer: Any = aliased(User)
_BOOKED = join(LedgerEntry, Booking, col(LedgerEntry.booking_id) == col(Booking.id))
_IN = (LedgerKind.PAYMENT, LedgerKind.REFUND)
_DEPOSIT = (LedgerKind.DEPOSIT_TAKEN, LedgerKind.DEPOSIT_KEPT, LedgerKind.DEPOSIT_RETURNED)

TABLE = Table(
    name="ledger",
    title="Account lines",
    one="line of an account",
    under="reference",
    of=("bookings", "booking_id"),
    key=col(LedgerEntry.id),
    source=_BOOKED.join(Vehicle, col(Booking.vehicle_id) == col(Vehicle.id))
    .join(_Customer, col(Booking.customer_id) == _Customer.id)
    .join(_Vendor, col(Vehicle.vendor_id) == _Vendor.id)
    .outerjoin(_Writer, col(LedgerEntry.who_id) == _Writer.id),
    columns=(
        Column("kind", "Line", func.coalesce(col(LedgerEntry.detail), col(LedgerEntry.kind)), "code"),
        Column("reference", "Booking", col(Booking.reference)),
        Column("amount", "Amount", col(LedgerEntry.paise), "money", sortable=True),
        Column("method", "By", col(LedgerEntry.method), "code"),
        Column("at", "Written", col(LedgerEntry.at), "moment", sortable=True),
        Column("paid", "Paid", col(LedgerEntry.paid_at), "moment", listed=False),
        Column("who", "Written by", func.coalesce(_Writer.name, "")),
        Column("note", "Note", col(LedgerEntry.note)),
        Column("customer", "Customer", _Customer.name, listed=False),
        Column("vendor", "Vendor", _Vendor.name, listed=False),
        Column("reverses", "Takes back line", col(LedgerEntry.reverses), "number", listed=False),
        Column("booking_id", "Id of its booking", col(LedgerEntry.booking_id), "number", listed=False, told=False),
    ),
    sort="-at",
    search=(col(Booking.reference), _Customer.name, _Vendor.name, col(LedgerEntry.note)),
    filters=(
        Filter(
            "of",
            "Of",
            (
                Option("rent", "Rent", col(LedgerEntry.kind).not_in((*_IN, *_DEPOSIT))),
                Option("paid", "Payments", col(LedgerEntry.kind).in_(_IN)),
                Option("deposit", "Deposit", col(LedgerEntry.kind).in_(_DEPOSIT)),
            ),
        ),
        Filter("booking", "Booking", owners=(col(LedgerEntry.booking_id),)),
        Filter("person", "Person", owners=(col(Booking.customer_id), _Vendor.id)),
    ),
)
