"""References that were made can be read back, however they are typed."""

from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.references import ALPHABET, new_reference, read_reference
from tests.support.rows import each


def test_a_new_reference_is_read_back() -> None:
    made = {new_reference() for _ in range(500)}
    assert len(made) > 490
    assert all(read_reference(reference) == reference for reference in made)
    assert {letter for reference in made for letter in reference[3:]} == set(ALPHABET)


@each(
    "typed",
    [
        "PH-4X7K21",
        "ph-4x7k21",
        " PH 4X7K2I ",
        "4x7k2l",
        "PH4X7K21",
        "PH\u20114X7K21",
        "\u200ePH\u20134X7K\u00ad21\ufeff",
    ],
)
def test_people_may_type_it_their_way(typed: str) -> None:
    assert read_reference(typed) == "PH-4X7K21"


@each("typed", ["", "PH-", "PH-4X7K2", "PH-4X7K211", "PH-4X7K2U", "XX-4X7K21", "PH-4X7K2\u0661"])
def test_anything_else_is_none(typed: str) -> None:
    assert read_reference(typed) is None


@given(st.text())
def test_no_text_is_too_odd(typed: str) -> None:
    found = read_reference(typed)
    assert found is None or read_reference(found) == found
