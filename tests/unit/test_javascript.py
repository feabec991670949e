"""What a date-time picker offers and which address a page is at, according to their own code in Node, and the types
that JavaScript is checked against.
"""

import json
import subprocess
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from rental_app.rules import clock
from rental_app.schemas.shop import ANY
from rental_app.views.links import search_url, wall_text

FOLDER = Path(__file__).parents[2] / "rental_app/components/react/date_time_picker"
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


def offered(days: int, now: datetime | None = None, **limits: Any) -> list[Any]:
    """Return the hours of a day some days from today, whether all of them are taken, and whether 10 AM is."""
    asked = json.dumps([{"daysAhead": 90, **limits}, day(days), now and now.timestamp() * 1000])
    command = ["node", "--no-warnings", "--input-type=module", "--eval", ASK, str(FOLDER / "hours.js"), asked]
    answer: list[Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer


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
    root = FOLDER.parents[3]
    checked, built = (
        json.loads((root / folder / "package-lock.json").read_text())["packages"]
        for folder in ("javascript", "reflex.lock")
    )
    ours = [name for name in checked if name in built and not name.startswith("node_modules/@types")]
    assert len(ours) > 5
    assert {name: checked[name]["version"] for name in ours if name} == {
        name: built[name]["version"] for name in ours if name
    }
