"""Properties of iCalendar files as strangers write them: their lines, dates, times and time zones."""

import codecs
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import available_timezones

from icalendar import Timezone
from icalendar.timezone import tzp
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from rental_app.domain import clock

READ = ("VEVENT", "VFREEBUSY", "VTIMEZONE")
# Something else may stand before it on its line: a notice of PHP, an element of HTML.
_BEGIN = re.compile(r"BEGIN\s*:\s*([A-Z-]+)\s*$", re.IGNORECASE)
_END = re.compile(r"\s*END\s*:\s*([A-Z-]+)\s*$", re.IGNORECASE)
_LINE = re.compile(r'\s*([A-Za-z-]+)((?:;(?:[^":]|"[^"]*")*)?):(.*)', re.DOTALL)
_ODD_LINE = re.compile(r"\s*([A-Za-z-]+)([^:]*):(.*)", re.DOTALL)
_DATED = ("DTSTART", "DTEND", "RDATE", "EXDATE", "RECURRENCE-ID")
# Parameters without quotes may have a colon of their own: TZID=(UTC-05:00) Eastern Time.
_BEFORE_DATE = re.compile(r":(?=\s*[0-9]{4}-?[0-9]{2}-?[0-9]{2})")
# A blank in front continues the line before, but not where whole entries are indented.
_EDGE = re.compile(r"\s*(?:BEGIN|END)\s*:\s*V[A-Z]+\s*$", re.IGNORECASE)
_OWN_LINE = re.compile(r"\s*(?:DTSTART|DTEND|DURATION|RRULE|RDATE)[;:]", re.IGNORECASE)
_MARKS = (
    *((mark, "utf-32") for mark in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)),
    *((mark, "utf-16") for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
    *((text.encode(encoding), encoding) for text in ("BE", "be", "\r\n") for encoding in ("utf-16-le", "utf-16-be")),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A property: its name in capitals, its parameters with the semicolons before them, and its value."""

    name: str
    parameters: str
    value: str

    def parameter(self, name: str) -> str:
        """The value of a parameter, or ''."""
        match = re.search(rf';\s*{name}\s*=\s*(?:"([^"]*)"|([^;]*))', self.parameters, re.IGNORECASE)
        return (match[1] or match[2] or "").strip(' "') if match else ""


@dataclass(slots=True)
class Component:
    """A component: its own lines, and all lines in it as they were written."""

    kind: str
    lines: list[Line] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def of(self, *names: str) -> list[Line]:
        """Its lines of some names."""
        return [line for line in self.lines if line.name in names]

    def values(self, name: str) -> list[str]:
        """The values of a name, in capitals."""
        return [line.value.strip().upper() for line in self.of(name)]


@dataclass(slots=True)
class RawCalendar:
    """One VCALENDAR of a file: its own lines, its components, and whether its end is there."""

    own: Component = field(default_factory=lambda: Component("VCALENDAR"))
    parts: list[Component] = field(default_factory=list)
    is_whole: bool = False

    def of(self, kind: str) -> list[Component]:
        """Its components of a kind."""
        return [part for part in self.parts if part.kind == kind]


def decoded(body: bytes) -> str:
    """The text of a file in any encoding of Unicode."""
    encoding = next((name for mark, name in _MARKS if body.startswith(mark)), "utf-8-sig")
    return body.decode(encoding, "replace").replace("\0", "")


def calendars(text: str) -> list[RawCalendar]:
    """The calendars of a file; what is written around them and between their lines is left out."""
    results: list[RawCalendar] = []
    # Names of the components that are open, the outermost first.
    inside: list[str] = []
    for written in filter(str.strip, _unfolded(text)):
        if begin := _BEGIN.search(written):
            _open(results, inside, begin[1].upper())
        if results and inside:
            _take(results[-1], inside, written)
        if end := _END.match(written):
            kind = end[1].upper()
            if kind == "VCALENDAR" and results:
                results[-1].is_whole = True
                inside.clear()
            elif kind in inside:
                del inside[inside.index(kind) :]
    return results


def _unfolded(text: str) -> Iterator[str]:
    """The lines, whose ends may be those of any system, doubled ones too."""
    pieces: list[str] = []
    for line in re.split(r"[\r\n]+", text):
        is_edge = bool(_EDGE.match(line))
        if pieces and line[:1] in (" ", "\t") and not is_edge and not _OWN_LINE.match(line):
            pieces.append(line[1:])
            continue
        yield "".join(pieces)
        pieces = [line]
        if is_edge:
            yield line
            pieces = []
    yield "".join(pieces)


def _open(results: list[RawCalendar], inside: list[str], kind: str) -> None:
    if kind == "VCALENDAR":
        inside.clear()
        results.append(RawCalendar())
    # An entry whose end is missing ends where the next begins.
    elif kind in READ and results:
        inside[:] = ["VCALENDAR"]
        results[-1].parts.append(Component(kind))
    inside.append(kind)


def _take(calendar: RawCalendar, inside: list[str], written: str) -> None:
    """Add a line to the open component; of components nested in it, only the text is kept."""
    if inside == ["VCALENDAR"]:
        part = calendar.own
    elif calendar.parts and inside[1:2] == [calendar.parts[-1].kind]:
        part = calendar.parts[-1]
    else:
        return
    part.written.append(written.strip())
    if inside[-1] == part.kind and (line := _line(written)):
        part.lines.append(line)


def _line(written: str) -> Line | None:
    parted = _LINE.match(written) or _ODD_LINE.match(written)
    if not parted:
        return None
    name, parameters, value = parted[1].upper(), parted[2], parted[3]
    if name in _DATED and not re.match(r'\s*"?[0-9]{4}-?[0-9]', value) and (colon := _BEFORE_DATE.search(value)):
        parameters, value = f"{parameters}:{value[: colon.start()]}", value[colon.end() :]
    return Line(name, parameters, value.strip())


# As the standard has it, as ISO 8601 has it, and what lies between: no seconds, an offset in the value, blanks.
_MOMENT = re.compile(
    r"""\s*"?(?P<year>[0-9]{4})(?:(?P<month>[0-9]{2})(?P<day>[0-9]{2})|[-/](?P<month2>[0-9]{1,2})[-/](?P<day2>[0-9]{1,2}))
    (?:[T\s]\s*(?:(?P<hour>[0-9]{2})(?::?(?P<minute>[0-9]{2})(?::?(?P<second>[0-9]{2})(?:[.,][0-9]+)?)?)?)?
    \s*(?P<zone>Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_OFFSET = re.compile(
    r"\(?\s*(?:UTC|GMT|Z)?\s*(?P<sign>[+\u2212-])\s*(?P<hours>[0-9]{1,2})(?:[:.]?(?P<minutes>[0-9]{2}))?(?![0-9.,])\s*\)?\s*(?P<place>.*)",
    re.IGNORECASE,
)
_UTC = re.compile(r"\((?:UTC|GMT)\)\s*", re.IGNORECASE)
_LAST_SECOND, _DAY_HOURS = 59, 24
# Dates of both halves of a year, of which summer time can be in one.
_SEASONS = (datetime(2026, 1, 15), datetime(2026, 7, 15))
# The first is an abbreviation of several countries; here it is India's.
_ALIASES = {"ist": "Asia/Kolkata", "z": "UTC"}

Moment = date | datetime


class Zones:
    """The time zones that a calendar names, and those of its names that are unknown."""

    def __init__(self, calendar: RawCalendar, bounded: Callable[[Callable[[], tzinfo]], tzinfo | None]) -> None:
        """Zones that the calendar defines itself are made by `bounded`, as their rules may have no end."""
        self._own = {line.value: part.written for part in calendar.of("VTIMEZONE") for line in part.of("TZID")}
        self._bounded = bounded
        self._zones: dict[str, tzinfo | None] = {}
        self.unknown: set[str] = set()
        self._usual = next((line.value.strip(' "') for line in calendar.own.of("X-WR-TIMEZONE")), "")

    def moment(self, line: Line, value: str) -> Moment:
        """One of the dates or times of a line, times with their zone; raises ValueError."""
        read = _MOMENT.fullmatch(value)
        if not read:
            raise ValueError(value)
        day = date(int(read["year"]), int(read["month"] or read["month2"]), int(read["day"] or read["day2"]))
        if read["hour"] is None:
            return day
        return _time_of(day, read).replace(tzinfo=_offset(read["zone"]) or self._zone_of(line))

    def _zone_of(self, line: Line) -> tzinfo:
        """The zone of a line's times; Indian if none is named, or one that nobody knows."""
        name = line.parameter("TZID") or self._usual
        if not name:
            return clock.INDIA
        if name not in self._zones:
            self._zones[name] = _known_zone(name) or self._of_calendar(name) or _guessed(name)
        if self._zones[name] is None:
            self.unknown.add(name)
        return self._zones[name] or clock.INDIA

    def _of_calendar(self, name: str) -> tzinfo | None:
        if written := self._own.get(name):
            return self._bounded(lambda: _made(written))
        return None


def instant_of(moment: Moment) -> datetime:
    """The instant in UTC; dates are Indian, and what lies beyond the calendar's ends is at them."""
    if not isinstance(moment, datetime):
        moment = zoned(moment)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return (datetime.min if moment.year == date.min.year else datetime.max).replace(tzinfo=UTC)


def zoned(moment: Moment) -> datetime:
    """The same with a time: days begin at midnight in India."""
    return moment if isinstance(moment, datetime) else datetime.combine(moment, time(), clock.INDIA)


def _time_of(day: date, read: re.Match[str]) -> datetime:
    hour, minute, second = (int(read[name] or 0) for name in ("hour", "minute", "second"))
    # The end of a day, and a leap second.
    days = timedelta(days=1) if (hour, minute, second) == (_DAY_HOURS, 0, 0) else timedelta()
    try:
        return datetime.combine(day, time(0 if days else hour, minute, min(second, _LAST_SECOND))) + days
    except OverflowError as error:
        raise ValueError(read[0]) from error


def _offset(text: str | None) -> tzinfo | None:
    if not text:
        return None
    if text[0] not in "+-":
        return UTC
    hours, minutes = int(text[1:3]), int(text[3:].strip(":") or 0)
    return _fixed(text[0], hours, minutes)


def _fixed(sign: str, hours: int, minutes: int) -> tzinfo:
    away = timedelta(hours=hours, minutes=minutes)
    return timezone(away if sign == "+" else -away)


def _known_zone(name: str) -> tzinfo | None:
    """A zone of the world's list, or of Windows', by its name there, whatever a program wrote before it."""
    with suppress(ValueError, OSError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tzp.timezone(name)
    return None


def _made(written: list[str]) -> tzinfo:
    zone = Timezone.from_ical("\r\n".join(written))
    if not isinstance(zone, Timezone):
        raise TypeError(zone)
    made: tzinfo = zone.to_tz(lookup_tzid=False)
    # Some faults show only when a time is looked up.
    for season in _SEASONS:
        season.replace(tzinfo=made).astimezone(UTC)
    return made


def _guessed(name: str) -> tzinfo | None:
    """A zone by its offset and the places that it names, as Windows shows it: '(UTC-05:00) Eastern Time'."""
    read = _OFFSET.fullmatch(name)
    if not read:
        return _of_place(_UTC.sub("", name)) or (UTC if _UTC.match(name) else None)
    with suppress(ValueError):
        fixed = _fixed("+" if read["sign"] == "+" else "-", int(read["hours"]), int(read["minutes"] or 0))
        place = _of_place(read["place"])
        # Only a zone has summer time, but not one of another offset.
        return place if place and _is_sometimes(place, fixed) else fixed
    return None


def _is_sometimes(zone: tzinfo, fixed: tzinfo) -> bool:
    return any(season.replace(tzinfo=zone).utcoffset() == fixed.utcoffset(None) for season in _SEASONS)


def _of_place(text: str) -> tzinfo | None:
    for name in _spellings(text):
        for identifier in (_ALIASES.get(name), _windows().get(name), _places().get(name)):
            if identifier and (zone := _known_zone(identifier)):
                return zone
    return None


def _spellings(text: str) -> Iterator[str]:
    """What of a name may be in a list: 'eastern standard time' for 'Eastern Time (US & Canada)', a place of several."""
    plain = re.sub(r"\(.*?\)", "", text).replace("_", " ").strip().lower()
    yield plain
    yield re.sub(r"( standard| daylight| summer)? time$", " standard time", plain)
    yield from (part.strip() for part in re.split(r"[,;]", plain))
    parts = plain.split("/")
    yield from ("/".join(parts[start:]) for start in range(1, len(parts)))


@cache
def _windows() -> dict[str, str]:
    return {name.lower(): zone for name, zone in WINDOWS_TO_OLSON.items()}


@cache
def _places() -> dict[str, str]:
    """The zones of the world by their names and by their places alone, in small letters with blanks."""
    names = sorted(available_timezones())
    places = {name.rpartition("/")[2]: name for name in names if "/" in name}
    return {key.replace("_", " ").lower(): name for key, name in (places | {name: name for name in names}).items()}
