"""Numbers of vehicles and people as they are written and copied: registration, GST, UPI and mobile numbers."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn

from rental_app.domain import money
from rental_app.domain.contacts import mobile, phone_link, search_words
from rental_app.domain.registration import STATE_CODES, chassis_number, engine_number, gst_number, rc_number, rc_part

SERIES = "ABCDEFGHJKLMNPQRSTUVWXYZ"


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("TS09EA1234", "TS09EA1234"),
        ("ts 09 ea 1234", "TS09EA1234"),
        ("ts-9-ea-7", "TS09EA0007"),
        ("DL.3C.AB.1234", "DL03CAB1234"),
        ("22 bh 6517 a", "22BH6517A"),
        ("22BH6517AB", "22BH6517AB"),
        ("TS 09 EA 1234\n", "TS09EA1234"),
        ("\u200eTS\u201109\u2013EA\u00ad\u200b1234\ufeff", "TS09EA1234"),
        ("\uff34\uff330\uff19EA1234", "TS09EA1234"),
        # Vintage vehicles, and those whose registration is temporary.
        ("TS VA AA 1234", "TSVAAA1234"),
        ("dl-va-bc-7", "DLVABC0007"),
        ("T 0826 TS 0123 AB", "T0826TS0123AB"),
        ("T1226MH9999Z", "T1226MH9999Z"),
        ("TS 07 GK TR 1234", "TS07GKTR1234"),
    ],
)
def test_registration_numbers_get_their_one_spelling(written: str, number: str) -> None:
    assert rc_number(written) == number
    assert rc_part(written) == number


@pytest.mark.parametrize(
    ("word", "part"),
    [("ts-09", "TS09"), ("TS-09-ZZ", "TS09ZZ"), ("1001", "1001"), ("-", "-"), ("", ""), ("MT-15", "MT15")],
)
def test_a_part_of_a_registration_number_is_looked_for_without_dashes(word: str, part: str) -> None:
    assert rc_part(word) == part


@pytest.mark.parametrize(
    "written",
    [
        *("", "1234", "XX09EA1234", "TS00EA1234", "TS09EA0000", "TS09EI1234", "TS09OA1234", "TS09EA12345"),
        *("TS09ABCD1234", "TS091234", "22BH0000A", "XXVAAA1234", "TSVAA1234", "TSVAAA0000", "T1326TS0123AB"),
        *("T0026TS0123A", "T0826XX0123A", "T0826TS0000A", "T0826TS0123", "22BH123A", "22BH1234I", "22BH1234ABC"),
        *("2BH1234A", "TS०९EA1234", "TS09EA1234; DROP TABLE vehicle"),
    ],
)
def test_impossible_registration_numbers_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="TS09EA1234"):
        rc_number(written)


@given(
    st.sampled_from(sorted(STATE_CODES)),
    st.integers(1, 99),
    st.text(SERIES, min_size=1, max_size=3),
    st.integers(1, 9999),
    st.sampled_from(["", " ", "-", "."]),
)
def test_every_way_of_writing_a_number_is_the_same_number(
    state: str, office: int, series: str, number: int, between: str
) -> None:
    one_spelling = f"{state}{office:02}{series}{number:04}"
    assert rc_number(between.join((state, str(office), series, str(number)))) == one_spelling
    assert rc_number(one_spelling.lower()) == rc_number(rc_number(one_spelling)) == one_spelling


@given(st.text(max_size=14))
def test_what_is_accepted_is_already_in_its_one_spelling(written: str) -> None:
    try:
        number = rc_number(written)
    except ValueError:
        return
    assert rc_number(number) == number


@pytest.mark.parametrize("written", ["ME4JF50CFKT12345", "ME4JF50CFKT1234567", "ME4JF50CFKTI23456", "", "O" * 17])
def test_impossible_chassis_numbers_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="17 characters"):
        chassis_number(written)


@pytest.mark.parametrize("written", ["", "1234", "A" * 21, "JF50E_T123", "ЖF50E123"])
def test_impossible_engine_numbers_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="5 to 20"):
        engine_number(written)


def test_chassis_and_engine_numbers_have_one_spelling_without_what_nobody_sees() -> None:
    assert chassis_number("me4 jf50-cfkt 123456") == "ME4JF50CFKT123456"
    assert engine_number("jf50e-t 12/34567") == "JF50E-T12/34567"
    assert chassis_number("ME4\u200bJF50\u2011CFKT123456\ufeff") == "ME4JF50CFKT123456"
    assert engine_number("JF50E\u2010T\u00ad12\u200e34567") == "JF50E-T1234567"


ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def number_in(state: str) -> str:
    """Return a number of a state, with its check digit."""
    bare = f"{state}AAPFU0939F1Z"
    return bare + str(luhn.calc_check_digit(bare, ALPHABET))


@pytest.mark.parametrize("state", [*(f"{number:02}" for number in range(1, 39)), "97", "99"])
def test_every_state_has_gst_numbers(state: str) -> None:
    assert gst_number(number_in(state)) == number_in(state)


def test_how_a_gst_number_is_copied_makes_no_difference() -> None:
    assert gst_number("\u200e27 aapfu\u20110939f\u200b1zv\ufeff") == "27AAPFU0939F1ZV"


@pytest.mark.parametrize(
    "written", [number_in("00"), number_in("39"), "27AAPFU0939F1ZO", "27AAPFU0939F0ZV", "27AAPFU0939F1Z", "GSTIN"]
)
def test_what_is_no_gst_number(written: str) -> None:
    with pytest.raises(ValueError, match="not a valid GST number"):
        gst_number(written)


@pytest.mark.parametrize("text", ["kiran@ybl", "kiran.rentals-2@okhdfcbank", "9876543210@paytm", "A_B@Axl2"])
def test_upi_addresses(text: str) -> None:
    assert money.is_upi_address(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "kiran", "kiran@", "@ybl", "kiran@ok.com", "kiran@@ybl", "ki ran@ybl", "kiran@1bank", "k@ybl"),
        *("किरण@ybl", "a\nb@ybl"),
    ],
)
def test_what_is_no_upi_address(text: str) -> None:
    assert not money.is_upi_address(text)


@pytest.mark.parametrize(("paise", "amount"), [(100, "1.00"), (120_005, "1200.05"), (99, "0.99"), (45_050, "450.50")])
def test_a_link_asks_for_the_exact_amount_and_says_what_for(paise: int, amount: str) -> None:
    link = urlsplit(money.upi_link("kiran@ybl", "Kiran & Sons", paise, "PH-ABC234 rent"))
    assert (link.scheme, link.netloc) == ("upi", "pay")
    # Payment apps read a plus sign literally, not as a space.
    assert "+" not in link.query
    assert parse_qs(link.query, strict_parsing=True) == {
        "pa": ["kiran@ybl"],
        "pn": ["Kiran & Sons"],
        "am": [amount],
        "cu": ["INR"],
        "tn": ["PH-ABC234 rent"],
    }


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
        *("+9715012345", "+971501234567", "9190000010", "TS09ZZ1001", "TS-09 1001", "5000001002", "90000010021"),
        *("90000", "+91", ""),
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
