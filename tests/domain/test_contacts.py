"""Mobile numbers as people write and copy them, and the links that call them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.contacts import mobile, phone_link, search_words


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
    "text",
    [
        "+9715012345",
        "+971501234567",
        "9190000010",
        "TS09ZZ1001",
        "TS-09 1001",
        "5000001002",
        "90000010021",
        "90000",
        "+91",
        "",
    ],
)
def test_everything_else_is_looked_for_as_it_is_written(text: str) -> None:
    assert search_words(text) == text.split()


@pytest.mark.parametrize(
    "written",
    [
        *("9000001002", "+91 90000 01002", "+91-90000-01002", "0091 9000001002", "919000001002", "09000001002"),
        *("+91 0 9000001002", "(+91) 90000.01002", "\u202a+91\u00a090000\u201101002\u202c", "900\u200b0001002\ufeff"),
        "\uff0b\uff19\uff11 \uff19000001002",
    ],
)
def test_a_mobile_number_however_it_is_written(written: str) -> None:
    assert mobile(written) == "9000001002"


@pytest.mark.parametrize(
    "written", ["+971 50 123 4567", "00971501234567", "+9715012345", "+1 900 000 1002", "+9000001002"]
)
def test_numbers_of_other_countries_are_refused_and_never_cut(written: str) -> None:
    with pytest.raises(ValueError, match=r"^Enter an Indian mobile number$"):
        mobile(written)


@pytest.mark.parametrize(
    "written", ["", "971501234567", "90000010021", "900000100", "+91 12345", "90000000a1", "5000001002"]
)
def test_what_is_no_mobile_number(written: str) -> None:
    with pytest.raises(ValueError, match="10-digit"):
        mobile(written)


@given(st.from_regex(r"\+?[0-9]{1,16}", fullmatch=True))
def test_a_number_that_is_taken_has_lost_nothing_but_a_prefix(written: str) -> None:
    try:
        taken = mobile(written)
    except ValueError:
        return
    assert written.removesuffix(taken) in {"", "0", "91", "+91", "0091", "910", "+910", "00910"}


def test_links_that_call_have_no_blanks() -> None:
    assert phone_link("+91 40 4567 8900") == phone_link("+91\u00a040-4567 8900") == "tel:+914045678900"
