"""What listing a vehicle brings its owner, and the way to start."""

import reflex as rx

from rental_app.content import marketing
from rental_app.content.marketing import Point
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.login_dialog import opens_vendor_sign_up
from rental_app.web.frame.public import layout
from rental_app.web.parts.button import button
from rental_app.web.parts.links import link_button
from rental_app.web.parts.picture import picture
from rental_app.web.parts.presenters.texts import fill
from rental_app.web.parts.theme import BLOCK_TITLE, CONTAINER, HEADLINE, MUTED, PANEL, SECTION_TITLE, STAGE
from rental_app.web.session.base import SessionState


def list_your_vehicle() -> rx.Component:
    """Earnings, what is needed, how it works, and the sign-up."""
    return layout(
        rx.el.section(
            rx.el.div(
                rx.el.div(
                    rx.el.h1(marketing.LISTER.title, class_name=HEADLINE),
                    rx.el.p(marketing.LISTER.text, class_name=f"{MUTED} mt-4 max-w-xl text-lg"),
                    _way_in(),
                ),
                picture("sport", "orange", "h-auto w-full", loading="eager"),
                class_name=f"{CONTAINER} grid items-center gap-8 py-10 md:grid-cols-2",
            ),
            class_name=STAGE,
        ),
        _section("What it brings", marketing.LISTING_BRINGS, "lg:grid-cols-4"),
        _section("How it works", marketing.LISTING_STEPS, "md:grid-cols-3"),
        rx.el.section(
            rx.el.h2("Have at hand", class_name=SECTION_TITLE),
            rx.el.ul(
                *[rx.el.li(text) for text in marketing.LISTING_NEEDS],
                class_name="mt-4 list-disc space-y-2 pl-6 leading-7",
            ),
            rx.el.h2("To sell, or to buy", class_name=f"{SECTION_TITLE} mt-10"),
            rx.el.p(
                fill(marketing.LISTING_SALES),
                " Write to ",
                rx.el.a(
                    settings().support_email,
                    href=f"mailto:{settings().support_email}",
                    class_name="text-(--accent-11) underline wrap-anywhere",
                ),
                ".",
                class_name="mt-4 max-w-prose leading-7",
            ),
            class_name=f"{CONTAINER} mt-14",
        ),
    )


def _way_in() -> rx.Component:
    """A visitor signs up, a vendor adds a vehicle, a customer has the wrong kind of account."""
    return rx.el.div(
        rx.cond(
            SessionState.is_vendor,
            link_button("Add a vehicle", "/vendor/add-vehicle", "warm"),
            rx.cond(
                SessionState.logged_in,
                rx.el.p(
                    "You are logged in as a customer. Listing needs a vendor's account: log out and sign up with"
                    " another email, or write to us.",
                ),
                button("Sign up as a vendor", variant="warm", custom_attrs=opens_vendor_sign_up()),
            ),
        ),
        class_name="mt-7 min-h-10",
    )


def _section(title: str, points: tuple[Point, ...], columns: str) -> rx.Component:
    return rx.el.section(
        rx.el.h2(title, class_name=SECTION_TITLE),
        rx.el.ul(
            *[
                rx.el.li(
                    rx.el.h3(point.title, class_name=BLOCK_TITLE),
                    rx.el.p(fill(point.text), class_name=f"{MUTED} mt-1 leading-7"),
                    class_name=f"{PANEL} p-6",
                )
                for point in points
            ],
            class_name=f"mt-6 grid list-none gap-5 p-0 sm:grid-cols-2 {columns}",
        ),
        class_name=f"{CONTAINER} mt-14",
    )
