"""The audit trail over REST: every call that writes leaves an entry, or has its reason here.

A call that takes an Idempotency-Key also remembers its answer.
"""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

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
from rental_app.models import AccountChange, AuditEntry, Booking, Outbox, Review, User
from rental_app.services.accounts.proofs import Purpose
from tests.support import trip_codes
from tests.support.accounts import latest_code, latest_token, unconfirmed
from tests.support.authenticator import Authenticator
from tests.support.booking_steps import alter
from tests.support.catalogue_entries import ENTRIES
from tests.support.identity import LICENCE
from tests.support.rest_helpers import GUEST, bearer, form, jpeg, ok, papers, part, pdf, refused
from tests.support.shop import PASSWORD, Shop, add_user, add_vehicle, count, moment, put, wire
from tests.support.staff import invited

BOOKING = "its event and its account are the trail of a booking"
OF_BOOKINGS = """
bookings_change_status bookings_create trips_acknowledge trips_cancel trips_change trips_extend trips_object_to
trips_proposal trips_replacement counter_create vendor_trips_answer_objection vendor_trips_cancel vendor_trips_charge
vendor_trips_extend vendor_trips_handover vendor_trips_move vendor_trips_no_show vendor_trips_payment
vendor_trips_reverse vendor_trips_take_back
"""
# What leaves no entry, and why.
WITHOUT = {
    **dict.fromkeys(OF_BOOKINGS.split(), BOOKING),
    **dict.fromkeys(("reviews_review", "reviews_answer", "reviews_report"), "the review's row says who, what and when"),
    **dict.fromkeys(
        ("account_forgot_password", "account_send_verification", "account_send_phone_code", "account_send_login_code"),
        "sends a link or code and changes nothing; its row says when",
    ),
    "account_passkey_login_options": "of nobody who is logged in, and changes nothing",
    **dict.fromkeys(
        ("drafts_begin", "drafts_save", "drafts_remove", "drafts_import_sheet"), "a form that nobody has sent yet"
    ),
    **dict.fromkeys(("favourites_put", "favourites_drop"), "a person's own list, which nobody else sees"),
    **dict.fromkeys(
        ("uploads_send_ahead", "uploads_forget_file", "uploads_send_photo", "uploads_forget_photo"),
        "no form has named the file yet",
    ),
    **dict.fromkeys(
        ("bookings_check_availability", "price_rules_preview", "public_get_location_by_pincode", "members_offer"),
        "writes nothing",
    ),
}
RULE = {"weekday": "Saturday", "percent": 10}
DETAILS = {"name": "Asha Rao", "phoneNumber": "9876512340", "address": "1 Lake Road", "landmark": ""}
DETAILS |= {"pincode": "500032", "city": "Hyderabad"}


def entries(act: str = "") -> list[AuditEntry]:
    found = select(AuditEntry).order_by(col(AuditEntry.id))
    rows = read(lambda session: session.scalars(found).all())
    return [row for row in rows if act in ("", row.act)]


class Walk:
    """Every call that is to leave an entry, in an order in which each succeeds, with the act it is to leave."""

    def __init__(self, client: TestClient, shop: Shop) -> None:
        self.client, self.shop, self.member = client, shop, add_user()
        self.other = add_vehicle(shop.vendor)
        self.walked: set[str] = set()
        self.remembered: set[str] = set()
        self.seen = 0

    def call(self, method: str, path: str, user: User | None = None, **more: Any) -> dict[str, Any]:
        """Make a call that leaves no entry, as the vendor or somebody else."""
        headers = bearer(user or self.shop.vendor) | {"Idempotency-Key": uuid4().hex}
        return ok(self.client.request(method, f"/api{path}", headers=headers, **more))

    def leaves(
        self, operation: str, act: str, method: str, path: str, user: User | None = None, **more: Any
    ) -> dict[str, Any]:
        """Make a call that leaves one entry, of this act."""
        before = count("remembered_answer")
        answer = self.call(method, path, user, **more)
        if count("remembered_answer") > before:
            self.remembered.add(operation)
        self.left(operation, act)
        return answer

    def left(self, operation: str, act: str) -> None:
        now = entries()
        assert [entry.act for entry in now[self.seen :]] == [act], operation
        self.walked.add(operation)
        self.seen = len(now)

    def accounts(self) -> None:
        leaves, customer = self.leaves, self.shop.customer
        person = DETAILS | {"email": "asha.rao@example.com", "password": "quiet river stones"}
        leaves("user_register", "account.created", "POST", "/user/register", json=person)
        login = {"email": customer.email, "password": PASSWORD}
        leaves("user_login", "login.done", "POST", "/user/login", json=login)
        changed = self.call("GET", "/user/data")["user"] | {"landmark": "Opposite the lake"}
        leaves("user_update", "profile.changed", "PUT", "/user/update", json=changed)
        picture = [part("image", jpeg(), "me.jpg")]
        leaves("vendor_update_image", "profile.changed", "POST", "/vendor/update-image", files=picture)
        wish = {"email": self.member.email, "role": "manager"}
        first = leaves("members_invite", "member.invited", "POST", "/vendor/members", json=wish)["invitation"]["id"]
        path = f"/vendor/members/invitations/{first}"
        leaves("members_cancel", "member.invitation_cancelled", "DELETE", path)
        link = invited(self.shop.vendor, self.member.email).model_dump()
        self.seen += 1
        leaves("members_accept", "member.joined", "POST", "/members/accept", self.member, json=link)
        path = f"/vendor/members/{self.member.id}"
        leaves("members_change_role", "member.changed", "PUT", path, json={"role": "counter"})
        leaves("members_remove", "member.left", "DELETE", f"/vendor/members/{self.member.id}", self.member)

    def fleet(self) -> None:
        leaves, vehicle, other = self.leaves, self.shop.vehicle.id, self.other.id
        leaves("vendor_add_vehicle", "listing.added", "POST", "/vendor/add-vehicle", data=form(), files=papers())
        mine = self.call("GET", "/vendor/vehicles")["vehicles"][-1]["id"]
        edited = {"vehicleData": (None, form(id=mine, color="Night blue")["vehicleData"])}
        leaves("vendor_edit_vehicle", "listing.changed", "POST", "/vendor/edit-vehicle", files=edited)
        switched = {"vehicleId": other}
        leaves("vendor_toggle_vehicle", "listing.switched", "POST", "/vendor/toggle-vehicle", json=switched)
        plan = {"vehicle": vehicle, "price_name": "Full Day", "price": 600, "kms_limit": 120, "status": "Active"}
        leaves("prices_change", "prices.changed", "PUT", "/vendor/prices", json=[plan])
        copied = {"from": vehicle, "to": [other]}
        leaves("prices_copy", "prices.changed", "POST", "/vendor/prices/copy", json=copied)
        rule = leaves("price_rules_add", "price_rule.added", "POST", "/vendor/price-rules", json=RULE)["rule"]["id"]
        path = f"/vendor/price-rules/{rule}"
        leaves("price_rules_change", "price_rule.changed", "PUT", path, json=RULE | {"percent": 20})
        leaves("price_rules_remove", "price_rule.removed", "DELETE", path)

    def yard(self) -> None:
        """Renewed papers, maintenance, many vehicles at once, and one that is retired."""
        leaves, other = self.leaves, add_vehicle(self.shop.vendor)
        path = f"/vendor/vehicles/{other.id}"
        many = {"ids": [other.id], "action": "price", "percent": 10}
        leaves("fleet_change_many", "prices.changed", "PUT", "/vendor/vehicles/bulk", json=many)
        renewed = {"paper": "Insurance", "validUntil": "2029-01-31", "shown": f"{other.insurance_expiry_date}"}
        files = [("data", (None, json.dumps(renewed))), part("Insurance", pdf())]
        leaves("fleet_renew", "paper.renewed", "POST", f"{path}/renew", files=files)
        done = {"kind": "service", "doneOn": f"{moment(-3):%Y-%m-%d}", "cost": 900}
        noted = leaves("fleet_note_maintenance", "maintenance.noted", "POST", f"{path}/maintenance", json=done)
        entry = f"{path}/maintenance/{noted['entry']['id']}"
        changed = done | {"cost": 950}
        leaves("fleet_change_maintenance", "maintenance.changed", "PUT", entry, json=changed)
        leaves("fleet_remove_maintenance", "maintenance.removed", "DELETE", entry)
        leaves("fleet_retire", "listing.retired", "POST", f"{path}/retire")
        leaves("fleet_bring_back", "listing.brought_back", "POST", f"{path}/bring-back")

    def calendar(self) -> None:
        leaves, vehicle = self.leaves, self.shop.vehicle.id
        wish = {"vehicle": vehicle, "from": wire(moment(5)), "to": wire(moment(6)), "reason": "service"}
        block = leaves("vendor_calendar_add_block", "block.added", "POST", "/vendor/blocks", json=wish)["block"]["id"]
        leaves("vendor_calendar_remove_block", "block.removed", "DELETE", f"/vendor/blocks/{block}")
        leaves("vendor_calendar_set_buffer", "buffer.changed", "PUT", "/vendor/buffer", json={"hours": 3})
        path, at_once = "/vendor/confirm-at-once", "vendor_calendar_confirm_bookings_at_once"
        leaves(at_once, "confirm_at_once.changed", "PUT", path, json={"on": True})
        leaves("ical_give_feed", "calendar.shared", "POST", "/vendor/ical", json={})
        leaves("ical_revoke_feed", "calendar.unshared", "DELETE", "/vendor/ical")
        read_in = {"vehicle": vehicle, "url": "https://calendar.example/secret-path.ics"}
        made = leaves("ical_add_import", "calendar.import_added", "POST", "/vendor/ical-imports", json=read_in)
        path = f"/vendor/ical-imports/{made['calendar']['id']}"
        leaves("ical_remove_import", "calendar.import_removed", "DELETE", path)

    def counter(self) -> None:
        leaves, number = self.leaves, "9000020297"
        path = f"/vendor/bookings/{self._walk_in(20, GUEST)}"
        leaves("guest_trips_send_link", "guest_link.sent", "POST", f"{path}/guest-link")
        self.call("POST", f"{path}/extend", json={"returnDate": wire(moment(21) + timedelta(hours=2))})
        leaves("vendor_trips_send_code", "trip_code.sent", "POST", f"{path}/proposal/code")
        typed = {"code": trip_codes.code()}
        leaves("vendor_trips_agree_by_code", "trip_code.used", "POST", f"{path}/proposal/yes", json=typed)
        theirs = self._walk_in(22, GUEST | {"phone": number})
        owner = add_user(phone_number=number, verified_phone=number)
        leaves("trips_join", "guest_booking.joined", "POST", f"/bookings/{theirs}/join", owner)

    def _walk_in(self, days: int, guest: dict[str, str]) -> str:
        wish = {"pickupDate": wire(moment(days)), "returnDate": wire(moment(days + 1)), "customer": guest}
        made = self.call("POST", "/vendor/bookings", json=wish | {"vehicle": self.shop.vehicle.id})
        return str(made["booking"]["reference"])

    def proofs(self) -> None:
        leaves, customer = self.leaves, unconfirmed(self.shop.customer)
        self.call("POST", "/user/verify-email/send", customer)
        token = {"token": latest_token(Purpose.VERIFY_EMAIL)}
        leaves("account_verify_email", "email.verified", "POST", "/user/verify-email", customer, json=token)
        self.call("POST", "/user/verify-email/send", add_user(email_verified_at=None))
        foreign = {"token": latest_token(Purpose.VERIFY_EMAIL)}
        leaves("account_decline_email", "email.given_up", "POST", "/user/decline-email", json=foreign)
        phone = {"phone": customer.phone_number}
        self.call("POST", "/user/phone-code", customer, json=phone)
        code = phone | latest_code(Purpose.VERIFY_PHONE)
        leaves("account_verify_phone", "phone.verified", "POST", "/user/verify-phone", customer, json=code)
        self.call("POST", "/user/login-code", json=phone)
        code = phone | latest_code(Purpose.LOGIN_CODE)
        leaves("account_login_with_code", "login.done", "POST", "/user/login-with-code", json=code)
        own = {"password": PASSWORD}
        leaves("account_confirm_password", "password.confirmed", "POST", "/user/confirm-password", customer, json=own)

    def second_step(self) -> None:
        leaves, customer, own, path = self.leaves, self.shop.customer, {"password": PASSWORD}, "/user/second-step"
        begun = leaves("account_set_up_second_step", "second_step.begun", "POST", f"{path}/setup", customer, json=own)
        code = {"code": pyotp.TOTP(begun["secret"]).at(clock.now())}
        on = leaves("account_confirm_second_step", "second_step.on", "POST", f"{path}/confirm", customer, json=code)
        codes = f"{path}/recovery-codes"
        leaves("account_keep_recovery_codes", "recovery_codes.kept", "POST", f"{codes}/kept", customer)
        renew = own | {"code": on["recoveryCodes"][0]}
        on = leaves("account_renew_recovery_codes", "recovery_codes.renewed", "POST", codes, customer, json=renew)
        login = self.client.post("/api/user/login", json=own | {"email": customer.email})
        step = {"challenge": login.json()["challenge"], "code": on["recoveryCodes"][0]}
        stepped = leaves("account_give_second_step", "login.done", "POST", path, json=step)
        headers, off = {"Authorization": f"Bearer {stepped['token']}"}, own | {"code": on["recoveryCodes"][1]}
        ok(self.client.request("DELETE", f"/api{path}", headers=headers, json=off))
        self.left("account_end_second_step", "second_step.off")
        way_back = {"token": latest_token(Purpose.NOT_ME)}
        leaves("account_not_me", "account.additions_taken_off", "POST", "/user/not-me", json=way_back)

    def passkeys(self) -> None:
        leaves, customer, phone = self.leaves, self.shop.customer, Authenticator(settings().origin)
        path, own = "/user/passkeys", {"password": PASSWORD}
        begun = leaves("account_passkey_options", "passkey.begun", "POST", f"{path}/options", customer, json=own)
        new = {"name": "My phone", "credential": phone.make(begun["options"])}
        added = leaves("account_add_passkey", "passkey.added", "POST", path, customer, json=new)["passkey"]["id"]
        signed = {"credential": phone.sign(self.call("POST", "/user/login-with-passkey/options")["options"])}
        leaves("account_login_with_passkey", "login.done", "POST", "/user/login-with-passkey", json=signed)
        leaves("account_remove_passkey", "passkey.removed", "DELETE", f"{path}/{added}", customer)

    def changes(self) -> None:
        leaves, customer = self.leaves, self.shop.customer
        wish = {"email": "asha.new@example.com", "password": PASSWORD}
        leaves("account_change_email", "email.change_asked", "POST", "/user/change-email", customer, json=wish)
        undo, token = ({"token": latest_token(each)} for each in (Purpose.UNDO_EMAIL, Purpose.CHANGE_EMAIL))
        leaves("account_confirm_email", "email.changed", "POST", "/user/confirm-email", customer, json=token)
        leaves("account_undo_email", "email.change_undone", "POST", "/user/undo-email", json=undo)
        self.call("POST", "/user/forgot-password", json={"email": customer.email})
        new = {"token": latest_token(Purpose.RESET), "password": "quiet river stones"}
        leaves("account_reset_password", "password.reset", "POST", "/user/reset-password", json=new)
        changed = {"current": "quiet river stones", "password": "loud river stones"}
        leaves("account_change_password", "password.changed", "POST", "/user/change-password", customer, json=changed)
        leaves("account_change_details", "profile.changed", "PUT", "/user/details", customer, json=DETAILS)
        session = self.call("GET", "/user/sessions", customer)["sessions"][-1]["id"]
        leaves("account_end_session", "logout.device", "DELETE", f"/user/sessions/{session}", customer)
        ask = {"field": "name", "value": "Lakshmi Rentals", "why": "New firm", "password": PASSWORD}
        request = leaves("account_request_change", "change.asked", "POST", "/user/requests", json=ask)["request"]["id"]
        leaves("account_withdraw_request", "change.withdrawn", "DELETE", f"/user/requests/{request}")
        own = {"password": PASSWORD}
        leaves("own_data_delete_account", "erasure.asked", "POST", "/user/delete", add_user(), json=own)

    def operators(self) -> None:
        leaves, operator, person = self.leaves, add_user("Operator"), f"/operator/people/{self.member.id}"
        listing, why = f"/operator/listings/{self.other.id}", {"reason": "Three complaints"}
        down = {"decision": "take_down", "reason": "Reported as stolen"}
        leaves("operator_acts_decide_listing", "listing.taken_down", "POST", f"{listing}/decision", operator, json=down)
        on = {"on": True}
        leaves("operator_acts_feature_listing", "listing.featured", "PUT", f"{listing}/featured", operator, json=on)
        leaves("operator_acts_send_reset_link", "person.reset_link_sent", "POST", f"{person}/reset-link", operator)
        name = why | {"name": "Asha Rao"}
        leaves("operator_acts_change_person", "person.changed", "PUT", person, operator, json=name)
        note = {"text": "Called twice"}
        leaves("operator_acts_add_note", "person.noted", "POST", f"{person}/notes", operator, json=note)
        leaves("operator_acts_block_person", "person.blocked", "POST", f"{person}/block", operator, json=why)
        leaves("operator_acts_unblock_person", "person.unblocked", "POST", f"{person}/unblock", operator, json=why)
        wish = put(AccountChange(user_id=self.shop.vendor.id or 0, field="name", value="Lakshmi Rentals"))
        path, granted = f"/operator/requests/{wish.id}/decision", {"decision": "grant", "reason": ""}
        leaves("operator_acts_decide_request", "change.decided", "POST", path, operator, json=granted)

    def recoveries(self) -> None:
        leaves, operator, path = self.leaves, add_user("Operator"), f"/operator/people/{self.member.id}/recovery"
        lost = {"checked": "Called the employer", "email": "asha.new@example.com", "phoneNumber": "9876512340"}

        def begin() -> None:
            leaves("operator_acts_begin_recovery", "recovery.begun", "POST", path, operator, json=lost)

        begin()
        leaves("account_stop_recovery", "recovery.stopped", "DELETE", "/user/recovery", self.member)
        begin()
        token = {"token": latest_token(Purpose.RECOVER)}
        leaves("account_keep_account", "recovery.stopped", "POST", "/user/keep-account", json=token)
        begin()
        leaves("operator_acts_end_recovery", "recovery.stopped", "POST", f"{path}/stop", operator, json={})

    def documents(self) -> None:
        leaves, operator, customer = self.leaves, add_user("Operator"), self.shop.customer
        sent = {"data": {"kind": "licence", "data": json.dumps(LICENCE)}, "files": [part("file", jpeg())]}
        paper = leaves("papers_send_paper", "identity.sent", "POST", "/user/papers", customer, **sent)["paper"]["id"]
        path, decision = f"/operator/papers/{paper}/decision", {"decision": "refuse", "reason": "unreadable"}
        leaves("operator_acts_decide_paper", "identity.refused", "POST", path, operator, json=decision)
        leaves("papers_withdraw_paper", "identity.withdrawn", "DELETE", f"/user/papers/{paper}", customer)

    def judgements(self) -> None:
        leaves, operator, customer = self.leaves, add_user("Operator"), self.shop.customer
        wish = {"car": self.shop.vehicle.id, "pickupDate": wire(moment(12)), "returnDate": wire(moment(13))}
        made = self.call("POST", "/bookings/create", customer, json=wish)["booking"]["id"]
        self.call("POST", "/bookings/change-status", json={"bookingId": made, "status": "confirmed"})
        ledger = self.call("GET", f"/bookings/{made}", customer)["booking"]["ledger"]
        objected = {"entry": ledger[0]["id"], "note": "Too much"}
        trip = self.call("POST", f"/bookings/{made}/object", customer, json=objected)["booking"]
        path = f"/operator/objections/{trip['timeline'][-1]['id']}/decision"
        judged = {"decision": "dismiss", "note": "As agreed"}
        leaves("operator_acts_decide_objection", "objection.judged", "POST", path, operator, json=judged)
        told = {"vehicle_id": self.shop.vehicle.id or 0, "vendor_id": self.shop.vendor.id or 0}
        now = {"show_by": clock.now(), "shown_at": clock.now()}
        shown = put(Review(booking_id=made, side="vendor", customer_id=customer.id or 0, stars=1, **told, **now))
        path, removed = f"/operator/reviews/{shown.id}/decision", {"decision": "remove", "reason": "It insults"}
        leaves("operator_acts_decide_review", "review.judged", "POST", path, operator, json=removed)
        alter(Booking, made, commission_bps=1000)
        money = {"of": "rent", "direction": "in", "amount": 500, "method": "cash"}
        self.call("POST", f"/vendor/bookings/{made}/payment", json=money)
        path = f"/operator/money/{self.shop.vendor.id}/{clock.indian(clock.now()):%Y-%m}/paid"
        paid = {"amount": 50, "reference": "UTR 1234"}
        leaves("operator_acts_note_paid", "commission.paid", "POST", path, operator, json=paid)
        path, why = f"/operator/bookings/{made}/cancel", {"reason": "The vendor is blocked", "kept": 0}
        leaves("operator_acts_cancel_booking", "booking.cancelled", "POST", path, operator, json=why)

    def shop_itself(self) -> None:
        leaves, operator = self.leaves, add_user("Operator")
        sent = {"key": "sent", "kind": NEW_DEVICE, "user_id": self.shop.customer.id, "sent_at": clock.now()}
        path = f"/operator/messages/{put(Outbox(**sent, due_at=None)).id}/resend"
        leaves("operator_acts_resend_message", "message.sent_again", "POST", path, operator)
        # Nobody new gets a session while the shop is read-only.
        headers = bearer(operator)
        for act, on in (("read_only.on", True), ("read_only.off", False)):
            ok(self.client.put("/api/operator/read-only", headers=headers, json={"on": on}))
            self.left("operator_acts_switch_read_only", act)
        rules = {"value": ["Helmets on"], "version": 0, "note": "New rules"}
        leaves("operator_words_put_words", "words.changed", "PUT", "/operator/words/house_rules", operator, json=rules)
        for kind, one, entry in ENTRIES:
            path = f"/operator/{kind}"
            added = leaves(f"operator_catalogue_add_{one}", "catalogue.added", "POST", path, operator, json=entry)["id"]
            gone, path = entry | {"retired": True}, f"{path}/{added}"
            leaves(f"operator_catalogue_change_{one}", "catalogue.changed", "PUT", path, operator, json=gone)
        # The last of them is an offer.
        leaves("operator_acts_undo_offer", "catalogue.changed", "POST", f"{path}/undo", operator, json={})

    def endings(self) -> None:
        self.leaves("user_logout", "logout.here", "POST", "/user/logout")
        self.leaves("user_logout_everywhere", "logout.everywhere", "POST", "/user/logout-everywhere")


def writing(app: FastAPI) -> set[str]:
    paths = app.openapi()["paths"].values()
    return {each["operationId"] for path in paths for method, each in path.items() if method not in ("get", "head")}


def with_a_key(app: FastAPI) -> set[str]:
    """Return the calls that take an Idempotency-Key."""
    calls = [call for methods in app.openapi()["paths"].values() for call in methods.values()]
    named = {call["operationId"]: {each["name"].lower() for each in call.get("parameters", ())} for call in calls}
    return {operation for operation, names in named.items() if "idempotency-key" in names}


def test_every_call_that_writes_leaves_an_entry(app: FastAPI, client: TestClient, shop: Shop) -> None:
    walk = Walk(client, shop)
    for steps in (walk.accounts, walk.fleet, walk.yard, walk.calendar, walk.counter, walk.proofs):
        steps()
    for steps in (walk.second_step, walk.passkeys, walk.documents):
        steps()
    for steps in (walk.changes, walk.operators, walk.recoveries, walk.judgements, walk.shop_itself, walk.endings):
        steps()
    assert walk.walked.isdisjoint(WITHOUT)
    assert walk.remembered == with_a_key(app) & walk.walked
    left = writing(app) - walk.walked - WITHOUT.keys()
    assert not left, f"record an act in the service of {sorted(left)}, or give the reason in WITHOUT"
    assert not WITHOUT.keys() - writing(app)
    secrets = ("secret-path", "asha.rao@", "asha.new@", "9876512340", "Opposite the lake", PASSWORD, "20110012345")
    told = " ".join(entry.model_dump_json() for entry in entries())
    assert not [text for text in secrets if text in told]


def test_an_entry_says_who_did_what_when_and_by_which_request(client: TestClient, shop: Shop) -> None:
    vendor, headers = shop.vendor.id, bearer(shop.vendor) | {"X-Request-Id": "ignored"}
    answer = client.put("/api/vendor/buffer", json={"hours": 5}, headers=headers)
    assert ok(answer)
    (entry,) = entries("buffer.changed")
    assert (entry.user_id, entry.role, entry.subject, entry.subject_id) == (vendor, "Vendor", "user", vendor)
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
