"""Opening hours: when a vendor hands vehicles over and takes them back."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from rental_app.domain.clock import MIN_LENGTH, WEEKDAYS, Window, at, hour_text, indian

DEFAULT_OPEN = time(9)
DEFAULT_CLOSE = time(20)
_TWELVE_HOUR = re.compile(r"(0?[1-9]|1[0-2]):([0-5]\d) ?(AM|PM)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """Indian clock times and the English names of the weekdays a vendor stays closed."""

    open: time = DEFAULT_OPEN
    close: time = DEFAULT_CLOSE
    closing_days: frozenset[str] = frozenset()

    @property
    def closed(self) -> list[str]:
        """The closing days in the order of the week."""
        return [day for day in WEEKDAYS if day in self.closing_days]

    @property
    def text(self) -> str:
        """The hours of an open day: '9 AM to 8 PM'."""
        return f"{hour_text(self.open)} to {hour_text(self.close)}"

    def closed_on(self, instant: datetime) -> bool:
        """Whether the Indian day of an instant is a closing day."""
        return self._closed_on(indian(instant))

    def serves(self, instant: datetime) -> bool:
        """Whether a handover can happen at an instant; both ends of the day are included."""
        local = indian(instant)
        return not self._closed_on(local) and self._is_open_at(local)

    def _closed_on(self, local: datetime) -> bool:
        return WEEKDAYS[local.weekday()] in self.closing_days

    def _is_open_at(self, local: datetime) -> bool:
        return self.open <= local.time() <= self.close

    def return_after(self, pickup: datetime) -> datetime:
        """24 hours after a pickup, or the same time on the first day after that on which the vendor is open."""
        earliest = pickup + MIN_LENGTH
        days = (earliest + timedelta(days=later) for later in range(7))
        return next((moment for moment in days if not self.closed_on(moment)), earliest)

    def refusal(self, window: Window) -> tuple[str, str] | None:
        """Why a window's ends cannot be served, as (field, message); None when they can."""
        return self._refusal("pickupDate", "Pickup", window.pickup) or self.return_refusal(window.return_at)

    def return_refusal(self, return_at: datetime) -> tuple[str, str] | None:
        """Why a return (UTC) cannot be served, as (field, message); None when it can."""
        return self._refusal("returnDate", "Return", return_at)

    def _refusal(self, field: str, word: str, instant: datetime) -> tuple[str, str] | None:
        local = indian(instant)
        if self._closed_on(local):
            return field, f"{word} is not possible on a {local:%A}: the vendor is closed that day"
        if not self._is_open_at(local):
            return field, f"{word} must be between {hour_text(self.open)} and {hour_text(self.close)}"
        return None

    def nearest(self, instant: datetime, *, not_before: datetime) -> datetime | None:
        """The instant (UTC) closest to another at which a handover can happen, no earlier than `not_before`.

        None when no day of the coming week is open.
        """
        # If the limit is later than the instant, the moment closest to the limit is also closest to the instant.
        target = max(instant, not_before)
        candidates = [
            moment
            for offset in range(-7, 8)
            if (moment := self._closest_on(target, offset)) >= not_before and self.serves(moment)
        ]
        return min(candidates, key=lambda moment: abs(moment - target), default=None)

    def last_open(self, instant: datetime) -> datetime | None:
        """The last moment up to an instant, on its Indian day or the one before, at which a handover can happen."""
        days = [(indian(instant) - timedelta(days=back)).date() for back in (0, 1)]
        moments = (min(instant, at(day, self.close)) for day in days)
        return next((moment for moment in moments if self.serves(moment)), None)

    def _closest_on(self, instant: datetime, offset: int) -> datetime:
        """The open moment of the day `offset` days away that is closest to an instant."""
        day = (indian(instant) + timedelta(days=offset)).date()
        return min(max(instant, at(day, self.open)), at(day, self.close))


USUAL_HOURS = OpeningHours()


def resolve(pickup: datetime | date, return_at: datetime | date, hours: OpeningHours) -> Window:
    """The window meant: a bare date is the vendor's opening time for a pickup, the pickup's clock time for a return."""
    start = pickup if isinstance(pickup, datetime) else at(pickup, hours.open)
    end = return_at if isinstance(return_at, datetime) else at(return_at, indian(start).time())
    return Window(start, end)


def parse_time(text: str) -> time:
    """Read '09:00 AM'; raises ValueError for anything else."""
    if not (match := _TWELVE_HOUR.fullmatch(text.strip())):
        raise ValueError("Use a time like 09:00 AM")
    hour = int(match[1]) % 12 + (12 if match[3].upper() == "PM" else 0)
    return time(hour, int(match[2]))


def format_time(clock_time: time) -> str:
    """A clock time as forms and the wire have it: '09:00 AM'."""
    return f"{clock_time:%I:%M %p}"
