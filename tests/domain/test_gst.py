"""GST numbers."""

import pytest
from stdnum import luhn

from rental_app.domain.gst import gst_number

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def number_in(state: str) -> str:
    """Return a number of a state, with its check digit."""
    bare = f"{state}AAPFU0939F1Z"
    return bare + str(luhn.calc_check_digit(bare, ALPHABET))


@pytest.mark.parametrize("state", [*(f"{number:02}" for number in range(1, 39)), "97", "99"])
def test_every_state_has_numbers(state: str) -> None:
    assert gst_number(number_in(state)) == number_in(state)


def test_how_it_is_copied_makes_no_difference() -> None:
    assert gst_number("\u200e27 aapfu\u20110939f\u200b1zv\ufeff") == "27AAPFU0939F1ZV"


@pytest.mark.parametrize(
    "written", [number_in("00"), number_in("39"), "27AAPFU0939F1ZO", "27AAPFU0939F0ZV", "27AAPFU0939F1Z", "GSTIN"]
)
def test_what_is_none(written: str) -> None:
    with pytest.raises(ValueError, match="not a valid GST number"):
        gst_number(written)
