"""The menus of a working area: a sidebar, and on a phone a bar at the foot of the window."""

from collections.abc import Sequence
from typing import NamedTuple

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.parts.button import button
from rental_app.web.react.modal import back_closes

# The sidebar of icons alone from a tablet on, with words from a desk on.
COLUMNS = "md:grid md:grid-cols-[4.5rem_minmax(0,1fr)] lg:grid-cols-[15.5rem_minmax(0,1fr)]"
# Room for the bar at the foot.
ABOVE_FOOT = "pb-28 md:pb-16"
SIDE_LINK = (
    "relative flex min-h-11 items-center gap-3 rounded-xl px-3 font-medium text-[#d5e7e3] no-underline"
    " hover:bg-white/10 aria-[current=page]:bg-white/11 aria-[current=page]:font-semibold"
    " aria-[current=page]:text-white [&[aria-current=page]_svg]:text-(--marigold) md:max-lg:justify-center"
    " md:max-lg:px-0"
)
TOP_BUTTON = (
    "inline-flex min-h-(--press) min-w-(--press) cursor-pointer items-center justify-center gap-2 rounded-full px-2"
    " text-sm font-medium text-(--ink) no-underline hover:bg-(--gray-a3) max-[17.5rem]:min-w-9 sm:px-3"
)
MORE_LINK = (
    "flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-lg px-3 font-medium text-(--ink) no-underline"
    " hover:bg-(--gray-a3)"
)
_COUNT = (
    "rounded-full bg-(--marigold) px-2 text-xs leading-6 font-semibold text-[#2b1c00] md:max-lg:absolute"
    " md:max-lg:top-0 md:max-lg:right-1 md:max-lg:px-1.5 md:max-lg:leading-4"
)
_SMALL_COUNT = (
    "absolute top-1 left-1/2 ml-2 rounded-full bg-(--marigold) px-1.5 text-xs leading-4 font-semibold text-[#2b1c00]"
)
_FOOT_LINK = (
    "relative flex min-h-14 min-w-0 flex-1 cursor-pointer flex-col items-center justify-center gap-0.5 text-xs"
    " text-(--ink) no-underline aria-[current=page]:font-semibold aria-[current=page]:text-(--accent-11)"
)
_MORE = "more-of-the-menu"


class Entry(NamedTuple):
    """A page of the menu: its icons, plain and on the page itself, and how much waits there.

    At the foot of a phone it may have a shorter name.
    """

    label: str
    href: str
    icons: tuple[str, str]
    is_here: rx.Var[bool]
    waiting: rx.Var[int] | None = None
    short: str = ""
    shows: rx.Var[bool] | None = None


def sidebar(*parts: rx.Component, foot: rx.Component) -> rx.Component:
    """The night column beside the pages, with the product's name above; its `foot` is always in sight."""
    home = rx.el.a(
        rx.el.img(src="/logo.svg", alt="", custom_attrs={"width": "32", "height": "32"}, class_name="size-8"),
        rx.el.span(settings().product_name, class_name="text-lg font-semibold text-white md:max-lg:sr-only"),
        href="/",
        class_name="flex items-center gap-3 border-b border-white/12 px-2 pb-4 no-underline md:max-lg:justify-center",
    )
    # Of the window, not of the column: it is in sight at once, however low the window, and whatever stands above.
    fixed = rx.el.div(
        rx.el.div(foot, class_name="border-t border-white/12 pt-3"),
        class_name="fixed bottom-0 left-0 w-18 bg-(--night) px-3.5 pb-4 md:max-lg:px-2 lg:w-62",
    )
    return rx.el.aside(
        home,
        *parts,
        fixed,
        class_name=(
            "on-night hidden bg-(--night) px-3.5 pt-5 pb-28 md:sticky md:top-0 md:flex md:h-screen md:flex-col md:gap-4"
            " md:overflow-y-auto md:max-lg:px-2 print:hidden!"
        ),
    )


def side_menu(label: str, *groups: Sequence[Entry]) -> rx.Component:
    """The sidebar's links, a line between groups."""
    rule = rx.el.hr(class_name="mx-2 my-2 border-white/12")
    parts = [part for group in groups for part in (rule, *map(_side_link, group))][1:]
    return rx.el.nav(*parts, class_name="flex flex-col gap-1", custom_attrs={"aria-label": label})


def _side_link(entry: Entry) -> rx.Component:
    name = rx.el.span(entry.label, class_name="flex-1 md:max-lg:sr-only")
    return _link(entry, name, _waiting(entry, _COUNT), class_name=SIDE_LINK)


# On what opens a dialog from behind the last link: a popover would cover the dialog.
CLOSES_MORE = {"popoverTarget": _MORE, "popoverTargetAction": "hide"}


def foot_bar(label: str, entries: Sequence[Entry], *more: rx.Component) -> rx.Component:
    """The links at the foot of a phone's window, and behind the last one what there is `more`."""
    links = (
        _link(entry, _below_icon(entry.short or entry.label), _waiting(entry, _SMALL_COUNT), class_name=_FOOT_LINK)
        for entry in entries
    )
    opener = button(
        rx.icon("ellipsis", size=20),
        _below_icon("More"),
        class_name=_FOOT_LINK,
        custom_attrs={"popoverTarget": _MORE},
    )
    return rx.fragment(
        rx.el.nav(
            *links,
            opener,
            class_name=(
                "foot-bar fixed inset-x-0 bottom-0 z-20 flex border-t border-(--line) bg-(--surface)"
                " pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
            ),
            custom_attrs={"aria-label": label},
        ),
        rx.el.nav(
            *more,
            id=_MORE,
            class_name="person-menu more-menu",
            custom_attrs={"popover": "auto", "aria-label": "More pages"},
        ),
        back_closes(_MORE),
    )


def more_link(entry: Entry) -> rx.Component:
    """A link of what there is more."""
    return _link(entry, rx.el.span(entry.label, class_name="flex-1"), _waiting(entry, _COUNT), class_name=MORE_LINK)


def _link(entry: Entry, *parts: rx.Component | str, class_name: str) -> rx.Component:
    icon, icon_here = (rx.icon(name, size=20, class_name="shrink-0") for name in entry.icons)
    link = rx.el.a(
        rx.cond(entry.is_here, icon_here, icon),
        *parts,
        href=entry.href,
        title=entry.label,
        class_name=class_name,
        custom_attrs={"aria-current": rx.cond(entry.is_here, "page", "false")},
    )
    return link if entry.shows is None else rx.cond(entry.shows, link)


def _below_icon(label: str) -> rx.Component:
    """The name below an icon; where five have no room, screen readers only have it."""
    return rx.el.span(label, class_name="max-w-full truncate max-[17.5rem]:sr-only")


def _waiting(entry: Entry, class_name: str) -> rx.Component:
    if entry.waiting is None:
        return rx.fragment()
    words = rx.el.span(" waiting", class_name="sr-only")
    return rx.cond(entry.waiting, rx.el.span(entry.waiting, words, class_name=class_name))
