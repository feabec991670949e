"""Who a token belongs to right now."""

from typing import Any

from sqlalchemy import and_, bindparam, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.domain.errors import NotAuthenticatedError
from rental_app.infrastructure.security import read_token
from rental_app.models import LoginSession, Member, User
from rental_app.services import throttle
from rental_app.services.accounts import sessions
from rental_app.services.accounts.actor import Actor
from rental_app.services.throttle import Caller

_VENDOR: Any = aliased(User)
_WHOSE = (
    select(col(User.id), col(User.role), _VENDOR.id.label("employer"), col(LoginSession.last_seen_at))
    .select_from(User)
    .join(LoginSession, col(LoginSession.user_id) == User.id)
    .outerjoin(Member, col(Member.user_id) == User.id)
    .outerjoin(
        _VENDOR,
        and_(
            _VENDOR.id == Member.vendor_id,
            _VENDOR.role == "Vendor",
            _VENDOR.status == "active",
            _VENDOR.is_deleted.is_(False),
        ),
    )
    .where(
        col(LoginSession.revoked_at).is_(None),
        col(User.status) == "active",
        col(User.is_deleted).is_(False),
        col(LoginSession.jti) == bindparam("jti"),
    )
)


def authenticate(session: Session, caller: Caller, token: str) -> Actor:
    """The actor a token belongs to right now; raises NotAuthenticatedError if there is none, or it is not valid now."""
    throttle.count("call", caller)
    jti = read_token(token)
    found = session.connection().execute(_WHOSE, {"jti": jti}).first()
    if found is None:
        raise NotAuthenticatedError("Please log in again", code="session_ended")
    sessions.note_use(jti, found.last_seen_at)
    return Actor(caller.address, found.id, found.role, jti, found.employer or 0, user_agent=caller.user_agent)
