"""How tax is split out of prices that include it, and how papers about it are numbered and spelt out."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain import gst
from rental_app.domain.gst import State, Tax, document_number, financial_year, in_words, split
from tests.support.rows import each

TELANGANA = State("36", "Telangana")
AMOUNTS = st.integers(-(10**11), 10**11)
RATES = st.sampled_from(gst.RATES_BPS)


@each(
    ("paise", "rate", "within", "across"),
    [
        (118_000, 1_800, Tax(100_000, 9_000, 9_000), Tax(100_000, igst=18_000)),
        (105_000, 500, Tax(100_000, 2_500, 2_500), Tax(100_000, igst=5_000)),
        # 15,254.24 of tax: the two halves are equal, and the value takes the paisa that is left.
        (100_000, 1_800, Tax(84_746, 7_627, 7_627), Tax(84_746, igst=15_254)),
        (99_999, 1_800, Tax(84_745, 7_627, 7_627), Tax(84_745, igst=15_254)),
        (1, 1_800, Tax(1), Tax(1)),
        (4, 4_000, Tax(2, 1, 1), Tax(3, igst=1)),
        (0, 1_800, Tax(), Tax()),
        (-118_000, 1_800, Tax(-100_000, -9_000, -9_000), Tax(-100_000, igst=-18_000)),
    ],
)
def test_a_price_is_split_into_value_and_tax(paise: int, rate: int, within: Tax, across: Tax) -> None:
    assert split(paise, rate, same_state=True) == within
    assert split(paise, rate, same_state=False) == across


@given(AMOUNTS, RATES, st.booleans())
def test_the_parts_add_up_to_the_paisa(paise: int, rate: int, same_state: bool) -> None:
    tax = split(paise, rate, same_state=same_state)
    assert tax.total == paise
    assert tax.cgst == tax.sgst
    assert (tax.igst == 0) if same_state else (tax.cgst == 0)
    # No further from the exact tax than rounding takes it: half a paisa, or half a paisa for each half.
    exact = paise * rate / (gst.BPS + rate)
    assert abs(paise - tax.taxable - exact) <= 1 + abs(paise) * 1e-12


@given(AMOUNTS, RATES, st.booleans())
def test_what_is_taken_back_has_the_tax_of_what_it_takes_back(paise: int, rate: int, same_state: bool) -> None:
    assert split(paise, rate, same_state=same_state) + split(-paise, rate, same_state=same_state) == Tax()


@each(
    ("customers", "place"),
    [
        ("Telangana", "36"),
        (" TELANGANA ", "36"),
        ("Karnataka", "29"),
        ("Jammu & Kashmir", "01"),
        ("The Dadra And Nagar Haveli And Daman And Diu", "26"),
        ("Andhra Pradesh", "37"),
        ("", "36"),
        ("Atlantis", "36"),
    ],
)
def test_a_rental_is_supplied_where_its_customer_lives_or_else_at_the_vendors(customers: str, place: str) -> None:
    assert gst.place_of_supply(TELANGANA, customers).code == place


def test_states_of_numbers_and_their_own_taxes() -> None:
    assert gst.state_of("36AQTPR4817K1Z1").text == "Telangana (36)"
    assert gst.state_of("36AQTPR4817K1Z1").own_tax == "SGST"
    assert gst.state_of("04AQTPR4817K1Z1").own_tax == "UTGST"


@each("kind", "rental extra discount extension late kilometres cancellation other".split())
def test_the_rental_and_what_it_took_longer_or_further_is_taxed(kind: str) -> None:
    assert gst.is_taxed(kind)


@each("kind", "speeding damage challan toll".split())
def test_compensation_and_what_is_passed_on_is_not_taxed(kind: str) -> None:
    assert not gst.is_taxed(kind)


@each(
    ("at", "year"),
    [
        ("2027-03-31T23:59:59.999999+05:30", 2026),
        ("2027-04-01T00:00:00+05:30", 2027),
        # In London it is still March.
        ("2027-03-31T18:30:00+00:00", 2027),
        ("2027-03-31T18:29:59+00:00", 2026),
        ("2026-12-31T23:59:59+05:30", 2026),
    ],
)
def test_a_financial_year_begins_on_the_first_of_april_in_india(at: str, year: int) -> None:
    assert financial_year(datetime.fromisoformat(at)) == year


@each(
    ("prefix", "year", "number", "printed"),
    [
        ("", 2026, 1, "26-27/0001"),
        ("CN/", 2026, 42, "CN/26-27/0042"),
        ("DN/", 2099, 12_345, "DN/99-00/12345"),
        ("CN/", 2026, 9_999_999, "CN/26-27/9999999"),
    ],
)
def test_numbers_of_papers(prefix: str, year: int, number: int, printed: str) -> None:
    assert document_number(prefix, year, number) == printed


@given(st.sampled_from(["", "CN/", "DN/"]), st.integers(2000, 2100), st.integers(1, 9_999_999))
def test_numbers_fit_the_rules_and_say_their_year(prefix: str, year: int, number: int) -> None:
    printed = document_number(prefix, year, number)
    assert len(printed) <= 16
    assert set(printed) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-/")
    assert int(printed.rpartition("/")[2]) == number


def test_a_number_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="16 characters"):
        document_number("CN/", 2026, 10_000_000)


@each(
    ("paise", "words"),
    [
        (0, "Rupees Zero Only"),
        (100, "Rupees One Only"),
        (50, "Rupees Zero and Fifty Paise Only"),
        (2_119, "Rupees Twenty-One and Nineteen Paise Only"),
        (103_000, "Rupees One Thousand Thirty Only"),
        (11_000_00, "Rupees Eleven Thousand Only"),
        (1_23_456_78, "Rupees One Lakh Twenty-Three Thousand Four Hundred Fifty-Six and Seventy-Eight Paise Only"),
        (10_00_00_000_00, "Rupees Ten Crore Only"),
        (1_00_00_00_00_000_00, "Rupees Ten Thousand Crore Only"),
        (-4_200, "Minus Rupees Forty-Two Only"),
    ],
)
def test_amounts_in_words(paise: int, words: str) -> None:
    assert in_words(paise) == words


VALUES = {word: number for number, word in enumerate(" ".join(gst._ONES).casefold().split())} | {
    word.casefold(): 10 * number for number, word in enumerate(gst._TENS, 2)
}
UNITS = {"hundred": 100, "thousand": 1_000, "lakh": 100_000, "crore": 10_000_000}


def read_back(words: str) -> int:
    """The number that words spell, read from left to right as people do."""
    total = part = 0
    for word in words.casefold().replace("-", " ").split():
        if word not in UNITS:
            part += VALUES[word]
        elif word == "hundred":
            part *= 100
        else:
            total, part = (total + part) * UNITS[word] if word == "crore" else total + part * UNITS[word], 0
    return total + part


@given(st.integers(0, 10**13))
def test_words_say_the_amount(paise: int) -> None:
    rupees, _, rest = in_words(paise).removeprefix("Rupees ").removesuffix(" Only").partition(" and ")
    assert read_back(rupees) * 100 + read_back(rest.removesuffix(" Paise")) == paise
