"""Who a token belongs to right now."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import orjson
from sqlalchemy import and_, bindparam, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.errors import NotAuthenticatedError
from rental_app.models import LoginSession, Member, User
from rental_app.prepared import Prepared
from rental_app.security import read_token
from rental_app.services import throttle
from rental_app.services.accounts import Actor
from rental_app.services.throttle import Caller

_RECOGNISED = "recognised"
_VENDOR: Any = aliased(User)
_WHOSE = (
    select(col(LoginSession.jti), col(User.id), col(User.role), _VENDOR.id.label("employer"))
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
    )
)
_BEARER = Prepared(_WHOSE.where(col(LoginSession.jti) == bindparam("jti")))
_SEVERAL: Any = func.json_each(bindparam("jtis")).table_valued("value")
_BEARERS = Prepared(_WHOSE.where(col(LoginSession.jti).in_(select(_SEVERAL.c.value))))


def authenticate(session: Session, caller: Caller, token: str) -> Actor:
    """The actor a token belongs to right now; raises NotAuthenticatedError if there is none, or it is not valid now."""
    throttle.count("call", caller)
    jti = read_token(token)
    known: dict[str, Sequence[Any]] | None = session.info.get(_RECOGNISED)
    found = _BEARER.first(session, {"jti": jti}) if known is None else known.get(jti)
    if found is None:
        raise NotAuthenticatedError("Please log in again", code="session_ended")
    _, user_id, role, employer = found
    return Actor(caller.address, user_id, role, jti, employer or 0)


def recognise(session: Session, tokens: Iterable[str]) -> None:
    """Look up the owners of these tokens in one query, for every `authenticate` call of a transaction that has no
    concurrent writers and ends no session itself. For SQLite, which has such transactions."""
    jtis = []
    for token in dict.fromkeys(tokens):
        with suppress(NotAuthenticatedError):
            jtis.append(read_token(token))
    found = _BEARERS.all(session, {"jtis": orjson.dumps(jtis).decode()})
    session.info[_RECOGNISED] = {row[0]: row for row in found}
