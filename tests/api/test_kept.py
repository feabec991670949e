"""Cached responses are sent only while nothing has changed, and count against rate limits like any other."""

from collections.abc import Hashable

import pytest
from fastapi.testclient import TestClient
from limits import parse
from sqlalchemy import text

from rental_app.infrastructure.db import write
from rental_app.services import throttle
from rental_app.services.search.cache import SearchCache
from rental_app.services.throttle import Limit
from rental_app.ssr.page_cache import CachedPage
from tests.conftest import Clock
from tests.support.booking_steps import book
from tests.support.shop import Shop, moment, wanted, wire
from tests.support.site import page

LIST = "/api/user/vehicles"


def repaint(shop: Shop, color: str) -> None:
    write(lambda session: session.execute(text("UPDATE vehicle SET color = :c"), {"c": color}))


def test_the_list_is_sent_only_to_those_who_do_not_have_it(client: TestClient, shop: Shop) -> None:
    first = client.get(LIST)
    again = client.get(LIST, headers={"If-None-Match": f'"another", {first.headers["etag"]}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert first.headers["cache-control"] == again.headers["cache-control"] == "no-cache"
    repaint(shop, "Crimson")
    changed = client.get(LIST, headers={"If-None-Match": first.headers["etag"]})
    assert changed.status_code == 200
    assert {car["color"] for car in changed.json()["vehicles"]} == {"Crimson"}


def test_a_list_that_leaves_a_page_is_another_one(client: TestClient, shop: Shop) -> None:
    tags = {client.get(f"{LIST}{query}").headers["etag"] for query in ("", "?limit=2", "?limit=3")}
    assert len(tags) == 3


@pytest.mark.usefixtures("built_pages")
def test_pages_follow_what_they_show_and_the_hour(client: TestClient, shop: Shop, stopped_clock: Clock) -> None:
    path = f"/vehicle-details/{shop.vehicle.id}"
    before, home = page(client, path), page(client, "/")
    assert (page(client, path), page(client, "/")) == (before, home)
    repaint(shop, "Crimson")
    assert "Crimson" in page(client, path)
    stopped_clock.move(hours=1)
    assert page(client, "/") != home
    write(lambda session: session.execute(text("UPDATE vehicle SET is_active = false")))
    page(client, path, 404)


@pytest.mark.usefixtures("built_pages")
def test_a_page_is_known_by_its_tag_in_every_encoding(client: TestClient, shop: Shop) -> None:
    for encoding in ("identity", "gzip", "br"):
        sent = {"Accept-Encoding": encoding, "X-Request-Id": "the-same-one"}
        answers = [client.get("/vehicles", headers=sent) for _ in range(2)]
        assert answers[0].headers == answers[1].headers
        assert answers[0].text == answers[1].text
        assert answers[0].headers.get("content-encoding", "identity") == encoding
        known = client.get("/vehicles", headers=sent | {"If-None-Match": answers[0].headers["etag"]})
        assert (known.status_code, known.content) == (304, b"")


@pytest.mark.usefixtures("built_pages")
@pytest.mark.parametrize("understood", ["gzip, deflate", "identity"])
def test_encodings_told_in_several_headers_are_nobody_elses(client: TestClient, understood: str) -> None:
    client.get("/vehicles", headers=[("Accept-Encoding", understood), ("Accept-Encoding", "br")])
    answer = client.get("/vehicles", headers={"Accept-Encoding": understood})
    assert answer.headers.get("content-encoding", "identity") in understood


@pytest.mark.usefixtures("built_pages")
def test_a_page_is_kept_once_however_its_encoding_is_spelled(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = SearchCache.put
    kept: list[object] = []

    def note(cache: SearchCache, key: Hashable, page: object) -> None:
        kept.append(page)
        put(cache, key, page)

    monkeypatch.setattr(SearchCache, "put", note)
    repaint(shop, "Crimson")
    for spelling in ("br", "gzip, deflate, br", "BR;q=0.9,gzip;q=0.8", "br ,*;q=0.1"):
        assert client.get("/vehicles", headers={"Accept-Encoding": spelling}).headers["content-encoding"] == "br"
    assert sum(isinstance(page, CachedPage) for page in kept) == 1


@pytest.mark.usefixtures("built_pages")
def test_searches_for_dates_or_a_text_are_not_kept(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[object] = []
    monkeypatch.setattr(SearchCache, "put", lambda _cache, _key, answer: kept.append(answer))

    def keeps(path: str) -> bool:
        kept.clear()
        client.get(path)
        return any(isinstance(answer, CachedPage) for answer in kept)

    # What is free changes with every booking, and texts of visitors would push out the pages that many open.
    queries = ("q=activa", f"pickupDate={wire(moment(4))}", f"returnDate={wire(moment(6))}")
    assert [query for query in queries if keeps(f"/vehicles?{query}")] == []
    assert keeps("/vehicles")


@pytest.mark.long
@pytest.mark.usefixtures("built_pages", "rate_limits")
@pytest.mark.parametrize("path", ["/", "/vehicles", LIST])
def test_what_is_sent_again_is_counted_as_before(
    client: TestClient, shop: Shop, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked_until_refused() -> int:
        throttle._storage.cache_clear()
        return next(number for number in range(100) if client.get(path).status_code == 429)

    monkeypatch.setitem(throttle.LIMITS, "look", Limit(parse("20 per hour"), parse("20 per hour")))
    kept = asked_until_refused()
    for number in range(20):
        throttle._storage.cache_clear() if not number else None
        repaint(shop, f"Paint {number}")
        if client.get(path).status_code == 429:
            assert number == kept
            return
    assert kept == 20


@pytest.mark.usefixtures("built_pages")
def test_the_last_use_of_an_offer_takes_it_from_the_page(client: TestClient, shop: Shop) -> None:
    write(lambda session: session.execute(text("UPDATE offer SET uses = 1 WHERE code = 'FIRSTRIDE'")))
    assert "FIRSTRIDE" in page(client, "/offers")
    book(shop.customer, wanted(shop.vehicle, length=3).model_copy(update={"offer": "FIRSTRIDE"}))
    assert "FIRSTRIDE" not in page(client, "/offers")
