"""Where a pincode is."""

import pytest

from rental_app.infrastructure.settings import settings
from rental_app.seed.places import CITY, PLACES, SeedPlace
from rental_app.services.catalogue import place_of_pincode


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.slug)
def test_the_city_of_a_locality_is_the_shops_whatever_its_district(place: SeedPlace) -> None:
    assert place_of_pincode(place.pincode).city == CITY == settings().city


def test_the_district_stays_that_of_the_post() -> None:
    found = place_of_pincode("500072")
    assert (found.city, found.county.name, found.state.name) == ("Hyderabad", "Medchal Malkajgiri", "Telangana")


@pytest.mark.parametrize(
    ("pincode", "city"), [("501101", "Vikarabad"), ("682551", "Lakshadweep District"), ("560001", "Bengaluru Urban")]
)
def test_elsewhere_the_district_stands_for_the_city(pincode: str, city: str) -> None:
    assert place_of_pincode(pincode).city == city


def test_another_city_has_its_own_pincodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings(), "city", "Bengaluru")
    monkeypatch.setattr(settings(), "city_pincodes", ("560",))
    assert place_of_pincode("560001").city == "Bengaluru"
    assert place_of_pincode("500001").city == "Hyderabad"


def test_spaces_around_a_pincode_are_not_part_of_it() -> None:
    assert place_of_pincode(" 500032\n").pincode == "500032"


@pytest.mark.parametrize(
    ("pincode", "city", "district"),
    [
        ("682001", "Kochi", "Ernakulam"),
        ("683101", "Ernakulam", "Ernakulam"),
        ("781001", "Guwahati", "Kamrup Metro"),
        ("201301", "Noida", "Gautam Buddha Nagar"),
        ("400050", "Mumbai", "Mumbai Suburban"),
    ],
)
def test_some_cities_are_not_called_after_their_district(pincode: str, city: str, district: str) -> None:
    found = place_of_pincode(pincode)
    assert (found.city, found.county.name) == (city, district)


def test_how_a_pincode_is_written_makes_no_difference() -> None:
    assert place_of_pincode("\u200e500 032\ufeff") == place_of_pincode("500\u2011032") == place_of_pincode("500032")
