"""Parts of a row's page that are no list of their own: devices and own pages of a person, the history of a booking."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import orjson
from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.booking_events import MEANINGS, EventKind
from rental_app.domain.errors import NotFoundError
from rental_app.domain.pricing import plan_sort_key
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import (
    AuditEntry,
    Booking,
    BookingEvent,
    LedgerEntry,
    LoginSession,
    Member,
    PricePlan,
    User,
    Vehicle,
    VehiclePrice,
)
from rental_app.schemas.bookings import BookingView, VendorBookingView
from rental_app.schemas.wire import Page
from rental_app.services import audit, throttle
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import invoices, lists
from rental_app.services.console import evidence
from rental_app.services.console.lists import ConsoleRow
from rental_app.services.console.table import Column, RowStanding
from rental_app.services.console.tables.audit import on_booking

MOST = 200
Values = Mapping[str, Any]
# Events that say no more than the line of the account that they wrote.
_WRITES_A_LINE = {
    *(EventKind.PAID, EventKind.REFUNDED, EventKind.DEPOSIT_TAKEN, EventKind.DEPOSIT_RETURNED),
    EventKind.CHARGED,
}


class Part(NamedTuple):
    """A part of the page of each row of a table; `rows` reads what of it belongs to a row, the latest first.

    What `leads` stands before all else, and on the overview.
    """

    table: str
    name: str
    label: str
    columns: tuple[Column, ...]
    rows: Callable[[Session, int], list[Values]]
    leads: bool = False


def of_table(table: str) -> list[Part]:
    """The parts that the rows of a table have."""
    return [part for part in PARTS if part.table == table]


def named(table: str, name: str) -> Part:
    """A part by its name; raises NotFoundError (`unknown_part`)."""
    part = next((part for part in of_table(table) if part.name == name), None)
    if part is None:
        raise NotFoundError("A row of this list has no such part", code="unknown_part")
    return part


def read_part(session: Session, actor: Actor, table: str, row_id: int, name: str) -> list[ConsoleRow]:
    """What a part shows of a row, numbered from 1 on; nothing for a row that does not exist.

    Raises ForbiddenError, and NotFoundError (`unknown_part`).
    """
    operators.enter(actor)
    part = named(table, name)
    throttle.check_rows(actor)
    rows = part.rows(session, row_id)[:MOST]
    throttle.count_rows(actor, len(rows))
    return [ConsoleRow(number, values) for number, values in enumerate(rows, 1)]


# How many bookings of each list of somebody's own pages are shown.
FIRST_BOOKINGS = 20


class OwnPages(NamedTuple):
    """Somebody's account, the bookings that they made, and those of the vehicles of the vendor they work for."""

    user: User
    trips: list[BookingView]
    requests: list[VendorBookingView]


@even_if_read_only
def see_own_pages(session: Session, actor: Actor, person_id: int) -> OwnPages:
    """What somebody sees on their own pages now; the trail says who looked. Nothing else is written.

    Raises ForbiddenError, and NotFoundError for nobody's account and for guests, who have no pages.
    """
    operators.enter(actor)
    own = (col(User.id) == person_id, col(User.is_deleted).is_(False), col(User.is_guest).is_(False))
    user = session.scalars(select(User).where(*own)).first()
    if user is None:
        raise NotFoundError("There is no such account", code="unknown_person")
    employer = session.execute(select(col(Member.vendor_id)).where(col(Member.user_id) == person_id)).scalar()
    person = Actor(address="", id=person_id, role=user.role, jti="", employer=employer or 0)
    page = Page.first(FIRST_BOOKINGS)
    trips = lists.cards_seen_by(session, actor, person, page).items
    requests = lists.seen_by(session, actor, person, page).items if person.vendor else []
    audit.record_look(session, actor, Act.SEEN_AS_THEY, ("user", person_id))
    return OwnPages(user, trips, requests)


class DeviceStanding(RowStanding):
    """Whether somebody is logged in on a device."""

    IN = "in", "Logged in", "good"
    OUT = "out", "Logged out", "plain"


def _devices(session: Session, person_id: int) -> list[Values]:
    """Where a person is logged in, or was until lately."""
    seen = func.coalesce(col(LoginSession.last_seen_at), col(LoginSession.created_at))
    own = select(LoginSession).where(col(LoginSession.user_id) == person_id).order_by(seen.desc()).limit(MOST)
    return [
        {
            "device": each.device or "Unknown device",
            "since": each.created_at,
            "seen": each.last_seen_at or each.created_at,
            "how": "a code alone" if each.by_code else "two steps" if each.stepped_at else "password",
            "state": DeviceStanding.OUT if each.revoked_at else DeviceStanding.IN,
        }
        for each in session.scalars(own)
    ]


def _trail(session: Session, booking_id: int) -> list[Values]:
    """Events, lines of the account and entries of the audit trail of a booking, joined."""
    lines = _lines(session, booking_id)
    events = _events(session, booking_id, lines)
    # What operators did to the booking, or decided about what its customer objected to.
    own = select(AuditEntry, col(User.name)).outerjoin(User, col(AuditEntry.user_id) == User.id)
    decided = session.execute(own.where(on_booking(booking_id)).order_by(col(AuditEntry.id).desc()))
    acts = [_happened(_act(entry), entry.at, name or entry.role, entry.about) for entry, name in decided]
    rows = [*events, *lines.values(), *acts]
    return sorted(rows, key=lambda row: row["at"], reverse=True)


def _events(session: Session, booking_id: int, lines: dict[int, Values]) -> list[Values]:
    """What happened, with the amount of the line that it wrote, which is taken out of `lines`."""
    own = select(BookingEvent, col(User.name)).outerjoin(User, col(BookingEvent.who_id) == User.id)
    rows = session.execute(own.where(col(BookingEvent.booking_id) == booking_id).order_by(col(BookingEvent.id).desc()))
    happened = []
    for event, name in rows.all():
        line = lines.pop(event.entry_id, None) if event.what in _WRITES_A_LINE else None
        word = MEANINGS[event.what].word if event.what in MEANINGS else event.what
        was = f"It was {clock.friendly(event.happened_at)}" if event.happened_at else ""
        note = ". ".join(text for text in (was, event.note) if text)
        happened.append(_happened(word, event.at, name or event.side, note, line["amount"] if line else None))
    return happened


def _lines(session: Session, booking_id: int) -> dict[int, Values]:
    """The lines of the account by their ids, the latest first."""
    own = select(LedgerEntry, col(User.name)).outerjoin(User, col(LedgerEntry.who_id) == User.id)
    rows = session.execute(own.where(col(LedgerEntry.booking_id) == booking_id).order_by(col(LedgerEntry.id).desc()))
    return {
        line.id: _happened(
            f"{'Taken back' if line.reverses else 'Line'}: {line.shown_kind}", line.at, name, line.note, line.paise
        )
        for line, name in rows
    }


def _act(entry: AuditEntry) -> str:
    decision = orjson.loads(entry.after).get("decision")
    words = entry.act.replace(".", " ").replace("_", " ")
    return f"Operator: {words}" + (f" ({decision})" if decision else "")


def _happened(what: str, at: Any, who: str | None, note: str, paise: int | None = None) -> Values:
    return {"what": what, "at": at, "who": who or "system", "amount": paise, "note": note}


def _invoices(session: Session, booking_id: int) -> list[Values]:
    """The tax invoice of a booking and the notes about it; what a credit note takes back is negative."""
    own = select(col(Booking.reference), col(Vehicle.vendor_id)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    row = session.execute(own.where(col(Booking.id) == booking_id)).first()
    papers = invoices.of_booking(session, row.vendor_id, row.reference) if row else ()
    listed = [invoices.listed(paper) for paper in reversed(papers)]
    return [
        {
            "number": one.number,
            "kind": one.kind.capitalize(),
            "at": one.at,
            "amount": one.total,
            "tax": one.cgst + one.sgst + one.igst,
        }
        for one in listed
    ]


class PriceStanding(RowStanding):
    """How a price compares with the recommended one."""

    USUAL = "usual", "Usual", "good"
    ABOVE = "above", "Above what is usual", "waits"
    SWITCHED_OFF = "off", "Switched off", "plain"
    NO_ADVICE = "no_advice", "No advice", "plain"


def _prices(session: Session, vehicle_id: int) -> list[Values]:
    """What a vendor takes for each plan, beside what is recommended for the model and the most that is usual."""
    is_of_model = (col(PricePlan.model_id) == col(Vehicle.model_id)) & (
        col(PricePlan.price_name) == col(VehiclePrice.price_name)
    )
    own = (
        select(VehiclePrice, PricePlan)
        .join(Vehicle, col(VehiclePrice.vehicle_id) == col(Vehicle.id))
        .outerjoin(PricePlan, is_of_model)
        .where(col(VehiclePrice.vehicle_id) == vehicle_id)
    )
    return [
        {
            "plan": price.price_name,
            "price": price.price_paise,
            "kms": price.kms_limit or None,
            "recommended": advice.recommended_paise if advice else None,
            "most": advice.max_paise if advice else None,
            "state": _judged(price, advice),
        }
        for price, advice in sorted(session.execute(own).all(), key=lambda row: plan_sort_key(row[0].price_name))
    ]


def _judged(price: VehiclePrice, advice: PricePlan | None) -> PriceStanding:
    if price.status != "Active":
        return PriceStanding.SWITCHED_OFF
    if advice is None:
        return PriceStanding.NO_ADVICE
    return PriceStanding.ABOVE if price.price_paise > advice.max_paise else PriceStanding.USUAL


PARTS = (
    Part(
        "objections",
        "sides",
        "Both sides",
        (
            Column("side", "Side", None),
            Column("note", "Says", None),
            Column("who", "Name", None),
            Column("at", "When", None, "moment"),
        ),
        evidence.sides,
        leads=True,
    ),
    Part(
        "listings",
        "findings",
        "What differs",
        (
            Column("title", "What", None),
            Column("note", "How", None),
            Column("reason", "What the vendor may be told", None),
        ),
        evidence.findings_of,
        leads=True,
    ),
    Part(
        "papers",
        "findings",
        "What differs",
        (
            Column("title", "What", None),
            Column("note", "How", None),
            Column("reason", "What the person may be told", None),
        ),
        evidence.findings_on_paper,
        leads=True,
    ),
    Part(
        "listings",
        "prices",
        "Prices",
        (
            Column("plan", "Plan", None),
            Column("price", "Price", None, "money"),
            Column("recommended", "Recommended", None, "money"),
            Column("most", "The most that is usual", None, "money"),
            Column("kms", "Kilometres", None, "number"),
            Column("state", "State", None, "state", states=PriceStanding),
        ),
        _prices,
        leads=True,
    ),
    Part(
        "people",
        "devices",
        "Devices",
        (
            Column("device", "Device", None),
            Column("state", "State", None, "state", states=DeviceStanding),
            Column("seen", "Last used", None, "moment"),
            Column("since", "Since", None, "moment"),
            Column("how", "Logged in by", None),
        ),
        _devices,
    ),
    Part(
        "bookings",
        "trail",
        "History",
        (
            Column("what", "What", None),
            Column("at", "When", None, "moment"),
            Column("who", "By", None),
            Column("amount", "Amount", None, "money"),
            Column("note", "Note", None),
        ),
        _trail,
        leads=True,
    ),
    Part(
        "bookings",
        "invoices",
        "Invoices and notes",
        (
            Column("number", "Number", None),
            Column("kind", "Kind", None),
            Column("at", "Issued", None, "moment"),
            Column("amount", "Total", None, "money"),
            Column("tax", "Tax", None, "money"),
        ),
        _invoices,
    ),
)
