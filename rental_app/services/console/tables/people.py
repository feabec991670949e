"""Everybody with an account: customers, guests, vendors, members and operators."""

from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.domain import account
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.models import AccountChange, Booking, LedgerEntry, LoginSession, Member, Proof, User, Vehicle
from rental_app.schemas.operating import Blocking, LockedFields, NoteRequest, RecoveryRequest, StopRequest
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.availability.holds import bound
from rental_app.services.bookings.rows import summed
from rental_app.services.console.deciding import WHY, by
from rental_app.services.console.table import Action, ActionField, Column, Decision, Filter, Option, Related, Table
from rental_app.services.operating import people

BLOCKED, ERASED, ASKS, WAITS, IN_ORDER = "Blocked", "Erased", "Change request", "Listing waits", "In order"
RECOVERS, GUEST, OPERATES = "Lost mail or phone", "Guest", "Operator"
_Own: Any = aliased(Vehicle)
_IS_VENDOR = col(User.role) == "Vendor"


def _one(statement: Any) -> ColumnElement[Any]:
    """SQL: a value about each person."""
    value: ColumnElement[Any] = statement.correlate(User).scalar_subquery()
    return value


def _there_is(statement: Any) -> ColumnElement[bool]:
    found: ColumnElement[bool] = statement.correlate(User).exists()
    return found


_ROLE = case(
    (col(User.is_guest), "Guest"),
    (_there_is(select(col(Member.user_id)).where(col(Member.user_id) == User.id)), "Member"),
    else_=col(User.role),
)
_ASKS = select(col(AccountChange.id)).where(col(AccountChange.user_id) == User.id, col(AccountChange.decision) == "")
_LISTS = select(_Own.vendor_id).where(_Own.is_approved.is_(False), _Own.refusal == "")
_RECOVERY = (
    col(Proof.user_id) == User.id,
    col(Proof.purpose) == Purpose.RECOVER.value,
    col(Proof.used_at).is_(None),
    col(Proof.expires_at) > bound("instant"),
)
_RECOVERS = _there_is(select(col(Proof.id)).where(*_RECOVERY))
_STATE = case(
    (col(User.is_deleted), ERASED),
    # Nothing is decided here about guests, who have no account, nor about operators.
    (col(User.is_guest), GUEST),
    (col(User.role) == "Operator", OPERATES),
    (col(User.status) != "active", BLOCKED),
    (_RECOVERS, RECOVERS),
    (_there_is(_ASKS), ASKS),
    (_there_is(_LISTS.where(_Own.vendor_id == User.id)), WAITS),
    else_=IN_ORDER,
)
_AS_VENDOR = (
    select(func.count()).select_from(Booking).join(_Own, _Own.id == Booking.vehicle_id).where(_Own.vendor_id == User.id)
)
_AS_CUSTOMER = select(func.count()).select_from(Booking).where(col(Booking.customer_id) == User.id)
_BOOKINGS = case((_IS_VENDOR, _one(_AS_VENDOR)), else_=_one(_AS_CUSTOMER))
_LINES = col(Booking.customer_id) == User.id
_OVER = or_(
    col(Booking.status) == BookingStatus.CANCELLED,
    col(Booking.stage).in_((TripStage.RETURNED, TripStage.SETTLED, TripStage.NO_SHOW)),
)


def _summed(signs: dict[str, int], *which: ColumnElement[bool]) -> ColumnElement[int]:
    """SQL: the sum of the lines of a customer's accounts."""
    lines = select(summed(signs)).select_from(LedgerEntry).join(Booking, col(LedgerEntry.booking_id) == Booking.id)
    return _one(lines.where(_LINES, *which))


_OWES = _summed(account.RENT_SIGNS, _OVER)
# All at once: for a filter, a sum of each person's own would look up the lines of everybody.
_DEBTORS = (
    select(col(Booking.customer_id))
    .join(LedgerEntry, col(LedgerEntry.booking_id) == Booking.id)
    .where(_OVER)
    .group_by(col(Booking.customer_id))
    .having(summed(account.RENT_SIGNS) > 0)
)
_IS_DEBTOR = col(User.id).in_(_DEBTORS)
_SESSIONS = col(LoginSession.user_id) == User.id
_SEEN = _one(
    select(func.max(func.coalesce(col(LoginSession.last_seen_at), col(LoginSession.created_at)))).where(_SESSIONS)
)
_DEVICES = _one(select(func.count()).select_from(LoginSession).where(_SESSIONS, col(LoginSession.revoked_at).is_(None)))
_ADDRESS = col(User.address) + ", " + col(User.city) + " " + col(User.zip_code)
_NUMBER = col(User.bank_account_no)
# Nothing that is decided about a person needs more of it than its end.
_ACCOUNT = case((_NUMBER == "", ""), else_="..." + func.substr(_NUMBER, func.length(_NUMBER) - 3, 4))
_LOCKED = (
    ActionField("name", "Another name", "text", required=False),
    ActionField("email", "Another email", "text", required=False),
    ActionField("phoneNumber", "Another mobile number", "text", required=False),
    ActionField("bank", "Another bank account: bank, number, IFSC", "text", required=False),
    ActionField("commission", "Commission in percent", "text", required=False),
    ActionField("reason", "Why: they read it at the old address too", required=False),
)
_LOST = (
    ActionField("checked", "How you know that it is them, for the trail. They are told, and can stop it for 72 hours"),
    ActionField("email", "The new email", "text", required=False),
    ActionField("phoneNumber", "The new mobile number", "text", required=False),
)
_NOTE = (ActionField("text", "Note, for operators alone"),)
_ACTIVE = frozenset({IN_ORDER, ASKS, WAITS, RECOVERS})
_MAY_SAY_WHY = (ActionField("reason", "Why", required=False),)


def _send_reset_link(session: Session, actor: Actor, chosen: Decision) -> str:
    return people.send_reset_link(session, actor, chosen.row)


TABLE = Table(
    name="people",
    title="People",
    one="person",
    under="email",
    subject="user",
    versioned=True,
    key=col(User.id),
    source=User.__table__,  # type: ignore[attr-defined]
    columns=(
        Column("name", "Name", col(User.name), sortable=True),
        Column("email", "E-mail", col(User.email), sortable=True),
        Column("phone", "Mobile", col(User.phone_number), sortable=True),
        Column("role", "Role", _ROLE),
        Column("bookings", "Bookings", _BOOKINGS, "number"),
        Column("owes", "Owes rent", _OWES, "money", balance=True),
        Column(
            "state",
            "State",
            _STATE,
            "state",
            tones={
                BLOCKED: "bad",
                **dict.fromkeys((ERASED, GUEST, OPERATES), "plain"),
                RECOVERS: "bad",
                ASKS: "waits",
                WAITS: "waits",
                IN_ORDER: "good",
            },
        ),
        Column("seen", "Last seen", _SEEN, "moment"),
        Column("since", "Since", col(User.created_at), "moment", sortable=True, listed=False),
        Column("paid", "Paid so far", _summed(account.PAID_SIGNS), "money", listed=False),
        Column("held", "Deposits held", _summed(account.DEPOSIT_SIGNS), "money", listed=False),
        Column("devices", "Devices", _DEVICES, "number", listed=False),
        Column(
            "recovery",
            "Another email or mobile from",
            _one(select(func.max(col(Proof.expires_at))).where(*_RECOVERY)),
            "moment",
            listed=False,
        ),
        Column("address", "Address", _ADDRESS, listed=False),
        Column("confirmed", "E-mail confirmed", col(User.email_verified_at), "moment", listed=False),
        Column("bank", "Bank", col(User.bank_name), listed=False),
        Column("account", "Account number", _ACCOUNT, listed=False),
        Column("ifsc", "IFSC", col(User.bank_ifsc), listed=False),
    ),
    sort="name",
    search=(col(User.name), col(User.email), col(User.phone_number)),
    filters=(
        Filter(
            "role",
            "Role",
            tuple(
                Option(name.lower(), name, name == _ROLE)
                for name in ("Customer", "Vendor", "Member", "Guest", "Operator")
            ),
        ),
        Filter(
            "state",
            "State",
            (
                Option("blocked", BLOCKED, col(User.status) != "active"),
                Option("recovers", RECOVERS, _RECOVERS),
                Option("asks", ASKS, _there_is(_ASKS)),
                Option("waits", WAITS, and_(col(User.id).in_(_LISTS), _STATE == WAITS)),
                Option("erased", ERASED, col(User.is_deleted)),
            ),
        ),
        Filter(
            "money", "Money open", (Option("open", "Owes rent", _IS_DEBTOR), Option("none", "Nothing", ~_IS_DEBTOR))
        ),
    ),
    state="state",
    actions=(
        Action("reset_link", "Send reset link", _send_reset_link, _ACTIVE),
        Action("change", "Change", by(people.change, LockedFields), _ACTIVE | {BLOCKED}, _LOCKED),
        Action("note", "Add a note", by(people.add_note, NoteRequest), _ACTIVE | {BLOCKED, GUEST}, _NOTE),
        Action(
            "recover", "Lost mail and phone", by(people.begin_recovery, RecoveryRequest), _ACTIVE - {RECOVERS}, _LOST
        ),
        Action("keep", "Stop another email or mobile", by(people.end_recovery, StopRequest), frozenset({RECOVERS})),
        Action("unblock", "Unblock", by(people.unblock, Blocking), frozenset({BLOCKED}), _MAY_SAY_WHY),
        Action("block", "Block", by(people.block, Blocking), _ACTIVE, WHY, danger=True),
    ),
    figures=("bookings", "paid", "owes", "held", "devices"),
    related=(
        Related("bookings", "person", "Bookings"),
        Related("listings", "vendor", "Vehicles"),
        Related("ledger", "person", "Account"),
        Related("requests", "person", "Requests"),
        Related("reviews", "person", "Reviews"),
        Related("messages", "person", "Messages"),
        Related("notes", "person", "Notes"),
        Related("audit", "person", "Audit"),
    ),
)
