"""The frame around every vendor page: greeting, menus, content."""

import reflex as rx

from rental_app.content.routes import ROUTES
from rental_app.domain.staff import MemberRole
from rental_app.web.frame.frame import BAR, content, frame, is_here
from rental_app.web.frame.person_menu import person_menu
from rental_app.web.frame.shell import (
    ABOVE_FOOT,
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
from rental_app.web.frame.vendor_state import LEAVE, PICTURE, ShellState
from rental_app.web.parts.button import button
from rental_app.web.parts.dialogs import question
from rental_app.web.parts.notice import unless_unknown
from rental_app.web.parts.sent_form.form import sent_form
from rental_app.web.parts.theme import CONTAINER, MUTED, PAGE_TITLE, SKELETON
from rental_app.web.react.browser_draft import page_drafts
from rental_app.web.react.modal import modal, opens
from rental_app.web.react.uploads import upload_of_picture
from rental_app.web.session.base import SessionState

# Their order at the foot of a phone, with the names that have room there.
_AT_FOOT = {
    "/vendor": "Today",
    "/vendor/manage-bookings": "Bookings",
    "/vendor/calendar": "Calendar",
    "/vendor/manage-vehicles": "Vehicles",
}

# How much waits on a page.
_WAITING = {"/vendor/manage-bookings": ShellState.requests, "/vendor/manage-vehicles": ShellState.documents}


def _is_shown(path: str) -> rx.Var[bool]:
    """Whether a page of the menu is the one shown; a booking is one of the list of all."""
    booking = rx.State.router.url.path.startswith("/vendor/bookings/")
    return is_here(path) | booking if path == "/vendor/manage-bookings" else is_here(path)


_SHOWS = {MemberRole.COUNTER: None, MemberRole.MANAGER: SessionState.can_manage, "": SessionState.is_vendor}
_ENTRIES = {
    route.path: Entry(
        route.menu,
        route.path,
        (route.icons[0], route.icons[1]),
        _is_shown(route.path),
        waiting=_WAITING.get(route.path),
        short=_AT_FOOT.get(route.path, ""),
        # Members get the links to their own pages only.
        shows=_SHOWS[route.for_members],
    )
    for route in ROUTES
    if route.menu and route.is_vendors
}
# The specification's menu, and what was added to it.
_SPECIFIED = [*_ENTRIES.values()][:5]
_ADDED = [*_ENTRIES.values()][5:]


class _Sheet(rx.Fragment):
    """The rules of Radix's components: other pages get them with their first dialog, these use some without one."""

    def add_imports(self) -> dict[str, str]:
        return {"": "$/styles/radix.css"}


def vendor_layout(
    title: str,
    *parts: rx.Component,
    also_for_others: rx.Var[bool] | bool = False,
    waiting: rx.Component | None = None,
    dialog: rx.Component | None = None,
    act: rx.Component | None = None,
    below: rx.Component | None = None,
) -> rx.Component:
    """A vendor page; its content is shown to vendors and members only; everyone else is sent to the home page.

    `waiting` takes its place until the user is identified; `also_for_others` shows the content meanwhile when it
    belongs to nobody, like sample data. A `dialog` stays open while a restarted server identifies the user again. What
    a page is for most of all (`act`) stands beside its title, a line about it (`below`) under that.
    """
    shows = SessionState.is_staff | also_for_others
    heading = rx.el.div(rx.el.h1(title, class_name=PAGE_TITLE), rx.cond(shows, below) if below else rx.fragment())
    beside = rx.cond(shows, act) if act else rx.fragment()
    title_line = rx.el.div(heading, beside, class_name="mb-5 flex flex-wrap items-center justify-between gap-3")
    inner = f"{CONTAINER} max-w-7xl min-w-0 pt-4 lg:pt-6 {ABOVE_FOOT}"
    return frame(
        _Sheet.create(),
        page_drafts(),
        _sidebar(),
        rx.el.div(
            _top_bar(),
            content(title_line, rx.cond(shows, rx.fragment(*parts), _meanwhile(waiting)), extra=inner),
            class_name="flex min-h-screen min-w-0 flex-col",
        ),
        _foot_bar(),
        _picture_dialog(),
        _leave_question(),
        dialog or rx.fragment(),
        # Rendered but invisible until the user is identified: others are being sent to the shop.
        extra=rx.cond(shows | (SessionState.problem != ""), f"on-cards {COLUMNS}", f"on-cards invisible {COLUMNS}"),
    )


def _meanwhile(waiting: rx.Component | None) -> rx.Component:
    """What takes the content's place until the user is known to be a vendor or a member."""
    soon = waiting or rx.el.div(class_name=f"{SKELETON} h-96")
    return unless_unknown(rx.cond(SessionState.ready, rx.fragment(), soon))


def _top_bar() -> rx.Component:
    name = rx.cond(SessionState.user_name, SessionState.user_name, "Owner")
    return rx.el.header(
        rx.el.p(
            "Welcome, ",
            name,
            class_name="line-clamp-2 min-w-0 leading-normal font-semibold wrap-anywhere max-[17.5rem]:sr-only",
        ),
        rx.el.div(
            rx.cond(
                SessionState.logged_in,
                person_menu(
                    rx.icon("user", size=18), rx.el.span("Account", class_name="max-lg:sr-only"), class_name=TOP_BUTTON
                ),
            ),
            button(
                rx.icon("log-out", size=18),
                rx.el.span("Logout", class_name="max-lg:sr-only"),
                on_click=SessionState.logout,
                class_name=TOP_BUTTON,
                custom_attrs={"data-leaves": ""},
            ),
            class_name="ml-auto flex shrink-0",
        ),
        class_name=(
            f"{BAR} flex min-h-14 items-center gap-3 border-b border-(--line) bg-(--surface) px-4 print:hidden"
            " md:min-h-16 md:px-6 lg:px-8"
        ),
    )


def _sidebar() -> rx.Component:
    return sidebar(
        _identity(),
        side_menu("Vendor", _SPECIFIED, _ADDED),
        foot=rx.el.a(
            rx.icon("store", size=20, class_name="shrink-0"),
            rx.el.span("Back to the shop", class_name="md:max-lg:sr-only"),
            href="/",
            title="Back to the shop",
            class_name=SIDE_LINK,
        ),
    )


def _foot_bar() -> rx.Component:
    """The four pages of every day, and the others behind More, with the picture that the sidebar has elsewhere."""
    others = (more_link(entry) for path, entry in _ENTRIES.items() if path not in _AT_FOOT)
    return foot_bar(
        "Vendor",
        [_ENTRIES[path] for path in _AT_FOOT],
        rx.el.div(_identity(), class_name="border-b border-(--line) px-3 pt-1 pb-3 mb-1"),
        *others,
        rx.el.a(rx.icon("store", size=20), "Back to the shop", href="/", class_name=MORE_LINK),
    )


def _identity() -> rx.Component:
    """A vendor's picture; a member's employer and the button to leave."""
    return rx.el.div(
        rx.cond(SessionState.is_vendor, avatar()),
        rx.el.div(
            rx.el.p(
                SessionState.user_name,
                title=SessionState.user_name,
                class_name="line-clamp-2 leading-normal font-semibold wrap-anywhere md:text-white",
            ),
            rx.cond(SessionState.is_vendor, rx.fragment(), _employment()),
            class_name="min-w-0 md:max-lg:sr-only",
        ),
        class_name="flex items-center gap-3 md:px-2 md:max-lg:justify-center",
    )


def _employment() -> rx.Component:
    return rx.fragment(
        rx.el.p(f"You work for {ShellState.employer}.", class_name=f"{MUTED} text-sm wrap-anywhere md:text-[#a9cbc4]"),
        button(
            "Stop",
            class_name=(
                "inline-flex min-h-(--press) cursor-pointer items-center text-sm text-(--accent-11) underline"
                " md:text-[#d5e7e3]"
            ),
            label="Stop working for this vendor",
            custom_attrs=opens(LEAVE) | CLOSES_MORE | {"aria-haspopup": "dialog"},
        ),
    )


def _leave_question() -> rx.Component:
    return question(
        LEAVE,
        f"Stop working for {ShellState.employer}?",
        "You no longer see their bookings, and the calendar links you made for them end. They can invite you again.",
        about=ShellState.employer != "",
        yes="Stop",
        no="Stay",
        on_yes=ShellState.leave,
        focus_back="content",
    )


_FACE = "grid size-11 place-items-center overflow-hidden rounded-full bg-[#d5e7e3] font-bold text-[#0b3b36]"
# Not an element: the button's accessible name says what it does, not whose initials it shows.
_INITIALS = "before:content-[attr(data-initials)/'']"
_BADGE = (
    "absolute -right-1.5 -bottom-1.5 grid size-6 place-items-center rounded-full border-2 border-(--surface)"
    " bg-(--marigold) text-[#2b1c00] md:border-(--night)"
)


def avatar() -> rx.Component:
    """A round button with the picture, or the initials while there is none, which opens the picture's dialog."""
    return button(
        rx.cond(
            ShellState.image,
            rx.el.img(src=ShellState.image, alt="", class_name=f"{_FACE} object-cover"),
            rx.el.span(class_name=f"{_FACE} {_INITIALS}", custom_attrs={"data-initials": ShellState.initials}),
        ),
        rx.el.span(rx.icon("camera", size=12), class_name=_BADGE, aria_hidden="true"),
        class_name="group relative inline-flex shrink-0 cursor-pointer rounded-full",
        label="Change profile picture",
        custom_attrs=opens(PICTURE) | CLOSES_MORE | {"aria-haspopup": "dialog"},
    )


def _picture_dialog() -> rx.Component:
    return modal(
        sent_form(
            upload_of_picture(errors=ShellState.errors),
            state=ShellState,
            form_id="picture-form",
            label="Profile picture",
            submit_label="Save picture",
            busy_label="Saving...",
            cancels=True,
            foot_class="mt-5 flex flex-wrap justify-end gap-3",
        ),
        name=PICTURE,
        title="Profile picture",
        max_width="28rem",
        on_open=ShellState.begin,
    )
