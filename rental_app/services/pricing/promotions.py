"""Offers: those in force, and what a code takes off a booking."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache

from pydantic import BaseModel, ConfigDict
from sqlalchemy import ColumnElement, Date, bindparam, func, select
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError, RentalError
from rental_app.domain.pricing import Discount
from rental_app.models import Booking, Columns, Offer
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.availability.holds import Moment, standing
from rental_app.services.throttle import Caller


class OfferView(BaseModel):
    """An offer in force; both days are Indian days and included."""

    model_config = ConfigDict(from_attributes=True)

    code: str
    title: str
    terms: str
    starts_on: date
    ends_on: date
    minimum_days: int
    percent: int
    cap_paise: int | None
    off_paise: int
    uses: int | None
    uses_each: int | None


@cache
def _in_force() -> Columns:
    day = bindparam("day", type_=Date())
    used = _uses(col(Booking.offer) == Offer.code, bindparam("instant", type_=UTCDateTime())).scalar_subquery()
    return (
        select(*(col(getattr(Offer, name)) for name in OfferView.model_fields))
        .where(col(Offer.starts_on) <= day, col(Offer.ends_on) >= day, col(Offer.is_retired).is_(False))
        .where(col(Offer.uses).is_(None) | (used < col(Offer.uses)))
        .order_by(col(Offer.ends_on), col(Offer.id))
    )


def in_force(session: Session, caller: Caller, day: date) -> list[OfferView]:
    """The offers in force on an Indian day that are not used up, in order of their last days."""
    throttle.count("look", caller)
    offers = session.connection().execute(_in_force(), {"day": day, "instant": clock.now()})
    return [OfferView.model_validate(row) for row in offers]


def left_today(session: Session) -> tuple[str, ...]:
    """The codes in force that are not used up, as `in_force` returns them for today."""
    instant = clock.now()
    offers = session.connection().execute(_in_force(), {"day": clock.indian_today(instant), "instant": instant})
    return tuple(row.code for row in offers)


@dataclass(frozen=True, slots=True)
class Redemption:
    """Who would use an offer, at which instant; not every quote knows its customer.

    `booking` is one that already has the offer and is being repriced: the offer has to be in force on the day it was
    made. `lock` locks the offer until the transaction ends, so that its last use is granted only once.
    """

    instant: datetime
    customer_id: int | None = None
    booking: Booking | None = None
    lock: bool = False


def discount(session: Session, code: str, days: int, by: Redemption) -> Discount:
    """What a code takes off a rental of `days` days.

    Raises InvalidInputError (offer_unknown, offer_minimum_days) and ConflictError (offer_not_in_force, offer_used_up).
    """
    statement = select(Offer).where(col(Offer.code) == code)
    offer = session.scalars(statement.with_for_update() if by.lock else statement).first()
    if offer is None:
        raise _refusal(InvalidInputError, "offer_unknown", f"There is no offer with the code {code}")
    _require_in_force(offer, clock.indian_today(by.booking.created_at if by.booking else by.instant))
    if days < offer.minimum_days:
        message = f"The offer {code} is for rentals of {offer.minimum_days} days and more"
        raise _refusal(InvalidInputError, "offer_minimum_days", message)
    uses = _uses(col(Booking.offer) == offer.code, by.instant)
    if by.booking is not None:
        uses = uses.where(col(Booking.id) != by.booking.id)
    if offer.uses is not None and session.execute(uses).scalar_one() >= offer.uses:
        raise _refusal(ConflictError, "offer_used_up", f"The offer {offer.code} has been used up")
    own = uses.where(col(Booking.customer_id) == by.customer_id)
    if offer.uses_each is not None and by.customer_id and session.execute(own).scalar_one() >= offer.uses_each:
        raise _refusal(ConflictError, "offer_used_up", f"You have used the offer {offer.code} already")
    return Discount(offer.code, offer.percent, offer.cap_paise, offer.off_paise, offer.minimum_days)


@dataclass(frozen=True, slots=True)
class OfferDiscount:
    """An offer that a rental could use, and what it would take off (paise)."""

    code: str
    off: int
    minimum_days: int


def best_offer(session: Session, caller: Caller, days: int, plans: int) -> OfferDiscount | None:
    """The offer that takes most off the plans (paise) of a rental of `days` days, among those its customer may use."""
    instant = clock.now()
    by = Redemption(instant, caller.id if isinstance(caller, Actor) else None)
    offers: list[OfferDiscount] = []
    for offer in in_force(session, caller, clock.indian_today(instant)):
        with suppress(RentalError):
            taken = discount(session, offer.code, days, by).of(plans)
            offers.append(OfferDiscount(offer.code, taken, offer.minimum_days))
    return max(offers, key=lambda each: each.off, default=None)


def _require_in_force(offer: Offer, today: date) -> None:
    if today < offer.starts_on:
        message = f"The offer {offer.code} starts on {clock.friendly_day(offer.starts_on, today)}"
    elif offer.is_retired:
        message = f"The offer {offer.code} has ended"
    elif offer.ends_on < today:
        message = f"The offer {offer.code} ended on {clock.friendly_day(offer.ends_on, today)}"
    else:
        return
    raise _refusal(ConflictError, "offer_not_in_force", message)


def _uses(of_offer: ColumnElement[bool], instant: Moment) -> Columns:
    """SELECT of how many bookings use an offer; cancelled and lapsed ones no longer do."""
    return select(func.count()).select_from(Booking).where(of_offer, standing(instant))


def _refusal(kind: type[RentalError], code: str, message: str) -> RentalError:
    return kind(message, code=code, fields={"offer": message})
