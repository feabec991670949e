"""The public pages without JavaScript: their content and their status codes."""

import re
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient

from rental_app.content.faq import LOCAL_FAQ
from rental_app.infrastructure import db
from rental_app.infrastructure.db import write
from rental_app.infrastructure.settings import settings
from rental_app.models import User
from rental_app.schemas.search import MOST_PAGES
from rental_app.services import catalogue
from rental_app.services.search import listings as the_shop
from tests.support.rest_helpers import refused
from tests.support.rows import each
from tests.support.shop import VISITOR, Shop, a_model, add_place, add_user, add_vehicle, add_vehicles, moment, wire
from tests.support.site import SITE, data, meta, page, words

pytestmark = pytest.mark.usefixtures("built_pages")


def test_the_home_page_shows_vehicles_and_localities(client: TestClient) -> None:
    html = page(client, "/")
    first = db.read(the_shop.listed, VISITOR).vehicles[0]
    assert first.title in words(html)
    assert html.count("/bike-rentals") == len(db.read(catalogue.locations, VISITOR))
    assert meta(html)["canonical"] == f"{SITE}/"


def test_a_search_shows_what_it_finds(client: TestClient, shop: Shop) -> None:
    dates = {"pickupDate": wire(moment(4)), "returnDate": wire(moment(6))}
    html = page(client, "/vehicles?" + urlencode({"pickupLocation": shop.place.name} | dates))
    text = words(html)
    assert "Vehicles in Testpur" in text
    assert "Showing 1 vehicle" in text
    assert "Honda Activa 6G" in text
    assert "₹1,000 total" in text
    assert f'href="/vehicle-details/{shop.vehicle.id}?pickupDate=' in html
    assert meta(html)["canonical"] == f"{SITE}/vehicles"


def test_dates_without_a_time_are_searched_and_unreadable_ones_refused(client: TestClient, shop: Shop) -> None:
    days = [wire(moment(day))[:10] for day in (4, 6)]
    dates = f"pickupDate={days[0]}&returnDate={days[1]}"
    for path in (f"/vehicles?pickupLocation=Testpur&{dates}", f"/vehicle-details/{shop.vehicle.id}?{dates}"):
        assert "₹1,000" in words(page(client, path))
    text = words(page(client, f"/vehicles?pickupDate=garbage&returnDate={days[1]}"))
    assert "This search is not possible" in text
    assert "Showing" not in text


def test_all_vehicles_are_counted(client: TestClient, shop: Shop) -> None:
    add_vehicles(shop.vendor, 30)
    assert "Showing 24 of 31 vehicles" in words(page(client, "/vehicles?pickupLocation=Testpur"))


def test_more_is_offered_as_far_as_a_search_goes(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rental_app.schemas.search.RESULTS", 1)
    add_vehicles(shop.vendor, 45)
    before, last = (page(client, f"/vehicles?pickupLocation=Testpur&page={number}") for number in (39, MOST_PAGES))
    assert f"page={MOST_PAGES}" in before
    assert "Showing 40 of 46 vehicles" in words(last)
    assert ("Show more" in words(before), "Show more" in words(last)) == (True, False)
    assert ("Narrow it" in words(before), "Narrow it" in words(last)) == (False, True)


def test_a_search_at_closed_hours_offers_the_nearest(client: TestClient, shop: Shop) -> None:
    dates = {"pickupDate": wire(moment(4, 3)), "returnDate": wire(moment(5, 3))}
    text = words(page(client, "/vehicles?" + urlencode({"pickupLocation": shop.place.name} | dates)))
    assert "1 vehicle is free at the nearest opening hours" in text
    assert "No cars available" in text


def test_an_impossible_search_says_why(client: TestClient) -> None:
    dates = {"pickupDate": wire(moment(-3)), "returnDate": wire(moment(-2))}
    text = words(page(client, "/vehicles?" + urlencode({"pickupLocation": "Gachibowli"} | dates)))
    assert "This search is not possible" in text
    assert "Showing" not in text


@pytest.mark.parametrize(
    "query", ["pickupLocation=%00%ff<script>&pickupDate=yesterday", "x=" + "y" * 3000, "pickupLocation[]=a&returnDate="]
)
def test_a_nonsensical_query_breaks_nothing(client: TestClient, query: str) -> None:
    assert "<script>&" not in page(client, f"/vehicles?{query}")


@pytest.mark.databases
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_nul_in_an_address_is_answered_as_a_page(client: TestClient, kind: str) -> None:
    for missing in (
        "/%00/bike-rentals",
        "/a%00b/bike-rentals/",
        "/vehicle-details/1%00",
        "/blog/%00",
        "/%00",
        "/a/b%00c",
    ):
        page(client, missing, 404)
    dates = "pickupDate=2040-01-01T10:00:00%2B05:30&returnDate=2040-01-02T10:00:00%2B05:30"
    for query in ("pickupLocation=a%00b", f"pickupLocation=%00&{dates}"):
        assert "This search is not possible" in words(page(client, f"/vehicles?{query}"))
    page(client, "/vehicles?pickupLocation=Gachibowli&pickupDate=%00&returnDate=%00")
    for missing in ("/media/public/%00.jpg", "/media/art/%00/%00.svg", "/api/%00"):
        refused(client.get(missing), 404, "not_found")


def test_a_served_list_names_one_photo_a_card_and_for_search_engines_only_the_whole_is_listed(
    client: TestClient,
) -> None:
    dates = urlencode({"pickupDate": wire(moment(4)), "returnDate": wire(moment(6))})
    whole, dated = page(client, "/vehicles"), page(client, f"/vehicles?{dates}")
    for html in (whole, dated):
        cards = html.count('class="later-card"')
        assert html.count("/media/public/") == cards > 1
    assert "ItemList" in data(whole)
    assert "ItemList" not in data(dated)


def test_a_vehicle_shows_all_that_is_public(client: TestClient, shop: Shop) -> None:
    html = page(client, f"/vehicle-details/{shop.vehicle.id}")
    text = words(html)
    for said in ("Honda Activa 6G", "₹500 / day", "₹2,000", "1,200 km", "110 cc", "9 AM to 8 PM"):
        assert said in text, said
    assert "Choose pickup and return to see the price." in text
    assert 'fetchpriority="high"' in html
    head = meta(html)
    assert head["title"] == f"Honda Activa 6G on rent in Testpur, ₹500 a day | {settings().product_name}"
    assert "₹500 a day" in head["description"]
    assert head["canonical"] == head["og:url"] == f"{SITE}/vehicle-details/{shop.vehicle.id}"


def test_a_vehicle_shows_the_price_of_the_window_it_was_found_for(client: TestClient, shop: Shop) -> None:
    dates = urlencode({"pickupDate": wire(moment(4)), "returnDate": wire(moment(6))})
    html = page(client, f"/vehicle-details/{shop.vehicle.id}?{dates}")
    assert "2 × Full Day at ₹500 ₹1,000" in words(html)
    assert meta(html)["canonical"] == f"{SITE}/vehicle-details/{shop.vehicle.id}"


def test_a_vehicle_shows_the_terms_of_its_vendor_and_what_delivery_costs(client: TestClient) -> None:
    vendor = add_user("Vendor", location_id=add_place().id, name="Ravi Rentals", delivery_supported=True)
    write(lambda session: setattr(session.get_one(User, vendor.id), "notes", "Bring a mask\n\n No smoking "))
    vehicle = add_vehicle(vendor, drop_off_pick_extra_payment=True, drop_off_paise=20_000, terms="City only")
    text = words(page(client, f"/vehicle-details/{vehicle.id}"))
    assert "Terms & Conditions City only All 3 terms Terms of Ravi Rentals Bring a mask No smoking Pickup" in text
    assert "Deliver to me ₹200 Collect from me Free" in text


def test_a_vehicle_says_who_lends_it_and_what_is_covered(client: TestClient) -> None:
    text = words(page(client, "/vehicle-details/1"))
    assert re.search(r"from \d+ reviews · answers within \w+ hours? · \d+ trips", text)
    assert "Cancelling and cover Free until you have paid" in text
    assert "25% is kept until 72 hours before the pickup, 75% until 24 hours before" in text
    assert settings().support_phone in text


@pytest.mark.parametrize("charged", [True, False])
def test_delivery_is_promised_only_by_vendors_who_deliver(client: TestClient, shop: Shop, charged: bool) -> None:
    vehicle = add_vehicle(shop.vendor, drop_off_pick_extra_payment=charged, drop_off_paise=25_000)
    text = words(page(client, f"/vehicle-details/{vehicle.id}"))
    assert "Delivery" not in text
    assert "₹250" not in text


def test_charges_switched_off_are_not_asked_for(client: TestClient) -> None:
    vendor = add_user("Vendor", location_id=add_place().id, delivery_supported=True)
    vehicle = add_vehicle(vendor, drop_off_paise=20_000, pick_up_paise=30_000)
    text = words(page(client, f"/vehicle-details/{vehicle.id}"))
    assert "Deliver to me Free Collect from me Free" in text


def test_no_page_loads_a_map_unasked(client: TestClient, shop: Shop) -> None:
    html = page(client, f"/vehicle-details/{shop.vehicle.id}")
    assert "<iframe" not in html
    assert "Show the street map" in words(html)


def test_a_vehicle_is_on_our_own_map_at_once(client: TestClient) -> None:
    first = db.read(the_shop.listed, VISITOR).vehicles[0]
    html = page(client, f"/vehicle-details/{first.id}")
    assert f'aria-label="Map: {first.service_location} in Hyderabad"' in html
    drawn = re.search(r'<use href="(/media/city/\w+\.svg)#ground"', html)
    assert drawn
    sent = client.get(drawn[1], headers={"Accept-Encoding": "br"})
    assert (sent.status_code, sent.headers["content-type"]) == (200, "image/svg+xml")
    assert int(sent.headers["content-length"]) < 20_000
    assert "immutable" in sent.headers["cache-control"]
    assert client.get("/media/city/0.svg").status_code == 404


def test_kilometres_are_grouped_as_rupees_are(client: TestClient, shop: Shop) -> None:
    far = add_vehicle(shop.vendor, odometer_reading=1_234_567)
    assert "12,34,567 km" in words(page(client, f"/vehicle-details/{far.id}"))


def test_nothing_private_is_served(client: TestClient, shop: Shop) -> None:
    for path in (f"/vehicle-details/{shop.vehicle.id}", "/testpur/bike-rentals", "/vehicles?pickupLocation=Testpur"):
        html = page(client, path)
        vehicle, vendor = shop.vehicle, shop.vendor
        for secret in (vehicle.rc_number, vehicle.engine_number, vehicle.chassis_number, "Secret Owner"):
            assert secret not in html
        assert vendor.email not in html
        assert vendor.phone_number not in html


def test_a_locality_shows_vehicles_terms_and_neighbours(client: TestClient, shop: Shop) -> None:
    html = page(client, "/testpur/bike-rentals")
    text = words(html)
    for said in ("Bike on rent in Testpur", "From ₹500 a day, 1 vehicle to rent.", "Honda Activa 6G", "km away"):
        assert said in text, said
    found = data(html)
    assert found["ItemList"]["itemListElement"][0]["url"] == f"{SITE}/vehicle-details/{shop.vehicle.id}"
    assert len(found["FAQPage"]["mainEntity"]) == len(LOCAL_FAQ)
    assert meta(html)["canonical"] == f"{SITE}/testpur/bike-rentals"


def test_a_locality_shows_two_wheelers_before_cars(client: TestClient, shop: Shop) -> None:
    add_vehicle(shop.vendor, daily=10_000, model_id=a_model("Car")[2])
    html = page(client, "/testpur/bike-rentals")
    items = data(html)["ItemList"]["itemListElement"]
    assert items[0]["url"] == f"{SITE}/vehicle-details/{shop.vehicle.id}"
    assert "From ₹100 a day, 2 vehicles to rent." in words(html)


@pytest.mark.parametrize("path", ["/Testpur/bike-rentals", "/TESTPUR/bike-rentals/"])
def test_a_locality_has_one_address(client: TestClient, shop: Shop, path: str) -> None:
    answer = client.get(f"{path}?utm_source=x", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (301, "/testpur/bike-rentals?utm_source=x")
    assert "Bike on rent in Testpur" in words(client.get(path).text)


def test_an_empty_locality_names_the_nearest(client: TestClient) -> None:
    add_place("Leer")
    assert "No vehicles here right now" in words(page(client, "/leer/bike-rentals"))


def test_offers_are_shown_with_their_codes(client: TestClient) -> None:
    text = words(page(client, "/offers"))
    assert "WEEKLONG" in text
    assert "Enter the code" in text


@each(
    ("path", "said"),
    [
        ("/vehicle-details/9999999", "This vehicle is not listed"),
        ("/vehicle-details/abc", "This vehicle is not listed"),
        ("/vehicle-details/99999999999999999999", "This vehicle is not listed"),
        ("/atlantis/bike-rentals", "We don't have that locality"),
        ("/blog/no-such-post", "404"),
        ("/vendor/nowhere", "vendor/_"),
        ("/vendor/manage-vehicles/nowhere/at/all", "vendor/_"),
        ("//gachibowli/bike-rentals", "404"),
        (f"/{'a' * 256}", "404"),
        (f"/{'%E0%B0%85' * 86}", "404"),
        ("/gachibowli//bike-rentals", "404"),
        ("/%2Fgachibowli/bike-rentals", "404"),
        ("/vehicles/%2E", "404"),
        ("/x/%2E%2E/vehicles", "404"),
        ("/index.html", "404"),
        ("/INDEX.html/", "404"),
        ("/index.html.br", "404"),
        ("/vehicles/index.html", "404"),
        ("/my-bookings/index.html", "404"),
        ("/vendor/bookings/_.html", "404"),
        ("/site.css/", "404"),
        ("/assets/any.js.gz", "404"),
        ("/404", "404"),
        ("/404/", "404"),
    ],
)
def test_what_is_not_there_is_not_found(client: TestClient, path: str, said: str) -> None:
    # An absolute URL: a client would take what follows two slashes for another host.
    html = page(client, f"http://testserver{path}", 404)
    assert said in words(html)
    assert meta(html)["robots"] == "noindex"
    assert not meta(html)["canonical"]


def test_a_vehicle_taken_off_is_not_found(client: TestClient, shop: Shop) -> None:
    off = add_vehicle(shop.vendor, is_active=False)
    page(client, f"/vehicle-details/{off.id}", 404)


def test_my_bookings_are_for_nobody_else(client: TestClient) -> None:
    assert meta(page(client, "/my-bookings"))["robots"] == "noindex"
