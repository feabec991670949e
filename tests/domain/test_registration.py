"""Numbers on a vehicle's papers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.registration import STATE_CODES, chassis_number, engine_number, rc_number, rc_part

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
        "",
        "1234",
        "XX09EA1234",
        "TS00EA1234",
        "TS09EA0000",
        "TS09EI1234",
        "TS09OA1234",
        "TS09EA12345",
        "TS09ABCD1234",
        "TS091234",
        "22BH0000A",
        "XXVAAA1234",
        "TSVAA1234",
        "TSVAAA0000",
        "T1326TS0123AB",
        "T0026TS0123A",
        "T0826XX0123A",
        "T0826TS0000A",
        "T0826TS0123",
        "22BH123A",
        "22BH1234I",
        "22BH1234ABC",
        "2BH1234A",
        "TS०९EA1234",
        "TS09EA1234; DROP TABLE vehicle",
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


def test_chassis_numbers() -> None:
    assert chassis_number("me4 jf50-cfkt 123456") == "ME4JF50CFKT123456"


@pytest.mark.parametrize("written", ["ME4JF50CFKT12345", "ME4JF50CFKT1234567", "ME4JF50CFKTI23456", "", "O" * 17])
def test_impossible_chassis_numbers_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="17 characters"):
        chassis_number(written)


def test_engine_numbers() -> None:
    assert engine_number("jf50e-t 12/34567") == "JF50E-T12/34567"


@pytest.mark.parametrize("written", ["", "1234", "A" * 21, "JF50E_T123", "ЖF50E123"])
def test_impossible_engine_numbers_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="5 to 20"):
        engine_number(written)


def test_other_numbers_lose_what_nobody_sees_too() -> None:
    assert chassis_number("ME4\u200bJF50\u2011CFKT123456\ufeff") == "ME4JF50CFKT123456"
    assert engine_number("JF50E\u2010T\u00ad12\u200e34567") == "JF50E-T1234567"
