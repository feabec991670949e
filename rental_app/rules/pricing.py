"""The price of a rental: one pure function for card, detail page, booking and receipt."""

from dataclasses import dataclass

from rental_app.rules.clock import Window

FULL_DAY = "Full Day"
PLAN_NAMES = ("Half Day", FULL_DAY, "Week", "Month")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a receipt: `quantity` days at `rate` paise make `amount` paise."""

    label: str
    quantity: int
    rate: int
    amount: int


@dataclass(frozen=True, slots=True)
class Quote:
    """What a rental costs (paise). The deposit is collected at pickup and no part of the total."""

    lines: tuple[Line, ...]
    total: int
    deposit: int
    days: int
    kms_included: int | None


def quote(window: Window, daily: int, deposit: int, kms_limit: int) -> Quote:
    """Days x the Full Day rate, all in paise.

    `kms_limit` counts for each day; 0 means unlimited, which the quote says as None.
    """
    days = window.days
    line = Line(FULL_DAY, days, daily, days * daily)
    return Quote((line,), line.amount, deposit, days, kms_limit * days if kms_limit else None)
