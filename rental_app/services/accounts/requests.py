"""What vendors ask to have changed of their account, and what the operator decides."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.content.messages import CHANGE_ASKED, CHANGE_GRANTED, CHANGE_REFUSED
from rental_app.content.texts import ACCOUNT_CHANGED_TEXT, CHANGE_ASKED_TEXT
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.models import AccountChange, User
from rental_app.schemas.accounts import ChangeView, ChangeWish, bank_account
from rental_app.services import audit, throttle
from rental_app.services.accounts import emails, second_step
from rental_app.services.accounts.actor import Actor, require_operator, require_own_email, require_vendor
from rental_app.services.accounts.letters import send_text, tell

REQUEST_SENT = "We have your request, and tell you by email what is decided"
WITHDRAWN = "Your request is withdrawn"
# What each kind is called in a message.
CALLED = {"name": "name", "email": "email", "phone": "mobile number", "bank": "bank account"}


class OpenRequest(NamedTuple):
    """A request that waits for the operator, and whose it is."""

    request: AccountChange
    name: str
    email: str


def of_vendor(session: Session, actor: Actor) -> list[ChangeView]:
    """The actor's requests, the latest first. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    statement = (
        select(AccountChange).where(col(AccountChange.user_id) == actor.id).order_by(col(AccountChange.id).desc())
    )
    return [_view(row) for row in session.scalars(statement)]


def ask(session: Session, actor: Actor, request: ChangeWish) -> ChangeView:
    """Ask for a change; the account's owner is told by e-mail, and by text where the number is confirmed.

    The caller has checked the password.

    Raises ForbiddenError (not a vendor; `give_second_step`; `confirm_email_first` for another number) and ConflictError
    (`request_open`: one of the kind is open already).
    """
    throttle.count("mail", actor)
    require_vendor(actor)
    second_step.require_stepped(session, actor)
    if request.field == "phone":
        require_own_email(session, actor)
    row = AccountChange(user_id=actor.id, field=request.field, value=request.value, why=request.why)
    session.add(row)
    try:
        with session.begin_nested():
            session.flush()
    except IntegrityError:
        message = f"You have asked for another {CALLED[request.field]} already: withdraw that first"
        raise ConflictError(message, code="request_open", fields={"field": message}) from None
    tell(session, CHANGE_ASKED, actor.id, note=CALLED[request.field])
    user = session.get_one(User, actor.id)
    if user.phone_verified:
        send_text(session, CHANGE_ASKED_TEXT, user.phone_number, {"note": CALLED[request.field]}, user_id=actor.id)
    audit.record(session, actor, Act.CHANGE_ASKED, ("change_request", row.id or 0), about=request.field)
    return _view(row)


def withdraw(session: Session, actor: Actor, request_id: int) -> str:
    """Withdraw one's own open request. Raises ForbiddenError and NotFoundError."""
    throttle.count("change", actor)
    require_vendor(actor)
    own = and_(col(AccountChange.id) == request_id, col(AccountChange.user_id) == actor.id)
    if not _settle(session, own, "withdrawn", "", actor.id):
        raise _gone()
    audit.record(session, actor, Act.CHANGE_WITHDRAWN, ("change_request", request_id))
    return WITHDRAWN


def open_requests(session: Session, actor: Actor) -> list[OpenRequest]:
    """All that wait for the operator, the oldest first. Raises ForbiddenError."""
    require_operator(actor)
    waiting = (
        select(AccountChange, col(User.name), col(User.email))
        .join(User, col(User.id) == AccountChange.user_id)
        .where(col(AccountChange.decision) == "")
        .order_by(col(AccountChange.id))
    )
    return [OpenRequest(*row) for row in session.execute(waiting).all()]


def decide(session: Session, actor: Actor, request_id: int, *, grant: bool, reason: str) -> ChangeView:
    """Grant or refuse a request, once; its vendor is told, at the old address and phone too.

    Raises ForbiddenError (not an operator), NotFoundError, and ConflictError (`already_decided`, `email_taken`).
    """
    require_operator(actor)
    decision = "granted" if grant else "refused"
    if not _settle(session, col(AccountChange.id) == request_id, decision, reason, actor.id or None):
        if session.get(AccountChange, request_id) is None:
            raise _gone()
        raise ConflictError("This request has been decided or withdrawn", code="already_decided")
    row = session.get_one(AccountChange, request_id, populate_existing=True)
    user = session.get_one(User, row.user_id)
    old_email, phone = user.email, user.phone_number
    if grant:
        _grant(session, user, row)
    note = f"{CALLED[row.field]} ({reason})" if reason else CALLED[row.field]
    for address in dict.fromkeys((old_email, user.email)):
        tell(session, CHANGE_GRANTED if grant else CHANGE_REFUSED, user.id, to=address, note=note)
    if grant:
        send_text(session, ACCOUNT_CHANGED_TEXT, phone, {"note": CALLED[row.field]}, user_id=user.id)
    after = {"decision": decision, "reason": reason}
    audit.record(session, actor, Act.CHANGE_DECIDED, ("change_request", request_id), about=row.field, after=after)
    return _view(row)


def _grant(session: Session, user: User, row: AccountChange) -> None:
    if row.field == "name":
        user.name = row.value
    elif row.field == "phone":
        user.phone_number = row.value
    elif row.field == "bank":
        user.bank_name, user.bank_account_no, user.bank_ifsc = bank_account(row.value)
    else:
        emails.replace(session, user, row.value)
    session.flush()


def _settle(session: Session, which: ColumnElement[bool], decision: str, reason: str, who: int | None) -> bool:
    """Decide an open request, by one statement, so that it is decided once; returns whether there was one."""
    values = {"decision": decision, "decided_at": clock.now(), "decided_by": who, "reason": reason}
    waiting = update(AccountChange).where(col(AccountChange.decision) == "", which)
    return session.execute(waiting.values(**values).returning(col(AccountChange.id))).first() is not None


def _gone() -> NotFoundError:
    return NotFoundError("There is no such request", code="unknown_request")


def _view(row: AccountChange) -> ChangeView:
    return ChangeView(
        id=row.id or 0,
        field=row.field,
        value=row.value,
        why=row.why,
        created_at=row.created_at,
        state=row.decision or "open",
        reason=row.reason,
    )
