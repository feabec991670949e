"""Tax invoices of bookings, and the credit and debit notes for what changes of their accounts after that.

An invoice is issued by a vendor with a GST number: when the vehicle is received, or when something is kept of a booking
that does not take place. Each charge that is written or reversed later has a note of its own, in the transaction that
writes it, under the GST number and at the rate of the invoice.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, case, cast, func, or_, select
from sqlmodel import Session, col

from rental_app.content.account_words import word_of
from rental_app.domain import account, gst
from rental_app.domain.account import LedgerKind
from rental_app.domain.gst import Tax
from rental_app.infrastructure.settings import settings
from rental_app.models import (
    Booking,
    InvoiceLine,
    InvoiceSnapshot,
    IssuedDocument,
    IssuedPaper,
    LedgerEntry,
    Snapshot,
    User,
    Vehicle,
)
from rental_app.models.issued_paper import CREDIT_NOTE, DEBIT_NOTE, INVOICE, NOTES, TAX_PAPERS
from rental_app.services import issued_papers


def issue(
    session: Session, issuer: User, booking: Booking, lines: Sequence[LedgerEntry], instant: datetime
) -> IssuedPaper | None:
    """Issue the invoice of a booking whose account has these lines; None if it has one, or nothing is charged.

    The issuer is held (`issued_papers.hold_issuer`) and has a GST number.
    """
    charges = _standing(lines)
    if sum(line.paise for line in charges) <= 0 or invoice_of(session, issuer.id or 0, booking.reference):
        return None
    snapshot = _snapshot(session, issuer, booking, charges, lines, instant)
    return issued_papers.number(session, issuer, INVOICE, booking.reference, snapshot, instant)


def _standing(lines: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """The charges among some lines without those that were reversed, and without what reversed them."""
    left = {line.id: line for line in lines if line.kind in account.CHARGES}
    # The newest first: one that restores a line goes together with the reversal that it reverses.
    for line in reversed(lines):
        if line.id in left and line.reverses in left:
            del left[line.id], left[line.reverses]
    return [*left.values()]


def note(session: Session, booking: Booking, entry: LedgerEntry, instant: datetime) -> IssuedPaper | None:
    """Issue the note for a line that has just been written; None if it is no charge, or its booking has no invoice."""
    if entry.kind not in account.CHARGES:
        return None
    vendor_id = session.get_one(Vehicle, booking.vehicle_id).vendor_id
    if (invoice := invoice_of(session, vendor_id, booking.reference)) is None:
        return None
    snapshot = issued_papers.read(invoice, InvoiceSnapshot)
    line = _line(entry, abs(entry.paise), snapshot.rate_bps, same_state=snapshot.place == snapshot.supplier_state)
    about = {
        **_sums([line]),
        "words": gst.in_words(line.paise),
        "at": instant,
        "of": invoice.number_text,
        "of_at": invoice.made_at,
        "lines": [line],
        **dict.fromkeys(("paid", "due", "deposit_taken", "deposit_kept", "deposit_returned", "held"), 0),
    }
    return issued_papers.number(
        session,
        issued_papers.hold_issuer(session, vendor_id),
        DEBIT_NOTE if entry.paise > 0 else CREDIT_NOTE,
        f"{booking.reference}/{entry.id}",
        snapshot.model_copy(update=about),
        instant,
        gst_number=invoice.gst_number,
    )


def invoice_of(session: Session, vendor_id: int, reference: str) -> IssuedPaper | None:
    """The invoice of a booking; None if there is none."""
    return issued_papers.find(session, vendor_id, INVOICE, reference)


def note_of(session: Session, vendor_id: int, reference: str, entry: int) -> IssuedPaper | None:
    """The note for a line of a booking's account; None if there is none."""
    own = (col(IssuedPaper.vendor_id) == vendor_id, col(IssuedPaper.kind).in_(NOTES))
    return session.scalars(select(IssuedPaper).where(*own, col(IssuedPaper.about) == f"{reference}/{entry}")).first()


def of_booking(session: Session, vendor_id: int, reference: str) -> Sequence[IssuedPaper]:
    """The invoice of a booking and its notes, in the order in which they were issued."""
    about = or_(col(IssuedPaper.about) == reference, col(IssuedPaper.about).startswith(f"{reference}/"))
    own = (col(IssuedPaper.vendor_id) == vendor_id, col(IssuedPaper.kind).in_(TAX_PAPERS), about)
    return session.scalars(select(IssuedPaper).where(*own).order_by(col(IssuedPaper.id))).all()


def issued_within(session: Session, vendor_id: int, begin: datetime, end: datetime) -> list[IssuedDocument]:
    """A vendor's invoices and notes of [begin, end), in the order in which they were issued."""
    own = select(IssuedPaper).where(*_of_vendor(vendor_id, begin, end))
    papers = session.scalars(own.order_by(col(IssuedPaper.id)))
    return [listed(paper) for paper in papers]


AMOUNTS = ("taxable", "cgst", "sgst", "igst", "untaxed", "total")


def sums_within(session: Session, vendor_id: int, begin: datetime, end: datetime) -> dict[str, int]:
    """What a vendor's invoices and notes of [begin, end) add up to, by `AMOUNTS` (paise), and their `count`."""
    sign = case((col(IssuedPaper.kind) == CREDIT_NOTE, -1), else_=1)
    parts = [_part(name).label(name) for name in AMOUNTS]
    own = select(sign.label("sign"), *parts).where(*_of_vendor(vendor_id, begin, end)).subquery()
    sums = [cast(func.coalesce(func.sum(own.c.sign * own.c[name]), 0), BigInteger).label(name) for name in AMOUNTS]
    return dict(session.execute(select(func.count().label("count"), *sums).select_from(own)).one()._mapping)


def _part(name: str) -> ColumnElement[int]:
    # The column's annotation is that of what it holds.
    snapshot: Any = col(IssuedPaper.snapshot)
    part: ColumnElement[int] = snapshot[name].as_integer()
    return part


def _of_vendor(vendor_id: int, begin: datetime, end: datetime) -> list[ColumnElement[bool]]:
    return [
        col(IssuedPaper.vendor_id) == vendor_id,
        col(IssuedPaper.kind).in_(TAX_PAPERS),
        col(IssuedPaper.made_at) >= begin,
        col(IssuedPaper.made_at) < end,
    ]


def listed(paper: IssuedPaper) -> IssuedDocument:
    """An invoice or a note as lists show it: what a credit note takes back is negative."""
    snapshot = issued_papers.read(paper, InvoiceSnapshot)
    sign = -1 if paper.kind == CREDIT_NOTE else 1
    return IssuedDocument(
        at=paper.made_at,
        number=paper.number_text,
        kind=paper.kind,
        booking=snapshot.reference,
        **{name: sign * getattr(snapshot, name) for name in AMOUNTS},
    )


def _snapshot(
    session: Session,
    issuer: User,
    booking: Booking,
    charges: Sequence[LedgerEntry],
    lines: Sequence[LedgerEntry],
    instant: datetime,
) -> InvoiceSnapshot:
    """What an invoice says if it is issued at an instant."""
    booked, customer = Snapshot(**booking.booked), session.get_one(User, booking.customer_id)
    supplier = gst.state_of(issuer.gst_number)
    place = gst.place_of_supply(supplier, customer.state)
    shown = [_line(line, line.paise, issuer.gst_rate_bps, same_state=place == supplier) for line in charges]
    sums = _sums(shown)
    return InvoiceSnapshot(
        **sums,
        **_account(lines),
        words=gst.in_words(sums["total"]),
        at=instant,
        product=settings().product_name,
        reference=booking.reference,
        supplier=issuer.gst_name or issuer.name,
        address=issuer.full_address,
        gst_number=issuer.gst_number,
        supplier_state=supplier.text,
        customer=customer.name,
        customer_address=customer.full_address if sums["total"] >= gst.ADDRESS_FROM and not customer.is_guest else "",
        place=place.text,
        own_tax=supplier.own_tax,
        vehicle=f"{booked.title}, {booked.year}, {booked.color}",
        plate=session.get_one(Vehicle, booking.vehicle_id).rc_number,
        pickup_at=booking.pickup_at,
        return_at=booking.return_at,
        sac=gst.SAC,
        rate_bps=issuer.gst_rate_bps,
        lines=shown,
    )


def _line(entry: LedgerEntry, paise: int, rate_bps: int, *, same_state: bool) -> InvoiceLine:
    """A charge with its tax: each line is split by itself, so that a note takes back exactly what its line had."""
    tax = gst.split(paise, rate_bps, same_state=same_state) if gst.is_taxed(entry.shown_kind) else Tax()
    return InvoiceLine(
        what=word_of(entry.shown_kind),
        note=entry.note,
        paise=paise,
        taxable=tax.taxable,
        cgst=tax.cgst,
        sgst=tax.sgst,
        igst=tax.igst,
    )


def _sums(lines: Sequence[InvoiceLine]) -> dict[str, int]:
    sums = {name: sum(getattr(line, name) for line in lines) for name in ("taxable", "cgst", "sgst", "igst")}
    total = sum(line.paise for line in lines)
    return {**sums, "total": total, "untaxed": total - sum(sums.values())}


def _account(lines: Sequence[LedgerEntry]) -> dict[str, int]:
    """How an account stands: paid, and due beyond that and what was kept of the deposit."""
    entries = [(line.kind, line.paise) for line in lines]
    return {
        "paid": account.total(entries, account.PAID_SIGNS),
        "due": account.total(entries, account.RENT_SIGNS),
        "deposit_taken": account.total(entries, {LedgerKind.DEPOSIT_TAKEN: 1}),
        "deposit_kept": account.total(entries, {LedgerKind.DEPOSIT_KEPT: 1}),
        "deposit_returned": account.total(entries, {LedgerKind.DEPOSIT_RETURNED: 1}),
        "held": account.total(entries, account.DEPOSIT_SIGNS),
    }
