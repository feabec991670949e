"""Where our JavaScript has to agree with Python, and the types that it is checked against.

Its own logic has tests in `javascript/test`.
"""

import json
import subprocess
from datetime import date, time, timedelta
from pathlib import Path

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
console.log(rulesFor({ daysAhead: 90 }).first);
"""


@pytest.mark.parametrize("minutes", [0, 0.5, 59])
def test_an_hour_that_has_begun_is_not_offered_like_the_default_pickup(minutes: float) -> None:
    now = clock.at(date(2026, 11, 26), time(10)) + timedelta(minutes=minutes)
    command = ["node", "--no-warnings", "--input-type=module", "--eval", FIRST]
    command += [str(REACT / "date_time_picker/hours.js"), str(now.timestamp() * 1000)]
    first = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    assert first == wall_text(clock.default_pickup(now))


def is_here(shown: str, *read: str) -> bool:
    """Return whether what was read for these addresses belongs to the one that is shown."""
    command = ["node", "--no-warnings", "--input-type=module", "--eval", COMPARE]
    command += [str(REACT / "here/here.js"), shown, *read]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout == "true\n"


def test_what_a_page_shows_belongs_to_its_address_however_it_is_narrowed_there() -> None:
    here = ANY.model_copy(update={"location": "Madhapur", "sort": "price"})
    narrowed = search_url(here.model_copy(update={"text": "activa", "page": 3}))
    assert is_here(narrowed, search_url(here))
    assert is_here("/vehicles?b=%C3%A9&pickupLocation=A+B", "/nowhere", "/vehicles?b=%c3%a9&pickupLocation=A%20B")
    assert not is_here(search_url(here), search_url(here.model_copy(update={"location": "Miyapur"})))
    assert not is_here("/vehicle-details/1", "/vehicle-details/2")


def test_every_script_begins_with_why_it_cannot_be_python() -> None:
    scripts = [*REACT.rglob("*.js"), *REACT.rglob("*.jsx")]
    assert len(scripts) > 30
    bare = [str(script.relative_to(REACT)) for script in scripts if not script.read_text().startswith("// ")]
    assert bare == [], "say in its first line why it runs in the browser"


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
