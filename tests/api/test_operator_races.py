"""Two operators whose calls about one thing come at the same moment: REST, real threads, both databases."""

from collections.abc import Callable
from functools import partial

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.errors import RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import LedgerEntry, User, Vehicle
from rental_app.schemas.operating import ReadOnlyRequest
from rental_app.services.operating import read_only
from rental_app.services.search import listings as search_listings
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.operating import version
from tests.support.races import at_once
from tests.support.rest_helpers import bearer, ok, refused
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user, count
from tests.support.trips import damage_objected_to

CHANGED = "changed_meanwhile"


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


class Desk:
    """An operator's calls: each raises what it is refused with."""

    def __init__(self, client: TestClient) -> None:
        self._client, self.headers = client, bearer(add_user("Operator"))

    def press(self, method: str, path: str, **body: object) -> None:
        """Send a call to the operators' part of the API."""
        answer = self._client.request(method, f"/api/operator{path}", json=body, headers=self.headers)
        if answer.status_code != 200:
            raise RentalError(answer.json()["message"], code=answer.json()["code"])


def vehicle(shop: Shop) -> Vehicle:
    return read(lambda session: session.get_one(Vehicle, shop.vehicle.id))


def waiting(shop: Shop, client: TestClient) -> list[Callable[..., None]]:
    """Two operators who look at the same listing that waits: each decides with what it is given."""
    alter(Vehicle, shop.vehicle.id, is_approved=False)
    path, seen = f"/listings/{shop.vehicle.id}/decision", version("listings", shop.vehicle.id)
    return [partial(Desk(client).press, "POST", path, expected=seen) for _ in range(2)]


def test_approve_against_approve(shop: Shop, client: TestClient) -> None:
    one, other = waiting(shop, client)
    entries = count("audit_entry")
    assert sorted(at_once(partial(one, decision="approve"), partial(other, decision="approve"))) == ["", CHANGED]
    assert vehicle(shop).is_approved
    assert count("audit_entry") == entries + 1


def test_approve_against_refuse(shop: Shop, client: TestClient) -> None:
    one, other = waiting(shop, client)
    entries = count("audit_entry")
    refuse = partial(other, decision="refuse", reason="The papers are of another vehicle")
    told = at_once(partial(one, decision="approve"), refuse)
    assert sorted(told) == ["", CHANGED]
    now = vehicle(shop)
    assert (now.is_approved, bool(now.refusal)) == ((True, False) if told[0] == "" else (False, True))
    assert count("audit_entry") == entries + 1


def test_block_against_featured(shop: Shop, client: TestClient) -> None:
    one, other = Desk(client), Desk(client)
    block = partial(one.press, "POST", f"/people/{shop.vendor.id}/block", reason="Three complaints")
    feature = partial(other.press, "PUT", f"/listings/{shop.vehicle.id}/featured", on=True)
    blocked, _ = at_once(block, feature)
    assert blocked == ""
    assert read(lambda session: session.get_one(User, shop.vendor.id)).status == "blocked"
    assert shop.vehicle.id not in [car.id for car in read(search_listings.featured, VISITOR, 10)]


def test_an_objection_judged_twice(shop: Shop, client: TestClient, stopped_clock: Clock) -> None:
    now, line = stopped_clock.instant, damage_objected_to(shop, stopped_clock)
    # Tokens of the days of the trip are of no use yet: they go by the machine's clock.
    stopped_clock.instant = now
    one, other = Desk(client), Desk(client)
    found = ok(client.get("/api/operator/objections", headers=one.headers))["rows"][0]
    seen = version("objections", found["id"])
    path, why = f"/objections/{found['id']}/decision", {"note": "The photo shows it", "expected": seen}
    uphold = partial(one.press, "POST", path, decision="uphold", **why)
    dismiss = partial(other.press, "POST", path, decision="dismiss", **why)
    told = at_once(uphold, dismiss)
    assert sorted(told) == ["", CHANGED]
    reverses = read(lambda session: session.scalars(select(LedgerEntry).where(col(LedgerEntry.reverses) == line)).all())
    assert len(reverses) == (1 if told[0] == "" else 0)


def test_the_last_session_of_the_last_operator_in_read_only_mode(shop: Shop, client: TestClient) -> None:
    operator = add_user("Operator")
    headers, path = bearer(operator), "/api/operator/read-only"
    ok(client.put(path, json={"on": True, "message": "Back at five"}, headers=headers))
    ok(client.post("/api/user/logout", headers=headers))
    refused(client.put(path, json={"on": False}, headers=headers), 401, "session_ended")
    login = {"email": operator.email, "password": PASSWORD}
    again = {"Authorization": f"Bearer {ok(client.post('/api/user/login', json=login))['token']}"}
    ok(client.put(path, json={"on": False, "message": ""}, headers=again))
    assert read(read_only.note, VISITOR) == ""


def test_what_somebody_sees_is_shown_and_recorded_in_read_only_mode(shop: Shop, client: TestClient) -> None:
    operator = add_user("Operator")
    headers = bearer(operator)
    write(read_only.switch, actor(operator), ReadOnlyRequest(on=True))
    entries = count("audit_entry")
    ok(client.get(f"/api/operator/people/{shop.customer.id}/as-they-see-it", headers=headers))
    assert count("audit_entry") == entries + 1
