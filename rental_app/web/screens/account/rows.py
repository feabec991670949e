"""What the sections of the account's page are made of: rows with an icon, words, and what can be done."""

from typing import Any

import reflex as rx

from rental_app.web.parts.button import button
from rental_app.web.parts.theme import LIST, MUTED, PANEL, SECTION_TITLE
from rental_app.web.react.modal import opens

# Its icons are those of no other page: a shared one is a request of its own, with more headers than drawing.
SMALL = "max-w-full shrink-0 px-4 text-sm"
_ICON = "grid size-10 shrink-0 place-items-center rounded-xl bg-(--gray-a3) text-(--accent-11) max-[17.5rem]:hidden"
# The whole row can be pressed.
_OPENS = (
    "-mr-3 grid size-11 shrink-0 cursor-pointer place-items-center rounded-xl text-(--muted)"
    " after:absolute after:inset-0"
)


def section_id(title: str) -> str:
    """The id of a section, for links to it."""
    return title.lower().replace(" ", "-")


def section(title: str, *rows: rx.Component) -> rx.Component:
    """A titled list of rows."""
    return rx.el.section(
        rx.el.h2(title, id=f"{section_id(title)}-title", tab_index=-1, class_name=f"{SECTION_TITLE} mb-3 outline-none"),
        rx.el.ul(*rows, class_name=f"{LIST} {PANEL} overflow-hidden"),
        id=section_id(title),
        class_name="mt-8 scroll-mt-24",
        custom_attrs={"aria-labelledby": f"{section_id(title)}-title"},
    )


def row(
    icon: rx.Component,
    title: rx.Component | rx.Var[str] | str,
    note: rx.Var[str] | str,
    *more: rx.Component,
    good: rx.Var[bool] | bool = False,
) -> rx.Component:
    """A line of a section: what it is, how it stands (in green where it is `good`), and what can be done."""
    look = "text-sm text-pretty wrap-anywhere"
    text = rx.el.div(
        rx.el.p(title, class_name="font-semibold"),
        rx.el.p(note, class_name=rx.cond(good, f"font-medium text-(--good) {look}", f"{MUTED} {look}")),
        class_name="min-w-0 flex-1",
    )
    return rx.el.li(
        rx.el.div(
            rx.el.span(icon, class_name=_ICON, aria_hidden="true"),
            text,
            # Below its text a row's button goes rather than squeeze it.
            class_name="flex min-w-0 grow basis-44 items-center gap-3",
        ),
        *more,
        class_name="relative flex min-h-16 flex-wrap items-center justify-end gap-x-3 gap-y-2 px-4 py-3",
    )


def row_opener(label: rx.Var[str] | str, dialog: str = "", **props: Any) -> rx.Component:
    """The arrow of a row, any place of which opens its dialog, or does what `on_click` says."""
    attributes = opens(dialog) if dialog else {}
    arrow = rx.icon("chevron-right", size=20)
    return button(arrow, class_name=_OPENS, label=label, custom_attrs=attributes, **props)


def row_link(label: str, href: str) -> rx.Component:
    """The same of a row that leads to another page."""
    arrow = rx.icon("chevron-right", size=20)
    return rx.el.a(arrow, href=href, class_name=_OPENS, custom_attrs={"aria-label": label})
