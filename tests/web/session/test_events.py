"""Any text sent to a browser arrives, even with Reflex's own markers in it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.web.session import events
from tests.support.within import TAGS, within

PARTS = ["<", ">", "/", "reflex.Var", "<reflex.Var>", "</reflex.Var>", "x", "7", "-1", "-", "\u200b", "\n", "é"]
TEXTS = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=3)), min_size=1).map("".join).filter(bool)
MAKERS = [events.error_toast, events.success_toast, events.info_toast, events.plain_toast, events.redirect]


@pytest.mark.parametrize("make", [*MAKERS, lambda text: events.set_value("city", text)])
@pytest.mark.parametrize("text", TAGS)
def test_no_marker_holds_up_what_is_said(make: Any, text: str) -> None:
    with within(2):
        assert "reflex.Var" in str(make(text).args)


def test_the_same_refusal_is_the_same_toast_unless_it_has_a_name() -> None:
    once, again, other = (str(events.error_toast(text).args) for text in ("No", "No", "Not so"))
    assert once == again
    assert (r'["id"] : "No"' in once, r'["id"] : "Not so"' in other) == (True, True)
    assert r'["id"] : "login"' in str(events.error_toast("No", id="login").args)


@given(TEXTS)
def test_text_only_gains_spaces_of_no_width(text: str) -> None:
    with within(2):
        events.error_toast(text)
    assert events.as_text(text).replace("\u200b", "") == text.replace("\u200b", "")
    if "<reflex.Var>" not in text:
        assert events.as_text(text) == text
