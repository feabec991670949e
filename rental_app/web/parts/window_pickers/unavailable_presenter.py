"""The parts of a vehicle's calendar that its pickers leave out."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from rental_app.domain.clock import HORIZON, MIN_LENGTH, Window
from rental_app.web.parts.presenters.links import wall_text

Taken = list[dict[str, str]]
# Pickers offer full hours, and leave out a window's first moment but not its last.
STEP = timedelta(hours=1)


def pickups(busy: Sequence[Window]) -> Taken:
    """The times from which no rental fits in before the vehicle is taken, and those at which it is taken."""
    return [_taken(held.pickup - MIN_LENGTH + STEP, held.return_at) for held in busy]


def returns(busy: Sequence[Window], pickup: datetime | None) -> Taken:
    """The times at which the vehicle is taken; after a pickup, all from the next time it is taken."""
    following = [held for held in busy if pickup and held.pickup >= pickup]
    if following and pickup:
        return [_taken(following[0].pickup + STEP, pickup + HORIZON)]
    return [_taken(held.pickup + STEP, held.return_at + STEP) for held in busy]


def _taken(first: datetime, end: datetime) -> dict[str, str]:
    return {"pickup": wall_text(first), "return": wall_text(end)}
