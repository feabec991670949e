"""Everybody with an account: customers, guests, vendors, members and operators; what vendors ask to have changed, and
what operators have noted."""

from typing import Any

from sqlalchemy import ColumnElement, Float, and_, case, cast, func, join, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from rental_app.domain import account
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.models import (
    AccountChange,
    Booking,
    LedgerEntry,
    LoginSession,
    Member,
    PersonNote,
    Proof,
    User,
    Vehicle,
)
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.availability.holds import bound
from rental_app.services.bookings.rows import summed
from rental_app.services.console.table import (
    WHY,
    Action,
    ActionField,
    Column,
    Filter,
    Option,
    Related,
    RowStanding,
    Table,
    by,
    state_filter,
    state_of,
)
from rental_app.services.operating import acts, people


class PersonStanding(RowStanding):
    """How an account stands; nothing is decided here about guests, who have none, nor about operators."""

    BLOCKED = "blocked", "Blocked", "bad"
    RECOVERS = "recovers", "Lost mail or phone", "bad"
    ASKS = "asks", "Change request", "waits"
    WAITS = "waits", "Listing waits", "waits"
    LEAVES = "leaves", "Asked to be erased", "waits"
    ERASED = "erased", "Erased", "plain"
    GUEST = "guest", "Guest", "plain"
    OPERATOR = "operator", "Operator", "plain"
    IN_ORDER = "in_order", "In order", "good"


_Own: Any = aliased(Vehicle)
_IS_VENDOR = col(User.role) == "Vendor"


def _one(statement: Any) -> ColumnElement[Any]:
    """SQL: a value about each person."""
    value: ColumnElement[Any] = statement.correlate(User).scalar_subquery()
    return value


def _there_is(statement: Any) -> ColumnElement[bool]:
    exists: ColumnElement[bool] = statement.correlate(User).exists()
    return exists


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
_STATE = state_of(
    (
        (col(User.is_deleted), PersonStanding.ERASED),
        (col(User.is_guest), PersonStanding.GUEST),
        (col(User.role) == "Operator", PersonStanding.OPERATOR),
        (col(User.status) != "active", PersonStanding.BLOCKED),
        (col(User.erase_asked_at).is_not(None), PersonStanding.LEAVES),
        (_RECOVERS, PersonStanding.RECOVERS),
        (_there_is(_ASKS), PersonStanding.ASKS),
        (_there_is(_LISTS.where(_Own.vendor_id == User.id)), PersonStanding.WAITS),
    ),
    PersonStanding.IN_ORDER,
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
_COMMISSION = cast(col(User.commission_bps), Float) / 100
_NUMBER = col(User.bank_account_no)
# Nothing that is decided about a person needs more of it than its end.
_ACCOUNT = case((_NUMBER == "", ""), else_="..." + func.substr(_NUMBER, func.length(_NUMBER) - 3, 4))
_OF_VENDORS = ("role", "Vendor")
_LOCKED = (
    ActionField("name", "Name", "text", required=False, column="name"),
    ActionField("email", "Email", "text", required=False, column="email"),
    ActionField("phoneNumber", "Mobile number", "text", required=False, column="phone"),
    ActionField(
        *("bank", "Another bank account: bank, number, IFSC", "text"),
        required=False,
        now=("bank", "account", "ifsc"),
        only=_OF_VENDORS,
    ),
    ActionField("commission", "Commission in percent", "text", required=False, column="commission", only=_OF_VENDORS),
    ActionField("reason", "Why: they read it at the old address too", required=False),
)
_LOST = (
    ActionField("checked", "How you know that it is them, for the trail. They are told, and can stop it for 72 hours"),
    ActionField("email", "The new email", "text", required=False),
    ActionField("phoneNumber", "The new mobile number", "text", required=False),
)
_NOTE = (ActionField("text", "Note, for operators alone"),)
_ACTIVE = {
    *(PersonStanding.IN_ORDER, PersonStanding.ASKS, PersonStanding.WAITS, PersonStanding.RECOVERS),
    PersonStanding.LEAVES,
}
_MAY_SAY_WHY = (ActionField("reason", "Why", required=False),)

PEOPLE = Table(
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
        Column("owes", "Rent open", _OWES, "money", balance=True),
        Column("state", "State", _STATE, "state", states=PersonStanding),
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
        Column("commission", "Commission", _COMMISSION, "number", listed=False, detailed=False),
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
        state_filter(
            {
                PersonStanding.BLOCKED: col(User.status) != "active",
                PersonStanding.RECOVERS: _RECOVERS,
                PersonStanding.ASKS: _there_is(_ASKS),
                PersonStanding.WAITS: and_(col(User.id).in_(_LISTS), PersonStanding.WAITS.value == _STATE),
                PersonStanding.LEAVES: and_(
                    col(User.erase_asked_at).is_not(None), PersonStanding.LEAVES.value == _STATE
                ),
                PersonStanding.ERASED: col(User.is_deleted),
            }
        ),
        Filter(
            "money", "Money open", (Option("open", "Owes rent", _IS_DEBTOR), Option("none", "Nothing", ~_IS_DEBTOR))
        ),
    ),
    state="state",
    actions=(
        Action("reset_link", "Send reset link", by(acts.SEND_RESET_LINK), _ACTIVE),
        Action("change", "Change", by(acts.CHANGE_PERSON), _ACTIVE | {PersonStanding.BLOCKED}, _LOCKED),
        Action(
            "note", "Add a note", by(acts.ADD_NOTE), _ACTIVE | {PersonStanding.BLOCKED, PersonStanding.GUEST}, _NOTE
        ),
        Action("recover", "Lost mail and phone", by(acts.BEGIN_RECOVERY), _ACTIVE - {PersonStanding.RECOVERS}, _LOST),
        Action("keep", "Stop another email or mobile", by(acts.END_RECOVERY), {PersonStanding.RECOVERS}),
        Action("unblock", "Unblock", by(acts.UNBLOCK_PERSON), {PersonStanding.BLOCKED}, _MAY_SAY_WHY),
        Action("block", "Block", by(acts.BLOCK_PERSON), _ACTIVE, WHY, danger=True, means=people.what_a_block_does),
    ),
    figures=("bookings", "paid", "owes", "held", "devices"),
    related=(
        Related("bookings", "person", "Bookings"),
        Related("listings", "vendor", "Vehicles"),
        Related("ledger", "person", "Account"),
        Related("requests", "person", "Requests"),
        Related("papers", "person", "Documents"),
        Related("reviews", "person", "Reviews"),
        Related("messages", "person", "Messages"),
        Related("notes", "person", "Notes"),
        Related("audit", "person", "Audit"),
    ),
)


class RequestStanding(RowStanding):
    """How a change request stands."""

    OPEN = "open", "Waits for you", "waits"
    GRANTED = "granted", "Granted", "good"
    REFUSED = "refused", "Refused", "bad"
    WITHDRAWN = "withdrawn", "Withdrawn", "plain"


_DECISION: Any = col(AccountChange.decision)
_CALLED = {"name": "Name", "email": "E-mail", "phone": "Mobile number", "bank": "Bank account"}
_FIELD = case(_CALLED, value=col(AccountChange.field), else_=col(AccountChange.field))
_REQUEST_STATE = case((_DECISION == "", RequestStanding.OPEN.value), else_=_DECISION)
_IS_BANK = col(AccountChange.field) == "bank"
# A whole account number is shown to whoever decides about it, and no longer.
_BANK_TO_DECIDE = and_(_IS_BANK, col(AccountChange.decision) == "")

REQUESTS = Table(
    name="requests",
    title="Change requests",
    one="change request",
    under="vendor",
    subject="change_request",
    versioned=True,
    key=col(AccountChange.id),
    source=join(AccountChange, User, col(AccountChange.user_id) == col(User.id)),
    columns=(
        Column("field", "Asks for another", _FIELD),
        Column("vendor", "Vendor", col(User.name), sortable=True),
        Column("value", "Wanted", case((_IS_BANK, "Another bank account"), else_=col(AccountChange.value))),
        Column("why", "Why", col(AccountChange.why)),
        Column("asked", "Asked", col(AccountChange.created_at), "moment", sortable=True),
        Column("state", "State", _REQUEST_STATE, "state", states=RequestStanding),
        Column(
            "bank", "Bank account wanted", case((_BANK_TO_DECIDE, col(AccountChange.value)), else_=""), listed=False
        ),
        Column("reason", "Told to the vendor", col(AccountChange.reason), listed=False),
        Column("decided", "Decided", col(AccountChange.decided_at), "moment", listed=False),
        Column("email", "E-mail", col(User.email), listed=False),
        Column("phone", "Mobile", col(User.phone_number), listed=False),
    ),
    sort="-asked",
    search=(col(User.name), col(User.email), col(User.phone_number)),
    filters=(
        state_filter(
            {RequestStanding.OPEN: _DECISION == ""}
            | {each: each.value == _DECISION for each in RequestStanding if each != RequestStanding.OPEN}
        ),
        Filter(
            "field",
            "Field",
            tuple(Option(value, word, col(AccountChange.field) == value) for value, word in _CALLED.items()),
        ),
        Filter("person", "Person", owners=(col(AccountChange.user_id),)),
    ),
    state="state",
    actions=(
        Action("grant", "Grant", by(acts.DECIDE_REQUEST, decision="grant"), {RequestStanding.OPEN}, key="a"),
        Action(
            "refuse",
            "Refuse",
            by(acts.DECIDE_REQUEST, decision="refuse"),
            {RequestStanding.OPEN},
            WHY,
            danger=True,
            key="r",
        ),
    ),
)

_Writer: Any = aliased(User)

NOTES = Table(
    name="notes",
    title="Notes",
    one="note",
    under="who",
    key=col(PersonNote.id),
    source=join(PersonNote, User, col(PersonNote.user_id) == col(User.id)).outerjoin(
        _Writer, col(PersonNote.who_id) == _Writer.id
    ),
    columns=(
        Column("text", "Note", col(PersonNote.text)),
        Column("who", "By", func.coalesce(_Writer.name, "at the machine")),
        Column("person", "About", col(User.name), sortable=True),
        Column("at", "Written", col(PersonNote.at), "moment", sortable=True),
        Column("email", "E-mail", col(User.email), listed=False),
    ),
    sort="-at",
    search=(col(PersonNote.text), col(User.name), col(User.email)),
    filters=(Filter("person", "Person", owners=(col(PersonNote.user_id),)),),
)
