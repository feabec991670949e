"""Which bookings a vendor lets be confirmed at once, without answering each."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from rental_app.domain.clock import Window

MOST_HOURS, MOST_OPEN = 168, 20
# What stands in the way: a mobile number that is not confirmed, a pickup too soon, or too many open bookings.
Obstacle = Literal["phone", "hours", "open"]


@dataclass(frozen=True, slots=True)
class AtOnceConditions:
    """What a vendor asks for: a confirmed mobile number, hours between booking and pickup, and how many bookings of
    theirs a customer may have open, the new one included. The values are those a vendor begins with."""

    verified_phone: bool = True
    hours_ahead: int = 2
    most_open: int = 2


@dataclass(frozen=True, slots=True)
class Customer:
    """What the conditions ask of a customer: whether their mobile number is confirmed, and how many bookings with this
    vendor they have that are neither over nor cancelled."""

    verified_phone: bool = False
    open_bookings: int = 0


def obstacle(conditions: AtOnceConditions, customer: Customer, window: Window, instant: datetime) -> Obstacle | None:
    """What keeps a booking of a window, made at an instant (UTC), from being confirmed at once; None if nothing does.

    The number comes last: it is the one thing a customer can do something about.
    """
    if window.pickup - instant < timedelta(hours=conditions.hours_ahead):
        return "hours"
    if customer.open_bookings >= conditions.most_open:
        return "open"
    return "phone" if conditions.verified_phone and not customer.verified_phone else None
