"""What a calendar of another platform says. One that is long or repeats is read in a process of its own, with limits.

Strangers write them: a rule that repeats every second, or never, keeps its reader busy for as long as it is let, and
a megabyte of odd lines for a quarter of a minute.
`windows_of` starts that process; `main` is what runs there.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import recurring_ical_events
from icalendar import Calendar, Component, Event

from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.services.outside import FetchError
from rental_app.settings import settings

ROOT = Path(__file__).parents[2]
MEGABYTES, CPU_SECONDS, SECONDS = 512, 5, 60
# Bytes: read within a fraction of a second, whatever they are.
SHORT = 20_000
AHEAD, MOST_EVENTS = timedelta(days=365), 1_000
NO_CALENDAR = "The address does not hold a calendar"
TOO_MUCH = "The calendar takes too long to be read"
ODD_RULE = "An entry of the calendar repeats in a way that cannot be read"
_REPEATS = ("RRULE", "RDATE", "RECURRENCE-ID")


def windows_of(body: bytes, instant: datetime) -> list[Window]:
    """When a calendar says its vehicle is taken, from now to a year ahead. Raises FetchError. Blocks for SECONDS."""
    host = urlsplit(settings().public_url).hostname or ""
    if len(body) > SHORT:
        return _read_elsewhere(body, instant, host)
    calendar = _parsed(body)
    if any(_repeats(event) for event in _entries(calendar)):
        return _read_elsewhere(body, instant, host)
    return _near(_entries(calendar), instant, host)


def _read_elsewhere(body: bytes, instant: datetime, host: str) -> list[Window]:
    # The keys to everything are of no use there.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RENTAL_")}
    command = [sys.executable, "-m", __name__, instant.isoformat(), host, str(CPU_SECONDS)]
    try:
        ended = subprocess.run(  # noqa: S603
            command, input=body, capture_output=True, cwd=ROOT, env=environment, timeout=SECONDS, check=True
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise FetchError(TOO_MUCH) from error
    said = json.loads(ended.stdout)
    if "error" in said:
        raise FetchError(said["error"])
    return [Window(*map(datetime.fromisoformat, ends)) for ends in said["windows"]]


def _parsed(body: bytes) -> Calendar:
    try:
        calendar = Calendar.from_ical(body)
    # What strangers wrote may break its reader in any way.
    except Exception as error:
        raise FetchError(NO_CALENDAR) from error
    if not isinstance(calendar, Calendar):
        raise FetchError(NO_CALENDAR)
    _require_few(_entries(calendar))
    return calendar


def _entries(calendar: Calendar) -> list[Event]:
    return [event for event in calendar.subcomponents if isinstance(event, Event)]


def _repeats(event: Event) -> bool:
    return any(name in event for name in _REPEATS)


def _require_few(entries: Sequence[object]) -> None:
    if len(entries) > MOST_EVENTS:
        raise FetchError(f"The calendar has more than {MOST_EVENTS:,} entries")


def _near(events: Iterable[Event], instant: datetime, host: str) -> list[Window]:
    last = instant + AHEAD
    found = [window for event in events if (window := _window(event, host))]
    near = [window for window in found if window.return_at > instant and window.pickup < last]
    _require_few(near)
    return [Window(max(window.pickup, instant), min(window.return_at, last)) for window in near]


def _window(event: Event, host: str) -> Window | None:
    """What an entry takes; nothing if it is cancelled, free time, ours, or without an end after its beginning."""
    ours = str(event.get("UID", "")).endswith(f"@{host}")
    if ours or event.get("STATUS") == "CANCELLED" or event.get("TRANSP") == "TRANSPARENT":
        return None
    try:
        begin, end = _instant(event.start), _instant(event.end)
    except (ValueError, TypeError, AttributeError, OverflowError):
        return None
    return Window(begin, end) if begin < end else None


def _instant(moment: date | datetime) -> datetime:
    """Days and times without a zone are meant here."""
    if not isinstance(moment, datetime):
        return clock.at(moment, time())
    return (moment if moment.tzinfo else moment.replace(tzinfo=clock.INDIA)).astimezone(UTC)


def _repeated(calendar: Calendar, instant: datetime) -> list[Event]:
    """Entries that stand alone, and those of series that are near, without what was moved or taken out of them."""
    series = {event.get("UID") for event in _entries(calendar) if _repeats(event)}

    def stands_alone(part: Component) -> bool:
        return isinstance(part, Event) and part.get("UID") not in series

    alone = [event for event in _entries(calendar) if stands_alone(event)]
    calendar.subcomponents = [part for part in calendar.subcomponents if not stands_alone(part)]
    # Days and times without a zone are compared as if they were in UTC.
    near = (instant - timedelta(days=1), instant + AHEAD + timedelta(days=1))
    try:
        return [*alone, *recurring_ical_events.of(calendar, components=["VEVENT"]).between(*near)]
    except Exception as error:
        raise FetchError(ODD_RULE) from error


def main() -> None:
    """Answer for the calendar on standard input, as of an instant; `host` is ours, `seconds` are the processor's."""
    instant, host, seconds = datetime.fromisoformat(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    # Outside Linux this limit is refused or has no effect.
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES * 1024 * 1024,) * 2)
    try:
        found = _near(_repeated(_parsed(sys.stdin.buffer.read()), instant), instant, host)
        said: dict[str, object] = {"windows": [[one.pickup.isoformat(), one.return_at.isoformat()] for one in found]}
    except FetchError as error:
        said = {"error": str(error)}
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
