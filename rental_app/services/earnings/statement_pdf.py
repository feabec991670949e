"""A month's earnings as a PDF: by vehicle, and every line of the accounts behind them."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.content.account_words import METHODS, word_of
from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.domain.errors import NotFoundError
from rental_app.domain.money import format_rupees
from rental_app.models import Booking, LedgerEntry, User, Vehicle
from rental_app.schemas.earnings import Figures
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_vendor
from rental_app.services.bookings.rows import line_vehicle, lines_of
from rental_app.services.earnings.reading import joined, statement
from rental_app.services.earnings.sums import months_of
from rental_app.services.files.pdf import add_facts, add_table, blank, when

# A line of a PDF takes as long as this many rows of a list: some milliseconds.
LINE_ROWS = 20
_OfLine: Any = aliased(Vehicle)
VEHICLES, LINES = (70, 24, 24, 24, 24, 24), (42, 30, 30, 44, 14, 30)


def of(session: Session, actor: Actor, month: str) -> bytes:
    """The statement of an Indian month such as 2026-11. Raises ForbiddenError; NotFoundError for other months."""
    throttle.count("list", actor)
    require_vendor(actor)
    throttle.check_rows(actor)
    instant = clock.now()
    window = _window(month, instant, joined(session, actor))
    vendor, lines = session.get_one(User, actor.id), _lines(session, actor, window)
    throttle.count_rows(actor, LINE_ROWS * len(lines))
    made = statement(session, actor, [window], "vehicle", instant)
    first = clock.indian_today(window.pickup)
    page = blank(f"Statement {month}", f"statement, {first:%B %Y}")
    add_facts(page, _head(vendor, made.total, window, instant))
    heads = ("Vehicle", "Charged", "Received", "Commission", "Net", "Deposits held")
    add_table(page, VEHICLES, 5, [heads, *((row.label, *_amounts(row)) for row in made.rows)])
    add_table(page, LINES, 1, _written(lines))
    return bytes(page.output())


def _window(month: str, instant: datetime, joined: date) -> Window:
    first = clock.month_of(month)
    if first is None or not joined <= first <= clock.indian_today(instant):
        raise NotFoundError("There is no such statement", code="unknown_month")
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return months_of(first, last)[0]


def _head(vendor: User, total: Figures, window: Window, instant: datetime) -> list[tuple[str, str]]:
    last = min(window.return_at, instant)
    named = ("Charged", "Received", "Commission", "Net", "Deposits held")
    facts = [
        ("Vendor", vendor.gst_name or vendor.name),
        ("GST number", vendor.gst_number),
        ("Period", f"{when(window.pickup)} to {when(last)}"),
        *zip(named, _amounts(total), strict=True),
        ("Commission rate", f"{vendor.commission_bps / 100:g} % of what bookings made now bring"),
    ]
    return [(label, text) for label, text in facts if text]


def _amounts(row: Figures) -> list[str]:
    return [format_rupees(paise) for paise in (row.charged, row.received, row.commission, row.net, row.deposits_held)]


class _Line(NamedTuple):
    """A line of an account, and whose it is."""

    entry: LedgerEntry
    reference: str
    rc_number: str


def _lines(session: Session, actor: Actor, window: Window) -> list[_Line]:
    at = col(LedgerEntry.at)
    plate = select(col(_OfLine.rc_number)).where(col(_OfLine.id) == line_vehicle()).scalar_subquery()
    mine = lines_of(actor, LedgerEntry, col(Booking.reference), plate).where(at >= window.pickup, at < window.return_at)
    return [_Line(*row) for row in session.execute(mine.order_by(at, col(LedgerEntry.id)))]


def _written(lines: Sequence[_Line]) -> Iterable[Sequence[str]]:
    yield "When", "Booking", "What", "Note", "How", "Amount"
    for line, reference, rc_number in lines:
        how = METHODS.get(line.method, line.method)
        yield (
            when(line.at),
            f"{reference} {rc_number}",
            word_of(line.shown_kind),
            line.note,
            how,
            format_rupees(line.paise),
        )
