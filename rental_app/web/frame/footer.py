"""The bottom of every page of the shop."""

import reflex as rx

from rental_app.content.routes import ROUTES
from rental_app.domain.contacts import phone_link
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.navbar import LINKS
from rental_app.web.parts.fold import fold_arrow, phone_fold
from rental_app.web.parts.links import vendor_site
from rental_app.web.parts.theme import CONTAINER

_LEGAL = tuple((route.foot, route.path) for route in ROUTES if route.foot)
_TITLE = "text-base font-semibold text-white"
_LINK = "inline-block text-white/80 no-underline hover:text-white hover:underline"


def footer(top: rx.Component) -> rx.Component:
    """Links, contact and both offices, below whatever a page puts on top of them."""
    product = settings()
    return rx.el.footer(
        top,
        rx.el.div(
            rx.el.div(
                rx.el.p(product.product_name, class_name="text-xl font-extrabold text-white"),
                rx.el.p(f"Two-wheelers and cars by the day, all over {product.city}.", class_name="mt-2"),
                class_name="hidden sm:block",
            ),
            phone_fold(
                rx.fragment(
                    rx.el.span("Explore, contact, good to know", class_name="font-semibold text-white"),
                    fold_arrow("ml-auto text-white"),
                ),
                rx.el.div(
                    _column("Explore", *[rx.el.a(text, href=href, class_name=_LINK) for text, href in LINKS]),
                    _column(
                        "Contact",
                        rx.el.a(product.support_phone, href=phone_link(product.support_phone), class_name=_LINK),
                        rx.el.a(product.support_email, href=f"mailto:{product.support_email}", class_name=_LINK),
                    ),
                    _column(
                        "Good to know",
                        rx.el.a("List your vehicles", **vendor_site(), class_name=_LINK),
                        *[rx.el.a(text, href=href, class_name=_LINK) for text, href in _LEGAL],
                    ),
                    class_name="grid grid-cols-2 gap-8 py-4 wrap-anywhere sm:grid-cols-3 sm:py-0",
                ),
                look="on-night min-h-10 border-white/20 border-x-0 border-b-0 rounded-none",
            ),
            _offices(),
            class_name=f"{CONTAINER} grid gap-1 pb-4 sm:gap-8 sm:py-12 lg:grid-cols-[1fr_3fr_1fr]",
        ),
        class_name="on-night mt-5 bg-(--night) text-sm sm:mt-16 leading-6 text-white/80",
    )


def _offices() -> rx.Component:
    """The addresses, which a phone has in small print without a title."""
    lines = [rx.el.li(rx.el.address(office, class_name="not-italic")) for office in settings().offices]
    return rx.el.div(
        rx.el.h2("Offices", class_name=f"{_TITLE} max-sm:sr-only"),
        rx.el.ul(*lines, class_name="flex list-none flex-col p-0 max-sm:text-xs sm:mt-2 sm:gap-2"),
    )


def _column(title: str, *items: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.h2(title, class_name=_TITLE),
        rx.el.ul(*[rx.el.li(item) for item in items], class_name="mt-2 flex list-none flex-col gap-2 p-0"),
    )
