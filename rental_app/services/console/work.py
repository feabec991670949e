"""The operator's work: what waits for a decision, in one queue, the oldest due first."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import NamedTuple

from sqlalchemy import Date, and_, bindparam, case
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.models import AccountChange, Booking, BookingEvent, IdentityPaper, Outbox, Review, Vehicle
from rental_app.services import throttle
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import tables
from rental_app.services.console.table import REFUND_AFTER, Sql, moments
from rental_app.services.console.tables.bookings import ENDED

# How soon what came in is to be decided.
A_DAY, TWO_DAYS = timedelta(days=1), timedelta(days=2)
MOST = 200


class WorkItem(NamedTuple):
    """Something to decide: `id` is what its decision takes, `ref` what people call it, `due` when it should be done,
    and the `amount` that it is about, in paise."""

    kind: str
    id: int
    ref: str
    title: str
    note: str
    due: datetime
    amount: int | None = None


class Work(NamedTuple):
    """The queue, and how much there is of each kind in all."""

    items: list[WorkItem]
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class WorkKind:
    """A kind of work: the rows of a table that meet a condition, to be done a while after they came in (`since`).

    `ref`, `title`, `note` and, if it is about money, `amount` are columns of the table.
    """

    name: str
    label: str
    table: str
    which: Sql
    since: Sql
    allowed: timedelta
    ref: str
    title: str
    note: str
    amount: str = ""


@cache
def kinds() -> dict[str, WorkKind]:
    """Every kind of work by its name."""
    insured: Sql = col(Vehicle.insurance_expiry_date)
    clean: Sql = col(Vehicle.pollution_expiry_date)
    expires = case((insured < clean, insured), else_=clean)
    every = (
        WorkKind(
            name="listings",
            label="Listing",
            table="listings",
            which=_option("listings", "state", "waits"),
            since=col(Vehicle.created_at),
            allowed=A_DAY,
            ref="plate",
            title="vehicle",
            note="vendor",
        ),
        WorkKind(
            name="requests",
            label="Change request",
            table="requests",
            which=_option("requests", "state", "open"),
            since=col(AccountChange.created_at),
            allowed=A_DAY,
            ref="email",
            title="field",
            note="vendor",
        ),
        WorkKind(
            name="identity",
            label="Customer's document",
            table="papers",
            which=_option("papers", "state", "sent"),
            since=col(IdentityPaper.sent_at),
            allowed=A_DAY,
            ref="email",
            title="kind",
            note="person",
        ),
        WorkKind(
            name="objections",
            label="Objection",
            table="objections",
            which=_option("objections", "state", "open"),
            since=col(BookingEvent.at),
            allowed=A_DAY,
            ref="reference",
            title="about",
            note="customer",
            amount="amount",
        ),
        WorkKind(
            name="reviews",
            label="Review reported",
            table="reviews",
            which=_option("reviews", "state", "reported"),
            since=col(Review.reported_at),
            allowed=TWO_DAYS,
            ref="reference",
            title="by",
            note="report",
        ),
        WorkKind(
            name="messages",
            label="Message given up",
            table="messages",
            which=_option("messages", "state", "given_up"),
            since=col(Outbox.created_at),
            allowed=TWO_DAYS,
            ref="to",
            title="kind",
            note="error",
        ),
        WorkKind(
            name="refunds",
            label="Refund open",
            table="bookings",
            which=_option("bookings", "money", "overdue"),
            since=ENDED,
            allowed=REFUND_AFTER,
            ref="reference",
            title="vehicle",
            note="vendor",
        ),
        WorkKind(
            name="bookings",
            label="Vendor blocked",
            table="bookings",
            which=and_(_option("bookings", "vendor", "blocked"), _option("bookings", "state", "booked")),
            since=col(Booking.pickup_at),
            allowed=-A_DAY,
            ref="reference",
            title="vehicle",
            note="customer",
        ),
        WorkKind(
            name="papers",
            label="Documents expire",
            table="listings",
            which=and_(
                col(Vehicle.is_active), col(Vehicle.is_approved), expires <= bindparam("expiring", type_=Date())
            ),
            since=expires,
            allowed=timedelta(),
            ref="plate",
            title="vehicle",
            note="vendor",
        ),
    )
    return {kind.name: kind for kind in every}


def _option(table: str, name: str, value: str) -> Sql:
    """SQL: what a filter of a table asks for."""
    chosen = next(each for each in tables.named(table).filters if each.name == name)
    return next(each.condition for each in chosen.options if each.value == value)


def queue(session: Session, actor: Actor) -> Work:
    """What waits for an operator, and how much of each kind. Raises ForbiddenError."""
    operators.enter(actor)
    throttle.check_rows(actor)
    items = [item for kind in kinds().values() for item in _items(session, kind)]
    throttle.count_rows(actor, len(items))
    return Work(sorted(items, key=lambda item: (item.due, item.kind, item.id))[:MOST], _counts(session))


def counts(session: Session, actor: Actor) -> dict[str, int]:
    """How much work there is of each kind. Raises ForbiddenError."""
    operators.enter(actor)
    return _counts(session)


def _counts(session: Session) -> dict[str, int]:
    counted = {name: tables.named(kind.table).count([kind.which]) for name, kind in kinds().items()}
    return {name: int(session.execute(each, moments()).scalar_one()) for name, each in counted.items()}


def _items(session: Session, kind: WorkKind) -> list[WorkItem]:
    table = tables.named(kind.table)
    named = {"ref": kind.ref, "title": kind.title, "note": kind.note}
    if kind.amount:
        named["amount"] = kind.amount
    values = [table.key.label("id"), kind.since.label("since")]
    values += [table.column(column).value.label(name) for name, column in named.items()]
    statement = table.select(values, [kind.which]).order_by(kind.since, table.key).limit(MOST)
    return [
        WorkItem(
            *(kind.name, row["id"], row["ref"], row["title"], row["note"]),
            due=_moment(row["since"]) + kind.allowed,
            amount=row.get("amount"),
        )
        for row in session.execute(statement, moments()).mappings()
    ]


def _moment(since: datetime | date) -> datetime:
    return since if isinstance(since, datetime) else clock.at(since, time())
