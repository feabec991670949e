"""Time: UTC in the database, Indian time for people, and the windows vehicles are rented for."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Literal, get_args

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import counted
from rental_app.domain.policies import Policies

# India keeps one offset all year, so a fixed one needs no time zone database.
INDIA = timezone(timedelta(hours=5, minutes=30), "IST")
HOUR = timedelta(hours=1)
PAST_TOLERANCE = timedelta(minutes=5)
MIN_LENGTH = timedelta(hours=24)
MAX_LENGTH = timedelta(days=30)
MAX_AHEAD = timedelta(days=90)
# No booking can end later than this.
HORIZON = MAX_AHEAD + MAX_LENGTH
TOO_FAR = f"Pickup can be at most {MAX_AHEAD.days} days ahead"
TOO_LONG = f"The longest rental is {MAX_LENGTH.days} days"
Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)

# Nearer the calendar's ends, shifting between UTC and Indian time would overflow.
YEARS = range(1900, 2200)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])", re.ASCII)
# Python alone would accept any character between the day and the time.
_INSTANT = re.compile(r"[\dW-]+[T ][\d:.,]+(Z|[+ -][\d:]+)?", re.ASCII)
_ahead = timedelta()


def now() -> datetime:
    """The current instant, UTC: the machine's, unless the product's clock was set ahead of it."""
    return datetime.now(UTC) + _ahead


def set_ahead(by: timedelta) -> None:
    """Let this process's clock be ahead of the machine's, or behind it, and go on from there (RENTAL_CLOCK_AHEAD)."""
    global _ahead
    _ahead = by


def indian(instant: datetime) -> datetime:
    """The same instant with the Indian offset."""
    return instant.astimezone(INDIA)


def indian_today(instant: datetime) -> date:
    """The calendar day in India at an instant."""
    return indian(instant).date()


def at(day: date, clock_time: time) -> datetime:
    """The instant (UTC) at which Indian clocks show this day and time."""
    return datetime.combine(day, clock_time, INDIA).astimezone(UTC)


def default_pickup(instant: datetime) -> datetime:
    """The next full hour in India (specification, section 4); an exact hour stays as it is."""
    hour = hour_begun(instant)
    return hour if hour == instant else hour + HOUR


def hour_begun(instant: datetime) -> datetime:
    """The last full hour in India; an exact hour stays as it is."""
    return indian(instant).replace(minute=0, second=0, microsecond=0).astimezone(UTC)


def month_bounds(instant: datetime) -> tuple[datetime, datetime]:
    """The first instant (UTC) of the Indian calendar month that contains an instant, and of the next month."""
    first = indian_today(instant).replace(day=1)
    following = (first + timedelta(days=32)).replace(day=1)
    return at(first, time()), at(following, time())


def month_of(text: str) -> date | None:
    """The first day of a month written like 2026-11; None for anything else."""
    return date.fromisoformat(f"{text}-01") if _MONTH.fullmatch(text) else None


def parse_moment(text: str, field: str) -> datetime | date:
    """Read an ISO 8601 instant (UTC; Indian time when it carries no offset) or a bare calendar date like 2026-12-01.

    Raises InvalidInputError naming `field` for anything else.
    """
    try:
        return _iso_moment(text.upper())
    except ValueError:
        raise InvalidInputError(
            "This is not a date and time",
            code="bad_date",
            fields={field: "Use ISO 8601, e.g. 2026-12-01T10:00"},
        ) from None


def _iso_moment(text: str) -> datetime | date:
    is_instant = _INSTANT.fullmatch(text)
    if not (is_instant or _DATE.fullmatch(text)) or int(text[:4]) not in YEARS:
        raise ValueError(text)
    if not is_instant:
        return date.fromisoformat(text)
    # A query string turns an unescaped plus sign into a space.
    moment = datetime.fromisoformat(text[:11] + text[11:].replace(" ", "+"))
    return (moment if moment.tzinfo else moment.replace(tzinfo=INDIA)).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Window:
    """A half-open stretch of time [pickup, return), both UTC."""

    pickup: datetime
    return_at: datetime

    @property
    def days(self) -> int:
        """Days to pay for: every 24 hours begun, at least one."""
        return max(1, math.ceil((self.return_at - self.pickup) / timedelta(days=1)))

    @property
    def label(self) -> str:
        """Its length in words: '1 day', '2 days 3 h'."""
        total = int((self.return_at - self.pickup) / HOUR)
        days, hours = divmod(total, 24)
        parts = [counted(days, "day")] if days else []
        return " ".join(parts + ([f"{hours} h"] if hours or not days else []))


def extendable_until(return_at: datetime, policies: Policies) -> datetime:
    """The last instant at which a customer can extend a booking (specification, section 9)."""
    return return_at - timedelta(hours=policies.extend_hours)


def refuse_broken(rules: Iterable[tuple[bool, str, str, str]]) -> None:
    """Raise InvalidInputError for the first broken rule of a window; a rule is (is broken, code, field, message)."""
    for broken, code, field, message in rules:
        if broken:
            raise InvalidInputError(message, code=code, fields={field: message})


def check_window(window: Window, instant: datetime) -> None:
    """Check a window against the booking limits; raises InvalidInputError with a code for each limit."""
    length = window.return_at - window.pickup
    rules = (
        (window.pickup < instant - PAST_TOLERANCE, "pickup_in_past", "pickupDate", "Pickup is in the past"),
        (length <= timedelta(), "return_before_pickup", "returnDate", "Return must be after pickup"),
        (length < MIN_LENGTH, "too_short", "returnDate", f"The shortest rental is {MIN_LENGTH // HOUR} hours"),
        (length > MAX_LENGTH, "too_long", "returnDate", TOO_LONG),
        (window.pickup > instant + MAX_AHEAD, "too_far", "pickupDate", TOO_FAR),
    )
    refuse_broken(rules)


def is_possible(window: Window, instant: datetime) -> bool:
    """Whether a window is within the booking limits."""
    try:
        check_window(window, instant)
    except InvalidInputError:
        return False
    return True


def hour_text(at: datetime | time) -> str:
    """A time of day, Indian for an instant: '10 AM', with minutes only if there are any."""
    local = indian(at) if isinstance(at, datetime) else at
    return f"{local:%-I:%M %p}".replace(":00 ", " ")


def friendly(instant: datetime, today: date | None = None) -> str:
    """An instant as shown to people: 'Sat 21 Nov, 10 AM' (Indian time), with a year if `friendly_day` adds one."""
    return f"{friendly_day(indian(instant).date(), today)}, {hour_text(instant)}"


def friendly_span(begin: datetime, end: datetime) -> str:
    """From one instant to another, both as `friendly` shows them."""
    return f"{friendly(begin)} to {friendly(end)}"


def day_or_today(instant: datetime, now: datetime) -> str:
    """An instant like `friendly`, with 'today' in place of the day if it is in the Indian day of another instant."""
    return f"today {hour_text(instant)}" if indian_today(instant) == indian_today(now) else friendly(instant)


def full_day(day: date) -> str:
    """A calendar day with its year: 'Sat 21 Nov 2026'."""
    return f"{day:%a %-d %b %Y}"


def friendly_day(day: date, today: date | None = None) -> str:
    """A calendar day as shown to people: 'Sat 21 Nov', with the year unless it is today's."""
    return f"{day:%a %-d %b}" if day.year == (today or indian_today(now())).year else full_day(day)
