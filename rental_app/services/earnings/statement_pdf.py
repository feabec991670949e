"""A month's earnings as a PDF: by vehicle, and every line of the accounts behind them."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError
from rental_app.domain.money import format_rupees
from rental_app.models import EarnedSnapshot, IssuedLine, StatementSnapshot
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_vendor
from rental_app.services.bookings.ledger import when_paid
from rental_app.services.earnings import statements
from rental_app.services.earnings.reading import joined
from rental_app.services.files.pdf import add_facts, add_table, blank, when

# A line of a PDF takes as long as this many rows of a list: some milliseconds.
LINE_ROWS = 20
VEHICLES, LINES = (70, 24, 24, 24, 24, 24), (42, 30, 30, 44, 14, 30)


def of(session: Session, actor: Actor, month: str) -> bytes:
    """The statement of an Indian month such as 2026-11. Raises ForbiddenError; NotFoundError for other months;
    StoreFirstError as `statements.of_month` does."""
    throttle.count("list", actor)
    require_vendor(actor)
    throttle.check_rows(actor)
    instant = clock.now()
    first = _first_day(month, instant, joined(session, actor))
    said = statements.of_month(session, actor.id, first, instant)
    throttle.count_rows(actor, LINE_ROWS * len(said.lines))
    return _page(said, first)


def _first_day(month: str, instant: datetime, joined: date) -> date:
    first = clock.month_of(month)
    if first is None or not joined <= first <= clock.indian_today(instant):
        raise NotFoundError("There is no such statement", code="unknown_month")
    return first


def _page(said: StatementSnapshot, first: date) -> bytes:
    """A statement, drawn from what it says alone."""
    page = blank(f"Statement {said.month}", f"statement, {first:%B %Y}", said.at, said.product)
    add_facts(page, _head(said))
    heads = ("Vehicle", "Charged", "Received", "Commission", "Net", "Deposits held")
    add_table(page, VEHICLES, 5, [heads, *((row.label, *_amounts(row)) for row in said.vehicles)])
    add_table(page, LINES, 1, _written(said.lines))
    return bytes(page.output())


def _head(said: StatementSnapshot) -> list[tuple[str, str]]:
    named = ("Charged", "Received", "Commission", "Net", "Deposits held")
    facts = [
        ("Vendor", said.vendor),
        ("GST number", said.gst_number),
        ("Period", f"{when(said.begin)} to {when(said.end)}"),
        *zip(named, _amounts(said.total), strict=True),
        ("Commission rate", f"{said.commission_bps / 100:g} % of what bookings made now bring"),
    ]
    return [(label, text) for label, text in facts if text]


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
