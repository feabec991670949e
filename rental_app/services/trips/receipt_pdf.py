"""The receipt of a booking as a page to print."""

from collections.abc import Iterable, Sequence

from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError
from rental_app.domain.money import format_rupees
from rental_app.models import IssuedLine, IssuedPaper, ReceiptSnapshot
from rental_app.models.booking import PENDING
from rental_app.services import issued_papers, throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import ledger
from rental_app.services.bookings.access import Trip, find
from rental_app.services.bookings.ledger import OpenBalance
from rental_app.services.files.pdf import add_facts, add_table, blank, when

COLUMNS = (45, 32, 71, 14, 28)


def of(session: Session, actor: Actor, ref: str) -> bytes:
    """The receipt as a PDF; raises NotFoundError, ConflictError if the booking was never confirmed, and StoreFirstError
    as `receipts.numbered` does."""
    throttle.count("look", actor)
    return receipt(session, find(session, actor, ref))


def receipt(session: Session, trip: Trip) -> bytes:
    """The same for a side that is known to have access: what a numbered one said when it got its number, otherwise the
    account as it stands."""
    instant = clock.now()
    if paper := ledger.numbered(session, trip.booking, trip.vendor_id, instant):
        return _page(issued_papers.read(paper, ReceiptSnapshot), trip.side, paper)
    said = ledger.to_say(session, trip.booking, trip.vendor_id, instant)
    if trip.booking.status == PENDING or not said.lines:
        raise ConflictError("There is a receipt once the booking is confirmed", code="not_confirmed")
    return _page(said, trip.side)


def _page(said: ReceiptSnapshot, side: str, paper: IssuedPaper | None = None) -> bytes:
    """A receipt, drawn from what it says alone; its vendor's people see the plate as well."""
    page = blank(f"Receipt {said.reference}", "receipt", said.at, said.product)
    number = [("Receipt number", paper.number_text), ("Date", when(paper.made_at))] if paper else []
    add_facts(page, [*number, *_head(said, said.plate if side == "vendor" else "")])
    add_table(page, COLUMNS, 1, _lines(said.lines))
    now = _open(said)
    add_facts(page, [("Rent", now.rent_text), ("Deposit", now.deposit_text)])
    return bytes(page.output())


def _open(said: ReceiptSnapshot) -> OpenBalance:
    return OpenBalance(
        rent=said.rent,
        deposit=said.deposit,
        held=said.held,
        vendor=said.holder,
        return_at=said.return_at,
        came_back=said.came_back,
        ended=said.ended,
        for_customer=False,
        read_at=said.at,
    )


def _came_back(said: ReceiptSnapshot) -> str:
    """When the vehicle came back, and when that was noted if it was later; '' while it has not."""
    if said.back_at is None or said.came_back is None:
        return ""
    noted = f", noted {when(said.came_back)}" if said.came_back != said.back_at else ""
    return f"{when(said.back_at)}{noted}"


def _head(said: ReceiptSnapshot, plate: str) -> list[tuple[str, str]]:
    facts = [
        ("Booking", said.reference),
        ("Vehicle", said.vehicle),
        ("RC number", plate),
        ("Window", f"{when(said.pickup_at)} to {when(said.return_at)}"),
        ("Came back", _came_back(said)),
        ("Vendor", f"{said.vendor}, {said.address}"),
        ("GST number", said.gst_number),
        ("Customer", said.customer),
    ]
    return [(label, text) for label, text in facts if text]


def _lines(lines: Sequence[IssuedLine]) -> Iterable[Sequence[str]]:
    yield "When", "What", "Note", "How", "Amount"
    for line in lines:
        yield ledger.when_paid(line), line.what, line.note, line.how, format_rupees(line.paise)
