"""Extras: what can be booked along with a vehicle, and what it costs. All money is paise."""

import math
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Literal, get_args

from rental_app.domain.clock import Window
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.pricing import PriceLine

Extra = Literal["helmet", "drop_off", "pick_up"]
EXTRAS: tuple[Extra, ...] = get_args(Extra)
LABELS: dict[Extra, str] = {
    "helmet": "Second helmet",
    "drop_off": "Deliver to me",
    "pick_up": "Collect from me",
}
DELIVERY: frozenset[Extra] = frozenset({"drop_off", "pick_up"})
# Seats of a two-wheeler. The first helmet comes with it (specification, section 9).
TWO_WHEELER_SEATS = 2
SECOND_HELMET = 200_00
HELMET_TRIP_DAYS = 5


def rates_of(seats: int, *, delivers: bool, drop_off: int, pick_up: int) -> dict[Extra, int]:
    """The rate of each extra that is available with a vehicle; a helmet's rate is for a trip of five days."""
    rates: dict[Extra, int] = {"helmet": SECOND_HELMET} if seats <= TWO_WHEELER_SEATS else {}
    return rates | ({"drop_off": drop_off, "pick_up": pick_up} if delivers else {})


def lines_of(chosen: Collection[Extra], rates: Mapping[Extra, int], window: Window) -> list[PriceLine]:
    """A line for each extra that was chosen; raises InvalidInputError for one not available with the vehicle."""
    if missing := [LABELS[extra] for extra in chosen if extra not in rates]:
        message = f"Not available with this vehicle: {', '.join(missing)}"
        raise InvalidInputError(message, code="extra_not_offered", fields={"extras": message})
    return [_line(extra, rates[extra], window) for extra in sorted_extras(chosen)]


def sorted_extras(chosen: Collection[str]) -> list[Extra]:
    """Extras in the order of their lines in a price."""
    return [extra for extra in EXTRAS if extra in chosen]


def _line(extra: Extra, rate: int, window: Window) -> PriceLine:
    quantity = _trips(window) if extra == "helmet" else 1
    return PriceLine(LABELS[extra], quantity, rate, quantity * rate, "extra")


def _trips(window: Window) -> int:
    return math.ceil((window.return_at - window.pickup) / timedelta(days=HELMET_TRIP_DAYS))


def require_address(chosen: Collection[Extra], address: str) -> None:
    """Raise InvalidInputError if a vehicle is to be delivered or collected and no address is given."""
    if not address and not DELIVERY.isdisjoint(chosen):
        message = "Enter the address to deliver the vehicle to, or to collect it from"
        raise InvalidInputError(message, code="address_missing", fields={"address": message})
