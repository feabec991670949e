"""How much one customer may hold at once, so that no account empties the shop. Lifted with the rate limits."""

from datetime import datetime

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.errors import ConflictError
from rental_app.models import Booking, User
from rental_app.rules.clock import Window
from rental_app.rules.overlaps import most_at_once
from rental_app.services.accounts import Actor
from rental_app.services.booking_rows import is_open, is_waiting
from rental_app.settings import settings


def take_turn(session: Session, actor: Actor) -> None:
    """Queue the actor's bookings, so that each is checked against those before it.

    To be called before a vehicle's row is locked: always the customer first, or two bookings wait for each other.
    """
    if settings().rate_limits == "on":
        own = select(col(User.id)).where(col(User.id) == actor.id)
        # Without `key_share` logins of the same account, whose rows refer to it, would wait as well.
        session.execute(own.with_for_update(key_share=True))


def require_room(session: Session, actor: Actor, window: Window, instant: datetime) -> None:
    """Raise ConflictError when another request over a window would be one too many."""
    if settings().rate_limits == "on":
        _require_few_unanswered(session, actor, instant)
        _require_few_at_once(session, actor, window, instant)


def require_room_at_once(session: Session, actor: Actor, window: Window, instant: datetime, besides: int) -> None:
    """Raise ConflictError when moving a booking to a window would make one too many at once."""
    if settings().rate_limits == "on":
        _require_few_at_once(session, actor, window, instant, besides)


def _require_few_unanswered(session: Session, actor: Actor, instant: datetime) -> None:
    mine = select(func.count()).where(col(Booking.customer_id) == actor.id, is_waiting(instant))
    most = settings().max_unanswered
    if session.execute(mine).scalar_one() >= most:
        raise ConflictError(
            f"You have {_counted(most, 'request')} without an answer, which is the limit: wait until a vendor answers",
            code="too_many_unanswered",
        )


def _require_few_at_once(
    session: Session, actor: Actor, window: Window, instant: datetime, besides: int | None = None
) -> None:
    mine = select(col(Booking.pickup_at), col(Booking.return_at)).where(
        col(Booking.customer_id) == actor.id,
        col(Booking.id).is_distinct_from(besides),
        is_open(instant),
        col(Booking.return_at) > window.pickup,
        col(Booking.pickup_at) < window.return_at,
    )
    held = [Window(pickup, return_at) for pickup, return_at in session.execute(mine).all()]
    most = settings().max_overlapping
    if most_at_once(window, held) >= most:
        raise ConflictError(
            f"You have {_counted(most, 'booking')} at once on these dates, which is the limit: choose other dates",
            code="too_many_overlapping",
        )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"
