"""Where a pincode is."""

import pytest

from rental_app.infrastructure.settings import settings
from rental_app.seed.places import CITY, PLACES, SeedPlace
from rental_app.services.catalogue import place_of_pincode
from tests.support.rows import each


@each("place", PLACES)
def test_the_city_of_a_locality_is_the_shops_whatever_its_district(place: SeedPlace) -> None:
    assert place_of_pincode(place.pincode).city == CITY == settings().city


@each(
    ("pincode", "city", "district"),
    [
        ("500072", "Hyderabad", "Medchal Malkajgiri"),
        ("501101", "Vikarabad", "Vikarabad"),
        ("560001", "Bengaluru Urban", "Bengaluru Urban"),
        # Some cities are not called after their district.
        ("682001", "Kochi", "Ernakulam"),
        ("683101", "Ernakulam", "Ernakulam"),
        ("781001", "Guwahati", "Kamrup Metro"),
        ("201301", "Noida", "Gautam Buddha Nagar"),
    ],
)
def test_elsewhere_the_district_stands_for_the_city(pincode: str, city: str, district: str) -> None:
    found = place_of_pincode(pincode)
    assert (found.city, found.county.name) == (city, district)


def test_another_city_has_its_own_pincodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings(), "city", "Bengaluru")
    monkeypatch.setattr(settings(), "city_pincodes", ("560",))
    assert place_of_pincode("560001").city == "Bengaluru"
    assert place_of_pincode("500001").city == "Hyderabad"


def test_how_a_pincode_is_written_makes_no_difference() -> None:
    assert place_of_pincode("\u200e500 032\ufeff") == place_of_pincode("500\u2011032") == place_of_pincode(" 500032\n")
