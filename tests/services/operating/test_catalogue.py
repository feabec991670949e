"""Operators add to the catalogue and retire what is in use; nothing is deleted, and searches follow."""

from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import Edition, Location, Offer, User, Vehicle
from rental_app.schemas.catalogue import LocationEntry, ManufacturerEntry, ModelEntry, OfferEntry, TypeEntry
from rental_app.schemas.operating import UndoRequest
from rental_app.schemas.search import PageRequest
from rental_app.services import catalogue as choices
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import vehicles
from rental_app.services.operating import catalogue
from rental_app.services.pricing import promotions
from rental_app.services.search import listings
from tests.support.booking_steps import alter, every_file
from tests.support.catalogue_entries import LOCATION, MODEL, OFFER
from tests.support.operating import last_entry, version
from tests.support.rest_helpers import listing
from tests.support.rows import each
from tests.support.shop import VISITOR, Shop, a_model, actor

LAST = date(2099, 12, 1)


def model(operator: User, row_id: int = 0, **more: Any) -> int:
    return write(catalogue.put_model, actor(operator), row_id, ModelEntry.model_validate(MODEL | more))


def place(operator: User, row_id: int = 0, **more: Any) -> int:
    return write(catalogue.put_location, actor(operator), row_id, LocationEntry.model_validate(LOCATION | more))


def offer(operator: User, row_id: int = 0, **more: Any) -> int:
    return write(catalogue.put_offer, actor(operator), row_id, OfferEntry.model_validate(OFFER | more))


def code_of(call: Any, *args: Any, **more: Any) -> str:
    with pytest.raises(RentalError) as refusal:
        call(*args, **more)
    return refusal.value.code


def names_of(maker: int, also: int = 0) -> set[str]:
    return {one.name for one in read(choices.models, VISITOR, maker, also)}


def submitted(shop: Shop, model_id: int) -> int:
    type_id, maker, _ = a_model()
    data = listing(vehicleType=type_id, manufacturer=maker, model=model_id, serviceLocation=shop.place.name)
    return write(vehicles.submit, actor(shop.vendor), data, every_file())


def test_a_model_is_chosen_until_it_is_retired_and_its_vehicles_stay(shop: Shop, operator: User) -> None:
    _, maker, _ = a_model()
    added = model(operator, manufacturer=maker)
    assert "Testa 125" in names_of(maker)
    listed = submitted(shop, added)
    before = read(lambda session: session.get_one(Edition, 1).name)
    model(operator, added, manufacturer=maker, retired=True)
    assert read(lambda session: session.get_one(Edition, 1).name) != before
    assert "Testa 125" not in names_of(maker)
    assert "Testa 125" in names_of(maker, added)
    alter(Vehicle, listed, is_approved=True)
    assert listed in {car.id for car in read(listings.listed, VISITOR, page=PageRequest()).vehicles}
    own = read(lambda session: session.get_one(Vehicle, listed))
    kept = listing(id=listed, vehicleType=a_model()[0], manufacturer=maker, model=added, rc_number=own.rc_number)
    assert write(vehicles.change, actor(shop.vendor), kept | {"color": "Blue"}, CheckedUploads([])).message
    with pytest.raises(InvalidInputError) as refusal:
        submitted(shop, added)
    assert "model" in refusal.value.fields


@each(
    ("entry", "good", "wrong"),
    [
        (ModelEntry, MODEL, {"shape": "spaceship"}),
        (ModelEntry, MODEL, {"seats": 0}),
        (ModelEntry, MODEL, {"topSpeed": -1}),
        (ModelEntry, MODEL, {"mileage": "much"}),
        (ModelEntry, MODEL, {"prices": []}),
        (ModelEntry, MODEL, {"prices": [{"price_name": "Week", "recommended": 500, "most": 700}]}),
        (ModelEntry, MODEL, {"prices": [{"price_name": "Full Day", "recommended": 700, "most": 500}]}),
        (ModelEntry, MODEL, {"name": ""}),
        (LocationEntry, LOCATION, {"latitude": None}),
        (LocationEntry, LOCATION, {"longitude": ""}),
        (LocationEntry, LOCATION, {"latitude": 0, "longitude": 0}),
        (LocationEntry, LOCATION, {"latitude": "nan"}),
        (LocationEntry, {}, {"name": "Nowhere"}),
        (OfferEntry, OFFER, {"percent": 0}),
        (OfferEntry, OFFER, {"off": 100}),
        (OfferEntry, OFFER, {"endsOn": "2026-10-01"}),
        (OfferEntry, OFFER, {"code": "?"}),
    ],
)
def test_an_impossible_entry_is_refused(entry: type[BaseModel], good: dict[str, Any], wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        entry.model_validate(good | wrong)


def test_names_are_one_within_their_kind(shop: Shop, operator: User) -> None:
    added = model(operator)
    looked_at = version("models", added)
    model(operator, added, topSpeed=91, expected=looked_at)
    assert code_of(model, operator, added, topSpeed=92, expected=looked_at) == "changed_meanwhile"
    assert code_of(model, operator) == "name_taken"
    assert code_of(model, operator, manufacturer=10**6) == "invalid_input"
    assert code_of(model, operator, 10**6) == "unknown_entry"
    assert code_of(model, shop.vendor) == "operators_only"
    assert code_of(write, catalogue.put_type, actor(operator), 0, TypeEntry(name="Scooter")) == "name_taken"
    maker = ManufacturerEntry(type=1, name="Testa")
    assert write(catalogue.put_manufacturer, actor(operator), 0, maker)
    assert code_of(write, catalogue.put_manufacturer, actor(operator), 0, maker) == "name_taken"


def test_a_localitys_page_has_a_name_of_its_own_that_stays(operator: User) -> None:
    added = place(operator)
    assert read(lambda session: session.get_one(Location, added).slug) == "lake-view"
    assert code_of(place, operator, name="Lake-View") == "slug_taken"
    assert code_of(place, operator, name="झील") == "invalid_input"
    place(operator, added, name="Lake View East")
    assert read(lambda session: session.get_one(Location, added).slug) == "lake-view"
    assert code_of(place, operator, added, name="Gachibowli") == "name_taken"


def test_a_retired_locality_is_chosen_no_longer_and_shown_while_it_has_vehicles(shop: Shop, operator: User) -> None:
    added = place(operator)
    place(operator, added, retired=True)
    shown = {one.name for one in read(choices.locations, VISITOR)}
    assert "Lake View" not in shown
    with pytest.raises(InvalidInputError):
        read(choices.open_location_id, "Lake View", "service_location", None)
    assert read(choices.open_location_id, "Lake View", "service_location", added) == added
    own = shop.place
    place(operator, own.id or 0, name=own.name, retired=True)
    assert own.name in {one.name for one in read(choices.locations, VISITOR)}


def test_a_retired_offer_is_not_in_force(operator: User) -> None:
    added = offer(operator)
    codes = lambda: {one.code for one in read(promotions.in_force, VISITOR, LAST)}  # noqa: E731
    assert "RAIN10" in codes()
    offer(operator, added, retired=True)
    assert "RAIN10" not in codes()
    assert code_of(offer, operator) == "name_taken"


def test_the_last_change_of_an_offer_is_taken_back_and_done_again(operator: User) -> None:
    made = offer(operator)
    assert code_of(undo, operator, made) == "nothing_to_undo"
    offer(operator, made, percent=20, endsOn="2099-11-30", cap=500)
    assert read(catalogue.what_an_undo_does, made) == "Back to: to 2099-12-31, percent 10, at most none"
    first = version("offers", made)
    undo(operator, made, first)
    row = read(lambda session: session.get_one(Offer, made))
    assert (row.percent, row.ends_on.isoformat(), row.cap_paise) == (10, "2099-12-31", None)
    assert last_entry().act == "catalogue.changed"
    assert code_of(undo, operator, made, first) == "changed_meanwhile"
    undo(operator, made)
    assert read(lambda session: session.get_one(Offer, made)).percent == 20


def test_an_undo_does_not_take_a_code_that_another_offer_has_by_now(operator: User) -> None:
    made = offer(operator)
    offer(operator, made, code="rain20")
    offer(operator)
    assert code_of(undo, operator, made) == "name_taken"
    assert read(lambda session: session.get_one(Offer, made)).code == "RAIN20"


def undo(operator: User, row_id: int, expected: str = "") -> str:
    return write(catalogue.undo_offer, actor(operator), row_id, UndoRequest(expected=expected))
