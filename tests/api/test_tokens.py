"""Tokens: which are invalid, what ends them, and that they are trusted for nothing but the user's identity."""

import base64
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import jwt
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update
from sqlmodel import col

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import User
from rental_app.services.accounts import sessions
from tests.support.rest_helpers import bearer, ok, refused
from tests.support.rows import each
from tests.support.shop import VISITOR, Shop, token_of


def test_a_refused_visitor_is_told_how_to_come_back(client: TestClient) -> None:
    assert client.get("/api/user/data").headers["www-authenticate"] == "Bearer"


def claims(user: User, **changes: Any) -> dict[str, Any]:
    token = token_of(user)
    return jwt.decode(token, options={"verify_signature": False}) | changes


def signed(what: dict[str, Any], algorithm: str = "HS256", key: str = "") -> str:
    return jwt.encode(what, key or settings().signing_key, algorithm=algorithm)


FORGERIES: dict[str, Callable[[User], str]] = {
    "other key": lambda user: signed(claims(user), key="another key of more than thirty-two bytes"),
    "no algorithm": lambda user: jwt.encode(claims(user), "", algorithm="none"),
    "other algorithm": lambda user: signed(claims(user), "HS512"),
    "other audience": lambda user: signed(claims(user, aud="somewhere")),
    "other issuer": lambda user: signed(claims(user, iss="somewhere")),
    "issued tomorrow": lambda user: signed(claims(user, iat=clock.now() + timedelta(days=1))),
    "unknown session": lambda user: signed(claims(user, jti="0" * 32)),
    "numeric subject": lambda user: signed(claims(user, sub=user.id)),
    "cut": lambda user: token_of(user)[:-4],
    "not ascii": lambda user: token_of(user) + "\u00e9",
    "deep header": lambda _: base64.urlsafe_b64encode(b"[" * 9000).decode() + ".e30.x",
    "nothing": lambda _: "",
    "words": lambda _: "let me in",
}


@each("forgery", FORGERIES)
def test_forged_tokens_prove_nothing(client: TestClient, shop: Shop, forgery: str) -> None:
    token = FORGERIES[forgery](shop.customer)
    answer = client.get("/api/user/data", headers={b"Authorization": f"Bearer {token}".encode("latin-1")})
    assert answer.status_code == 401
    refused(answer, 401, answer.json()["code"])


@each("claim", ["sub", "jti", "iat", "exp", "aud", "iss"])
def test_tokens_need_every_claim(client: TestClient, shop: Shop, claim: str) -> None:
    what = claims(shop.customer)
    del what[claim]
    answer = client.get("/api/user/data", headers={"Authorization": f"Bearer {signed(what)}"})
    refused(answer, 401, "invalid_token")


def test_expired_tokens_say_so(client: TestClient, shop: Shop) -> None:
    token = signed(claims(shop.customer, exp=clock.now() - timedelta(seconds=1)))
    answer = client.get("/api/user/data", headers={"Authorization": f"Bearer {token}"})
    refused(answer, 401, "token_expired")


@pytest.mark.parametrize("change", [{"status": "blocked"}, {"is_deleted": True}])
def test_blocking_and_deletion_act_at_once(client: TestClient, shop: Shop, change: dict[str, Any]) -> None:
    headers = bearer(shop.vendor)
    ok(client.get("/api/vendor/vehicles", headers=headers))
    write(lambda session: session.execute(update(User).where(col(User.id) == shop.vendor.id).values(**change)))
    refused(client.get("/api/vendor/vehicles", headers=headers), 401, "session_ended")


def test_demotion_acts_at_once(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    write(lambda session: session.execute(update(User).where(col(User.id) == shop.vendor.id).values(role="Customer")))
    refused(client.get("/api/vendor/vehicles", headers=headers), 403, "vendors_only")


def test_other_schemes_are_no_tokens(client: TestClient, shop: Shop) -> None:
    refused(client.get("/api/user/data", headers={"Authorization": "Basic eDp5"}), 401, "token_missing")


def test_json_of_a_token_is_not_trusted_for_the_role(client: TestClient, shop: Shop) -> None:
    token = signed(claims(shop.customer, role="Vendor"))
    refused(client.get("/api/vendor/vehicles", headers={"Authorization": f"Bearer {token}"}), 403, "vendors_only")
    assert json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))["role"] == "Vendor"


def test_an_ended_session_is_reported_before_errors_of_the_body(client: TestClient, shop: Shop) -> None:
    token = token_of(shop.customer)
    write(sessions.sign_out, read(sessions.authenticate, VISITOR, token))
    headers = {"authorization": f"Bearer {token}"}
    for body in ({"car": "no number"}, {}):
        refused(client.post("/api/bookings/create", json=body, headers=headers), 401, "session_ended")
    refused(client.post("/api/bookings/create", content=b"text", headers=headers), 401, "session_ended")
