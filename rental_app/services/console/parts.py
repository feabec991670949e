"""Parts of a row's page that are no list of their own: a person's devices, and all that happened to a booking."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import orjson
from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import MEANINGS, EventKind
from rental_app.domain.errors import NotFoundError
from rental_app.domain.pricing import plan_sort_key
from rental_app.models import (
    AuditEntry,
    BookingEvent,
    LedgerEntry,
    LoginSession,
    PricePlan,
    User,
    Vehicle,
    VehiclePrice,
)
from rental_app.services import throttle
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import evidence, findings
from rental_app.services.console.lists import ConsoleRow
from rental_app.services.console.table import Column, State
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
    found = next((part for part in of_table(table) if part.name == name), None)
    if found is None:
        raise NotFoundError("A row of this list has no such part", code="unknown_part")
    return found


def read_part(session: Session, actor: Actor, table: str, row_id: int, name: str) -> list[ConsoleRow]:
    """What a part shows of a row, numbered from 1 on; nothing for a row that does not exist.

    Raises ForbiddenError, and NotFoundError (`unknown_part`).
    """
    operators.enter(actor)
    part = named(table, name)
    throttle.check_rows(actor)
    found = part.rows(session, row_id)[:MOST]
    throttle.count_rows(actor, len(found))
    return [ConsoleRow(number, values) for number, values in enumerate(found, 1)]


class DeviceState(State):
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
            "state": DeviceState.OUT if each.revoked_at else DeviceState.IN,
        }
        for each in session.scalars(own)
    ]


def _trail(session: Session, booking_id: int) -> list[Values]:
    """Events, lines of the account and entries of the audit trail of a booking, joined."""
    lines = _lines(session, booking_id)
    happened = _events(session, booking_id, lines)
    found = [*happened, *lines.values(), *_entries(session, booking_id)]
    return sorted(found, key=lambda row: row["at"], reverse=True)


def _events(session: Session, booking_id: int, lines: dict[int, Values]) -> list[Values]:
    """What happened, with the amount of the line that it wrote, which is taken out of `lines`."""
    own = select(BookingEvent, col(User.name)).outerjoin(User, col(BookingEvent.who_id) == User.id)
    rows = session.execute(own.where(col(BookingEvent.booking_id) == booking_id).order_by(col(BookingEvent.id).desc()))
    found = []
    for event, name in rows.all():
        line = lines.pop(event.entry_id, None) if event.what in _WRITES_A_LINE else None
        amount = line["amount"] if line else None
        found.append(_happened(_word(event.what), event.at, name or event.side, _note(event), amount))
    return found


def _note(event: BookingEvent) -> str:
    """What was said of an event, after when it was if it was noted later."""
    was = f"It was {clock.friendly(event.happened_at)}" if event.happened_at else ""
    return ". ".join(text for text in (was, event.note) if text)


def _word(what: str) -> str:
    return MEANINGS[what].word if what in MEANINGS else what


def _lines(session: Session, booking_id: int) -> dict[int, Values]:
    """The lines of the account by their ids, the latest first."""
    own = select(LedgerEntry, col(User.name)).outerjoin(User, col(LedgerEntry.who_id) == User.id)
    rows = session.execute(own.where(col(LedgerEntry.booking_id) == booking_id).order_by(col(LedgerEntry.id).desc()))
    return {line.id: _happened(_called(line), line.at, name, line.note, line.paise) for line, name in rows}


def _called(line: LedgerEntry) -> str:
    return f"{'Taken back' if line.reverses else 'Line'}: {line.shown_kind}"


def _entries(session: Session, booking_id: int) -> list[Values]:
    """What operators did to the booking, or decided about what its customer objected to."""
    own = select(AuditEntry, col(User.name)).outerjoin(User, col(AuditEntry.user_id) == User.id)
    rows = session.execute(own.where(on_booking(booking_id)).order_by(col(AuditEntry.id).desc()))
    return [_happened(_act(entry), entry.at, name or entry.role, entry.about) for entry, name in rows]


def _act(entry: AuditEntry) -> str:
    after = orjson.loads(entry.after)
    decided = after.get("decision")
    did = entry.act.replace(".", " ").replace("_", " ")
    return f"Operator: {did}" + (f" ({decided})" if decided else "")


def _happened(what: str, at: Any, who: str | None, note: str, paise: int | None = None) -> Values:
    return {"what": what, "at": at, "who": who or "system", "amount": paise, "note": note}


class PriceState(State):
    """How a price stands beside what is advised."""

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


def _judged(price: VehiclePrice, advice: PricePlan | None) -> PriceState:
    if price.status != "Active":
        return PriceState.SWITCHED_OFF
    if advice is None:
        return PriceState.NO_ADVICE
    return PriceState.ABOVE if price.price_paise > advice.max_paise else PriceState.USUAL


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
        findings.of_listing,
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
            Column("state", "State", None, "state", states=PriceState),
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
            Column("state", "State", None, "state", states=DeviceState),
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
)
