"""A vendor's calendar as it is drawn: days across, vehicles down, and one vehicle's month for a phone."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import TypedDict

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.characters import initials
from rental_app.domain.money import counted, format_rupees
from rental_app.domain.pictures import Picture
from rental_app.schemas.calendars import CalendarEntry, CalendarVehicle, Clash, VendorCalendarAnswer
from rental_app.web.parts.presenters.links import vendor_booking_url
from rental_app.web.parts.presenters.texts import Choice, on_two_lines

# The choice of all vehicles in the form of a block.
ALL = "all"
# How many days can be shown.
SPANS = {"14": "2 weeks", "31": "1 month", "62": "2 months"}
# A phone goes through five weeks without asking for more; the month of one vehicle is as long.
BOARD_DAYS = 35
# How many vehicles are drawn before "Show more".
ROWS = 200
# The first of these that a day contains decides how it looks.
KINDS = {
    "clash": "Clash",
    "out": "Out",
    "booking": "Booked",
    "hold": "Requested",
    "block": "Blocked",
    "buffer": "Buffer",
}


class DayHead(BaseModel):
    """A day in the calendar's head; `iso` is what forms take, `free` how many vehicles can be had all day, `label` the
    whole day in words, `short` in few."""

    iso: str
    name: str
    number: str
    free: str
    label: str
    short: str
    closed: bool
    today: bool


class CalendarBar(BaseModel):
    """What a vehicle is doing for a while; `left` and `width` are CSS percentages.

    The `lines` of the text are shown where they fit, else the `initials` of a customer. While a bar is pointed at it
    shows the whole text, growing to the left in the right half. `block` is the id of a block that can be removed here,
    or 0: those of other calendars are removed there. A clash is an entry of another calendar that overlaps a booking.
    """

    kind: str
    text: str
    lines: list[str]
    initials: str
    label: str
    left: str
    width: str
    grows_left: bool
    href: str
    block: int


class CalendarRow(BaseModel):
    """A vehicle with its bars, and what is on each day in words; `off` says why it cannot be booked at all."""

    id: int
    title: str
    rc_number: str
    image: str
    price: str
    note: str
    off: bool
    bars: list[CalendarBar]
    cells: list[str]


class BoardEntry(BaseModel):
    """What occupies a vehicle, in minutes from the start of the board's first day."""

    kind: str
    begin: int
    end: int
    text: str
    href: str


class BoardVehicle(BaseModel):
    """A vehicle on a phone's board of the day.

    `off` says why it is not offered at all, `ends` after which day (counted from the board's first) a paper has
    expired, which `expired` says.
    """

    id: int
    title: str
    plate: str
    image: str
    price: str
    off: str
    ends: int
    expired: str
    entries: list[BoardEntry]


class BoardDay(BaseModel):
    """A day of the board's strip: 'Thu', '26', and what it is called in words."""

    iso: str
    name: str
    number: str
    label: str


class Board(BaseModel):
    """All vehicles over some weeks, as the browser shows any of these days by itself."""

    days: list[BoardDay]
    vehicles: list[BoardVehicle]


class MonthDay(BaseModel):
    """A day of one vehicle; `label` says what is on it, blank days before the first have no `iso`."""

    iso: str
    number: str
    kind: str
    label: str


class CalendarPage(BaseModel):
    """Everything the calendar shows; `chosen` is the vehicle that a phone shows, with its days and its bars.

    `now` is where the current instant is, a CSS percentage, blank if it is not among the days.
    """

    title: str
    vehicles: str
    now: str
    days: list[DayHead]
    rows: list[CalendarRow]
    more: int
    choices: list[Choice]
    month: list[MonthDay]
    chosen: CalendarRow | None
    buffer: str


def calendar_page(calendar: VendorCalendarAnswer, first: date, days: int, chosen: int, rows: int) -> CalendarPage:
    """What is shown of a calendar from a day on; `chosen` is a vehicle's id, any other id chooses the first one."""
    span = _days(first, days)
    shown = [_row(vehicle, span) for vehicle in calendar.vehicles[:rows]]
    one = next((vehicle for vehicle in calendar.vehicles if vehicle.id == chosen), next(iter(calendar.vehicles), None))
    return CalendarPage(
        title=f"{clock.friendly_day(span[0])} to {clock.friendly_day(span[-1])}",
        vehicles=counted(len(calendar.vehicles), "vehicle"),
        now=_now(span),
        days=[
            DayHead(
                iso=day.isoformat(),
                name=f"{day:%a}" if days <= BOARD_DAYS // 2 else f"{day:%a}"[:2],
                number=str(day.day),
                free=str(sum(not _why_off(day, each) and not _kinds_on(day, each) for each in calendar.vehicles)),
                label=f"{day:%A %-d %B}",
                short=clock.friendly_day(day),
                closed=f"{day:%A}" in calendar.closed,
                today=day == clock.indian_today(clock.now()),
            )
            for day in span
        ],
        rows=shown,
        more=len(calendar.vehicles) - len(shown),
        choices=[Choice(value=str(each.id), label=f"{each.title}, {each.rc_number}") for each in calendar.vehicles],
        # Weeks begin on Monday.
        month=[
            *([MonthDay(iso="", number="", kind="", label="")] * first.weekday()),
            *(_month_day(day, one) for day in _days(first, BOARD_DAYS)),
        ]
        if one
        else [],
        chosen=_row(one, _days(first, BOARD_DAYS)) if one else None,
        buffer=str(calendar.buffer),
    )


def board(calendar: VendorCalendarAnswer, first: date) -> Board:
    """The same calendar for a phone: a day, all vehicles."""
    today = clock.indian_today(clock.now())
    return Board(
        days=[
            BoardDay(iso=day.isoformat(), name=f"{day:%a}", number=str(day.day), label=clock.friendly_day(day, today))
            for day in _days(first, BOARD_DAYS)
        ],
        vehicles=[_board_vehicle(vehicle, first, today) for vehicle in calendar.vehicles],
    )


def _board_vehicle(vehicle: CalendarVehicle, first: date, today: date) -> BoardVehicle:
    begin = clock.at(first, time())
    minutes = timedelta(minutes=1)
    return BoardVehicle(
        id=vehicle.id,
        title=vehicle.title,
        plate=vehicle.rc_number,
        image=Picture(vehicle.image).card,
        price=_price(vehicle),
        off=_why_off(first, vehicle) if not (vehicle.is_active and vehicle.is_approved) else "",
        ends=min((vehicle.valid_to - first).days, BOARD_DAYS),
        expired=f"{vehicle.paper} {'expired' if vehicle.valid_to < today else 'expires'}"
        f" {clock.friendly_day(vehicle.valid_to, today)}",
        entries=[
            BoardEntry(
                kind=_kind(entry),
                begin=(entry.begin - begin) // minutes,
                end=(entry.end - begin) // minutes,
                text=entry.text,
                href="" if entry.kind == "block" else vendor_booking_url(entry.ref),
            )
            for entry in vehicle.entries
        ],
    )


def _why_off(day: date, vehicle: CalendarVehicle) -> str:
    """Why a vehicle cannot be booked on a day whatever its entries are; '' if it can."""
    if not vehicle.is_active:
        return "Switched off"
    if not vehicle.is_approved:
        return "Not approved yet"
    return f"{vehicle.paper} expired" if day > vehicle.valid_to else ""


def _price(vehicle: CalendarVehicle) -> str:
    """The price of a Full Day; '' without one, when it cannot be booked online either."""
    return format_rupees(vehicle.daily_paise) if vehicle.daily_paise else ""


def _days(first: date, count: int) -> list[date]:
    return [first + timedelta(days=offset) for offset in range(count)]


def _now(span: Sequence[date]) -> str:
    instant, begin = clock.now(), clock.at(span[0], time())
    share = (instant - begin) / timedelta(days=len(span))
    return f"{100 * share:.1f}%" if 0 <= share < 1 else ""


def _row(vehicle: CalendarVehicle, span: Sequence[date]) -> CalendarRow:
    begin, end = clock.at(span[0], time()), clock.at(span[-1] + timedelta(days=1), time())
    return CalendarRow(
        id=vehicle.id,
        title=vehicle.title,
        rc_number=vehicle.rc_number,
        image=Picture(vehicle.image).card,
        price=_price(vehicle),
        note=_why_off(span[0], vehicle),
        off=all(_why_off(day, vehicle) for day in span),
        bars=[
            *(_bar(entry, vehicle, begin, end) for entry in vehicle.entries if entry.begin < end),
            *(_clash(clash, vehicle, begin, end) for clash in vehicle.clashes if clash.begin < end),
        ],
        cells=[_on(day, vehicle) for day in span],
    )


def _on(day: date, vehicle: CalendarVehicle) -> str:
    """What is on a day, in one or two words."""
    on_it = _kinds_on(day, vehicle)
    kind = next((kind for kind in KINDS if kind in on_it), "")
    return KINDS[kind].lower() if kind else _why_off(day, vehicle).lower() or "free"


def _bar(entry: CalendarEntry, vehicle: CalendarVehicle, begin: datetime, end: datetime) -> CalendarBar:
    is_block, what = entry.kind == "block", f"{entry.text} ({entry.source})" if entry.source else entry.text
    kind = _kind(entry)
    return CalendarBar(
        kind=kind,
        text=entry.text,
        lines=[] if entry.kind == "buffer" else on_two_lines(entry.text),
        initials=initials(entry.text) if entry.kind in ("booking", "hold") else "",
        label=f"{KINDS[kind]}: {what}, {_stretch(entry)}, {vehicle.title} {vehicle.rc_number}",
        **_place(entry, begin, end),
        href="" if is_block else vendor_booking_url(entry.ref),
        block=int(entry.ref) if is_block and not entry.source else 0,
    )


def _kind(entry: CalendarEntry) -> str:
    return "out" if entry.is_out else entry.kind


def _clash(clash: Clash, vehicle: CalendarVehicle, begin: datetime, end: datetime) -> CalendarBar:
    label = f"Clash: {clash.source} has {_stretch(clash)} over a booking, {vehicle.title} {vehicle.rc_number}"
    place = _place(clash, begin, end)
    return CalendarBar(kind="clash", text="", lines=[], initials="", label=label, **place, href="", block=0)


class _Place(TypedDict):
    left: str
    width: str
    grows_left: bool


def _place(entry: CalendarEntry | Clash, begin: datetime, end: datetime) -> _Place:
    """The position of an entry between the two ends of what is shown."""
    left, right = max(entry.begin, begin), min(entry.end, end)
    whole = end - begin
    return {
        "left": f"{100 * ((left - begin) / whole):.3f}%",
        "width": f"{100 * ((right - left) / whole):.3f}%",
        "grows_left": (left - begin) / whole > 0.5,
    }


def _stretch(entry: CalendarEntry | Clash) -> str:
    return clock.friendly_span(entry.begin, entry.end)


def _kinds_on(day: date, vehicle: CalendarVehicle) -> set[str]:
    begin, end = clock.at(day, time()), clock.at(day + timedelta(days=1), time())
    on_it = {_kind(entry) for entry in vehicle.entries if entry.begin < end and entry.end > begin}
    return on_it | {"clash" for clash in vehicle.clashes if clash.begin < end and clash.end > begin}


def _month_day(day: date, vehicle: CalendarVehicle) -> MonthDay:
    on_it = _kinds_on(day, vehicle)
    kind = next((kind for kind in KINDS if kind in on_it), "")
    return MonthDay(
        iso=day.isoformat(),
        number=str(day.day),
        kind=kind,
        label=f"{clock.friendly_day(day)}: {KINDS.get(kind, 'Free')}",
    )
