"""Which licence covers what, what is stored of numbers, and which texts hold a whole Aadhaar number."""

from datetime import date
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import verhoeff
from stdnum.in_ import aadhaar

from rental_app.domain import identity
from rental_app.domain.identity import LICENCE_CLASSES, LicenceClass
from rental_app.domain.pictures import Shape
from tests.support.identity import WHOLE_AADHAAR
from tests.support.rows import each

CLASSES = st.lists(st.sampled_from(LICENCE_CLASSES), unique=True)
NEEDED = st.sampled_from(LICENCE_CLASSES)
CARS = {"hatchback", "sedan", "suv", "mpv", "electric-car"}
ELEVEN = st.from_regex(r"[2-9][0-9]{10}", fullmatch=True)
# What stands before and after a number in a text.
AROUND = st.text(st.characters(codec="ascii", exclude_characters="0123456789"), max_size=20)


@each(
    ("shape", "transmission", "needed"),
    [
        ("scooter", "Automatic", "MCWOG"),
        ("electric-scooter", "Automatic", "MCWOG"),
        ("commuter", "Manual", "MCWG"),
        ("cruiser", "Manual", "MCWG"),
        # An electric motorcycle has no gears.
        ("sport", "Automatic", "MCWOG"),
        ("hatchback", "Manual", "LMV"),
        ("suv", "Automatic", "LMV"),
        ("electric-car", "Automatic", "LMV"),
    ],
)
def test_the_class_that_a_vehicle_takes(shape: str, transmission: str, needed: str) -> None:
    assert identity.class_needed(shape, transmission) == needed


@pytest.mark.parametrize("shape", get_args(Shape))
@pytest.mark.parametrize("transmission", ["Manual", "Automatic", "Semi-Automatic"])
def test_cars_take_one_class_and_two_wheelers_never_that(shape: str, transmission: str) -> None:
    assert (identity.class_needed(shape, transmission) == "LMV") == (shape in CARS)


@given(CLASSES, NEEDED)
def test_geared_two_wheelers_cover_gearless_ones_and_nothing_else_covers_another(
    classes: list[LicenceClass], needed: LicenceClass
) -> None:
    expected = needed in classes or (needed == "MCWOG" and "MCWG" in classes)
    assert identity.covers(classes, needed) is expected
    assert bool(identity.class_problem(classes, needed, "Honda Activa")) is not expected


@given(CLASSES, NEEDED, NEEDED)
def test_a_further_class_takes_nothing_away(
    classes: list[LicenceClass], more: LicenceClass, needed: LicenceClass
) -> None:
    assert identity.covers([*classes, more], needed) >= identity.covers(classes, needed)


@given(st.dates(date(2020, 1, 1), date(2060, 1, 1)), st.dates(date(2020, 1, 1), date(2060, 1, 1)))
def test_a_licence_holds_to_the_end_of_its_last_day(valid_until: date, last_day: date) -> None:
    assert bool(identity.expiry_problem(valid_until, last_day, "Honda Activa")) is (valid_until < last_day)


def test_what_is_wrong_names_class_vehicle_and_day() -> None:
    problem = identity.class_problem(["MCWOG"], "MCWG", "Royal Enfield Bullet 350")
    assert problem == (
        "Your licence (MCWOG) does not cover the Royal Enfield Bullet 350. It needs: Two-wheeler with gears (MCWG)"
    )
    problem = identity.expiry_problem(date(2026, 12, 3), date(2026, 12, 5), "Honda Dio", "The customer's")
    assert problem == (
        "The customer's licence is valid until Thu 3 Dec 2026, and the Honda Dio comes back on Sat 5 Dec 2026"
    )


@given(ELEVEN, AROUND, AROUND, st.sampled_from(["", " ", "-", "\u00a0"]))
def test_a_whole_aadhaar_is_noticed_in_any_text(digits: str, before: str, after: str, gap: str) -> None:
    number = digits + verhoeff.calc_check_digit(digits)
    written = f"{number[:4]}{gap}{number[4:8]}{gap}{number[8:]}"
    assert identity.has_whole_aadhaar(f"{before}|{written}|{after}") is aadhaar.is_valid(number)
    assert identity.is_like_aadhaar(written)


@each(
    "text",
    [
        "XXXX XXXX 2346",
        # A virtual ID, which masked ones show, the number of a licence, of a card, of an invoice.
        "2341 2341 2346 2345",
        "TS09 20110012345",
        "234123412346234",
        "2341 2341 2345",
        "2341 2341",
    ],
)
def test_what_is_no_whole_aadhaar(text: str) -> None:
    assert not identity.has_whole_aadhaar(text)


@each(
    ("ends", "typed", "stored"),
    [
        (identity.pan_ends, "abcpe 1234f", "234F"),
        # Alone, as the page asks for them.
        (identity.pan_ends, " 234f", "234F"),
        (identity.licence_ends, "2345", "2345"),
        (identity.aadhaar_ends, "XXXX XXXX 2346", "2346"),
        (identity.aadhaar_ends, " 2346 ", "2346"),
        (identity.licence_ends, "ts09 20110012345", "2345"),
        (identity.licence_ends, "TS-09/2011/0012345", "2345"),
    ],
)
def test_of_a_number_only_its_end_is_stored(ends: object, typed: str, stored: str) -> None:
    assert callable(ends)
    assert ends(typed) == stored


@each(
    ("ends", "typed"),
    [
        *((identity.pan_ends, wrong) for wrong in ("", "ABCPE1234", "ABCDE1234F", "1234", "ABCPE12344")),
        *((identity.aadhaar_ends, wrong) for wrong in ("", "234", WHOLE_AADHAAR, "23461", "abcd")),
        *((identity.licence_ends, wrong) for wrong in ("", "234", "234F", "TS", "TS09 ABCDEFG", "TS" + "1" * 30)),
    ],
)
def test_what_is_no_such_number_is_refused(ends: object, typed: str) -> None:
    assert callable(ends)
    with pytest.raises(ValueError, match="Enter"):
        ends(typed)


def test_kinds_in_words() -> None:
    assert identity.names_of(["licence"]) == "driving licence"
    assert identity.names_of(["work", "id"]) == "Government ID and work proof"
    assert identity.names_of(["work", "id", "licence"]) == "Government ID, driving licence and work proof"
