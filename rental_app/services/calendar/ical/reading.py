"""What runs in the process that reads one calendar of another platform and then exits (process_client.py).

It imports only what it needs, as it is started anew for every calendar, most of which have no repeating entries."""

import json
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from icalendar import Calendar

from rental_app.domain.clock import Window
from rental_app.domain.free_windows import without
from rental_app.services.calendar.ical.entries import ImportedEntry, key_of, read_entry, read_free_busy, text_of
from rental_app.services.calendar.ical.properties import Zones, calendars, decoded, instant_of
from rental_app.services.files import process_limits

# Ten years of a daily entry take a tenth of that.
EACH, TOGETHER = 0.5, 1.5
# Libraries may catch the first.
_AGAIN = 0.1

T = TypeVar("T")


class TooLongError(BaseException):
    """The work has taken too long; not an Exception, which libraries would catch."""


class Budget:
    """The processor time (seconds) that the odd parts of one calendar may take: EACH alone, and TOGETHER."""

    def __init__(self) -> None:
        """Work is interrupted by a signal, which only the main thread of a process gets."""
        self._left = TOGETHER
        signal.signal(signal.SIGPROF, _stop)

    def attempt(self, work: Callable[[], T]) -> T | None:
        """The result of some work; None if it fails, in whatever way, or takes too long."""
        if self._left <= 0:
            return None
        began = time.process_time()
        try:
            signal.setitimer(signal.ITIMER_PROF, min(EACH, self._left), _AGAIN)
            return work()
        except (Exception, TooLongError):
            return None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._left -= time.process_time() - began


def _stop(_number: int, _frame: object) -> None:
    raise TooLongError


MEGABYTES = 512
AHEAD, MOST_EVENTS = timedelta(days=365), 1_000
NO_CALENDAR = "The address does not hold a calendar"
WEB_PAGE = "The address shows a web page and not a calendar"
NOTHING = "The address returned an empty file"
CUT_OFF = "The calendar breaks off before its end"
TOO_MANY = f"The calendar has more than {MOST_EVENTS:,} entries from today on"
TOO_MANY_UNREAD = f"More than {MOST_EVENTS:,} entries of the calendar could not be read"
_LONG_AGO = timedelta(days=365)


class UnreadableError(Exception):
    """Why a calendar cannot be read, worded for the vendor."""


@dataclass(slots=True)
class ParsedCalendar:
    """What a calendar says: when its entries take the vehicle, by their keys, and what cannot be read.

    `unread` are the keys and texts of such entries, `zones` the names of unknown time zones.
    """

    taken: dict[str, list[Window]] = field(default_factory=lambda: defaultdict(list))
    unread: list[tuple[str, str]] = field(default_factory=list)
    zones: set[str] = field(default_factory=set)


def read(body: bytes, instant: datetime, host: str) -> ParsedCalendar:
    """Read a file as of an instant, but for what came from us (`host`); raises UnreadableError."""
    text = decoded(body)
    written, budget, parsed = calendars(text), Budget(), ParsedCalendar()
    if not written:
        raise UnreadableError(_what_else(text))
    entries: list[ImportedEntry] = []
    for calendar in written:
        zones = Zones(calendar, budget.attempt)
        is_off = "CANCEL" in calendar.own.values("METHOD")
        entries += [read_entry(part, zones, is_off=is_off) for part in calendar.of("VEVENT")]
        for busy in calendar.of("VFREEBUSY"):
            taken, unread = read_free_busy(busy, zones)
            name = key_of(next((line.value for line in busy.of("UID")), busy.kind))
            parsed.taken[name] += taken
            if unread:
                parsed.unread.append((name, unread))
        parsed.zones |= zones.unknown
    if not all(calendar.is_whole for calendar in written):
        parsed.unread.append((CUT_OFF, CUT_OFF))
    _read_entries(parsed, [entry for entry in entries if not entry.uid.endswith(f"@{host}")], budget, instant)
    year = Window(instant, instant + AHEAD)
    near = {key: _joined(windows, year) for key, windows in parsed.taken.items()}
    parsed.taken = {key: windows for key, windows in near.items() if windows}
    if sum(map(len, parsed.taken.values())) > MOST_EVENTS:
        raise UnreadableError(TOO_MANY)
    if len(parsed.unread) > MOST_EVENTS:
        raise UnreadableError(TOO_MANY_UNREAD)
    return parsed


def _what_else(text: str) -> str:
    if not text.strip():
        return NOTHING
    return WEB_PAGE if "<html" in text[:2_000].lower() else NO_CALENDAR


def _read_entries(parsed: ParsedCalendar, entries: Sequence[ImportedEntry], budget: Budget, instant: datetime) -> None:
    groups: dict[str, list[ImportedEntry]] = defaultdict(list)
    for entry in entries:
        groups[entry.key].append(entry)
        if entry.faults and not entry.is_free and not _is_past(entry, instant):
            parsed.unread.append((entry.key, entry.text))
    for key, group in groups.items():
        parsed.taken[key] += _of_series(parsed, group, budget, instant)


def _is_past(entry: ImportedEntry, instant: datetime) -> bool:
    """Whether what cannot be read of an entry does not matter any more."""
    if entry.begin is None:
        return entry.end is not None and entry.end <= instant
    if entry.repeats:
        return False
    is_open = {"DTEND", "DURATION"} & {*entry.faults}
    return instant_of(entry.begin) + _LONG_AGO < instant if is_open else instant_of(entry.end or instant) <= instant


def _of_series(parsed: ParsedCalendar, group: list[ImportedEntry], budget: Budget, instant: datetime) -> list[Window]:
    """What the entries of one UID take: single ones, series, and occurrences moved or removed."""
    changes = [entry for entry in group if entry.replaces]
    taken, counted_out = [], False
    for entry in group:
        if entry.is_free or entry.replaces or not entry.window or _is_over(entry, changes, instant):
            continue
        taken.append(entry.window)
        if entry.repeats or changes:
            occurrences = budget.attempt(partial(_occurrences, entry, changes, instant))
            if occurrences is not None:
                taken[-1:], counted_out = occurrences, True
            elif (entry.key, entry.text) not in parsed.unread:
                parsed.unread.append((entry.key, entry.text))
    alone = [] if counted_out else [entry.window for entry in changes if entry.window and not entry.is_free]
    return [*taken, *alone]


def _is_over(entry: ImportedEntry, changes: list[ImportedEntry], instant: datetime) -> bool:
    """Whether a series ended before the instant, so that its years need not be counted out."""
    if not entry.window or not entry.until or changes or "RDATE" in entry.event:
        return False
    return max(entry.until, entry.window.pickup) + (entry.window.return_at - entry.window.pickup) <= instant


def _occurrences(entry: ImportedEntry, changes: list[ImportedEntry], instant: datetime) -> list[Window]:
    import recurring_ical_events

    series = Calendar()
    series.subcomponents = [entry.event, *(change.event for change in changes if change.begin)]
    near = recurring_ical_events.of(series, components=["VEVENT"]).between(instant, instant + AHEAD)
    busy = [event for event in near if event.get("STATUS") != "CANCELLED"]
    return [Window(instant_of(event["DTSTART"].dt), instant_of(event["DTEND"].dt)) for event in busy]


def _joined(windows: Iterable[Window], year: Window) -> list[Window]:
    cut = [Window(max(one.pickup, year.pickup), min(one.return_at, year.return_at)) for one in windows]
    return without([one for one in cut if one.pickup < one.return_at], [])


def main() -> None:
    """Read the calendar on standard input as of an instant; `host` is ours, `seconds` is the limit of CPU time."""
    instant, host, seconds = datetime.fromisoformat(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    process_limits.limit(seconds)
    process_limits.limit_memory(MEGABYTES * 1024 * 1024)
    try:
        parsed = read(sys.stdin.buffer.read(), instant, host)
        taken = {
            key: [[one.pickup.isoformat(), one.return_at.isoformat()] for one in parsed.taken[key]]
            for key in parsed.taken
        }
        answer = {"taken": taken, "unread": parsed.unread, "zones": sorted(text_of([name]) for name in parsed.zones)}
    except UnreadableError as error:
        answer = {"error": str(error)}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
