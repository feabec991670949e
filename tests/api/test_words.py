"""Words of the shop over REST, and the pages that follow them at once."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.content import legal
from rental_app.infrastructure.db import write
from rental_app.models import User
from rental_app.schemas.operating import ReadOnlyRequest
from rental_app.services.operating import read_only
from tests.support.console import operator
from tests.support.rest_helpers import bearer, ok, refused
from tests.support.rows import each
from tests.support.shop import Shop, actor
from tests.support.site import data, meta, page, words

PATH = "/api/operator/words"


def put(client: TestClient, who: User, key: str, value: Any, version: int = 0) -> dict[str, Any]:
    body = {"value": value, "version": version}
    return ok(client.put(f"{PATH}/{key}", headers=bearer(who), json=body))


def test_words_are_listed_read_written_and_read_by_version(client: TestClient, shop: Shop) -> None:
    who = operator()
    listed = ok(client.get(PATH, headers=bearer(who)))["words"]
    assert {"faq", "documents", "terms", "cover"} <= {one["key"] for one in listed}
    first = ok(client.get(f"{PATH}/house_rules", headers=bearer(who)))
    assert (first["version"], first["default"], first["kind"], first["at"]) == (0, True, "lines", None)
    saved = put(client, who, "house_rules", ["Helmets on"])
    assert (saved["version"], saved["default"], saved["value"], saved["who"]) == (1, False, ["Helmets on"], who.name)
    assert [one["version"] for one in saved["versions"]] == [1, 0]
    before = ok(client.get(f"{PATH}/house_rules?version=0", headers=bearer(who)))
    assert (before["value"], before["default"]) == (first["value"], True)
    refused(client.get(f"{PATH}/house_rules?version=7", headers=bearer(who)), 404, "unknown_version")


def test_a_save_over_another_is_refused_with_what_is_in_force(client: TestClient, shop: Shop) -> None:
    who = operator()
    put(client, who, "house_rules", ["Helmets on"])
    late = client.put(f"{PATH}/house_rules", headers=bearer(who), json={"value": ["None"], "version": 0})
    assert late.status_code == 409
    body = late.json()
    assert (body["code"], body["value"], body["version"]) == ("changed_meanwhile", ["Helmets on"], 1)


def test_words_are_operators_own_and_stay_while_the_shop_is_read_only(client: TestClient, shop: Shop) -> None:
    who = operator()
    for user in (shop.vendor, shop.customer):
        for call in (
            client.get(PATH, headers=bearer(user)),
            client.get(f"{PATH}/faq", headers=bearer(user)),
            client.put(f"{PATH}/faq", headers=bearer(user), json={"value": [], "version": 0}),
        ):
            refused(call, 403, "operators_only")
    body, headers = {"value": ["Helmets on"], "version": 0}, bearer(who)
    write(read_only.switch, actor(who), ReadOnlyRequest(on=True))
    refused(client.put(f"{PATH}/house_rules", headers=headers, json=body), 503, "read_only")


@each(
    ("key", "body", "field"),
    [
        ("faq", {"value": [], "version": 0}, "value"),
        ("faq", {"value": [{"question": "Q", "answer": "{nothing}"}], "version": 0}, "value.0.answer"),
        ("faq", {"value": [{"question": "Q", "answer": "x" * 3_000}], "version": 0}, "value.0.answer"),
        ("faq", {"value": [{"question": "Q", "answer": "x" * 100_000}], "version": 0}, "value"),
        ("terms", {"value": "a\x00b", "version": 0}, "value"),
        ("terms", {"value": "# Terms"}, "version"),
        ("terms", {"value": "# Terms", "version": -1}, "version"),
        ("terms", {"value": "# Terms", "version": 0, "note": "x" * 301}, "note"),
        ("terms", {"value": "# Terms", "version": 0, "by": "me"}, "by"),
    ],
)
def test_what_is_wrong_is_told_by_its_field(
    client: TestClient, shop: Shop, key: str, body: dict[str, Any], field: str
) -> None:
    answer = client.put(f"{PATH}/{key}", headers=bearer(operator()), json=body)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.usefixtures("built_pages")
def test_pages_follow_what_is_saved_without_a_restart(client: TestClient, shop: Shop) -> None:
    who, place, car = operator(), f"/{shop.place.slug}/bike-rentals", f"/vehicle-details/{shop.vehicle.id}"
    pages = ("/", place, "/offers", "/terms", car, "/blog/documents-to-carry")
    # Twice: the second is the cached one.
    before = {path: [words(page(client, path)) for _ in range(2)][1] for path in pages}
    question = {"question": "Is coffee free?", "answer": "Yes, on {product}.", "points": [], "local": True}
    put(client, who, "faq", [question, question | {"question": "And tea?", "local": False}])
    put(client, who, "house_rules", ["Helmets on, all of you"])
    put(client, who, "why", [{"title": "Because we care", "text": "About you"}])
    put(client, who, "offer_steps", [{"title": "Just type it", "text": "The code"}])
    put(client, who, "documents", ["A smile"])
    # The terms name the documents: there is a new version of them already.
    put(client, who, "terms", "# Terms\n\nBe kind to {product}", 1)
    covered = {"free": "Free!", "kept": "All", "covered": "You", "notCovered": "Fuel", "breakdown": "Call"}
    put(client, who, "cover", covered)
    after = {path: words(page(client, path)) for path in pages}
    for path, text in (
        ("/", "Is coffee free? Yes, on Pahiya."),
        ("/", "Because we care"),
        (place, "Is coffee free?"),
        (place, "Helmets on, all of you"),
        ("/offers", "Just type it"),
        ("/terms", "Be kind to Pahiya"),
        (car, "Free!"),
        ("/blog/documents-to-carry", "A smile"),
    ):
        assert text in after[path], path
        assert text not in before[path], path
    assert "And tea?" not in after[place]
    assert "Which documents do I need?" not in after["/"]
    asked = data(page(client, place))["FAQPage"]["mainEntity"]
    assert [one["name"] for one in asked] == ["Is coffee free?"]


@pytest.mark.usefixtures("built_pages")
def test_every_version_of_the_terms_stays_readable(client: TestClient, shop: Shop) -> None:
    put(client, operator(), "terms", "# Terms\n\nBe kind")
    answer = ok(client.get("/api/terms"))
    assert (answer["text"], answer["inForce"]) == ("# Terms\n\nBe kind", True)
    earlier = [name for name in answer["versions"] if name != answer["version"]]
    assert earlier[0] == legal.TERMS_VERSION
    for name in earlier:
        text = ok(client.get(f"/api/terms/{name}"))["text"]
        assert "{" not in text
        html = page(client, f"/terms/{name}")
        assert f"Version {name}" in words(html)
        assert "no longer in force" in words(html)
        assert "noindex" in meta(html)["robots"]
    assert f'href="/terms/{earlier[0]}"' in page(client, "/terms")
    for wrong in ("2026-01-01", "2026-11-30-", "privacy", "%00"):
        refused(client.get(f"/api/terms/{wrong}"), 404, "unknown_version")
        assert client.get(f"/terms/{wrong}").status_code == 404


@pytest.mark.usefixtures("built_pages")
def test_html_and_markers_in_words_are_shown_as_they_were_typed(client: TestClient, shop: Shop) -> None:
    hostile = "<script>alert(1)</script> <reflex.Var>1</reflex.Var>"
    who = operator()
    put(client, who, "house_rules", [hostile])
    put(client, who, "terms", f"# Terms\n\n{hostile} [x](javascript:alert(1))")
    for path in (f"/{shop.place.slug}/bike-rentals", "/terms"):
        html = page(client, path)
        assert "&lt;script&gt;alert(1)" in html
        assert "<script>alert(1)" not in html
        assert 'href="javascript:' not in html
