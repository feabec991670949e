"""The price of a rental: one pure function for card, detail page, quote, booking and receipt; the same for many
vehicles at once, and the extras that can be booked along. All money is paise."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from rental_app.domain.clock import Window, indian
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.policies import Policies

PlanName = Literal["Half Day", "Full Day", "Week", "Month"]
PLAN_NAMES: tuple[str, ...] = get_args(PlanName)
FULL_DAY = "Full Day"
HALF_DAY = timedelta(hours=12)
# How many half days each plan lasts.
SLOTS = dict(zip(PLAN_NAMES, (1, 2, 14, 60), strict=True))
_ORDER = {name: number for number, name in enumerate(PLAN_NAMES)}
LEAST_PERCENT, MOST_PERCENT = -50, 200
# The most a plan can cost, whatever the rules say: thirty days at this price fit the database's 32-bit integers.
DEAREST = 500_000 * PAISE_PER_RUPEE
# No rental comes near this; covering two hundred years with plans would take gigabytes.
LONGEST = timedelta(days=366)

Numbers = NDArray[np.int64]
# More than any rental costs, and small enough that sixty of them still fit an int64.
NO_SUCH_PLAN = 2**50

Kind = Literal["plan", "extra", "discount"]
Extra = Literal["helmet", "drop_off", "pick_up"]
EXTRAS: tuple[Extra, ...] = get_args(Extra)
EXTRA_LABELS: dict[Extra, str] = {
    "helmet": "Second helmet",
    "drop_off": "Deliver to me",
    "pick_up": "Collect from me",
}
DELIVERY: frozenset[Extra] = frozenset({"drop_off", "pick_up"})
# Seats of a two-wheeler. The first helmet comes with it (specification, section 9).
TWO_WHEELER_SEATS = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """What a vendor charges for a plan, more than zero; `kms_limit` applies to each use, 0 is unlimited."""

    name: str
    price: int
    kms_limit: int


@dataclass(frozen=True, slots=True)
class DayRule:
    """A percentage on the Half and Full Days that begin on weekdays (0 is Monday), or between two Indian days."""

    percent: int
    weekdays: tuple[int, ...] = ()
    first_day: date | None = None
    last_day: date | None = None

    def acts_on(self, day: date) -> bool:
        """Whether this rule changes the price of a plan that begins on an Indian day."""
        if self.weekdays:
            return day.weekday() in self.weekdays
        return self.first_day is not None and self.last_day is not None and self.first_day <= day <= self.last_day


@dataclass(frozen=True, slots=True)
class Tariff:
    """A vehicle's active plans, including Full Day, and its vendor's rules, of which the first that applies counts."""

    plans: tuple[Plan, ...]
    rules: tuple[DayRule, ...] = ()

    def rate(self, plan: Plan, start: datetime | None) -> int:
        """The price of a plan that begins at an instant; one changed by a rule is whole rupees, DEAREST at most."""
        if start is None or not self.rules or SLOTS[plan.name] > SLOTS[FULL_DAY]:
            return plan.price
        day = indian(start).date()
        percent = next((rule.percent for rule in self.rules if rule.acts_on(day)), 0)
        return min(DEAREST, (plan.price * (100 + percent) + 5_000) // 10_000 * 100) if percent else plan.price


class PriceLine(NamedTuple):
    """One line of a receipt: `quantity` times `rate` is `amount`, which is negative for a discount."""

    label: str
    quantity: int
    rate: int
    amount: int
    kind: Kind = "plan"


@dataclass(frozen=True, slots=True)
class Discount:
    """What an offer takes off the plans: a percentage, at most `cap` if that is set, or an amount `off`.

    A rental of fewer than `minimum_days` gets no discount.
    """

    code: str
    percent: int = 0
    cap: int | None = None
    off: int = 0
    minimum_days: int = 1

    def of(self, amount: int) -> int:
        """The discount on an amount; a percentage below the cap leaves whole rupees, so the rest never falls."""
        left = -(-amount * (100 - self.percent) // 10_000) * 100
        taken = max(0, amount - left) if self.percent else self.off
        return min(amount, taken, taken if self.cap is None else self.cap)


@dataclass(frozen=True, slots=True)
class Quote:
    """What a rental costs. The deposit is collected at pickup and is not part of the total.

    `saving` is how much less the plans cost than Full Days alone; `kms_included` is None if they are unlimited.
    """

    lines: tuple[PriceLine, ...]
    total: int
    deposit: int
    days: int
    kms_included: int | None
    saving: int = 0


def quote(
    window: Window, tariff: Tariff, deposit: int, extras: Sequence[PriceLine] = (), discount: Discount | None = None
) -> Quote:
    """The price of the cheapest plans that cover a window, laid end to end from pickup, plus extras, less the discount.

    Plans that cover a later return also cover an earlier one, so more time never costs less. Raises ValueError for a
    window that has not been validated.
    """
    if not timedelta() < window.return_at - window.pickup <= LONGEST:
        raise ValueError("a window that nobody has checked has no price")
    plans = _cheapest(tariff, slots_of(window), window.pickup if tariff.rules else None)
    earned = discount if discount and discount.minimum_days <= window.days else None
    lines = (*plans.lines, *extras)
    if earned and (taken := earned.of(plans.cost)):
        lines += (PriceLine(f"Offer {earned.code}", 1, -taken, -taken, "discount"),)
    full_day = next(plan for plan in tariff.plans if plan.name == FULL_DAY)
    by_the_day = (tariff.rate(full_day, window.pickup + timedelta(days=day)) for day in range(window.days))
    return Quote(
        lines=lines,
        total=sum(line.amount for line in lines),
        deposit=deposit,
        days=window.days,
        kms_included=plans.kms_included,
        saving=sum(by_the_day) - plans.cost,
    )


def at_most(price: Quote, most: int, label: str) -> Quote:
    """A price that is at most an amount (paise): what it would be more is taken off in a line with a label."""
    over = price.total - most
    if over <= 0:
        return price
    return replace(price, lines=(*price.lines, PriceLine(label, 1, -over, -over, "discount")), total=most)


def plan_sort_key(plan: str) -> int:
    """What plans are sorted by: the shortest first, one that is not known last."""
    return _ORDER.get(plan, len(_ORDER))


def slots_of(window: Window) -> int:
    """The number of half days begun in a window."""
    return math.ceil((window.return_at - window.pickup) / HALF_DAY)


def earlier_return(window: Window) -> datetime:
    """The latest return before a window's own at which the price may change."""
    return window.pickup + HALF_DAY * (slots_of(window) - 1)


class _Cover(NamedTuple):
    """Plans laid end to end, each with its rate; covers compare in order of preference.

    The cheapest comes first, then more kilometres (negative here), fewer kinds of plan, fewer plans.
    """

    cost: int
    kms: float
    kinds: int
    laid: int
    names: frozenset[str]
    pieces: tuple[tuple[str, int], ...]

    def and_then(self, plan: Plan, rate: int) -> "_Cover":
        """This cover extended by one plan."""
        names = self.names if plan.name in self.names else self.names | {plan.name}
        kms = self.kms - (plan.kms_limit or math.inf)
        return _Cover(self.cost + rate, kms, len(names), self.laid + 1, names, (*self.pieces, (plan.name, rate)))


class _Plans(NamedTuple):
    """The plans of a rental: a line for each plan and rate, what they cost, and the kilometres they include."""

    lines: tuple[PriceLine, ...]
    cost: int
    kms_included: int | None


@lru_cache(maxsize=4096)
def _cheapest(tariff: Tariff, slots: int, pickup: datetime | None) -> _Plans:
    """The cheapest plans that cover so many half days; only rules need the pickup."""
    cover = _cheapest_cover(tariff, slots, pickup)
    # A line for each plan and rate, the longest plan first.
    pieces = sorted(Counter(cover.pieces).items(), key=lambda piece: -SLOTS[piece[0][0]])
    lines = tuple(PriceLine(name, count, rate, count * rate) for (name, rate), count in pieces)
    return _Plans(lines, cover.cost, None if math.isinf(cover.kms) else int(-cover.kms))


def _cheapest_cover(tariff: Tariff, slots: int, pickup: datetime | None) -> _Cover:
    """The shortest path over half days, keeping one cover per set of plans at each."""
    nothing = _Cover(0, 0, 0, 0, frozenset(), ())
    reached: list[dict[frozenset[str], _Cover]] = [{} for _ in range(slots + 1)]
    reached[0][nothing.names] = nothing
    for slot in range(slots):
        rates = [tariff.rate(plan, pickup and pickup + HALF_DAY * slot) for plan in tariff.plans]
        # Only the cheapest are extended: a dearer beginning never ends cheaper.
        least = min((cover.cost for cover in reached[slot].values()), default=0)
        for cover in reached[slot].values():
            if cover.cost > least:
                continue
            for plan, rate in zip(tariff.plans, rates, strict=True):
                longer = cover.and_then(plan, rate)
                there = reached[min(slots, slot + SLOTS[plan.name])]
                there[longer.names] = min(longer, there.get(longer.names, longer))
    return min(reached[slots].values())


def extra_rates(seats: int, policies: Policies, *, delivers: bool, drop_off: int, pick_up: int) -> dict[Extra, int]:
    """The rate of each extra that is available with a vehicle; a helmet's rate is for a trip of `helmet_days`."""
    rates: dict[Extra, int] = {"helmet": policies.second_helmet} if seats <= TWO_WHEELER_SEATS else {}
    return rates | ({"drop_off": drop_off, "pick_up": pick_up} if delivers else {})


def extra_lines(
    chosen: Collection[Extra], rates: Mapping[Extra, int], window: Window, policies: Policies
) -> list[PriceLine]:
    """A line for each extra that was chosen; raises InvalidInputError for one not available with the vehicle."""
    if missing := [EXTRA_LABELS[extra] for extra in chosen if extra not in rates]:
        message = f"Not available with this vehicle: {', '.join(missing)}"
        raise InvalidInputError(message, code="extra_not_offered", fields={"extras": message})
    trips = math.ceil((window.return_at - window.pickup) / timedelta(days=policies.helmet_days))
    lines: list[PriceLine] = []
    for extra in sorted_extras(chosen):
        quantity, rate = trips if extra == "helmet" else 1, rates[extra]
        lines.append(PriceLine(EXTRA_LABELS[extra], quantity, rate, quantity * rate, "extra"))
    return lines


def sorted_extras(chosen: Collection[str]) -> list[Extra]:
    """Extras in the order of their lines in a price."""
    return [extra for extra in EXTRAS if extra in chosen]


def require_address(chosen: Collection[Extra], address: str) -> None:
    """Raise InvalidInputError if a vehicle is to be delivered or collected and no address is given."""
    if not address and not DELIVERY.isdisjoint(chosen):
        message = "Enter the address to deliver the vehicle to, or to collect it from"
        raise InvalidInputError(message, code="address_missing", fields={"address": message})


@dataclass(frozen=True)
class Tariffs:
    """What many vehicles cost per plan, each vehicle at its index: NO_SUCH_PLAN where a plan is not active. Their
    totals are those of `quote`, worked out all at once.

    `rules` come in order of precedence, highest first, each with the indexes of the vehicles it is for.
    """

    plans: Mapping[str, Numbers]
    rules: Sequence[tuple[DayRule, Numbers]] = ()

    @property
    def daily(self) -> Numbers:
        """The Full Day prices, before any rules."""
        return self.plans[FULL_DAY]

    def totals(self, window: Window) -> Numbers:
        """The cost of the cheapest cover of a window by each vehicle's plans."""
        slots = slots_of(window)
        nothing, unreached = np.zeros_like(self.daily), np.full_like(self.daily, NO_SUCH_PLAN)
        reached = [nothing, *[unreached] * slots]
        for slot in range(slots):
            percents = self._percents(indian(window.pickup + HALF_DAY * slot).date())
            for name, lasts in SLOTS.items():
                there = min(slots, slot + lasts)
                reached[there] = np.minimum(reached[there], reached[slot] + self._rates(name, percents))
        return reached[slots]

    def _rates(self, plan: str, percents: Numbers | None) -> Numbers:
        """`Tariff.rate` for all vehicles."""
        prices = self.plans[plan]
        if percents is None or SLOTS[plan] > SLOTS[FULL_DAY]:
            return prices
        changed = (prices * (100 + percents) + 5_000) // 10_000 * 100
        return np.where((percents == 0) | (prices == NO_SUCH_PLAN), prices, np.minimum(DEAREST, changed))

    def _percents(self, day: date) -> Numbers | None:
        """The percentage that each vehicle costs more or less on a day; None if no rule applies that day."""
        weekdays = self._weekdays.get(day.weekday())
        acting = [(rule, places) for rule, places in self._dated if rule.acts_on(day)]
        if not acting:
            return weekdays
        percents = np.zeros_like(self.daily) if weekdays is None else weekdays.copy()
        for rule, places in acting:
            percents[places] = rule.percent
        return percents

    @cached_property
    def _dated(self) -> list[tuple[DayRule, Numbers]]:
        """The rules for dates, lowest precedence first."""
        return [(rule, places) for rule, places in reversed(self.rules) if not rule.weekdays]

    @cached_property
    def _weekdays(self) -> dict[int, Numbers]:
        """The percentages by weekday; any rule for dates takes precedence over these."""
        percents: dict[int, Numbers] = {}
        for rule, places in reversed(self.rules):
            for weekday in rule.weekdays:
                percents.setdefault(weekday, np.zeros_like(self.daily))[places] = rule.percent
        return percents
