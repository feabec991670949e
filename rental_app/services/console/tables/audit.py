"""The audit trail: who did what, when and from where."""

from sqlalchemy import ColumnElement, String, and_, cast, func, join, or_, select
from sqlmodel import col

from rental_app.models import AuditEntry, BookingEvent, User
from rental_app.services.console.table import Column, Filter, Option, Table

_WHO = func.coalesce(col(User.name), "")
_ON_TEXT = col(AuditEntry.subject) + " " + cast(col(AuditEntry.subject_id), String)


def _on(subject: str, row_id: int) -> ColumnElement[bool]:
    """SQL: whether an entry is about a subject with an id."""
    return and_(col(AuditEntry.subject) == subject, col(AuditEntry.subject_id) == row_id)


def _with_person(row_id: int) -> ColumnElement[bool]:
    """SQL: whether somebody did what an entry tells, or it was done to their account."""
    return or_(col(AuditEntry.user_id) == row_id, _on("user", row_id))


def on_booking(row_id: int) -> ColumnElement[bool]:
    """SQL: whether an entry is about a booking, or about one of its events."""
    events = select(col(BookingEvent.id)).where(col(BookingEvent.booking_id) == row_id)
    on_event = and_(col(AuditEntry.subject) == "booking_event", col(AuditEntry.subject_id).in_(events))
    return or_(_on("booking", row_id), on_event)


AUDIT = Table(
    name="audit",
    title="Audit",
    one="entry of the trail",
    under="who",
    key=col(AuditEntry.id),
    source=join(AuditEntry, User, col(AuditEntry.user_id) == col(User.id), isouter=True),
    columns=(
        Column("act", "Act", col(AuditEntry.act), "code", sortable=True),
        Column("who", "By", _WHO),
        Column("role", "Role", col(AuditEntry.role)),
        Column("on", "On", _ON_TEXT, "code"),
        Column("about", "About", col(AuditEntry.about)),
        Column("at", "When", col(AuditEntry.at), "moment", sortable=True),
        Column("before", "Before", col(AuditEntry.before), listed=False, values=True),
        Column("after", "After", col(AuditEntry.after), listed=False, values=True),
        Column("address", "Address", col(AuditEntry.address), listed=False),
        Column("request", "Request", col(AuditEntry.request_id), listed=False),
    ),
    sort="-at",
    search=(col(AuditEntry.act), col(AuditEntry.about), col(User.name), col(User.email), _ON_TEXT),
    filters=(
        Filter(
            "by",
            "By",
            (
                Option("operators", "Operators", col(AuditEntry.role) == "Operator"),
                Option("vendors", "Vendors", col(AuditEntry.role) == "Vendor"),
                Option("customers", "Customers", col(AuditEntry.role) == "Customer"),
            ),
        ),
        Filter("person", "Person", belongs=_with_person),
        Filter("vehicle", "Vehicle", belongs=lambda row_id: _on("vehicle", row_id)),
        Filter("booking", "Booking", belongs=on_booking),
        Filter("paper", "Document", belongs=lambda row_id: _on("identity_paper", row_id)),
    ),
)
