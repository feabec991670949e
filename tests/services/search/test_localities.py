"""What is offered on the page of a locality, and instead of a vehicle: the cheapest, the most alike, the nearest."""

from datetime import time, timedelta

import pytest
from sqlalchemy import update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import Location, User, Vehicle
from rental_app.schemas.search import AvailabilityRequest
from rental_app.services.bookings import requests
from rental_app.services.search import localities
from rental_app.services.search.listings import listed
from rental_app.services.search.similar import free_near, similar
from tests.support.shop import (
    VISITOR,
    Shop,
    a_model,
    actor,
    add_place,
    add_user,
    add_vehicle,
    put,
    search_for,
    statements,
    wanted,
)

LATE_PAISE = 5_000


def test_the_cheapest_come_first_and_the_terms_span_all(shop: Shop) -> None:
    early = add_user("Vendor", location_id=shop.place.id, open_time=time(6), close_time=time(22, 30))
    dear = add_vehicle(early, 90_000, deposit_paise=500_000, late_penalty_paise=20_000)
    cheap = add_vehicle(shop.vendor, 10_000, deposit_paise=100_000)
    found = read(localities.city, VISITOR, "testpur")
    assert (found.name, found.slug) == ("Testpur", "testpur")
    assert [car.id for car in found.vehicles] == [cheap.id, shop.vehicle.id, dear.id]
    terms = found.terms
    assert terms
    assert (terms.count, terms.cheapest) == (3, 10_000)
    assert (terms.least_deposit, terms.most_deposit) == (100_000, 500_000)
    assert (terms.least_late, terms.most_late) == (LATE_PAISE, 20_000)
    assert (terms.opens, terms.closes) == (time(6), time(22, 30))


def test_what_cannot_be_booked_does_not_count(shop: Shop) -> None:
    yesterday = clock.indian_today(clock.now()) - timedelta(days=1)
    add_vehicle(shop.vendor, 1_000, is_active=False)
    add_vehicle(shop.vendor, 1_000, is_approved=False)
    add_vehicle(shop.vendor, 1_000, insurance_expiry_date=yesterday)
    add_vehicle(shop.vendor, None)
    found = read(localities.city, VISITOR, "testpur")
    assert [car.id for car in found.vehicles] == [shop.vehicle.id]
    assert found.terms
    assert found.terms.count == 1
    # Blank hours.
    assert (found.terms.opens, found.terms.closes) == (time(9), time(20))


def test_without_vehicles_the_nearest_localities_that_have_some_are_named(database: str) -> None:
    # Next to Gachibowli; Emptypur is nearer still, but has no vehicles either.
    put(Location(name="Nearpur", slug="nearpur", latitude=17.441, longitude=78.349))
    put(Location(name="Emptypur", slug="emptypur", latitude=17.4411, longitude=78.349))
    found = read(localities.city, VISITOR, "nearpur")
    assert (found.vehicles, found.terms) == ([], None)
    assert [place.name for place in found.neighbours] == ["Gachibowli", "HITEC City", "Madhapur", "Miyapur"]
    assert found.neighbours[0].km == pytest.approx(0.1, abs=0.02)


def test_a_page_costs_few_statements_however_many_vehicles(shop: Shop) -> None:
    for _ in range(localities.SHOWN + 1):
        add_vehicle(shop.vendor)
    with statements() as sent:
        found = read(localities.city, VISITOR, "testpur")
    assert len(sent) == 4
    assert len(found.vehicles) == localities.SHOWN
    assert found.terms
    assert found.terms.count == localities.SHOWN + 2


@pytest.mark.parametrize("slug", ["", "nowhere", "Testpur", "vendor", "' OR 1=1"])
def test_an_unknown_slug_is_not_found(database: str, slug: str) -> None:
    add_place()
    with pytest.raises(NotFoundError):
        read(localities.city, VISITOR, slug)


def vendor_at(north: float, name: str) -> User:
    """Add a vendor whose locality is some degrees north of the shop's, far from the demo's."""
    place = put(Location(name=name, slug=name.lower(), latitude=17.4 + north, longitude=78.4))
    return add_user("Vendor", location_id=place.id)


def test_similar_is_the_same_type_the_nearest_price_then_the_nearest_place(shop: Shop) -> None:
    car = add_vehicle(shop.vendor, daily=9_000_000)
    far, near = (add_vehicle(vendor_at(*there), daily=9_100_000) for there in ((0.2, "Farpur"), (0.01, "Nearpur")))
    dear = add_vehicle(shop.vendor, daily=15_000_000)
    add_vehicle(shop.vendor, daily=9_000_000, model_id=a_model("Car")[2])
    add_vehicle(shop.vendor, daily=9_000_000, is_approved=False)
    assert [other.id for other in read(similar, VISITOR, car.id or 0)] == [near.id, far.id, dear.id]
    car.is_active = False
    put(car)
    assert [other.id for other in read(similar, VISITOR, car.id or 0)] == [near.id, far.id, dear.id]
    assert read(similar, VISITOR, 2**31 - 1) == []


def test_what_is_free_on_the_dates_is_from_its_own_place_first_then_from_near(shop: Shop) -> None:
    beside = add_vehicle(vendor_at(0.001, "Besidepur"))
    own = add_vehicle(shop.vendor)
    write(requests.create, actor(shop.customer), wanted(shop.vehicle))
    search = search_for(shop.place)
    found = read(free_near, VISITOR, shop.vehicle.id or 0, search).vehicles
    assert [other.id for other in found][:2] == [own.id, beside.id]
    assert shop.vehicle.id not in [other.id for other in found]
    impossible = AvailabilityRequest(location=shop.place.name, pickup=search.return_at, return_at=search.pickup)
    assert read(free_near, VISITOR, shop.vehicle.id or 0, impossible).vehicles == []
    assert read(free_near, VISITOR, 2**31 - 1, search).vehicles == []


def test_where_its_type_has_too_few_free_vehicles_of_others_follow(shop: Shop) -> None:
    """Vehicles of other types come after those of the same type, however near they are."""
    for car in read(listed, VISITOR, AvailabilityRequest(types=("Car",))).vehicles:
        write(Session.execute, update(Vehicle).where(col(Vehicle.id) == car.id).values(is_active=False))
    gone = add_vehicle(shop.vendor, model_id=a_model("Car")[2])
    far = add_vehicle(vendor_at(0.2, "Farpur"), model_id=a_model("Car")[2])
    gone.is_active = False
    put(gone)
    found = read(free_near, VISITOR, gone.id or 0, search_for(shop.place))
    assert [found.vehicles[0].id, found.vehicles[1].id] == [far.id, shop.vehicle.id]
    assert [car.asset_type == "Car" for car in found.vehicles] == [True, False, False]
    assert set(found.totals) >= {car.id for car in found.vehicles}
