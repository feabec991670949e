"""Handovers and returns over REST: readings as JSON, photos as files, nothing left half done."""

import io
import json
from datetime import date, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from PIL import Image
from pypdf import PdfReader

from rental_app.domain import clock
from rental_app.domain.clock import friendly
from rental_app.domain.uploads import DAMAGE_GROUP, TRIP_GROUPS
from tests.conftest import Clock
from tests.support.rest_helpers import READ, Files, bearer, jpeg, ok, part, photos, refused, stored
from tests.support.shop import Shop, add_user, wire
from tests.support.trips import at_pickup, at_return, confirmed, seen


class Beside:
    """The vendor's phone, next to the vehicle of a confirmed booking."""

    def __init__(self, client: TestClient, shop: Shop) -> None:
        self.client, self.shop = client, shop
        self.trip = confirmed(shop)
        self.vendor, self.customer, self.stranger = bearer(shop.vendor), bearer(shop.customer), bearer(add_user())

    def send(self, what: str, data: Any, files: Files) -> Response:
        body = {"data": data if isinstance(data, str) else json.dumps(data)}
        url = f"/api/vendor/bookings/{self.trip.reference}/{what}"
        return self.client.post(url, data=body, files=files, headers=self.vendor)

    def hand_over(self, **changes: Any) -> Response:
        return self.send("handover", READ | changes, photos())

    def take_back(self, files: Files | None = None, **changes: Any) -> Response:
        data = {"odometer": 1400, "fuelEighths": "6", "speedings": 0, "damages": []} | changes
        return self.send("return", data, files or photos())


@pytest.fixture
def beside(client: TestClient, shop: Shop, stopped_clock: Clock) -> Beside:
    """The vendor's phone, at pickup time."""
    made = Beside(client, shop)
    at_pickup(stopped_clock, made.trip)
    return made


def test_photos_are_the_two_sides_alone_and_tell_no_place(beside: Beside) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretCamera"
    marked = jpeg(exif=exif)
    out = ok(beside.send("handover", READ, [part(group, marked) for group in TRIP_GROUPS]))["booking"]
    assert (out["stage"], out["handover"]["odometer"], out["handover"]["fuelEighths"]) == ("out", 1300, 8)
    assert [photo["group"] for photo in out["handover"]["photos"]] == list(TRIP_GROUPS)
    url = out["handover"]["photos"][0]["url"]
    for headers in (beside.vendor, beside.customer):
        answer = beside.client.get(url, headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
        assert answer.headers["cache-control"] == "no-store"
        assert b"Secret" not in answer.content
        assert not Image.open(io.BytesIO(answer.content)).getexif()
    refused(beside.client.get(url), 401, "token_missing")
    refused(beside.client.get(url, headers=beside.stranger), 404, "unknown_booking")
    refused(beside.client.get(url + "0", headers=beside.customer), 404, "not_found")


def test_a_return_is_charged_by_when_the_vehicle_came_back(beside: Beside, stopped_clock: Clock) -> None:
    ok(beside.hand_over())
    at_return(stopped_clock, beside.trip, hours=4)
    came = wire(beside.trip.return_at + timedelta(minutes=50))
    url = f"/api/vendor/bookings/{beside.trip.reference}"
    asked = {"odometer": 1300, "cameBackAt": came}
    quoted = ok(beside.client.get(f"{url}/settlement", params=asked, headers=beside.vendor))["lines"]
    refused(
        beside.take_back(cameBackAt=wire(stopped_clock.instant + timedelta(hours=1))), 422, "in_future", "cameBackAt"
    )
    for text in ("yesterday", "2026-11-20", 1_700_000_000):
        refused(beside.take_back(cameBackAt=text), 422, "invalid_input", "cameBackAt")
    back = ok(beside.take_back(cameBackAt=came, odometer=1300))["booking"]
    assert [(line["kind"], line["amount"]) for line in quoted] == [("late", 50)]
    assert [line["amount"] for line in back["ledger"] if line["kind"] == "late"] == [50]
    noted = wire(stopped_clock.instant)
    assert (back["return"]["at"], back["return"]["notedAt"]) == (came, noted)
    assert back["return"]["notedBy"] == beside.shop.vendor.name
    theirs = ok(beside.client.get(f"/api/bookings/{beside.trip.reference}", headers=beside.customer))["booking"]
    assert (theirs["return"]["at"], theirs["return"]["notedAt"], theirs["return"]["notedBy"]) == (came, noted, "")
    pdf = beside.client.get(f"/api/bookings/{beside.trip.reference}/receipt.pdf", headers=beside.customer)
    assert (
        f"{friendly(beside.trip.return_at + timedelta(minutes=50), date.min)}, noted"
        in PdfReader(io.BytesIO(pdf.content)).pages[0].extract_text()
    )


def test_money_is_noted_on_the_day_it_was_paid(beside: Beside, stopped_clock: Clock) -> None:
    url = f"/api/vendor/bookings/{beside.trip.reference}/payment"
    paid = {"amount": 50, "method": "cash", "of": "rent", "direction": "in"}
    today = clock.indian_today(stopped_clock.instant)
    tomorrow, last_year = (f"{today + timedelta(days=days)}" for days in (1, -366))
    for day, code in ((tomorrow, "in_future"), (last_year, "too_early"), ("soon", "invalid_input")):
        refused(beside.client.post(url, json=paid | {"paidOn": day}, headers=beside.vendor), 422, code, "paidOn")
    day = today.isoformat()
    stopped_clock.move(days=1)
    noted = ok(beside.client.post(url, json=paid | {"paidOn": day}, headers=beside.vendor))["booking"]["ledger"][-1]
    assert (noted["paidOn"], noted["at"]) == (day, wire(stopped_clock.instant))


def test_a_return_charges_and_its_damage_has_a_photo(beside: Beside, stopped_clock: Clock) -> None:
    ok(beside.hand_over())
    at_return(stopped_clock, beside.trip, hours=1)
    damages = [{"note": "Mirror broken", "amount": "350"}]
    back = ok(beside.take_back(photos(DAMAGE_GROUP), damages=damages, speedings=1))["booking"]
    assert (back["stage"], back["return"]["odometer"], back["return"]["speedings"]) == ("returned", 1400, 1)
    charges = {line["kind"]: line["amount"] for line in back["ledger"]}
    assert charges == {"rental": 1000, "late": 50, "speeding": 100, "damage": 350}
    photo = next(line["photo"] for line in back["ledger"] if line["kind"] == "damage")
    assert beside.client.get(photo, headers=beside.customer).status_code == 200
    assert back["balance"] == {"rent": 1500, "deposit": 0, "held": 0}


def test_the_preview_of_a_return_takes_damages_in(beside: Beside) -> None:
    ok(beside.hand_over())
    url = f"/api/vendor/bookings/{beside.trip.reference}/settlement"
    shown = ok(beside.client.get(url, params={"damages": "350.50"}, headers=beside.vendor))
    assert shown["lines"] == [{"kind": "damage", "amount": 350.5, "note": "Damage"}]
    assert shown["total"] == 350.5
    for amount in ("-1", "0.001", "much"):
        answer = beside.client.get(url, params={"damages": amount}, headers=beside.vendor)
        refused(answer, 422, "invalid_input", "damages")


@pytest.mark.long
def test_what_cannot_be_leaves_no_file_and_no_row(beside: Beside, stopped_clock: Clock) -> None:
    files, before = stored(), seen(beside.shop.vendor, beside.trip.id)
    send, groups = beside.send, photos()
    refused(send("handover", READ, photos(Front=b"no photo at all")), 415, "unsupported_type", "Front")
    refused(send("handover", READ, groups[1:]), 422, "missing_documents", "Front")
    refused(send("handover", READ, [*groups, part("RC", jpeg())]), 422, "unknown_group", "RC")
    refused(send("handover", READ, groups + photos() * 8), 422, "too_many_files", *TRIP_GROUPS[:1])
    refused(send("handover", "{", groups), 400, "malformed_json")
    refused(send("handover", "[]", groups), 422, "invalid_input", "data")
    for field, values in {
        "odometer": (-1, 1.5, None, 2_000_001),
        "fuelEighths": (-1, 9, "half"),
        "helmets": (-1,),
    }.items():
        for value in values:
            refused(beside.hand_over(**{field: value}), 422, "invalid_input", field)
    refused(beside.hand_over(papersSeen=["passport"]), 422, "invalid_input", "papersSeen.0")
    refused(beside.hand_over(papersSeen=["licence"]), 422, "papers_missing", "papersSeen")
    refused(beside.hand_over(unpaidReason=""), 409, "unpaid", "unpaidReason")
    refused(beside.take_back(), 409, "wrong_stage")
    assert stored() == files
    assert seen(beside.shop.vendor, beside.trip.id) == before
    nothing = beside.client.post(f"/api/vendor/bookings/{beside.trip.id}/handover", json={}, headers=beside.vendor)
    refused(nothing, 415, "unsupported_type")


def test_a_second_handover_and_a_bad_return_change_nothing(beside: Beside) -> None:
    ok(beside.hand_over())
    files, before = stored(), seen(beside.shop.vendor, beside.trip.id)
    refused(beside.hand_over(), 409, "wrong_stage")
    refused(beside.take_back(odometer=1299), 422, "odometer_below", "odometer")
    scratch = {"note": "Scratch", "amount": 100}
    refused(beside.take_back(damages=[scratch]), 422, "missing_documents", "Damage")
    for amount in (-5, 0, 0.001, 500_001):
        damages = [scratch | {"amount": amount}]
        refused(beside.take_back(photos(DAMAGE_GROUP), damages=damages), 422, "invalid_input", "damages.0.amount")
    refused(beside.take_back(damages=[scratch | {"note": ""}]), 422, "invalid_input", "damages.0.note")
    refused(beside.take_back(speedings=51), 422, "invalid_input", "speedings")
    assert stored() == files
    assert seen(beside.shop.vendor, beside.trip.id) == before


def test_a_challan_is_charged_after_the_return_with_its_photo(beside: Beside) -> None:
    challan = {"kind": "challan", "amount": 500, "note": "Signal jumped"}
    proof = [part("Damage", jpeg())]
    ok(beside.hand_over())
    ok(beside.take_back())
    done = ok(beside.send("charge", challan, proof))["booking"]
    line = next(line for line in done["ledger"] if line["kind"] == "challan")
    assert (line["amount"], line["note"], done["stage"]) == (500, "Signal jumped", "returned")
    assert beside.client.get(line["photo"], headers=beside.customer).status_code == 200
    text = [("data", (None, json.dumps(challan)))]
    url = f"/api/vendor/bookings/{beside.trip.reference}/charge"
    answered = beside.client.post(url, files=text, headers=beside.vendor)
    refused(answered, 422, "invalid_input", "Damage")
    files = stored()
    refused(beside.send("charge", challan, [*proof, part("Damage", jpeg((32, 32)))]), 422, "too_many_files", "Damage")
    assert stored() == files
    for wrong, field in (({"amount": 0}, "amount"), ({"kind": "fun"}, "kind"), ({"note": ""}, "note")):
        refused(beside.send("charge", challan | wrong, proof), 422, "invalid_input", field)
