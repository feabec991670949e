"""Where our JavaScript has to agree with Python, and the types that it is checked against.

Its own logic has tests in `javascript/test`.
"""

import json
import subprocess
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from rental_app.domain import clock
from rental_app.schemas.search import ANY
from rental_app.web.parts.presenters.links import search_url, wall_text

ROOT = Path(__file__).parents[2]
REACT = ROOT / "rental_app/web/react"
COMPARE = """
const { isHere } = await import(process.argv[1]);
const [pathname, search] = process.argv[2].split("?");
globalThis.window = { location: { origin: "http://shop", pathname, search: search ? `?${search}` : "" } };
console.log(isHere({ pathname }, ...process.argv.slice(3)));
"""
FIRST = """
const { rulesFor } = await import(process.argv[1]);
Date.now = () => Number(process.argv[2]);
console.log(JSON.stringify(rulesFor({ daysAhead: 90 }).first));
"""


@pytest.mark.parametrize("minutes", [0, 0.5, 59])
def test_an_hour_that_has_begun_is_not_offered_like_the_default_pickup(minutes: float) -> None:
    now = clock.at(date(2026, 11, 26), time(10)) + timedelta(minutes=minutes)
    first = ran(FIRST, str(REACT / "date_time_picker/hours.js"), str(now.timestamp() * 1000))
    assert first == wall_text(clock.default_pickup(now))


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
globalThis.fetch = async () => Response.json({ now: new Date(real()).toISOString() });
Date.now = () => real() + off;
await learnTime();
console.log(JSON.stringify((Date.parse(rulesFor({ daysAhead: 90 }).today + "Z") - real()) / 3_600_000));
"""


def ran(script: str, *given: str) -> Any:
    """Return what a script of this module prints for a calendar's module and arguments."""
    command = ["node", "--no-warnings", "--input-type=module", "--eval", script, *given]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_a_month_is_weeks_from_monday_and_days_have_names() -> None:
    made = ran(CALENDAR, str((REACT / "date_time_picker") / "days.js"))
    assert made["days"] == ["Friday, 4 December 2026", "Sunday, 28 February 2027"]
    assert made["weeks"][0] == " 01 02 03 04 05 06"
    assert (len(made["weeks"]), made["weeks"][-1].strip()) == (5, "28 29 30 31")
    assert made["moves"] == ["2027-02-28", "2026-11-04", "2026-11-30"]
    assert made["months"] == ["2026-11-01", "2026-12-01", "2027-01-01"]


@pytest.mark.parametrize("days_off", [365, -400, 0])
def test_a_wrong_clock_of_the_device_is_corrected_by_the_server(days_off: int) -> None:
    modules = [str((REACT / "date_time_picker") / name) for name in ("clock.js", "hours.js")]
    hours = ran(CLOCK, *modules, str(days_off * 86_400_000))
    assert 5 < hours < 6, "Indian time"


def is_here(shown: str, *read: str) -> bool:
    """Return whether what was read for these addresses belongs to the one that is shown."""
    return bool(ran(COMPARE, str(REACT / "here/here.js"), shown, *read))


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
