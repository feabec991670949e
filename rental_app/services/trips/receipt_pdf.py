"""The account of a booking on one printable page."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path

from fpdf import FPDF, XPos, YPos
from fpdf.enums import TableBordersLayout, VAlign
from sqlalchemy import select
from sqlmodel import Session, col

import rental_app.content
from rental_app.content.account_words import KINDS, METHODS
from rental_app.errors import ConflictError
from rental_app.models import Booking, LedgerEntry, Snapshot, User
from rental_app.models.booking import PENDING
from rental_app.rules import clock
from rental_app.rules.money import format_rupees
from rental_app.services import throttle
from rental_app.services.accounts import Actor
from rental_app.services.trips import account, receipts
from rental_app.services.trips.access import Trip, find
from rental_app.settings import settings

# Figtree, the pages' font, has no rupee sign.
FONT = "DejaVu Sans Condensed"
FONTS = {
    "": "dejavu-sans-condensed.ttf",
    "B": "dejavu-sans-condensed-bold.ttf",
}
LABEL_MM, LINE_MM = 34, 6
COLUMNS = (45, 32, 71, 14, 28)


def of(session: Session, actor: Actor, ref: str) -> bytes:
    """The receipt as a PDF; raises NotFoundError, ConflictError where nothing was confirmed."""
    throttle.count("look", actor)
    trip = find(session, actor, ref)
    lines = account.lines(session, trip.booking)
    if trip.booking.status == PENDING or not lines:
        raise ConflictError("There is a receipt once the booking is confirmed", code="not_confirmed")
    return _page(trip, *_people(session, trip), lines, account.standing(session, trip.booking), _number(session, trip))


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
    now: account.Standing,
    number: str,
) -> bytes:
    page = _blank(trip.booking)
    _facts(page, _head(trip.booking, vendor, customer, number))
    _lines(page, lines)
    _facts(page, [("Rent", _balance(now.rent)), ("Deposit", _balance(now.deposit))])
    return bytes(page.output())


def _blank(booking: Booking) -> FPDF:
    page = FPDF(format="A4")
    for style, font in _fonts().items():
        page.add_font(FONT, style, font)
    page.set_title(f"Receipt {booking.reference}")
    page.set_author(settings().product_name)
    page.add_page()
    page.set_font(FONT, "B", 18)
    page.cell(0, 12, f"{settings().product_name}: receipt", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    return page


@cache
def _fonts() -> dict[str, Path]:
    folder = Path(next(iter(rental_app.content.__path__))) / "fonts"
    return {style: folder / name for style, name in FONTS.items()}


def _head(booking: Booking, vendor: User, customer: User, number: str) -> list[tuple[str, str]]:
    booked = Snapshot(**booking.booked)
    window = f"{_when(booking.pickup_at)} to {_when(booking.return_at)}"
    facts = [
        ("Receipt number", number),
        ("Booking", booking.reference),
        ("Vehicle", f"{booked.title}, {booked.year}, {booked.color}"),
        ("Window", window),
        ("Vendor", f"{vendor.gst_name or vendor.name}, {booked.pickup_address}"),
        ("GST number", vendor.gst_number),
        ("Customer", customer.name),
    ]
    return [(label, text) for label, text in facts if text]


def _facts(page: FPDF, facts: Iterable[tuple[str, str]]) -> None:
    page.ln(2)
    for label, text in facts:
        page.set_font(FONT, "B", 10)
        page.cell(LABEL_MM, LINE_MM, label)
        page.set_font(FONT, "", 10)
        page.multi_cell(0, LINE_MM, _printable(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _lines(page: FPDF, lines: Sequence[LedgerEntry]) -> None:
    page.ln(4)
    page.set_font(FONT, "", 9)
    with page.table(
        col_widths=COLUMNS,
        text_align=("LEFT", "LEFT", "LEFT", "LEFT", "RIGHT"),
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        line_height=5,
        padding=(1, 1.5),
        v_align=VAlign.T,
    ) as table:
        table.row(("When", "What", "Note", "How", "Amount"))
        for line in lines:
            when, amount = _when(line.at), format_rupees(line.paise)
            how = METHODS.get(line.method, line.method)
            table.row((when, KINDS[line.kind], _printable(line.note), how, amount))
    page.ln(2)


def _when(instant: datetime) -> str:
    """With its year: receipts are kept for years."""
    return clock.friendly(instant, date.min)


def _balance(paise: int) -> str:
    if not paise:
        return "Settled"
    return f"{format_rupees(abs(paise))} {'to be paid by' if paise > 0 else 'to be returned to'} the customer"


def _printable(text: str) -> str:
    """The text with a question mark for what the font has no letter for."""
    return "".join(char if ord(char) in _letters() else "?" for char in text)


@cache
def _letters() -> frozenset[int]:
    from fontTools.ttLib import TTFont

    return frozenset(TTFont(_fonts()[""]).getBestCmap())
