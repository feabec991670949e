"""Links that look like buttons or panels, and links for vendors."""

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.theme import BUTTON, MUTED


def link_button(text: str, href: rx.Var[str] | str, variant: str = "primary") -> rx.Component:
    """A link that looks like a button."""
    return rx.el.a(text, href=href, class_name=BUTTON[variant])


def call_link(phone: rx.Var[str], who: rx.Var[str], extra: str = "") -> rx.Component:
    """A number that calls somebody."""
    return rx.el.a(
        rx.icon("phone", size=14),
        phone,
        href=f"tel:{phone}",
        custom_attrs={"aria-label": f"Call {who}, {phone}"},
        class_name=(
            f"inline-flex min-h-11 items-center gap-1 font-medium text-(--accent-11) md:min-h-6 {extra}".rstrip()
        ),
    )


def other_bookings(links: rx.Var[list[Link]]) -> rx.Component:
    """The bookings before and after one, which are of the same trip."""
    look = "inline-flex min-h-11 items-center font-medium text-(--accent-11) underline"
    return rx.foreach(links, lambda link: rx.el.p(rx.el.a(link.text, href=link.href, class_name=look)))


def bookings_in_the_way(links: rx.Var[list[Link]]) -> rx.Component:
    """Bookings of a vehicle that is to go off: on its page each can be moved to another vehicle, or cancelled."""
    there = rx.foreach(links, lambda link: link_panel(link, "rounded-xl border border-(--gray-a7) p-3"))
    listed = rx.fragment(
        rx.el.p("Open each to move it to another vehicle, or to cancel it:", class_name="text-sm"),
        rx.el.ul(there, class_name="flex list-none flex-col gap-2 p-0"),
    )
    return rx.cond(links, listed)


def link_panel(link: rx.Var[Link], look: str) -> rx.Component:
    """A link in a list that looks like a panel, with its note below."""
    return rx.el.li(
        rx.el.a(
            rx.el.span(link.text, class_name="block font-semibold text-(--ink)"),
            rx.el.span(link.note, class_name=f"{MUTED} text-sm"),
            href=link.href,
            class_name=f"block {look}",
        ),
        key=link.href,
    )


def vendor_site() -> dict[str, str]:
    """Where links for listing vehicles lead: to the vendors' own site in a new tab or, without one, to our page."""
    if url := settings().vendor_site_url:
        return {"href": url, "target": "_blank", "rel": "noopener"}
    return {"href": "/list-your-vehicle"}


def vendor_link(text: str, class_name: str) -> rx.Component:
    """A link for vehicle owners: to the vendors' own site, which opens in another tab, or else to our page."""
    if not settings().vendor_site_url:
        return rx.el.a(text, **vendor_site(), class_name=class_name)
    return rx.el.a(
        text,
        rx.icon("arrow-up-right", size=18),
        rx.el.span("(opens in a new tab)", class_name="sr-only"),
        **vendor_site(),
        class_name=class_name,
    )
