"""Receipts and statements show names in the scripts of Hyderabad, and cost no more than before without them."""

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from rental_app.services.files.pdf import FONT, add_facts, add_table, blank
from tests.support.pdfs import NAMES

MADE, MADE_AT = [*NAMES.values(), "Ramesh"], datetime(2026, 11, 18, tzinfo=UTC)
# Letters of the scripts, joiners, marks of direction, digits, and letters that no font has.
ANY = st.text(
    st.one_of(
        st.sampled_from("  \n\u200c\u200d\u200e\u200f\u202e\u2066\u2069\u061c₹?(-12aŁ漢🙂\ufdfa\ufdfd"),
        *(
            st.characters(min_codepoint=first, max_codepoint=first + 0x7F)
            for first in (0x600, *range(0x900, 0xD80, 0x80))
        ),
    ),
    max_size=40,
)


def page_of(texts: Sequence[str]) -> bytes:
    page = blank("Receipt", "receipt", MADE_AT, "Pahiya")
    add_facts(page, [("Customer", text) for text in texts])
    add_table(page, (60, 60, 30), 1, [("Note", "Name", "Amount"), *((text, "Ramesh", "₹ 1,500") for text in texts)])
    return bytes(page.output())


def fonts_of(page: Any) -> set[str]:
    """Return the fonts that a page embeds, without the letters that tell subsets apart."""
    return {
        font["/BaseFont"].rpartition("+")[2]
        for font in (one.get_object() for one in page["/Resources"]["/Font"].values())
    }


@pytest.mark.parametrize("script", NAMES)
def test_a_name_is_shown_in_its_script_and_shaped_apart_from_what_is_around_it(script: str) -> None:
    printed: dict[str, str] = {}

    def note(text: str, _matrix: Any, _text_matrix: Any, font: Any, _size: Any) -> None:
        printed[text.strip()] = str((font or {}).get("/BaseFont"))

    page = PdfReader(io.BytesIO(page_of([f"₹1,150 held by {NAMES[script]}, back"]))).pages[0]
    text = page.extract_text(visitor_text=note)
    assert ("?" in text, text.count("1,500")) == (False, 1)
    assert len(fonts_of(page)) == 3, "two weights of ours, one for the script"
    of_latin, of_ours = ({font for text, font in printed.items() if word in text} for word in ("held by", "Ramesh"))
    assert of_latin == of_ours != set()
    assert joins(script)


def joins(script: str) -> bool:
    """Return whether the letters of a name take another width together than one by one."""
    page = blank("Receipt", "receipt", MADE_AT, "Pahiya")
    add_facts(page, [("Customer", NAMES[script])])
    page.set_font(script, "", 10)
    joined = page.get_string_width(NAMES[script])
    page.set_text_shaping(False)
    return bool(joined != pytest.approx(page.get_string_width(NAMES[script]), rel=0.01))


def test_what_follows_a_name_stays_in_its_own_font() -> None:
    texts = [*NAMES.values(), "రమేష్ Kumar, राम & முரளி 12", "Mohd. قریشی, 4-5/A"]
    text = PdfReader(io.BytesIO(page_of(texts))).pages[0].extract_text()
    assert text.count("Ramesh") == text.count("1,500") == len(texts)
    assert "?" not in text


def test_the_same_page_is_the_same_file_in_every_process() -> None:
    """Whatever a process seeds its hashes with, and in all scripts."""
    draw = f"import sys; from {__name__} import MADE, page_of; sys.stdout.buffer.write(page_of(MADE))"
    files = {
        subprocess.run(
            [sys.executable, "-c", draw], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert files == {page_of(MADE)}


def test_letters_of_no_font_become_question_marks() -> None:
    assert "Li ??, Hyderabad" in PdfReader(io.BytesIO(page_of(["Li 漢字, Hyderabad"]))).pages[0].extract_text()


def test_other_pages_load_neither_fonts_nor_the_shaping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uharfbuzz", None)
    page = blank("Receipt", "receipt", MADE_AT, "Pahiya")
    add_facts(page, [("Customer", "Ramesh Kumar, Łódź 漢")])
    assert {name.rstrip("B") for name in page.fonts} == {FONT.lower()}
    assert page.text_shaping is None


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(st.lists(ANY, min_size=1, max_size=3))
def test_any_mixture_can_be_printed(texts: list[str]) -> None:
    assert PdfReader(io.BytesIO(page_of(texts))).pages[0].extract_text().count("Ramesh") == len(texts)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(ANY, ANY, ANY), min_size=2, max_size=4))
def test_a_table_of_any_mixtures_can_be_printed(rows: list[tuple[str, str, str]]) -> None:
    """Rows whose texts fit one by one have failed beside each other."""
    page = blank("Receipt", "receipt", MADE_AT, "Pahiya")
    add_table(page, (60, 60, 30), 1, [("Note", "Name", "Amount"), *rows, ("", "Ramesh", "")])
    assert "Ramesh" in PdfReader(io.BytesIO(bytes(page.output()))).pages[-1].extract_text()
