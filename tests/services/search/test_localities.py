"""A locality's page: what can be rented there, on what terms, and the nearest others."""

from datetime import time, timedelta

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import read
from rental_app.models import Location
from rental_app.services.search import localities
from tests.support.shop import VISITOR, Shop, add_place, add_user, add_vehicle, put, statements

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
