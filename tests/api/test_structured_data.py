"""The structured data of vehicles, vendors and places is what search engines require for rich results."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.domain.ids import slug_of
from tests.conftest import Clock
from tests.support.npm import fetched
from tests.support.reviews import returned, review
from tests.support.shop import Shop, add_vehicle
from tests.support.site import data, page

VALIDATOR = "@adobe/structured-data-validator", "1.7.1"
JUDGE = """
const { default: Validator } = await import(process.argv[1]);
const items = JSON.parse(process.argv[2]);
const issues = await new Validator().validate({ jsonld: items });
console.log(JSON.stringify(issues.map(({ severity, rootType, issueMessage, path }) =>
    [severity, rootType, issueMessage, path.map((step) => step.property ?? step.type).join(".")].join(": "))));
"""


def issues(items: dict[str, dict[str, Any]]) -> list[str]:
    """Return the errors the validator finds in structured data, by its types."""
    entry = fetched(*VALIDATOR) / "src/index.js"
    asked = json.dumps({kind: [item] for kind, item in items.items()})
    command = ["node", "--no-warnings", "--input-type=module", "--eval", JUDGE, str(entry), asked]
    found: list[str] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return [line for line in found if line.startswith("ERROR")]


@pytest.fixture
def pages(client: TestClient, shop: Shop, stopped_clock: Clock, built_pages: Path) -> dict[str, str]:
    """The pages of a vehicle with a review, one without, their vendor, their place and all vehicles."""
    ref = returned(shop, stopped_clock).reference
    review(shop.customer, ref, 4, "Fine ride.")
    review(shop.vendor, ref, 5)
    paths = {
        "vehicle": f"/vehicle-details/{shop.vehicle.id}",
        "new vehicle": f"/vehicle-details/{add_vehicle(shop.vendor).id}",
        "vendor": f"/vendors/{slug_of(shop.vendor.name, shop.vendor.id or 0)}",
        "city": f"/{shop.place.slug}/bike-rentals",
        "vehicles": "/vehicles?type=Scooter",
    }
    return {name: page(client, path) for name, path in paths.items()}


@pytest.mark.long
def test_the_validator_accepts_every_page(pages: dict[str, str]) -> None:
    kinds = {name: data(html) for name, html in pages.items()}
    assert "aggregateRating" in kinds["vehicle"]["Product"]
    assert kinds["vendor"]["AutoRental"]["makesOffer"]
    assert "offers" in kinds["city"]["ItemList"]["itemListElement"][0]["item"]
    assert {name: found for name, items in kinds.items() if (found := issues(items))} == {}


def test_filtered_addresses_are_canonical_to_their_page(pages: dict[str, str]) -> None:
    links = re.findall(r'<link rel="canonical" href="([^"]*)"', pages["vehicles"])
    assert [link.rpartition("/")[2] for link in links] == ["vehicles"]
