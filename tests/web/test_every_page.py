"""What holds for every part of every page.

Dialogs outlive what they speak of: each says what that is, and so keeps its texts when the server loses it. One that
was lost with the whole page is opened again by its name.
"""

from collections.abc import Iterator
from functools import cache

import pytest
import reflex as rx

from rental_app.web.pages import PAGES
from rental_app.web.parts.page import BoundPage
from rental_app.web.react.browser_draft import _DraftDialog
from rental_app.web.react.modal import _Modal

# Those that a state gives: all others are classes.
STYLES = {"width", "minWidth", "height", "left"}


@cache
def inside(route: str) -> list[rx.Component]:
    """Return all parts of a page."""
    return list(parts(next(page for page in PAGES if page.route == route).build()))


def parts(component: rx.Component) -> Iterator[rx.Component]:
    """Yield a component and all inside it."""
    yield component
    for child in component.children:
        yield from parts(child)


def speaks_of_something(text: rx.Var[str] | None) -> bool:
    """Return whether a text is put together with what a state holds, or is part of it."""
    return "_rx_state_" in str(text) and any(sign in str(text) for sign in ("+", '?.["'))


# Full-screen pages without the frame's dialogs.
WITHOUT_DIALOGS = ("/vendor/new-booking",)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.route)
def test_a_dialog_that_speaks_of_something_says_whether_it_is_there(page: BoundPage) -> None:
    dialogs = [part for part in inside(page.route) if isinstance(part, _Modal)]
    assert bool(dialogs) != (page.route in WITHOUT_DIALOGS)
    for dialog in dialogs:
        texts = (dialog.title, dialog.description)
        assert not any(map(speaks_of_something, texts)) or dialog.about is not None, str(dialog.name)


def test_what_comes_back_after_a_login_is_a_dialog_of_its_page() -> None:
    found = 0
    for page in PAGES:
        names = {str(part.name) for part in inside(page.route) if isinstance(part, _Modal)}
        opened = {str(part.dialog) for part in inside(page.route) if isinstance(part, _DraftDialog)}
        assert opened <= names, page.route
        found += len(opened)
    assert found


def test_no_attribute_becomes_a_style() -> None:
    """Reflex takes what it does not know of an element for a style: `tab_index` of a fieldset, `autocomplete`."""
    for page in PAGES:
        for part in inside(page.route):
            assert STYLES.issuperset(part.style), f"{page.route}: {part}"
