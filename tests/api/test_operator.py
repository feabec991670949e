"""The operators' console over REST: what is read and done there, by nobody else, and kept by nobody."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.headers import with_headers
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, User
from rental_app.schemas.operating import Blocking, FeatureRequest
from rental_app.schemas.words import MOST_LETTERS
from rental_app.services.accounts import operators, sessions
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.console import tables
from rental_app.services.operating import listings, people
from rental_app.services.search import listings as search_listings
from tests.support.accounts import latest_token
from tests.support.booking_steps import alter, book
from tests.support.catalogue_entries import MODEL, OFFER
from tests.support.console import add_request, operator
from tests.support.races import at_once
from tests.support.rest_calls import call, documented
from tests.support.rest_helpers import bearer, form, jpeg, ok, papers, refused, window
from tests.support.rows import each
from tests.support.shop import VISITOR, Shop, actor, count, wanted

LONG = 10_000
LISTS = sorted(tables.TABLES)


@each("name", LISTS)
def test_every_list_and_its_rows_are_answered_and_never_cached(app: FastAPI, shop: Shop, name: str) -> None:
    client, headers = TestClient(with_headers(app)), bearer(operator())
    answer = client.get(f"/api/operator/{name}", params={"limit": 3}, headers=headers)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    listed = answer.json()
    names = {column["name"] for column in listed["columns"]}
    assert all(row["cells"].keys() == names for row in listed["rows"])
    for row in listed["rows"] if name == "bookings" else []:
        assert row["cells"]["pickup"].endswith("+05:30")
        assert row["cells"]["price"] < 100_000, "rupees, no paise"
    # A month over all vendors has that address.
    for row in listed["rows"] if name != "money" else []:
        told = ok(client.get(f"/api/operator/{name}/{row['id']}", headers=headers))
        assert row["cells"].items() <= told["row"]["cells"].items()
    if listed["nextCursor"]:
        later = ok(client.get(f"/api/operator/{name}", params={"cursor": listed["nextCursor"]}, headers=headers))
        assert not {row["id"] for row in later["rows"]} & {row["id"] for row in listed["rows"]}
        assert later["backCursor"]


def test_what_a_list_does_not_have_is_named(client: TestClient, shop: Shop) -> None:
    headers = bearer(operator())
    for query, field in (("password_hash=x", "password_hash"), ("limit=1000", "limit"), ("q=a&q=b", "q")):
        answer = client.get(f"/api/operator/people?{query}", headers=headers)
        assert (answer.status_code, [error["field"] for error in answer.json()["errors"]]) == (422, [field])
    refused(client.get("/api/operator/login_session", headers=headers), 404, "unknown_table")
    refused(client.get("/api/operator/people/99999", headers=headers), 404, "unknown_row")


def test_work_has_what_waits(client: TestClient, shop: Shop) -> None:
    request = add_request(shop)
    found = ok(client.get("/api/operator/work", headers=bearer(operator())))
    item = next(each for each in found["work"] if each["kind"] == "requests" and each["id"] == request.id)
    assert item["title"] == "Bank account"
    assert item.keys() == {"kind", "id", "ref", "title", "due"}
    assert found["counts"]["requests"] == 2


def test_a_file_is_saved_under_the_lists_name(client: TestClient, shop: Shop) -> None:
    answer = client.get("/api/operator/people.csv?role=vendor", headers=bearer(operator()))
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="people.csv"'
    assert len(answer.text.splitlines()) == 1 + 7
    assert count("audit_entry") == 1


def test_an_operator_sees_any_vendors_paper(client: TestClient, shop: Shop) -> None:
    photo = jpeg()
    ok(client.post("/api/vendor/add-vehicle", data=form(), files=papers(RC=photo), headers=bearer(shop.vendor)))
    mine = ok(client.get("/api/vendor/vehicles", headers=bearer(shop.vendor)))["vehicles"][-1]["files"]
    paper = next(file["id"] for file in mine if file["group"] == "RC")
    headers = bearer(operator())
    assert client.get(f"/api/operator/files/{paper}", headers=headers).content == photo
    refused(client.get("/api/operator/files/99999", headers=headers), 404, "not_found")


def test_every_call_of_the_console_is_for_operators_with_a_second_step(
    app: FastAPI, client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, before = operator(), count("audit_entry")
    calls = sorted((method, path) for method, path in documented(app) if path.startswith("/api/operator/"))
    assert len(calls) >= 5
    for method, path in calls:
        refused(call(client, method, path, headers=bearer(shop.vendor)), 403, "operators_only")
    monkeypatch.setattr(settings(), "env", "production")
    for method, path in calls:
        if method == "get":
            refused(call(client, method, path, headers=bearer(kept)), 403, "second_step_required")
    feature = f"/api/operator/listings/{shop.vehicle.id}/featured"
    refused(client.put(feature, json={"on": True}, headers=bearer(kept)), 403, "second_step_required")
    stepped = write(lambda session: sessions.open_session(session, kept.id or 0, stepped_at=clock.now()))
    ok(client.get("/api/operator/work", headers={"Authorization": f"Bearer {stepped}"}))
    assert count("audit_entry") == before


def test_account_numbers_are_whole_only_where_one_is_decided_about(client: TestClient, shop: Shop) -> None:
    def bank(session: Session) -> None:
        session.get_one(User, shop.vendor.id).bank_account_no = "30500987654321"

    write(bank)
    request, headers = add_request(shop), bearer(operator())
    person = ok(client.get(f"/api/operator/people/{shop.vendor.id}", headers=headers))["row"]["cells"]
    assert person["account"] == "...4321"
    for listed in ("people", "requests", "people.csv", "requests.csv"):
        text = client.get(f"/api/operator/{listed}", headers=headers).text
        assert "30500987654321" not in text
        assert "123456" not in text
    asked = f"/api/operator/requests/{request.id}"
    assert "123456" in ok(client.get(asked, headers=headers))["row"]["cells"]["bank"]
    ok(client.post(f"{asked}/decision", json={"decision": "refuse", "reason": "No"}, headers=headers))
    assert "123456" not in client.get(asked, headers=headers).text


def test_an_operator_unmade_with_an_open_tab_is_refused(client: TestClient) -> None:
    somebody = operator()
    headers = bearer(somebody)
    write(operators.unmake, at_the_machine(), somebody.email)
    refused(client.get("/api/operator/work", headers=headers), 401, "session_ended")


def test_a_blocked_vendors_token_is_good_for_their_open_trips_alone(client: TestClient, shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle)).id
    alter(Booking, made, status="confirmed", stage="out")
    alter(User, shop.vendor.id, status="blocked")
    headers = bearer(shop.vendor)
    assert ok(client.get(f"/api/bookings/{made}", headers=headers))["booking"]["stage"] == "out"
    paid = {"of": "deposit", "direction": "in", "amount": 100, "method": "cash"}
    ok(client.post(f"/api/vendor/bookings/{made}/payment", json=paid, headers=headers))
    for method, path in (
        ("GET", "/api/vendor/vehicles"),
        ("GET", "/api/bookings/vendor"),
        ("POST", f"/api/vendor/bookings/{made}/extend"),
        ("POST", "/api/bookings/create"),
        ("PUT", "/api/user/update"),
    ):
        refused(client.request(method, path, headers=headers), 403, "account_blocked")
    alter(Booking, made, stage="settled")
    refused(client.get(f"/api/bookings/{made}", headers=headers), 401, "session_ended")


def test_a_read_only_shop_answers_503_with_the_banners_words(client: TestClient, shop: Shop) -> None:
    headers, customer = bearer(operator()), bearer(shop.customer)
    ok(client.put("/api/operator/read-only", json={"on": True, "message": "Back at five"}, headers=headers))
    wish = {"car": shop.vehicle.id} | window()
    refusal = refused(client.post("/api/bookings/create", json=wish, headers=customer), 503, "read_only")
    assert refusal["message"] == "Back at five"
    ok(client.get("/api/bookings/user", headers=customer))
    ok(client.post("/api/user/logout", headers=customer))
    ok(client.put("/api/operator/read-only", json={"on": False}, headers=headers))


def test_what_is_wrong_with_an_entry_is_said_of_its_field(client: TestClient, shop: Shop) -> None:
    wrong = {"offers": (OFFER | {"percent": 0}, "percent"), "models": (MODEL | {"shape": "spaceship"}, "shape")}
    wrong["locations"] = ({"name": "Nowhere", "latitude": 17.4}, "longitude")
    for kind, (entry, field) in wrong.items():
        answer = client.post(f"/api/operator/{kind}", json=entry, headers=bearer(operator()))
        refused(answer, 422, "invalid_input", field)


def test_lost_mail_and_phone_are_replaced_by_calls(client: TestClient, shop: Shop) -> None:
    headers, person = bearer(operator()), f"/api/operator/people/{shop.customer.id}"
    wish = {"email": "new.address@example.com", "checked": "Called the employer"}
    for field, value in (("checked", ""), ("email", "nobody")):
        answer = client.post(f"{person}/recovery", json=wish | {field: value}, headers=headers)
        refused(answer, 422, "invalid_input", field)
    seen = ok(client.get(person, headers=headers))["version"]
    ok(client.post(f"{person}/recovery", json=wish | {"expected": seen}, headers=headers))
    refused(client.post(f"{person}/recovery", json=wish, headers=headers), 409, "recovery_open")
    waits = ok(client.get(person, headers=headers))["row"]["cells"]
    assert (waits["state"], waits["recovery"] is None) == ("Lost mail or phone", False)
    ok(client.post("/api/user/keep-account", json={"token": latest_token(Purpose.RECOVER)}))
    refused(client.post(f"{person}/recovery/stop", json={}, headers=headers), 409, "no_recovery")


def test_parts_of_a_row_and_what_people_see_are_told_over_rest(client: TestClient, shop: Shop) -> None:
    headers, own = bearer(operator()), bearer(shop.customer)
    made = book(shop.customer, wanted(shop.vehicle))
    trail = ok(client.get(f"/api/operator/bookings/{made.id}/trail", headers=headers))
    assert [row["cells"]["what"] for row in trail["rows"]] == ["Requested"]
    devices = ok(client.get(f"/api/operator/people/{shop.customer.id}/devices", headers=headers))
    assert [row["cells"]["state"] for row in devices["rows"]] == ["Logged in"] * bool(own)
    refused(client.get(f"/api/operator/people/{shop.customer.id}/nonsense", headers=headers), 404, "unknown_part")
    theirs = f"/api/operator/people/{shop.customer.id}/as-they-see-it"
    seen = ok(client.get(theirs, headers=headers))
    assert [booking["reference"] for booking in seen["bookings"]] == [made.reference]
    refused(client.get("/api/operator/people/99999/as-they-see-it", headers=headers), 404, "unknown_person")


@pytest.mark.databases
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_vendor_is_blocked_while_a_vehicle_of_theirs_is_featured(shop: Shop, kind: str) -> None:
    one, other = actor(operator()), actor(operator())
    told = at_once(
        lambda: write(people.block, one, shop.vendor.id or 0, Blocking(reason="Three complaints")),
        lambda: write(listings.feature, other, shop.vehicle.id or 0, FeatureRequest(on=True)),
    )
    assert told[0] == ""
    assert shop.vehicle.id not in [car.id for car in read(search_listings.featured, VISITOR, 10)]


@pytest.mark.usefixtures("built_pages")
def test_every_page_is_a_404_that_nobody_keeps_or_indexes(app: FastAPI, shop: Shop) -> None:
    client = TestClient(with_headers(app))
    pages = ["/operator", "/operator/", "/operator/nothing", "/operator/%00", "/operator/people.csv"]
    for name in tables.TABLES:
        pages += [f"/operator/{name}{rest}" for rest in ("", "/1", "?q=a&cursor=b", "/1?tab=audit")]
    for path in pages:
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert answer.headers["cache-control"] == "no-store", path
        assert answer.headers.get("x-robots-tag") == "noindex", path


def test_no_answer_of_the_console_is_kept(app: FastAPI, shop: Shop) -> None:
    client = TestClient(with_headers(app))
    reading = sorted(path for method, path in documented(app) if method == "get" and path.startswith("/api/operator/"))
    files = [f"/api/operator/{name}.csv" for name in tables.TABLES]
    for path in (*reading, *files):
        for headers in ({}, bearer(shop.customer), bearer(operator())):
            answer: Response = call(client, "get", path, headers=headers)
            assert answer.headers["cache-control"] == "no-store", path


def _texts(app: FastAPI) -> Iterator[tuple[str, str, str]]:
    """Each text in the body of each call of the console: method, path, field."""
    document = app.openapi()
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            if path.startswith("/api/operator/") and "$ref" in body:
                fields = document["components"]["schemas"][body["$ref"].rpartition("/")[2]]["properties"]
                yield from ((method, path, name) for name, field in fields.items() if _is_text(field))


def _is_text(field: dict[str, Any]) -> bool:
    return field.get("type") == "string" or any(one.get("type") == "string" for one in field.get("anyOf", ()))


def test_no_text_of_a_decision_is_endless(app: FastAPI, client: TestClient, shop: Shop) -> None:
    headers, texts = bearer(operator()), list(_texts(app))
    before = count("audit_entry")
    assert len(texts) > 40
    for method, path, field in texts:
        # The terms of the shop are longer than what is decided about somebody.
        many = MOST_LETTERS + 1 if path.endswith("/words/{key}") else LONG
        answer = call(client, method, path, headers=headers, json={field: "x" * many})
        assert answer.status_code == 422, (path, field)
        assert field in {error["field"] for error in answer.json()["errors"]}, (path, field)
    assert count("audit_entry") == before


@pytest.mark.long
@each("text", ["a\\u0000b", "a\\ud800b", "\\u202e"])
def test_what_no_database_holds_is_refused(app: FastAPI, client: TestClient, shop: Shop, text: str) -> None:
    headers = bearer(operator()) | {"Content-Type": "application/json"}
    before = count("audit_entry")
    for method, path, field in _texts(app):
        answer = call(client, method, path, headers=headers, content=f'{{"{field}": "{text}"}}')
        assert 400 <= answer.status_code < 500, (path, field)
    assert count("audit_entry") == before
