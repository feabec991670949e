"""A vendor's public page, reviews on pages, and what search engines are told about both."""

from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlmodel import Session

from rental_app.domain.ids import id_in, slug_of
from rental_app.domain.reviews import answers_within, rating, short_name
from rental_app.infrastructure.db import write
from rental_app.models import User
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.rest_helpers import ok, refused
from tests.support.reviews import returned, review
from tests.support.rows import each
from tests.support.shop import Shop, add_user, add_vehicle, add_vehicles, wanted
from tests.support.site import SITE, data, meta, page, words
from tests.support.wire_shapes import INDIAN, PUBLIC_VEHICLE, answer, check, of

NASTY = '</script><script>alert("1")</script> {{ 7 * 7 }} <b>'


def path_of(user: User) -> str:
    return f"/vendors/{slug_of(user.name, user.id or 0)}"


@pytest.fixture
def reviewed(shop: Shop, stopped_clock: Clock) -> Shop:
    """A shop whose vehicle has a review of four stars."""
    ref = returned(shop, stopped_clock).reference
    review(shop.customer, ref, 4, f"Fine ride. {NASTY}")
    review(shop.vendor, ref, 5, "Polite")
    return shop


@pytest.mark.usefixtures("built_pages")
def test_a_vendors_page_and_what_it_never_says(client: TestClient, reviewed: Shop) -> None:
    vendor = reviewed.vendor
    alter(User, vendor.id, notes="Bring your licence", bank_account_no="777888999", email="secret@example.com")
    html = page(client, path_of(vendor))
    said = words(html)
    for told in (vendor.name, "Fine ride.", "1 review", "Honda Activa 6G", "Bring your licence", "Trips made 1"):
        assert told in said
    for kept in (vendor.phone_number, vendor.address, "777888999", "secret@example.com", reviewed.customer.name):
        assert kept not in html
    assert "<script>alert" not in html
    assert meta(html)["canonical"] == f"{SITE}{path_of(vendor)}"
    found = data(html)["AutoRental"]
    figures = {"ratingValue": 4.0, "reviewCount": 1, "bestRating": 5, "worstRating": 1}
    assert found["aggregateRating"] == figures | {"@type": "AggregateRating"}
    assert found["review"][0]["reviewRating"]["ratingValue"] == 4
    assert found["makesOffer"][0]["itemOffered"]["aggregateRating"]["reviewCount"] == 1
    assert f"<loc>{SITE}{path_of(vendor)}</loc>" in client.get("/sitemap.xml").text
    assert "Allow: /vendors/" in client.get("/robots.txt").text
    assert "x-robots-tag" not in client.get(path_of(vendor)).headers


@pytest.mark.usefixtures("built_pages")
def test_a_vendor_who_rents_nothing_out_says_so(client: TestClient, shop: Shop) -> None:
    html = page(client, path_of(add_user("Vendor", location_id=shop.place.id)))
    assert "Nothing to rent here right now" in words(html)
    assert 'href="/vehicles"' in html
    assert "0 vehicles" not in html


@pytest.mark.usefixtures("built_pages")
def test_a_former_name_leads_to_the_present_one(client: TestClient, shop: Shop) -> None:
    old = path_of(shop.vendor)
    alter(User, shop.vendor.id, name="Róyal  Ríders & Sons")
    moved = client.get(f"{old}?utm=x", follow_redirects=False)
    present = f"/vendors/royal-riders-sons-{shop.vendor.id}"
    assert (moved.status_code, moved.headers["location"]) == (301, f"{present}?utm=x")
    assert client.get(present.upper().replace("/VENDORS", "/vendors"), follow_redirects=False).status_code == 301
    assert page(client, present)
    alter(User, shop.vendor.id, status="blocked")
    page(client, present, 404)
    refused(client.get(f"/api{present}"), 404, "unknown_vendor")


@pytest.mark.usefixtures("built_pages")
def test_unknown_vendors_are_not_there(client: TestClient, shop: Shop) -> None:
    for slug in ("nobody", "x-999999999", "x-99999999999999999999", "-", "%00", "x-0", "٣"):
        page(client, f"/vendors/{slug}", 404)
        refused(client.get(f"/api/vendors/{slug}"), 404, "unknown_vendor")
    page(client, path_of(shop.customer), 404)


def test_a_vendor_over_rest(client: TestClient, reviewed: Shop) -> None:
    for _ in range(3):
        add_vehicle(reviewed.vendor)
    body = ok(client.get(f"/api{path_of(reviewed.vendor)}"))
    said = of(int, "id stars") | of(str, "text by") | {"at": INDIAN, "answer": None}
    view = of(str, "name slug image open_time close_time terms") | of(int, "id trips cancelledConfirmed")
    view |= {"since": INDIAN, "closing_days": list, "delivery_supported": bool, "rating": float}
    view |= {"answersInMinutes": (int, type(None)), "distribution": dict.fromkeys("54321", int)}
    view |= {"reviews": [said], "vehicles": [PUBLIC_VEHICLE]}
    check(body, answer(vendor=view, total=None, next_cursor=None))
    assert (body["vendor"]["trips"], len(body["vendor"]["vehicles"])) == (1, 4)
    # The best rated first.
    first = body["vendor"]["vehicles"][0]
    assert (first["rating"], first["reviews"], first["vendor"]["rating"]) == (4.0, 1, 4.0)
    assert first["vendor"]["slug"] == slug_of(reviewed.vendor.name, reviewed.vendor.id or 0)


def test_a_vendors_vehicles_come_in_pages_or_all(client: TestClient, shop: Shop) -> None:
    add_vehicles(shop.vendor, 64)
    path = f"/api{path_of(shop.vendor)}"
    whole = ok(client.get(path))
    assert (len(whole["vendor"]["vehicles"]), whole["total"], whole["next_cursor"]) == (65, None, None)
    seen: list[int] = []
    cursor: int | None = 0
    while cursor is not None:
        part = ok(client.get(path, params={"limit": 30, "cursor": cursor}))
        assert part["total"] == 65
        seen, cursor = seen + [car["id"] for car in part["vendor"]["vehicles"]], part["next_cursor"]
    assert seen == [car["id"] for car in whole["vendor"]["vehicles"]]
    for asked in ({"limit": 0}, {"limit": 201}, {"cursor": -1}):
        refused(client.get(path, params=asked), 422, "invalid_input", *asked)


def test_how_soon_requests_are_answered(client: TestClient, shop: Shop, stopped_clock: Clock) -> None:
    told = []
    for days, minutes in ((5, 10), (8, 50), (11, 30)):
        asked = book(shop.customer, wanted(shop.vehicle, days=days))
        stopped_clock.move(minutes=minutes)
        decide(shop.vendor, asked.id, "confirmed")
        told.append(ok(client.get(f"/api{path_of(shop.vendor)}"))["vendor"]["answersInMinutes"])
    assert told == [None, None, 30], "of two answers nothing can be said"


@pytest.mark.usefixtures("built_pages")
def test_a_vehicles_page_shows_reviews_in_pages_and_to_search_engines(client: TestClient, reviewed: Shop) -> None:
    html = page(client, f"/vehicle-details/{reviewed.vehicle.id}")
    assert "Fine ride." in words(html)
    assert path_of(reviewed.vendor) in html
    product = data(html)["Product"]
    assert product["aggregateRating"]["ratingValue"] == 4.0
    assert product["review"][0]["reviewBody"] == f"Fine ride. {NASTY}"
    other = add_vehicle(reviewed.vendor)
    without = page(client, f"/vehicle-details/{other.id}")
    assert "No reviews yet" in words(without)
    assert {"aggregateRating", "review"}.isdisjoint(data(without)["Product"])
    listed = data(page(client, f"/{reviewed.place.slug}/bike-rentals"))["ItemList"]["itemListElement"]
    item = listed[0]["item"]
    assert (item["offers"]["price"], item["aggregateRating"]["ratingValue"]) == (500, 4.0)


@pytest.mark.usefixtures("built_pages")
def test_a_kept_page_is_made_anew_with_an_answer(client: TestClient, reviewed: Shop) -> None:
    path = f"/vehicle-details/{reviewed.vehicle.id}"
    assert "Come again" not in page(client, path)
    answered = "UPDATE review SET answer = 'Come again', answered_at = shown_at WHERE text LIKE 'Fine ride%'"
    write(Session.execute, text(answered))
    assert "Come again" in page(client, path)


@each(("total", "many", "average"), [(0, 0, None), (5, 1, 5.0), (9, 2, 4.5), (13, 3, 4.3), (14, 3, 4.7), (89, 20, 4.5)])
def test_averages(total: int, many: int, average: float | None) -> None:
    assert rating(total, many) == average


@each(("name", "short"), [("Anjali Rao", "Anjali R."), ("Anjali", "Anjali"), ("  ", "A customer"), ("A B C", "A C.")])
def test_names_of_customers(name: str, short: str) -> None:
    assert short_name(name) == short


@each(("hours", "words"), [(0.1, "an hour"), (1, "an hour"), (1.5, "2 hours"), (24, "24 hours"), (25, "2 days")])
def test_answering_times_in_words(hours: float, words: str) -> None:
    assert answers_within(timedelta(hours=hours)) == f"within {words}"


SLUGS = {"Sai Kiran Reddy": "sai-kiran-reddy-7", "నాణ్యత": "7", "D'Souza": "d-souza-7", "x" * 99: "x" * 60 + "-7"}


@each(("name", "slug"), list(SLUGS.items()))
def test_slugs(name: str, slug: str) -> None:
    assert slug_of(name, 7) == slug
    assert id_in(slug) == 7
