"""The grid of links to the localities' pages, on top of the home page's footer."""

import reflex as rx

from rental_app.content.marketing import CITIES_TITLE
from rental_app.web.parts.fold import BARE_LINE, phone_fold
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.theme import CONTAINER
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.home.state import CityLinksState

_LINK = "inline-block py-0.5 text-white/80 no-underline hover:text-white hover:underline"
_COLUMNS = "grid list-none grid-cols-2 content-start gap-x-3 p-0 text-[13px] sm:grid-cols-4 sm:gap-y-1 sm:text-sm"
# As tall as the grid of a dozen localities, so that nothing moves when they arrive.
_HEIGHT = "min-h-28 sm:min-h-40 lg:min-h-27"


def city_links() -> rx.Component:
    """Four columns of 'Bike on rent in ...'."""
    return rx.el.nav(
        rx.el.h2(CITIES_TITLE, class_name="text-xl leading-6.5 font-bold text-white"),
        server_rendered(
            "cities",
            rx.Var.create(CityLinksState.links.shown).length() > 0,
            rx.el.div(
                _grid(CityLinksState.links.shown),
                rx.cond(rx.Var.create(CityLinksState.links.folded).length() > 0, _folded()),
                class_name="mt-1 sm:mt-4",
            ),
            rx.el.div(class_name=f"{_HEIGHT} mt-2 sm:mt-4"),
        ),
        class_name=f"{CONTAINER} pt-3 sm:pt-12",
        custom_attrs={"aria-label": CITIES_TITLE},
    )


def _folded() -> rx.Component:
    line = rx.el.span(CityLinksState.links.fold_line, class_name="text-sm font-semibold")
    return phone_fold(line, _grid(CityLinksState.links.folded, "mt-1 "), look=f"on-night {BARE_LINE} text-(--marigold)")


def _grid(links: rx.Var[list[Link]], extra: str = "") -> rx.Component:
    return rx.el.ul(
        rx.foreach(links, lambda link: rx.el.li(rx.el.a(link.text, href=link.href, class_name=_LINK), key=link.href)),
        class_name=f"{extra}{_COLUMNS}",
    )
