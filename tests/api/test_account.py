"""One's own account over REST: passwords, details, devices."""

import pyotp
from fastapi import FastAPI
from fastapi.testclient import TestClient

from rental_app.domain import clock
from rental_app.infrastructure.settings import settings
from rental_app.services.accounts.proofs import Purpose
from tests.support.accounts import NEW, latest_code, latest_token, unconfirmed
from tests.support.authenticator import Authenticator
from tests.support.rest_helpers import PERSON, bearer, ok, refused
from tests.support.rows import each
from tests.support.shop import PASSWORD, Shop

# Another address than that of `client`.
ELSEWHERE = ("203.0.113.5", 50000)


def test_a_forgotten_password_is_reset_by_link(client: TestClient, shop: Shop) -> None:
    email, headers = shop.customer.email, bearer(shop.customer)
    told = [client.post("/api/user/forgot-password", json={"email": one}) for one in ("nobody@example.com", email)]
    assert told[0].content == told[1].content
    assert set(told[0].headers) == set(told[1].headers)
    assert told[0].headers["cache-control"] == "no-store"
    ok(client.post("/api/user/reset-password", json={"token": latest_token(), "password": NEW}))
    refused(client.get("/api/user/data", headers=headers), 401, "session_ended")
    ok(client.post("/api/user/login", json={"email": email, "password": NEW}))
    again = client.post("/api/user/reset-password", json={"token": latest_token(), "password": NEW})
    refused(again, 400, "link_invalid", "token")


def test_a_copied_email_is_the_accounts(client: TestClient, shop: Shop) -> None:
    email = shop.customer.email
    copied = [
        f"{email}\u200b",
        f"\u202a{email}\u202c",
        f"\ufeff{email[:3]}\u00ad{email[3:]}",
        f" {email.upper()}\u00a0",
    ]
    for text in copied:
        ok(client.post("/api/user/login", json={"email": text, "password": PASSWORD}))
        refused(client.post("/api/user/register", json=PERSON | {"email": text}), 409, "email_taken", "email")
    another = email.replace("e", "\u0435", 1)
    refused(client.post("/api/user/login", json={"email": another, "password": PASSWORD}), 401, "bad_credentials")
    ok(client.post("/api/user/forgot-password", json={"email": copied[0]}))
    ok(client.post("/api/user/reset-password", json={"token": latest_token(), "password": NEW}))
    ok(client.post("/api/user/login", json={"email": copied[1], "password": NEW}))


@each(
    ("path", "body", "fields"),
    [
        ("forgot-password", {"email": ""}, ["email"]),
        ("reset-password", {"token": None, "password": 5}, ["token", "password"]),
        ("login-code", {"phone": "+44 7911 123456"}, ["phone"]),
        ("login-with-code", {"phone": "9876543210", "code": "12a456"}, ["code"]),
        ("second-step", {"challenge": "x"}, ["code"]),
    ],
)
def test_what_is_wrong_is_named(client: TestClient, path: str, body: dict[str, object], fields: list[str]) -> None:
    refused(client.post(f"/api/user/{path}", json=body), 422, "invalid_input", *fields)


def test_password_managers_find_the_page(client: TestClient) -> None:
    answer = client.get("/.well-known/change-password", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (302, "/account")


def test_a_changed_password_ends_every_other_session(client: TestClient, shop: Shop) -> None:
    headers, elsewhere = bearer(shop.customer), bearer(shop.customer)
    wrong = client.post("/api/user/change-password", json={"current": "x", "password": NEW}, headers=headers)
    refused(wrong, 422, "wrong_password", "current")
    body = {"current": PASSWORD, "password": NEW}
    token = ok(client.post("/api/user/change-password", json=body, headers=headers))["token"]
    for old in (headers, elsewhere):
        refused(client.get("/api/user/data", headers=old), 401, "session_ended")
    ok(client.get("/api/user/data", headers={"Authorization": f"Bearer {token}"}))


def log_in(client: TestClient, email: str, device: str, agent: str) -> dict[str, str]:
    """Log in on a device; return the header it sends from then on."""
    body = {"email": email, "password": PASSWORD, "device": device}
    token = ok(client.post("/api/user/login", json=body, headers={"User-Agent": agent}))["token"]
    return {"Authorization": f"Bearer {token}"}


def test_devices_are_listed_and_ended(client: TestClient, shop: Shop) -> None:
    phone = log_in(client, shop.customer.email, "phone", "Mozilla/5.0 (Linux; Android 10) Chrome/143")
    laptop = log_in(client, shop.customer.email, "laptop", "curl/8.5")
    listed = ok(client.get("/api/user/sessions", headers=phone))["sessions"]
    assert [(one["device"], one["current"]) for one in listed] == [("Chrome on Android", True), ("curl", False)]
    assert all(set(one) == {"id", "current", "createdAt", "lastSeen", "device"} for one in listed)
    path = f"/api/user/sessions/{listed[1]['id']}"
    refused(client.delete(path, headers=bearer(shop.vendor)), 404, "unknown_session")
    ok(client.delete(path, headers=phone))
    refused(client.delete(path, headers=phone), 404, "unknown_session")
    refused(client.get("/api/user/data", headers=laptop), 401, "session_ended")


def test_customers_change_their_details_and_vendors_ask(client: TestClient, shop: Shop) -> None:
    headers, path = bearer(shop.customer), "/api/user/details"
    wish = {"name": "Asha Rao", "phoneNumber": "+91 98765 43210", "address": "7 Lake Road", "landmark": ""}
    wish |= {"pincode": "500081", "city": "Hyderabad"}
    ok(client.put(path, json=wish, headers=headers))
    user = ok(client.get("/api/user/data", headers=headers))["user"]
    assert (user["name"], user["phoneNumber"], user["zipCode"]) == ("Asha Rao", "9876543210", "500081")
    assert user["state"] == "Telangana"
    short = client.put(path, json=wish | {"phoneNumber": "123"}, headers=headers)
    refused(short, 422, "invalid_input", "phoneNumber")
    refused(client.put(path, json=wish, headers=bearer(shop.vendor)), 403, "locked")


def test_an_email_is_confirmed_changed_and_taken_back(client: TestClient, shop: Shop) -> None:
    headers = bearer(unconfirmed(shop.customer))
    assert ok(client.get("/api/user/data", headers=headers))["user"]["emailVerified"] is False
    ok(client.post("/api/user/verify-email/send", headers=headers))
    link = {"token": latest_token(Purpose.VERIFY_EMAIL)}
    refused(client.post("/api/user/verify-email", json=link), 403, "password_needed", "password")
    refused(
        client.post("/api/user/verify-email", json=link, headers=bearer(shop.vendor)),
        403,
        "password_needed",
        "password",
    )
    refused(client.post("/api/user/verify-email", json=link | {"password": "x"}), 422, "wrong_password", "password")
    ok(client.post("/api/user/verify-email", json=link, headers=headers))
    assert ok(client.get("/api/user/data", headers=headers))["user"]["emailVerified"] is True
    wish = {"email": "Other@Example.com", "password": PASSWORD}
    wrong = client.post("/api/user/change-email", json=wish | {"password": "x"}, headers=headers)
    refused(wrong, 422, "wrong_password", "password")
    refused(client.post("/api/user/change-email", json=wish, headers=bearer(shop.vendor)), 403, "locked")
    told = ok(client.post("/api/user/change-email", json=wish, headers=headers))
    undo = latest_token(Purpose.UNDO_EMAIL)
    link = {"token": latest_token(Purpose.CHANGE_EMAIL)}
    refused(client.post("/api/user/confirm-email", json=link), 403, "password_needed", "password")
    ok(client.post("/api/user/confirm-email", json=link | {"password": PASSWORD}))
    assert ok(client.get("/api/user/data", headers=headers))["user"]["email"] == "other@example.com"
    taken = wish | {"email": shop.vendor.email}
    assert ok(client.post("/api/user/change-email", json=taken, headers=headers)) == told
    ok(client.post("/api/user/undo-email", json={"token": undo}))
    refused(client.get("/api/user/data", headers=headers), 401, "session_ended")
    for path in ("verify-email", "confirm-email", "undo-email"):
        refused(client.post(f"/api/user/{path}", json={"token": undo}), 400, "link_invalid", "token")


def test_a_vendor_asks_for_a_change_and_withdraws_it(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    wish = {"field": "name", "value": "Lakshmi Rentals", "why": "New firm", "password": PASSWORD}
    wrong = client.post("/api/user/requests", json=wish | {"password": "x"}, headers=headers)
    refused(wrong, 422, "wrong_password", "password")
    bad = client.post("/api/user/requests", json=wish | {"field": "bank"}, headers=headers)
    refused(bad, 422, "invalid_input", "value")
    asked = ok(client.post("/api/user/requests", json=wish, headers=headers))["request"]
    refused(client.post("/api/user/requests", json=wish, headers=headers), 409, "request_open", "field")
    assert ok(client.get("/api/user/requests", headers=headers))["requests"] == [asked]
    ok(client.delete(f"/api/user/requests/{asked['id']}", headers=headers))
    refused(client.delete(f"/api/user/requests/{asked['id']}", headers=headers), 404, "unknown_request")
    assert ok(client.get("/api/user/requests", headers=headers))["requests"][0]["state"] == "withdrawn"


def test_a_number_is_confirmed_and_logs_in(client: TestClient, shop: Shop) -> None:
    headers, phone = bearer(shop.vendor), {"phone": f"+91 {shop.vendor.phone_number}"}
    told = [ok(client.post("/api/user/login-code", json=one)) for one in (phone, {"phone": "9123456780"})]
    assert told[0] == told[1]
    wrong = phone | {"code": "000000"}
    refused(client.post("/api/user/verify-phone", json=wrong, headers=headers), 422, "wrong_code", "code")
    ok(client.post("/api/user/phone-code", json=phone, headers=headers))
    ok(client.post("/api/user/verify-phone", json=phone | latest_code(Purpose.VERIFY_PHONE), headers=headers))
    assert ok(client.get("/api/user/data", headers=headers))["user"]["phoneVerified"] is True
    assert ok(client.post("/api/user/login-code", json=phone)) == told[0]
    code = latest_code(Purpose.LOGIN_CODE)
    right = client.post("/api/user/login-with-code", json=phone | code)
    assert right.headers["cache-control"] == "no-store"
    by_code = {"Authorization": f"Bearer {ok(right)['token']}"}
    refused(client.post("/api/user/login-with-code", json=phone | code), 401, "wrong_code", "code")
    profile = ok(client.get("/api/user/data", headers=by_code))["user"] | {"upi_id": "thief@upi"}
    refused(client.put("/api/user/update", json=profile, headers=by_code), 403, "confirm_password")
    ok(client.post("/api/user/confirm-password", json={"password": PASSWORD}, headers=by_code))
    ok(client.put("/api/user/update", json=profile, headers=by_code))


def test_a_second_step_is_set_up_given_and_turned_off(client: TestClient, shop: Shop) -> None:
    headers, own = bearer(shop.customer), {"password": PASSWORD}
    wrong = client.post("/api/user/second-step/setup", json={"password": "x"}, headers=headers)
    refused(wrong, 422, "wrong_password", "password")
    none = client.post("/api/user/second-step/confirm", json={"code": "123456"}, headers=headers)
    refused(none, 409, "second_step_not_begun")
    begun = ok(client.post("/api/user/second-step/setup", json=own, headers=headers))
    assert begun["uri"].startswith("otpauth://totp/")
    app = pyotp.TOTP(begun["secret"])
    bad = client.post("/api/user/second-step/confirm", json={"code": "x"}, headers=headers)
    refused(bad, 422, "wrong_code", "code")
    code = {"code": app.at(clock.now())}
    codes = ok(client.post("/api/user/second-step/confirm", json=code, headers=headers))["recoveryCodes"]
    user = ok(client.get("/api/user/data", headers=headers))["user"]
    assert (user["secondStep"], user["recoveryCodesLeft"]) == (True, 10)
    login = client.post("/api/user/login", json=own | {"email": shop.customer.email})
    assert (login.status_code, login.json()["code"], "token" in login.json()) == (401, "second_step", False)
    step = {"challenge": login.json()["challenge"]}
    used = client.post("/api/user/second-step", json=step | {"code": app.at(clock.now())})
    refused(used, 401, "wrong_code", "code")
    answer = client.post("/api/user/second-step", json=step | {"code": codes[0]})
    assert answer.headers["cache-control"] == "no-store"
    stepped = {"Authorization": f"Bearer {ok(answer)['token']}"}
    refused(client.post("/api/user/second-step", json=step | {"code": codes[1]}), 401, "challenge_ended", "challenge")
    off = own | {"code": codes[1], "password": "x"}
    refused(
        client.request("DELETE", "/api/user/second-step", json=off, headers=stepped), 422, "wrong_password", "password"
    )
    off = own | {"code": codes[0]}
    refused(client.request("DELETE", "/api/user/second-step", json=off, headers=stepped), 422, "wrong_code", "code")
    ok(client.request("DELETE", "/api/user/second-step", json=off | {"code": codes[1]}, headers=stepped))
    ok(client.post("/api/user/login", json=own | {"email": shop.customer.email}))


def test_recovery_codes_are_read_until_they_are_kept_and_made_anew(client: TestClient, shop: Shop) -> None:
    headers, own, path = bearer(shop.customer), {"password": PASSWORD}, "/api/user/second-step"
    none = client.post(f"{path}/recovery-codes", json=own | {"code": "123456"}, headers=headers)
    refused(none, 409, "second_step_off")
    app = pyotp.TOTP(ok(client.post(f"{path}/setup", json=own, headers=headers))["secret"])
    on = ok(client.post(f"{path}/confirm", json={"code": app.at(clock.now())}, headers=headers))
    shown = client.get(f"{path}/recovery-codes", headers=headers)
    assert shown.headers["cache-control"] == "no-store"
    assert ok(shown)["recoveryCodes"] == on["recoveryCodes"]
    assert ok(client.get(f"{path}/recovery-codes", headers=bearer(shop.customer)))["recoveryCodes"] == []
    ok(client.post(f"{path}/recovery-codes/kept", headers=headers))
    assert ok(client.get(f"{path}/recovery-codes", headers=headers))["recoveryCodes"] == []
    for wrong, code, field in (({"password": "x"}, "wrong_password", "password"), ({}, "wrong_code", "code")):
        body = own | {"code": "000000"} | wrong
        refused(client.post(f"{path}/recovery-codes", json=body, headers=headers), 422, code, field)
    body = own | {"code": on["recoveryCodes"][0]}
    new = ok(client.post(f"{path}/recovery-codes", json=body, headers=headers))["recoveryCodes"]
    assert ok(client.get(f"{path}/recovery-codes", headers=headers))["recoveryCodes"] == new
    body = own | {"code": on["recoveryCodes"][1]}
    refused(client.request("DELETE", path, json=body, headers=headers), 422, "wrong_code", "code")


def test_a_stranger_uses_up_neither_the_texts_nor_the_tries_of_whose_number_it_is(
    app: FastAPI, client: TestClient, shop: Shop, rate_limits: None
) -> None:
    """As it was seen: five codes asked for and five wrong ones typed by somebody without an account."""
    headers, phone = bearer(shop.customer), {"phone": shop.customer.phone_number}
    stranger = TestClient(app, client=ELSEWHERE)
    ok(client.post("/api/user/phone-code", json=phone, headers=headers))
    ok(client.post("/api/user/verify-phone", json=phone | latest_code(Purpose.VERIFY_PHONE), headers=headers))
    for _ in range(5):
        ok(stranger.post("/api/user/login-code", json=phone))
    refused(stranger.post("/api/user/login-code", json=phone), 429, "too_many_requests")
    ok(client.post("/api/user/login-code", json=phone))
    code = latest_code(Purpose.LOGIN_CODE)
    ok(client.post("/api/user/phone-code", json=phone, headers=headers))
    for _ in range(5):
        wrong = phone | {"code": "000000" if code["code"] != "000000" else "000001"}
        refused(stranger.post("/api/user/login-with-code", json=wrong), 401, "wrong_code", "code")
    ok(client.post("/api/user/login-with-code", json=phone | code))


def test_who_only_guesses_ends_nobodys_code(app: FastAPI, client: TestClient, shop: Shop, rate_limits: None) -> None:
    headers, phone = bearer(shop.customer), {"phone": shop.customer.phone_number}
    stranger = TestClient(app, client=ELSEWHERE)
    ok(client.post("/api/user/phone-code", json=phone, headers=headers))
    ok(client.post("/api/user/verify-phone", json=phone | latest_code(Purpose.VERIFY_PHONE), headers=headers))
    device = {"device": "a key of its own"}
    ok(client.post("/api/user/login-code", json=phone | device))
    code = latest_code(Purpose.LOGIN_CODE)
    wrong = phone | {"code": "000000" if code["code"] != "000000" else "000001"}
    for _ in range(5):
        refused(stranger.post("/api/user/login-with-code", json=wrong), 401, "wrong_code", "code")
    refused(stranger.post("/api/user/login-with-code", json=phone | code), 429, "too_many_requests")
    ok(client.post("/api/user/login-with-code", json=phone | code | device))


def test_a_passkey_is_added_logs_in_and_is_removed(client: TestClient, shop: Shop) -> None:
    headers, phone, path = bearer(shop.customer), Authenticator(settings().origin), "/api/user/passkeys"
    wrong = client.post(f"{path}/options", json={"password": "x"}, headers=headers)
    refused(wrong, 422, "wrong_password", "password")
    begun = client.post(f"{path}/options", json={"password": PASSWORD}, headers=headers)
    assert begun.headers["cache-control"] == "no-store"
    new = {"name": "My phone", "credential": phone.make(ok(begun)["options"])}
    added = ok(client.post(path, json=new, headers=headers))["passkey"]
    assert (added["name"], added["lastUsed"]) == ("My phone", None)
    refused(client.post(path, json=new, headers=headers), 400, "challenge_ended", "credential")
    assert ok(client.get(path, headers=headers))["passkeys"] == [added]
    login = "/api/user/login-with-passkey"
    signed = {"credential": phone.sign(ok(client.post(f"{login}/options"))["options"])}
    answer = client.post(login, json=signed)
    assert answer.headers["cache-control"] == "no-store"
    stepped = {"Authorization": f"Bearer {ok(answer)['token']}"}
    refused(client.post(login, json=signed), 401, "challenge_ended", "credential")
    assert ok(client.get(path, headers=stepped))["passkeys"][0]["lastUsed"]
    refused(client.delete(f"{path}/{added['id']}", headers=bearer(shop.vendor)), 404, "unknown_passkey")
    ok(client.delete(f"{path}/{added['id']}", headers=stepped))
    refused(client.delete(f"{path}/{added['id']}", headers=stepped), 404, "unknown_passkey")


@each("part", ["id", "rawId", "type", "response"])
def test_what_is_no_credential_is_named(client: TestClient, shop: Shop, part: str) -> None:
    made = Authenticator(settings().origin).make({"rp": {"id": "x"}, "challenge": "x"}) | {part: "no such thing!"}
    answer = client.post("/api/user/passkeys", json={"name": "x", "credential": made}, headers=bearer(shop.customer))
    refused(answer, 422, "invalid_input", f"credential.{part}")
