"""Bookings that need no answer: what a vendor has set, and whether it lets a booking be confirmed as it is made."""

from datetime import datetime
from typing import Literal

from sqlalchemy import func, select, update
from sqlmodel import Session, col

from rental_app.domain.acts import Act, changes
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.clock import Window
from rental_app.domain.confirm_at_once import AtOnceConditions, Customer, obstacle
from rental_app.models import Booking, Columns, ConfirmAtOnce, User, Vehicle
from rental_app.schemas.bookings import ConfirmAtOnceSettings
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, own_ids, require_manager, require_own

# Whether a booking is confirmed as it is made; "phone": it would be, if the customer's number were confirmed.
AtOnce = Literal["yes", "phone", "no"]
SAVED = "Saved: new bookings follow it from now on"
_USUAL = AtOnceConditions()
_IS_ON = func.coalesce(col(Vehicle.confirms_at_once), col(ConfirmAtOnce.is_on), False).label("at_once")
_CONDITIONS = (col(ConfirmAtOnce.verified_phone), col(ConfirmAtOnce.hours_ahead), col(ConfirmAtOnce.most_open))


def with_conditions(statement: Columns) -> Columns:
    """A SELECT from vehicles with what `conditions_of` takes."""
    joined = statement.outerjoin(ConfirmAtOnce, col(ConfirmAtOnce.vendor_id) == Vehicle.vendor_id)
    return joined.add_columns(_IS_ON, *_CONDITIONS)


def conditions_of(
    at_once: bool, verified_phone: bool | None, hours_ahead: int | None, most_open: int | None
) -> AtOnceConditions | None:
    """Under which conditions a vehicle is confirmed at once, from its row; None if its vendor answers each request."""
    if not at_once:
        return None
    if verified_phone is None or hours_ahead is None or most_open is None:
        return _USUAL
    return AtOnceConditions(verified_phone, hours_ahead, most_open)


def verdict(
    session: Session,
    conditions: AtOnceConditions | None,
    vendor_id: int,
    window: Window,
    instant: datetime,
    customer_id: int | None,
) -> AtOnce:
    """Whether a booking made at an instant is confirmed at once; a customer who is not known has confirmed nothing."""
    if conditions is None:
        return "no"
    customer = Customer() if customer_id is None else _customer(session, customer_id, vendor_id)
    match obstacle(conditions, customer, window, instant):
        case None:
            return "yes"
        case "phone":
            return "phone"
        case _:
            return "no"


def _customer(session: Session, customer_id: int, vendor_id: int) -> Customer:
    under_way = (
        select(func.count())
        .select_from(Booking)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(
            col(Booking.customer_id) == customer_id,
            col(Vehicle.vendor_id) == vendor_id,
            col(Booking.status) == BookingStatus.CONFIRMED,
            col(Booking.stage).in_((TripStage.BOOKED, TripStage.OUT)),
        )
        .scalar_subquery()
    )
    # `verified_phone` may be a number that the account no longer has.
    is_verified = func.coalesce(col(User.verified_phone) == col(User.phone_number), False)
    row = session.execute(select(is_verified, under_way).where(col(User.id) == customer_id)).one()
    return Customer(bool(row[0]), row[1])


def of_vendor(session: Session, actor: Actor) -> ConfirmAtOnceSettings:
    """What the vendor has set, or what one begins with. Raises ForbiddenError."""
    throttle.count("look", actor)
    require_manager(actor)
    stored = session.get(ConfirmAtOnce, actor.vendor) or _begun(actor.vendor)
    differing = own_ids(actor).where(col(Vehicle.confirms_at_once) == (not stored.is_on))
    return ConfirmAtOnceSettings(
        is_on=stored.is_on,
        verified_phone=stored.verified_phone,
        hours_ahead=stored.hours_ahead,
        most_open=stored.most_open,
        exceptions=list(session.scalars(differing.order_by(col(Vehicle.id)))),
    )


def save(session: Session, actor: Actor, request: ConfirmAtOnceSettings) -> ConfirmAtOnceSettings:
    """Set what is confirmed at once; bookings and requests that exist stay as they are.

    Raises ForbiddenError and NotFoundError (an exception that is not their vehicle).
    """
    throttle.count("change", actor)
    require_manager(actor)
    # Vehicles before their vendor, as everywhere.
    session.execute(own_ids(actor).order_by(col(Vehicle.id)).with_for_update())
    require_own(session, actor, *request.exceptions)
    earlier = of_vendor(session, actor).model_dump()
    session.merge(ConfirmAtOnce(vendor_id=actor.vendor, **request.model_dump(exclude={"exceptions"})))
    own = update(Vehicle).where(col(Vehicle.vendor_id) == actor.vendor)
    session.execute(own.where(col(Vehicle.confirms_at_once).is_not(None)).values(confirms_at_once=None))
    session.execute(own.where(col(Vehicle.id).in_(request.exceptions)).values(confirms_at_once=not request.is_on))
    before, after = changes(earlier, request.model_dump())
    audit.record(session, actor, Act.CONFIRM_AT_ONCE_CHANGED, ("user", actor.vendor), before=before, after=after)
    return request


def _begun(vendor_id: int) -> ConfirmAtOnce:
    return ConfirmAtOnce(
        vendor_id=vendor_id,
        is_on=False,
        verified_phone=_USUAL.verified_phone,
        hours_ahead=_USUAL.hours_ahead,
        most_open=_USUAL.most_open,
    )
