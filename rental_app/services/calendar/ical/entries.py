"""One entry of a calendar: when it begins and ends, what it repeats, and what of it cannot be read.

Where an entry can be read in more than one way, the one that takes more time is chosen: a vehicle that is free by
mistake is rented twice. It imports only what it needs (services/calendar/ical/reading.py).
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta

from icalendar import Event, vDDDLists, vDDDTypes, vDuration, vRecur

from rental_app.domain.clock import Window
from rental_app.services.calendar.ical.properties import Component, Line, Moment, Zones, instant_of, zoned

DAY, MOMENT = timedelta(days=1), timedelta(seconds=1)
# "For ever" in many programs is the end of the year 9999, which no other time zone can show.
FAR = datetime(9000, 1, 1, tzinfo=UTC)
MOST_CHARACTERS = 200
_OFF, _FREE = {"CANCELLED", "CANCELED"}, {"FREE", "TRANSPARENT"}
_SHOWN = ("SUMMARY", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "FREEBUSY")


@dataclass(slots=True)
class ImportedEntry:
    """An entry: what it takes by itself (None if it cannot be placed), its repetitions, and whether it takes anything.

    `until` is the last beginning that its rules allow, `faults` are its properties that cannot be read.
    """

    uid: str
    text: str
    is_free: bool = False
    begin: datetime | None = None
    end: datetime | None = None
    repeats: bool = False
    until: datetime | None = None
    replaces: bool = False
    faults: list[str] = field(default_factory=list)
    event: Event = field(default_factory=Event)

    @property
    def key(self) -> str:
        """What this entry is recognised by in the next reading."""
        return key_of(self.uid or self.text)

    @property
    def window(self) -> Window | None:
        """What it takes without its repetitions."""
        return Window(instant_of(self.begin), instant_of(self.end)) if self.begin and self.end else None


def read_entry(part: Component, zones: Zones, *, is_off: bool) -> ImportedEntry:
    """Read an entry; `is_off` says that its whole calendar is a cancellation."""
    named = [line for name in _SHOWN for line in part.of(name)]
    texts = (line.value if line.name == "SUMMARY" else f"{line.name}{line.parameters}:{line.value}" for line in named)
    entry = ImportedEntry(next((line.value for line in part.of("UID")), ""), text_of(texts))
    entry.is_free = is_off or _is_free(part)
    begins = _moments(entry, zones, part.of("DTSTART"))
    if not begins:
        entry.faults.append("DTSTART")
        entry.end = max(map(instant_of, _moments(entry, zones, part.of("DTEND"))), default=None)
        return entry
    entry.begin, entry.end = _span(entry, part, zones, begins)
    entry.event["DTSTART"], entry.event["DTEND"] = vDDDTypes(entry.begin), vDDDTypes(entry.end)
    _repeat(entry, part, zones, is_timed=isinstance(begins[0], datetime))
    return entry


def read_free_busy(part: Component, zones: Zones) -> tuple[list[Window], str]:
    """What a VFREEBUSY says is taken, and the text of what of it cannot be read."""
    windows: list[Window] = []
    unread: list[str] = []
    for line in part.of("FREEBUSY"):
        if line.parameter("FBTYPE").upper() == "FREE":
            continue
        for value in filter(None, map(str.strip, line.value.split(","))):
            try:
                windows.append(Window(*map(instant_of, _period(line, value, zones))))
            except (ValueError, OverflowError):
                unread.append(f"FREEBUSY:{value}")
    return [window for window in windows if window.pickup < window.return_at], text_of(unread)


def key_of(name: str) -> str:
    """A short name for one that may be of any length."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def text_of(written: Iterable[str]) -> str:
    """A part of a calendar in one line, without what cannot be seen, as far as it fits."""
    line = ", ".join(filter(None, map(str.strip, written)))
    seen = "".join(char if char.isprintable() else " " for char in line)
    return seen if len(seen) <= MOST_CHARACTERS else f"{seen[: MOST_CHARACTERS - 1]}\u2026"


def _is_free(part: Component) -> bool:
    shown = {*part.values("TRANSP"), *part.values("X-MICROSOFT-CDO-BUSYSTATUS")}
    status = part.values("STATUS")
    return bool(shown & _FREE) or (bool(status) and set(status) <= _OFF)


def _moments(entry: ImportedEntry, zones: Zones, lines: list[Line]) -> list[Moment]:
    """The dates and times of some lines; what cannot be read becomes a fault, what is empty is left out."""
    moments: list[Moment] = []
    for line in lines:
        for value in filter(None, map(str.strip, line.value.split(","))):
            try:
                moments.append(zones.moment(line, value))
            except (ValueError, OverflowError):
                entry.faults.append(line.name)
    return moments


def _span(entry: ImportedEntry, part: Component, zones: Zones, begins: list[Moment]) -> tuple[datetime, datetime]:
    """Both ends; an entry without an end lasts a day."""
    first = min(map(zoned, begins), key=instant_of)
    ends = _moments(entry, zones, part.of("DTEND")) or _after(entry, part, begins)
    if ends and max(map(_reach, ends)) <= instant_of(first):
        entry.faults.append("DTEND")
    begin = max(map(instant_of, begins))
    last = max([begin, *map(instant_of, ends)])
    # No end is later than the last beginning: there is none, or it equals the beginning.
    last = min(begin, FAR) + DAY if last == begin else min(last, FAR)
    return first, last.astimezone(first.tzinfo)


def _reach(end: Moment) -> datetime:
    """The latest that somebody may have meant by an end: all of the day, if it is a date."""
    length = MOMENT if isinstance(end, datetime) else DAY
    return min(instant_of(end), FAR) + length


def _after(entry: ImportedEntry, part: Component, begins: list[Moment]) -> list[Moment]:
    """Where a duration ends."""
    try:
        lasts = [_length(line.value) for line in part.of("DURATION") if line.value]
        return [zoned(begin) + longest for begin in begins for longest in lasts]
    except (ValueError, OverflowError):
        entry.faults.append("DURATION")
        return []


def _length(value: str) -> timedelta:
    """A duration; raises ValueError."""
    length: timedelta = vDuration.from_ical(value.strip().upper())  # type: ignore[no-untyped-call]
    return length


def _repeat(entry: ImportedEntry, part: Component, zones: Zones, *, is_timed: bool) -> None:
    """Write the entry down for the library that counts repetitions out, with every value in its plain form."""
    event = entry.event
    event["UID"] = entry.key
    if entry.is_free:
        event["STATUS"] = "CANCELLED"
    _add_rules(entry, part, zones)
    _add_dates(entry, part, zones)
    away = _moments(entry, zones, part.of("EXDATE"))
    if away:
        # A date takes all of its day out, where the entry has times of day.
        event["EXDATE"] = vDDDLists([each if is_timed else zoned(each) for each in away])
    for line in part.of("RECURRENCE-ID"):
        for replaced in _moments(entry, zones, [line]):
            entry.replaces = True
            following = {"RANGE": "THISANDFUTURE"} if line.parameter("RANGE").upper() == "THISANDFUTURE" else {}
            entry.event["RECURRENCE-ID"] = vDDDTypes(zoned(replaced), params=following)
    for line in part.of("SEQUENCE"):
        if re.fullmatch(r"[0-9]{1,9}", line.value):
            entry.event["SEQUENCE"] = int(line.value)


def _add_rules(entry: ImportedEntry, part: Component, zones: Zones) -> None:
    rules, untils = [], []
    for line in part.of("RRULE"):
        entry.repeats = True
        parts = [each.strip() for each in line.value.upper().split(";")]
        ends = [each.removeprefix("UNTIL=") for each in parts if each.startswith("UNTIL=")]
        try:
            untils += [_until(zones.moment(part.of("DTSTART")[0], each), entry) for each in ends]
            rules.append(_rule([each for each in parts if not each.startswith("UNTIL=")], untils[-len(ends) :]))
        except (ValueError, OverflowError):
            entry.faults.append(line.name)
    if rules:
        entry.event["RRULE"] = rules
        entry.until = max(untils) if len(untils) == len(rules) else None


def _until(until: Moment, entry: ImportedEntry) -> datetime:
    """The last instant at which a rule's entry may begin: the end of the day, if it is a date."""
    if isinstance(until, datetime):
        return instant_of(until)
    zone = entry.begin.tzinfo if entry.begin else None
    return instant_of(datetime.combine(until, time(), zone) + DAY - MOMENT)


def _rule(parts: list[str], untils: list[datetime]) -> vRecur:
    """A rule; raises ValueError."""
    rule: vRecur = vRecur.from_ical(";".join(parts))
    if "FREQ" not in rule or 0 in rule.get("INTERVAL", [1]):
        raise ValueError(";".join(parts))
    if untils:
        rule["UNTIL"] = [min(untils)]
    return rule


def _add_dates(entry: ImportedEntry, part: Component, zones: Zones) -> None:
    dates: list[datetime | tuple[datetime, datetime]] = []
    for line in part.of("RDATE"):
        entry.repeats = True
        for value in filter(None, map(str.strip, line.value.split(","))):
            try:
                dates.append(_period(line, value, zones) if "/" in value else zoned(zones.moment(line, value)))
            except (ValueError, OverflowError):
                entry.faults.append(line.name)
    if dates:
        entry.event["RDATE"] = vDDDLists(dates)


def _period(line: Line, value: str, zones: Zones) -> tuple[datetime, datetime]:
    """Both ends of a period; raises ValueError and OverflowError."""
    begins, _, ends = value.partition("/")
    begin = zoned(zones.moment(line, begins))
    lasts = ends.strip().upper().startswith(("P", "+P", "-P"))
    return begin, begin + _length(ends) if lasts else zoned(zones.moment(line, ends))
