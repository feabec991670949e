"""The offers in force."""

import reflex as rx

from rental_app.web.frame.public import layout
from rental_app.web.parts.button import button
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.theme import (
    BLOCK_TITLE,
    CONTAINER,
    HEADLINE,
    LINK,
    MUTED,
    PANEL,
    SCRIPTED,
    SECTION_TITLE,
    SKELETON,
    STAGE,
)
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.react.translated import AS_WRITTEN
from rental_app.web.screens.offers.presenter import OfferCard
from rental_app.web.screens.offers.state import OffersState
from rental_app.web.session.events import copy

_GRID = "mt-8 grid list-none gap-6 p-0 md:grid-cols-2 lg:grid-cols-3"
# Side by side, all are torn off along one line.
_TICKET = "row-span-2 grid grid-rows-subgrid gap-0"
_NOTCH = "absolute -top-3 size-6 rounded-full border border-(--line) bg-(--page)"


def offers() -> rx.Component:
    """How offers work, and a coupon for each."""
    failed = failure("The offers could not be loaded", "They will be back shortly.", OffersState.load)
    none = notice(
        "No offers are running right now",
        "Every price you see is the full price: the cheapest of the vendor's plans for your dates, plus the deposit.",
        link_button("See all vehicles", "/vehicles"),
    )
    return layout(
        rx.el.div(
            rx.el.h1("Offers", class_name=HEADLINE),
            rx.el.p(
                "Current discounts for bookings with a code.",
                class_name=f"{MUTED} mt-3 max-w-2xl text-lg",
            ),
            server_rendered(
                "offers",
                ~OffersState.loading,
                rx.cond(
                    OffersState.cards,
                    rx.fragment(
                        rx.el.ul(
                            rx.foreach(
                                OffersState.cards,
                                lambda offer: rx.el.li(_coupon(offer), key=offer.code, class_name=_TICKET),
                            ),
                            class_name=_GRID,
                        ),
                        _steps(),
                    ),
                    rx.cond(OffersState.failed, _below(failed), _below(none)),
                ),
                rx.el.div(
                    *[rx.el.div(class_name=f"{SKELETON} h-88") for _ in range(3)],
                    class_name=_GRID,
                    custom_attrs={"aria-hidden": "true"},
                ),
            ),
            class_name=f"{CONTAINER} pt-10",
        )
    )


def _coupon(offer: rx.Var[OfferCard]) -> rx.Component:
    return rx.el.article(
        rx.el.div(
            rx.el.h2(offer.title, class_name=f"{MUTED} text-base font-semibold"),
            rx.el.p(offer.benefit, class_name="mt-2 text-2xl font-extrabold tracking-tight text-balance text-(--ink)"),
            class_name=f"rounded-t-2xl p-6 pb-8 {STAGE}",
        ),
        rx.el.div(
            rx.el.span(class_name=f"{_NOTCH} -left-3 [clip-path:inset(0_0_0_50%)]"),
            rx.el.span(class_name=f"{_NOTCH} -right-3 [clip-path:inset(0_50%_0_0)]"),
            rx.el.p(
                rx.el.span("Code", class_name="sr-only"),
                rx.el.code(
                    offer.code,
                    custom_attrs=AS_WRITTEN,
                    class_name=(
                        "inline-block rounded-lg border-2 border-dashed border-(--accent-9) px-4 py-2 text-lg"
                        " [font-family:inherit] font-bold tracking-widest text-(--ink) select-all"
                    ),
                ),
                button(
                    "Copy",
                    rx.el.span(f" {offer.code}", custom_attrs=AS_WRITTEN, class_name="sr-only"),
                    on_click=copy(offer.code),
                    class_name=f"{LINK} {SCRIPTED} min-h-10 cursor-pointer",
                ),
                class_name="flex flex-wrap items-center gap-4",
            ),
            rx.el.p(offer.terms, class_name=f"{MUTED} mt-4"),
            rx.el.p(
                _fact("calendar", offer.until),
                _fact("clock", offer.minimum),
                rx.cond(offer.limits, _fact("users", offer.limits)),
                rx.cond(
                    offer.last_days,
                    rx.el.span(
                        offer.last_days,
                        class_name="rounded-full bg-(--amber-a3) px-3 py-1 font-semibold text-(--amber-12)",
                    ),
                ),
                class_name="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2 text-sm text-(--ink)",
            ),
            class_name="relative border-t-2 border-dashed border-(--gray-a6) p-6",
        ),
        class_name=f"{PANEL} {_TICKET}",
    )


def _fact(icon: str, text: rx.Var[str]) -> rx.Component:
    return rx.el.span(
        rx.icon(icon, size=16, class_name="shrink-0 text-(--accent-11)"), text, class_name="flex items-center gap-2"
    )


def _steps() -> rx.Component:
    return rx.el.section(
        rx.el.h2("How an offer works", class_name=SECTION_TITLE),
        rx.el.ol(
            rx.foreach(
                OffersState.steps,
                lambda step: rx.el.li(
                    rx.el.h3(f"{step.number}. {step.title}", class_name=BLOCK_TITLE),
                    rx.el.p(step.text, class_name=f"{MUTED} mt-1 leading-7"),
                    class_name="border-l-4 border-(--marigold) pl-4",
                ),
            ),
            class_name="mt-6 grid list-none gap-6 p-0 md:grid-cols-3",
        ),
        class_name="mt-14",
    )


def _below(shown: rx.Component) -> rx.Component:
    return rx.el.div(shown, class_name="mt-8")
