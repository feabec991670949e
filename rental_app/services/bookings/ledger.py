"""The account of a booking: its lines and balance, the number of its receipt, and months that are settled."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.content.account_words import METHODS, word_of
from rental_app.domain import account, clock, settlement
from rental_app.domain.account import LedgerKind
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.errors import InvalidInputError, NotFoundError
from rental_app.domain.money import format_rupees
from rental_app.domain.policies import Policies
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings
from rental_app.models import (
    Booking,
    CommissionPayment,
    IssuedLine,
    IssuedPaper,
    LedgerEntry,
    ReceiptSnapshot,
    Snapshot,
    User,
    Vehicle,
    opening_entries,
)
from rental_app.models.issued_paper import RECEIPT, STATEMENT
from rental_app.schemas.bookings import BookingView
from rental_app.services import issued_papers
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, invoices
from rental_app.services.bookings.rows import deposit_wanted
from rental_app.services.files.pdf import when


@dataclass(frozen=True, slots=True)
class Balances:
    """The state of a booking's account, in paise.

    `agreed` is the price that was confirmed, `charged` the rent as it stands, without late hours and the like, and
    `retained` what the vendor keeps of it after a cancellation or a no-show; `paid` is the rent paid, `held` what the
    vendor holds of the deposit; `rent` and `deposit` are what the customer owes, negative if they are owed money.
    """

    agreed: int
    charged: int
    retained: int
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
        retained=account.total(entries, account.RETAINED_SIGNS),
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
    """Add a line, with a note if it changes what an invoice says; `more` are its other columns."""
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
    if is_over(booking):
        invoices.note(session, booking, entry, instant)
    return entry


def is_over(booking: Booking | BookingView) -> bool:
    """Whether the vehicle of a booking is back, or does not go out any more: from then on it may have an invoice."""
    over = (TripStage.RETURNED, TripStage.SETTLED, TripStage.NO_SHOW)
    return booking.status == BookingStatus.CANCELLED or booking.stage in over


def reverse(session: Session, booking: Booking, line: LedgerEntry, instant: datetime, actor: Actor, note: str) -> None:
    """Cancel a line by adding its reverse, which is about the same vehicle."""
    same = {"method": line.method, "detail": line.detail, "reverses": line.id}
    same["vehicle_id"] = line.vehicle_id or booking.vehicle_id
    post(session, booking, line.kind, -line.paise, instant, actor, note=note, **same)


def replace_rent(session: Session, booking: Booking, retained: int, instant: datetime, actor: Actor, note: str) -> None:
    """Reverse every charge for the vehicle and charge what a cancellation keeps (paise)."""
    before = lines(session, booking)
    reversed_ids = {line.reverses for line in before}
    for line in before:
        is_charge = line.kind in account.RENT_CHARGES and not account.takes_back(line.kind, line.paise)
        if is_charge and line.id not in reversed_ids:
            reverse(session, booking, line, instant, actor, note)
    if retained:
        post(session, booking, LedgerKind.CANCELLATION, retained, instant, actor, note=note)


# How many receipts of the version before one sweep freezes: each takes some milliseconds.
MOST_FROZEN = 50


def settle_if_even(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> None:
    """Close a returned trip once nobody owes anybody anything."""
    now = standing(session, booking)
    if booking.stage == TripStage.RETURNED and not now.rent and not now.deposit:
        booking.stage = TripStage.SETTLED
        give_number(session, booking, vendor_id, instant)
        events.record(session, booking, EventKind.SETTLED, "system", instant)
    session.flush()


def give_number(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> None:
    """Number the receipt of a trip that is over, which freezes it, if its vendor has a GST number and the receipt has
    no number yet. The invoice comes before it, unless it was issued when the vehicle was received."""
    vendor = issued_papers.hold_issuer(session, vendor_id)
    if not vendor.gst_number:
        return
    invoices.issue(session, vendor, booking, lines(session, booking), instant)
    if not paper_of(session, booking, vendor_id):
        snapshot = receipt_snapshot(session, booking, vendor_id, instant)
        issued_papers.number(session, vendor, RECEIPT, booking.reference, snapshot, instant)


def give_invoice(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> None:
    """Issue the invoice of a trip whose vehicle was received, if its vendor has a GST number."""
    vendor = issued_papers.hold_issuer(session, vendor_id)
    if vendor.gst_number:
        invoices.issue(session, vendor, booking, lines(session, booking), instant)


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
    return issued_papers.frozen(session, vendor_id, RECEIPT, booking.reference, instant, _earlier_snapshot)


def freeze_earlier(session: Session, instant: datetime) -> None:
    """Freeze some of the receipts that were numbered before there were snapshots, if there are any left."""
    left = (col(IssuedPaper.kind) == RECEIPT, col(IssuedPaper.snapshot).is_(None))
    for paper in session.scalars(
        select(IssuedPaper).where(*left).order_by(col(IssuedPaper.id)).limit(MOST_FROZEN)
    ).all():
        issued_papers.frozen(session, paper.vendor_id, RECEIPT, paper.about, instant, _earlier_snapshot)


def _earlier_snapshot(session: Session, paper: IssuedPaper) -> ReceiptSnapshot:
    """What a receipt that has no snapshot would say now, under the GST number of its series."""
    booking = session.scalars(select(Booking).where(col(Booking.reference) == paper.about)).one()
    snapshot = receipt_snapshot(session, booking, paper.vendor_id, paper.made_at)
    return snapshot.model_copy(update={"gst_number": paper.gst_number or snapshot.gst_number})


def receipt_snapshot(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> ReceiptSnapshot:
    """What a receipt of a booking says if it is made at an instant."""
    booked, now = Snapshot(**booking.booked), standing(session, booking)
    vendor, customer = session.get_one(User, vendor_id), session.get_one(User, booking.customer_id)
    policies = Policies.of(booking.policies)
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
        lines=issued_lines(lines(session, booking)),
        rent=now.rent,
        deposit=now.deposit,
        held=now.held,
        holder=vendor.name,
        came_back=events.noted_at(session, booking, "return"),
        back_at=events.read_at(session, booking, "return"),
        ended=booking.status == BookingStatus.CANCELLED or booking.stage == TripStage.NO_SHOW,
        refunds=(policies.refunds_from, policies.refunds_to),
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


NOTHING_OWED, NOTHING_HELD = "Nothing owed", "Nothing held"


@dataclass(frozen=True, slots=True)
class OpenBalance:
    """What is open on a booking (paise), as one of its sides reads it.

    `rent` and `deposit` are what the customer owes, negative if they are owed money; `held` is what `vendor` holds of
    the deposit. `came_back` is when that was noted; `ended` is a booking whose trip did not take place. `read_at` is
    when a paper says this; otherwise it is read now. `policies` are those that the booking goes by.
    """

    rent: int
    deposit: int
    held: int
    vendor: str
    return_at: datetime
    came_back: datetime | None
    ended: bool
    for_customer: bool
    policies: Policies
    read_at: datetime | None = None

    @property
    def rent_text(self) -> str:
        """The rent: '₹1,000 still to pay', '₹100 owed to you'."""
        return self._owed(self.rent) or NOTHING_OWED

    @property
    def deposit_text(self) -> str:
        """The deposit: '₹1,500 held by Sai Kiran, back Sun 29 Nov, 8 to 9 PM'."""
        return "; ".join(filter(None, (self.held_text, self._owed(max(0, self.deposit))))) or NOTHING_HELD

    @property
    def held_text(self) -> str:
        """Who holds how much of the deposit until when; '' for nothing."""
        return f"{format_rupees(self.held)} held by {self.vendor}, {self._back()}" if self.held > 0 else ""

    def open_texts(self, *, is_over: bool) -> list[str]:
        """What is held and owed; what is to be paid only for a trip that is over, as it is expected until then."""
        owed = self._owed(self.rent) if is_over or self.rent < 0 else ""
        return [text for text in (self.held_text, owed) if text]

    def _owed(self, paise: int) -> str:
        if not paise:
            return ""
        to_customer, by_customer = (
            ("owed to you", "still to pay") if self.for_customer else ("owed to the customer", "owed by the customer")
        )
        return f"{format_rupees(abs(paise))} {by_customer if paise > 0 else to_customer}"

    def _back(self) -> str:
        """When the deposit comes back; at once if the trip did not take place."""
        if self.ended:
            return "owed back"
        instant = self.read_at or clock.now()
        begin, end = settlement.deposit_back(self.came_back or max(self.return_at, instant), self.policies)
        hours = f"{clock.indian(begin):%-I} to {clock.indian(end):%-I %p}"
        when = f"{clock.friendly_day(clock.indian(begin).date(), clock.indian_today(instant))}, {hours}"
        return f"back {when}" if instant <= end else f"was due back {when}"


def open_balance(view: BookingView, *, for_customer: bool) -> OpenBalance:
    """What is open on a booking, as one of its sides reads it."""
    return OpenBalance(
        rent=view.balance.rent,
        deposit=view.balance.deposit,
        held=view.balance.held,
        vendor=view.vendor_name,
        return_at=view.return_at,
        came_back=view.came_back,
        ended=view.status == BookingStatus.CANCELLED or view.stage == TripStage.NO_SHOW,
        for_customer=for_customer,
        policies=view.policies,
    )


def open_texts(view: BookingView, *, for_customer: bool) -> list[str]:
    """What a list says of a booking's money: what is held or owed, and after the trip also what is still to be paid."""
    return open_balance(view, for_customer=for_customer).open_texts(is_over=is_over(view))


def is_open(view: BookingView) -> bool:
    """Whether anybody owes or holds anything."""
    return bool(view.balance.rent or view.balance.deposit)


def require_open(session: Session, vendor_id: int, paid_at: datetime | None, instant: datetime) -> None:
    """Require that a payment of an earlier day, if one is given, may still count in its month.

    What is paid today always may. Until the transaction ends, no commission of the vendor is noted as paid. Raises
    InvalidInputError (`month_settled`).
    """
    if paid_at is None or paid_at >= clock.month_bounds(instant)[0]:
        return
    # Whoever notes a payment of commission holds the same row (services/operating/commission.py).
    db.lock_row(session, select(col(User.id)).where(col(User.id) == vendor_id).with_for_update(key_share=True))
    day = clock.indian_today(paid_at)
    if is_settled(session, vendor_id, day):
        message = f"{day:%B %Y} is settled, and its statement stays as it is: note it for today"
        raise InvalidInputError(message, code="month_settled", fields={"paidOn": message})


def is_settled(session: Session, vendor_id: int, day: date) -> bool:
    """Whether the month of a day is closed: its statement is frozen, or the vendor has paid commission for it."""
    month = f"{day:%Y-%m}"
    if issued_papers.find(session, vendor_id, STATEMENT, month):
        return True
    own = (col(CommissionPayment.vendor_id) == vendor_id, col(CommissionPayment.month) == month)
    paid = select(func.coalesce(func.sum(CommissionPayment.paise), 0)).where(*own)
    return bool(session.execute(paid).scalar_one() > 0)
