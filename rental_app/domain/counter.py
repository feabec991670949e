"""Bookings that a vendor makes at the counter, for somebody who stands there."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from rental_app.domain import clock, handover
from rental_app.domain.clock import MAX_AHEAD, MAX_LENGTH, TOO_FAR, TOO_LONG, Window
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.pricing import Kind, PriceLine, Quote

# The platform's share of what such bookings bring, in hundredths of a percent; stored with each.
COMMISSION_BPS = 0
# What was agreed may be this many times the computed price.
MOST_TIMES = 3
AGREED = "Agreed at the counter"
# Begins the line that takes off the price of a booking for a trip whose vehicle broke down; its reference follows.
CONTINUES = "Continues"
# Begins the line that takes off what a vehicle costs more than the one of a booking that its vendor gave up.
REPLACES = "In place of"
# What is left of a guest who was erased.
ERASED_NAME, NOBODYS_NUMBER = "A guest", "0000000000"
# The guest's link works this long after the trip.
LINK_LASTS = timedelta(days=30)
# Texts about one booking; within a day, about all of a vendor's bookings, and to one number from all vendors.
MOST_TEXTS, MOST_TEXTS_DAILY, MOST_TEXTS_TO_NUMBER = 3, 30, 200
# Nobody can have an address below it (RFC 2606).
GUESTS_HOST = "guest.invalid"
TOO_LONG_AGO = f"Pickup can be at most {handover.WITH_REASON.days} days ago"
WHY_SO_LATE = f"Pickup was over {handover.WITHOUT_REASON // clock.HOUR} hours ago: say why it is noted only now"
WHY_OVER = "This rental is over already: say why it is noted only now"


def check_window(window: Window, instant: datetime) -> None:
    """Check a window against what a vendor may decide alone: from some days ago, of any length up to the longest.

    Raises InvalidInputError with a code for each limit.
    """
    rules = (
        (window.pickup < instant - handover.WITH_REASON, "pickup_in_past", "pickupDate", TOO_LONG_AGO),
        (window.return_at <= window.pickup, "return_before_pickup", "returnDate", "Return must be after pickup"),
        (window.return_at - window.pickup > MAX_LENGTH, "too_long", "returnDate", TOO_LONG),
        (window.pickup > instant + MAX_AHEAD, "too_far", "pickupDate", TOO_FAR),
    )
    clock.refuse_broken(rules)


def check_reason(window: Window, instant: datetime, reason: str) -> None:
    """Require a reason for a rental that began long ago or is over already.

    Raises InvalidInputError (`pickup_in_past`, `return_in_past`).
    """
    rules = (
        (window.pickup < instant - handover.WITHOUT_REASON, "pickup_in_past", "reason", WHY_SO_LATE),
        (window.return_at <= instant, "return_in_past", "reason", WHY_OVER),
    )
    if not reason:
        clock.refuse_broken(rules)


def asks_reason(window: Window, instant: datetime) -> str:
    """Why a window needs a reason; '' if it needs none."""
    try:
        check_reason(window, instant, "")
    except InvalidInputError as error:
        return error.message
    return ""


def is_possible(window: Window, instant: datetime) -> bool:
    """Whether a vendor may book a window at the counter without saying why."""
    try:
        check_window(window, instant)
        check_reason(window, instant, "")
    except InvalidInputError:
        return False
    return True


def agreed(price: Quote, total: int) -> Quote:
    """A price at the total agreed upon (paise), with a line for the difference if there is one."""
    difference = total - price.total
    if not difference:
        return price
    kind: Kind = "extra" if difference > 0 else "discount"
    line = PriceLine(AGREED, 1, difference, difference, kind)
    return replace(price, lines=(*price.lines, line), total=total)


def is_agreed(labels: Iterable[str]) -> bool:
    """Whether a price with lines of these labels was agreed on, not computed, and stays so when a trip gets longer.

    Nothing else records that: the lines are recognised by their first words.
    """
    return any(label.startswith((AGREED, CONTINUES, REPLACES)) for label in labels)


def continues(labels: Iterable[str]) -> bool:
    """Whether lines of these labels are of a booking that goes on with a trip whose vehicle broke down."""
    return any(label.startswith(CONTINUES) for label in labels)
