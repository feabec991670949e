"""The home page's foldable parts: how to book, and the questions."""

import reflex as rx

from rental_app.content import marketing
from rental_app.content.faq import FAQ
from rental_app.content.marketing import Point
from rental_app.domain.contacts import phone_link
from rental_app.infrastructure.settings import settings
from rental_app.web.parts.fold import fold, long_faq
from rental_app.web.parts.picture import picture
from rental_app.web.parts.presenters.texts import fill
from rental_app.web.parts.theme import BUTTON, HEADLINE, MUTED, STAGE
from rental_app.web.screens.home.sections import SECTION

_COLUMNS = "mt-8 grid gap-8 lg:mt-0 lg:grid-cols-[2fr_3fr] lg:gap-14"


def how_to() -> rx.Component:
    """Four steps, the first one open."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(marketing.HOW_TITLE, class_name=HEADLINE),
                rx.el.p(fill(marketing.HOW_TEXT), class_name=f"{MUTED} mt-3 text-lg"),
                rx.el.div(
                    picture("scooter", "yellow", "h-auto w-full"),
                    class_name=f"mt-6 hidden rounded-3xl px-8 lg:block {STAGE}",
                ),
            ),
            rx.el.div(
                *[_step(number, point) for number, point in enumerate(marketing.HOW, 1)],
                class_name="flex flex-col justify-center gap-3",
            ),
            class_name=_COLUMNS,
        ),
        class_name=SECTION,
    )


def _step(number: int, point: Point) -> rx.Component:
    return fold(
        "how-to",
        rx.el.h3(
            rx.el.span(
                number,
                class_name=(
                    "inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-(--accent-a3) text-lg"
                    " font-bold text-(--accent-11) group-open:bg-(--marigold) group-open:text-[#2b1c00]"
                ),
            ),
            point.title,
            class_name="flex items-center gap-4 text-lg font-semibold text-(--ink)",
        ),
        rx.el.p(fill(point.text), class_name="pl-14"),
        opened=number == 1,
    )


def questions() -> rx.Component:
    """The long FAQ, and beside it a way to ask a person."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(marketing.FAQ_TITLE, class_name=HEADLINE),
                rx.el.p(marketing.FAQ_TEXT, class_name=f"{MUTED} mt-3 text-lg"),
                rx.el.div(
                    rx.el.a(
                        rx.icon("phone", size=18),
                        settings().support_phone,
                        href=phone_link(settings().support_phone),
                        class_name=BUTTON["quiet"],
                    ),
                    rx.el.a(
                        rx.icon("mail", size=18),
                        settings().support_email,
                        href=f"mailto:{settings().support_email}",
                        class_name=BUTTON["quiet"],
                    ),
                    class_name="mt-6 flex flex-wrap gap-3",
                ),
                class_name="lg:sticky lg:top-24 lg:self-start",
            ),
            long_faq(FAQ, first=4),
            class_name=_COLUMNS,
        ),
        class_name=SECTION,
    )
