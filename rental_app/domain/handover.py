"""When a vehicle can be handed over, and what is noted after it has happened: how long ago, and how it is said."""

from datetime import date, datetime, time, timedelta

from rental_app.domain import clock
from rental_app.domain.clock import friendly
from rental_app.domain.errors import InvalidInputError

EARLIEST_BEFORE_PICKUP = timedelta(hours=2)


def handover_refusal(pickup: datetime, return_at: datetime, instant: datetime) -> tuple[str, str] | None:
    """Why the vehicle of a booking cannot be handed over at an instant, as (code, message); None if it can."""
    begin = pickup - EARLIEST_BEFORE_PICKUP
    if instant < begin:
        return "too_early", f"The handover can be noted from {friendly(begin)}"
    if instant >= return_at:
        return "too_late", "The rental period of this booking is over"
    return None


# A rental that is booked so long after its pickup has begun.
OUT_BY_THEN = timedelta(hours=1)
# What begins at the counter may be noted this much later; with a reason, up to the second.
WITHOUT_REASON, WITH_REASON = timedelta(hours=12), timedelta(days=7)


def is_noted_afterwards(pickup: datetime, booked: datetime) -> bool:
    """Whether a rental was booked so long after its pickup that the vehicle is taken to have gone out then."""
    return booked - pickup > OUT_BY_THEN


def happened_before(at: datetime, noted: datetime) -> datetime | None:
    """When something happened, if that was so long before it was noted that both times are worth saying."""
    return at if at < noted - clock.PAST_TOLERANCE else None


def time_of(at: datetime | None, field: str, first: datetime, instant: datetime, what: str) -> datetime:
    """When something happened by what was typed, to the minute; now if nothing was.

    Raises InvalidInputError naming `field` for what is in the future or before `first`, which `what` says: 'the
    handover'.
    """
    if at is None:
        return instant
    if at > instant:
        raise _refused(field, "This is in the future", "in_future")
    # People type minutes: the minute of the handover is not before it.
    if at < first.replace(second=0, microsecond=0):
        raise _refused(field, f"This is before {what}, {clock.friendly(first)}", "too_early")
    return max(at, first)


def paid_at(day: date | None, first: datetime, instant: datetime) -> datetime | None:
    """The start of the Indian day on which money was paid; None for today.

    Raises InvalidInputError naming `paidOn` for a day in the future or before that of `first`, from which on there was
    something to pay.
    """
    today = clock.indian_today(instant)
    if day is None or day == today:
        return None
    if day > today:
        raise _refused("paidOn", "This day is in the future", "in_future")
    begins = clock.indian_today(first)
    if day < begins:
        raise _refused("paidOn", f"There was nothing to pay before {clock.friendly_day(begins)}", "too_early")
    return clock.at(day, time())


def _refused(field: str, message: str, code: str) -> InvalidInputError:
    return InvalidInputError(message, code=code, fields={field: message})


def both_times(happened: datetime | None, noted: datetime, who: str) -> str:
    """When something was, and when and by whom it was noted if that was later: 'Tue 1 Dec, 11:30 PM, noted at 12:10 AM
    by Ravi'; the day of the note is said if it is not the next one."""
    if happened is None:
        return clock.friendly(noted)
    by = f" by {who}" if who else ""
    return f"{clock.friendly(happened)}, {noted_at(happened, noted)}{by}"


def noted_at(happened: datetime, noted: datetime) -> str:
    """When something was noted, seen from when it happened: 'noted at 12:10 AM', with the day from a day later on."""
    if noted - happened < timedelta(days=1):
        return f"noted at {clock.hour_text(noted)}"
    return f"noted {clock.friendly(noted)}"
