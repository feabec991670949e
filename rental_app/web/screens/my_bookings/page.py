"""A customer's bookings."""

import reflex as rx

from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.public import layout
from rental_app.web.parts.badges import status_badge
from rental_app.web.parts.button import button
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import failure, notice, unless_unknown
from rental_app.web.parts.picture import picture
from rental_app.web.parts.presenters.bookings import COMING, DONE, ENDED, LATE, ON_ROAD, PARTS, WAITING, BookingCard
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.theme import BUTTON, CONTAINER, LIST, MUTED, PAGE_TITLE, PANEL, SECTION_TITLE, SKELETON, STAGE
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
                ~SessionState.ready | (SessionState.logged_in & MyBookingsState.loading),
                rx.el.div(
                    *[rx.el.div(class_name=f"{SKELETON} mb-4 h-28") for _ in range(3)],
                    class_name=LIST,
                    custom_attrs={"aria-hidden": "true"},
                ),
                rx.cond(
                    SessionState.logged_in,
                    rx.fragment(rx.foreach(MyBookingsState.for_number, _for_number), _own()),
                    unless_unknown(
                        notice(
                            "Log in to see your bookings",
                            "Your bookings are kept with your account.",
                            button("Log in", variant="primary", custom_attrs=opens_login(MY_BOOKINGS)),
                        )
                    ),
                ),
            ),
            rx.cond(SessionState.logged_in, heartbeat(MyBookingsState.refresh)),
            # The footer stays off screen, and so does not visibly move, however many bookings are loaded.
            class_name=f"{CONTAINER} min-h-screen pt-8",
        )
    )


PAST = PARTS[-1]
_CHIP = (
    "relative inline-flex min-h-10 cursor-pointer items-center gap-2 rounded-full border border-(--gray-a7)"
    " bg-(--surface) px-4 text-sm font-medium has-checked:border-(--accent-9) has-checked:bg-(--accent-a3)"
    " has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--brand)"
)
# Whether a part is past, and the chip that hides it.
_HIDDEN_BY = {
    True: "mb-8 group-has-[#shown-coming:checked]/list:hidden",
    False: "mb-8 group-has-[#shown-past:checked]/list:hidden",
}
_TITLE = "inline-block py-0.5 font-bold text-(--ink) sm:text-lg"
_NEW = "absolute top-1 left-1 rounded-md bg-(--marigold) px-1.5 text-xs font-bold text-[#2b1c00]"
# On a phone the stage and the action stand below picture and facts, on a desk beside them.
_ROW = (
    "grid grid-cols-[4.75rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 py-4"
    # On half a phone everything below each other.
    " max-[17.5rem]:*:col-span-full"
    " lg:grid-cols-[4.75rem_minmax(0,1fr)_minmax(0,20rem)_9rem] lg:gap-x-6"
)
# A time is not parted from its AM or PM where a line has room for all of it.
_WHOLE = "inline-block"
_WORDS = "flex gap-2 text-sm font-semibold"
_ACT = "max-w-full text-sm max-sm:px-4"


def _for_number(booking: rx.Var[Link]) -> rx.Component:
    """A booking that a vendor made for the account's number: only the account's owner can say that it is theirs."""
    return rx.el.section(
        rx.el.div(
            rx.el.p("A booking was made for your number", class_name="font-semibold"),
            rx.el.p(booking.text),
            rx.el.p(booking.note, class_name=f"{MUTED} text-sm"),
            class_name="min-w-0",
        ),
        button(
            "Add it",
            rx.el.span(f" to your bookings: {booking.text}", class_name="sr-only"),
            on_click=MyBookingsState.add(booking.href),
        ),
        key=booking.href,
        class_name=f"{PANEL} mb-4 flex flex-wrap items-center justify-between gap-3 p-4",
        custom_attrs={"aria-label": "A booking for your number"},
    )


def _own() -> rx.Component:
    return rx.cond(
        MyBookingsState.bookings,
        rx.el.div(
            rx.cond(
                MyBookingsState.parts.contains(PAST) & (MyBookingsState.parts.length() > 1),
                rx.el.fieldset(
                    rx.el.legend("Show", class_name="sr-only"),
                    _chip("all", "All", MyBookingsState.total),
                    _chip("coming", "Coming up", MyBookingsState.ahead),
                    _chip("past", "Past", MyBookingsState.total - MyBookingsState.ahead),
                    class_name="m-0 mb-6 flex flex-wrap gap-2 border-0 p-0",
                ),
            ),
            *[rx.cond(MyBookingsState.parts.contains(part), _part(part)) for part in PARTS],
            rx.cond(
                rx.Var.create(MyBookingsState.bookings).length() < MyBookingsState.total,
                button("Show more", on_click=MyBookingsState.show_more),
            ),
            class_name="group/list",
        ),
        rx.cond(
            MyBookingsState.problem,
            failure("Your bookings could not be loaded", MyBookingsState.problem, MyBookingsState.load),
            notice(
                "No bookings yet",
                "Find a vehicle near you, choose your dates and book it in a minute.",
                link_button("Find a vehicle", "/vehicles"),
                drawing=picture("scooter", "blue", "mx-auto h-28 w-auto"),
            ),
        ),
    )


def _chip(name: str, label: str, count: rx.Var[int]) -> rx.Component:
    radio = rx.el.input(
        type="radio", name="shown", id=f"shown-{name}", default_checked=name == "all", class_name="sr-only"
    )
    number = rx.el.span(count, class_name=f"{MUTED} font-normal tabular-nums")
    return rx.el.label(radio, label, number, html_for=f"shown-{name}", class_name=_CHIP)


def _part(part: str) -> rx.Component:
    return rx.el.section(
        rx.el.h2(part, class_name=f"{SECTION_TITLE} mb-1"),
        rx.el.ul(
            rx.foreach(
                MyBookingsState.bookings,
                lambda card: rx.cond(card.part == part, rx.el.li(_booking(booking=card), key=card.id)),
            ),
            class_name=LIST,
        ),
        class_name=_HIDDEN_BY[part == PAST],
    )


@rx.memo
def _booking(booking: rx.Var[BookingCard]) -> rx.Component:
    """A row: what was booked and when, how far it is in words, and the one action that fits."""
    return rx.el.article(
        rx.el.div(
            rx.el.img(
                src=booking.image,
                alt="",
                custom_attrs={"width": "640", "height": "400"},
                loading="lazy",
                class_name="h-15 w-19 rounded-xl object-cover",
            ),
            rx.cond(booking.is_new, rx.el.span("New", class_name=_NEW)),
            class_name=f"relative self-start overflow-hidden rounded-xl {STAGE}",
        ),
        rx.el.div(
            rx.el.div(
                rx.el.h3(rx.el.a(booking.title, href=booking.href, class_name=_TITLE), class_name="min-w-0"),
                status_badge(booking.status),
                class_name="flex items-start justify-between gap-2 max-[17.5rem]:flex-wrap",
            ),
            rx.el.p(f"{booking.subtitle} · {booking.location}", class_name=f"{MUTED} text-sm"),
            rx.el.p(
                rx.el.span("Pickup ", class_name="sr-only"),
                rx.el.span(
                    booking.pickup,
                    rx.el.span(" to ", class_name="sr-only"),
                    rx.el.span(" –", custom_attrs={"aria-hidden": "true"}),
                    class_name=_WHOLE,
                ),
                " ",
                rx.el.span("return ", class_name="sr-only"),
                rx.el.span(booking.return_at, class_name=_WHOLE),
                class_name="text-sm text-(--ink)",
            ),
            class_name="col-span-2 min-w-0 wrap-anywhere lg:col-span-1",
        ),
        rx.el.div(_stage(booking), class_name="col-span-2 min-w-0 lg:col-span-1"),
        _act(booking),
        class_name=_ROW,
    )


def _stage(booking: rx.Var[BookingCard]) -> rx.Component:
    icon = "mt-0.5 shrink-0"
    return rx.el.div(
        rx.el.p(
            rx.match(
                booking.look,
                (ON_ROAD, rx.icon("route", size=18, class_name=icon)),
                (LATE, rx.icon("alarm-clock", size=18, class_name=icon)),
                (WAITING, rx.icon("hourglass", size=18, class_name=icon)),
                (COMING, rx.icon("calendar-days", size=18, class_name=icon)),
                (DONE, rx.icon("check-check", size=18, class_name=icon)),
                rx.icon("ban", size=18, class_name=icon),
            ),
            rx.el.span(booking.stage, class_name="min-w-0 text-balance"),
            class_name=rx.match(
                booking.look,
                (ON_ROAD, f"{_WORDS} text-(--green-12)"),
                (LATE, f"{_WORDS} text-(--red-11)"),
                (WAITING, f"{_WORDS} text-(--amber-12)"),
                (ENDED, f"{_WORDS} text-(--muted)"),
                f"{_WORDS} text-(--accent-11)",
            ),
        ),
        rx.el.p(
            rx.el.strong(booking.price, class_name="text-(--ink) tabular-nums"),
            " · ",
            rx.el.span(f"booked {booking.created_at}", class_name=_WHOLE),
            class_name=f"{MUTED} pl-6.5 text-sm",
        ),
        rx.cond(booking.money, rx.el.p(booking.money, class_name="pl-6.5 text-sm font-medium")),
    )


def _act(booking: rx.Var[BookingCard]) -> rx.Component:
    """The action of a row, filled if the customer has to do something today."""
    return rx.el.a(
        booking.action,
        rx.el.span(f" booking {booking.ref}", class_name="sr-only"),
        href=booking.action_href,
        class_name=rx.cond(booking.urgent, f"{BUTTON['primary']} {_ACT}", f"{BUTTON['quiet']} {_ACT}"),
    )
