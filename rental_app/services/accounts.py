"""People: sign-up, sessions and profiles."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import time
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.db import read, write
from rental_app.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.models import Location, LoginSession, User, Vehicle
from rental_app.models.user import opening_hours
from rental_app.rules import clock
from rental_app.rules.hours import format_time
from rental_app.schemas.people import ProfileUpdate, Registration, UserView, clock_time, spellings, typed_place
from rental_app.schemas.validation import refuse_together, validated
from rental_app.security import TOKEN_LIFE, address_mark, check_new_password, hash_password, issue_token
from rental_app.services import throttle
from rental_app.services.catalogue import location_id, settled_place
from rental_app.services.throttle import Caller

SIGNED_UP, LOGGED_OUT = "Welcome! Your account is ready", "You have been logged out"
VENDORS_ONLY = "Only vendors can do this"
UPDATED, PICTURE_UPDATED = "Profile updated successfully", "Profile picture updated"


@dataclass(frozen=True, slots=True)
class Actor(Caller):
    """The user a token identifies, and the address it came from; `employer` is the vendor they are a member of."""

    id: int
    role: str
    jti: str
    employer: int = 0

    @property
    def account(self) -> str:
        """The account's id, for rate limits."""
        return str(self.id)

    @property
    def is_vendor(self) -> bool:
        """Whether they have a business here."""
        return self.role == "Vendor"

    @property
    def vendor(self) -> int:
        """The vendor they answer requests and hand vehicles over for: themselves, or their employer; 0 if none."""
        return self.id if self.is_vendor else self.employer


@dataclass(frozen=True, slots=True)
class Payee:
    """Who is paid by UPI, and at which UPI ID: '' if they are not."""

    name: str
    upi_id: str


def register(form: Registration, caller: Caller) -> str:
    """Create an account; returns its first token. Opens its own short transactions: a hash takes a quarter of a second.

    Raises InvalidInputError (weak password, or several problems), NotFoundError (pincode), ConflictError (e-mail taken)
    and TooManyRequestsError.
    """
    throttle.count("register", caller)
    person = (form.name, form.phone_number, form.address, form.landmark, form.city, form.pincode)
    refuse_together(
        partial(read, refuse_taken, form.email),
        partial(settled_place, form.pincode, form.typed_place),
        partial(check_new_password, form.password, form.email, person),
    )
    state, county = settled_place(form.pincode, form.typed_place)
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
        state=state,
        county=county,
        last_login_from=address_mark(form.email, caller.network),
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


def refuse_taken(session: Session, email: str) -> None:
    """Raise ConflictError if an account has this e-mail, which is written as `Registration` writes it."""
    if session.execute(select(col(User.id)).where(col(User.email).in_(spellings(email)))).first() is not None:
        raise _taken()


def _add_with_session(session: Session, user: User) -> str:
    session.add(user)
    session.flush()
    return open_session(session, user.id or 0)


def open_session(session: Session, user_id: int) -> str:
    """Open a session; returns its token."""
    issued = clock.now()
    token, jti = issue_token(user_id, issued)
    session.add(LoginSession(jti=jti, user_id=user_id, created_at=issued, expires_at=issued + TOKEN_LIFE))
    return token


def require_vendor(actor: Actor) -> None:
    """Raise ForbiddenError for everyone but vendors; it is raised for their members too."""
    if not actor.is_vendor:
        raise _vendors_only()


def take_turn(session: Session, actor: Actor) -> None:
    """Make what an actor does at the same time wait until the end of the transaction, such as for a count to be true.

    Logins, whose rows refer to the account, do not wait.
    """
    session.execute(select(col(User.id)).where(col(User.id) == actor.id).with_for_update(key_share=True))


def require_staff(actor: Actor) -> None:
    """Raise ForbiddenError for everyone but vendors and their members."""
    if not actor.vendor:
        raise _vendors_only()


def _vendors_only() -> ForbiddenError:
    return ForbiddenError(VENDORS_ONLY, code="vendors_only")


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


def payee(session: Session, actor: Actor) -> Payee:
    """Who customers pay when the actor hands a vehicle over. Raises ForbiddenError."""
    throttle.count("look", actor)
    require_staff(actor)
    vendor = session.get_one(User, actor.vendor)
    return Payee(vendor.name, vendor.upi_id)


def update_profile(session: Session, actor: Actor, form: ProfileUpdate, *, typed: bool = False) -> None:
    """Save the editable part of the actor's profile; vehicles kept there move with its service location.

    `typed` says that its state and district were typed for its pincode: clients send whole profiles, with those of the
    pincode before. Raises InvalidInputError (pincode, unknown location, hours reversed, or several problems).
    """
    throttle.count("change", actor)
    user = session.get_one(User, actor.id)
    refuse_together(
        partial(_place, user, form, typed),
        partial(_check_hours, form.open_time, form.close_time),
        partial(_new_location, session, form),
    )
    place, new_location = _place(user, form, typed), _new_location(session, form)
    if new_location and user.location_id and new_location != user.location_id:
        session.execute(
            update(Vehicle)
            .where(
                col(Vehicle.vendor_id) == user.id,
                col(Vehicle.location_id) == user.location_id,
                col(Vehicle.address) == "",
            )
            .values(location_id=new_location)
        )
    user.sqlmodel_update(form.changes)
    user.zip_code, (user.state, user.county) = form.pincode, place
    user.location_id = new_location or user.location_id
    session.flush()


def _place(user: User, form: ProfileUpdate, typed: bool) -> tuple[str, str]:
    stored = user.state, user.county
    if form.pincode == user.zip_code:
        return _of_zip_code(form.pincode, form.typed_place if all(form.typed_place) else stored)
    return _of_zip_code(form.pincode, form.typed_place if typed or form.typed_place != stored else ("", ""))


def _of_zip_code(pincode: str, typed: tuple[str, str]) -> tuple[str, str]:
    """`settled_place` for a form in which the pincode is called `zipCode`."""
    try:
        return settled_place(pincode, typed)
    except (InvalidInputError, NotFoundError) as error:
        raise InvalidInputError(error.message, code=error.code, fields={"zipCode": error.message}) from None


def _new_location(session: Session, form: ProfileUpdate) -> int | None:
    return location_id(session, form.service_location, "service_location") if form.service_location else None


def _check_hours(open_time: time | None, close_time: time | None) -> None:
    hours = opening_hours(open_time, close_time, [])
    if hours.open >= hours.close:
        message = f"Closing time must be after opening time ({format_time(hours.open)})"
        raise InvalidInputError(message, code="hours_reversed", fields={"close_time": message})


def read_profile(data: Mapping[str, Any]) -> ProfileUpdate:
    """The profile in a form; raises InvalidInputError with all that is wrong with it.

    Pincode and hours are checked here only if something else is wrong too: else `update_profile` checks them.
    """
    try:
        return validated(ProfileUpdate, data)
    except InvalidInputError as error:
        refuse_together(partial(validated, ProfileUpdate, data), *_further_checks(data, error.fields))
        raise


def _further_checks(data: Mapping[str, Any], refused: Collection[str]) -> Iterator[Callable[[], object]]:
    """The checks of what can be read."""
    if "zipCode" not in refused:
        yield partial(_of_zip_code, str(data.get("zipCode", "")), typed_place(data))
    if not {"open_time", "close_time"} & set(refused):
        yield partial(_check_hours, clock_time(data.get("open_time")), clock_time(data.get("close_time")))
