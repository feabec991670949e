"""The numbers of the shop: what cancelling, being late, extras and answering cost or take, and what people may have at
most. An operator changes them (`services/policies.py`); a booking goes by those it was made under."""

from collections.abc import Mapping
from dataclasses import Field, asdict, dataclass, field, fields
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from rental_app.domain.money import PAISE_PER_RUPEE, grouped

# What a number counts: `paise` is written in rupees, `basis points` (hundredths of a percent) in percent.
Unit = Literal[
    "hours", "minutes", "days", "percent", "paise", "basis points", "o'clock", "km/h", "km", "MB", "times", "at most"
]
# What it is about, in the order of the operator's page.
Group = Literal["cancelling", "returning", "charging", "extras", "answering", "reviewing", "texts", "limits"]


class Bounds(NamedTuple):
    """What a number is about and counts, what it may be (both ends included), and what it is called; `hint` says what
    it decides."""

    group: Group
    unit: Unit
    least: int
    most: int
    label: str
    hint: str = ""


def _number(first: int, *bounds: Any) -> int:
    """A number with its first value and its `Bounds`."""
    made: int = field(default=first, metadata={"bounds": Bounds(*bounds)})
    return made


_RUPEES = PAISE_PER_RUPEE


@dataclass(frozen=True, kw_only=True)
class Policies:
    """The numbers in force, or those of one booking. The first values are the specification's.

    Times are whole hours, minutes or days, fees paise, shares percent; `refunds_from` and `refunds_to` are hours of the
    Indian clock, and `commission_bps` hundredths of a percent. The texts of the product show what is here, never a
    number of their own.
    """

    early_hours: int = _number(
        72, "cancelling", "hours", 1, 720, "Early: more than", "Before the pickup; a fully paid rent loses least then"
    )
    late_hours: int = _number(
        24, "cancelling", "hours", 0, 719, "Late: less than", "Before the pickup; exactly this much is still the middle"
    )
    early_percent: int = _number(25, "cancelling", "percent", 0, 100, "Kept early", "Of a rent paid in full")
    middle_percent: int = _number(75, "cancelling", "percent", 0, 100, "Kept in between", "Of a rent paid in full")
    late_percent: int = _number(
        100, "cancelling", "percent", 0, 100, "Kept late", "Of a rent paid in full; also after a no-show"
    )
    partial_percent: int = _number(
        100, "cancelling", "percent", 0, 100, "Kept of a rent paid in part", "Whenever it is cancelled"
    )
    no_show_hours: int = _number(
        2, "cancelling", "hours", 0, 24, "No-show after", "After the pickup time, a vendor may mark one"
    )
    grace_minutes: int = _number(15, "returning", "minutes", 0, 240, "Late hours begin after", "After the return time")
    most_full_days: int = _number(
        2, "returning", "times", 1, 10, "24 late hours cost at most", "Times the vehicle's Full Day price"
    )
    extend_hours: int = _number(
        24, "returning", "hours", 0, 168, "Extending is possible until", "Before the return; later only the vendor can"
    )
    refunds_from: int = _number(
        20,
        "returning",
        "o'clock",
        0,
        22,
        "Deposits are returned from",
        "After a later return, on the next day",
    )
    refunds_to: int = _number(21, "returning", "o'clock", 1, 23, "Deposits are returned until")
    object_hours: int = _number(
        24, "charging", "hours", 1, 720, "Time to object", "After something was noted; the customer's"
    )
    speeding_fine: int = _number(
        100 * _RUPEES, "charging", "paise", 0, 10_000 * _RUPEES, "Fine for each speeding", "0 charges none"
    )
    charge_days: int = _number(
        7, "charging", "days", 0, 90, "Time to charge more", "Days after the day of the return, for challans and tolls"
    )
    second_helmet: int = _number(
        200 * _RUPEES, "extras", "paise", 0, 10_000 * _RUPEES, "Second helmet", "For one trip; 0 makes it free"
    )
    helmet_days: int = _number(
        5, "extras", "days", 1, 30, "A trip lasts at most", "A longer rental pays for a second helmet again"
    )
    answer_hours: int = _number(
        8, "answering", "hours", 1, 48, "Longest time to answer", "A request; shorter where the pickup is near"
    )
    answer_minutes: int = _number(
        5, "answering", "minutes", 1, 30, "Shortest time to answer", "A request for a pickup at once"
    )
    review_days: int = _number(14, "reviewing", "days", 1, 90, "Time to review", "After the return, for both sides")
    usual_late_from: int = _number(
        50 * _RUPEES, "texts", "paise", 0, 100_000 * _RUPEES, "A late hour costs usually from", "Vendors set their own"
    )
    usual_late_to: int = _number(
        200 * _RUPEES,
        "texts",
        "paise",
        0,
        100_000 * _RUPEES,
        "A late hour costs usually up to",
        "Vendors set their own",
    )
    scooter_speed: int = _number(70, "texts", "km/h", 10, 200, "Usual speed limit of scooters", "Vendors set their own")
    bike_speed: int = _number(90, "texts", "km/h", 10, 200, "Usual speed limit of bikes", "Vendors set their own")
    range_km: int = _number(150, "texts", "km", 10, 5_000, "How far from the city", "Vendors set their own terms")
    max_unanswered: int = _number(
        3, "limits", "at most", 1, 1_000, "Requests without an answer", "A customer's, at the same time"
    )
    max_overlapping: int = _number(
        3, "limits", "at most", 1, 1_000, "Bookings at once", "A customer's, on the same dates"
    )
    max_stored_mb: int = _number(500, "limits", "MB", 1, 1_000_000, "Stored files", "A vendor's, all together")
    max_vehicles: int = _number(200, "limits", "at most", 1, 100_000, "Vehicles", "A vendor's")
    commission_bps: int = _number(
        0, "limits", "basis points", 0, 10_000, "Commission of new vendors", "Of bookings; set later for each vendor"
    )

    @classmethod
    def of(cls, stored: Mapping[str, int] | None) -> "Policies":
        """The numbers that are stored; those that are missing have their first values, as a row of an earlier version
        means them."""
        return _of(tuple(stored.items())) if stored else FIRST

    @cached_property
    def booked(self) -> dict[str, int]:
        """The numbers that a booking made now stores: what its texts and its account need."""
        return {name: getattr(self, name) for name in _BOOKED}

    @cached_property
    def code(self) -> str:
        """A short name of what a booking would store: the same for the same numbers."""
        return sha256(repr(sorted(self.booked.items())).encode()).hexdigest()[:12]


def _bounds(each: Field[Any]) -> Bounds:
    bounds: Bounds = each.metadata["bounds"]
    return bounds


BOUNDS: Mapping[str, Bounds] = {each.name: _bounds(each) for each in fields(Policies)}
_BOOKED = tuple(name for name, bounds in BOUNDS.items() if bounds.group not in ("texts", "limits"))
FIRST = Policies()


@lru_cache(maxsize=256)
def _of(stored: tuple[tuple[str, int], ...]) -> Policies:
    return Policies(**{name: value for name, value in stored if name in BOUNDS})


# Numbers that must not be less than the one before them, each with what is wrong if they are.
_ASCENDING = (
    ("early_percent", "middle_percent", "Cancelling in between keeps no less than cancelling early"),
    ("middle_percent", "late_percent", "Cancelling late keeps no less than cancelling in between"),
    ("usual_late_from", "usual_late_to", "This is no less than what it costs from"),
)
# Numbers that must be more than the one before them.
_RISING = (
    ("late_hours", "early_hours", "Early is longer before the pickup than late"),
    ("refunds_from", "refunds_to", "They end later than they begin"),
)


def refusals(policies: Policies) -> dict[str, str]:
    """What is wrong with numbers, by the name of the number; nothing if they can be in force."""
    wrong_by_name = {
        name: wrong for name, value in asdict(policies).items() if (wrong := _out_of_bounds(BOUNDS[name], value))
    }
    pairs = [(lower, higher, wrong, 0) for lower, higher, wrong in _ASCENDING]
    for lower, higher, wrong, more in [*pairs, *((*each, 1) for each in _RISING)]:
        if getattr(policies, higher) < getattr(policies, lower) + more:
            wrong_by_name.setdefault(higher, wrong)
    return wrong_by_name


def _out_of_bounds(bounds: Bounds, value: int) -> str:
    if bounds.least <= value <= bounds.most:
        return ""
    if bounds.unit == "paise":
        return f"Enter an amount between ₹0 and ₹{grouped(bounds.most // PAISE_PER_RUPEE)}"
    if bounds.unit == "basis points":
        return "Enter a percentage between 0 and 100"
    return f"Enter a whole number between {bounds.least} and {grouped(bounds.most)}"
