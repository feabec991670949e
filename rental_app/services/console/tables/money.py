"""What each vendor took in each month, the commission on it, and what they have paid of that."""

from sqlalchemy import BigInteger, Float, and_, case, cast, func, join, select
from sqlmodel import Session, col

from rental_app.models import Booking, CommissionPayment, LedgerEntry, User, Vehicle
from rental_app.schemas.operating import PaidCommission
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings.rows import charged, counted_at, received
from rental_app.services.console.deciding import by
from rental_app.services.console.months import indian_month
from rental_app.services.console.table import Action, ActionField, Column, Filter, Option, Sql, Table
from rental_app.services.earnings.sums import commission
from rental_app.services.operating import commission as payments

OWES, EVEN, NOTHING = "Owes commission", "Paid", "Nothing to pay"
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
_STATE = case((_OWED > 0, OWES), (_LINE.commission > 0, EVEN), else_=NOTHING)
_VENDORS = join(_LINES, User, _LINE.vendor_id == col(User.id))


def row_id(vendor: Sql, month: Sql) -> Sql:
    """The id of a vendor's month, of numbers or in SQL."""
    return vendor * _A_VENDOR + (month - _YEAR_2000)


def _note_paid(session: Session, actor: Actor, row: int, payment: PaidCommission) -> object:
    """Note a payment for a vendor's month."""
    vendor, month = divmod(row, _A_VENDOR)
    return payments.note_paid(session, actor, vendor, f"20{month // 100:02}-{month % 100:02}", payment)


TABLE = Table(
    name="money",
    title="Money",
    one="month of a vendor",
    under="month",
    grouped=True,
    counted=_COUNTED,
    key=row_id(cast(_LINE.vendor_id, BigInteger), _LINE.month),
    source=_VENDORS.outerjoin(_PAYMENTS, and_(_PAYMENT.vendor_id == _LINE.vendor_id, _PAYMENT.month == _LINE.month)),
    columns=(
        Column("vendor", "Vendor", col(User.name), sortable=True),
        Column("month", "Month", _LINE.month, "month", sortable=True),
        Column("charged", "Charged", cast(_LINE.charged, BigInteger), "money", sortable=True),
        Column("received", "Received", cast(_LINE.received, BigInteger), "money", sortable=True),
        Column("commission", "Commission", _LINE.commission, "money", sortable=True),
        Column("paid", "Paid", _PAID, "money"),
        Column("owed", "Owed", _OWED, "money", sortable=True),
        Column("state", "State", _STATE, "state", tones={OWES: "waits", EVEN: "good", NOTHING: "plain"}),
        Column("email", "E-mail", col(User.email), listed=False),
        Column("phone", "Mobile", col(User.phone_number), listed=False),
        Column("rate", "Commission today (%)", cast(col(User.commission_bps), Float) / 100, "number", listed=False),
        Column("settled", "Settled", col(User.commission_settle), listed=False),
    ),
    sort="-month",
    search=(_LINE.name, _LINE.email, _LINE.phone_number),
    filters=(
        Filter(
            "state",
            "State",
            (
                Option("owes", OWES, _STATE == OWES),
                Option("paid", EVEN, _STATE == EVEN),
                Option("nothing", NOTHING, _STATE == NOTHING),
            ),
        ),
        Filter("vendor", "Vendor", owners=(_LINE.vendor_id,)),
    ),
    state="state",
    actions=(
        Action(
            "paid",
            "Commission paid",
            by(_note_paid, PaidCommission, payments.NOTED),
            frozenset({OWES}),
            (
                ActionField("amount", "How much, in rupees", "rupees"),
                ActionField("reference", "What names the payment, such as its UTR", "text"),
                ActionField("paidOn", "Paid on, if not today", "day", required=False),
            ),
        ),
    ),
    figures=("charged", "received", "commission", "paid", "owed"),
)
