"""What runs in the process that reads one calendar of another platform and then exits (services/ical_process.py).

It imports only what it needs, as it is started anew for every calendar, most of which have no repeating entries.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta

from icalendar import Calendar, Component, Event

from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.services import decoding

MEGABYTES = 512
AHEAD, MOST_EVENTS = timedelta(days=365), 1_000
NO_CALENDAR = "The address does not hold a calendar"
ODD_RULE = "An entry of the calendar repeats in a way that cannot be read"
_REPEATS = ("RRULE", "RDATE", "RECURRENCE-ID")


class UnreadableError(Exception):
    """Why a calendar cannot be read, worded for the vendor."""


def _parsed(body: bytes) -> Calendar:
    try:
        calendar = Calendar.from_ical(body)
    # Input written by strangers may break the parser in any way.
    except Exception as error:
        raise UnreadableError(NO_CALENDAR) from error
    if not isinstance(calendar, Calendar):
        raise UnreadableError(NO_CALENDAR)
    _require_few(_entries(calendar))
    return calendar


def _entries(calendar: Calendar) -> list[Event]:
    return [event for event in calendar.subcomponents if isinstance(event, Event)]


def _repeats(event: Event) -> bool:
    return any(name in event for name in _REPEATS)


def _require_few(entries: Sequence[object]) -> None:
    if len(entries) > MOST_EVENTS:
        raise UnreadableError(f"The calendar has more than {MOST_EVENTS:,} entries")


def _near(events: Iterable[Event], instant: datetime, host: str) -> list[Window]:
    last = instant + AHEAD
    found = [window for event in events if (window := _window(event, host))]
    near = [window for window in found if window.return_at > instant and window.pickup < last]
    _require_few(near)
    return [Window(max(window.pickup, instant), min(window.return_at, last)) for window in near]


def _window(event: Event, host: str) -> Window | None:
    """The window an entry takes; None if it is cancelled, free time, ours, or does not end after it begins."""
    ours = str(event.get("UID", "")).endswith(f"@{host}")
    if ours or event.get("STATUS") == "CANCELLED" or event.get("TRANSP") == "TRANSPARENT":
        return None
    try:
        begin, end = _instant(event.start), _instant(event.end)
    except (ValueError, TypeError, AttributeError, OverflowError):
        return None
    return Window(begin, end) if begin < end else None


def _instant(moment: date | datetime) -> datetime:
    """The instant in UTC; dates and times without a zone are Indian."""
    if not isinstance(moment, datetime):
        return clock.at(moment, time())
    return (moment if moment.tzinfo else moment.replace(tzinfo=clock.INDIA)).astimezone(UTC)


def _repeated(calendar: Calendar, instant: datetime) -> list[Event]:
    """Single entries, and the occurrences of series that are near, without those moved or removed."""
    series = {event.get("UID") for event in _entries(calendar) if _repeats(event)}

    def stands_alone(part: Component) -> bool:
        return isinstance(part, Event) and part.get("UID") not in series

    alone = [event for event in _entries(calendar) if stands_alone(event)]
    if not series:
        return alone
    calendar.subcomponents = [part for part in calendar.subcomponents if not stands_alone(part)]
    return [*alone, *_expanded(calendar, instant)]


def _expanded(calendar: Calendar, instant: datetime) -> list[Event]:
    import recurring_ical_events

    # Dates and times without a zone are compared as if they were in UTC.
    near = (instant - timedelta(days=1), instant + AHEAD + timedelta(days=1))
    try:
        return list(recurring_ical_events.of(calendar, components=["VEVENT"]).between(*near))
    except Exception as error:
        raise UnreadableError(ODD_RULE) from error


def main() -> None:
    """Read the calendar on standard input as of an instant; `host` is ours, `seconds` is the limit of CPU time."""
    instant, host, seconds = datetime.fromisoformat(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    decoding.limit(seconds)
    decoding.limit_memory(MEGABYTES * 1024 * 1024)
    try:
        found = _near(_repeated(_parsed(sys.stdin.buffer.read()), instant), instant, host)
        said: dict[str, object] = {"windows": [[one.pickup.isoformat(), one.return_at.isoformat()] for one in found]}
    except UnreadableError as error:
        said = {"error": str(error)}
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
