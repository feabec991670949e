"""The frame around every vendor page: greeting, sidebar, content."""

import reflex as rx

from rental_app.content.routes import ROUTES, Route
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.frame import BAR, content, frame, is_here
from rental_app.web.frame.person_menu import person_menu
from rental_app.web.frame.vendor_state import LEAVE, PICTURE, ShellState
from rental_app.web.parts.button import button
from rental_app.web.parts.dialogs import question
from rental_app.web.parts.notice import unless_unknown
from rental_app.web.parts.sent_form.form import sent_form
from rental_app.web.parts.theme import CONTAINER, MUTED, PAGE_TITLE, PANEL, SKELETON
from rental_app.web.react.browser_draft import page_drafts
from rental_app.web.react.modal import modal, opens
from rental_app.web.react.uploads import upload_of_picture
from rental_app.web.session.base import SessionState

ENTRIES = tuple(route for route in ROUTES if route.menu and route.is_vendors)
_ENTRY = (
    "flex min-h-14 flex-col items-center justify-center gap-1 rounded-xl p-1 text-center text-xs font-medium"
    " text-(--ink) no-underline hover:bg-(--gray-a3) lg:min-h-11 lg:flex-row lg:justify-start lg:gap-3 lg:px-3"
    " lg:text-left lg:text-sm aria-[current=page]:bg-(--accent-a4) aria-[current=page]:font-bold"
    " aria-[current=page]:text-(--accent-12)"
)
_TOP_LINK = (
    "inline-flex min-h-10 min-w-10 cursor-pointer items-center justify-center gap-2 rounded-full px-2 text-sm"
    " font-medium text-white no-underline hover:bg-white/10 max-[17.5rem]:min-w-9 sm:px-3"
)
# On a phone only the icons are visible; their names stay for screen readers.
_TOP_TEXT = "sr-only sm:not-sr-only"


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
) -> rx.Component:
    """A vendor page; its content is shown to vendors and members only; everyone else is sent to the home page.

    `waiting` takes its place until the user is identified; `also_for_others` shows the content meanwhile when it
    belongs to nobody, like sample data. A `dialog` stays open while a restarted server identifies the user again. What
    a page is for most of all (`act`) stands beside its title.
    """
    shows = SessionState.is_staff | also_for_others
    heading = rx.el.h1(title, class_name=PAGE_TITLE)
    beside = rx.cond(shows, act) if act else rx.fragment()
    title_line = rx.el.div(heading, beside, class_name="mb-5 flex flex-wrap items-center justify-between gap-3")
    return frame(
        _Sheet.create(),
        page_drafts(),
        _top_bar(),
        rx.el.div(
            _sidebar(),
            content(title_line, rx.cond(shows, rx.fragment(*parts), _meanwhile(waiting)), extra="min-w-0 pb-16"),
            class_name=f"{CONTAINER} max-w-7xl flex flex-col gap-5 pt-4 lg:flex-row lg:gap-6 lg:pt-6",
        ),
        dialog or rx.fragment(),
        # Rendered but invisible until the user is identified: others are being sent to the shop.
        extra=rx.cond(shows | (SessionState.problem != ""), "on-cards", "on-cards invisible"),
    )


def _meanwhile(waiting: rx.Component | None) -> rx.Component:
    """What takes the content's place until the user is known to be a vendor or a member."""
    soon = waiting or rx.el.div(class_name=f"{SKELETON} h-96")
    return unless_unknown(rx.cond(SessionState.ready, rx.fragment(), soon))


def _top_bar() -> rx.Component:
    name = rx.cond(SessionState.user_name, SessionState.user_name, "Owner")
    return rx.el.header(
        rx.el.div(
            rx.el.img(
                src="/logo.svg",
                alt=settings().product_name,
                custom_attrs={"width": "32", "height": "32"},
                class_name="size-8",
            ),
            rx.el.p(
                "Welcome, ",
                name,
                class_name=(
                    "line-clamp-2 min-w-0 text-[15px] leading-normal font-semibold wrap-anywhere"
                    " max-[17.5rem]:sr-only sm:text-lg"
                ),
            ),
            rx.el.div(
                rx.el.a(
                    rx.icon("store", size=18),
                    rx.el.span("Back to the shop", class_name=_TOP_TEXT),
                    href="/",
                    class_name=_TOP_LINK,
                ),
                rx.cond(
                    SessionState.logged_in,
                    person_menu(
                        rx.icon("user", size=18), rx.el.span("Account", class_name=_TOP_TEXT), class_name=_TOP_LINK
                    ),
                ),
                button(
                    rx.icon("log-out", size=18),
                    rx.el.span("Logout", class_name=_TOP_TEXT),
                    on_click=SessionState.logout,
                    class_name=_TOP_LINK,
                    custom_attrs={"data-leaves": ""},
                ),
                class_name="ml-auto flex shrink-0",
            ),
            class_name=f"{CONTAINER} max-w-7xl flex min-h-16 items-center gap-3 max-[17.5rem]:gap-0",
        ),
        class_name=f"on-night {BAR} bg-(--night) text-white",
    )


def _sidebar() -> rx.Component:
    return rx.el.aside(
        _identity(),
        rx.el.nav(
            *[_entry(route) for route in ENTRIES],
            # One row on a phone, swiped sideways: the page's own heading is what the first window is for.
            tab_index=0,
            class_name=(
                "flex gap-1 max-sm:-mx-3 max-sm:overflow-x-auto max-sm:scroll-px-3 max-sm:px-3"
                " max-sm:[scrollbar-width:none]"
                " max-sm:*:min-w-19 max-sm:*:shrink-0 max-sm:*:aria-[current=page]:[scroll-initial-target:nearest]"
                " sm:max-lg:grid sm:max-lg:grid-cols-[repeat(auto-fit,minmax(4.5rem,1fr))] lg:flex-col"
            ),
            custom_attrs={"aria-label": "Vendor"},
        ),
        class_name=(
            f"{PANEL} flex flex-col gap-3 p-3 print:hidden lg:sticky lg:top-22 lg:w-60 lg:shrink-0 lg:self-start"
        ),
    )


def _identity() -> rx.Component:
    """A vendor's picture; a member's employer and the button to leave."""
    return rx.el.div(
        rx.cond(SessionState.is_vendor, avatar()),
        rx.el.div(
            rx.el.p(SessionState.user_name, class_name="leading-normal font-semibold wrap-anywhere"),
            rx.cond(SessionState.is_vendor, rx.fragment(), _employment()),
            class_name="min-w-0 lg:w-full",
        ),
        class_name="flex items-center gap-3 lg:flex-col lg:border-b lg:border-(--line) lg:pb-3 lg:text-center",
    )


def _employment() -> rx.Component:
    return rx.fragment(
        rx.el.p(f"You work for {ShellState.employer}.", class_name=f"{MUTED} text-sm wrap-anywhere"),
        button(
            "Stop",
            id=LEAVE,
            class_name="inline-flex min-h-10 cursor-pointer items-center text-sm text-(--accent-11) underline",
            label="Stop working for this vendor",
            custom_attrs=opens(LEAVE) | {"aria-haspopup": "dialog"},
        ),
        question(
            LEAVE,
            f"Stop working for {ShellState.employer}?",
            "You no longer see their bookings, and they cannot add you again.",
            about=ShellState.employer != "",
            yes="Stop",
            no="Stay",
            on_yes=ShellState.leave,
            focus_back=LEAVE,
        ),
    )


def _entry(route: Route) -> rx.Component:
    """A page's link, with another icon on the page itself; members get the links to their own pages only."""
    here, (icon, active_icon) = is_here(route.path), route.icons
    link = rx.el.a(
        rx.cond(
            here,
            rx.icon(active_icon, size=20, class_name="shrink-0"),
            rx.icon(icon, size=20, class_name="shrink-0"),
        ),
        route.menu,
        href=route.path,
        class_name=_ENTRY,
        custom_attrs={"aria-current": rx.cond(here, "page", "false")},
    )
    return link if route.for_members else rx.cond(SessionState.is_vendor, link)


_FACE = (
    "grid size-14 place-items-center overflow-hidden rounded-full bg-(--accent-a4) text-xl font-bold text-(--accent-12)"
    " lg:size-24 lg:text-3xl"
)
# Not an element: the button's accessible name says what it does, not whose initials it shows.
_INITIALS = "before:content-[attr(data-initials)/'']"
_BADGE = (
    "absolute -right-1 -bottom-1 grid size-7 place-items-center rounded-full border-2 border-(--surface)"
    " bg-(--accent-9) text-(--accent-contrast) group-hover:bg-(--accent-10) lg:right-0 lg:bottom-0"
)


def avatar() -> rx.Component:
    """A round button with the picture, or the initials while there is none, and its dialog."""
    return rx.fragment(
        button(
            rx.cond(
                ShellState.image,
                rx.el.img(src=ShellState.image, alt="", class_name=f"{_FACE} object-cover"),
                rx.el.span(class_name=f"{_FACE} {_INITIALS}", custom_attrs={"data-initials": ShellState.initials}),
            ),
            rx.el.span(rx.icon("camera", size=14), class_name=_BADGE, aria_hidden="true"),
            class_name="group relative inline-flex shrink-0 cursor-pointer rounded-full",
            label="Change profile picture",
            custom_attrs=opens(PICTURE) | {"aria-haspopup": "dialog"},
        ),
        modal(
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
        ),
    )
