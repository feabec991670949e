"""An objection with its answer and the photos of both, as both sides see it."""

from collections.abc import Callable

import reflex as rx

from rental_app.web.parts.presenters.objections import Objection
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.theme import MUTED
from rental_app.web.react.own_files import photo

_MARK = "rounded-md px-2 py-0.5 text-[13px] font-semibold"
_PHOTOS = "mt-2 grid list-none grid-cols-3 gap-2 p-0 sm:grid-cols-4"


# How a photo is shown, by its address and name: a guest has no session by which ours could be loaded.
Show = Callable[[rx.Var[str], rx.Var[str] | str], rx.Component]


def objection(one: rx.Var[Objection], *below: rx.Component, show: Show = photo) -> rx.Component:
    """What is wrong and what was answered; `below` is what can be done about it."""
    return rx.el.li(
        rx.el.div(
            rx.el.p(one.about, class_name="font-semibold"),
            rx.el.span(
                rx.cond(one.open, "Open", "Line reversed"),
                class_name=rx.cond(
                    one.open,
                    f"{_MARK} bg-(--amber-a3) text-(--amber-12)",
                    f"{_MARK} bg-(--green-a4) text-(--green-12)",
                ),
            ),
            class_name="flex flex-wrap items-center justify-between gap-2",
        ),
        rx.el.p(one.note, class_name="whitespace-pre-line wrap-anywhere"),
        rx.el.p(one.when, class_name=f"{MUTED} text-sm"),
        _photos(one.photos, show),
        rx.cond(
            one.answer,
            rx.el.div(
                rx.el.p("The vendor's answer", class_name="text-sm font-semibold"),
                rx.el.p(one.answer, class_name="whitespace-pre-line wrap-anywhere"),
                rx.el.p(one.answered, class_name=f"{MUTED} text-sm"),
                _photos(one.answer_photos, show),
                class_name="mt-3 border-l-2 border-(--line) pl-3",
            ),
            rx.fragment(*below),
        ),
        key=one.id,
        class_name="py-3",
    )


def _photos(photos: rx.Var[list[Link]], show: Show) -> rx.Component:
    taken = rx.foreach(photos, lambda each: rx.el.li(show(each.href, each.text), key=each.href))
    return rx.cond(photos, rx.el.ul(taken, class_name=_PHOTOS))
