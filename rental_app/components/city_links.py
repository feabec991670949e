"""The grid of links to the localities' pages, on top of the home page's footer."""

import reflex as rx

from rental_app.components.react.served import served
from rental_app.components.theme import CONTAINER
from rental_app.content.marketing import CITIES_TITLE
from rental_app.states.city import CityLinksState

_LINK = "inline-block py-1 text-white/80 no-underline hover:text-white hover:underline"
# As tall as the grid of a dozen localities, so that nothing moves when they arrive.
_HEIGHT = "min-h-84 sm:min-h-40 lg:min-h-27"


def city_links() -> rx.Component:
    """Four columns of 'Bike on rent in ...'."""
    return rx.el.nav(
        rx.el.h2(CITIES_TITLE, class_name="text-xl font-bold text-white"),
        served(
            "cities",
            rx.Var.create(CityLinksState.links).length() > 0,
            _links(),
            rx.el.div(class_name=f"{_HEIGHT} mt-4"),
        ),
        class_name=f"{CONTAINER} pt-8 sm:pt-12",
        custom_attrs={"aria-label": CITIES_TITLE},
    )


def _links() -> rx.Component:
    return rx.el.ul(
        rx.foreach(
            CityLinksState.links,
            lambda link: rx.el.li(rx.el.a(link.text, href=link.href, class_name=_LINK), key=link.href),
        ),
        class_name=f"{_HEIGHT} mt-4 grid list-none grid-cols-2 content-start gap-x-6 gap-y-1 p-0 sm:grid-cols-4",
    )
