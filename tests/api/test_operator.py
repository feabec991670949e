"""What operators read over REST, and that nobody else reads it."""

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.infrastructure.headers import with_headers
from rental_app.infrastructure.settings import settings
from rental_app.models import User
from rental_app.services.accounts import sessions
from rental_app.services.console import tables
from tests.support.console import add_request, operator
from tests.support.rest_calls import call, documented
from tests.support.rest_helpers import bearer, form, jpeg, ok, papers, refused
from tests.support.rows import each
from tests.support.shop import Shop, count

LISTS = sorted(tables.every())


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
