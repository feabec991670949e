"""Operators list, refuse and take down vehicles; the vendor is told, mends and sends again."""

import json

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import AuditEntry, User, Vehicle
from rental_app.schemas.operating import FeatureRequest, ListingDecision
from rental_app.schemas.search import PageRequest
from rental_app.services.accounts import emails
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import vehicles
from rental_app.services.operating import listings
from rental_app.services.search import listings as search_listings
from tests.support.booking_steps import alter
from tests.support.operating import last_entry, letters, version
from tests.support.rest_helpers import listing
from tests.support.shop import VISITOR, Shop, actor
from tests.support.trips import refusal


def decide(operator: User, vehicle: Vehicle, decision: str, reason: str = "", expected: str = "") -> str:
    request = ListingDecision.model_validate({"decision": decision, "reason": reason, "expected": expected})
    return write(listings.decide, actor(operator), vehicle.id or 0, request)


def now(vehicle: Vehicle) -> Vehicle:
    return read(lambda session: session.get_one(Vehicle, vehicle.id))


def is_listed(vehicle: Vehicle) -> bool:
    return vehicle.id in {car.id for car in read(search_listings.listed, VISITOR, page=PageRequest()).vehicles}


def test_a_vehicle_that_waits_is_listed_once(shop: Shop, operator: User) -> None:
    alter(Vehicle, shop.vehicle.id, is_approved=False)
    assert not is_listed(shop.vehicle)
    assert decide(operator, shop.vehicle, "approve") == listings.APPROVED
    assert is_listed(shop.vehicle)
    assert "Listed: " in letters(shop.vendor)[-1]
    refusal("already_decided", decide, operator, shop.vehicle, "approve")
    assert len(letters(shop.vendor)) == 1


def test_a_refused_vehicle_says_why_and_is_sent_again_by_saving_it(shop: Shop, operator: User) -> None:
    alter(Vehicle, shop.vehicle.id, is_approved=False)
    assert set(refusal("invalid_input", decide, operator, shop.vehicle, "refuse").fields) == {"reason"}
    decide(operator, shop.vehicle, "refuse", "The insurance is another vehicle's")
    assert "The insurance is another vehicle's" in letters(shop.vendor)[-1]
    assert now(shop.vehicle).refusal == "The insurance is another vehicle's"
    mended = listing(id=shop.vehicle.id, rc_number=shop.vehicle.rc_number)
    edited = write(vehicles.change, actor(shop.vendor), mended, CheckedUploads([]))
    assert "waits for approval" in edited.message
    assert (now(shop.vehicle).refusal, now(shop.vehicle).is_approved) == ("", False)
    decide(operator, shop.vehicle, "approve")
    assert is_listed(shop.vehicle)


def test_a_vehicle_taken_down_is_not_brought_back_by_its_vendors_email(shop: Shop, operator: User) -> None:
    alter(User, shop.vendor.id, email_verified_at=None)
    decide(operator, shop.vehicle, "take_down", "Reported as stolen")
    entry = last_entry()
    assert (entry.act, entry.user_id, entry.about) == ("listing.taken_down", operator.id, "Reported as stolen")
    assert json.loads(entry.before) == {"is_approved": True, "refusal": ""}
    assert json.loads(entry.after) == {"is_approved": False, "refusal": "Reported as stolen"}
    assert not is_listed(shop.vehicle)
    write(lambda session: emails.note_verified(session, session.get_one(User, shop.vendor.id)))
    assert not is_listed(shop.vehicle)


def test_what_changed_meanwhile_is_not_decided(shop: Shop, operator: User) -> None:
    alter(Vehicle, shop.vehicle.id, is_approved=False)
    seen = version("listings", shop.vehicle.id)
    alter(Vehicle, shop.vehicle.id, engine_number="ANOTHER12345")
    refusal("changed_meanwhile", decide, operator, shop.vehicle, "approve", expected=seen)
    assert not now(shop.vehicle).is_approved
    decide(operator, shop.vehicle, "approve", expected=version("listings", shop.vehicle.id))


def test_only_operators_decide_and_only_about_what_there_is(shop: Shop, operator: User) -> None:
    for somebody in (shop.vendor, shop.customer):
        refusal("operators_only", decide, somebody, shop.vehicle, "approve")
    with pytest.raises(NotFoundError):
        write(listings.decide, actor(operator), 10**9, ListingDecision(decision="approve"))


def test_featured_vehicles_come_first_on_the_home_page_while_they_can_be_booked(shop: Shop, operator: User) -> None:
    def first() -> list[int]:
        return [car.id for car in read(search_listings.featured, VISITOR, 3)]

    before = first()
    assert shop.vehicle.id not in before
    for on in (True, False, True, True):
        write(listings.feature, actor(operator), shop.vehicle.id or 0, FeatureRequest(on=on))
        assert now(shop.vehicle).is_featured is on
        assert first() == ([shop.vehicle.id, *before[:2]] if on else before)
    acts = read(lambda session: list(session.scalars(select(col(AuditEntry.act)))))
    assert acts.count("listing.featured") == 3, "what it is already is no act"
    decide(operator, shop.vehicle, "take_down", "Reported as stolen")
    assert first() == before
