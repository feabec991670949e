"""The sitemap, and what crawlers should leave alone."""

import re
from datetime import date
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

from rental_app.infrastructure import db
from rental_app.services.search import listings as the_shop
from tests.support.routes import PERSONAL, PUBLIC, SAMPLES, VENDORS
from tests.support.shop import VISITOR, Shop, add_vehicle
from tests.support.site import SITE, SLUGS, meta, page

pytestmark = pytest.mark.usefixtures("built_pages")


def test_the_sitemap_lists_every_public_page(client: TestClient, shop: Shop) -> None:
    off = add_vehicle(shop.vendor, is_active=False)
    answer = client.get("/sitemap.xml")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/xml")
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    urls = ElementTree.fromstring(answer.content).findall("s:url", names)  # noqa: S314 - our own answer
    listed = {url.findtext("s:loc", "", names).removeprefix(SITE) for url in urls}
    assert len(listed) == len(urls)
    # What is about to be requested is nobody's to find, nor are terms that are no longer in force.
    hidden = {"/vehicle-details/1/review", "/terms/2026-11-29"}
    assert {*PUBLIC, "/testpur/bike-rentals"} - hidden <= listed
    assert not listed & {*PERSONAL, *VENDORS, "/404"}
    assert {f"/blog/{slug}" for slug in SLUGS} <= listed
    vehicles = {f"/vehicle-details/{row.id}" for row in db.read(the_shop.listed, VISITOR).vehicles}
    assert {path for path in listed if path.startswith("/vehicle-details/")} == vehicles
    assert f"/vehicle-details/{off.id}" not in listed
    for day in [found for url in urls if (found := url.findtext("s:lastmod", "", names))]:
        date.fromisoformat(day)


@pytest.mark.long
def test_every_page_of_the_sitemap_is_there(client: TestClient) -> None:
    listed = re.findall(r"<loc>(.*?)</loc>", client.get("/sitemap.xml").text)
    assert len(listed) > len(PUBLIC)
    for address in listed:
        html = page(client, address.removeprefix(SITE))
        assert meta(html)["canonical"] == address


def test_robots_are_told_what_is_no_page(client: TestClient) -> None:
    answer = client.get("/robots.txt")
    robots = RobotFileParser()
    robots.parse(answer.text.splitlines())
    allowed = ("/", "/vehicles", "/gachibowli/bike-rentals", "/media/art/scooter/red.svg", "/blog")
    assert all(robots.can_fetch("*", f"{SITE}{path}") for path in allowed)
    refused = ("/api/user/vehicles", *VENDORS, *PERSONAL)
    assert not any(robots.can_fetch("*", f"{SITE}{path}") for path in refused)
    assert robots.site_maps() == [f"{SITE}/sitemap.xml"]


@pytest.mark.parametrize("path", [*PERSONAL, *VENDORS, SAMPLES["/vendor/bookings/[reference]"]])
def test_what_belongs_to_somebody_is_not_to_be_kept(client: TestClient, path: str) -> None:
    assert meta(page(client, path))["robots"] == "noindex"
