"""The frame around the console: sidebar with counts, search for everything, and who may see it at all."""

from typing import Any, NamedTuple

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.services.accounts.operators import SECOND_STEP_REQUIRED
from rental_app.web.frame.frame import BAR, content, frame
from rental_app.web.frame.person_menu import person_menu
from rental_app.web.frame.plain_pages import not_found
from rental_app.web.frame.public import layout
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


class Entry(NamedTuple):
    """A line of the menu: `counts` names the kind of work whose number stands beside it."""

    label: str
    href: str
    icon: str
    counts: str = ""


DAILY = (
    Entry("Work", "/operator", "inbox", "all"),
    Entry("Listings", "/operator/listings", "clipboard-check", "listings"),
    Entry("People", "/operator/people", "users-round"),
    Entry("Bookings", "/operator/bookings", "calendar-check"),
    Entry("Money", "/operator/money", "indian-rupee", "refunds"),
)
OTHERS = (
    Entry("Requests", "/operator/requests", "user-pen", "requests"),
    Entry("Objections", "/operator/objections", "scale", "objections"),
    Entry("Reviews", "/operator/reviews", "star", "reviews"),
    Entry("Messages", "/operator/messages", "mail", "messages"),
    Entry("Catalogue", "/operator/models", "library"),
    Entry("Audit", "/operator/audit", "scroll-text"),
)
CATALOGUE = {
    "models": "Models",
    "manufacturers": "Manufacturers",
    "types": "Types",
    "locations": "Localities",
    "offers": "Offers",
}
_ENTRY = (
    "relative flex min-h-11 items-center gap-3 rounded-xl px-3 font-medium text-[#d5e7e3] no-underline"
    " hover:bg-white/10 aria-[current=page]:bg-white/11 aria-[current=page]:font-semibold"
    " aria-[current=page]:text-white [&[aria-current=page]_svg]:text-(--marigold) md:max-lg:justify-center"
    " md:max-lg:px-0"
)
_COUNT = (
    "rounded-full bg-(--marigold) px-2 text-xs leading-6 font-semibold text-[#2b1c00] md:max-lg:absolute"
    " md:max-lg:top-0 md:max-lg:right-1 md:max-lg:px-1.5 md:max-lg:leading-4"
)
_SMALL_COUNT = (
    "absolute top-1 left-1/2 ml-2 rounded-full bg-(--marigold) px-1.5 text-xs leading-4 font-semibold text-[#2b1c00]"
)
_FOOT = (
    "flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-xl px-3 font-medium"
    " text-[#d5e7e3] hover:bg-white/10 md:max-lg:flex-col md:max-lg:gap-0 md:max-lg:px-0"
)
_FOOT_ON = _FOOT.replace("text-[#d5e7e3] hover:bg-white/10", "bg-(--marigold) text-[#2b1c00]")
_TOP = (
    "inline-flex min-h-10 min-w-10 cursor-pointer items-center justify-center gap-2 rounded-full px-2 text-sm"
    " font-medium text-(--ink) no-underline hover:bg-(--gray-a3) sm:px-3"
)
_GRID = "md:grid md:grid-cols-[4.5rem_minmax(0,1fr)] lg:grid-cols-[15.5rem_minmax(0,1fr)]"


def operator_page(*parts: rx.Component, wide: bool = False) -> rx.Component:
    """A page of the console, which is not there for anybody else; a `wide` one fills the window."""
    inner = "min-w-0" if wide else f"{CONTAINER} max-w-7xl min-w-0 pt-5 pb-28 md:pb-10"
    shell = frame(
        shortcuts(),
        _sidebar(),
        rx.el.div(_top_bar(), content(*parts, extra=inner), class_name="flex min-h-screen min-w-0 flex-col"),
        _bottom_bar(),
        _read_only_question(),
        # Rendered but invisible until the user is identified.
        extra=rx.cond(OperatorDoorState.standing == UNKNOWN, f"on-cards invisible {_GRID}", f"on-cards {_GRID}"),
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
    return rx.el.aside(
        rx.el.a(
            rx.el.img(src="/logo.svg", alt="", custom_attrs={"width": "32", "height": "32"}, class_name="size-8"),
            rx.el.span(settings().product_name, class_name="text-lg font-semibold text-white md:max-lg:sr-only"),
            href="/",
            class_name=(
                "flex items-center gap-3 border-b border-white/12 px-2 pb-4 no-underline md:max-lg:justify-center"
            ),
        ),
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
        _menu("Console", DAILY),
        rx.el.hr(class_name="mx-2 border-white/12"),
        _menu("More of the console", OTHERS),
        # Of the window, not of the menu: it is in sight at once, however low the window, and whatever stands above.
        rx.el.div(
            rx.el.div(_read_only_button(_FOOT, _FOOT_ON), class_name="border-t border-white/12 pt-3"),
            class_name=("bg-(--night) px-3.5 pb-4 fixed bottom-0 left-0 w-18 md:max-lg:px-2 lg:w-62"),
        ),
        class_name=(
            "on-night hidden bg-(--night) px-3.5 pt-5 pb-28 md:sticky md:top-0 md:flex md:h-screen md:flex-col md:gap-4"
            " md:overflow-y-auto md:max-lg:px-2"
        ),
    )


def _read_only_button(off: str, on: str) -> rx.Component:
    """The switch: what it is now, and the way to the question before it is turned."""
    is_on = OperatorDoorState.read_only
    return rx.el.button(
        rx.icon("shield", size=20, class_name="shrink-0"),
        rx.el.span("Read-only mode", class_name="flex-1 text-left md:max-lg:sr-only"),
        rx.el.span(rx.cond(is_on, "On", "Off"), class_name="text-sm"),
        type="button",
        title="Read-only mode",
        class_name=rx.cond(is_on, on, off),
        custom_attrs=opens(READ_ONLY) | {"aria-haspopup": "dialog"},
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


def _menu(label: str, entries: tuple[Entry, ...]) -> rx.Component:
    return rx.el.nav(
        *[_entry(entry) for entry in entries], class_name="flex flex-col gap-1", custom_attrs={"aria-label": label}
    )


def _entry(entry: Entry) -> rx.Component:
    return rx.el.a(
        rx.icon(entry.icon, size=20, class_name="shrink-0"),
        rx.el.span(entry.label, class_name="flex-1 md:max-lg:sr-only"),
        _count(entry, _COUNT),
        href=entry.href,
        title=entry.label,
        class_name=_ENTRY,
        custom_attrs={"aria-current": rx.cond(_is_in(entry.href), "page", "false")},
    )


def _count(entry: Entry, class_name: str) -> rx.Component:
    """How much of an entry's work waits; nothing if there is none."""
    if not entry.counts:
        return rx.fragment()
    number = OperatorDoorState.waiting if entry.counts == "all" else OperatorDoorState.counts[entry.counts]
    return rx.cond(number, rx.el.span(number, rx.el.span(" waiting", class_name="sr-only"), class_name=class_name))


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
        person_menu(rx.icon("user", size=18), rx.el.span("Account", class_name="max-lg:sr-only"), class_name=_TOP),
        rx.el.button(
            rx.icon("log-out", size=18),
            rx.el.span("Logout", class_name="max-lg:sr-only"),
            type="button",
            on_click=SessionState.logout,
            class_name=_TOP,
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
_BOTTOM = (
    "relative flex min-h-14 flex-1 cursor-pointer flex-col items-center justify-center gap-0.5 text-xs text-(--ink)"
    " no-underline aria-[current=page]:font-semibold aria-[current=page]:text-(--accent-11)"
)


_IN_MENU = "flex min-h-11 w-full cursor-pointer items-center gap-2 rounded-lg px-3 font-medium text-(--ink)"
_IN_MENU_ON = _IN_MENU.replace("text-(--ink)", "bg-(--marigold) text-[#2b1c00]")


def _named(label: str) -> rx.Component:
    """The name below an icon; where five have no room, screen readers only have it."""
    return rx.el.span(label, class_name="max-[17.5rem]:sr-only")


def _bottom_bar() -> rx.Component:
    """The menu of a phone: four lists, and the others behind a button."""
    daily, further = DAILY[:4], (*DAILY[4:], *OTHERS)
    return rx.fragment(
        rx.el.nav(
            *[
                rx.el.a(
                    rx.icon(entry.icon, size=20),
                    _named(entry.label),
                    _count(entry, _SMALL_COUNT),
                    href=entry.href,
                    class_name=_BOTTOM,
                    custom_attrs={"aria-current": rx.cond(_is_in(entry.href), "page", "false")},
                )
                for entry in daily
            ],
            rx.el.button(
                rx.icon("ellipsis", size=20),
                _named("More"),
                type="button",
                class_name=_BOTTOM,
                custom_attrs={"popoverTarget": "console-more"},
            ),
            class_name=(
                "fixed inset-x-0 bottom-0 z-20 flex border-t border-(--line) bg-(--surface)"
                " pb-[env(safe-area-inset-bottom)] md:hidden"
            ),
            custom_attrs={"aria-label": "Console"},
        ),
        rx.el.nav(
            *[
                rx.el.a(
                    entry.label,
                    href=entry.href,
                    class_name="flex min-h-11 items-center rounded-lg px-3 font-medium text-(--ink) no-underline",
                )
                for entry in further
            ],
            _read_only_button(_IN_MENU, _IN_MENU_ON),
            id="console-more",
            class_name="person-menu",
            custom_attrs={"popover": "auto", "aria-label": "More of the console"},
        ),
    )
