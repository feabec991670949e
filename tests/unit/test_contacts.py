"""Mobile numbers as people copy them."""

import pytest

from rental_app.rules.contacts import search_words


@pytest.mark.parametrize(
    "copied",
    [
        *("9000001002", "+919000001002", "+91 9000001002", "+91-90000-01002", "+91 90000 01002", "919000001002"),
        *("00919000001002", "09000001002", "0 90000 01002", "90000-01002", "900 000 1002", "91 9000001002"),
    ],
)
def test_a_mobile_number_is_looked_for_as_it_is_stored(copied: str) -> None:
    assert search_words(copied) == ["9000001002"]
    assert search_words(f"asha  {copied} PH-4X7K20") == ["asha", "9000001002", "PH-4X7K20"]


@pytest.mark.parametrize(
    "text", ["9190000010", "TS09ZZ1001", "TS-09 1001", "5000001002", "90000010021", "90000", "+91", ""]
)
def test_everything_else_is_looked_for_as_it_is_written(text: str) -> None:
    assert search_words(text) == text.split()
