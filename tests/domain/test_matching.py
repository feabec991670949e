"""What the words of a text mean, whatever the text."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from rental_app.domain.matching import Label, index, meant, pieces

LABELS = (
    Label("model", ("Yamaha R15 V4", "Motorcycle"), ("Manual",)).called({"R15": ("आर 15",), "Motorcycle": ("bike",)}),
    Label("model", ("Bajaj Pulsar 150", "Motorcycle"), ("Semi-Automatic",)).called({"Motorcycle": ("bike",)}),
    Label("model", ("Maruti Suzuki Dzire", "Sedan"), ("Automatic", "Swift Dzire")),
    Label("place", ("HITEC City",)),
    Label("color", ("Pearl White",)),
)
KNOWN = index(LABELS, ("on rent", "in"), ("or",))


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("r 15", [{0}]),
        ("R-15 v4", [{0}]),
        ("15", [{0}]),
        ("150", [{1}]),
        ("5", [set()]),
        ("ulsar", [{1}]),
        ("sar", [set()]),
        ("swift dzire", [{2}]),
        ("dzire swift", [{2}, {2}]),
        ("automatic", [{2}]),
        ("semi automatic", [{1}]),
        ("white", [{4}]),
        ("hitec", [{3}]),
        ("bikes on rent in hitec city", [{0, 1}, {3}]),
        ("yamaha or bajaj", [{0, 1}]),
        ("yamaha or white", [{0}, {4}]),
        ("yamaha or bike", [{0}, {0, 1}]),
        ("yamaha bajaj", [{0}, {1}]),
        ("आर १५", [{0}]),
        ("on rent", []),
        ("bike zeppelin", [{0, 1}, set()]),
        (" -- ", [set()]),
        ("&", [set()]),
    ],
)
def test_what_a_text_asks_for(text: str, labels: list[set[int]]) -> None:
    assert [set(found) for found in meant(KNOWN, text)] == labels


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    for found in meant(KNOWN, text):
        assert found <= {*range(len(LABELS))}
    assert all(pieces(text))


@given(st.sampled_from(range(len(LABELS))), st.sampled_from((" ", "", "-", ". ", "\u200c", "  ")))
def test_every_label_is_found_by_what_it_says_however_it_is_written(number: int, between: str) -> None:
    label = LABELS[number]
    for text in (*label.facts, *label.whole):
        written = between.join(text.upper().split())
        assert all(number in found for found in meant(KNOWN, written)), written
