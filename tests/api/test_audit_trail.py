"""The audit trail over REST: every call that writes leaves an entry, or has its reason here."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pyotp
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select
from sqlmodel import col

from rental_app.content.messages import NEW_DEVICE
from rental_app.domain import clock
from rental_app.infrastructure.background import wait_for_rest
from rental_app.infrastructure.db import read
from rental_app.infrastructure.settings import settings
from rental_app.models import AccountChange, AuditEntry, Booking, BookingEvent, Outbox, Review, User
from rental_app.services.accounts.proofs import Purpose
from tests.support import trip_codes
from tests.support.accounts import latest_code, latest_token
from tests.support.authenticator import Authenticator
from tests.support.booking_steps import alter
from tests.support.catalogue_entries import ENTRIES
from tests.support.rest_helpers import GUEST, bearer, form, jpeg, ok, papers, part, refused
from tests.support.shop import PASSWORD, Shop, add_user, add_vehicle, moment, put, wire

Call = Callable[[], dict[str, Any]]
BOOKING = "its event and its account are the trail of a booking"
# What leaves no entry, and why.
WITHOUT = {
    **dict.fromkeys(
        (
            *("bookings_change_status", "bookings_create", "trips_acknowledge", "trips_cancel", "trips_change"),
            *(
                "trips_extend",
                "trips_object_to",
                "vendor_trips_answer_objection",
                "trips_replacement",
                "vendor_trips_cancel",
                "counter_create",
                "vendor_trips_charge",
                "vendor_trips_move",
                "trips_proposal",
                "vendor_trips_extend",
                "vendor_trips_handover",
                "vendor_trips_no_show",
            ),
            *("vendor_trips_payment", "vendor_trips_take_back", "vendor_trips_reverse"),
        ),
        BOOKING,
    ),
    **dict.fromkeys(("reviews_review", "reviews_answer", "reviews_report"), "the review's row says who, what and when"),
    **dict.fromkeys(
        ("account_forgot_password", "account_send_verification", "account_send_phone_code", "account_send_login_code"),
        "sends a link or code and changes nothing; its row says when",
    ),
    "account_passkey_login_options": "of nobody who is logged in, and changes nothing",
    **dict.fromkeys(("favourites_put", "favourites_drop"), "a person's own list, which nobody else sees"),
    **dict.fromkeys(
        ("uploads_send_ahead", "uploads_forget_file", "uploads_send_photo", "uploads_forget_photo"),
        "no form has named the file yet",
    ),
    **dict.fromkeys(
        ("bookings_check_availability", "price_rules_preview", "public_get_location_by_pincode"), "writes nothing"
    ),
}
RULE = {"weekday": "Saturday", "percent": 10}


def entries(act: str = "") -> list[AuditEntry]:
    found = select(AuditEntry).order_by(col(AuditEntry.id))
    rows = read(lambda session: session.scalars(found).all())
    return [row for row in rows if act in ("", row.act)]


class Walk:
    """Every call that is to leave an entry, in an order in which each succeeds, with the act it is to leave."""

    def __init__(self, client: TestClient, shop: Shop) -> None:
        self.client, self.shop, self.member = client, shop, add_user()
        self.other = add_vehicle(shop.vendor)

    def call(self, method: str, path: str, user: User | None = None, **more: Any) -> dict[str, Any]:
        return ok(self.client.request(method, f"/api{path}", headers=bearer(user or self.shop.vendor), **more))

    def calls(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Operation, act and answer, one after the other."""
        yield from self.accounts()
        yield from self.fleet()
        yield from self.calendar()
        yield from self.proofs()
        yield from self.operators()
        yield from self.judgements()
        yield from self.catalogue()
        yield from self.endings()

    def accounts(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        person = {
            **{
                "name": "Asha Rao",
                "email": "asha.rao@example.com",
                "phoneNumber": "9876512340",
                "userType": "Customer",
            },
            **{"password": "quiet river stones", "pincode": "500032", "address": "1 Lake Road", "landmark": ""},
            **{"city": "Hyderabad", "state": "Telangana", "county": "Hyderabad"},
        }
        yield "user_register", "account.created", ok(self.client.post("/api/user/register", json=person))
        login = {"email": self.shop.customer.email, "password": PASSWORD}
        yield "user_login", "login.done", ok(self.client.post("/api/user/login", json=login))
        profile = ok(self.client.get("/api/user/data", headers=bearer(self.shop.vendor)))["user"]
        changed = profile | {"landmark": "Opposite the lake"}
        yield "user_update", "profile.changed", self.call("PUT", "/user/update", json=changed)
        picture = self.call("POST", "/vendor/update-image", files=[part("image", jpeg(), "me.jpg")])
        yield "vendor_update_image", "profile.changed", picture
        added = self.call("POST", "/vendor/members", json={"email": self.member.email})
        yield "members_add", "member.added", added
        gone = self.call("DELETE", f"/vendor/members/{self.member.id}", self.member)
        yield "members_remove", "member.left", gone

    def fleet(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        vehicle, other = self.shop.vehicle.id, self.other.id
        yield (
            "vendor_add_vehicle",
            "listing.added",
            self.call("POST", "/vendor/add-vehicle", data=form(), files=papers()),
        )
        mine = self.call("GET", "/vendor/vehicles")["vehicles"][-1]["id"]
        edited = {"vehicleData": (None, form(id=mine, color="Night blue")["vehicleData"])}
        yield "vendor_edit_vehicle", "listing.changed", self.call("POST", "/vendor/edit-vehicle", files=edited)
        switched = self.call("POST", "/vendor/toggle-vehicle", json={"vehicleId": other})
        yield "vendor_toggle_vehicle", "listing.switched", switched
        plan = {"vehicle": vehicle, "price_name": "Full Day", "price": 600, "kms_limit": 120, "status": "Active"}
        yield "prices_change", "prices.changed", self.call("PUT", "/vendor/prices", json=[plan])
        copied = self.call("POST", "/vendor/prices/copy", json={"from": vehicle, "to": [other]})
        yield "prices_copy", "prices.changed", copied
        rule = self.call("POST", "/vendor/price-rules", json=RULE)
        yield "price_rules_add", "price_rule.added", rule
        path = f"/vendor/price-rules/{rule['rule']['id']}"
        yield "price_rules_change", "price_rule.changed", self.call("PUT", path, json=RULE | {"percent": 20})
        yield "price_rules_remove", "price_rule.removed", self.call("DELETE", path)

    def calendar(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        vehicle = self.shop.vehicle.id
        ends = {"from": wire(moment(5)), "to": wire(moment(6))}
        block = self.call("POST", "/vendor/blocks", json={"vehicle": vehicle, **ends, "reason": "service"})
        yield "vendor_calendar_add_block", "block.added", block
        removed = self.call("DELETE", f"/vendor/blocks/{block['block']['id']}")
        yield "vendor_calendar_remove_block", "block.removed", removed
        yield "vendor_calendar_set_buffer", "buffer.changed", self.call("PUT", "/vendor/buffer", json={"hours": 3})
        taken = {"pickupDate": wire(moment(20)), "returnDate": wire(moment(21)), "customer": GUEST}
        made = self.call("POST", "/vendor/bookings", json={"vehicle": vehicle} | taken)["booking"]["reference"]
        sent = self.call("POST", f"/vendor/bookings/{made}/guest-link")
        yield "guest_trips_send_link", "guest_link.sent", sent
        until = {"returnDate": wire(moment(21) + timedelta(hours=2))}
        self.call("POST", f"/vendor/bookings/{made}/extend", json=until)
        code = self.call("POST", f"/vendor/bookings/{made}/proposal/code")
        yield "vendor_trips_send_code", "trip_code.sent", code
        typed = {"code": trip_codes.code()}
        agreed = self.call("POST", f"/vendor/bookings/{made}/proposal/yes", json=typed)
        yield "vendor_trips_agree_by_code", "trip_code.used", agreed
        number = "9000020297"
        owner = add_user(phone_number=number, verified_phone=number)
        later = {"pickupDate": wire(moment(22)), "returnDate": wire(moment(23)), "customer": GUEST | {"phone": number}}
        theirs = self.call("POST", "/vendor/bookings", json={"vehicle": vehicle} | later)["booking"]["reference"]
        yield "trips_join", "guest_booking.joined", self.call("POST", f"/bookings/{theirs}/join", owner)
        yield "ical_give_feed", "calendar.shared", self.call("POST", "/vendor/ical", json={})
        yield "ical_revoke_feed", "calendar.unshared", self.call("DELETE", "/vendor/ical")
        read_in = {"vehicle": vehicle, "url": "https://calendar.example/secret-path.ics"}
        imported = self.call("POST", "/vendor/ical-imports", json=read_in)
        yield "ical_add_import", "calendar.import_added", imported
        stopped = self.call("DELETE", f"/vendor/ical-imports/{imported['calendar']['id']}")
        yield "ical_remove_import", "calendar.import_removed", stopped

    def proofs(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        customer = self.shop.customer
        self.call("POST", "/user/verify-email/send", customer)
        verified = self.call("POST", "/user/verify-email", json={"token": latest_token(Purpose.VERIFY_EMAIL)})
        yield "account_verify_email", "email.verified", verified
        phone = {"phone": customer.phone_number}
        self.call("POST", "/user/phone-code", customer, json=phone)
        known = self.call("POST", "/user/verify-phone", customer, json=phone | latest_code(Purpose.VERIFY_PHONE))
        yield "account_verify_phone", "phone.verified", known
        self.call("POST", "/user/login-code", json=phone)
        entered = self.call("POST", "/user/login-with-code", json=phone | latest_code(Purpose.LOGIN_CODE))
        yield "account_login_with_code", "login.done", entered
        given = self.call("POST", "/user/confirm-password", customer, json={"password": PASSWORD})
        yield "account_confirm_password", "password.confirmed", given
        yield from self.second_step()
        yield from self.passkeys()
        wish = {"email": "asha.new@example.com", "password": PASSWORD}
        asked = self.call("POST", "/user/change-email", customer, json=wish)
        yield "account_change_email", "email.change_asked", asked
        undo = latest_token(Purpose.UNDO_EMAIL)
        confirmed = self.call("POST", "/user/confirm-email", json={"token": latest_token(Purpose.CHANGE_EMAIL)})
        yield "account_confirm_email", "email.changed", confirmed
        undone = self.call("POST", "/user/undo-email", json={"token": undo})
        yield "account_undo_email", "email.change_undone", undone
        self.call("POST", "/user/forgot-password", json={"email": customer.email})
        new = {"token": latest_token(Purpose.RESET), "password": "quiet river stones"}
        yield "account_reset_password", "password.reset", self.call("POST", "/user/reset-password", json=new)
        changed = {"current": "quiet river stones", "password": "loud river stones"}
        done = self.call("POST", "/user/change-password", customer, json=changed)
        yield "account_change_password", "password.changed", done
        details = {"name": "Asha Rao", "phoneNumber": "9876512340", "address": "1 Lake Road", "landmark": ""}
        details |= {"pincode": "500032", "city": "Hyderabad", "state": "Telangana", "county": "Hyderabad"}
        saved = self.call("PUT", "/user/details", customer, json=details)
        yield "account_change_details", "profile.changed", saved
        open_ones = self.call("GET", "/user/sessions", customer)["sessions"]
        ended = self.call("DELETE", f"/user/sessions/{open_ones[-1]['id']}", customer)
        yield "account_end_session", "logout.device", ended
        ask = {"field": "name", "value": "Lakshmi Rentals", "why": "New firm", "password": PASSWORD}
        change = self.call("POST", "/user/requests", json=ask)
        yield "account_request_change", "change.asked", change
        gone = self.call("DELETE", f"/user/requests/{change['request']['id']}")
        yield "account_withdraw_request", "change.withdrawn", gone

    def second_step(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        customer, own = self.shop.customer, {"password": PASSWORD}
        begun = self.call("POST", "/user/second-step/setup", customer, json=own)
        yield "account_set_up_second_step", "second_step.begun", begun
        app = pyotp.TOTP(begun["secret"])
        confirmed = self.call("POST", "/user/second-step/confirm", customer, json={"code": app.at(clock.now())})
        yield "account_confirm_second_step", "second_step.on", confirmed
        login = self.client.post("/api/user/login", json=own | {"email": customer.email})
        step = {"challenge": login.json()["challenge"], "code": confirmed["recoveryCodes"][0]}
        yield "account_give_second_step", "login.done", ok(self.client.post("/api/user/second-step", json=step))
        off = self.call("DELETE", "/user/second-step", customer, json=own | {"code": confirmed["recoveryCodes"][1]})
        yield "account_end_second_step", "second_step.off", off

    def passkeys(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        customer, phone = self.shop.customer, Authenticator(settings().origin)
        begun = self.call("POST", "/user/passkeys/options", customer, json={"password": PASSWORD})
        yield "account_passkey_options", "passkey.begun", begun
        new = {"name": "My phone", "credential": phone.make(begun["options"])}
        added = self.call("POST", "/user/passkeys", customer, json=new)
        yield "account_add_passkey", "passkey.added", added
        signed = {"credential": phone.sign(self.call("POST", "/user/login-with-passkey/options")["options"])}
        yield "account_login_with_passkey", "login.done", self.call("POST", "/user/login-with-passkey", json=signed)
        removed = self.call("DELETE", f"/user/passkeys/{added['passkey']['id']}", customer)
        yield "account_remove_passkey", "passkey.removed", removed

    def operators(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        operator = add_user("Operator")
        listing = f"/operator/listings/{self.other.id}"
        body: dict[str, Any] = {"decision": "take_down", "reason": "Reported as stolen"}
        down = self.call("POST", f"{listing}/decision", operator, json=body)
        yield "operator_acts_decide_listing", "listing.taken_down", down
        shown = self.call("PUT", f"{listing}/featured", operator, json={"on": True})
        yield "operator_acts_feature_listing", "listing.featured", shown
        person = f"/operator/people/{self.member.id}"
        why = {"reason": "Three complaints"}
        sent = self.call("POST", f"{person}/reset-link", operator)
        yield "operator_acts_send_reset_link", "person.reset_link_sent", sent
        changed = self.call("PUT", person, operator, json=why | {"name": "Asha Rao"})
        yield "operator_acts_change_person", "person.changed", changed
        noted = self.call("POST", f"{person}/notes", operator, json={"text": "Called twice"})
        yield "operator_acts_add_note", "person.noted", noted
        lost = {"checked": "Called the employer", "email": "asha.new@example.com", "phoneNumber": "9876512340"}
        begun = self.call("POST", f"{person}/recovery", operator, json=lost)
        yield "operator_acts_begin_recovery", "recovery.begun", begun
        yield "account_stop_recovery", "recovery.stopped", self.call("DELETE", "/user/recovery", self.member)
        begun = self.call("POST", f"{person}/recovery", operator, json=lost)
        yield "operator_acts_begin_recovery", "recovery.begun", begun
        kept = self.client.post("/api/user/keep-account", json={"token": latest_token(Purpose.RECOVER)})
        yield "account_keep_account", "recovery.stopped", ok(kept)
        begun = self.call("POST", f"{person}/recovery", operator, json=lost)
        yield "operator_acts_begin_recovery", "recovery.begun", begun
        yield (
            "operator_acts_end_recovery",
            "recovery.stopped",
            self.call("POST", f"{person}/recovery/stop", operator, json={}),
        )
        yield "operator_acts_block_person", "person.blocked", self.call("POST", f"{person}/block", operator, json=why)
        opened = self.call("POST", f"{person}/unblock", operator, json=why)
        yield "operator_acts_unblock_person", "person.unblocked", opened
        wish = AccountChange(user_id=self.shop.vendor.id or 0, field="name", value="Lakshmi Rentals")
        decided = {"decision": "grant", "reason": ""}
        path = f"/operator/requests/{put(wish).id}/decision"
        yield "operator_acts_decide_request", "change.decided", self.call("POST", path, operator, json=decided)

    def judgements(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        operator, customer = add_user("Operator"), self.shop.customer
        wish = {"car": self.shop.vehicle.id, "pickupDate": wire(moment(12)), "returnDate": wire(moment(13))}
        made = self.call("POST", "/bookings/create", customer, json=wish)["booking"]["id"]
        self.call("POST", "/bookings/change-status", json={"bookingId": made, "status": "confirmed"})
        ledger = self.call("GET", f"/bookings/{made}", customer)["booking"]["ledger"]
        objected = {"entry": ledger[0]["id"], "note": "Too much"}
        trip = self.call("POST", f"/bookings/{made}/object", customer, json=objected)["booking"]
        assert trip["timeline"][-1]["what"] == "objected"
        last = select(col(BookingEvent.id)).order_by(col(BookingEvent.id).desc())
        event = read(lambda session: session.scalars(last).first())
        judged = {"decision": "dismiss", "note": "As agreed"}
        decided = self.call("POST", f"/operator/objections/{event}/decision", operator, json=judged)
        yield "operator_acts_decide_objection", "objection.judged", decided
        message = put(Outbox(key="sent", kind=NEW_DEVICE, user_id=customer.id, due_at=None, sent_at=clock.now()))
        again = self.call("POST", f"/operator/messages/{message.id}/resend", operator)
        yield "operator_acts_resend_message", "message.sent_again", again
        told = {"vehicle_id": self.shop.vehicle.id or 0, "vendor_id": self.shop.vendor.id or 0}
        now = {"show_by": clock.now(), "shown_at": clock.now()}
        shown = put(Review(booking_id=made, side="vendor", customer_id=customer.id or 0, stars=1, **told, **now))
        path = f"/operator/reviews/{shown.id}/decision"
        removed = self.call("POST", path, operator, json={"decision": "remove", "reason": "It insults"})
        yield "operator_acts_decide_review", "review.judged", removed
        alter(Booking, made, commission_bps=1000)
        money = {"of": "rent", "direction": "in", "amount": 500, "method": "cash"}
        self.call("POST", f"/vendor/bookings/{made}/payment", json=money)
        path = f"/operator/money/{self.shop.vendor.id}/{clock.indian(clock.now()):%Y-%m}/paid"
        noted = self.call("POST", path, operator, json={"amount": 50, "reference": "UTR 1234"})
        yield "operator_acts_note_paid", "commission.paid", noted
        headers = bearer(operator)
        for on in (True, False):
            switched = ok(self.client.put("/api/operator/read-only", headers=headers, json={"on": on}))
            yield "operator_acts_switch_read_only", f"read_only.{'on' if on else 'off'}", switched
        body = {"reason": "The vendor is blocked", "kept": 0}
        cancelled = self.call("POST", f"/operator/bookings/{made}/cancel", operator, json=body)
        yield "operator_acts_cancel_booking", "booking.cancelled", cancelled

    def catalogue(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        operator = add_user("Operator")
        for kind, one, entry in ENTRIES:
            added = self.call("POST", f"/operator/{kind}", operator, json=entry)
            yield f"operator_catalogue_add_{one}", "catalogue.added", added
            retired = self.call("PUT", f"/operator/{kind}/{added['id']}", operator, json=entry | {"retired": True})
            yield f"operator_catalogue_change_{one}", "catalogue.changed", retired

    def endings(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        yield "user_logout", "logout.here", self.call("POST", "/user/logout")
        yield "user_logout_everywhere", "logout.everywhere", self.call("POST", "/user/logout-everywhere")


def writing(app: FastAPI) -> set[str]:
    paths = app.openapi()["paths"].values()
    return {each["operationId"] for path in paths for method, each in path.items() if method not in ("get", "head")}


def test_every_call_that_writes_leaves_an_entry(app: FastAPI, client: TestClient, shop: Shop) -> None:
    walked, seen = set(), 0
    for operation, act, _ in Walk(client, shop).calls():
        now = entries()
        assert [entry.act for entry in now[seen:]] == [act], operation
        walked.add(operation)
        seen = len(now)
    assert walked.isdisjoint(WITHOUT)
    left = writing(app) - walked - WITHOUT.keys()
    assert not left, f"record an act in the service of {sorted(left)}, or give the reason in WITHOUT"
    assert not WITHOUT.keys() - writing(app)
    secrets = ("secret-path", "asha.rao@", "asha.new@", "9876512340", "Opposite the lake", PASSWORD)
    told = " ".join(entry.model_dump_json() for entry in entries())
    assert not [text for text in secrets if text in told]


def test_an_entry_says_who_did_what_when_and_by_which_request(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor) | {"X-Request-Id": "ignored"}
    answer = client.put("/api/vendor/buffer", json={"hours": 5}, headers=headers)
    assert ok(answer)
    (entry,) = entries("buffer.changed")
    assert (entry.user_id, entry.role, entry.subject, entry.subject_id) == (
        shop.vendor.id,
        "Vendor",
        "user",
        shop.vendor.id,
    )
    assert (json.loads(entry.before), json.loads(entry.after)) == ({"buffer_hours": 0}, {"buffer_hours": 5})
    assert entry.address
    assert entry.request_id == answer.headers["x-request-id"]


@pytest.mark.usefixtures("nothing_changes")
def test_what_is_refused_leaves_no_entry(client: TestClient, shop: Shop) -> None:
    refused(client.put("/api/vendor/buffer", json={"hours": 5}, headers=bearer(shop.customer)), 403, "vendors_only")
    assert not entries()


def test_failed_logins_are_one_entry_for_an_account_and_a_network(client: TestClient, shop: Shop) -> None:
    wrong = {"email": shop.customer.email, "password": "not the password"}
    for _ in range(5):
        refused(client.post("/api/user/login", json=wrong), 401, "bad_credentials")
    refused(client.post("/api/user/login", json=wrong | {"email": "nobody@example.com"}), 401, "bad_credentials")
    wait_for_rest()
    (entry,) = entries("login.failed")
    assert (entry.user_id, entry.subject_id) == (None, shop.customer.id)
