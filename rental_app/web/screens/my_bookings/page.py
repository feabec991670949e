"""A customer's bookings."""

import reflex as rx

from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.public import layout
from rental_app.web.parts.block import stacked
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import failure, notice, unless_unknown
from rental_app.web.parts.presenters.bookings import PARTS, BookingCard
from rental_app.web.parts.status_badge import status_badge
from rental_app.web.parts.theme import BUTTON, CONTAINER, MUTED, PAGE_TITLE, PANEL, SECTION_TITLE, SKELETON, STAGE
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.screens.my_bookings.state import MyBookingsState
from rental_app.web.session.base import SessionState
from rental_app.web.session.login_wanted import MY_BOOKINGS


def my_bookings() -> rx.Component:
    """The user's bookings, nearest first; visitors are asked to log in."""
    return layout(
        rx.el.div(
            rx.el.h1("My Bookings", class_name=f"{PAGE_TITLE} mb-6"),
            rx.cond(
                MyBookingsState.loading | ~SessionState.ready,
                _waiting(),
                rx.cond(SessionState.logged_in, _customer(), unless_unknown(_visitor())),
            ),
            rx.cond(SessionState.logged_in, heartbeat(MyBookingsState.refresh)),
            # The footer stays off screen, and so does not visibly move, however many bookings are loaded.
            class_name=f"{CONTAINER} min-h-screen pt-8",
        )
    )


_TITLE = "inline-block py-0.5 text-lg font-bold text-(--ink)"
_REF = "inline-flex min-h-9 items-center text-sm font-medium text-(--accent-11) underline"
_LIST = "flex list-none flex-col gap-4 p-0"


def _waiting() -> rx.Component:
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} h-96 sm:h-52 lg:h-44") for _ in range(3)],
        class_name=_LIST,
        custom_attrs={"aria-hidden": "true"},
    )


def _customer() -> rx.Component:
    return rx.cond(MyBookingsState.bookings, _bookings(), rx.cond(MyBookingsState.problem, _failed(), _none()))


def _visitor() -> rx.Component:
    return notice(
        "Log in to see your bookings",
        "Your bookings are kept with your account.",
        rx.el.button("Log in", type="button", class_name=BUTTON["primary"], custom_attrs=opens_login(MY_BOOKINGS)),
    )


def _failed() -> rx.Component:
    return failure("Your bookings could not be loaded", MyBookingsState.problem, MyBookingsState.load)


def _none() -> rx.Component:
    return notice(
        "No bookings yet",
        "Find a vehicle near you, choose your dates and book it in a minute.",
        link_button("Find a vehicle", "/vehicles"),
    )


def _bookings() -> rx.Component:
    return rx.fragment(
        *[rx.cond(MyBookingsState.parts.contains(part), _part(part)) for part in PARTS],
        rx.cond(
            rx.Var.create(MyBookingsState.bookings).length() < MyBookingsState.total,
            rx.el.button(
                "Show more", type="button", on_click=MyBookingsState.show_more, class_name=f"{BUTTON['quiet']}"
            ),
        ),
    )


def _part(part: str) -> rx.Component:
    return rx.el.section(
        rx.el.h2(part, class_name=f"{SECTION_TITLE} mb-3"),
        rx.el.ul(
            rx.foreach(
                MyBookingsState.bookings,
                lambda card: rx.cond(card.part == part, rx.el.li(_booking(booking=card), key=card.id)),
            ),
            class_name=_LIST,
        ),
        class_name="mb-8",
    )


@rx.memo
def _booking(booking: rx.Var[BookingCard]) -> rx.Component:
    return rx.el.article(
        rx.el.div(
            rx.el.img(
                src=booking.image,
                alt="",
                custom_attrs={"width": "640", "height": "400"},
                loading="lazy",
                class_name="aspect-[8/5] h-auto w-full object-contain",
            ),
            class_name=f"flex items-center overflow-hidden rounded-xl sm:w-56 sm:shrink-0 {STAGE}",
        ),
        rx.el.div(
            rx.el.div(
                rx.el.h3(rx.el.a(booking.title, href=booking.href, class_name=_TITLE)),
                status_badge(booking.status),
                class_name="flex flex-wrap items-center justify-between gap-2",
            ),
            rx.el.p(f"{booking.subtitle} · {booking.location}", class_name=f"{MUTED} text-sm"),
            rx.el.dl(
                stacked("Pickup", booking.pickup),
                stacked("Return", booking.return_at),
                stacked("Price", booking.price),
                rx.cond(booking.deposit, stacked("Deposit, at pickup", booking.deposit)),
                class_name="mt-3 grid grid-cols-2 gap-3 lg:grid-cols-4",
            ),
            rx.el.div(
                rx.el.p(f"{booking.note}. Booked {booking.created_at}", class_name=f"{MUTED} text-sm"),
                rx.el.a(rx.el.span("Booking ", class_name="sr-only"), booking.ref, href=booking.href, class_name=_REF),
                class_name="mt-3 flex flex-wrap items-center justify-between gap-x-4",
            ),
            class_name="min-w-0 flex-1",
        ),
        class_name=f"{PANEL} flex flex-col gap-4 p-4 sm:flex-row",
    )
