"""Calendars as other platforms really write them: no taken day is free without a word."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.services.calendar.ical import reading
from rental_app.services.calendar.ical.reading import ParsedCalendar, UnreadableError
from tests.support.rows import each

NOW = datetime(2026, 11, 26, 8, tzinfo=UTC)
HOST = "shop.test"
DAY = timedelta(days=1)
ALL_DAY = "DTSTART;VALUE=DATE:20261214"


def entry(*lines: str, uid: str = "1@else") -> str:
    return "\r\n".join(("BEGIN:VEVENT", f"UID:{uid}", *lines, "END:VEVENT"))


def calendar(*entries: str, head: tuple[str, ...] = ()) -> bytes:
    lines = ("BEGIN:VCALENDAR", "VERSION:2.0", *head, *entries, "END:VCALENDAR", "")
    return "\r\n".join(lines).encode()


def read(body: bytes) -> ParsedCalendar:
    return reading.read(body, NOW, HOST)


def spans(found: ParsedCalendar) -> list[str]:
    """Return when the vehicle is taken, in Indian time: '14 00:00 - 15 00:00'."""
    windows = sorted((one for windows in found.taken.values() for one in windows), key=lambda one: one.pickup)
    return [" - ".join(f"{clock.indian(end):%d %H:%M}" for end in (one.pickup, one.return_at)) for one in windows]


def span(*lines: str) -> tuple[str, bool]:
    """Return when one entry takes the vehicle, and whether it is told to be unreadable."""
    found = read(calendar(entry(*lines)))
    return ", ".join(spans(found)), bool(found.unread)


ONE_DAY, MORNING = "14 00:00 - 15 00:00", "14 10:00 - 14 16:00"
TEN = "DTSTART:20261214T100000"


@each(
    ("lines", "taken"),
    [
        ([ALL_DAY], ONE_DAY),
        ([ALL_DAY, "DTEND;VALUE=DATE:20261214"], ONE_DAY),
        ([ALL_DAY, "DTEND:"], ONE_DAY),
        ([ALL_DAY, "DURATION:"], ONE_DAY),
        ([ALL_DAY, "DURATION:PT0S"], ONE_DAY),
        ([ALL_DAY, "DTEND:20261214T180000"], "14 00:00 - 14 18:00"),
        ([TEN, "DTEND;VALUE=DATE:20261216"], "14 10:00 - 16 00:00"),
        ([TEN, "DTEND;VALUE=DATE:20261214"], "14 10:00 - 15 10:00"),
        ([TEN], "14 10:00 - 15 10:00"),
        ([TEN, "DTEND:20261214T100000"], "14 10:00 - 15 10:00"),
        ([ALL_DAY, "DTEND;VALUE=DATE:20261216", "DURATION:P9D"], "14 00:00 - 16 00:00"),
        ([ALL_DAY, "DTEND:", "DURATION:P3D"], "14 00:00 - 17 00:00"),
        ([ALL_DAY, "DTSTART;VALUE=DATE:20261216"], "14 00:00 - 17 00:00"),
        ([ALL_DAY, ALL_DAY, "DTEND;VALUE=DATE:20261217"], "14 00:00 - 17 00:00"),
        (["DTSTART:20261214T1000", "DTEND:20261214T1600"], MORNING),
        (["DTSTART:20261214T0430Z", "DTEND:20261214T1030Z"], MORNING),
        (["DTSTART:2026-12-14", "DTEND:2026-12-15"], ONE_DAY),
        (["DTSTART:2026-12-14T10:00:00+05:30", "DTEND:2026-12-14 16:00"], MORNING),
        (["DTSTART:2026-12-14T10:00:00.000", "DTEND:2026-12-14T10:30:00Z"], MORNING),
        (["DTSTART:20261214T100000+0530", "DTEND:20261214T160000+0530"], MORNING),
        (["DTSTART:20261214T000000", "DTEND:20261214T240000"], ONE_DAY),
        (["DTSTART:20261214T100000 ", "DTEND: 20261214T160000\t"], MORNING),
        (["DTSTART;VALUE=DATE:20261214T000000", "DTEND;VALUE=DATE:20261215T000000"], ONE_DAY),
        (["DTSTART;VALUE=DATE-TIME:20261214", "DTEND;VALUE=DATE-TIME:20261215"], ONE_DAY),
        (["dtstart;value=date:20261214", "dtend;value=date:20261215"], ONE_DAY),
        (["DTSTART:20261214T", "DTEND:20261215T"], ONE_DAY),
        ([TEN, "DTEND:20261214T155960"], "14 10:00 - 14 15:59"),
        (['DTSTART;TZID="Asia/Kolkata:20261214T100000', "DTEND:20261214T160000"], MORNING),
        ([ALL_DAY, "BEGIN:VALARM", "DTSTART:20261201", "TRIGGER:x", "END:VEVENT"], ONE_DAY),
    ],
)
def test_what_can_be_read_in_some_way_is_taken(lines: list[str], taken: str) -> None:
    assert span(*lines) == (taken, False)


@each(
    ("lines", "taken"),
    [
        ([ALL_DAY, "DTEND:soon"], ONE_DAY),
        ([ALL_DAY, "DTEND;VALUE=DATE:20261210"], ONE_DAY),
        ([TEN, "DTEND:20261213T100000"], "14 10:00 - 15 10:00"),
        ([ALL_DAY, "DURATION:long"], ONE_DAY),
        ([ALL_DAY, "DURATION:-P1D"], ONE_DAY),
        ([ALL_DAY, "DTSTART:soon"], ONE_DAY),
        ([ALL_DAY, "RRULE:FREQ=SOMETIMES"], ONE_DAY),
        ([ALL_DAY, "RRULE:"], ONE_DAY),
        ([ALL_DAY, "RRULE:FREQ=DAILY;INTERVAL=0"], ONE_DAY),
        ([ALL_DAY, "RRULE:FREQ=DAILY;UNTIL=soon"], ONE_DAY),
        ([ALL_DAY, "RDATE:soon"], ONE_DAY),
        (["SUMMARY:Reserved"], ""),
        (["DTSTART:20261314"], ""),
        (["DTSTART:20261214T250000"], ""),
        (["DTSTART:"], ""),
    ],
)
def test_what_cannot_be_read_is_told_and_takes_its_day_if_that_is_known(lines: list[str], taken: str) -> None:
    assert span(*lines) == (taken, True)


def test_the_vendor_is_shown_the_text() -> None:
    odd = entry("SUMMARY:Reser\u0007ved", "DTSTART;VALUE=DATE:soon", "DESCRIPTION:x", uid="2@else")
    assert [text for _, text in read(calendar(entry(ALL_DAY), odd)).unread] == ["Reser ved, DTSTART;VALUE=DATE:soon"]
    long = read(calendar(entry("DTSTART:" + "x" * 1_000))).unread
    assert [len(text) for _, text in long] == [200]
    # Some platforms give all their entries one UID.
    assert len(read(calendar(entry("DTSTART:soon"), entry("DTSTART:later"))).unread) == 2


@each(
    "line",
    [
        "STATUS:CANCELLED",
        "STATUS:Cancelled",
        "STATUS:CANCELED ",
        "TRANSP:TRANSPARENT",
        "TRANSP:transparent",
        "X-MICROSOFT-CDO-BUSYSTATUS:FREE",
        "X-MICROSOFT-CDO-BUSYSTATUS:Free",
    ],
)
def test_what_is_free_takes_nothing(line: str) -> None:
    assert span(ALL_DAY, line) == ("", False)
    assert span("DTSTART:soon", line) == ("", False)
    assert span(ALL_DAY, "RRULE:FREQ=DAILY;COUNT=3", line) == ("", False)


def test_a_cancellation_is_free_but_not_the_calendar_beside_it() -> None:
    off, on = calendar(entry(ALL_DAY), head=("METHOD:Cancel",)), calendar(entry("DTSTART:20261216"))
    assert spans(read(off)) == []
    assert spans(read(off + on)) == ["16 00:00 - 17 00:00"]
    assert spans(read(calendar(entry(ALL_DAY)) + on)) == [ONE_DAY, "16 00:00 - 17 00:00"]


def test_what_came_from_us_is_left_out() -> None:
    assert spans(read(calendar(entry(ALL_DAY, uid=f"PH-AAAAAA@{HOST}")))) == []


ZONED = {
    "(UTC-05:00) Eastern Time": "20:30",
    "(UTC-05:00) Eastern Time (US & Canada)": "20:30",
    "(GMT+05:30) Chennai, Kolkata, Mumbai, New Delhi": "10:00",
    "(UTC) Coordinated Universal Time": "15:30",
    "(UTC+01:00) Amsterdam, Berlin, Bern, Rome": "14:30",
    "GMT-0500": "20:30",
    "(GMT+05.30) Bombay, Calcutta, Madras, New Delhi": "10:00",
    "GMT+05.30": "10:00",
    "Z": "15:30",
    "GMT+5:30": "10:00",
    "UTC+05:30": "10:00",
    "+05:30": "10:00",
    "UTC": "15:30",
    "Asia/Calcutta": "10:00",
    "asia/kolkata": "10:00",
    "India Standard Time": "10:00",
    "IST": "10:00",
    "Eastern Standard Time": "20:30",
    "/mozilla.org/20050126_1/Europe/Berlin": "14:30",
    "tzone://Microsoft/Utc": "15:30",
}


@each(("name", "shown"), ZONED.items())
def test_time_zones_are_known_by_the_names_that_programs_give_them(name: str, shown: str) -> None:
    for parameter in (name, f'"{name}"'):
        found = read(calendar(entry(f"DTSTART;TZID={parameter}:20261214T100000", "DURATION:PT1H")))
        assert (spans(found)[0].split(" - ")[0], found.zones) == (f"14 {shown}", set())
    found = read(calendar(entry(TEN, "DURATION:PT1H"), head=(f"X-WR-TIMEZONE:{name}",)))
    assert (spans(found)[0].split(" - ")[0], found.zones) == (f"14 {shown}", set())


def test_summer_time_is_that_of_the_place() -> None:
    lines = ("DTSTART;TZID=(UTC-05:00) Eastern Time:20270714T100000", "DURATION:PT1H")
    assert span(*lines) == ("14 19:30 - 14 20:30", False)


@each("name", ["Mars/Base", "UTC+5.5"])
def test_an_unknown_zone_is_said(name: str) -> None:
    found = read(calendar(entry(f"DTSTART;TZID={name}:20261214T100000", "DURATION:PT1H")))
    assert (spans(found), found.zones) == (["14 10:00 - 14 11:00"], {name})


BUSY = calendar(
    "BEGIN:VFREEBUSY",
    "UID:busy@else",
    "FREEBUSY;FBTYPE=BUSY:20261214T043000Z/PT6H,20261216T043000Z/20261217T043000Z",
    "FREEBUSY;FBTYPE=FREE:20261220T043000Z/PT6H",
    "FREEBUSY:soon/later",
    "END:VFREEBUSY",
)


def test_busy_times_alone_are_taken() -> None:
    found = read(BUSY)
    assert spans(found) == [MORNING, "16 10:00 - 17 10:00"]
    assert [text for _, text in found.unread] == ["FREEBUSY:soon/later"]


PLAIN = calendar(entry(ALL_DAY))


@each(
    "body",
    [
        PLAIN.replace(b"\r\n", b"\r"),
        PLAIN.replace(b"\r\n", b"\n"),
        PLAIN.replace(b"\r\n", b"\r\r\n"),
        PLAIN.replace(b"DTSTART;VALUE", b"DTSTART;VAL\r\n UE"),
        PLAIN.replace(b"\r\n", b"\r\n  "),
        PLAIN.replace(b"\r\nUID", b"\r\n\tUID").replace(b"\r\nDTSTART", b"\r\n\tDTSTART"),
        PLAIN.replace(b":V", b": V"),
        PLAIN.lower().replace(b"begin:vevent", b"Begin:VEvent"),
        b"<br />\n<b>Notice</b>: Undefined index in <b>x.php</b> on line <b>3</b>\n" + PLAIN + b"<!-- cached -->",
        b"\n\n<!-- x -->" + PLAIN,
        PLAIN.replace(b"UID", b"# a comment\r\nNotice: oh\r\n;\r\nUID"),
        PLAIN.replace(b"BEGIN:VEVENT", b"X\r\nBEGIN:VEVENT"),
        calendar() + PLAIN,
        PLAIN + calendar(),
        PLAIN.replace(b"UID:1@else", b"UID:\xff\x00"),
        PLAIN.replace(b"END:VEVENT\r\n", b""),
    ],
)
def test_what_is_around_the_entries_does_not_hide_them(body: bytes) -> None:
    found = read(body)
    assert (spans(found), found.unread) == ([ONE_DAY], [])


@each("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_texts_are_read_in_every_encoding_of_unicode(encoding: str) -> None:
    odd = calendar(entry("SUMMARY:బుక్ అయింది", "DTSTART:soon")).decode().encode(encoding)
    assert [text for _, text in read(odd).unread] == ["బుక్ అయింది, DTSTART:soon"]


def test_a_calendar_that_breaks_off_says_so() -> None:
    for end in (b"END:VCALENDAR", b"END:VEVENT"):
        found = read(PLAIN[: PLAIN.index(end)])
        assert (spans(found), [text for _, text in found.unread]) == ([ONE_DAY], [reading.CUT_OFF])


@each(
    ("body", "why"),
    [
        (b"", reading.NOTHING),
        (b" \r\n", reading.NOTHING),
        (b"<!doctype html><HTML><body>Log in", reading.WEB_PAGE),
        (b"Hello", reading.NO_CALENDAR),
        (b"BEGIN:VEVENT\r\nEND:VEVENT\r\n", reading.NO_CALENDAR),
    ],
)
def test_what_is_no_calendar_is_called_by_its_name(body: bytes, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        read(body)


def history(count: int, *more: str) -> list[str]:
    lines = ("DTSTART;VALUE=DATE:20200101", "DTEND;VALUE=DATE:20200103", *more, "DESCRIPTION:" + "x" * 200)
    return [entry(*lines, uid=f"{number}@past") for number in range(count)]


@each("more", [(), ("RRULE:FREQ=WEEKLY;UNTIL=20210101",), ("RRULE:FREQ=DAILY;COUNT=9",)])
def test_a_history_refuses_no_calendar(more: tuple[str, ...]) -> None:
    found = read(calendar(*history(1_200, *more), entry(ALL_DAY)))
    assert (spans(found), found.unread) == ([ONE_DAY], [])


def test_what_could_not_be_read_of_the_past_is_no_longer_told() -> None:
    old = (
        ("DTSTART:20200101T100000", "DTEND:soon"),
        ("DTSTART:soon", "DTEND:20200101"),
        ("DTSTART:20200101", "EXDATE:x"),
    )
    assert read(calendar(*(entry(*lines, uid=str(number)) for number, lines in enumerate(old)))).unread == []


def test_the_future_is_limited() -> None:
    days = [entry(f"DTSTART:{NOW + DAY * (2 * day % 364):%Y%m%dT%H%M%SZ}", uid=f"{day}@else") for day in range(1_001)]
    with pytest.raises(UnreadableError, match=reading.TOO_MANY):
        read(calendar(*days))


def test_series_with_what_was_moved_and_removed() -> None:
    weekly = entry(ALL_DAY, "RRULE:FREQ=WEEKLY;UNTIL=20270104;", "EXDATE;VALUE=DATE:20261221")
    moved = entry("DTSTART;VALUE=DATE:20261230", "RECURRENCE-ID;VALUE=DATE:20261228")
    off = entry("DTSTART;VALUE=DATE:20270104", "RECURRENCE-ID;VALUE=DATE:20270104", "STATUS:Canceled")
    assert spans(read(calendar(weekly, moved))) == [ONE_DAY, "30 00:00 - 31 00:00", "04 00:00 - 05 00:00"]
    assert spans(read(calendar(moved, off, weekly))) == [ONE_DAY, "30 00:00 - 31 00:00"]
    assert spans(read(calendar(moved, off))) == ["30 00:00 - 31 00:00"]


def test_two_series_of_one_name_are_both_counted_out() -> None:
    first, second = entry(ALL_DAY, "RRULE:FREQ=DAILY;COUNT=1"), entry("DTSTART:20261216", "RRULE:FREQ=DAILY;COUNT=1")
    assert spans(read(calendar(first, second))) == [ONE_DAY, "16 00:00 - 17 00:00"]


def test_extra_dates_and_periods_are_taken() -> None:
    dates = "RDATE;VALUE=PERIOD:20261216T100000Z/P1D,20261218T100000Z/20261218T120000Z"
    assert span(TEN, "DTEND:20261214T160000", dates)[0] == f"{MORNING}, 16 15:30 - 17 15:30, 18 15:30 - 18 17:30"


def test_the_last_day_of_a_rule_counts_whole_in_its_own_zone() -> None:
    lines = ("DTSTART;TZID=America/New_York:20261214T200000", "DURATION:PT1H", "RRULE:FREQ=DAILY;UNTIL=20261215")
    assert span(*lines)[0] == "15 06:30 - 15 07:30, 16 06:30 - 16 07:30"


def test_one_odd_rule_hides_no_other_entry() -> None:
    odd = [entry("DTSTART:20261214T100000", f"RRULE:{rule}", uid=rule) for rule in ("FREQ=SECONDLY", "FREQ=SOMETIMES")]
    found = read(calendar(*odd, entry("DTSTART:20261220", uid="good@else"), entry(ALL_DAY, "RRULE:FREQ=DAILY;COUNT=2")))
    assert {"20 00:00 - 21 00:00", "14 00:00 - 16 00:00"} <= {*spans(found)}
    assert len(found.unread) == 2


@pytest.mark.long
@each("rule", ["FREQ=SECONDLY", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"])
def test_rules_without_an_end_are_limited(rule: str) -> None:
    began = time.process_time()
    found = read(calendar(*(entry("DTSTART:00020101T000000Z", f"RRULE:{rule}", uid=f"{n}@else") for n in range(20))))
    assert time.process_time() - began < reading.TOGETHER + 1
    assert len(found.unread) == 20


VALUES = st.one_of(
    st.sampled_from(["20261214", "20261214T100000Z", "20261214T1000", "20261214T240000", "2026-12-14", "", "P1D", "x"]),
    st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=20),
)
NAMES = st.sampled_from(
    ["DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "UID", "DTSTART", "SEQUENCE"]
)
PARAMETERS = st.sampled_from(
    ["", ";VALUE=DATE", ";TZID=Asia/Kolkata", ";TZID=(UTC-05:00) Eastern Time", ';TZID="x', ";;"]
)
LINES = st.lists(st.tuples(NAMES, PARAMETERS, VALUES).map(lambda line: f"{line[0]}{line[1]}:{line[2]}"), max_size=6)
STARTS = st.datetimes(datetime(2026, 11, 27), datetime(2027, 8, 1))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(STARTS, st.booleans(), LINES)
def test_an_entry_with_a_beginning_takes_time_from_there_on(start: datetime, all_day: bool, lines: list[str]) -> None:
    """Even where nothing else of it makes sense; another beginning, end or a rule can only add to it."""
    begin = start.replace(second=0, microsecond=0, tzinfo=clock.INDIA)
    if all_day:
        begin = begin.replace(hour=0, minute=0)
    first = f"DTSTART:{begin:%Y%m%d}" if all_day else f"DTSTART:{begin:%Y%m%dT%H%M%S}"
    kept = [line for line in lines if not line.startswith(("EXDATE", "RECURRENCE-ID", "DTEND:2", "DURATION"))]
    found = read(calendar(entry(first, *kept)))
    windows = [one for windows in found.taken.values() for one in windows]
    assert any(one.pickup <= begin < one.return_at for one in windows) or found.unread
    if not any(line.startswith(("DTEND", "DTSTART")) for line in kept):
        assert any(one.pickup <= begin and begin + DAY <= one.return_at for one in windows)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(st.one_of(LINES, st.lists(st.text(st.characters(codec="utf-8"), max_size=30), max_size=4)), max_size=3),
    st.binary(max_size=40),
)
def test_reading_never_fails(entries: list[list[str]], junk: bytes) -> None:
    body = calendar(*(entry(*lines) for lines in entries))
    for written in (body, body[:-20] + junk, junk + body, junk):
        try:
            found = read(written)
        except UnreadableError:
            continue
        assert all(one.pickup < one.return_at for windows in found.taken.values() for one in windows)
        assert all(one.pickup >= NOW and one.return_at <= NOW + reading.AHEAD for one in _all(found))


def _all(found: ParsedCalendar) -> list[Window]:
    return [one for windows in found.taken.values() for one in windows]
