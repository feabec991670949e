"""When a vehicle can be handed over."""

from datetime import datetime, timedelta

from rental_app.domain.clock import friendly

EARLIEST_BEFORE_PICKUP = timedelta(hours=2)


def handover_refusal(pickup: datetime, return_at: datetime, instant: datetime) -> tuple[str, str] | None:
    """Why the vehicle of a booking cannot be handed over at an instant, as (code, message); None if it can."""
    begin = pickup - EARLIEST_BEFORE_PICKUP
    if instant < begin:
        return "too_early", f"The handover can be noted from {friendly(begin)}"
    if instant >= return_at:
        return "too_late", "The rental period of this booking is over"
    return None
