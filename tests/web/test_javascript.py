"""What a date-time picker offers and which address a page is at, according to their own code in Node, and the types
that JavaScript is checked against.
"""

import json
import subprocess
from datetime import date, datetime, time, timedelta
from os import environ
from pathlib import Path
from typing import Any

import pytest

from rental_app.domain import clock
from rental_app.schemas.search import ANY
from rental_app.web.parts.presenters.links import search_url, wall_text

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "rental_app/web/react/date_time_picker"
COMPARE = """
const { isHere } = await import(process.argv[1]);
const [pathname, search] = process.argv[2].split("?");
globalThis.window = { location: { origin: "http://shop", pathname, search: search ? `?${search}` : "" } };
console.log(isHere({ pathname }, ...process.argv.slice(3)));
"""
ASK = """
const { rulesFor } = await import(process.argv[1]);
const [limits, day, now] = JSON.parse(process.argv[2]);
if (now) Date.now = () => now;
const rules = rulesFor(limits);
console.log(JSON.stringify([rules.hoursOn(day), rules.isFull(day), rules.isTaken(`${day}T10:00`)]));
"""

# The libraries are those that the scripts are checked against; bundled, they come from the build's own folder.
JUDGE = """
const { registerHooks } = await import("node:module");
const [typed, checked, texts] = process.argv.slice(1);
const findIn = (name, about) => (/^@?date-fns/.test(name) ? { ...about, parentURL: checked } : about);
registerHooks({ resolve: (name, about, next) => next(name, findIn(name, about)) });
const { judge, readTyped } = await import(typed);
const { limits, hour, now } = JSON.parse(texts)[0];
Date.now = () => now;
const answer = (text) => (limits ? judge(text, hour, limits) : (readTyped(text) ?? null));
console.log(JSON.stringify(JSON.parse(texts).slice(1).map(answer)));
"""


def offered(days: int, now: datetime | None = None, **limits: Any) -> list[Any]:
    """Return the hours of a day some days from today, whether all of them are taken, and whether 10 AM is."""
    asked = json.dumps([{"daysAhead": 90, **limits}, day(days), now and now.timestamp() * 1000])
    command = ["node", "--no-warnings", "--input-type=module", "--eval", ASK, str(FOLDER / "hours.js"), asked]
    answer: list[Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer


CALENDAR = """
const { fullName, monthsBetween, sameDayAfter, weekStart, weeksOf } = await import(process.argv[1]);
const days = ["2026-12-04", "2027-02-28"].map(fullName);
const weeks = weeksOf("2026-12-15").map((week) => week.map((day) => day.slice(8)).join(" "));
const moves = [sameDayAfter("2027-01-31", 1), sameDayAfter("2026-12-04", -1), weekStart("2026-12-06")];
console.log(JSON.stringify({ days, weeks, moves, months: monthsBetween("2026-11-30", "2027-01-01") }));
"""
CLOCK = """
const { learnTime } = await import(process.argv[1]);
const { rulesFor } = await import(process.argv[2]);
const off = Number(process.argv[3]);
const real = Date.now;
globalThis.fetch = async () => new Response(null, { headers: { date: new Date(real()).toUTCString() } });
Date.now = () => real() + off;
await learnTime();
console.log(JSON.stringify((Date.parse(rulesFor({ daysAhead: 90 }).today + "Z") - real()) / 3_600_000));
"""


def ran(script: str, *given: str) -> Any:
    """Return what a script of this module prints for a calendar's module and arguments."""
    command = ["node", "--no-warnings", "--input-type=module", "--eval", script, *given]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_a_month_is_weeks_from_monday_and_days_have_names() -> None:
    made = ran(CALENDAR, str(FOLDER / "days.js"))
    assert made["days"] == ["Friday, 4 December 2026", "Sunday, 28 February 2027"]
    assert made["weeks"][0] == " 01 02 03 04 05 06"
    assert (len(made["weeks"]), made["weeks"][-1].strip()) == (5, "28 29 30 31")
    assert made["moves"] == ["2027-02-28", "2026-11-04", "2026-11-30"]
    assert made["months"] == ["2026-11-01", "2026-12-01", "2027-01-01"]


@pytest.mark.parametrize("days_off", [365, -400, 0])
def test_a_wrong_clock_of_the_device_is_corrected_by_the_server(days_off: int) -> None:
    modules = [str(FOLDER / name) for name in ("clock.js", "hours.js")]
    hours = ran(CLOCK, *modules, str(days_off * 86_400_000))
    assert 5 < hours < 6, "Indian time"


def day(days: int) -> str:
    return f"{clock.indian_today(clock.now()) + timedelta(days=days)}"


def test_taken_hours_and_full_days() -> None:
    kept = {"openTime": "09:00", "closeTime": "12:00"}
    busy = [{"pickup": f"{day(4)}T10:00", "return": f"{day(6)}T11:00"}]
    assert offered(3, **kept, busy=busy) == [["09:00", "10:00", "11:00", "12:00"], False, False]
    assert offered(4, **kept, busy=busy) == [["09:00"], False, True]
    assert offered(5, **kept, busy=busy) == [[], True, True]
    assert offered(6, **kept, busy=busy) == [["11:00", "12:00"], False, True]


def test_bounds_of_the_choice() -> None:
    assert offered(-1) == [[], False, False]
    assert offered(91)[0] == []
    assert offered(2, notBefore=f"{day(2)}T21:30")[0] == ["22:00", "23:00"]
    assert len(offered(2)[0]) == 24


@pytest.mark.parametrize(("minutes", "first"), [(0, "10:00"), (0.5, "11:00"), (59, "11:00")])
def test_an_hour_that_has_begun_is_not_offered_like_the_default_pickup(minutes: float, first: str) -> None:
    now = clock.at(date.fromisoformat(day(0)), time(10)) + timedelta(minutes=minutes)
    assert offered(0, now)[0][0] == first
    assert wall_text(clock.default_pickup(now)) == f"{day(0)}T{first}"


def judged(*texts: str, zone: str = "", **asked: Any) -> list[Any]:
    """Return what typed texts choose within `limits`; without limits, how they are read."""
    command = ["node", "--no-warnings", "--input-type=module", "--eval", JUDGE, str(FOLDER / "typed.js")]
    command += [(ROOT / "javascript/package.json").as_uri(), json.dumps([asked, *texts])]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=environ | {"TZ": zone})
    answer: list[Any] = json.loads(ran.stdout)
    return answer


NOON = clock.at(date(2026, 11, 26), time(12)).timestamp() * 1000
AT_TEN = (
    "05/12/2026 10:00 AM",
    "5/12/2026 10:00 am",
    "5/12/26 10:00",
    "05-12-2026 10:00AM",
    "5.12.2026 10.00 a.m.",
    "5 Dec 2026 10 AM",
    "5 december 26, 10am",
    "5-Dec-2026 10:00",
    "5th Dec 2026 at 10 am",
    "Dec 5, 2026 10:00",
    "Sat 5 Dec, 10:00 AM",
    "5/12 10 am",
    "10 AM, 5 Dec 2026",
    "2026-12-05 10:00",
    "2026-12-05T10:00",
    "2026/12/5 10:00:00",
    " 05 / 12 / 2026\u00a010:00\u202fAM ",
    "05\u201312\u20132026 10:00",
)


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "America/Los_Angeles", "Pacific/Auckland"])
def test_a_date_is_read_in_any_usual_spelling_the_day_first(zone: str) -> None:
    at_ten = {"day": "2026-12-05", "time": "10:00"}
    assert judged(*AT_TEN, zone=zone, now=NOON) == [at_ten] * len(AT_TEN)
    two, midnight, noon = "05/12/26 14:00", "5/12/2026 12 am", "5/12/2026 12:00 PM"
    assert [read["time"] for read in judged(two, midnight, noon, now=NOON)] == ["14:00", "00:00", "12:00"]
    days = judged("5/12/2026", "05-12-2026", "5 dec 2026", "2026-12-05", "5 Dec", now=NOON)
    assert days == [{"day": "2026-12-05", "time": ""}] * 5
    # The hours that clocks leave out elsewhere; a date without a year is the next one.
    assert judged("14/3/2027 2:00 AM", "5/1 9 pm", zone=zone, now=NOON) == [
        {"day": "2027-03-14", "time": "02:00"},
        {"day": "2027-01-05", "time": "21:00"},
    ]


def test_what_is_no_date_is_not_read_as_another() -> None:
    wrong = ("tomorrow", "31/02/2027 10:00 AM", "31/02/27", "12/25/2026", "5/12/2026 25:00", "10:00", "5 j 2027")
    assert judged(*wrong, "5/12/2026 0:30 am", "5 marvember 2026", now=NOON) == [None] * 9


def test_a_typed_date_that_cannot_be_chosen_says_why() -> None:
    kept = {"openTime": "09:00", "closeTime": "20:00", "closingDays": ["Sunday"], "daysAhead": 30}
    busy = [{"pickup": "2026-12-07T10:00", "return": "2026-12-08T10:00"}]
    told = {
        "next week": "Cannot be read: write 26/11/2026 12:00 PM",
        "26/11/2026 11:00 AM": "Cannot be chosen: before 26/11/2026 12:00 PM",
        "27/12/2026 10:00 AM": "Cannot be chosen: after 26/12/2026 12:00 PM",
        "5/12/2026 10:30 am": "Cannot be chosen: only full hours",
        "5/12/2026 10 pm": "Cannot be chosen: outside the opening hours",
        "6/12/2026": "Cannot be chosen: outside the opening hours",
        "7/12/2026 2 pm": "Cannot be chosen: already taken",
    }
    asked = {"limits": kept | {"busy": busy}, "hour": "18:00", "now": NOON}
    assert judged(*told, **asked) == [{"complaint": why} for why in told.values()]
    # A day alone gets the wanted hour, or the last that is free.
    chosen = {" ": "", "5 dec": "2026-12-05T18:00", "7 dec": "2026-12-07T09:00", "5/12/26 10 AM": "2026-12-05T10:00"}
    assert judged(*chosen, **asked) == [{"moment": moment} for moment in chosen.values()]


def is_here(shown: str, *read: str) -> bool:
    """Return whether what was read for these addresses belongs to the one that is shown."""
    command = ["node", "--no-warnings", "--input-type=module", "--eval", COMPARE]
    command += [str(FOLDER.parent / "here/here.js"), shown, *read]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout == "true\n"


def test_what_a_page_shows_belongs_to_its_address_however_it_is_narrowed_there() -> None:
    here = ANY.model_copy(update={"location": "Madhapur", "sort": "price"})
    narrowed = search_url(here.model_copy(update={"text": "activa", "page": 3}))
    assert is_here(narrowed, search_url(here))
    assert is_here("/vehicles?b=%C3%A9&pickupLocation=A+B", "/nowhere", "/vehicles?b=%c3%a9&pickupLocation=A%20B")
    assert not is_here(search_url(here), search_url(here.model_copy(update={"location": "Miyapur"})))
    assert not is_here("/vehicle-details/1", "/vehicle-details/2")


def test_the_types_that_are_checked_against_are_those_that_run() -> None:
    checked, built = (
        json.loads((ROOT / folder / "package-lock.json").read_text())["packages"]
        for folder in ("javascript", "reflex.lock")
    )
    ours = [name for name in checked if name in built and not name.startswith("node_modules/@types")]
    assert len(ours) > 5
    assert {name: checked[name]["version"] for name in ours if name} == {
        name: built[name]["version"] for name in ours if name
    }
