"""Metadata in the heads of pages: titles, social tags, structured data."""

import re
from urllib.parse import urlencode

import obstore
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from rental_app.content.faq import FAQ
from rental_app.content.posts import posts
from rental_app.content.routes import ROUTES
from rental_app.infrastructure.settings import settings
from rental_app.services.files import picture_sizes, storage
from tests.support.pictures import saved
from tests.support.shop import Shop, add_place, add_user, add_vehicle
from tests.support.site import SITE, SLUGS, data, meta, page, words

pytestmark = pytest.mark.usefixtures("built_pages")
NASTY = '</script><script>alert("1")</script> & {{ 7 * 7 }} <b>'


def test_a_vehicle_as_a_product_with_an_offer(client: TestClient, shop: Shop) -> None:
    found = data(page(client, f"/vehicle-details/{shop.vehicle.id}"))
    product = found["Product"]
    assert (product["name"], product["brand"]["name"]) == ("Honda Activa 6G", "Honda")
    assert product["image"].startswith(f"{SITE}/media/")
    offer = product["offers"]
    assert (offer["price"], offer["priceCurrency"]) == (500, "INR")
    assert (offer["priceSpecification"]["price"], offer["priceSpecification"]["unitCode"]) == (500, "DAY")
    assert offer["availability"] == "https://schema.org/InStock"
    steps = found["BreadcrumbList"]["itemListElement"]
    assert [step["item"] for step in steps] == [f"{SITE}/", f"{SITE}/vehicles", product["url"]]


def test_a_photo_is_the_picture_of_a_link_and_an_illustration_is_not(client: TestClient, shop: Shop) -> None:
    photographed = add_vehicle(shop.vendor, image=f"/media/public/{'a' * 32}.jpg")
    head = meta(page(client, f"/vehicle-details/{photographed.id}"))
    assert head["og:image"] == f"{SITE}/media/public/{'a' * 32}.jpg"
    assert head["og:image:alt"] == "Honda Activa 6G, White"
    assert "og:image:width" not in head, "there is no such file"
    drawn = meta(page(client, f"/vehicle-details/{shop.vehicle.id}"))
    assert (drawn["og:image"], drawn["og:image:width"]) == (f"{SITE}/social.png", "1200")


def test_the_photo_of_a_link_comes_with_its_size(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "b" * 32
    key, photo = f"public/{name}.jpg", saved(Image.new("RGB", (1600, 900)), "JPEG")
    obstore.put(storage.store(), key, photo)
    vehicle = add_vehicle(shop.vendor, image=f"/media/{key}")
    head = meta(page(client, f"/vehicle-details/{vehicle.id}"))
    assert (head["og:image:width"], head["og:image:height"]) == ("1600", "900")
    # A store that does not answer costs the page nothing but the size, and is not asked again at once.
    asked: list[str] = []

    def broken(_store: object, key: str, **_range: int) -> bytes:
        asked.append(key)
        raise OSError(key)

    monkeypatch.setattr(picture_sizes, "_paused_until", {})
    monkeypatch.setattr("obstore.get_range", broken)
    assert [picture_sizes.size_of(f"/media/public/{name[1:]}{digit}.jpg") for digit in "cd"] == [None, None]
    assert len(asked) == 1


def test_a_phone_can_put_the_shop_on_its_home_screen(client: TestClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    told = answer.json()
    assert (told["short_name"], told["start_url"], told["display"]) == (settings().product_name, "/", "standalone")
    assert [(icon["sizes"], icon["purpose"]) for icon in told["icons"]] == [
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    ]
    for src, sizes in [*((icon["src"], icon["sizes"]) for icon in told["icons"]), ("/apple-touch-icon.png", "180x180")]:
        with Image.open(f"assets{src}") as drawn:
            assert "x".join(map(str, drawn.size)) == sizes


def test_markup_of_a_vendor_is_text(client: TestClient) -> None:
    place = add_place(f"Testpur {NASTY}")
    vendor = add_user("Vendor", location_id=place.id, name=NASTY, address=NASTY)
    vehicle = add_vehicle(vendor, color=NASTY, terms=NASTY)
    query = urlencode({"pickupLocation": place.name})
    for path in (f"/vehicle-details/{vehicle.id}", f"/vehicles?{query}"):
        html = page(client, path)
        assert NASTY in words(html)
        assert "<script>alert" not in html
        assert "<b>" not in html
        # Even `</script x` without its end would close the element.
        assert not re.search("[<>&]", "".join(re.findall(r'ld\+json" data-served>(.*?)</script>', html, re.DOTALL)))
        assert data(html)
    assert data(page(client, f"/vehicle-details/{vehicle.id}"))["Product"]["color"] == NASTY


def test_the_home_page_as_a_business_that_answers_questions(client: TestClient) -> None:
    found = data(page(client, "/"))
    business = found["AutoRental"]
    assert [office["address"]["streetAddress"] for office in business["department"]] == list(settings().offices)
    assert business["department"][0]["address"]["postalCode"] == "500033"
    asked = found["FAQPage"]["mainEntity"]
    assert [item["name"] for item in asked] == [question.text for question in FAQ]
    told = " ".join(item["acceptedAnswer"]["text"] for item in asked)
    assert "{" not in told
    assert all(point.split("{")[0].rstrip(".") in told for question in FAQ for point in question.points)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_post_as_an_article(client: TestClient, slug: str) -> None:
    html = page(client, f"/blog/{slug}")
    post = next(post for post in posts(settings().product_name, settings().city) if post.slug == slug)
    article = data(html)["BlogPosting"]
    assert (article["headline"], article["datePublished"]) == (post.title, f"{post.published:%Y-%m-%d}")
    assert (meta(html)["og:type"], meta(html)["description"]) == ("article", post.summary)


def test_each_page_has_its_own_title_description_and_address(client: TestClient) -> None:
    paths = [route.path for route in ROUTES if not (route.private or route.varies)]
    paths += ["/vehicle-details/1", "/gachibowli/bike-rentals", f"/blog/{SLUGS[0]}"]
    heads = [meta(page(client, path)) for path in paths]
    for name in ("title", "description", "canonical", "og:title"):
        assert len({head[name] for head in heads}) == len(paths), name
    for head in heads:
        assert head["title"] == head["og:title"]
        assert head["og:image"].startswith(f"{SITE}/")
        assert "robots" not in head
