"""A person's own account as they see and change it: name, number and address, and whom their customers pay."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import time
from functools import partial
from typing import Any

from sqlalchemy import select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act, changes
from rental_app.domain.contacts import has_mailbox
from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotFoundError
from rental_app.domain.hours import format_time
from rental_app.models import Location, User, Vehicle
from rental_app.models.user import opening_hours
from rental_app.schemas.accounts import Details, ProfileUpdate, UserView
from rental_app.schemas.people import clock_time, typed_place
from rental_app.schemas.validation import refuse_together, validated
from rental_app.services import audit, throttle
from rental_app.services.accounts import second_step
from rental_app.services.accounts.actor import Actor, require_confirmed_password, require_manager, require_staff
from rental_app.services.catalogue import open_location_id, settled_place

SAVED = "Your details are saved"
LOCKED = "Name, email and mobile number of a vendor are changed by us: please ask"


UPDATED = "Profile updated successfully"
PICTURE_UPDATED = "Profile picture updated"


@dataclass(frozen=True, slots=True)
class Payee:
    """Who is paid by UPI, and at which UPI ID: '' if they are not."""

    name: str
    upi_id: str


def change(session: Session, actor: Actor, form: Details) -> None:
    """Save a customer's name, mobile number and address.

    Raises ForbiddenError (`locked` for vendors; for another number `confirm_email_first` and `give_second_step`), and
    InvalidInputError or NotFoundError (pincode).
    """
    throttle.count("change", actor)
    require_unlocked(actor)
    place = settled_place(form.pincode, form.typed_place)
    user = session.get_one(User, actor.id)
    if form.phone_number != user.phone_number:
        second_step.require_settled(session, actor)
    earlier = user.model_dump(mode="json")
    user.name, user.phone_number, user.address = form.name, form.phone_number, form.address
    user.landmark, user.zip_code, user.city = form.landmark, form.pincode, form.city
    user.state, user.county = place
    before, after = changes(earlier, user.model_dump(mode="json"))
    audit.record(session, actor, Act.PROFILE_CHANGED, ("user", actor.id), before=before, after=after)


def require_unlocked(actor: Actor) -> None:
    """Raise ForbiddenError (`locked`) for vendors: what an account is known by here, they ask us to change."""
    if actor.is_vendor:
        raise ForbiddenError(LOCKED, code="locked")


def profile(session: Session, actor: Actor) -> UserView:
    """The actor's own account."""
    throttle.count("list", actor)
    user = session.get_one(User, actor.id)
    place = session.get(Location, user.location_id) if user.location_id else None
    return UserView(
        **user.model_dump(include=set(UserView.model_fields) - {"created_at", "email"}),
        email=user.email if has_mailbox(user.email) else "",
        pincode=user.zip_code,
        email_verified=user.email_verified_at is not None,
        phone_verified=user.phone_verified,
        second_step=second_step.is_on(session, actor.id),
        recovery_codes_left=second_step.codes_left(session, actor.id),
        commission_percentage=user.commission_bps / 100,
        gst_rate=user.gst_rate_bps // 100,
        created_at=clock.indian(user.created_at).isoformat(timespec="seconds"),
        full_address=user.full_address,
        service_location=place.name if place else "",
    )


def service_location(session: Session, actor: Actor) -> str:
    """The locality of the business that the actor manages, '' while none is chosen. Raises ForbiddenError."""
    throttle.count("look", actor)
    require_manager(actor)
    located = select(col(Location.name)).join(User, col(User.location_id) == Location.id)
    return session.scalars(located.where(col(User.id) == actor.vendor)).first() or ""


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
    if form.changes.get("upi_id", user.upi_id) != user.upi_id:
        require_confirmed_password(actor)
    refuse_together(
        partial(_place, user, form, typed),
        partial(_check_hours, form.open_time, form.close_time),
        partial(_new_location, session, form, user.location_id),
    )
    place, new_location = _place(user, form, typed), _new_location(session, form, user.location_id)
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
    earlier = user.model_dump(mode="json")
    user.sqlmodel_update(form.changes)
    user.zip_code, (user.state, user.county) = form.pincode, place
    user.location_id = new_location or user.location_id
    before, after = changes(earlier, user.model_dump(mode="json"))
    audit.record(session, actor, Act.PROFILE_CHANGED, ("user", actor.id), before=before, after=after)


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


def _new_location(session: Session, form: ProfileUpdate, own: int | None) -> int | None:
    return open_location_id(session, form.service_location, "service_location", own) if form.service_location else None


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
