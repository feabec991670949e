"""The pages for addresses at which there is nothing."""

import reflex as rx

from rental_app.web.frame.public import layout
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.theme import CONTAINER, PAGE_TITLE
from rental_app.web.session.base import SessionState

_TITLE = heads.name("/404")


def not_found_for_vendors() -> rx.Component:
    """No such page in the vendor area: in the vendor's frame, unless the user turns out not to be a vendor."""
    in_frame = vendor_layout(_TITLE, _nothing(link_button("Go to the dashboard", "/vendor")))
    is_a_stranger = SessionState.ready & ~SessionState.is_staff & (SessionState.problem == "")
    return rx.cond(is_a_stranger, not_found(), in_frame)


def not_found() -> rx.Component:
    """No such page."""
    return layout(nothing_here())


def nothing_here() -> rx.Component:
    """What a page of the shop says when there is nothing at its address."""
    ways_on = link_button("Go to the home page", "/"), link_button("See all vehicles", "/vehicles", "quiet")
    title = rx.el.h1(_TITLE, class_name=f"{PAGE_TITLE} mb-6")
    return rx.el.div(title, _nothing(*ways_on), class_name=f"{CONTAINER} pt-8")


def _nothing(*ways_on: rx.Component) -> rx.Component:
    return notice("There is nothing at this address", "The page may have moved, or the link may be mistyped.", *ways_on)
