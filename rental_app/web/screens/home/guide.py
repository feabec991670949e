"""The home page's foldable parts: how to book, and the questions."""

import reflex as rx

from rental_app.content import marketing
from rental_app.content.faq import FAQ
from rental_app.content.marketing import Point
from rental_app.web.parts.fold import fold, long_faq
from rental_app.web.parts.presenters.texts import fill
from rental_app.web.screens.home.sections import BELOW, TITLE

_COLUMNS = "grid gap-1 sm:gap-3 lg:grid-cols-[2fr_3fr] lg:gap-14"


def how_to() -> rx.Component:
    """Four steps, the first one open."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(marketing.HOW_TITLE, class_name=TITLE),
            rx.el.div(*[_step(number, point) for number, point in enumerate(marketing.HOW, 1)]),
            class_name=_COLUMNS,
        ),
        class_name=BELOW,
    )


def _step(number: int, point: Point) -> rx.Component:
    return fold(
        "how-to",
        rx.el.h3(
            rx.el.span(
                number,
                class_name=(
                    "inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-(--accent-a3) text-sm"
                    " font-bold text-(--accent-11) group-open:bg-(--marigold) group-open:text-[#2b1c00]"
                ),
            ),
            point.title,
            class_name="flex items-center gap-3 font-semibold text-(--ink)",
        ),
        rx.el.p(fill(point.text), class_name="pl-10 text-sm leading-5"),
        opened=number == 1,
    )


def questions() -> rx.Component:
    """The long FAQ."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(marketing.FAQ_TITLE, class_name=TITLE),
            long_faq(FAQ, first=3),
            class_name=_COLUMNS,
        ),
        class_name=BELOW,
    )
