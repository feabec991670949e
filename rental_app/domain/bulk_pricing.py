"""What many vehicles cost over one window: the totals of `pricing.quote`, all at once. All money is paise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rental_app.domain.clock import Window, indian
from rental_app.domain.pricing import DEAREST, FULL_DAY, HALF_DAY, SLOTS, DayRule, slots_of

Numbers = NDArray[np.int64]
# More than any rental costs, and small enough that sixty of them still fit an int64.
NO_SUCH_PLAN = 2**50


@dataclass(frozen=True)
class Tariffs:
    """What vehicles cost per plan, each vehicle at its index: NO_SUCH_PLAN where a plan is not active.

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
        """`pricing.Tariff.rate` for all vehicles."""
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
        return [(rule, places) for rule, places in reversed(self.rules) if rule.weekday is None]

    @cached_property
    def _weekdays(self) -> dict[int, Numbers]:
        """The percentages by weekday; any rule for dates takes precedence over these."""
        percents: dict[int, Numbers] = {}
        for rule, places in reversed(self.rules):
            if rule.weekday is not None:
                percents.setdefault(rule.weekday, np.zeros_like(self.daily))[places] = rule.percent
        return percents
