"""What each vendor took in each month, the commission on it and what they have paid; and the lines of all accounts."""

from typing import Any

from sqlalchemy import BigInteger, Float, Integer, and_, cast, func, join, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import aliased
from sqlalchemy.sql.functions import GenericFunction
from sqlmodel import Session, col

from rental_app.domain.account import LedgerKind
from rental_app.models import Booking, CommissionPayment, LedgerEntry, User, Vehicle
from rental_app.schemas.operating import PaidCommission
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings.rows import charged, counted_at, received
from rental_app.services.console.table import (
    Action,
    ActionField,
    Column,
    Filter,
    Option,
    RowStanding,
    Sql,
    Table,
    service_of,
    state_filter,
    state_of,
)
from rental_app.services.earnings.figures import commission
from rental_app.services.operating import commission as payments


class indian_month(GenericFunction[int]):
    """The number of a month such as 202611."""

    type = Integer()
    inherit_cache = True


@compiles(indian_month, "sqlite")
def _sqlite(element: Any, compiler: Any, **options: Any) -> str:
    return f"CAST(strftime('%Y%m', {compiler.process(element.clauses, **options)}, '+330 minutes') AS INTEGER)"


@compiles(indian_month, "postgresql")
def _postgresql(element: Any, compiler: Any, **options: Any) -> str:
    instant = compiler.process(element.clauses, **options)
    return f"CAST(to_char({instant} AT TIME ZONE 'Asia/Kolkata', 'YYYYMM') AS INTEGER)"


class MonthStanding(RowStanding):
    """How a vendor's month stands."""

    OWES = "owes", "Owes commission", "waits"
    PAID = "paid", "Paid", "good"
    NOTHING = "nothing", "Nothing to pay", "plain"


# The id of a vendor's month is made of both: 12 and 202611 are 122611, so that it stays an id for 200,000 accounts.
_A_VENDOR, _YEAR_2000 = 10_000, 200_000
_MONTH = indian_month(counted_at())
# Who they are is grouped by as well, so that a search looks them up first and adds up their lines alone.
_NAMES = col(User.name), col(User.email), col(User.phone_number)
_OF_VENDORS = join(LedgerEntry, Booking, col(LedgerEntry.booking_id) == col(Booking.id)).join(
    Vehicle, col(Booking.vehicle_id) == col(Vehicle.id)
)
_LINES = (
    select(
        col(Vehicle.vendor_id).label("vendor_id"),
        *_NAMES,
        _MONTH.label("month"),
        charged().label("charged"),
        received().label("received"),
        commission().label("commission"),
    )
    .select_from(_OF_VENDORS)
    .join(User, col(Vehicle.vendor_id) == User.id)
    .group_by(col(Vehicle.vendor_id), *_NAMES, _MONTH)
    .subquery("lines")
)
# How many there are, without who they are and how much it is.
_COUNTED = select(col(Vehicle.vendor_id), _MONTH).select_from(_OF_VENDORS).distinct().subquery("counted")
_NUMBER = cast(func.replace(col(CommissionPayment.month), "-", ""), BigInteger)
_PAYMENTS = (
    select(
        col(CommissionPayment.vendor_id).label("vendor_id"),
        _NUMBER.label("month"),
        cast(func.sum(col(CommissionPayment.paise)), BigInteger).label("paid"),
    )
    .group_by(col(CommissionPayment.vendor_id), _NUMBER)
    .subquery("payments")
)
_LINE, _PAYMENT = _LINES.c, _PAYMENTS.c
_PAID = func.coalesce(_PAYMENT.paid, 0)
_OWED = _LINE.commission - _PAID
_STATE = state_of(((_OWED > 0, MonthStanding.OWES), (_LINE.commission > 0, MonthStanding.PAID)), MonthStanding.NOTHING)
_VENDED = join(_LINES, User, _LINE.vendor_id == col(User.id))


def row_id(vendor: Sql, month: Sql) -> Sql:
    """The id of a vendor's month, of numbers or in SQL."""
    return vendor * _A_VENDOR + (month - _YEAR_2000)


def _note_paid(session: Session, actor: Actor, row: int, payment: PaidCommission) -> object:
    """Note a payment for a vendor's month."""
    vendor, month = divmod(row, _A_VENDOR)
    return payments.note_paid(session, actor, vendor, f"20{month // 100:02}-{month % 100:02}", payment)


MONEY = Table(
    name="money",
    title="Money",
    one="month of a vendor",
    under="month",
    grouped=True,
    counted=_COUNTED,
    key=row_id(cast(_LINE.vendor_id, BigInteger), _LINE.month),
    source=_VENDED.outerjoin(_PAYMENTS, and_(_PAYMENT.vendor_id == _LINE.vendor_id, _PAYMENT.month == _LINE.month)),
    columns=(
        Column("vendor", "Vendor", col(User.name), sortable=True),
        Column("month", "Month", _LINE.month, "month", sortable=True),
        Column("charged", "Charged", cast(_LINE.charged, BigInteger), "money", sortable=True),
        Column("received", "Received", cast(_LINE.received, BigInteger), "money", sortable=True),
        Column("commission", "Commission", _LINE.commission, "money", sortable=True),
        Column("paid", "Paid", _PAID, "money"),
        Column("owed", "Owed", _OWED, "money", sortable=True),
        Column("state", "State", _STATE, "state", states=MonthStanding),
        Column("email", "E-mail", col(User.email), listed=False),
        Column("phone", "Mobile", col(User.phone_number), listed=False),
        Column("rate", "Commission today (%)", cast(col(User.commission_bps), Float) / 100, "number", listed=False),
        Column("settled", "Settled", col(User.commission_settle), listed=False),
    ),
    sort="-month",
    search=(_LINE.name, _LINE.email, _LINE.phone_number),
    filters=(
        state_filter({each: each.value == _STATE for each in MonthStanding}),
        Filter("vendor", "Vendor", owners=(_LINE.vendor_id,)),
    ),
    state="state",
    actions=(
        Action(
            "paid",
            "Commission paid",
            service_of(_note_paid, PaidCommission, payments.NOTED),
            {MonthStanding.OWES},
            (
                ActionField("amount", "How much, in rupees", "rupees"),
                ActionField("reference", "What names the payment, such as its UTR", "text"),
                ActionField("paidOn", "Paid on, if not today", "day", required=False),
            ),
        ),
    ),
    figures=("charged", "received", "commission", "paid", "owed"),
)

_Customer: Any = aliased(User)
_Vendor: Any = aliased(User)
_Writer: Any = aliased(User)
_OF_BOOKINGS = join(LedgerEntry, Booking, col(LedgerEntry.booking_id) == col(Booking.id))
_PAYMENT_KINDS = (LedgerKind.PAYMENT, LedgerKind.REFUND)
_DEPOSIT_KINDS = (LedgerKind.DEPOSIT_TAKEN, LedgerKind.DEPOSIT_KEPT, LedgerKind.DEPOSIT_RETURNED)

LEDGER = Table(
    name="ledger",
    title="Account lines",
    one="line of an account",
    under="reference",
    of=("bookings", "booking_id"),
    key=col(LedgerEntry.id),
    source=_OF_BOOKINGS.join(Vehicle, col(Booking.vehicle_id) == col(Vehicle.id))
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
        Column("booking_id", "Id of its booking", col(LedgerEntry.booking_id), "number", listed=False, detailed=False),
    ),
    sort="-at",
    search=(col(Booking.reference), _Customer.name, _Vendor.name, col(LedgerEntry.note)),
    filters=(
        Filter(
            "of",
            "Of",
            (
                Option("rent", "Rent", col(LedgerEntry.kind).not_in((*_PAYMENT_KINDS, *_DEPOSIT_KINDS))),
                Option("paid", "Payments", col(LedgerEntry.kind).in_(_PAYMENT_KINDS)),
                Option("deposit", "Deposit", col(LedgerEntry.kind).in_(_DEPOSIT_KINDS)),
            ),
        ),
        Filter("booking", "Booking", owners=(col(LedgerEntry.booking_id),)),
        Filter("person", "Person", owners=(col(Booking.customer_id), _Vendor.id)),
    ),
)
