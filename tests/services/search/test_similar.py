"""What is offered instead of a vehicle: similar in type and price, free on the dates, nearby."""

from sqlalchemy import update
from sqlmodel import Session, col

from rental_app.infrastructure.db import read, write
from rental_app.models import Location, User, Vehicle
from rental_app.schemas.search import AvailabilityRequest
from rental_app.services.bookings import create
from rental_app.services.search.listings import listed
from rental_app.services.search.similar import free_near, similar
from tests.support.shop import VISITOR, Shop, a_model, actor, add_user, add_vehicle, put, search_for, wanted


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
    write(create.create, actor(shop.customer), wanted(shop.vehicle))
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
