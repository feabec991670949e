"""People: sign-up, login, sessions and profiles.

`register` and `sign_in` open their own short transactions, because hashing a password takes a quarter of a second
that no transaction should last.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import TypeVar

import anyio
import anyio.to_thread
from limits import parse
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.db import read, write
from rental_app.errors import ConflictError, ForbiddenError, InvalidInputError, NotAuthenticatedError
from rental_app.models import Location, LoginSession, User, Vehicle
from rental_app.models.user import opening_hours
from rental_app.rules import clock
from rental_app.rules.hours import format_time
from rental_app.schemas.people import Credentials, ProfileUpdate, Registration, UserView
from rental_app.security import TOKEN_LIFE, check_new_password, hash_password, issue_token, password_matches, read_token
from rental_app.services import throttle
from rental_app.services.catalogue import location_id, place_of_pincode
from rental_app.services.throttle import Caller

FAILED_LOGINS = parse("10 per 15 minutes")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Actor(Caller):
    """Who acts: what a token proves, and the address it came from."""

    id: int
    role: str
    jti: str

    @property
    def account(self) -> str:
        """The account's id, for rate limits."""
        return str(self.id)

    @property
    def is_vendor(self) -> bool:
        """Whether the vendor area is theirs."""
        return self.role == "Vendor"


@cache
def _password_threads() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(2)


async def run_hashing(function: Callable[..., T], *args: object) -> T:
    """Call `register` or `sign_in` in the few threads kept for passwords, so that logins never starve the rest."""
    return await anyio.to_thread.run_sync(partial(function, *args), limiter=_password_threads())


def register(form: Registration, caller: Caller) -> str:
    """Make an account and give its first token.

    Raises InvalidInputError (weak password), NotFoundError (pincode), ConflictError (e-mail taken) and
    TooManyRequestsError.
    """
    throttle.count("register", caller)
    person = (form.email, form.name, form.phone_number, form.address, form.landmark, form.city, form.pincode)
    check_new_password(form.password, person)
    place = place_of_pincode(form.pincode)
    read(_refuse_taken, form.email)
    user = User(
        name=form.name,
        email=form.email,
        password_hash=hash_password(form.password),
        phone_number=form.phone_number,
        role="Vendor" if form.is_vendor else "Customer",
        address=form.address,
        landmark=form.landmark,
        zip_code=form.pincode,
        city=form.city,
        state=place.state.name,
        county=place.county.name,
    )
    try:
        return write(_add_with_session, user)
    except IntegrityError as error:
        if "email" not in str(error.orig):
            raise
        raise _taken() from None


def _taken() -> ConflictError:
    message = "An account with this e-mail already exists"
    return ConflictError(message, code="email_taken", fields={"email": message})


def _refuse_taken(session: Session, email: str) -> None:
    if session.execute(select(col(User.id)).where(col(User.email) == email)).first() is not None:
        raise _taken()


def _add_with_session(session: Session, user: User) -> str:
    session.add(user)
    session.flush()
    return _open_session(session, user.id or 0)


def sign_in(form: Credentials, caller: Caller) -> str:
    """Give a token for an e-mail and password.

    Raises NotAuthenticatedError, alike and in the same time for an unknown e-mail and a wrong password,
    ForbiddenError for a blocked account and TooManyRequestsError after ten failures in 15 minutes.
    """
    email = form.email.strip().lower()
    keys = (email, throttle.network_of(caller.address))
    for key in keys:
        throttle.check(FAILED_LOGINS, key)
    found = read(_credentials, email)
    if not password_matches(form.password, found.password_hash if found else None) or not found:
        for key in keys:
            throttle.hit(FAILED_LOGINS, key)
        raise NotAuthenticatedError("E-mail or password is not right", code="bad_credentials")
    if found.status != "active":
        raise ForbiddenError("This account is blocked, please contact us", code="account_blocked")
    return write(_open_session, found.id or 0)


def _credentials(session: Session, email: str) -> User | None:
    return session.scalars(select(User).where(col(User.email) == email, col(User.is_deleted).is_(False))).first()


def _open_session(session: Session, user_id: int) -> str:
    issued = clock.now()
    token, jti = issue_token(user_id, issued)
    session.add(LoginSession(jti=jti, user_id=user_id, created_at=issued, expires_at=issued + TOKEN_LIFE))
    return token


def authenticate(session: Session, caller: Caller, token: str) -> Actor:
    """Who a token stands for right now; raises NotAuthenticatedError when it stands for nobody (any more)."""
    throttle.count("call", caller)
    jti = read_token(token)
    row = session.execute(
        select(col(User.id), col(User.role))
        .join(LoginSession, col(LoginSession.user_id) == User.id)
        .where(
            col(LoginSession.jti) == jti,
            col(LoginSession.revoked_at).is_(None),
            col(User.status) == "active",
            col(User.is_deleted).is_(False),
        )
    ).first()
    if row is None:
        raise NotAuthenticatedError("Please log in again", code="session_ended")
    return Actor(caller.address, row.id, row.role, jti)


def require_vendor(actor: Actor) -> None:
    """Raise ForbiddenError for everyone but vendors."""
    if not actor.is_vendor:
        raise ForbiddenError("Only vendors can do this", code="vendors_only")


def sign_out(session: Session, actor: Actor) -> None:
    """End the session the actor's token belongs to."""
    throttle.count("change", actor)
    _revoke(session, col(LoginSession.jti) == actor.jti)


def sign_out_everywhere(session: Session, actor: Actor) -> None:
    """End every session of the actor."""
    throttle.count("change", actor)
    _revoke(session, col(LoginSession.user_id) == actor.id)


def _revoke(session: Session, which: ColumnElement[bool]) -> None:
    session.execute(update(LoginSession).where(which).values(revoked_at=clock.now()))


def profile(session: Session, actor: Actor) -> UserView:
    """The actor's own account."""
    throttle.count("list", actor)
    user = session.get_one(User, actor.id)
    place = session.get(Location, user.location_id) if user.location_id else None
    return UserView(
        **user.model_dump(include=set(UserView.model_fields) - {"created_at"}),
        pincode=user.zip_code,
        commission_percentage=user.commission_bps / 100,
        created_at=clock.indian(user.created_at).isoformat(timespec="seconds"),
        full_address=user.full_address,
        service_location=place.name if place else "",
    )


def update_profile(session: Session, actor: Actor, form: ProfileUpdate) -> None:
    """Write the editable part of the actor's profile; vehicles at the old service location move along.

    Raises InvalidInputError (unknown location, hours reversed) and NotFoundError (pincode).
    """
    throttle.count("change", actor)
    user = session.get_one(User, actor.id)
    place = place_of_pincode(form.pincode)
    _check_hours(form)
    new_location = location_id(session, form.service_location, "service_location") if form.service_location else None
    if new_location and user.location_id and new_location != user.location_id:
        session.execute(
            update(Vehicle)
            .where(col(Vehicle.vendor_id) == user.id, col(Vehicle.location_id) == user.location_id)
            .values(location_id=new_location)
        )
    # Not model_dump(): it gives the wire's text for clock times.
    user.sqlmodel_update({name: value for name, value in form if name not in ("pincode", "service_location")})
    user.zip_code, user.state, user.county = form.pincode, place.state.name, place.county.name
    user.location_id = new_location or user.location_id
    session.flush()


def _check_hours(form: ProfileUpdate) -> None:
    hours = opening_hours(form.open_time, form.close_time, form.closing_days)
    if hours.open >= hours.close:
        message = f"Closing time must be after opening time ({format_time(hours.open)})"
        raise InvalidInputError(message, code="hours_reversed", fields={"close_time": message})


def set_image(session: Session, actor: Actor, path: str) -> str:
    """Make `path` the actor's avatar; returns the path it replaces."""
    throttle.count("change", actor)
    user = session.get_one(User, actor.id)
    old, user.image = user.image, path
    return old
