"""Reviews over REST: the responses, their shape, and what is refused."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.models import User
from tests.conftest import Clock
from tests.support.rest_helpers import bearer, ok, refused
from tests.support.reviews import returned
from tests.support.shop import Shop, add_user, count
from tests.support.trips import confirmed
from tests.support.wire_shapes import INDIAN, PAGED, answer, check

NASTY = '<script>alert("1")</script> <reflex.Var>x</reflex.Var> {{ 7 * 7 }} నాణ్యత'
STARS = {"5": int, "4": int, "3": int, "2": int, "1": int}
REVIEW = {"id": int, "stars": int, "text": str, "by": str, "at": INDIAN, "answer": None}


class Sides:
    """A client that acts as each side of a trip that has just ended, and as outsiders."""

    def __init__(self, client: TestClient, shop: Shop, clock: Clock) -> None:
        self.client, self.shop = client, shop
        self.stranger, self.rival = add_user(), add_user("Vendor")
        self.ref = returned(shop, clock).reference

    def post(self, user: User, path: str, **body: Any) -> Any:
        return self.client.post(f"/api{path}", json=body, headers=bearer(user))

    def review(self, user: User, **body: Any) -> Any:
        return self.post(user, f"/bookings/{self.ref}/review", **body)

    def shown(self, **query: Any) -> dict[str, Any]:
        return ok(self.client.get(f"/api/vehicles/{self.shop.vehicle.id}/reviews", params=query))


@pytest.fixture
def sides(client: TestClient, shop: Shop, stopped_clock: Clock) -> Sides:
    """A client for a trip that has just ended."""
    return Sides(client, shop, stopped_clock)


def test_both_sides_write_and_the_vendor_answers(sides: Sides) -> None:
    shop = sides.shop
    mine = ok(sides.review(shop.customer, stars="5", text=NASTY))["booking"]["reviews"]
    check(mine["mine"], REVIEW | {"shown": bool, "hidden": bool})
    assert mine["mine"]["shown"] is False
    assert sides.shown()["reviews"] == []
    ok(sides.review(shop.vendor, stars=4))
    shown = sides.shown(limit=5)
    check(shown, PAGED | {"rating": float, "distribution": STARS, "reviews": [REVIEW], "total": int})
    review = shown["reviews"][0]
    assert (review["text"], shown["rating"], shown["total"]) == (NASTY, 5.0, 1)
    answered = ok(sides.post(shop.vendor, f"/reviews/{review['id']}/answer", text="Come again!"))["review"]
    check(answered["answer"], {"text": str, "at": INDIAN})
    assert sides.shown()["reviews"] == [answered]
    refused(sides.post(shop.vendor, f"/reviews/{review['id']}/answer", text="Again"), 409, "already_answered")
    refused(sides.post(sides.rival, f"/reviews/{review['id']}/answer", text="Mine"), 403, "vendors_only")
    assert ok(sides.post(sides.stranger, f"/reviews/{review['id']}/report", note="Spam"))["message"]
    refused(sides.post(sides.stranger, f"/reviews/{review['id']}/report", note="Spam"), 409, "already_reported")
    refused(sides.review(shop.customer, stars=1), 409, "review_shown")


def test_what_everybody_reads_tells_nothing_private_of_either_side(sides: Sides) -> None:
    vendor, customer, vehicle = sides.shop.vendor, sides.shop.customer, sides.shop.vehicle
    ok(sides.review(customer, stars=5, text="Lovely"))
    ok(sides.review(vendor, stars=1, text="Came late"))
    paths = (f"/api/vendors/{vendor.id}", f"/api/vehicles/{vehicle.id}/reviews", "/api/user/vehicles")
    answers = [sides.client.get(path) for path in (*paths, f"/api/vehicles/{vehicle.id}/calendar")]
    public = "".join(answer.text for answer in answers if answer.status_code == 200)
    assert public.count("Lovely") == 2
    people = [fact for user in (vendor, customer) for fact in (user.email, user.phone_number)]
    for secret in (*people, customer.name, sides.ref, vehicle.rc_number, "Came late", "bank", "commission"):
        assert secret not in public, secret


def test_reviews_come_in_pages(sides: Sides, stopped_clock: Clock) -> None:
    for stars in (3, 4, 5):
        ok(sides.review(sides.shop.customer, stars=stars))
        ok(sides.review(sides.shop.vendor, stars=5))
        sides.ref = returned(sides.shop, stopped_clock).reference
    first = sides.shown(limit=2)
    assert ([one["stars"] for one in first["reviews"]], first["total"], first["rating"]) == ([5, 4], 3, 4.0)
    rest = sides.shown(limit=2, cursor=first["next_cursor"])
    assert ([one["stars"] for one in rest["reviews"]], rest["next_cursor"]) == ([3], None)


def test_what_is_refused(sides: Sides) -> None:
    customer, vendor, before = sides.shop.customer, sides.shop.vendor, count("review")
    for stars in (0, 6, 4.5, True, None, "five", "5.0", [5], 10**30):
        refused(sides.review(customer, stars=stars), 422, "invalid_input", "stars")
    for text in ("a\x00b", {"a": 1}, 5):
        refused(sides.review(customer, stars=5, text=text), 422, "invalid_input", "text")
    long = refused(sides.review(customer, stars=5, text="x" * 5000), 422, "invalid_input", "text")
    assert long["message"] == "In your words: At most 2,000 characters"
    for other in (sides.stranger, sides.rival):
        refused(sides.review(other, stars=5), 404, "unknown_booking")
    assert count("review") == before
    asked = f"/bookings/{confirmed(sides.shop, days=9).reference}/review"
    refused(sides.post(customer, asked, stars=5), 409, "not_returned")
    for path in ("/reviews/2147483647/answer", "/reviews/2147483647/report"):
        refused(sides.post(vendor, path, text="Hm", note="Hm"), 404, "unknown_review")
    for nonsense in ("0", "x", str(2**31)):
        refused(sides.post(vendor, f"/reviews/{nonsense}/report", note="Hm"), 422, "invalid_input", "review_id")
    refused(sides.client.get("/api/vehicles/2147483647/reviews"), 404, "unknown_vehicle")


def test_the_shape_where_nobody_has_written(client: TestClient, shop: Shop) -> None:
    body = ok(client.get(f"/api/vehicles/{shop.vehicle.id}/reviews"))
    check(body, answer(rating=None, distribution=STARS, reviews=list, total=None, next_cursor=None))
