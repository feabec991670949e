"""How many bookings one customer may hold at once, so that no account empties the shop. Off if rate limits are off."""

from datetime import datetime

from sqlalchemy import bindparam, func, select
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.domain.clock import Window
from rental_app.domain.errors import ConflictError
from rental_app.domain.money import counted
from rental_app.domain.overlaps import most_at_once
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, User
from rental_app.services.accounts.actor import Actor
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings.rows import is_open

_INSTANT = bindparam("instant", type_=UTCDateTime())
# Without `key_share`, logins of the same account, whose rows refer to it, would wait as well.
_TURN = select(col(User.id)).where(col(User.id) == bindparam("customer")).with_for_update(key_share=True)
_MINE = col(Booking.customer_id) == bindparam("customer")
_UNANSWERED = select(func.count()).where(_MINE, is_waiting(_INSTANT))
_AT_ONCE = select(col(Booking.pickup_at), col(Booking.return_at)).where(
    _MINE,
    col(Booking.id) != bindparam("besides"),
    is_open(_INSTANT),
    col(Booking.return_at) > bindparam("pickup", type_=UTCDateTime()),
    col(Booking.pickup_at) < bindparam("return_at", type_=UTCDateTime()),
)


def lock_customer(session: Session, actor: Actor) -> None:
    """Queue the actor's bookings, so that each is checked against those before it.

    Call it before a vehicle's row is locked: the customer is always locked first, or two bookings can deadlock.
    """
    if settings().rate_limits == "on":
        db.lock_row(session, _TURN, customer=actor.id)


def require_room(session: Session, actor: Actor, window: Window, instant: datetime) -> None:
    """Raise ConflictError if another request over a window would be one too many."""
    if settings().rate_limits == "on":
        _require_few_unanswered(session, actor, instant)
        _require_few_at_once(session, actor, window, instant)


def require_room_at_once(session: Session, actor: Actor, window: Window, instant: datetime, besides: int) -> None:
    """Raise ConflictError if moving the booking `besides` to a window would make one too many at once."""
    if settings().rate_limits == "on":
        _require_few_at_once(session, actor, window, instant, besides)


def _require_few_unanswered(session: Session, actor: Actor, instant: datetime) -> None:
    most = settings().max_unanswered
    bound = {"customer": actor.id, "instant": instant}
    if session.connection().execute(_UNANSWERED, bound).scalar_one() >= most:
        raise ConflictError(
            f"You have {counted(most, 'request')} without an answer, which is the limit: wait until a vendor answers",
            code="too_many_unanswered",
        )


def _require_few_at_once(session: Session, actor: Actor, window: Window, instant: datetime, besides: int = 0) -> None:
    bound = {"customer": actor.id, "besides": besides, "instant": instant}
    bound |= {"pickup": window.pickup, "return_at": window.return_at}
    held = [Window(*ends) for ends in session.connection().execute(_AT_ONCE, bound)]
    most = settings().max_overlapping
    if most_at_once(window, held) >= most:
        raise ConflictError(
            f"You have {counted(most, 'booking')} at once on these dates, which is the limit: choose other dates",
            code="too_many_overlapping",
        )
