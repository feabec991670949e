"""The frame around the console: sidebar with counts, search for everything, and who may see it at all."""

from typing import Any

import reflex as rx

from rental_app.services.accounts.operators import SECOND_STEP_REQUIRED
from rental_app.web.frame.frame import BAR, content, frame
from rental_app.web.frame.person_menu import person_menu
from rental_app.web.frame.plain_pages import not_found
from rental_app.web.frame.public import layout
from rental_app.web.frame.shell import (
    CLOSES_MORE,
    COLUMNS,
    MORE_LINK,
    SIDE_LINK,
    TOP_BUTTON,
    Entry,
    foot_bar,
    more_link,
    side_menu,
    sidebar,
)
from rental_app.web.operator.parts import FILLED, REFUSE, question
from rental_app.web.operator.state import READ_ONLY, ConsoleState
from rental_app.web.parts.dialogs import answers
from rental_app.web.parts.field import field
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice
from rental_app.web.parts.theme import CONTAINER, SKELETON
from rental_app.web.react.modal import modal, opens
from rental_app.web.react.shortcuts import on_key, shortcuts
from rental_app.web.session.base import SessionState
from rental_app.web.session.operator_auth import OUT, STEP, UNKNOWN, OperatorDoorState

CATALOGUE = {
    "models": "Models",
    "manufacturers": "Manufacturers",
    "types": "Types",
    "locations": "Localities",
    "offers": "Offers",
}


def _is_in(href: str) -> rx.Var[bool]:
    """Whether the page shown is an entry's, or one below it."""
    path = rx.State.router.url.path + "/"
    if href == "/operator":
        return path.replace("//", "/") == "/operator/"
    if href.rpartition("/")[2] in CATALOGUE:
        is_one = rx.Var.create(False)
        for name in CATALOGUE:
            is_one = is_one | path.startswith(f"/operator/{name}/")
        return is_one
    return path.startswith(f"{href}/")


def _entry(label: str, href: str, icon: str, waiting: rx.Var[int] | None = None) -> Entry:
    return Entry(label, href, (icon, icon), _is_in(href), waiting)


_COUNTS = OperatorDoorState.counts
DAILY = (
    _entry("Work", "/operator", "inbox", OperatorDoorState.waiting),
    _entry("Listings", "/operator/listings", "clipboard-check", _COUNTS["listings"]),
    _entry("People", "/operator/people", "users-round"),
    _entry("Bookings", "/operator/bookings", "calendar-check"),
    _entry("Money", "/operator/money", "indian-rupee", _COUNTS["refunds"]),
)
OTHERS = (
    _entry("Requests", "/operator/requests", "user-pen", _COUNTS["requests"]),
    _entry("Documents", "/operator/papers", "contact", _COUNTS["identity"]),
    _entry("Objections", "/operator/objections", "scale", _COUNTS["objections"]),
    _entry("Reviews", "/operator/reviews", "star", _COUNTS["reviews"]),
    _entry("Messages", "/operator/messages", "mail", _COUNTS["messages"]),
    _entry("Catalogue", "/operator/models", "library"),
    _entry("Words", "/operator/words", "pencil"),
    _entry("Audit", "/operator/audit", "scroll-text"),
)


def operator_page(*parts: rx.Component, wide: bool = False) -> rx.Component:
    """A page of the console, which is not there for anybody else; a `wide` one fills the window."""
    inner = "min-w-0" if wide else f"{CONTAINER} max-w-7xl min-w-0 pt-5 pb-28 md:pb-10"
    shell = frame(
        shortcuts(),
        _sidebar(),
        rx.el.div(_top_bar(), content(*parts, extra=inner), class_name="flex min-h-screen min-w-0 flex-col"),
        # Four lists, and the others behind a button.
        foot_bar(
            "Console", DAILY[:4], *map(more_link, (*DAILY[4:], *OTHERS)), _read_only_button(MORE_LINK, CLOSES_MORE)
        ),
        _read_only_question(),
        # Rendered but invisible until the user is identified.
        extra=rx.cond(OperatorDoorState.standing == UNKNOWN, f"on-cards invisible {COLUMNS}", f"on-cards {COLUMNS}"),
    )
    setting_up = link_button("Set it up", "/account")
    needed = notice("A second step is needed", SECOND_STEP_REQUIRED, setting_up, title_tag=rx.el.h1)
    second_step = layout(rx.el.div(needed, class_name=f"{CONTAINER} pt-8"))
    return rx.match(OperatorDoorState.standing, (OUT, not_found()), (STEP, second_step), shell)


def console_page(
    loaded: rx.Var[Any], page: rx.Component, *, missing: tuple[str, str], failed: rx.Component
) -> rx.Component:
    """A list or a row with the question before its acts; until it is loaded a skeleton, or why there is nothing."""
    waiting = rx.el.div(class_name=f"{SKELETON} h-120", custom_attrs={"aria-hidden": "true"})
    nothing = notice(*missing, title_tag=rx.el.h1)
    otherwise = rx.cond(ConsoleState.missing, nothing, rx.cond(ConsoleState.problem, failed, waiting))
    return operator_page(question(), rx.cond(loaded, page, otherwise))


def _sidebar() -> rx.Component:
    return sidebar(
        rx.el.div(
            rx.el.span(
                rx.cond(OperatorDoorState.initials, OperatorDoorState.initials, rx.icon("user-round", size=20)),
                class_name=(
                    "grid size-11 shrink-0 place-items-center rounded-full bg-[#f6d79a] font-semibold text-[#5b3a00]"
                ),
                custom_attrs={"aria-hidden": "true"},
            ),
            rx.el.div(
                rx.el.p(SessionState.user_name, class_name="leading-normal font-semibold text-white wrap-anywhere"),
                rx.el.p("Operator", class_name="text-sm text-[#a9cbc4]"),
                class_name="min-w-0 md:max-lg:sr-only",
            ),
            class_name="flex items-center gap-3 px-2 md:max-lg:justify-center",
        ),
        side_menu("Console", DAILY, OTHERS),
        foot=_read_only_button(f"{SIDE_LINK} w-full cursor-pointer md:max-lg:flex-col md:max-lg:gap-0"),
    )


def _read_only_button(look: str, more: dict[str, str] | None = None) -> rx.Component:
    """The switch: what it is now, and the way to the question before it is turned."""
    is_on = OperatorDoorState.read_only
    return rx.el.button(
        rx.icon("shield", size=20, class_name="shrink-0"),
        rx.el.span("Read-only mode", class_name="flex-1 text-left md:max-lg:sr-only"),
        rx.el.span(rx.cond(is_on, "On", "Off"), class_name="text-sm"),
        type="button",
        title="Read-only mode",
        class_name=rx.cond(is_on, f"{look} bg-(--marigold)! text-[#2b1c00]!", look),
        custom_attrs=opens(READ_ONLY) | {"aria-haspopup": "dialog"} | (more or {}),
    )


def _read_only_question() -> rx.Component:
    is_on = OperatorDoorState.read_only
    consequence = rx.cond(
        is_on,
        "Everybody can book and change things again. Requests that waited get the time back.",
        "Everybody can look around, and nobody can book or change anything until you open the shop again.",
    )
    message = field("What people are told", "message", id="read-only-message", max_length=200)
    form = rx.el.form(
        rx.el.input(type="hidden", name="on", value=rx.cond(is_on, "false", "true"), read_only=True),
        rx.el.p(consequence),
        rx.cond(is_on, rx.fragment(), message),
        answers(
            "Leave it",
            rx.el.button(
                rx.cond(is_on, "Open the shop", "Make it read-only"),
                type="submit",
                class_name=rx.cond(is_on, FILLED, REFUSE),
            ),
        ),
        on_submit=ConsoleState.switch,
        class_name="flex flex-col gap-4",
    )
    return modal(form, name=READ_ONLY, title="Read-only mode", max_width="30rem")


def _top_bar() -> rx.Component:
    return rx.el.header(
        rx.el.p("Welcome, ", SessionState.user_name, class_name="truncate font-semibold max-sm:sr-only"),
        rx.el.form(
            rx.icon("search", size=18, class_name="absolute left-3 text-(--muted)"),
            rx.el.input(
                id="everything",
                name="everything",
                type="search",
                placeholder="Name, mobile, RC number, PH-...",
                auto_complete="off",
                max_length=200,
                class_name=(
                    "h-10 w-full rounded-xl border border-(--gray-a7) bg-(--surface) pr-9 pl-10 text-ellipsis"
                    " text-(--ink) max-[17.5rem]:pr-2"
                ),
                custom_attrs={"aria-label": "Search everything", "aria-keyshortcuts": "/"} | on_key("/"),
            ),
            rx.el.kbd("/", class_name=f"{KEY} absolute right-3 max-md:hidden", custom_attrs={"aria-hidden": "true"}),
            on_submit=ConsoleState.find,
            role="search",
            class_name="relative ml-auto flex min-w-0 flex-1 items-center sm:max-w-90",
        ),
        person_menu(
            rx.icon("user", size=18), rx.el.span("Account", class_name="max-lg:sr-only"), class_name=TOP_BUTTON
        ),
        rx.el.button(
            rx.icon("log-out", size=18),
            rx.el.span("Logout", class_name="max-lg:sr-only"),
            type="button",
            on_click=SessionState.logout,
            class_name=TOP_BUTTON,
            custom_attrs={"data-leaves": ""},
        ),
        class_name=(
            f"{BAR} flex min-h-14 items-center gap-2 border-b border-(--line) bg-(--surface) px-4 md:min-h-16 lg:px-8"
        ),
    )


KEY = (
    "rounded border border-(--line) bg-(--surface) px-1.5 [font-family:inherit] text-xs leading-5 font-semibold"
    " text-(--ink) shadow-xs"
)
