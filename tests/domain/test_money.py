"""Paise inside, rupees outside."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import format_rupees, grouped, plain_kilometres, read_rupees, to_paise, to_rupees
from rental_app.services.trips.readings import require_at_least

PAISE = st.integers(0, 10**12)


@pytest.mark.parametrize(
    ("rupees", "paise"), [("0", 0), ("1", 100), ("49.5", 4950), ("0.004", 0), ("0.005", 1), ("1.115", 112)]
)
def test_rupees_to_paise_rounds_half_a_paisa_up(rupees: str, paise: int) -> None:
    assert to_paise(Decimal(rupees)) == paise


@given(PAISE)
def test_paise_survive_the_wire(paise: int) -> None:
    assert to_paise(Decimal(str(to_rupees(paise)))) == paise


def test_whole_rupees_are_whole_numbers_on_the_wire() -> None:
    assert repr(to_rupees(120_000)) == "1200"
    assert repr(to_rupees(4_950)) == "49.5"


@pytest.mark.parametrize(
    ("paise", "text"),
    [
        (0, "₹0"),
        (5, "₹0.05"),
        (4_950, "₹49.50"),
        (99_900, "₹999"),
        (120_000, "₹1,200"),
        (1_234_567_890, "₹1,23,45,678.90"),
        (-120_050, "-₹1,200.50"),
    ],
)
def test_rupees_are_grouped_the_indian_way(paise: int, text: str) -> None:
    assert format_rupees(paise) == text
    assert grouped(1_234_567) == "12,34,567"


@given(st.integers(-(10**12), 10**12))
def test_grouping_loses_nothing_and_leaves_groups_of_two_before_the_last_three(paise: int) -> None:
    text = format_rupees(paise)
    assert to_paise(Decimal(text.replace("₹", "").replace(",", ""))) == paise
    first, *others = text.lstrip("-₹").split(".")[0].split(",")
    assert [len(group) for group in others] == [2] * (len(others) - 1) + [3] * bool(others)
    assert 1 <= len(first) <= (2 if others else 3)


@pytest.mark.parametrize(
    ("text", "rupees"),
    [
        ("450", "450"),
        (" 4.50 ", "4.50"),
        (".5", "0.5"),
        ("12,345", "12345"),
        ("1,20,000.75", "120000.75"),
        ("1,234,567", "1234567"),
        ("₹450", "450"),
        ("₹ 1,20,000/-", "120000"),
        ("Rs 450", "450"),
        ("rs.450 /-", "450"),
        ("INR 12,345", "12345"),
        ("-5", "-5"),
    ],
)
def test_rupees_are_read_as_people_write_them(text: str, rupees: str) -> None:
    assert read_rupees(text) == Decimal(rupees)


@pytest.mark.parametrize(
    "text",
    ["", "Rs", "much", "1,50", "12,34", "1,2,345", ",450", "1_000", "1e3", "NaN", "450 Rs 5", "$450", "٤٥٠", "4.5.0"],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Enter an amount in rupees"):
        read_rupees(text)


@pytest.mark.parametrize("text", ["9491", " 9,491 ", "9,491 km", "9491km", "9,491 Kms"])
def test_kilometres_are_read_as_they_are_shown(text: str) -> None:
    assert plain_kilometres(text) == "9491"


@pytest.mark.parametrize("text", ["", "many", "12,34", "-5", "9.5", "9 491", "1_000"])
def test_what_is_no_number_of_kilometres_stays_for_its_field_to_refuse(text: str) -> None:
    assert plain_kilometres(text) == text


def test_an_odometer_that_ran_backwards_is_told_with_indian_grouping() -> None:
    with pytest.raises(InvalidInputError, match=r"below the last reading, 1,25,000 km$"):
        require_at_least(124_999, 125_000, "the last reading")
