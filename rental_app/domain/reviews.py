"""Reviews: until when they may be written, what their stars average, and what is shown of their writers."""

from datetime import datetime, timedelta

from rental_app.domain.policies import Policies
from rental_app.domain.retention import FORMER_CUSTOMER

STARS = (5, 4, 3, 2, 1)
MOST_STARS = STARS[0]
# Longer times are given in days.
MOST_HOURS = 24
NOBODY = "A customer"


def review_until(came_back: datetime, policies: Policies) -> datetime:
    """Until when both sides may review a trip."""
    return came_back + timedelta(days=policies.review_days)


def rating(stars_total: int, reviews: int) -> float | None:
    """The average of some reviews to one decimal, halves rounded up; None without any."""
    return (20 * stars_total + reviews) // (2 * reviews) / 10 if reviews else None


def answers_within(median: timedelta) -> str:
    """How soon somebody answers, in words: 'within 2 hours'."""
    hours = _hours(median)
    if hours == 1:
        return "within an hour"
    return f"within {hours} hours" if hours <= MOST_HOURS else f"within {-(-hours // 24)} days"


def answers_in(median: timedelta) -> str:
    """The same where there is little room: 'in 2 h'."""
    hours = _hours(median)
    return f"in {hours} h" if hours <= MOST_HOURS else f"in {-(-hours // 24)} days"


def _hours(time: timedelta) -> int:
    """The hours begun in a time, at least one."""
    return max(1, -(-time // timedelta(hours=1)))


def short_name(name: str) -> str:
    """The public form of a customer's name: 'Anjali Rao' becomes 'Anjali R.'."""
    if not name.strip():
        return NOBODY
    if name == FORMER_CUSTOMER:
        return name
    first, *more = name.split()
    return f"{first} {more[-1][0]}." if more else first
