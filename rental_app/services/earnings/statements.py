"""The statement of a vendor's month: what it says, and when that stays as it is.

While its month runs it says how things stand. From the end of the month on it is frozen: when somebody first reads it,
when commission of the month is noted as paid, or by the sweep a week later, whichever comes first. What is corrected
after that counts in the month of the correction."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import exists, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.domain.errors import NotFoundError
from rental_app.domain.money import format_rupees
from rental_app.infrastructure.settings import settings
from rental_app.models import (
    Booking,
    EarnedSnapshot,
    IssuedDocument,
    IssuedLine,
    IssuedPaper,
    LedgerEntry,
    StatementSnapshot,
    User,
    Vehicle,
)
from rental_app.models.issued_paper import STATEMENT
from rental_app.schemas.earnings import Figures
from rental_app.services import issued_papers, throttle
from rental_app.services.accounts.actor import Actor, require_vendor
from rental_app.services.bookings import invoices
from rental_app.services.bookings.ledger import issued_lines, when_paid
from rental_app.services.bookings.rows import counted_at, counted_within, line_vehicle, lines_of
from rental_app.services.earnings.figures import joined, statement
from rental_app.services.files.pdf import add_facts, add_table, blank, when

# How long after its month's end a statement that nobody has asked for is frozen, and how many one sweep freezes.
FROZEN_AFTER, MOST_FROZEN = timedelta(days=7), 20
# What is noted in the last second of a month may still be on its way into the database.
LAST_LINES = timedelta(minutes=1)
_OfLine: Any = aliased(Vehicle)


# A line of a PDF takes as long as this many rows of a list: some milliseconds.
LINE_ROWS = 20
VEHICLES, LINES = (70, 24, 24, 24, 24, 24), (42, 30, 30, 44, 14, 30)
DOCUMENTS = (22, 28, 22, 24, 19, 19, 18, 18, 20)


def of_month(session: Session, vendor_id: int, first: date, instant: datetime) -> StatementSnapshot:
    """What the statement of the month that begins with a day says; the caller has checked the month.

    Raises StoreFirstError for a month that is over, as `issued_papers.frozen` does.
    """
    if not is_over(first, instant):
        return _statement_snapshot(session, vendor_id, first, instant)
    return issued_papers.read(freeze(session, vendor_id, first, instant), StatementSnapshot)


def freeze(session: Session, vendor_id: int, first: date, instant: datetime) -> IssuedPaper:
    """Freeze the statement of a month that is over, unless it is frozen already."""
    return issued_papers.frozen(
        session,
        vendor_id,
        STATEMENT,
        f"{first:%Y-%m}",
        instant,
        lambda writing, _: _statement_snapshot(writing, vendor_id, first, instant),
    )


def freeze_due(session: Session, instant: datetime) -> None:
    """Freeze some of the statements that nobody asked for within a week of their month's end, if there are any left."""
    this_month = clock.month_bounds(instant - FROZEN_AFTER)[0]
    first = clock.indian_today(this_month - timedelta(days=1)).replace(day=1)
    is_there = exists().where(
        col(IssuedPaper.vendor_id) == User.id,
        col(IssuedPaper.kind) == STATEMENT,
        col(IssuedPaper.about) == f"{first:%Y-%m}",
    )
    left = select(col(User.id)).where(col(User.role) == "Vendor", col(User.created_at) < this_month, ~is_there)
    for vendor_id in session.scalars(left.order_by(col(User.id)).limit(MOST_FROZEN)).all():
        freeze(session, vendor_id or 0, first, instant)


def is_over(first: date, instant: datetime) -> bool:
    """Whether all that was noted in the month that begins with a day is there."""
    return window_of(first).return_at + LAST_LINES <= instant


def window_of(first: date) -> Window:
    """The instants of the Indian month that begins with a day."""
    return Window(*clock.month_bounds(clock.at(first, time())))


def _statement_snapshot(session: Session, vendor_id: int, first: date, instant: datetime) -> StatementSnapshot:
    """What a statement says if it is made at an instant."""
    window, vendor = window_of(first), session.get_one(User, vendor_id)
    they = Actor(address="", id=vendor_id, role="Vendor", jti="")
    made = statement(session, they, [window], "vehicle", instant)
    return StatementSnapshot(
        at=instant,
        product=settings().product_name,
        month=f"{first:%Y-%m}",
        begin=window.pickup,
        end=min(window.return_at, instant),
        vendor=vendor.gst_name or vendor.name,
        gst_number=vendor.gst_number,
        commission_bps=vendor.commission_bps,
        total=_earned("Total", made.total),
        vehicles=[_earned(row.label, row) for row in made.rows],
        lines=_lines(session, they, window),
        documents=invoices.issued_within(session, vendor_id, window.pickup, window.return_at),
    )


def _earned(label: str, row: Figures) -> EarnedSnapshot:
    return EarnedSnapshot(
        label=label,
        charged=row.charged,
        received=row.received,
        commission=row.commission,
        net=row.net,
        deposits_held=row.deposits_held,
    )


def _lines(session: Session, they: Actor, window: Window) -> list[IssuedLine]:
    plate = select(col(_OfLine.rc_number)).where(col(_OfLine.id) == line_vehicle()).scalar_subquery()
    within = counted_within(window.pickup, window.return_at)
    selected = lines_of(they, LedgerEntry, col(Booking.reference), plate).where(*within)
    rows = session.execute(selected.order_by(counted_at(), col(LedgerEntry.id))).all()
    whose = ({"booking": reference, "plate": rc_number} for _, reference, rc_number in rows)
    return [line.model_copy(update=of) for line, of in zip(issued_lines([row[0] for row in rows]), whose, strict=True)]


def of(session: Session, actor: Actor, month: str) -> bytes:
    """The statement of an Indian month such as 2026-11. Raises ForbiddenError; NotFoundError for other months;
    StoreFirstError as `statements.of_month` does."""
    throttle.count("list", actor)
    require_vendor(actor)
    throttle.check_rows(actor)
    instant = clock.now()
    first = clock.month_of(month)
    if first is None or not joined(session, actor) <= first <= clock.indian_today(instant):
        raise NotFoundError("There is no such statement", code="unknown_month")
    snapshot = of_month(session, actor.id, first, instant)
    throttle.count_rows(actor, LINE_ROWS * len(snapshot.lines))
    return _page(snapshot, first)


def as_pdf(session: Session, vendor_id: int, first: date, instant: datetime) -> bytes:
    """The statement of the month that begins with a day, for a vendor who may read it; raises StoreFirstError as
    `of_month` does."""
    return _page(of_month(session, vendor_id, first, instant), first)


def _page(snapshot: StatementSnapshot, first: date) -> bytes:
    """A statement as a PDF, made from its snapshot alone."""
    page = blank(f"Statement {snapshot.month}", f"statement, {first:%B %Y}", snapshot.at, snapshot.product)
    named = ("Charged", "Received", "Commission", "Net", "Deposits held")
    facts = [
        ("Vendor", snapshot.vendor),
        ("GST number", snapshot.gst_number),
        ("Period", f"{when(snapshot.begin)} to {when(snapshot.end)}"),
        *zip(named, _amounts(snapshot.total), strict=True),
        ("Commission rate", f"{snapshot.commission_bps / 100:g} % of what bookings made now bring"),
    ]
    add_facts(page, [(label, text) for label, text in facts if text])
    heads = ("Vehicle", "Charged", "Received", "Commission", "Net", "Deposits held")
    rows = [*snapshot.vehicles, snapshot.total]
    add_table(page, VEHICLES, 5, [heads, *((row.label, *_amounts(row)) for row in rows)])
    if snapshot.documents:
        add_table(page, DOCUMENTS, 6, _documents(snapshot.documents))
    add_table(page, LINES, 1, _written(snapshot.lines))
    return bytes(page.output())


def _documents(documents: Sequence[IssuedDocument]) -> Iterable[Sequence[str]]:
    yield "Date", "Number", "Booking", "Taxable value", "CGST", "SGST", "IGST", "Not taxed", "Total"
    for one in documents:
        amounts = (format_rupees(getattr(one, name)) for name in invoices.AMOUNTS)
        yield f"{clock.indian_today(one.at):%-d %b %Y}", one.number, one.booking, *amounts
    totals = (format_rupees(sum(getattr(one, name) for one in documents)) for name in invoices.AMOUNTS)
    yield "Total", "", "", *totals


def _amounts(row: EarnedSnapshot) -> list[str]:
    return [format_rupees(paise) for paise in (row.charged, row.received, row.commission, row.net, row.deposits_held)]


def _written(lines: Sequence[IssuedLine]) -> Iterable[Sequence[str]]:
    yield "When", "Booking", "What", "Note", "How", "Amount"
    for line in lines:
        yield (
            when_paid(line),
            f"{line.booking} {line.plate}",
            line.what,
            line.note,
            line.how,
            format_rupees(line.paise),
        )
